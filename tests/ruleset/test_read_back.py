"""The text of rules reads back equal, equal games compare equal, and no text brings anything but a RulesError."""

from collections.abc import Callable
from functools import partial
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hearts_env as he
from hearts_env.errors import RulesError
from hearts_env.ruleset.model import field_types

FEW = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


# Equal games


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("black_lady(card_values={QS:13,H:1})", "black_lady"),
        ("omnibus_hearts(card_values={JD:-10,QS:13,H:1})", "omnibus_hearts"),
        ("black_lady(card_values={H:1,QS:13,JD:-10})", "omnibus_hearts"),
        ("black_lady(card_values={QH:5,H:1,QS:13})", "black_lady"),
        ("black_lady(card_values={H:3,QS:1,H:1,QS:13})", "black_lady"),
        ("black_lady(card_values={Q:1,H:1,QS:13})", "black_lady(card_values={H:1,Q:1,QS:13})"),
        ("black_lady(cycle=[left,right,across,hold])", "black_lady"),
        ("black_lady(cycle=[+1,-1,+2,hold])", "black_lady"),
        ("black_lady(cycle=[left*3,right*3,across,hold])", "black_lady"),
        ("black_lady(players=5, cycle=[left,right,+2,-2,hold])", "black_lady(players=5)"),
        ("incredu_hearts(cycle=[left*5,right*5,across*5,hold])", "incredu_hearts"),
        ("greek_hearts(cycle=[left,right,across,hold])", "greek_hearts(cycle=[])"),
        ("black_lady(exact={100:-50,50:-50})", "black_lady(exact={50:-50,100:-50})"),
        ("black_lady(multipliers={TC:2,9C:+3})", "black_lady(multipliers={9C:3,TC:02})"),
        ("black_lady(sweeps={QS+H:QS})", "black_lady(sweeps={H+QS:QS})"),
        ("black_lady(negations={QC:QS,KC:H})", "black_lady(negations={KC:H,QC:QS})"),
        ("black_lady(exposing.cards={QS:QS,AH:H})", "black_lady(exposing.cards={AH:H,QS:QS})"),
        ("incredu_hearts(moon.least={QS:1,H:18})", "incredu_hearts"),
        ("incredu_hearts(trick.exceptions={A:last,QS:last})", "incredu_hearts(trick.exceptions={QS:last,A:last})"),
        ("black_lady(unpassable=[QH,H])", "black_lady(unpassable=[H])"),
        ("black_lady(locked={qs:play,QS:lead,S:lead})", "black_lady(locked={S:lead,QS:play})"),
        ("black_lady(locked={QS:lead,S:play})", "black_lady(locked={S:play})"),
        ("black_lady(added=[JK,0C,0D,JK])", "black_lady(added=[0C,0D,JK,JK])"),
        ("cancellation_hearts(players=6, removed=[2D,2C])", "cancellation_hearts(players=6)"),
    ],
)
def test_two_ways_to_say_the_same_game(one: str, other: str) -> None:
    left, right = he.rules(one), he.rules(other)
    assert (left, hash(left)) == (right, hash(right))
    assert left.variant is not right.variant or str(left) == str(right)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("black_lady(card_values={H:1,QH:5,QS:13})", "black_lady(card_values={QH:5,H:1,QS:13})"),
        ("black_lady(card_values={Q:13,H:1})", "black_lady(card_values={H:1,Q:13})"),
        ("black_lady(card_values={Q:13,H:1,2C:0})", "black_lady(card_values={H:1,Q:13,2C:0})"),
        ("black_lady(cycle=[right,left,across,hold])", "black_lady"),
        ("black_lady(cycle=[left*2,right,across,hold])", "black_lady"),
        ("black_lady(cycle=[left,right,across])", "black_lady"),
        ("black_lady(multipliers={TC:2})", "black_lady(multipliers={TC:2@H})"),
        ("black_lady(players=5, removal_order=[2D,2C])", "black_lady(players=5, removal_order=[2C,2D])"),
    ],
)
def test_order_is_kept_where_it_matters(one: str, other: str) -> None:
    assert he.rules(one) != he.rules(other)


# Nonsense


def _rules_or_a_line(make: Callable[[], he.Rules]) -> None:
    try:
        rules = make()
    except RulesError as error:
        message = str(error)
    else:
        message = ""
        assert he.rules(str(rules)) == rules
    assert "\n" not in message
    assert len(message) < 1000


WORDS = (
    "black_lady gong_zhu ( ) [ ] { } , = : + * & | @ ' players self target -1 4 H QS JK left none i pool card_values"
)
PIECES = [*WORDS.split(), "card_values", "\n", " ", "\u0663", "\u00b2", "9" * 400]


@pytest.mark.exhaustive
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=14), seed=st.integers(0, 2**32))
@settings(FEW, max_examples=400)
def test_any_text_brings_rules_or_a_line(pieces: list[str], seed: int) -> None:
    rng = Random(seed)
    path = rng.choice(sorted(field_types()))
    for text in ("".join(pieces), f"black_lady({''.join(pieces)})", f"incredu_hearts({path}={''.join(pieces)})"):
        _rules_or_a_line(partial(he.rules, text))
