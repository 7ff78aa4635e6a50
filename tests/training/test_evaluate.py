"""Measurements: the learning curve of a run, and the passes and the moon suite of `hearts evaluate`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hearts_env as he
from hearts_agents import make_agent
from hearts_env.cards import suit_of
from hearts_env.compiled.game import compile_game
from hearts_env.envs.vector import VectorEnv
from hearts_training.cli import main
from hearts_training.evaluate.benchmark import quick_score
from hearts_training.evaluate.moon_suite import FILE, draw_suite, run_suite, suite
from hearts_training.evaluate.passing import pick_all, study_passes
from hearts_training.evaluate.quick import Evaluator, Margin

RULES = he.rules("black_lady")
GAME = compile_game(RULES)
Output = pytest.CaptureFixture[str]


# --- the learning curve ---------------------------------------------------------------------------------------------


def test_an_agent_is_level_with_itself() -> None:
    rule = make_agent("rule")
    found = Evaluator("black_lady", "rule", games=400).evaluate(rule.act_batch)
    assert abs(found.margin.mean) < 4 * found.margin.error < 1.5
    assert Evaluator("black_lady", "rule", games=400).evaluate(make_agent("random").act_batch).margin.mean > 5


def test_the_error_of_a_margin_is_the_spread_of_its_mean() -> None:
    """Games of one to four deals: over many samples the mean varies as its error says."""
    rng = np.random.default_rng(3)
    samples = []
    for _ in range(400):
        deals = rng.integers(1, 5, 200)
        samples.append(Margin.of(rng.normal(1.0, 6.0 * np.sqrt(deals)), deals))
    means, errors = (np.array([getattr(one, name) for one in samples]) for name in ("mean", "error"))
    assert errors.mean() == pytest.approx(means.std(), rel=0.12)


def test_moons_are_counted_in_every_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """In Basic Hearts only a moon pays 26; without one, a seat without points is paid at most 26 / 3."""
    games, eager = 256, make_agent("shooter(eagerness=0.99)")
    evaluator = Evaluator("black_lady", "random", games=games)
    env, paid = evaluator._env, []

    def step(actions: Any) -> None:
        VectorEnv.step(env, actions)
        paid.append(env.rewards[np.arange(games), np.arange(games) % 4].copy())

    monkeypatch.setattr(env, "step", step)
    found = evaluator.evaluate(eager.act_batch)
    moons = sum(int((rewards > 25).sum()) for rewards in paid)
    assert moons > 3
    assert found.shot == moons / (games * 4)
    assert found.attempted is not None
    assert found.shot < found.attempted < 1
    careful = evaluator.evaluate(make_agent("guard").act_batch)
    assert careful.attempted is not None
    assert careful.attempted < found.attempted


# --- passes and the moon suite --------------------------------------------------------------------------------------


def test_the_kept_suite_is_what_the_criterion_draws() -> None:
    kept = json.loads(FILE.read_text())["black_lady"]
    assert len(kept) == 200
    assert kept[:20] == draw_suite(RULES, 20)


def test_both_sides_of_the_suite_are_measured() -> None:
    deals = suite(RULES)[:40]
    assert run_suite("shooter", RULES, deals).shot == 1
    rule, guard = run_suite("rule", RULES, deals), run_suite("guard", RULES, deals)
    assert rule.conceded == 1
    assert guard.conceded < 1
    assert guard.shot < rule.shot <= rule.attempted


def test_passes_are_counted_from_the_hands_dealt() -> None:
    dealt, picks = pick_all(GAME, make_agent("rule"), 8, 1)
    assert len(dealt) == len(picks) == 6 * 4  # nothing is passed in every fourth deal
    assert all(
        len(hand) == 13 and len(pick) == 3 and set(pick) <= set(hand) for hand, pick in zip(dealt, picks, strict=True)
    )
    found = study_passes("rule", RULES, 8, 1, 1, lambda *_: None)
    assert (found.held.sum(), found.passed.sum()) == (24 * 13, 24 * 3)
    assert (found.held_by_length.sum(), found.passed_by_length.sum()) == (24 * 13, 24 * 3)
    emptied = sum(
        {suit_of(card) for card in hand} != {suit_of(card) for card in hand if card not in pick}
        for hand, pick in zip(dealt, picks, strict=True)
    )
    assert found.voids >= emptied / 24 > 0
    assert (found.gains[0].passes, found.gains[0].margin) == ("rule", 0.0)


def test_the_command_writes_tables_numbers_and_a_picture(tmp_path: Path, capsys: Output) -> None:
    files = [str(tmp_path / name) for name in ("numbers.json", "passes.svg")]
    assert main(["evaluate", "rule", "guard", "--deals", "4", "--json", files[0], "--plot", files[1]]) == 0
    out = capsys.readouterr().out
    assert "Passing in black_lady" in out
    assert "The moon suite of black_lady" in out
    data = json.loads(Path(files[0]).read_text())
    assert [one["agent"] for one in data["moons"]] == ["rule", "guard"]
    assert len(data["passing"][0]["passed"]) == 52
    assert Path(files[1]).read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["rule", "--variant", "openspeil"], "closest"),
        (["rule", "--only", "passing", "--variant", "black_lady(cycle=[hold])"], "has no pass"),
        (["rule", "--deals", "1"], "at least 2"),
        ([], "name the agents"),
        (["rule", "--only", "moons", "--plot", "passes.svg"], "draws passes, and none are measured"),
        (["rule", "--only", "moons", "--variant", "queens"], "has no moon suite"),
        (["ruel"], "the closest is rule"),
        (["rule", "--plot", "passes.txt"], "ends in .png or .svg"),
        (["rule", "--processes", "0"], "processes=0 must be from 1 to 1024"),
        (["rule", "--workers", "head"], "workers=head is no address"),
        (["rule", "--workers", "a..b:80"], "workers=a..b:80 is no address"),
    ],
)
def test_bad_arguments_are_refused_in_one_line(arguments: list[str], line: str, capsys: Output) -> None:
    assert main(["evaluate", *arguments]) == 2
    assert line in capsys.readouterr().err


def test_the_score_over_unseen_rules() -> None:
    assert quick_score(make_agent("rule"), "V", 2) == (1.0, 0.0)
    score, error = quick_score(make_agent("random"), "V", 2)
    assert abs(score) < 4 * error < 0.5
