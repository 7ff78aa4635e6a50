"""The kernel against the oracle: every variant, every option, and rules nobody would write down."""

from __future__ import annotations

from random import Random

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

import hearts_env as he
from tests.support.games import OPTIONS, SEATS
from tests.support.lockstep import play_matches, play_skewed
from tests.support.strategies import drawn_rules


@pytest.mark.parametrize(("name", "players"), SEATS)
def test_matches_of_every_variant(name: str, players: int) -> None:
    seen = play_matches(he.rules(f"{name}(players={players})"), Random(players), matches=2)
    assert seen["heart led"]


@pytest.mark.parametrize(("name", "players"), SEATS)
def test_skewed_deals_of_every_variant(name: str, players: int) -> None:
    rules = he.rules(f"{name}(players={players})")
    wanted = {"no tricks"} if rules.trick.duplicates != "cancel" else {"dead trick"}
    wanted |= set(OFTEN.get(name, "everything taken, every trick").split(", ")) - {""}
    if name not in OFTEN:
        wanted |= {"no award"} if rules.moon.mode == "none" else {"shot"}
        wanted |= {"moon:self", "moon:others"} if rules.moon.mode == "choice" else set()
    wanted |= {"heart led by exception"} if rules.play.heart_lead == "broken" and rules.deck.packs == 1 else set()
    # Seventeen cards cannot all be penalty cards.
    wanted |= {"ban waived"} if rules.play.first_trick_forbidden and players > 3 and name not in OFTEN else set()
    seen = play_skewed(rules, Random(players), starts=14, wanted=wanted)
    assert wanted <= set(+seen)


OFTEN = {
    "joker_hearts": "joker instead of following, joker led",
    "booster_nines": "extended, shot",
    "turbo_hearts": "extended, shot, multiplied, shown card played, expose:QS",
    "heartsette": "kitty",
    "likha": "forced discard, shot, every trick",
    "gong_zhu": "alone, multiplied, every trick",
    "royal_hearts": "negated, shot",
    "complex_hearts": "multiplied, shot, moon:self, moon:others",
    "partnership_hearts": "together",
    "danger_hearts": "life lost, shot",
    "uk_black_lady": "",
    "incredu_hearts": "shot, moon:self, moon:others",
    "cancellation_hearts": "",
}
"""What skewed deals of a variant must show where its hands or tricks are not those of Basic Hearts."""


@pytest.mark.parametrize("text", OPTIONS)
def test_options(text: str) -> None:
    rules = he.rules(text)
    wanted = set(OPTIONS[text].split(", "))
    play_matches(rules, Random(1), matches=1, deals=3)
    assert wanted <= set(+play_skewed(rules, Random(2), starts=20, wanted=wanted))


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
@settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    # Fields drawn at random often contradict each other, and a match takes its time.
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
@given(drawn_rules(), st.integers(0, 2**32))
def test_drawn_rules(rules: he.Rules, seed: int) -> None:
    play_matches(rules, Random(seed), matches=1, deals=3)
    seen = play_skewed(rules, Random(seed), starts=4, deals=2)
    assert seen.total(), "nothing that is counted happened"
