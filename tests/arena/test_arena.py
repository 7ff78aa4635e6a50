"""The arena: pairing, seatings, results, and what it reports when something is wrong."""

import json
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest

from hearts_agents import Agent, make_agent
from hearts_agents.arena import ArenaInterrupted, ArenaResult, run_arena
from hearts_agents.arena.play import Job, Player
from hearts_agents.arena.seatings import make_seatings
from hearts_agents.arena.tables import costs_of, units_of
from hearts_env import Views
from hearts_env.compiled.game import compile_game
from hearts_env.variants.registry import rules

CHIPS = "black_lady(players=5, chips=12, target=none, moon.mode=none)"
NUMBERS = "points points_se margin margin_se moons_shot moons_shot_se moons_attempted moons_conceded"
SCORES = {
    **dict.fromkeys(f"{NUMBERS} moons_conceded_se queens queens_se".split(), float),
    **{"name": str, "points_ci": list, "margin_ci": list, "won": type(None), "won_se": type(None)},
}
UNSAID = "margin_adjusted margin_adjusted_se margin_adjusted_ci variance_removed called trained_on"
FIELDS = {
    **SCORES,
    **dict.fromkeys(("ms_per_decision", "rating", "rating_sigma"), float),
    **dict.fromkeys(UNSAID.split(), type(None)),
    **{"decisions": int, "faults": dict, "usage": dict, "digest": str},
}
HEAD = ["variant", "deals", "seed", "seatings", "matches", "deals_per_match", "confidence", "agents", "pairs"]


def untimed(result: ArenaResult) -> list[dict[str, object]]:
    return [
        {key: value for key, value in agent.items() if key not in ("ms_per_decision", "rating", "rating_sigma")}
        for agent in result.to_dict()["agents"]
    ]


def test_json_has_the_published_form() -> None:
    result = run_arena(["rule", "random"], deals=20, seed=3, seatings="all")
    found = json.loads(result.to_json())
    assert list(found) == HEAD
    assert (found["variant"], found["deals"], found["seed"], found["seatings"]) == ("black_lady", 20, 3, "all")
    assert [agent["name"] for agent in found["agents"]] == ["rule", "random"]
    for agent in found["agents"]:
        assert {key: type(value) for key, value in agent.items()} == FIELDS
        assert agent["points_ci"][0] < agent["points"] < agent["points_ci"][1]
        assert agent["decisions"] > 0
        assert agent["ms_per_decision"] > 0
    assert [{key: type(value) for key, value in pair.items()} for pair in found["pairs"]] == [
        SCORES | {"rival": str}
    ] * 2
    headings, rows = result.to_table()
    assert [len(row) for row in rows] == [len(headings)] * 2
    assert rows[0][:2] == ["rule", f"{result.agents[0].points:.2f} ± {result.agents[0].points_se:.2f}"]


@pytest.mark.parametrize(
    ("seatings", "agents"), [("one-vs-rest", 1), ("one-vs-rest", 4), ("two-vs-two", 2), ("all", 3), ("round-robin", 4)]
)
def test_an_agent_against_itself_comes_out_equal(seatings: str, agents: int) -> None:
    for spec in ("rule", "random"):
        result = run_arena([spec] * agents, deals=12, seatings=seatings)
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
    def dealt(text: str, first: int) -> np.ndarray:
        player = Player(Job(rules(text), ("random",), make_seatings("all", 1, range(4)), 3, 8, False, 8))
        return player.deal(first, 8 - first)

    whole, later = dealt("black_lady", 0), dealt("black_lady", 4)
    assert (whole[4:] == later).all()
    assert whole["deal_number"].tolist() == [0, 1, 2, 3] * 2
    assert len(set(whole["pass_option"].tolist())) == 4
    assert dealt("openspiel", 0)["deal_number"].tolist() == [0] * 8


@pytest.mark.parametrize(
    ("kind", "agents", "teams", "count"),
    [
        ("one-vs-rest", 1, range(4), 4),
        ("one-vs-rest", 2, range(4), 8),
        ("one-vs-rest", 3, range(4), 24),
        ("one-vs-rest", 4, range(4), 4),
        ("one-vs-rest", 3, range(3), 3),
        ("two-vs-two", 3, range(4), 18),
        ("all", 3, range(4), 42),
        ("all", 4, range(4), 24),
        ("all", 2, range(6), 62),
        ("one-vs-rest", 1, (0, 1, 0, 1), 2),
        ("one-vs-rest", 2, (0, 1, 0, 1), 2),
        ("one-vs-rest", 3, (0, 1, 0, 1), 12),
        ("one-vs-rest", 3, (0, 1, 2, 0, 1, 2), 3),
        ("all", 2, (0, 0, 1, 1, 2, 2), 6),
    ],
)
def test_seatings_are_balanced_and_partners_are_one_agent(
    kind: str, agents: int, teams: Sequence[int], count: int
) -> None:
    seatings = make_seatings(kind, agents, teams)
    assert len(seatings) == count
    assert agents == 1 or len({(s.lineup, s.counted) for s in seatings}) == count
    counted = np.zeros((agents, len(teams)), int)
    for seating in seatings:
        for seat, mate in product(range(len(teams)), repeat=2):
            if teams[seat] == teams[mate]:
                assert seating.lineup[seat] == seating.lineup[mate]
                assert (seat in seating.counted) is (mate in seating.counted)
        for seat in seating.counted:
            counted[seating.lineup[seat], seat] += 1
    assert (counted == counted[0, 0]).all()
    assert counted[0, 0] > 0


@pytest.mark.parametrize(
    ("text", "points", "costs"),
    [
        ("black_lady", (26, 0), 26),
        ("gong_zhu", (-100, 0), 100),
        ("gong_zhu", (297, 0), -297),
        ("math_team_hearts", (2, 0), -2),
        (CHIPS, (-1, 0), 1),
        ("complex_hearts", (-3, 4), 5),
        ("complex_hearts(score.better=real)", (-3, 4), None),
    ],
)
def test_costs_are_lower_for_the_better(text: str, points: tuple[int, int], costs: int | None) -> None:
    game = compile_game(rules(text))
    found = costs_of(game, np.array(points)) / units_of(game)["points"]
    assert found == (points[0] if costs is None else costs)


class Wrong(Agent):
    """Answers with whatever it was made with."""

    name = "wrong"

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def act_batch(self, views: Views) -> np.ndarray:
        return np.asarray(self.answer if isinstance(self.answer, list) else [self.answer] * len(views))


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (51, "seat [0-3] does not hold AS; its cards are "),
        (99, "action 99 is out of range"),
        ([0, 0], r"it answered 1 views with int64 of shape \(2,\)"),
        (0.5, "it answered 1 views with float64"),
    ],
)
def test_wrong_answers_name_the_agent_and_the_place(answer: object, message: str) -> None:
    with pytest.raises(ValueError, match=f"agent wrong, deal 0, seat [0-3], trick 1: {message}") as error:
        run_arena([Wrong(answer)], "black_lady(passing.cycle=[hold])", deals=4)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"deals": 0}, "deals=0 must be at least 1"),
        ({"deals": 10**5000}, "deals=a number of many digits must be at most 100000000"),
        ({"matches": "3"}, "matches=3 is not a whole number"),
        ({"seed": -1}, "seed=-1 is out of range"),
        ({"processes": 10**9}, "processes=1000000000 must be from 1 to 1024"),
        ({"tables_at_once": 0}, "tables_at_once=0 must be at least 1"),
        ({"table_at_once": 8}, "has no argument table_at_once"),
        ({"agents": []}, "the arena needs at least one agent"),
        ({"agents": ["ruel"]}, "the closest is rule"),
        ({"seatings": "two-on-two"}, "the closest is two-vs-two"),
        ({"variant": "black_lady(players=5)", "seatings": "two-vs-two"}, "two-vs-two needs four seats.*not 5"),
        ({"variant": "black_ladi"}, "the closest is black_lady"),
    ],
)
def test_bad_arguments_are_refused_in_one_line(arguments: dict[str, object], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        run_arena(**({"agents": ["random"]} | arguments))  # type: ignore[arg-type]  # wrong on purpose


def test_progress_and_interruption() -> None:
    shares: list[float] = []
    run_arena(["random"], deals=10, tables_at_once=8, progress=shares.append)
    assert shares == [0.2, 0.4, 0.6, 0.8, 1.0]
    slow = make_agent("rule")
    slow.tables_at_once = 32
    run_arena([slow, "random"], deals=8, progress=shares.append)
    assert shares[5:] == [0.5, 1.0], "progress shows earlier with slow agents"

    def stop(share: float) -> None:
        if share >= 0.4:
            raise KeyboardInterrupt

    with pytest.raises(ArenaInterrupted) as error:
        run_arena(["random"], deals=10, tables_at_once=8, progress=stop)
    assert error.value.partial is not None
    assert untimed(error.value.partial)[0]["points"] == untimed(run_arena(["random"], deals=4))[0]["points"]


def test_a_ladder_measures_everybody_against_the_last() -> None:
    agents = ["random", "rule(pass_dear=0, dear=0)", "rule"]
    first, second, last = run_arena(agents, deals=6, seed=2, seatings="ladder").agents
    pair = run_arena(["random", "rule"], deals=6, seed=2)
    assert (first.points, first.margin) == (pair.agents[0].points, pair.agents[0].margin)
    assert last.margin == 0
    assert second.margin != 0
    assert 6.9 < last.decisions / first.decisions < 7.1  # 12 seats against each agent, and 4 of one table with itself
    assert last.queens == 0.25
    for agents_, count in ((1, 1), (2, 5), (4, 13)):
        seatings = make_seatings("ladder", agents_, range(4))
        assert len(seatings) == len({seating.lineup for seating in seatings}) == count
        assert seatings[-1].lineup == (agents_ - 1,) * 4
        assert seatings[-1].counted == (0, 1, 2, 3)
