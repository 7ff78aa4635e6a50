"""Hypothesis strategies: rules composed of fields that no variant puts together."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
from hypothesis import assume

import hearts_env as he

PACKS: list[list[str]] = [
    [],
    [],
    ["A"],
    ["Q", "A"],
    ["Q", "K", "A"],
    ["J", "Q", "K", "A"],
    ["9", "T", "J", "Q", "K", "A"],
    ["8", "9", "T", "J", "Q", "K", "A"],
    ["2", "T", "11", "12", "J", "Q", "K", "A"],
]
VALUES: list[dict[str, int]] = [
    {"H": 1, "QS": 13},
    {"H": 1, "QS": 13, "JD": -10},
    {"H": 1, "QS": 13, "KC": -7, "AD": -4},
    {"H": 1, "QS": 13, "KS": 10, "AS": 7},
    {"H": 1, "Q": 13},
    {"H": 2, "AH": 5, "QH": -3},
    {"QS": 5},
    {"A": 3, "Q": 2, "AH": -6},
    {"H": 1},
    {"H": -1, "QS": 4, "QD": 6},
    {"JD": -10, "KC": -10},
]
CYCLES: list[list[str]] = [
    [],
    ["hold"],
    ["left", "right", "hold"],
    ["right"],
    ["scatter"],
    ["across", "left*2"],
    ["left|right|hold"],
    ["left*1&right*2|across*2|scatter", "hold"],
    ["left*4&across*5&right*4"],
    ["+2*1", "-1*2", "left&right"],
]
PATTERNS = ["H", "QS", "JD", "C", "A", "K", "AC"]
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "table.dealer_next": st.sampled_from(["left", "QS", "AC", "AH", "KD"]),
    "opening.leader": st.sampled_from(["holder", "left_of_dealer"]),
    "opening.holder": st.sampled_from(["C", "D", "S", "H", "AC", "QS", "QH", "KD"]),
    "opening.card": st.sampled_from(["forced", "any_of_suit", "any"]),
    "passing.count": st.integers(1, 4),
    "passing.cycle": st.sampled_from(CYCLES),
    "passing.schedule": st.sampled_from(["cycle", "random"]),
    "passing.unpassable": st.lists(st.sampled_from(PATTERNS), max_size=3),
    "play.first_trick_forbidden": st.lists(st.sampled_from(PATTERNS), max_size=3),
    "play.heart_lead": st.sampled_from(["broken", "broken", "free"]),
    "play.break_by": st.sampled_from(["hearts", "hearts_or_qs", "any_penalty"]),
    "play.break_event": st.sampled_from(["played", "discarded"]),
    "play.lead_exception": st.sampled_from(["only_hearts", "hearts_plus_penalty"]),
    "score.card_values": st.sampled_from(VALUES),
    "score.bonus_floor_hand": st.booleans(),
    "score.bonus_floor_total": st.booleans(),
    "score.no_tricks": st.sampled_from([-5, -5, 7, 0]),
    "score.no_tricks_on_moon": st.booleans(),
    "moon.mode": st.sampled_from(["none", "old", "new", "choice", "choice", "new_if_old_loses", "fixed_self"]),
    "moon.policy": st.sampled_from(["ask", "auto_best"]),
    "moon.cards": st.lists(st.sampled_from(PATTERNS), max_size=2),
    "moon.amount": st.none() | st.sampled_from([26, 15, 0]),
    "moon.new_moon_min": st.none() | st.integers(0, 30),
    "moon.new_moon_who": st.sampled_from(["shooter", "any"]),
    "moon.requires_sun": st.booleans(),
    "moon.sun_skip_first": st.booleans(),
    "moon.sun_amount": st.none() | st.sampled_from([52, 39]),
    "moon.big_moon_deals": st.none() | st.integers(1, 3),
    "moon.big_moon_effect": st.sampled_from(["add_total", "fixed100"]),
    "end.target": st.none() | st.integers(10, 60) | st.just(100),
    "end.target_cmp": st.sampled_from(["ge", "gt"]),
    "end.max_deals": st.none() | st.integers(1, 6),
    "end.tie": st.sampled_from(["share", "continue"]),
    "end.exact": st.sampled_from([{}, {50: -50, 100: -50}, {20: -20, 13: 1}, {-10: 10}, {0: 5, 13: -13, 1: -1}]),
    "end.exact_optional": st.booleans(),
}


@st.composite
def packs(draw: st.DrawFn) -> dict[str, Any]:
    """A number of seats and a pack that divides among them, as changes to a variant."""
    players = draw(st.integers(3, 8))
    ranks = draw(st.sampled_from(PACKS)) or list("23456789TJQKA")
    surplus = 4 * len(ranks) % players
    removable = [rank + suit for rank in ranks for suit in "CDHS"]
    assume(len(removable) >= players)
    removed = draw(st.permutations(removable[: max(8, surplus)]))[:surplus]
    return {"players": players, "deck.ranks": ranks, "deck.removal_order": removed}


@st.composite
def drawn_rules(draw: st.DrawFn) -> he.Rules:
    """Rules of a random variant with a random pack and a few random fields; contradictions are drawn again."""
    variant = he.VARIANTS[draw(st.sampled_from(sorted(he.VARIANTS)))]
    changes: dict[str, Any] = {}
    if draw(st.booleans()):
        changes |= draw(packs())
        # The variant's own cards may not be in this pack, its moves may be too many for these hands.
        changes["score.card_values"] = draw(FIELDS["score.card_values"])
        changes["passing.cycle"] = draw(FIELDS["passing.cycle"])
        changes["passing.count"] = 1
    else:
        changes["players"] = draw(st.sampled_from(variant.players))
    chosen = draw(st.lists(st.sampled_from(sorted(FIELDS)), max_size=8, unique=True))
    changes |= {path: draw(FIELDS[path]) for path in chosen}
    _settle(changes)
    try:
        return variant.build(changes.pop("players"), **changes)
    except ValueError:
        assume(False)
        raise


def _settle(changes: dict[str, Any]) -> None:
    """Fill in what a drawn field needs, so that fewer draws contradict themselves."""
    if changes.get("moon.big_moon_deals") is not None:
        changes |= {"moon.mode": "none", "moon.big_moon_effect": "fixed100"}
    if changes.get("moon.new_moon_min") is not None:
        changes["moon.mode"] = "choice"
    if changes.get("end.target", 1) is None and changes.get("end.max_deals") is None:
        changes["end.max_deals"] = 3
    if changes.get("end.exact_optional") and not changes.get("end.exact"):
        changes["end.exact"] = {50: -50, 100: -50}
    if changes.get("opening.leader") == "left_of_dealer":
        changes["opening.card"] = "any"
    if changes.get("moon.sun_skip_first") and changes.get("moon.sun_amount") is None:
        changes["moon.requires_sun"] = True
    if changes.get("moon.requires_sun") or changes.get("moon.sun_amount") is not None:
        changes.setdefault("moon.mode", "old")
