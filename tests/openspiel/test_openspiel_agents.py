"""OpenSpiel both ways: its bots in our arena, our agents among its bots."""

import runpy
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import hearts_env as he
from hearts_agents import make_agent
from hearts_agents.arena import run_arena
from hearts_agents.openspiel import as_bot, openspiel_rules, to_pyspiel
from hearts_agents.openspiel.convert import card_action, state_of
from tests.support.worlds import skewed_hands

pyspiel: Any = pytest.importorskip("pyspiel")
RECIPE = Path(__file__).parents[2] / "training" / "recipes" / "openspiel_bot.py"


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
    return state_of(match.rules, str(match.direction), hands, [card for one in picks for card in one] + plays)


@pytest.mark.parametrize("any_club", [False, True])
@pytest.mark.exhaustive
def test_a_sampled_deal_agrees_with_what_the_seat_knows(any_club: bool) -> None:
    sample_deal, different = runpy.run_path(str(RECIPE))["sample_deal"], 0
    for number, match in enumerate(positions(range(8), can_lead_any_club=any_club)):
        seat = int(match.seat or 0)
        view = match.view(seat)
        state, real = state_of(match.rules, *sample_deal(view, number)), turned(match, seat)
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


@pytest.mark.exhaustive
@pytest.mark.release
def test_a_bot_plays_a_deal_as_an_external_program() -> None:
    result = run_arena(
        [f"exec:{sys.executable} {RECIPE} --bot ismcts_py --sims 2", "random"], "openspiel", 1, seatings="ladder"
    )
    assert result.agents[0].called == "OpenSpiel's ismcts_py"
    assert (result.agents[0].decisions, result.agents[0].faults) == (64, {})


def test_without_openspiel_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(ValueError, match=r"not installed; install it with: pip install 'hearts-env\[openspiel\]'"):
        as_bot("rule", 0)


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
