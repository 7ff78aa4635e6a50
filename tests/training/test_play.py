"""`hearts evaluate --only play`: habits by what a player sees, and what the command reports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import hearts_env as he
from hearts_agents.arena.tables import deal_numbers
from hearts_env.compiled.game import Game
from hearts_training.cli import main
from hearts_training.evaluate.play import HABITS, study_play
from hearts_training.evaluate.positions import Positions


def expected(view: he.View) -> dict[str, set[str]]:
    """The cards that follow each habit in Basic Hearts."""
    legal, order, hand = view.legal(), view.game.deck.kinds.index, set(view.hand)
    seen = {card for _, card in view.played} | hand
    cards = [card for _, card in view.trick]
    found: dict[str, set[str]] = {name: set() for name in HABITS}
    if not cards:
        if "QS" not in seen and not hand & {"QS", "KS", "AS"}:
            found["bleeds_spades"] = {card for card in legal if card[-1] == "S"}
        return found
    led = cards[0][-1]
    if "QS" in legal and all(card[-1] != led for card in legal):
        found["throws_queen"] = {"QS"}
    top = max(order(card) for card in cards if card[-1] == led)
    takes = {card for card in legal if card[-1] == led and order(card) > top}
    under = sorted((card for card in legal if card[-1] == led and order(card) < top), key=order)
    if len(cards) == 3 and takes and any(card[-1] == "H" or card == "QS" for card in cards):
        found["ducks"] = {*legal} - takes
    if len(cards) == 3 and len(under) > 1:
        found["ducks_high"] = {under[-1]}
    return found


def test_habits_are_what_a_player_sees() -> None:
    counts = dict.fromkeys(HABITS, 0)
    for seed in range(12):
        match, rng = he.Match("black_lady(max_deals=1, cycle=[hold])", seed=seed), np.random.default_rng(seed)
        while not match.over:
            if match.phase == "play" and len(match.legal()) > 1:
                assert match.seat is not None
                view = match.view(match.seat)
                _, at = Positions.of(he.Views.of(view))
                for name, cards in expected(view).items():
                    follows = HABITS[name](at)[0] & at.legal[0]
                    assert {match.game.deck.kinds[kind] for kind in np.flatnonzero(follows)} == cards, name
                    counts[name] += 0 < len(cards) < len(view.legal())
            match.play(rng.choice(match.legal()))
    assert min(counts.values()) >= 3


def test_deals_are_the_first_of_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers: list[int] = []

    def deal(game: Game, seeds: NDArray[np.uint64], places: NDArray[np.int64]) -> NDArray[Any]:
        numbers.extend(places.tolist())
        return deal_numbers(game, seeds, places)

    monkeypatch.setattr("hearts_training.evaluate.play.deal_numbers", deal)
    study_play("rule", he.rules("black_lady"), 40)
    assert numbers == [0, 1, 2, 3] * 10


def test_the_command_reports_and_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["evaluate", "rule", "random", "--only", "play", "--deals", "40"]
    assert main([*command, "--json", str(tmp_path / "p.json"), "--plot", str(tmp_path / "p.svg")]) == 0
    assert (tmp_path / "p.svg").read_text("utf-8").count("bleeds_spades") > 0
    rows = json.loads((tmp_path / "p.json").read_text("utf-8"))["play"]
    one, other = ({row["habit"]: row for row in rows if row["agent"] == agent} for agent in ("rule", "random"))
    assert one["bleeds_spades"]["rate"] == 1 > other["bleeds_spades"]["rate"]
    assert one["ducks"]["rate"] > other["ducks"]["rate"]
    assert one["empties_H"]["positions"] == other["empties_H"]["positions"] > 60
    assert one["begins_moon"]["positions"] == 160
    assert "bleeds_spades" in capsys.readouterr().out
    no_moon = {
        row.habit for row in study_play("rule", he.rules("black_lady(moon.mode=none, passing.cycle=[hold])"), 20)
    }
    assert not {"begins_moon", "empties_C"} & no_moon
    assert main(["evaluate", "rule", "--only", "play", "--variant", "complex_hearts"]) == 2
