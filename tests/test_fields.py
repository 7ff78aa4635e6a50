"""No field of `Rules` is dead: for each there are two games that differ in it alone and play or score differently."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

import hearts_env as he
from hearts_env.rules import field_types
from tests.deals import SHAPES, anyhow, greedy, near_the_end
from tests.lockstep import seen_by, shadow


@dataclass(frozen=True)
class Pair:
    """A game, a change of one field, and what shows the difference first."""

    game: str
    change: Any
    shows: str


PAIRS: dict[str, Pair] = {
    "table.players": Pair("black_lady", 5, "hands"),
    "table.dealer_next": Pair("black_maria", "QS", "dealer"),
    "deck.ranks": Pair("black_lady", ["7", "8", "9", "T", "J", "Q", "K", "A"], "hands"),
    "deck.removal_order": Pair("black_lady(players=3)", ["2C"], "hands"),
    "opening.leader": Pair("black_lady(opening.card=any)", "left_of_dealer", "seat"),
    "opening.holder": Pair("black_lady", "2D", "seat"),
    "opening.card": Pair("black_lady", "any_of_suit", "legal"),
    "passing.count": Pair("black_lady", 2, "seat"),
    "passing.cycle": Pair("black_lady", ["left", "hold"], "phase"),
    "passing.schedule": Pair("black_lady", "random", "phase"),
    "passing.unpassable": Pair("black_lady", ["QS"], "legal"),
    "play.first_trick_forbidden": Pair("black_lady", [], "legal"),
    "play.heart_lead": Pair("black_lady", "free", "legal"),
    "play.break_by": Pair("black_lady", "hearts_or_qs", "legal"),
    "play.break_event": Pair("black_lady(break_by=hearts_or_qs)", "discarded", "legal"),
    "play.lead_exception": Pair("black_lady(ranks=[J,Q,K,A], passing.count=1)", "hearts_plus_penalty", "legal"),
    "score.card_values": Pair("black_lady", {"H": 1, "QS": 12}, "points"),
    "score.bonus_floor_hand": Pair("omnibus_hearts", True, "totals"),
    "score.bonus_floor_total": Pair("omnibus_hearts", True, "totals"),
    "score.no_tricks": Pair("black_lady", -5, "totals"),
    "score.no_tricks_on_moon": Pair("black_lady(no_tricks=-5, moon.mode=old)", True, "totals"),
    "moon.mode": Pair("black_lady(moon.mode=old)", "new", "totals"),
    "moon.policy": Pair("black_lady", "auto_best", "phase"),
    "moon.cards": Pair("black_lady(moon.mode=old, moon.amount=26)", ["H"], "totals"),
    "moon.amount": Pair("black_lady(moon.mode=old)", 13, "totals"),
    "moon.new_moon_min": Pair("black_lady", 50, "phase"),
    "moon.new_moon_who": Pair("black_lady(ranks=[J,Q,K,A], passing.count=1, new_moon_min=50)", "any", "phase"),
    "moon.requires_sun": Pair("black_lady(moon.mode=old)", True, "totals"),
    "moon.sun_skip_first": Pair("black_lady(moon.mode=old, requires_sun=true)", True, "totals"),
    "moon.sun_amount": Pair("black_lady(moon.mode=old)", 52, "totals"),
    "moon.big_moon_deals": Pair("rickety_kate(big_moon_effect=fixed100)", 1, "totals"),
    "moon.big_moon_effect": Pair("rickety_kate(big_moon_deals=1, target=none, max_deals=40)", "fixed100", "totals"),
    "end.target": Pair("black_lady", 50, "over"),
    "end.target_cmp": Pair("rickety_kate(ranks=[J,Q,K,A], passing.count=1)", "gt", "over"),
    "end.max_deals": Pair("black_lady", 3, "over"),
    "end.tie": Pair("rickety_kate(ranks=[J,Q,K,A], passing.count=1)", "continue", "over"),
    "end.exact": Pair("black_lady", {50: -50, 100: -50}, "totals"),
    "end.exact_optional": Pair("black_lady(exact={50:-50,100:-50})", True, "phase"),
}
PACK = {"table.players", "deck.ranks", "deck.removal_order"}
"""Fields that change the hands dealt."""
REFUSALS = {"deck.remainder"}
"""Fields that make no difference to a game, only to which games there are."""

PART_B_OR_C = {
    "deck.ranks": "A.12, A.24",
    "deck.remainder": "C remainder",
    "opening.holder": "B.20",
    "passing.count": "B.1",
    "passing.unpassable": "B.11",
    "play.break_event": "B.18",
    "play.lead_exception": "B.19",
    "score.bonus_floor_hand": "B.32",
    "score.bonus_floor_total": "B.32",
    "score.no_tricks": "B.35",
    "score.no_tricks_on_moon": "B.35",
    "moon.policy": "B.57",
    "moon.cards": "A.2 moon_requires_bonus, C moon_set",
    "moon.amount": "A.3, A.6, B.54",
    "moon.new_moon_min": "B.47",
    "moon.new_moon_who": "B.47",
    "moon.requires_sun": "B.52",
    "moon.sun_skip_first": "B.51",
    "moon.sun_amount": "B.50",
    "moon.big_moon_deals": "B.53",
    "moon.big_moon_effect": "B.53",
    "end.target_cmp": "B.38",
    "end.tie": "B.41",
    "end.exact": "B.34",
    "end.exact_optional": "B.34",
}
"""Options of the rulebook that no registered variant uses, and where it describes them."""


def test_every_field_has_a_pair() -> None:
    assert set(PAIRS) | REFUSALS == set(field_types())


def test_every_field_is_used_by_a_variant_or_is_an_option_of_the_rulebook() -> None:
    used = {path for variant in he.VARIANTS.values() for path in variant.build().flat() if path in variant.delta}
    plain = he.rules("black_lady").flat()
    assert all(
        variant.build().flat()[path] != plain[path] for variant in he.VARIANTS.values() for path in variant.delta
    )
    assert used | {"table.players"} | set(PART_B_OR_C) == set(field_types())
    assert not used & set(PART_B_OR_C)


@pytest.mark.parametrize("path", PAIRS)
def test_the_field_matters(path: str) -> None:
    pair = PAIRS[path]
    one = he.rules(pair.game)
    other = one.replace(**{path: pair.change})
    assert [name for name, value in one.flat().items() if value != other.flat()[name]] == [path]
    if path in PACK:
        assert pair.shows in _differences(he.Match(one, seed=1), he.Match(other, seed=1))
    else:
        assert any(pair.shows in _played_alike(one, other, Random(seed)) for seed in range(400))


def _differences(one: he.Match, other: he.Match) -> set[str]:
    left, right = seen_by(one), seen_by(other)
    return {name for name in left if left[name] != right[name]}


def _played_alike(one: he.Rules, other: he.Rules, rng: Random) -> set[str]:
    """Deal and play two games alike until something shows that they differ; what shows it."""
    hands = rng.choice(SHAPES)(one, rng)
    totals = rng.choice([near_the_end(one, rng), [40, 48, 37, 49]])
    deal_number, passing, dealer = rng.randrange(8), rng.random() < 0.3, rng.randrange(one.players)
    left, right = (
        he.Match.from_hands(
            rules, hands, totals=totals, deal_number=deal_number, passing=passing, dealer=dealer, seed=5
        )
        for rules in (one, other)
    )
    strong = max(range(one.players), key=lambda seat: sum(card[:-1] in "AKQ" for card in hands[seat]))
    policy = rng.choice([anyhow, greedy([strong])])
    oracle = shadow(left)
    while not (shown := _differences(left, right)):
        if left.over or left.deal_number > deal_number + 1:
            return set()
        action = policy(oracle, rng)
        left.play(action)
        right.play(action)
        oracle.play(action)
    return shown


def test_a_strict_pack_has_to_divide() -> None:
    assert he.rules("black_lady(players=5)").deck.remainder == "remove"
    with pytest.raises(ValueError, match="do not divide"):
        he.rules("black_lady(players=5, remainder=strict)")
    assert he.rules("black_lady(remainder=strict)") != he.rules("black_lady")
