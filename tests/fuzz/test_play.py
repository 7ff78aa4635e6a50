"""Rules composed at random, random play in compiled code; ``--hypothesis-profile night`` goes on for hours."""

from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import example, given

import hearts_env as he
from hearts_env.compiled.game import compile_game
from hearts_env.kernel import batch
from hearts_env.kernel.records import STATE
from tests.fuzz import play
from tests.journey.stops import seen
from tests.support.games import COVERING, DRAWN, HALF

KITTY_OF_SEVEN = he.rules(
    "black_lady(players=8, deck.added=[QS,JK], deck.remainder=kitty, deck.removal_order=[], deck.hand_size=5,"
    "deck.kitty_award=one_per_trick, opening.leader=left_of_dealer, opening.card=any, passing.count=1,"
    "passing.cycle=[left,right,hold], score.card_values={H:1}, end.exact={13:1,20:-20})"
)
"""Shares of the kitty added up to more than 1."""
GROWING_POOL = he.rules(
    "black_lady(players=3, deck.packs=2, deck.ranks=[8,9,J,Q,K,T,A], deck.added=[JK], deck.removal_order=[],"
    "opening.leader=left_of_dealer, opening.card=any, passing.count=1, passing.cycle=[right], score.card_values={H:1},"
    "score.chips=6, moon.mode=none, end.target=none, end.max_deals=30, end.tie=continue)"
)
"""Ties for the lead let the pool of chips grow beyond its bound."""


@pytest.mark.exhaustive
@HALF
@given(DRAWN, st.integers(0, 2**63))
@example(KITTY_OF_SEVEN, 2992585602621404590)
@example(GROWING_POOL, 3682840525109449147)
@example(he.rules("black_lady(better=magnitude, card_values={H:1i,QS:13i}, moon.mode=none)"), 1)
def test_random_play_of_random_rules_breaks_nothing(rules: he.Rules, seed: int) -> None:
    play.check(rules, seed)


def test_random_play_breaks_nothing() -> None:
    play.check(he.rules(max(COVERING, key=len)), seed=1)


# What must be found is found


def states_of(text: str, decisions: int) -> tuple[Any, Any]:
    game, states = compile_game(he.rules(text)), np.zeros(8, STATE)
    batch.start_all(states, game.tables, np.arange(8, dtype=np.uint64), 0, 0)
    batch.play_random(states, game.tables, np.uint64(1), 8 * decisions)
    return game, states


def test_a_card_too_many_is_noticed() -> None:
    game, states = states_of("black_lady(cycle=[hold])", 30)
    play.check_states(game, states)
    states["hands"][5, 1, 0] ^= np.uint64(4)
    with pytest.raises(AssertionError, match=r"the cards are not those of the pack .*1 of 8 states"):
        play.check_states(game, states)


@pytest.mark.parametrize("leak", ["hands", "seed"])
def test_an_observation_that_shows_something_hidden_is_noticed(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, states = states_of("black_lady", 20)
    rng = np.random.default_rng(1)
    play.perturb(game, states[0], 0, rng)
    monkeypatch.setattr(play, "seen", lambda game, record, seat: (*seen(game, record, seat), record[leak].tobytes()))
    with pytest.raises(AssertionError, match="seat 0 observes hidden cards"):
        play.perturb(game, states[0], 0, rng)


def test_a_number_derived_from_hidden_cards_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that stands in a public field, where dealing the hidden cards anew does not change it."""
    game, rng, right = compile_game(he.rules("black_lady")), np.random.default_rng(1), batch.step_all
    play.replay_deals(game, rng)

    def leaking(states: Any, *rest: Any) -> None:
        right(states, *rest)
        states["padding"][:, 0] = states["hands"][:, 1, 0] % 7

    monkeypatch.setattr(batch, "step_all", leaking)
    with pytest.raises(AssertionError, match="could tell worlds apart"):
        play.replay_deals(game, rng)
