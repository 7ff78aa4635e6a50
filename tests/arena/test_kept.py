"""Games of an arena that are kept: they give its table, the right ones are chosen, and a resumed run keeps the same."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hearts_env as he
from hearts_agents.arena import ArenaInterrupted, ArenaResult, KeptGames, run_arena
from hearts_training.cli.app import main
from tests.arena.test_arena_runs import COMMAND, Stream, untimed
from tests.arena.test_arena_saves import interrupt_at


def kept_of(folder: Path, keep: str | None = None, **changes: Any) -> tuple[ArenaResult, list[dict[str, Any]]]:
    """The result of an arena, and the lines of what it kept."""
    kept = KeptGames(folder, keep)
    result = run_arena(**(COMMAND | changes), kept=kept)
    kept.write()
    return result, lines_of(folder)


def lines_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "games.jsonl").read_text().splitlines()]


GAMES: list[dict[str, Any]] = [
    {},
    {"agents": ["rule", Stream()], "deals": 3},
    {"agents": ["rule", "0.5*rule; 0.5*random"], "seatings": "two-vs-two"},
    {"variant": "partnership_hearts", "seatings": "all", "deals": 4},
    {"variant": "complex_hearts(max_deals=2)", "deals": None, "matches": 2},
    {"variant": "likha(max_deals=2)", "deals": None, "matches": 3},
    {"variant": "dirty_hearts(max_deals=3)", "deals": None, "matches": 2, "agents": ["random"]},
    {"variant": "cancellation_hearts", "deals": 1},
]


@pytest.mark.parametrize("changes", GAMES)
def test_the_margins_of_the_games_are_those_of_the_table(changes: dict[str, Any], tmp_path: Path) -> None:
    result, lines = kept_of(tmp_path, **changes)
    assert untimed(result) == untimed(run_arena(**(COMMAND | changes)))
    first = result.agents[0]
    own = [one["margin"] for one in lines if one["players"][one["seat"]] == first.name]
    assert np.mean(own) == pytest.approx(first.margin, abs=1e-3)
    assert len({one["seed"] for one in lines}) == result.units
    matches = list(he.read_games(tmp_path / "games.jsonl"))  # which plays every card, and checks points and totals
    assert sum(len(match.deal_points) for match in matches) == len(lines)
    assert [list(match.players) for match in matches if len(match.deal_points) == 1] == [
        one["players"] for one in lines if "match" not in one
    ]


def test_the_deals_that_were_asked_for_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command: dict[str, Any] = {"deals": 60, "agents": ["rule(shoot=0.9)", "rule"]}
    result, lines = kept_of(tmp_path, "all", **command)
    deals = [lines[at : at + 8] for at in range(0, 480, 8)]
    for keep, value in {
        "worst:3": lambda deal: np.mean([one["margin"] for one in deal if one["players"][one["seat"]] != "rule"]),
        "disagreement:3": lambda deal: np.ptp([one["points"] for one in deal], axis=0).max(),
    }.items():
        highest = sorted(deals, key=value, reverse=True)[:3]
        assert kept_of(tmp_path, keep, **command)[1] == [one for deal in highest for one in deal]
    margins = np.sort(result.by_unit["rule(shoot=0.9)"]["margin"])
    worst = [one["margin"] for one in kept_of(tmp_path, "worst:1", **command)[1][:4]]
    assert np.mean(worst) == pytest.approx(margins[-1], abs=1e-3)
    moons = [deal for deal in deals if any("shooter" in one for one in deal)]
    assert moons == [deal for deal in deals if any(sorted(one["points"])[1:] == [26] * 3 for one in deal)]
    assert 2 < len(moons) < 60
    monkeypatch.setattr("hearts_agents.arena.kept.MOST", 2)
    assert kept_of(tmp_path, "moons", **command)[1] == [one for deal in moons[:2] for one in deal]
    assert kept_of(tmp_path, **command)[1] == lines[:16]
    for wrong in ("worst", "worst:0", "worst:3", "moons:2", "best:1", "disagreement:many"):
        with pytest.raises(ValueError, match=f"keep={wrong} is none of all, moons"):
            KeptGames(tmp_path, wrong)


@pytest.mark.parametrize("keep", [None, "worst:3", "disagreement:3"])
def test_a_run_that_goes_on_keeps_the_same_games(keep: str | None, tmp_path: Path) -> None:
    whole = kept_of(tmp_path / "whole", keep)[1]
    kept = KeptGames(tmp_path / "part", keep)
    with pytest.raises(ArenaInterrupted):
        run_arena(**COMMAND, save=tmp_path / "save", progress=interrupt_at(0.4), kept=kept)
    kept.write()
    assert len(lines_of(tmp_path / "part")) == 8 * (4 if keep is None else 3)
    assert kept_of(tmp_path / "part", keep, save=tmp_path / "save")[1] == whole
    assert kept_of(tmp_path / "part", keep, save=tmp_path / "save")[1] == whole  # nothing is left to play
    assert "games" not in (tmp_path / "save").read_text()


def test_games_go_through_other_processes(tmp_path: Path) -> None:
    kept = KeptGames(tmp_path)
    take = kept.take
    kept.take = lambda chunk: take(pickle.loads(pickle.dumps(replace(chunk))))  # type: ignore[method-assign]
    run_arena(**COMMAND, kept=kept)
    kept.write()
    assert lines_of(tmp_path) == kept_of(tmp_path)[1]


def test_the_commands_write_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arena = ["arena", "rule", "random", "--deals", "4", "--seed", "1"]
    assert main([*arena, "--records", str(tmp_path / "new" / "arena"), "--keep", "worst:2"]) == 0
    assert len(lines_of(tmp_path / "new" / "arena")) == 16
    passing = ["evaluate", "rule", "--only", "passing", "--deals", "6", "--records", str(tmp_path / "passes")]
    assert main(passing) == 0
    players = {name for one in lines_of(tmp_path / "passes") for name in one["players"]}
    assert players == {"rule", "rule, passes of rule", "rule, passes of random"}
    (tmp_path / "file").touch()
    capsys.readouterr()
    for command, words in {
        f"{' '.join(arena)} --keep moons": "--keep moons chooses what --records FOLDER holds; name the folder",
        f"{' '.join(arena)} --records {tmp_path} --keep most": "keep=most is none of all, moons, worst:N",
        f"{' '.join(arena)} --records {tmp_path / 'file'}": "file",
        f"arena rule --records {tmp_path} --power 1": "leave out --records",
        f"arena rule --records {tmp_path} --variant black_lady(cycle=[pool])": "deals cannot be set",
        f"evaluate rule --only moons --records {tmp_path}": "there are none to measure",
    }.items():
        assert main(command.split(" ")) == 2
        error = capsys.readouterr().err
        assert (words in error, error.count("\n")) == (True, 1)
