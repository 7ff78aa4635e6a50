"""The arena at its tables: agents that fail, stateful agents, whole matches, and what is measured."""

import re
from collections import Counter

import numpy as np
import pytest

import hearts_env as he
from hearts_agents import Agent, make_agent
from hearts_agents.arena import AgentFailed, run_arena
from hearts_agents.arena.report import to_csv, to_markdown
from hearts_agents.arena.tables import MEASURES, deal_numbers, measure_deals
from hearts_env.compiled.game import Game, compile_game
from hearts_env.kernel.batch import random_actions, step_all
from hearts_env.kernel.outcomes import find_attempts
from hearts_env.kernel.records import STATE, Phase
from hearts_env.seat.view import View, Views
from hearts_env.table.seeds import agent_seed
from tests.support.marks import marked

KITTY = "black_lady(players=5, remainder=kitty, kitty_award=one_per_trick, hand_size=8, cycle=[hold])"


class Faulty(Agent):
    """Plays at random until a trick, then fails in some way."""

    name = "faulty"

    def __init__(self, how: str, trick: int = 2) -> None:
        self.how, self.trick = how, trick
        self._random = make_agent("random")

    def act_batch(self, views: Views) -> np.ndarray:
        actions = self._random.act_batch(views)
        late = (views.records["trick_number"] == self.trick) & (views.records["phase"] == Phase.PLAY)
        if self.how == "raises" and late.any():
            raise RuntimeError("out of\nideas")
        if self.how == "erases":
            views.records["hands"][late] = ~np.uint64(0)  # what an agent does to its views is nobody else's matter
        actions[late] = 63 if self.how == "erases" else len(views.game.actions)
        return actions


class Moody(Agent):
    """Raises when it is given many views, and only then."""

    name = "moody"

    def act_batch(self, views: Views) -> np.ndarray:
        if len(views) > 1:
            raise ZeroDivisionError("too many")
        return np.array([view.legal_ids()[0] for view in views])


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("black_lady", "deals"),
        ("black_lady", "matches"),
        ("cancellation_hearts(players=11)", "deals"),
        (KITTY, "deals"),
    ],
)
def test_a_failure_names_the_place_and_leaves_a_record(text: str, unit: str) -> None:
    with pytest.raises(AgentFailed) as error:
        run_arena([Faulty("chooses wrong")], text, seed=3, **{unit: 3})  # type: ignore[arg-type]  # one of two
    place = re.match(r"agent faulty, (deal|match) (\d), (?:deal \d of it, )?seat (\d+), trick 3: ", str(error.value))
    assert place is not None
    match = he.Match.replay(error.value.record)
    assert (match.phase, match.seat) == ("play", int(place[3]))
    assert int(match.state["trick_number"][0]) == 2
    if text == KITTY:  # in the order in which it was dealt
        game = compile_game(he.rules(text))
        seeds = np.random.SeedSequence(3).generate_state(3, np.uint64).astype(np.uint64)
        dealt = deal_numbers(game, seeds, np.zeros(3, np.int64))
        kitty = [game.deck.kinds[kind] for kind in dealt[int(place[2])]["kitty"][:12]]
        assert kitty != sorted(kitty, key=game.deck.ids.__getitem__)
        assert match.kitty == kitty


def test_the_view_at_which_an_agent_raises_is_found() -> None:
    with pytest.raises(AgentFailed, match=r"seat \d, trick 3: it raised RuntimeError: out of ideas") as error:
        run_arena(["random", Faulty("raises")], "black_lady", deals=4)
    match = he.Match.replay(error.value.record)
    assert match.seat == int(re.findall(r"seat (\d)", str(error.value))[0])
    assert isinstance(error.value.__cause__, RuntimeError)
    with pytest.raises(AgentFailed, match=r"agent moody, deal 0, seat 0, phase pass: it raised ZeroDiv") as error:
        run_arena([Moody()], deals=2)
    assert he.Match.replay(error.value.record).phase == "pass"


class Follower(Agent):
    """Follows one table at a time, and notes what it sees of it."""

    name = "follower"
    stateful = True

    def __init__(self) -> None:
        self.calls: list[tuple[str, int, int]] = []
        self._random = make_agent("random")

    def reset(self, seed: int) -> None:
        self._random.reset(seed)

    def act_batch(self, views: Views) -> np.ndarray:
        assert len(views) == 1
        self.calls.append(("act", int(views.records["seat"][0]), int(views.records["seed"][0] % 2**31)))
        return self._random.act_batch(views)

    def on_deal_end(self, view: View) -> None:
        assert view.phase == "over"
        assert len(view.played) == 52
        self.calls.append(("over", view.seat, 0))


def test_stateful_agents_get_their_tables_one_after_another() -> None:
    follower = Follower()
    together = run_arena(["random", "rule"], deals=3)
    alone = run_arena([follower, "rule"], deals=3)
    for one, other in zip(together.agents, alone.agents, strict=True):
        assert (one.points, one.margin, one.decisions) == (other.points, other.margin, other.decisions)
    # Alone in 4 seats and with two others in 4: 16 calls at the end of each deal, all of a table together.
    ends = [place for place, (what, _, _) in enumerate(follower.calls) if what == "over"]
    assert len(ends) == 3 * 16
    runs = np.split(np.array(ends), np.flatnonzero(np.diff(ends) > 1) + 1)
    assert [len(run) for run in runs] == ([1] * 4 + [3] * 4) * 3
    begun = 0
    for run in runs:
        seats = {seat for _, seat, _ in follower.calls[begun : run[0]]}
        assert seats == {follower.calls[place][1] for place in run}
        begun = run[-1] + 1


class Clumsy(Agent):
    """Reports substituted decisions, as an external program does."""

    name = "clumsy"

    def __init__(self) -> None:
        self.faults: Counter[str] = Counter(early=1000)  # from before: not to be counted

    def act_batch(self, views: Views) -> np.ndarray:
        self.faults["late"] += int((views.records["phase"] == Phase.PASS).sum())
        return np.array([view.legal_ids()[0] for view in views])


@pytest.mark.parametrize("processes", [1, marked(2, pytest.mark.release)])
def test_substituted_decisions_are_counted_and_reported(processes: int) -> None:
    result = run_arena(
        [Clumsy(), "random"], "black_lady(passing.cycle=[left])", deals=3, tables_at_once=8, processes=processes
    )
    assert [agent.faults for agent in result.agents] == [{"late": 16 * 3 * 3}, {}]
    line = f"clumsy: 144 of {result.agents[0].decisions:,} decisions were substituted: late 144"
    assert line in to_markdown(result)
    assert f",late 144,,hearts-env {he.__version__},,\n" in to_csv(result)


# --- whole matches ---------------------------------------------------------------------------------


def test_a_match_is_the_one_its_seed_gives() -> None:
    """One seat of `random` among others like it: what the arena adds up is what `Match` plays."""
    result = run_arena(["random"], "black_lady(target=30)", matches=1, seed=5)
    seed = int(np.random.SeedSequence(5).generate_state(1, np.uint64)[0])
    match, agent = he.Match("black_lady(target=30)", seed=seed), make_agent("random")
    agent.reset(agent_seed(5, 0))
    while match.seat is not None:
        match.play(agent.act(match.view(match.seat)))
    assert result.deals_per_match == len(match.log)
    assert result.agents[0].points == sum(map(sum, match.deal_points)) / 4 / len(match.log)
    assert result.agents[0].won == 0.25


# --- measures --------------------------------------------------------------------------------------


def holders(game: Game, record: np.void, cards: int) -> list[int]:
    """Moon cards that the group of every seat has taken."""
    each = [sum((int(plane) & cards).bit_count() for plane in record["taken"][seat]) for seat in range(game.seats)]
    if game.rules.moon.scope != "team":
        return each
    return [sum(n for n, team in zip(each, game.teams, strict=True) if team == own) for own in game.teams]


@pytest.mark.parametrize(
    "text", ["black_lady", "partnership_hearts", "joker_hearts(jokers.lead=call)", "turbo_hearts", "incredu_hearts"]
)
def test_attempts_are_what_the_tricks_say(text: str) -> None:
    game = compile_game(he.rules(text))
    states = deal_numbers(game, np.arange(60, dtype=np.uint64), np.arange(60) % game.pass_cycle)
    cards, most = int(game.tables["moon_set"]), int(game.tables["moon_count"])
    seen, trick = np.zeros((60, game.seats), np.int64), np.zeros(60, np.int64)
    rng, actions = np.uint64(7), np.zeros(60, np.int64)
    while (states["phase"] != Phase.OVER).any():
        rng = random_actions(states, game.tables, rng, actions)
        step_all(states, game.table, actions)
        for row in np.flatnonzero(states["trick_number"] != trick):
            trick[row] = states["trick_number"][row]
            held = holders(game, states[row], cards)
            taken = sum(int(plane & np.uint64(cards)).bit_count() for plane in states["taken"][row].ravel())
            seen[row] |= [2 * taken >= most > 0 and own == taken for own in held]
    for row in np.flatnonzero(states["shooter"] >= 0):  # who shot has tried, even where not every moon card is needed
        seen[row, states["shooter"][row]] = 1
    found = np.zeros((60, game.seats), np.int64)
    before = states.copy()
    find_attempts(states, game.table, np.zeros(1, STATE), found)
    assert (found == seen).all()
    assert 0 < found.sum() < 60 * game.seats
    assert (states == before).all()
    measured = dict(zip(MEASURES, measure_deals(game, states), strict=True))
    assert (measured["attempted"] >= measured["shot"]).all()
