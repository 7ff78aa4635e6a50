"""`hearts bench --growth`: what is measured, the arithmetic on a clock of its own, the command and its picture."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import hearts_env as he
from hearts_agents.arena.run import ArenaInterrupted
from hearts_env.compiled.game import compile_game
from hearts_training.bench import growth, ours
from hearts_training.bench.growth import Setting
from hearts_training.bench.measure import Budget, Cost, enough, interleaved
from hearts_training.cli.app import main

Output = pytest.CaptureFixture[str]


class Clock:
    """A clock that only moves when something works. Half of the time of a work is processor time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(time, "perf_counter", lambda: self.now)
        monkeypatch.setattr(time, "process_time", lambda: self.now / 2)

    def work(self, nanoseconds: float) -> Callable[[int], int]:
        def work(units: int) -> int:
            self.now += units * nanoseconds / 1e9
            return units

        return work


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def test_work_is_doubled_until_it_is_enough(clock: Clock) -> None:
    assert enough(clock.work(1_000), 0.0039) == 4_000
    assert enough(clock.work(1_000), 0.0039, first=500) == 4_000


def test_works_are_measured_in_turn(clock: Clock) -> None:
    order = list[str]()

    def noted(name: str, nanoseconds: float) -> Callable[[int], int]:
        work = clock.work(nanoseconds)
        return lambda units: order.append(name) or work(units)  # type: ignore[func-returns-value]  # to note it

    costs = interleaved([noted("a", 100), noted("b", 300)], Budget(3, 1e-9))
    assert order[-6:] == ["a", "b"] * 3
    for row in costs:
        assert [cost.wall for cost in row] == pytest.approx([100, 300])
        assert [cost.cpu for cost in row] == pytest.approx([50, 150])


def test_a_point_is_relative_to_the_reference_beside_it() -> None:
    pairs = [(Cost(9, 1), Cost(20, 2)), (Cost(9, 10), Cost(60, 30)), (Cost(9, 1), Cost(40, 4))]
    point = growth._point(Setting(rules="black_lady(players=5)"), pairs)
    assert (point.wall, point.cpu, point.times) == (40, 4, 3)
    assert (point.seats, point.columns, point.games, point.threads) == (5, 786, 256, 1)


def test_games_are_shared_by_no_more_threads_than_there_are_games_or_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "_cores", lambda: 16)
    assert [(one.row, one.threads) for one in growth.games_settings(4)] == [
        ("kernel_observed", 1),
        ("kernel_observed", 2),
        ("vector_env", 1),
        ("vector_env", 2),
    ]
    assert {one.threads for one in growth.games_settings(1)} == {1}
    monkeypatch.setattr(growth, "_cores", lambda: 1)
    assert {one.threads for one in growth.games_settings(4)} == {1}


def test_the_sizes_are_those_of_the_help_page() -> None:
    assert (min(growth.GAMES), max(growth.GAMES)) == (1, 65_536)
    seats = {he.rules(one.rules).players for name in growth.VARIANTS for one in growth.seats_settings(name)}
    assert seats == set(range(3, 12))


@pytest.mark.parametrize("setting", [Setting(games=6, threads=2), Setting("vector_env", games=5), Setting(games=3)])
def test_a_work_reports_its_decisions(setting: Setting) -> None:
    work = setting.work()
    assert work(1) == setting.games
    assert work(4 * setting.games + 1) == 4 * setting.games


def test_games_are_moved_apart() -> None:
    game = compile_game(he.rules("black_lady"))
    states = ours._games(game, 128)
    before = states.copy()
    ours.move_apart(states, game)
    assert states[:2].tobytes() == before[:2].tobytes()
    assert len(np.unique(states["plies"])) > 40
    assert set(states["trick_len"]) == {0, 1, 2, 3}


# Workers


@pytest.mark.parametrize(("cores", "counts"), [(1, [1]), (2, [1, 2]), (6, [1, 2, 4, 6]), (8, [1, 2, 4, 8])])
def test_worker_counts(cores: int, counts: list[int]) -> None:
    assert growth.worker_counts(cores) == counts


def test_start_up_is_told_apart_from_the_rate(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers who take 3 seconds to start and then play 100 deals a second each, the second one only 80."""
    rates = {1: 100, 2: 180}
    asked = list[str]()

    def seconds(deals: int, processes: int) -> float:
        clock.now += 3 + deals / rates[processes]
        return 3 + deals / rates[processes]

    monkeypatch.setattr(growth, "_arena_seconds", seconds)
    crews = growth.arena_growth([1, 2], Budget(5, 0.001), lambda name, done: asked.append(f"{name} {done:.2f}"))
    assert [crew.workers for crew in crews] == [1, 2]
    assert [crew.rate for crew in crews] == pytest.approx([100, 180])
    assert [crew.startup for crew in crews] == pytest.approx([3, 3])
    assert [crew.speedup for crew in crews] == pytest.approx([1, 1.8])
    assert asked[:3] == ["arena 0.00", "arena, workers=1 0.00", "arena, workers=2 0.17"]
    assert len(asked) == 1 + 2 * growth.ARENA_REPEATS


@pytest.mark.exhaustive
def test_an_arena_is_played_by_processes() -> None:
    (crew,) = growth.arena_growth([2], Budget(1, 1e-9), lambda name, done: None)
    assert crew.workers == 2
    assert crew.rate > 0


# The command


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two points of each curve, and no processes."""
    monkeypatch.setattr(growth, "GAMES", (1, 4))
    monkeypatch.setattr(growth, "VARIANTS", ("cancellation_hearts",))
    monkeypatch.setattr(growth, "_cores", lambda: 2)
    monkeypatch.setattr(growth, "ARENA_SECONDS", 0)
    monkeypatch.setattr(growth, "_arena_seconds", lambda deals, processes: 1 + deals / 1000 / processes)


TINY = ["bench", "--growth", "--seconds", "0.0001", "--repeats", "1"]


@pytest.mark.usefixtures("small")
def test_the_command_prints_tables_writes_json_and_draws(tmp_path: Path, capsys: Output) -> None:
    file, picture = tmp_path / "growth.json", tmp_path / "growth.svg"
    assert main([*TINY, "--json", str(file), "--picture", str(picture)]) == 0
    printed = capsys.readouterr().out
    data = json.loads(file.read_text())
    assert set(data) == {"machine", "versions", "games", "seats", "workers"}
    assert [(one["games"], one["threads"]) for one in data["games"]] == [(1, 1)] * 2 + [(4, 1), (4, 2)] * 2
    assert all(one["wall"] > 0 and one["times"] > 0 for one in data["games"] + data["seats"])
    assert [one["seats"] for one in data["seats"]] == list(range(5, 12))
    assert data["workers"][1] == {
        "workers": 2,
        "rate": pytest.approx(2000),
        "startup": pytest.approx(1),
        "speedup": pytest.approx(2),
    }
    assert re.search(r"vector_env\s+vector_env", printed)
    assert re.search(r"2 processes +2,000 +2\.00 +1\.0", printed)
    assert picture.read_text().startswith("<?xml")


@pytest.mark.usefixtures("small")
def test_progress_only_rises() -> None:
    shown = list[float]()
    growth.run_growth(Budget(1, 1e-9), lambda name, fraction: shown.append(fraction))
    assert shown == sorted(shown)
    assert (shown[0], shown[-1]) == (0.0, 1.0)


def test_ctrl_c_ends_it_in_one_line(monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    monkeypatch.setattr(growth, "GAMES", ())
    monkeypatch.setattr(growth, "VARIANTS", ())

    def interrupted(*_: object, **__: object) -> None:
        raise ArenaInterrupted(None)

    monkeypatch.setattr(growth, "run_arena", interrupted)
    assert main([*TINY, "--json", "-"]) == 130
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.splitlines() == ["hearts: interrupted"]
