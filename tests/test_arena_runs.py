"""How the arena runs: several processes, saves, luck adjustment, intervals, ratings, power, and what it writes."""

from __future__ import annotations

import csv
import io
import json
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hearts_agents import Agent, make_agent
from hearts_agents.arena import AgentFailed, ArenaInterrupted, ArenaResult, plan_deals, run_arena
from hearts_agents.arena.luck import FRESH_DEALS, Features, adjust, measure_luck
from hearts_agents.arena.ratings import rate_agents
from hearts_agents.arena.report import draw_margins, to_csv, to_markdown
from hearts_agents.arena.stats import mean_of, student
from hearts_env.match import Match
from hearts_env.tables import compile_game
from hearts_env.variants import rules
from hearts_env.view import Views


def untimed(result: ArenaResult) -> dict[str, Any]:
    data = result.to_dict()
    for agent in data["agents"]:
        del agent["ms_per_decision"]
    return data


class Stream(Agent):
    """Plays at random from a stream: what it does depends on what it was asked before."""

    name = "stream"

    def reset(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def __init__(self) -> None:
        self.reset(0)

    def act_batch(self, views: Views) -> np.ndarray:
        return np.array([self.rng.choice(view.legal_ids()) for view in views])


class Broken(Agent):
    """Fails at once."""

    name = "broken"

    def act_batch(self, views: Views) -> np.ndarray:
        raise LookupError("nothing there")


# --- several processes -----------------------------------------------------------------------------


def test_the_table_does_not_depend_on_the_number_of_processes() -> None:
    shares: list[float] = []
    arguments: dict[str, Any] = {"deals": 10, "seed": 4, "tables_at_once": 16}
    one = run_arena(["rule", Stream()], **arguments)
    two = run_arena(["rule", Stream()], **arguments, processes=2, progress=shares.append)
    assert untimed(two) == untimed(one)
    assert shares == [0.2, 0.4, 0.6, 0.8, 1.0]
    assert all(agent.ms_per_decision > 0 for agent in two.agents)


def test_processes_end_with_a_failure_or_an_interruption() -> None:
    def stop(share: float) -> None:
        raise KeyboardInterrupt

    others = set(active_children())
    with pytest.raises(ArenaInterrupted) as stopped:
        run_arena(["random"], deals=400, tables_at_once=4, processes=1, progress=stop)
    assert stopped.value.partial is not None
    with pytest.raises(ArenaInterrupted) as stopped:
        run_arena(["random"], deals=40, tables_at_once=4, processes=2, progress=stop)
    assert stopped.value.partial is not None
    assert stopped.value.partial.deals >= 1
    assert set(active_children()) == others


def test_an_agent_that_fails_in_another_process_is_told_as_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hearts_agents.arena.job.Player.warm_up", lambda player: None)  # so that it fails over there
    with pytest.raises(AgentFailed, match="agent broken, deal 0, seat 0, phase pass: it raised LookupError") as error:
        run_arena([Broken()], deals=2, processes=2)
    assert Match.replay(error.value.record).phase == "pass"


def test_agents_that_cannot_be_sent_are_refused() -> None:
    class Local(Agent):
        name = "local"

    with pytest.raises(ValueError, match="agent local cannot be sent to another process") as error:
        run_arena([Local()], processes=2)
    assert "\n" not in str(error.value)


# --- saves -----------------------------------------------------------------------------------------

COMMAND: dict[str, Any] = {"agents": ["rule", "random"], "deals": 10, "seed": 2, "tables_at_once": 16}


def interrupt_at(limit: float) -> Any:
    def stop(share: float) -> None:
        if share >= limit:
            raise KeyboardInterrupt

    return stop


@pytest.mark.parametrize("unit", ["deals", "matches"])
def test_an_interrupted_run_goes_on_to_the_same_table(unit: str, tmp_path: Path) -> None:
    command = {key: value for key, value in COMMAND.items() if key != "deals"}
    command |= {unit: 10, "variant": "black_lady(target=30)"}
    file = tmp_path / "arena.save"
    shares: list[float] = []
    with pytest.raises(ArenaInterrupted) as stopped:
        run_arena(**command, save=file, progress=interrupt_at(0.4))
    assert stopped.value.partial is not None
    assert stopped.value.partial.units == 4
    result = run_arena(**command, save=file, progress=shares.append)
    assert shares == [0.6, 0.8, 1.0]
    assert untimed(result) == untimed(run_arena(**command))
    assert untimed(run_arena(**command, save=str(file), progress=shares.append)) == untimed(result)
    assert len(shares) == 3
    assert [one.name for one in tmp_path.iterdir()] == ["arena.save"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seed": 3}, "there seed is 2, here 3"),
        ({"agents": ["rule", "rule"]}, "there agents is rule random, here rule rule"),
        ({"deals": 12}, "there deals is 10, here 12"),
        ({"deals": None, "matches": 10}, "there matches is not given, here 10"),
        ({"variant": "queens"}, "there variant is black_lady, here queens"),
        ({"seatings": "all"}, "there seatings is one-vs-rest, here all"),
        ({"tables_at_once": 8}, "there chunk is 2, here 1"),
    ],
)
def test_a_save_of_another_command_is_refused(changes: dict[str, Any], message: str, tmp_path: Path) -> None:
    file = tmp_path / "arena.save"
    run_arena(**COMMAND, save=file)
    before = file.read_bytes()
    with pytest.raises(ValueError, match=f"is of another arena: {message}; name another file") as error:
        run_arena(**(COMMAND | changes), save=file)
    assert "\n" not in str(error.value)
    assert file.read_bytes() == before


def broken(change: str, data: dict[str, Any]) -> str:
    part = data["parts"][0]
    changes: dict[str, Any] = {
        "version": lambda: data.update(version=9),
        "package": lambda: data["command"].update(package="0.0.1"),
        "format": lambda: data.pop("format"),
        "command": lambda: data.update(command=[]),
        "missing": lambda: data.pop("parts"),
        "twice": lambda: data["parts"].append(part),
        "elsewhere": lambda: part.update(first=1),
        "shape": part["sums"].pop,
        "words": lambda: part.update(sums="none"),
        "agents": lambda: part.update(seconds=[1.0]),
    }
    changes[change]()
    return json.dumps(data)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("version", "is a save of version 9; version 1 is needed"),
        ("package", "there package is 0.0.1, here"),
        ("format", "is no save of an arena"),
        ("command", "there package is not given"),
        ("missing", "is a broken save"),
        ("twice", "is a broken save"),
        ("elsewhere", "is a broken save"),
        ("shape", "is a broken save"),
        ("words", "is a broken save"),
        ("agents", "is a broken save"),
    ],
)
def test_a_broken_save_is_refused(change: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "arena.save"
    run_arena(**COMMAND, save=file)
    file.write_text(broken(change, json.loads(file.read_text())))
    with pytest.raises(ValueError, match=message) as error:
        run_arena(**COMMAND, save=file)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[1, 2]", b'{"format"', b"[" * 100_000])
def test_what_is_no_save_is_refused_and_kept(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "arena.save"
    file.write_bytes(content)
    with pytest.raises(ValueError, match="is no save of an arena"):
        run_arena(**COMMAND, save=file)
    assert file.read_bytes() == content


# --- statistics ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (5, 2.5706), (10, 2.2281), (30, 2.0423), (1000, 1.9623)],
)
def test_quantiles_of_student(freedom: int, quantile: float) -> None:
    assert student(0.975, freedom) == pytest.approx(quantile, abs=0.004)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    samples = np.random.default_rng(1).normal(3, 2, (4000, 6))
    held = [low <= 3 <= high for low, high in (mean_of(sample).interval for sample in samples)]
    assert np.mean(held) == pytest.approx(0.95, abs=0.012)


def synthetic(rng: np.random.Generator, slopes: np.ndarray, deals: int) -> tuple[np.ndarray, Features]:
    """Margins of mean 1 that depend on skewed features, and those less an estimate of their mean."""
    played, fresh = (rng.exponential(2, (many, len(slopes))) for many in (deals, FRESH_DEALS * deals))
    margins = 1 + (played - 2) @ slopes + rng.normal(0, 1, deals)
    return margins, Features(played - fresh.mean(axis=0), np.cov(fresh.T) / len(fresh))


def test_luck_adjustment_is_unbiased_and_knows_its_error() -> None:
    rng = np.random.default_rng(5)
    found = [adjust(*synthetic(rng, np.array([1.0, -0.5, 0.0]), 40)) for _ in range(3000)]
    values = np.array([one.margin.value for one in found])
    assert abs(values.mean() - 1) < 4 * values.std() / len(values) ** 0.5
    assert values.std() == pytest.approx(np.mean([one.margin.error for one in found]), rel=0.1)
    assert np.mean([one.removed for one in found]) > 0.4


def test_luck_that_explains_nothing_costs_a_little_and_adds_no_bias() -> None:
    rng = np.random.default_rng(6)
    found = [adjust(*synthetic(rng, np.zeros(3), 40)) for _ in range(1000)]
    values = np.array([one.margin.value for one in found])
    assert abs(values.mean() - 1) < 4 * values.std() / len(values) ** 0.5
    assert -0.5 < np.mean([one.removed for one in found]) < 0


@pytest.mark.parametrize("text", ["black_lady", "partnership_hearts", "complex_hearts", "cancellation_hearts"])
def test_luck_depends_on_the_deals_alone(text: str) -> None:
    game = compile_game(rules(text))
    seeds = np.arange(30, dtype=np.uint64)
    features = measure_luck(game, seeds, 1)
    assert features.played.shape == (30, 4)
    assert np.isfinite(features.played).all()
    assert (np.linalg.eigvalsh(features.error) > -1e-12).all()
    assert (measure_luck(game, seeds, 1).played == features.played).all()
    assert (abs(features.played.mean(axis=0)) <= features.played.std(axis=0)).all()
    itself = run_arena(["random"], text, deals=30, luck=True).agents[0]
    assert (itself.margin_adjusted, itself.margin_adjusted_se, itself.variance_removed) == (0, 0, 0)


def test_an_adjusted_margin_is_told() -> None:
    plain, agent = (run_arena(["rule", "random"], deals=100, luck=luck).agents[0] for luck in (False, True))
    assert plain.margin_adjusted is None
    assert agent.margin == plain.margin
    assert agent.margin_adjusted is not None
    assert agent.margin_adjusted_se is not None
    assert agent.variance_removed is not None
    assert abs(agent.margin_adjusted - agent.margin) < 4 * agent.margin_se
    assert agent.variance_removed == pytest.approx(1 - (agent.margin_adjusted_se / agent.margin_se) ** 2)


def test_ratings_follow_the_places() -> None:
    lineups = [(0, 1, 1, 1), (1, 0, 0, 0)]
    costs = np.array([[[1, 2, 2, 3], [9, 0, 1, 0]]] * 20)
    rated = rate_agents(2, lineups, costs, 1000)
    assert rated is not None
    assert rated[0][0] > 30
    assert rated[1][0] < 20
    assert rated == rate_agents(2, lineups, costs, 40)
    assert rated != rate_agents(2, lineups, costs, 10)
    assert rate_agents(2, lineups, costs[:0], 10) == [(25.0, 25 / 3)] * 2
    level = rate_agents(2, lineups, np.ones_like(costs), 1000)
    assert level is not None
    assert level[0] == pytest.approx(level[1])


def test_a_single_agent_is_not_rated() -> None:
    assert run_arena(["random"], deals=2).agents[0].rating is None


def test_round_robin_pairs_as_many_agents_as_seats() -> None:
    agents = ["rule", "random", "rule(shoot=0.9)", "rule(pass_spades=2)"]
    result = run_arena(agents, deals=4, seatings="round-robin")
    assert len(result.pairs) == 12
    assert run_arena(agents, deals=4).pairs == ()
    three = [untimed(run_arena(agents[:3], deals=4, seatings=kind)) for kind in ("round-robin", "one-vs-rest")]
    assert three[0]["agents"] == three[1]["agents"]


# --- power -----------------------------------------------------------------------------------------


def test_power_says_how_many_deals_are_needed() -> None:
    plan = plan_deals(["rule", "random"], 0.5, deals=60, seed=1)
    pilot = run_arena(["rule", "random"], deals=60, seed=1)
    spread = pilot.agents[1].margin_se * 60**0.5
    assert plan.agents[1].sd == pytest.approx(spread)
    assert plan.deals == plan.agents[1].deals == int(np.ceil(((1.959964 + 0.841621) * spread / 0.5) ** 2))
    assert plan.seconds > 0
    finer = plan_deals(["rule", "random"], 0.25, deals=60, seed=1)
    assert finer.deals == pytest.approx(4 * plan.deals, abs=4)
    assert json.loads(json.dumps(plan.to_dict()))["agents"][1]["deals"] == plan.deals


def test_the_deals_that_power_asks_for_show_the_difference() -> None:
    """Margins drawn around the difference are seen to differ from 0 in about four of five tries."""
    plan = plan_deals(["rule", "rule(shoot=0.9)"], 1.0, deals=60)
    draws = np.random.default_rng(2).normal(1.0, plan.agents[0].sd, (2000, plan.agents[0].deals))
    seen = [not low <= 0 <= high for low, high in (mean_of(draw).interval for draw in draws)]
    assert np.mean(seen) == pytest.approx(0.8, abs=0.05)


# --- what is written -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def result() -> ArenaResult:
    return run_arena(["rule", "random", "rule(shoot=0.9)"], deals=20, luck=True)


def test_csv_has_a_row_for_every_agent(result: ArenaResult) -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(result))))
    assert [row["name"] for row in rows] == ["rule", "random", "rule(shoot=0.9)"]
    for row, agent in zip(rows, result.agents, strict=True):
        assert float(row["margin"]) == agent.margin
        assert (float(row["margin_low"]), float(row["margin_high"])) == agent.margin_ci
        assert (row["variant"], row["deals"], row["won"], row["matches"]) == ("black_lady", "20", "", "")
    single = next(csv.DictReader(io.StringIO(to_csv(run_arena(["random"], deals=1)))))
    assert (single["points_se"], single["points_low"]) == ("", "")


def test_markdown_has_both_tables(result: ArenaResult) -> None:
    lines = to_markdown(result).splitlines()
    assert lines[0].startswith("black_lady: 20 deals, one-vs-rest, seed 0.")
    tables = [line for line in lines if line.startswith("|")]
    assert len(tables) == 2 * (2 + 3)
    assert len({line.count("|") for line in tables[:5]}) == len({line.count("|") for line in tables[5:]}) == 1
    pair = result.pairs[0]
    assert f"| rule |  | {pair.margin:+.2f} ± {pair.margin_se:.2f} |" in tables[7]
    assert to_markdown(run_arena(["rule", "random"], deals=2)).count("| agent ") == 1


def test_the_plot_is_a_picture(result: ArenaResult) -> None:
    assert draw_margins(result, "png").startswith(b"\x89PNG")
    picture = draw_margins(result, "svg")
    assert picture.startswith(b"<?xml")
    single = run_arena([make_agent("random")], deals=1)  # without an interval
    assert draw_margins(single, "svg").startswith(b"<?xml")
