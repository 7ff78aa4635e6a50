"""OpenSpiel both ways: its bots in our arena, our agents among its bots."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import hearts_env as he
from hearts_agents import Agent, make_agent
from hearts_agents.openspiel import OpenSpielAgent, as_bot, openspiel_rules, to_pyspiel
from hearts_agents.openspiel.agent import sample_deal
from hearts_agents.openspiel.convert import Deal, card_action, state_of
from hearts_env.play.view import view_of
from tests.support.worlds import another_world, skewed_hands

pyspiel: Any = pytest.importorskip("pyspiel")


# OpenSpiel's bots at our tables


def positions(seeds: range, **parameters: bool) -> list[he.Match]:
    """A match at every ply."""
    found, rules = [], openspiel_rules(**parameters)
    for seed in seeds:
        match, rng = he.Match(rules, seed=seed), Random(seed)
        if seed % 2:
            match = he.Match.from_hands(rules, skewed_hands(match.game, rng), passing=True, seed=seed)
        while not match.over:
            found.append(match.clone())
            match.play(rng.choice(match.legal()))
    return found


def turned(match: he.Match, seat: int) -> Any:
    """OpenSpiel's state of the real cards with a seat as player 0, the picks of others left out if they are secret."""
    actions = [[action for who, action in match.log[-1].actions[:12] if who == one] for one in range(4)]
    plays = [action for _, action in match.log[-1].actions[12:]]
    if match.direction == "hold":
        actions, plays = [[]] * 4, [action for _, action in match.log[-1].actions]
    elif match.phase == "pass":
        actions = [actions[one] if one == seat else [] for one in range(4)]
    hands, picks = (cards[seat:] + cards[:seat] for cards in (match.log[-1].hands, actions))
    return state_of(match.rules, Deal(str(match.direction), hands, [card for one in picks for card in one] + plays))


@pytest.mark.parametrize("any_club", [False, True])
@pytest.mark.exhaustive
def test_a_sampled_deal_agrees_with_what_the_seat_knows(any_club: bool) -> None:
    different = 0
    for number, match in enumerate(positions(range(8), can_lead_any_club=any_club)):
        seat = int(match.seat or 0)
        view = match.view(seat)
        state, real = state_of(match.rules, sample_deal(view, number)), turned(match, seat)
        assert state.current_player() == 0
        assert state.legal_actions() == real.legal_actions()
        assert state.information_state_string(0) == real.information_state_string(0)
        hands = state.to_struct().hands
        different += hands != real.to_struct().hands
        for place, hand in enumerate(hands):
            other = (place + seat) % 4
            assert len(hand) == len(match.hands[other]) or match.phase == "pass"
            assert not {card[-1] for card in hand} & set(view.voids[other])
            assert match.phase == "pass" or ("2C" in hand) == ("2C" in match.hands[other])
            if match.phase == "play" and view.received and match.direction != "hold":
                kept = [card for card in view.passed if card in match.hands[other]]
                assert set(kept) <= set(hand)
    assert different > 300


BotBase: Any = pyspiel.Bot


class Noter(BotBase):
    """Plays the first legal card; its maker notes what it is asked and told."""

    def __init__(self, maker: Curious, seed: int) -> None:
        super().__init__()
        self.maker, self.seed = maker, seed

    def provides_force_action(self) -> bool:
        return self.maker.follows

    def inform_action(self, state: Any, player: int, action: int) -> None:
        self.maker.told.append((player, action))

    def force_action(self, state: Any, action: int) -> None:
        self.maker.told.append((state.current_player(), action))

    def step(self, state: Any) -> int:
        self.maker.asked.append((self.seed, state.history(), str(state)))
        return int(state.legal_actions()[0])


class Curious:
    """Makes bots and notes what they are asked and told."""

    def __init__(self, follows: bool = False) -> None:
        self.asked: list[tuple[int, list[int], str]] = []
        self.told: list[tuple[int, int]] = []
        self.follows = follows

    def __call__(self, game: Any, seed: int) -> Any:
        return Noter(self, seed)


def test_hidden_cards_are_not_in_what_a_bot_is_asked() -> None:
    rng, changed = Random(5), 0
    for match in positions(range(6))[::3]:
        record, seat = match.state, int(match.seat or 0)
        twin = np.array([another_world(match.game, record[0], seat, rng)])
        changed += bool((twin["hands"] != record["hands"]).any())
        first, second = Curious(), Curious()
        for curious, states in ((first, record), (second, twin)):
            agent = OpenSpielAgent(curious)
            agent.reset(1)
            agent.act(view_of(match.game, states, seat))
        assert first.asked == second.asked
    assert changed > 80


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("openspiel", "'openspiel' lacks bot; write openspiel:BOT"),
        (
            "openspiel:ismct",
            "there is no bot openspiel:ismct; the closest is ismcts (known: ismcts, ismcts_py, ",
        ),
        ("openspiel:ismcts(simulations=3)", "openspiel:ismcts has no parameter 'simulations'; it has sims, uct_c"),
        ("openspiel:ismcts(sims=0)", "openspiel:ismcts: sims=0 is not possible; sims is a whole number above 0"),
        ("openspiel:ismcts(uct_c=nan)", "uct_c=nan is not possible; uct_c is a number above 0"),
        ("openspiel:ismcts(sims=many)", "sims=many is not possible; sims is a whole number above 0"),
        ("openspiel:random(seed=1)", "openspiel:random has no parameter 'seed'; it has none"),
        ("openspiel:ismcts(sims=3", "is not of the form"),
    ],
)
def test_bad_bots_are_told_in_one_line(spec: str, message: str) -> None:
    with pytest.raises(ValueError, match=r".") as error:
        make_agent(spec)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


BOTS_OF_XINXIN = """
import os, time
import pyspiel

class Bot(pyspiel.Bot):
    def __init__(self, way):
        super().__init__()
        self.way = way
    def provides_force_action(self):
        return False
    def step(self, state):
        if self.way == "sleeps" or (self.way == "sleeps once" and not os.path.exists("SLEPT")):
            open("SLEPT", "w").close()
            time.sleep(600)
        if self.way == "dies":
            os.abort()
        if self.way == "raises":
            raise LookupError("no card")
        print("a card, any card")
        return state.legal_actions()[-1]

pyspiel.make_xinxin_bot = lambda *settings: Bot("WAY")
"""
"""A `sitecustomize` that gives the process of a bot another xinxin."""


@pytest.fixture
def xinxin(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Agent:
    text = BOTS_OF_XINXIN.replace("WAY", request.param).replace("SLEPT", str(tmp_path / "slept"))
    (tmp_path / "sitecustomize.py").write_text(text)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))
    monkeypatch.setattr(pyspiel, "make_xinxin_bot", None, raising=False)
    return make_agent("openspiel(xinxin, time_ms=500)")


@pytest.mark.parametrize(
    ("xinxin", "faults"),
    [("plays", {}), ("sleeps", {"late": 3}), ("sleeps once", {"late": 1}), ("dies", {"died": 3})],
    indirect=["xinxin"],
)
def test_a_bot_that_does_not_come_to_an_end_is_ended(xinxin: Agent, faults: dict[str, int]) -> None:
    match, begun = he.Match("openspiel", seed=1), time.monotonic()
    view = match.view(int(match.seat or 0))
    chosen = [xinxin.act(view) for _ in range(3)]
    substituted = sum(faults.values())
    assert chosen[:substituted] == [view.legal()[0]] * substituted
    assert chosen[substituted:] == [view.legal()[-1]] * (3 - substituted)
    assert xinxin.faults == faults
    assert time.monotonic() - begun < 60


def test_without_openspiel_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    for ask in (lambda: make_agent("openspiel:random"), lambda: as_bot("rule", 0)):
        with pytest.raises(ValueError, match=r"not installed; install it with: pip install 'hearts-env\[openspiel\]'"):
            ask()


# Our agents among OpenSpiel's bots


def evaluate(state: Any, bots: list[Any], seed: int = 0) -> list[float]:
    """OpenSpiel's own loop."""
    from open_spiel.python.algorithms.evaluate_bots import evaluate_bots

    return list(evaluate_bots(state, bots, np.random.RandomState(seed)))  # what it asks for


def test_rule_beats_random_in_openspiels_own_loop() -> None:
    points = np.zeros(4)
    for seed in range(12):
        bots = [pyspiel.make_uniform_random_bot(player, seed) for player in range(4)]
        bots[seed % 4] = as_bot("rule", seed % 4)
        returns = evaluate(pyspiel.load_game("hearts").new_initial_state(), bots, seed)
        assert sum(26 - value for value in returns) in (26, 78)
        points += np.roll([26 - value for value in returns], -(seed % 4))
    assert points[0] < points[1:].mean() / 2


@pytest.mark.parametrize("names", [("rule",) * 4, ("random",) * 4, ("rule", "random", "rule", "random")], ids=str)
@pytest.mark.exhaustive
def test_a_deal_goes_the_same_way_here_and_there(names: tuple[str, ...]) -> None:
    agents = [make_agent(name) for name in names]
    for seed in range(6):
        match = he.Match("openspiel", seed=seed)
        state = to_pyspiel(match)
        evaluate(state, [as_bot(agent, player) for player, agent in enumerate(agents)])
        while match.seat is not None:
            match.play(agents[match.seat].act(match.view(match.seat)))
        assert state.history() == to_pyspiel(match).history()
        assert state.returns() == [26 - points for points in match.points]


def test_a_bot_has_the_policy_of_its_action() -> None:
    match = he.Match("openspiel", seed=6)
    state, bot = to_pyspiel(match), as_bot("rule", 0)
    policy, action = bot.step_with_policy(state)
    assert bot.provides_policy()
    assert policy == bot.get_policy(state) == [(one, float(one == action)) for one in state.legal_actions()]
    assert action == bot.step(state) == card_action(match.game.actions[int(make_agent("rule").act(match.view(0)))])
    with pytest.raises(ValueError, match="it is the turn of seat 0, not of seat 2"):
        as_bot("rule", 2).step(state)
    with pytest.raises(ValueError, match="player_id=4 is not a seat"):
        as_bot("rule", 4)
    with pytest.raises(ValueError, match="there is no agent 'rul'"):
        as_bot("rul", 0)
