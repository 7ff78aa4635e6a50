"""training/lab: what is measured, on a clock that the tests set, and what is tried before a release."""

from __future__ import annotations

import doctest
import importlib
import json
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

import hearts_env as he
from hearts_agents.arena import run_arena as arena
from hearts_agents.neural import load_policy
from hearts_agents.weights import folder_of
from hearts_env.compiled.game import compile_game
from hearts_training.bench import Budget
from hearts_training.bench.measure import enough
from hearts_training.bench.workloads import _games, move_apart
from hearts_training.train.config import PPOConfig
from hearts_training.train.sparse import SparseRows
from lab import doors, growth, ship, variants
from lab.costs import Cost, interleaved
from lab.door_codes import DOORS, DUMMY, WRAPPER, Door
from lab.doors import learning_share, use_door
from lab.first_layer import BagRows, DenseFloatRows, learner
from lab.growth import Setting

pytestmark = pytest.mark.usefixtures("one_thread")
Output = pytest.CaptureFixture[str]
OURS = [door for door in DOORS if door.code != WRAPPER]


def test_the_examples_are_true() -> None:
    tried = 0
    for file in Path(ship.__file__).parent.glob("*.py"):
        result = doctest.testmod(importlib.import_module(f"lab.{file.stem}"))
        assert not result.failed, file
        tried += result.attempted
    assert tried > 5


# --- growth ---------------------------------------------------------------------------------------------------------


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


def test_works_are_measured_in_turn_and_long_enough(clock: Clock) -> None:
    assert enough(clock.work(1_000), 0.0039) == 4_000
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


@pytest.mark.parametrize("setting", [Setting(games=6, threads=2), Setting("vector_env", games=5), Setting(games=3)])
def test_a_work_reports_its_decisions(setting: Setting) -> None:
    work = setting.work()
    assert work(1) == setting.games
    assert work(4 * setting.games + 1) == 4 * setting.games


def test_games_are_moved_apart() -> None:
    game = compile_game(he.rules("black_lady"))
    states = _games(game, 128)
    before = states.copy()
    move_apart(states, game)
    assert states[:2].tobytes() == before[:2].tobytes()
    assert len(np.unique(states["plies"])) > 40
    assert set(states["trick_len"]) == {0, 1, 2, 3}


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


def test_growth_prints_figures_writes_json_and_draws(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two points of each curve, and no processes."""
    monkeypatch.setattr(growth, "GAMES", (1, 4))
    monkeypatch.setattr(growth, "VARIANTS", ("cancellation_hearts",))
    monkeypatch.setattr(growth, "_cores", lambda: 2)
    monkeypatch.setattr(growth, "ARENA_SECONDS", 0)
    monkeypatch.setattr(growth, "_arena_seconds", lambda deals, processes: 1 + deals / 1000 / processes)
    file, picture = tmp_path / "growth.json", tmp_path / "growth.svg"
    growth.main(file, picture, seconds=0.0001, repeats=1)
    printed = capsys.readouterr().out
    data = json.loads(file.read_text())
    assert set(data) == {"machine", "versions", "games", "seats", "workers"}
    assert [(one["games"], one["threads"]) for one in data["games"]] == [(1, 1)] * 2 + [(4, 1), (4, 2)] * 2
    assert all(one["wall"] > 0 and one["times"] > 0 for one in data["games"] + data["seats"])
    assert [one["seats"] for one in data["seats"]] == list(range(5, 12))
    crew = {"workers": 2, "rate": 2000, "startup": 1, "speedup": 2}
    assert data["workers"][1] == pytest.approx(crew)
    assert "2 processes: 2,000 deals/s, 2.00 times one, start-up 1.0 s" in printed
    assert picture.read_text().startswith("<?xml")


@pytest.mark.exhaustive
def test_an_arena_is_played_by_processes() -> None:
    (crew,) = growth.arena_growth([2], Budget(1, 1e-9), lambda name, done: None)
    assert crew.workers == 2
    assert crew.rate > 0


def test_a_variant_is_compared_with_the_reference(monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    monkeypatch.setattr(he, "VARIANTS", {"queens": he.VARIANTS["queens"]})
    variants.main(seconds=1e-9, repeats=1)
    assert "queens" in capsys.readouterr().out


# --- doors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("door", OURS, ids=lambda door: door.name)
def test_every_door_credits_every_point(door: Door) -> None:
    pytest.importorskip("torchrl")
    use = use_door(door, 0.0, "random", games=8)
    assert use.deals >= doors.DEALS
    assert use.paid == use.due < 0


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore:PettingZoo in TorchRL:UserWarning")  # it was tested with an older version
def test_a_wrapper_that_loses_rewards_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    torch.manual_seed(1)
    monkeypatch.setattr(doors, "DEALS", 4)
    use = use_door(next(door for door in DOORS if door.code == WRAPPER), 0.0)
    assert use.due < 0
    assert use.credited < 0.9


def test_the_environments_share_of_learning() -> None:
    assert 0 < learning_share(DOORS[0], "random", games=4, rollout=8) < 1


def test_the_table_has_a_row_for_every_door_whose_framework_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.setattr(doors, "DOORS", (Door("slow", DUMMY), Door("missing", "import no_such_framework")))
    monkeypatch.setattr(doors, "GAMES", 4)
    monkeypatch.setattr(doors, "DEALS", 4)
    doors.main(opponents="random", json=tmp_path / "doors.json", seconds=0.01)
    data = json.loads((tmp_path / "doors.json").read_text())
    assert data["opponents"] == "random"
    assert [(row["door"], row["lines"], row["credited"], row["share"]) for row in data["rows"]] == [
        ("slow", 6, 1.0, None)
    ]
    assert "slow" in capsys.readouterr().out


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore:PettingZoo in TorchRL:UserWarning")  # as above
def test_all_doors_and_peers_stand_side_by_side(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("peers.json", "peers.svg")]
    doors.main(peers=True, json=files[0], picture=files[1], seconds=0.01, repeats=1)
    rows = json.loads(files[0].read_text())["rows"]
    assert {"kernel_observed_uint8", "vector_env", "aec_env", "pyspiel_tensor"} < {row["name"] for row in rows}
    assert {door.name for door in DOORS} < {row["name"] for row in rows}
    assert [row["rate"] for row in rows] == sorted((row["rate"] for row in rows), reverse=True)
    assert files[1].read_text().startswith("<?xml")


# --- first layers ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [BagRows, DenseFloatRows])
def test_the_rows_compared_in_the_benchmark_give_the_same_products(kind: type[SparseRows]) -> None:
    config = PPOConfig(num_envs=16, rollout_steps=40, hidden=(16,), critic_hidden=(16,), bfloat16=False)
    ours, other = learner(SparseRows, config), learner(kind, config)
    for ppo in (ours, other):
        ppo.collect(0.0)
    rows = torch.tensor([5, 400, 17, 5, 201])
    assert torch.allclose(ours.log_probs_of(rows), other.log_probs_of(rows), atol=1e-5)
    assert torch.allclose(ours.values_of(rows), other.values_of(rows), atol=1e-5)
    gradients = [torch.autograd.grad(ppo.values_of(rows).sum(), list(ppo.critic.parameters())) for ppo in (ours, other)]
    for one, two in zip(*gradients, strict=True):
        assert torch.allclose(one, two, atol=1e-5)


# --- releases -------------------------------------------------------------------------------------------------------


def test_steps_that_passed_with_this_code_are_not_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = tmp_path / "tried"
    note = f"open({str(tried)!r}, 'a').write('x'); print('3 passed')"
    steps = {"good": ship.Step(("-c", note)), "bad": ship.Step(("-c", "raise SystemExit(1)"))}
    monkeypatch.setattr(ship, "steps", lambda: steps)
    monkeypatch.setattr(ship, "RESULTS", tmp_path / "ship.json")
    for again, times in ((False, 1), (True, 2)):
        with pytest.raises(SystemExit, match="failed: bad"):
            ship.Check(again=again).run()
        assert tried.read_text() == "x" * times
    found = json.loads((tmp_path / "ship.json").read_text())
    assert (found["good"]["passed"], found["good"]["summary"], found["bad"]["passed"]) == (True, "3 passed", False)
    assert {"date", "release", "code", "versions", "seconds"} < found["good"].keys()
    for code, times in ((ship.code(), 2), ("changed", 3)):
        monkeypatch.setattr(ship, "code", lambda code=code: code)
        assert ship.Check(only=("good",)).run() == "every step has passed"
        assert tried.read_text() == "x" * times


def test_every_step_names_tests_that_exist() -> None:
    steps = ship.steps()
    assert len(steps) > 10
    for step in steps.values():
        for word in (word for word in step.arguments if word.startswith("tests/")):
            assert (ship.ROOT / word).exists()


def test_a_network_that_does_not_beat_the_rule_agent_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "among three rule" in ship.Strength("math_team_hearts", deals=24).run()
    monkeypatch.setattr(ship, "run_arena", lambda agents, *_, **__: arena(["random", "rule"], deals=8))
    with pytest.raises(SystemExit, match="net:math_team_hearts has"):
        ship.Strength("math_team_hearts").run()


def test_a_trained_network_becomes_one_that_comes_with_the_suite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ship, "FOLDER", tmp_path)
    commands = ("hearts train",)
    made = ship.Network(folder_of("math_team_hearts"), "mine", commands, 1.0, ("rule",), deals=4, search_deals=0)
    card = json.loads(made.run())
    net, info = load_policy(tmp_path / "mine")
    assert info.extra == card
    assert (card["made_by"], card["results"]["against"]["rule"]["deals"]) == (["hearts train"], 4)
    shipped = load_policy(folder_of("math_team_hearts"))[0].state_dict()
    assert all(torch.equal(value, shipped[name]) for name, value in net.state_dict().items())
