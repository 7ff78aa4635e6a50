"""Search agents: legal everywhere, reproducible, exact in endgames, and better than their rollout policy."""

import inspect
import re
from collections.abc import Sequence
from itertools import cycle
from random import Random
from typing import Any

import numpy as np
import pytest

import hearts_env as he
from hearts_agents import Agent, make_agent
from hearts_agents.arena import run_arena
from hearts_agents.search import IsmctsAgent, PimcAgent
from hearts_agents.search.endgame import play_out, position_key, solve
from hearts_agents.search.rollout import margin_of
from hearts_agents.search.workspace import STACK, new_search_workspace
from hearts_env.ruleset.enums import Better
from hearts_env.seat.view import View, Views
from tests.support.games import COVERING, FEW_CARDS
from tests.support.marks import few, rare

SMALL = [
    "pimc(worlds=2, passing=true)",
    "pimc(worlds=2, policy=rule+shooter+slips+random)",
    "ismcts(rollouts=6, passing=true)",
    "ismcts(rollouts=6, policy=random+guard)",
    "endgame(tricks=2, worlds=2)",
]


def played_until(text: str, plies: int, seed: int, policy: str = "random") -> he.Match:
    match, agent = he.Match(text, seed=seed), make_agent(policy)
    agent.reset(seed)
    while len(match.view(0).played) < plies:
        match.play(int(agent.act(match.view(match.seat or 0))))
    return match


def acting_view(match: he.Match) -> View:
    return match.view(match.seat or 0)


@pytest.mark.parametrize(("text", "spec"), few(zip(COVERING, cycle(SMALL), strict=False), 12))
def test_every_decision_of_every_game_gets_a_legal_answer(text: str, spec: str) -> None:
    match, agent, fast = he.Match(text, seed=3), make_agent(spec), make_agent("random")
    rng, decisions = Random(3), 0
    while not match.over and match.deal_number < 2:
        view = acting_view(match)
        if view.phase != "play" or rng.random() < 0.3 or len(match.game.deck) <= FEW_CARDS:
            action = int(agent.act(view))
            assert action in view.legal_ids()
            decisions += 1
        match.play(int(fast.act(view)))
    assert decisions > 3


@pytest.mark.parametrize(
    "spec",
    [
        "pimc(worlds=8, policy=rule+random)",
        "pimc(rollouts=30)",
        "ismcts(rollouts=40)",
        "ismcts(rollouts=40, policy=rule+random)",
        "endgame(worlds=4)",
    ],
)
def test_an_action_depends_on_view_and_seed_alone(spec: str) -> None:
    records = [
        acting_view(played_until("black_lady", plies, seed)).record for seed, plies in ((1, 8), (2, 20), (3, 40))
    ]
    game = he.Match("black_lady").game
    agent, other = make_agent(spec), make_agent(spec)
    agent.reset(5)
    other.reset(5)
    together = agent.act_batch(Views(game, np.array(records)))
    apart = [int(other.act_batch(Views(game, np.array([record])))[0]) for record in reversed(records)]
    assert together.tolist() == apart[::-1]


def cost_of(better: Better, old: Any, new: Any) -> float:
    if better is Better.MAGNITUDE:
        return float(abs(new) - abs(old))
    return float(old - new) if better is Better.HIGH else float((new - old).real)


def margin(costs: Sequence[float], seat: int, teams: Sequence[int]) -> float:
    own = [cost for cost, team in zip(costs, teams, strict=True) if team == teams[seat]]
    rest = [cost for cost, team in zip(costs, teams, strict=True) if team != teams[seat]]
    return float(np.mean(own) - np.mean(rest))


@pytest.mark.parametrize("text", ["black_lady", "gong_zhu", "complex_hearts", "partnership_hearts", "turbo_hearts"])
def test_the_margin_of_a_rollout_is_that_of_the_rules(text: str) -> None:
    """The margin after a rollout against totals that `Match` reports for the same actions."""
    for seed in range(4):
        match = played_until(text, 9, seed)
        game, before = match.game, match.totals
        states, workspace = match.state, new_search_workspace(game)[0]
        states["deal_limit"] = 1
        twin, agent = match.clone(), make_agent("rule")
        while not twin.over and twin.deal_number == 0:
            twin.play(int(agent.act(twin.view(twin.seat or 0))))
        play_out(states[0], game.tables, np.asarray(match.state["totals"][0]), workspace, np.uint64(1))
        costs = workspace["costs"]
        expected = [cost_of(game.rules.score.better, old, new) for old, new in zip(before, twin.totals, strict=True)]
        assert np.allclose(costs[: game.seats], expected)
        for seat in range(game.seats):
            assert margin_of(game.tables, seat, costs) == pytest.approx(margin(expected, seat, game.teams))


def max_n(match: he.Match, before: Sequence[Any]) -> list[float]:
    """What the deal costs every seat if each plays for its own margin and sees everything, by trying all cards."""
    if match.over or match.deal_number:
        better = match.rules.score.better
        return [cost_of(better, old, new) for old, new in zip(before, match.totals, strict=True)]
    best: list[float] = []
    least, mover = np.inf, match.seat or 0
    for action in match.view(mover).legal_ids():
        after = match.clone()
        after.play(action)
        costs = max_n(after, before)
        found = margin(costs, mover, match.game.teams)
        if found < least - 1e-9:
            best, least = costs, found
    return best


def to_solve(match: he.Match, tricks: int) -> Any:
    """A workspace whose stack begins with the position of a match."""
    workspace = new_search_workspace(match.game, endgame_tricks=tricks)[0]
    workspace["states"][STACK] = match.state[0]
    workspace["states"][STACK]["deal_limit"] = 1
    return workspace


@pytest.mark.parametrize(
    "text",
    [
        "black_lady",
        "partnership_hearts",
        "gong_zhu",
        "complex_hearts(moon.policy=auto_best)",
        "cancellation_hearts(players=6)",
        "joker_hearts(jokers.lead=call)",
        "heartsette",
    ],
)
def test_the_endgame_is_solved_exactly(text: str) -> None:
    for seed in range(4):
        match = he.Match(text, seed=seed)
        match = played_until(text, match.game.seats * match.game.hand_size - 8, seed)
        while match.phase != "play":
            match.play(match.legal()[0])
        workspace, totals = to_solve(match, 6), np.asarray(match.state["totals"][0])
        assert solve(match.game.tables, totals, workspace, np.uint64(seed), 10**9)
        assert np.allclose(workspace["costs"][: match.game.seats], max_n(match, match.totals))


@pytest.mark.parametrize("special", ["moon.cards=[AH,QS]", "moon.cards=[QH,QS]", "score.sets={AH:-9}"])
def test_a_card_that_a_moon_or_a_set_needs_is_like_no_other(special: str) -> None:
    text = f"black_lady(ranks=[Q,K,A], cycle=[hold], teams=[0+2,1+3], {special})"
    for seed in (9, 10, 11):
        match = played_until(text, 4, seed)
        workspace, totals = to_solve(match, 6), np.asarray(match.state["totals"][0])
        assert solve(match.game.tables, totals, workspace, np.uint64(seed), 10**9)
        own, best = (
            margin(costs, match.seat or 0, match.game.teams)
            for costs in (list(workspace["costs"][: match.game.seats]), max_n(match, match.totals))
        )
        assert own == pytest.approx(best)


def test_a_position_that_takes_too_long_is_left_to_the_policy() -> None:
    match = played_until("black_lady", 40, 1)
    workspace, totals = to_solve(match, 3), np.asarray(match.state["totals"][0])
    assert not solve(match.game.tables, totals, workspace, np.uint64(1), 5)
    assert solve(match.game.tables, totals, workspace, np.uint64(1), 10**6)


@pytest.mark.parametrize(
    ("field", "place"), [("kitty_seat", 0), ("first_winner", ...), ("exposed", ...), ("pledges", 0)]
)
def test_the_table_of_the_endgame_distinguishes_positions(field: str, place: Any) -> None:
    match = played_until("heartsette(kitty_award=one_per_trick)", 12, 2)
    one, other = match.state, match.state
    one[field][0, place], other[field][0, place] = 1, 2
    salt = np.uint64(5)
    assert position_key(one[0], match.game.tables, salt) != position_key(other[0], match.game.tables, salt)


@pytest.fixture
def decisions() -> Views:
    """The decisions of 40 deals after half of the cards."""
    matches = [played_until("black_lady(cycle=[hold])", 26, seed, "rule") for seed in range(40)]
    return Views(matches[0].game, np.stack([acting_view(match).record for match in matches]))


def test_the_worlds_in_which_an_action_was_tried_are_counted(decisions: Views) -> None:
    agent = make_agent("pimc(worlds=32, play_likelihood=0.3)")
    assert isinstance(agent, PimcAgent)
    found = agent.action_values(decisions)
    searched = found.worlds.any(axis=1)
    assert searched.sum() > 20
    assert set(found.worlds.ravel().tolist()) == {0, 16, 32}
    assert (np.isfinite(found.values) == (found.worlds > 0)).all()
    masks = np.stack([view.action_mask() for view in decisions])
    assert (found.worlds[searched] > 0).tolist() == (masks[searched] > 0).tolist()


def test_nothing_is_unlikely_of_a_random_policy(decisions: Views) -> None:
    agents = [make_agent(f"pimc(worlds=16, policy=random{more})") for more in ("", ", play_likelihood=0.3")]
    one, other = (agent.action_values(decisions) for agent in agents if isinstance(agent, PimcAgent))
    assert (one.actions == other.actions).all()
    assert np.array_equal(one.values, other.values, equal_nan=True)


def queen_or_not() -> he.Match:
    """Seat 0 is last to a trick with the queen of spades on it, and holds a spade over it and one under it."""
    hands = [["2S", "KS"], ["QS", "3C"], ["4S", "5C"], ["5S", "6C"]]
    rules = "black_lady(cycle=[hold], opening.card=any, opening.leader=left_of_dealer, first_trick_forbidden=[])"
    rest = [card for card in he.Match(rules).game.deck.cards if not any(card in hand for hand in hands)]
    full = [[*hand, *rest[seat::4]] for seat, hand in enumerate(hands)]
    return he.Match.from_hands(rules, full, leader=1, played=["QS", "4S", "5S"])


@pytest.mark.parametrize("spec", ["pimc(worlds=16)", "pimc(worlds=16, policy=random)", "ismcts(rollouts=200)"])
def test_no_search_takes_the_queen_without_need(spec: str) -> None:
    match = queen_or_not()
    view = match.view(0)
    assert {"2S", "KS"} <= set(view.legal())
    chosen = match.game.actions[int(make_agent(spec).act(view))]
    assert chosen[0] in "23456789TJ", f"{chosen} takes thirteen points"


def test_explain_returns_the_estimates_of_the_search() -> None:
    agent = make_agent("pimc(worlds=48)")
    assert isinstance(agent, PimcAgent)
    view = queen_or_not().view(0)
    found = agent.explain(view)
    assert sorted(estimate.action for estimate in found) == sorted(view.legal())
    assert [estimate.margin for estimate in found] == sorted(estimate.margin for estimate in found)
    assert {estimate.worlds for estimate in found} == {48}
    by_name = {estimate.action: estimate for estimate in found}
    assert by_name["KS"].margin - by_name["2S"].margin > 8
    assert all(estimate.error > 0 for estimate in found)
    assert min(abs(estimate.difference) for estimate in found) == 0
    waiting = queen_or_not().view(2)
    with pytest.raises(ValueError, match="nothing to explain"):
        agent.explain(waiting)


def test_time_and_rollouts_limit_a_search() -> None:
    view = acting_view(played_until("black_lady", 10, 6))
    for spec in ("pimc(millis=1)", "ismcts(millis=1)", "pimc(rollouts=1)"):
        assert int(make_agent(spec).act(view)) in view.legal_ids()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("pimc(worlds=0)", "worlds=0 must be at least 1"),
        ("ismcts(millis=1000001)", "millis=1000001.0 must be at most 1000000"),
        ("pimc(millis=-1)", "millis=-1.0 must be above 0"),
        ("ismcts(prior_bonus=-1)", "prior_bonus=-1.0 and min_z=1.0 must be 0 or more"),
        ("pimc(rollouts=5, millis=5)", "rollouts=5 and millis=5.0 contradict: give one of them"),
        ("endgame(tricks=9)", "tricks=9 is not possible; it is a number of tricks from 1 to 5"),
        ("pimc(policy=greedy)", "pimc: policy=greedy is not possible; join one or more of rule, random, shooter"),
        ("pimc(policy=rule+rule+rule+rule+rule+rule+rule+rule+rule)", "names 9 policies; at most 8 are possible"),
        ("pimc(play_likelihood=2)", "play_likelihood=2.0 between 0"),
        ("pimc(exact=4)", "pimc has no parameter 'exact'; the closest is"),
        ("shooter(eagerness=1)", "eagerness=1.0 must lie between 0 and 1"),
    ],
)
def test_bad_parameters_are_refused(spec: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        make_agent(spec)


@pytest.mark.parametrize("kind", [PimcAgent, IsmctsAgent])
@pytest.mark.parametrize("value", ["x", None, float("nan")])
@pytest.mark.parametrize("name", ["min_z", "play_likelihood", "exploration", "prior_bonus"])
def test_what_is_no_number_is_refused(kind: type[Agent], value: Any, name: str) -> None:
    if name in inspect.signature(kind).parameters:
        with pytest.raises(ValueError, match=f"{name}={value}|{name}='x'"):
            kind(**{name: value})


@pytest.mark.parametrize("variant", rare(["black_lady", "incredu_hearts(players=5)"], 1))
def test_searching_beats_the_policy_it_searches_with(variant: str) -> None:
    table = run_arena(["pimc(worlds=12, policy=random)", "random"], variant, deals=12, seed=2)
    assert table.agents[0].margin + 3 * table.agents[0].margin_se < 0


@pytest.mark.exhaustive
def test_the_shooter_shoots_more_and_the_guard_lets_fewer_through() -> None:
    shooter, rule = run_arena(["shooter", "rule"], deals=400, seed=1).agents
    assert shooter.moons_shot > rule.moons_shot
    bold, watchful = (run_arena([spec, "shooter"], deals=400, seed=1).agents[1] for spec in ("rule", "guard"))
    assert watchful.moons_shot < bold.moons_shot
