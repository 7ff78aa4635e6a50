"""The kernel against the oracle beyond `tests.journey`: moons in a row, and rules nobody would write down."""

from random import Random

import hypothesis.strategies as st
import pytest
from hypothesis import given

import hearts_env as he
from tests.journey.test_journey import Visits
from tests.support.games import DRAWN, HALF
from tests.support.lockstep import play_matches, play_skewed


@pytest.mark.exhaustive
@pytest.mark.parametrize("effect", ["target=none, max_deals=40", "target=400, big_moon_effect=fixed100"])
def test_the_big_moon_takes_deals_in_a_row(effect: str) -> None:
    rules = he.rules(
        "rickety_kate(players=3, ranks=[Q,K,A], card_values={H:1}, passing.count=1,"
        f"opening.holder=AC, first_trick_forbidden=[], big_moon_deals=2, {effect})"
    )
    seen = play_matches(rules, Random(7), matches=8)
    assert 0 < seen["big moon"] < seen["everything taken"] / 2


@pytest.mark.exhaustive
@HALF
@given(DRAWN, st.integers(0, 2**32))
def test_drawn_rules(rules: he.Rules, seed: int) -> None:
    visits = Visits(Random(seed), most=4)
    play_matches(rules, Random(seed), matches=1, deals=3, visit=visits)
    seen = play_skewed(rules, Random(seed), starts=4, deals=2, visit=visits)
    assert seen.total(), "nothing that is counted happened"
