"""The arena: pairing, seatings, statistics, and what it says when something is wrong."""

from __future__ import annotations

import json
import math
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from hearts_agents import Agent, make_agent
from hearts_agents.arena import SEATINGS, ArenaInterrupted, ArenaResult, run_arena
from hearts_agents.arena.report import to_markdown
from hearts_agents.arena.seatings import make_seatings
from hearts_agents.arena.tables import costs_of, deal_tables, units_of
from hearts_env import Views
from hearts_env.compiled.game import compile_game
from hearts_env.variants.registry import rules
from tests.support.games import LARGEST

FIELDS = {
    "name": str,
    "points": float,
    "points_se": float,
    "margin": float,
    "margin_se": float,
    "moons_shot": float,
    "moons_conceded": float,
    "queens": float,
    "ms_per_decision": float,
    "decisions": int,
    "moons_attempted": float,
    "points_ci": list,
    "margin_ci": list,
    "won": type(None),
    "won_se": type(None),
    "margin_adjusted": type(None),
    "margin_adjusted_se": type(None),
    "margin_adjusted_ci": type(None),
    "variance_removed": type(None),
    "rating": float,
    "rating_sigma": float,
    "faults": dict,
    "called": type(None),
}
HEAD = ["variant", "deals", "seed", "seatings", "matches", "deals_per_match", "confidence", "agents", "pairs"]


def untimed(result: ArenaResult) -> list[dict[str, object]]:
    return [
        {key: value for key, value in agent.items() if key not in ("ms_per_decision", "rating", "rating_sigma")}
        for agent in result.to_dict()["agents"]
    ]


ALIKE = [kind for kind in SEATINGS if kind != "ladder"]
"""Those in which it does not matter who is named first."""


@pytest.mark.parametrize("seatings", ALIKE)
def test_json_has_the_published_form(seatings: str) -> None:
    result = run_arena(["rule", "random"], deals=20, seed=3, seatings=seatings)
    found = json.loads(result.to_json())
    assert list(found) == HEAD
    assert (found["variant"], found["deals"], found["seed"], found["seatings"]) == ("black_lady", 20, 3, seatings)
    assert [agent["name"] for agent in found["agents"]] == ["rule", "random"]
    for agent in found["agents"]:
        assert {key: type(value) for key, value in agent.items()} == FIELDS
        assert agent["points_ci"][0] < agent["points"] < agent["points_ci"][1]
        assert agent["decisions"] > 0
        assert agent["ms_per_decision"] > 0
    headings, rows = result.to_table()
    assert [len(row) for row in rows] == [len(headings)] * 2


@pytest.mark.parametrize("spec", ["rule", "random"])
@pytest.mark.parametrize("agents", [1, 2, 3, 4])
@pytest.mark.parametrize("seatings", ALIKE)
def test_an_agent_against_itself_comes_out_equal(spec: str, agents: int, seatings: str) -> None:
    result = run_arena([spec] * agents, deals=30, seatings=seatings)
    first = untimed(result)[0]
    assert (first["margin"], first["margin_se"]) == (0.0, 0.0)
    assert untimed(result) == [first] * agents
    assert first["queens"] == 0.25


def test_results_repeat_and_do_not_depend_on_the_chunks() -> None:
    whole = run_arena(["rule", "random"], deals=50, seed=9)
    assert untimed(run_arena(["rule", "random"], deals=50, seed=9)) == untimed(whole)
    assert untimed(run_arena(["rule", "random"], deals=50, seed=9, tables_at_once=1)) == untimed(whole)
    assert untimed(run_arena(["rule", "random"], deals=50, seed=10)) != untimed(whole)


def test_a_deal_is_the_same_in_every_seating_and_the_pass_turns() -> None:
    game = compile_game(rules("black_lady"))
    seeds = np.arange(8, dtype=np.uint64)
    whole, later = deal_tables(game, seeds, 0), deal_tables(game, seeds[4:], 4)
    assert (whole[4:] == later).all()
    assert whole["deal_number"].tolist() == [0, 1, 2, 3] * 2
    assert len(set(whole["pass_option"].tolist())) == 4
    single = deal_tables(compile_game(rules("openspiel")), seeds, 0)
    assert single["deal_number"].tolist() == [0] * 8


class Watcher(Agent):
    """Plays the first legal card and notes the hands it was dealt."""

    name = "watcher"

    def __init__(self) -> None:
        self.seen: list[int] = []

    def reset(self, seed: int) -> None:
        self.seen = []

    def act_batch(self, views: Views) -> np.ndarray:
        for view in views:
            if int(view.record["plies"]) < 4 and len(view.hand) == 13:
                self.seen.append(int(view.record["hands"][view.seat, 0]))
        return np.array([view.legal_ids()[0] for view in views])


def test_the_lone_seat_visits_every_hand_of_a_deal() -> None:
    one, rest = Watcher(), Watcher()
    run_arena([one, rest], "black_lady(passing.cycle=[hold])", deals=1)
    hands = set(one.seen)
    assert len(hands) == 4
    assert sum(hands) == 2**52 - 1
    assert set(rest.seen) == hands


@pytest.mark.parametrize(
    ("kind", "agents", "seats", "count"),
    [
        ("one-vs-rest", 1, 4, 4),
        ("one-vs-rest", 2, 4, 8),
        ("one-vs-rest", 3, 4, 24),
        ("one-vs-rest", 4, 4, 4),
        ("one-vs-rest", 3, 3, 3),
        ("two-vs-two", 2, 4, 6),
        ("two-vs-two", 3, 4, 18),
        ("all", 2, 4, 14),
        ("all", 3, 4, 42),
        ("all", 4, 4, 24),
        ("all", 2, 6, 62),
    ],
)
def test_seatings_are_balanced(kind: str, agents: int, seats: int, count: int) -> None:
    seatings = make_seatings(kind, agents, range(seats))
    assert len(seatings) == len({(s.lineup, s.counted) for s in seatings}) if agents > 1 else len(seatings) == count
    assert len(seatings) == count
    counted = np.zeros((agents, seats), int)
    for seating in seatings:
        for seat in seating.counted:
            counted[seating.lineup[seat], seat] += 1
    assert (counted == counted[0, 0]).all()
    assert counted[0, 0] > 0


@pytest.mark.parametrize(
    ("kind", "agents", "teams", "count"),
    [
        ("one-vs-rest", 1, (0, 1, 0, 1), 2),
        ("one-vs-rest", 2, (0, 1, 0, 1), 2),
        ("one-vs-rest", 3, (0, 1, 0, 1), 12),
        ("one-vs-rest", 3, (0, 1, 2, 0, 1, 2), 3),
        ("all", 2, (0, 1, 0, 1), 2),
        ("all", 2, (0, 0, 1, 1, 2, 2), 6),
    ],
)
def test_partners_are_one_agent(kind: str, agents: int, teams: tuple[int, ...], count: int) -> None:
    seatings = make_seatings(kind, agents, teams)
    assert len(seatings) == count
    counted = np.zeros((agents, len(teams)), int)
    for seating in seatings:
        for seat, mate in product(range(len(teams)), repeat=2):
            if teams[seat] == teams[mate]:
                assert seating.lineup[seat] == seating.lineup[mate]
                assert (seat in seating.counted) is (mate in seating.counted)
        for seat in seating.counted:
            counted[seating.lineup[seat], seat] += 1
    assert (counted == counted[0, 0]).all()


@pytest.mark.parametrize("text", [*LARGEST, "black_lady(players=5, chips=12, target=none, moon.mode=none)"])
def test_in_every_game_an_agent_is_its_own_equal(text: str) -> None:
    for spec in ("rule", "random"):
        result = run_arena([spec], text, deals=6)
        assert (result.agents[0].margin, result.agents[0].margin_se) == (0.0, 0.0)
        twice = run_arena([spec, spec], text, deals=6)
        assert untimed(twice) == [untimed(twice)[0]] * 2
        assert (twice.agents[0].margin, twice.agents[0].margin_se) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("text", "points", "costs"),
    [
        ("black_lady", (26, 0), 26),
        ("gong_zhu", (-100, 0), 100),
        ("gong_zhu", (297, 0), -297),
        ("math_team_hearts", (2, 0), -2),
        ("black_lady(players=5, chips=12, target=none, moon.mode=none)", (-1, 0), 1),
        ("complex_hearts", (-3, 4), 5),
        ("complex_hearts(score.better=real)", (-3, 4), None),
    ],
)
def test_costs_are_lower_for_the_better(text: str, points: tuple[int, int], costs: int | None) -> None:
    game = compile_game(rules(text))
    found = costs_of(game, np.array(points)) / units_of(game)["points"]
    assert found == (points[0] if costs is None else costs)


def test_a_partner_shares_the_margin() -> None:
    rule, random = run_arena(["rule", "random"], "partnership_hearts", deals=40).agents
    assert rule.margin == pytest.approx(-random.margin)
    assert rule.moons_shot == pytest.approx(random.moons_conceded)
    # A table scores 26 points a deal, or 26 for each of the two opponents of a moon.
    assert rule.points + random.points == pytest.approx(13 + 13 * (rule.moons_shot + random.moons_shot))


def test_statistics_are_over_deals() -> None:
    result = run_arena(["rule", "random"], deals=60, seed=2, seatings="two-vs-two")
    singles = [run_arena(["rule", "random"], deals=deals, seed=2, seatings="two-vs-two").agents[0] for deals in (1, 2)]
    assert math.isnan(singles[0].points_se)
    assert json.loads(run_arena(["random"], deals=1).to_json())["agents"][0]["points_se"] is None
    first, second = singles[0].points, 2 * singles[1].points - singles[0].points
    assert singles[1].points_se == pytest.approx(abs(first - second) / 2)
    rule, random = result.agents
    assert rule.points + random.points == pytest.approx(13 + 13 * (rule.moons_shot + rule.moons_conceded) * 2, abs=14)
    assert rule.margin == pytest.approx(-random.margin)


def test_three_agents_are_paired_with_each_other() -> None:
    result = run_arena(["rule", "random", "rule(shoot=0.9)"], deals=30)
    assert [(pair.name, pair.rival) for pair in result.pairs] == [
        ("rule", "random"),
        ("rule", "rule(shoot=0.9)"),
        ("random", "rule"),
        ("random", "rule(shoot=0.9)"),
        ("rule(shoot=0.9)", "rule"),
        ("rule(shoot=0.9)", "random"),
    ]
    assert result.agents[0].points == pytest.approx((result.pairs[0].points + result.pairs[1].points) / 2)
    assert run_arena(["rule"] * 4, deals=2).pairs == ()
    text = to_markdown(result)
    assert all(heading in text for heading in ("Margin: own points minus", "Moons shot"))
    assert "Matches won" not in text
    assert "Moons shot" not in to_markdown(run_arena(["rule", "random", "guard"], "gong_zhu", deals=4))


@pytest.mark.parametrize("seatings", ["one-vs-rest", "all", "round-robin"])
@pytest.mark.parametrize("variant", ["partnership_hearts", "likha", "duel_hearts"])
def test_two_agents_are_a_pair_where_two_sides_play(variant: str, seatings: str) -> None:
    result = run_arena(["rule", "random"], variant, deals=6, seatings=seatings)
    assert [(pair.name, pair.rival) for pair in result.pairs] == [("rule", "random"), ("random", "rule")]
    for agent, pair in zip(result.agents, result.pairs, strict=True):
        assert (pair.points, pair.margin, pair.margin_se) == (agent.points, agent.margin, agent.margin_se)


def test_pairs_say_who_won_the_matches_and_shot_the_moons() -> None:
    agents = ["rule", "random", "rule(shoot=0.9)"]
    result = run_arena(agents, "black_lady(end.target=40)", matches=6)
    for index, agent in enumerate(result.agents):
        first, second = (pair.won or 0.0 for pair in result.pairs[2 * index : 2 * index + 2])
        assert agent.won == pytest.approx((first + second) / 2)
    for agents in (["rule", "random"], ["random", "rule"]):
        alone = run_arena(agents, "black_lady(end.target=40)", matches=6)
        one, pair = alone.agents[0], alone.pairs[0]
        assert (pair.won, pair.won_se) == (one.won, one.won_se)
        assert (pair.moons_shot, pair.moons_conceded) == (one.moons_shot, one.moons_conceded)
    text = to_markdown(result)
    assert "Matches won, the agent of the row" in text
    assert f"{result.pairs[0].won:.1%} ± {result.pairs[0].won_se:.1%}" in text


class Wrong(Agent):
    """Answers with whatever it was made with."""

    name = "wrong"

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def act_batch(self, views: Views) -> np.ndarray:
        return np.asarray(self.answer if isinstance(self.answer, list) else [self.answer] * len(views))


class Renegade(Agent):
    """Plays the highest card it holds, whatever was led."""

    name = "renegade"

    def act_batch(self, views: Views) -> np.ndarray:
        return np.array([int(view.record["hands"][view.seat, 0]).bit_length() - 1 for view in views])


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        (Renegade(), "agent renegade, deal 0, seat [0-3], trick 1: seat [0-3] may not play .*; legal: "),
        (Wrong(99), "agent wrong, deal 0, seat [0-3], trick 1: action 99 is out of range"),
        (Wrong([0, 0]), r"agent wrong, deal 0, seat [0-3], trick 1: it answered 1 views with int64 of shape \(2,\)"),
        (Wrong(0.5), "agent wrong, deal 0, seat [0-3], trick 1: it answered 1 views with float64"),
    ],
    ids=["renegade", "out of range", "one for all", "floats"],
)
def test_illegal_actions_name_the_agent_and_the_rule(agent: Agent, message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        run_arena([agent], "black_lady(passing.cycle=[hold])", deals=4)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"deals": 0}, "deals=0 must be at least 1"),
        ({"deals": 10**12}, "deals=1000000000000 must be at most 100000000"),
        ({"matches": 10**20}, "matches=100000000000000000000 must be at most 100000000"),
        ({"deals": 2**31}, "deals=2147483648 must be at most 100000000"),
        ({"deals": 2**32 + 1}, "deals=4294967297 must be at most 100000000"),
        ({"deals": 1.5}, "deals=1.5 is not a whole number"),
        ({"deals": 10**5000}, "deals=a number of many digits must be at most 100000000"),
        ({"matches": "3"}, "matches=3 is not a whole number"),
        ({"seed": -1}, "seed=-1 is out of range"),
        ({"seed": 2**64}, "seed=18446744073709551616 is out of range"),
        ({"seed": 1.5}, "seed=1.5 is not a whole number"),
        ({"processes": 10**9}, "processes=1000000000 must be from 1 to 1024"),
        ({"processes": 1.5}, "processes=1.5 is not a whole number"),
        ({"tables_at_once": 0}, "tables_at_once=0 must be at least 1"),
        ({"agents": []}, "the arena needs at least one agent"),
        ({"agents": ["ruel"]}, "the closest is rule"),
        ({"seatings": "two-on-two"}, "the closest is two-vs-two"),
        ({"variant": "black_lady(players=5)", "seatings": "two-vs-two"}, "two-vs-two needs four seats.*not 5"),
        ({"variant": "black_ladi"}, "the closest is black_lady"),
        ({"agents": ["rule"] * 6, "seatings": "all", "variant": "black_lady(players=6)", "deals": 0}, "deals=0"),
    ],
)
def test_bad_arguments_are_told_in_one_line(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        run_arena(**({"agents": ["random"]} | arguments))  # type: ignore[arg-type]  # wrong on purpose


def test_too_many_line_ups_are_refused() -> None:
    with pytest.raises(ValueError, match="more than 5040 times; choose one-vs-rest"):
        make_seatings("all", 8, range(8))


def test_progress_and_interruption() -> None:
    shares: list[float] = []
    run_arena(["random"], deals=10, tables_at_once=8, progress=shares.append)
    assert shares == [0.2, 0.4, 0.6, 0.8, 1.0]
    run_arena(["pimc(worlds=1)", "random"], deals=8, progress=shares.append)
    assert shares[5:] == [0.5, 1.0], "progress shows earlier with slow agents"

    def stop(share: float) -> None:
        if share >= 0.4:
            raise KeyboardInterrupt

    with pytest.raises(ArenaInterrupted) as error:
        run_arena(["random"], deals=10, tables_at_once=8, progress=stop)
    assert error.value.partial is not None
    assert untimed(error.value.partial)[0]["points"] == untimed(run_arena(["random"], deals=4))[0]["points"]


def test_the_network_of_a_folder_is_an_agent(tmp_path: Path) -> None:
    neural = pytest.importorskip("hearts_agents.neural")
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    game = compile_game(rules("black_lady"))
    net = neural.PolicyNet(neural.input_size(game), len(game.actions), (16,))
    neural.save_policy(tmp_path / "run", net, "black_lady", {"note": "untrained"})
    spec = f"net:{tmp_path / 'run'}"
    result = run_arena([spec], deals=20)
    assert (result.agents[0].name, result.agents[0].margin) == (spec, 0.0)
    warm = run_arena([f"net({tmp_path / 'run'}, temperature=1)"], deals=20)
    assert warm.agents[0].margin == 0.0
    assert warm.agents[0].points == 6.5 + 13 * (warm.agents[0].moons_shot + warm.agents[0].moons_conceded) / 2
    with pytest.raises(ValueError, match=r"plays black_lady, not black_lady\(players=5\)"):
        run_arena([make_agent(spec)], "black_lady(players=5)", deals=1)


def test_a_ladder_measures_everybody_against_the_last() -> None:
    first, second, last = run_arena(
        ["random", "rule(pass_dear=0, dear=0)", "rule"], deals=6, seed=2, seatings="ladder"
    ).agents
    pair = run_arena(["random", "rule"], deals=6, seed=2)
    assert (first.points, first.margin) == (pair.agents[0].points, pair.agents[0].margin)
    assert last.margin == 0
    assert second.margin != 0
    assert 6.9 < last.decisions / first.decisions < 7.1  # 12 seats against each agent, and 4 of one table with itself
    assert last.queens == 0.25


@pytest.mark.parametrize(("agents", "count"), [(1, 1), (2, 5), (4, 13)])
def test_on_a_ladder_the_last_agent_meets_itself_once(agents: int, count: int) -> None:
    seatings = make_seatings("ladder", agents, range(4))
    assert len(seatings) == len({seating.lineup for seating in seatings}) == count
    assert seatings[-1].lineup == (agents - 1,) * 4
    assert seatings[-1].counted == (0, 1, 2, 3)
