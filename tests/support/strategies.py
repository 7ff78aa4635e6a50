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
    ["8", "9", "J", "Q", "K", "T", "A"],
    ["A", "9", "T", "Q", "11", "K"],
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
    {"H": 0, "QS": 13, "TC": 2},
    {"H": 1, "QS": 13, "JK": 5},
]
GAUSSIAN: list[dict[str, int | complex]] = [
    {"H": 1, "QS": 13j, "JD": -10},
    {"H": 1j, "QS": 13},
    {"H": 1, "QS": complex(3, -2), "AD": complex(-4, 1)},
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
    ["pool", "pool*1"],
    ["pool*2|left|hold"],
]
PATTERNS = ["H", "QS", "JD", "C", "A", "K", "AC"]
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "table.dealer_next": st.sampled_from(["left", "QS", "AC", "AH", "KD"]),
    "table.direction": st.sampled_from([1, -1]),
    "opening.taker": st.none() | st.sampled_from(["QS", "AH"]),
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
    "play.first_trick_scope": st.sampled_from(["any_play", "discard"]),
    "play.forced_discard": st.lists(st.sampled_from(["QS", "KD", "H"]), max_size=2),
    "trick.duplicates": st.sampled_from(["first", "last", "cancel"]),
    "trick.exceptions": st.sampled_from([{}, {"QS": "first"}, {"H": "last", "A": "first"}]),
    "trick.dead_trick": st.sampled_from(["no_live_card", "two_pairs"]),
    "trick.dead_last_trick": st.sampled_from(["leader", "second_of_top_pair"]),
    "trick.extend_rank": st.none() | st.sampled_from(["Q", "K", "9"]),
    "trick.extend_when": st.sampled_from(["any", "led_suit"]),
    "jokers.play": st.sampled_from(["any", "void_only"]),
    "jokers.lead": st.sampled_from(["never", "call", "next_card"]),
    "jokers.scores": st.sampled_from(["always", "heart_trick"]),
    "exposing.cards": st.sampled_from([{}, {"AH": "H", "QS": "QS"}, {"QS": "H", "KS": "QS", "AC": "Q"}]),
    "exposing.factor": st.sampled_from([2, 3]),
    "exposing.lock": st.booleans(),
    "score.better": st.sampled_from(["low", "low", "low", "high", "magnitude", "real"]),
    "score.card_values": st.sampled_from(VALUES),
    "score.negations": st.sampled_from([{}, {"KC": "QS"}, {"AC": "H", "KD": "A"}]),
    "score.multipliers": st.sampled_from([{}, {"KC": "2"}, {"QH": "2@H", "KC": "-1"}, {"AD": "3@S", "KS": "3"}]),
    "score.alone": st.sampled_from([{}, {}, {"KC": 50}]),
    "score.sweeps": st.sampled_from([{}, {"H": "H"}, {"H": "H", "H+QS": "QS"}, {"A": "Q"}]),
    "score.no_hearts": st.sampled_from([0, 1, -3]),
    "score.no_hearts_on_moon": st.booleans(),
    "score.pledge": st.none() | st.sampled_from([10, 3]),
    "score.bonus_floor_hand": st.booleans(),
    "score.bonus_floor_total": st.booleans(),
    "score.no_tricks": st.sampled_from([-5, -5, 7, 0]),
    "score.no_tricks_on_moon": st.booleans(),
    "moon.mode": st.sampled_from(
        ["none", "old", "old", "new", "choice", "choice", "new_if_old_loses", "fixed_self", "reset_or_double"]
    ),
    "moon.scope": st.sampled_from(["player", "team"]),
    "moon.least": st.sampled_from([{}, {}, {"QS": 1}, {"QS": 1, "AC": 1}]),
    "moon.others_score": st.booleans(),
    "moon.multiplied": st.booleans(),
    "moon.sign": st.sampled_from(["plus", "hurts"]),
    "moon.extends": st.sampled_from(["off", "until_next_moon", "until_moonless_deal"]),
    "moon.clean_slate": st.booleans(),
    "moon.punish": st.none() | st.just(52),
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
    "end.lower_target": st.none() | st.integers(-60, -5),
    "end.lives": st.none() | st.integers(1, 2),
    "end.life_threshold": st.sampled_from([1, 5, 15]),
    "end.lives_out": st.sampled_from(["end", "rank_last", "eliminate"]),
    "end.target_cmp": st.sampled_from(["ge", "gt"]),
    "end.max_deals": st.none() | st.integers(1, 6),
    "end.tie": st.sampled_from(["share", "continue"]),
    "end.exact": st.sampled_from([{}, {50: -50, 100: -50}, {20: -20, 13: 1}, {-10: 10}, {0: 5, 13: -13, 1: -1}]),
    "end.exact_optional": st.booleans(),
}


JOKERS: list[list[str]] = [[], [], ["JK"], ["JK", "JK"], ["0C"], ["0C", "0D", "JK", "JK", "JK"]]


@st.composite
def packs(draw: st.DrawFn) -> dict[str, Any]:
    """A number of seats and a pack that divides among them, as changes to a variant."""
    players = draw(st.integers(3, 8))
    ranks = draw(st.sampled_from(PACKS)) or list("23456789TJQKA")
    changes: dict[str, Any] = {"players": players, "deck.ranks": ranks, "deck.packs": draw(st.sampled_from([1, 1, 2]))}
    added = draw(st.sampled_from(JOKERS)) + ["QS"] * draw(st.sampled_from([0, 0, 0, 1]))
    cards = 4 * len(ranks) * changes["deck.packs"] + len(added)
    assume(cards // players >= 2)
    changes |= {"deck.added": added, "deck.removed": [], "deck.remainder": "remove", "deck.hand_size": None}
    way = draw(st.sampled_from(["remove", "remove", "kitty", "jokers"]))
    if way == "remove":
        removable = [rank + suit for rank in ranks for suit in "CDHS"]
        removed = draw(st.permutations(removable[: max(8, players)]))[: cards % players]
        return changes | {"deck.removal_order": removed}
    changes |= {"deck.remainder": way, "deck.removal_order": []}
    if way == "kitty":
        award = st.sampled_from(["first_trick", "first_penalty", "one_per_trick", "out_of_play"])
        fewer = draw(st.sampled_from([None, cards // players - 1]))
        changes |= {"deck.kitty_award": draw(award), "deck.hand_size": fewer}
    return changes


@st.composite
def drawn_rules(draw: st.DrawFn) -> he.Rules:
    """Rules of a random variant with a random pack and a few random fields; contradictions are drawn again."""
    variant = he.VARIANTS[draw(st.sampled_from(sorted(he.VARIANTS)))]
    changes: dict[str, Any] = {}
    players = draw(st.sampled_from(variant.players))
    if draw(st.booleans()):
        changes |= draw(packs())
        players = changes.pop("players")
        # The variant's own cards may not be in this pack, its moves may be too many for these hands.
        variant = he.VARIANTS["black_lady"]
        changes["score.card_values"] = draw(FIELDS["score.card_values"])
        changes["passing.cycle"] = draw(FIELDS["passing.cycle"])
        changes["passing.count"] = 1
        if draw(st.booleans()) or changes["deck.packs"] > 1:
            changes |= {"opening.leader": "left_of_dealer", "opening.card": "any"}
    if players % 2 == 0 and draw(st.booleans()):
        changes["table.teams"] = draw(st.sampled_from(_teams(players)))
        changes["table.team_scoring"] = draw(st.sampled_from(["sum", "individual"]))
    if draw(st.sampled_from([False] * 12 + [True])):
        changes |= _chips(draw)
    try:
        rules = variant.build(players, **changes)
    except ValueError:
        assume(False)
        raise
    # One field after the other, each with what it needs; those that contradict the ones before are left out.
    for path in draw(st.lists(st.sampled_from(sorted(FIELDS)), min_size=3, max_size=12, unique=True)):
        more = changes | {path: draw(FIELDS[path])}
        _settle(draw, more)
        try:
            rules, changes = variant.build(players, **more), more
        except ValueError:
            continue
    return rules


def _teams(players: int) -> list[list[str]]:
    half = players // 2
    opposite = [f"{seat}+{seat + half}" for seat in range(half)]
    by_turns = ["+".join(map(str, range(start, players, 2))) for start in (0, 1)]
    return [opposite, by_turns]


def _chips(draw: st.DrawFn) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "moon.mode": "none",
        "end.target": None,
        "end.lower_target": None,
        "end.exact": {},
        "end.lives": None,
    }
    plain |= {"score.no_tricks": 0, "score.no_hearts": 0, "score.pledge": None, "moon.big_moon_deals": None}
    plain |= {"table.teams": [], "end.exact_optional": False, "score.better": "low", "end.max_deals": 30}
    return plain | {"score.chips": draw(st.integers(1, 6))}


def _settle(draw: st.DrawFn, changes: dict[str, Any]) -> None:
    """Fill in what a drawn field needs, so that fewer draws contradict themselves."""
    _settle_scores(draw, changes)
    _settle_moon(changes)
    _settle_end(changes)
    if changes.get("opening.leader") == "left_of_dealer":
        changes["opening.card"] = "any"
    if changes.get("trick.extend_rank") is None:
        changes["trick.extend_when"] = "any"


PLAIN: dict[str, Any] = {
    "end.lives": None,
    "moon.new_moon_min": None,
    "moon.big_moon_deals": None,
    "moon.punish": None,
    "score.bonus_floor_hand": False,
    "score.bonus_floor_total": False,
}
"""What only games of low whole numbers have."""


def _settle_scores(draw: st.DrawFn, changes: dict[str, Any]) -> None:
    better = changes.get("score.better", "low")
    if better != "low":
        changes |= PLAIN
    if better in ("magnitude", "real"):
        changes |= {"score.card_values": draw(st.sampled_from(GAUSSIAN)), "score.pledge": None, "table.teams": []}
        changes |= {"end.exact": {}, "end.exact_optional": False, "end.lower_target": None, "end.target": 25}
    if better == "high":
        changes |= {"score.card_values": {"H": -1, "QS": -13, "JD": 10}, "end.target": None}
        changes["end.lower_target"] = draw(st.integers(-60, -10))
    if changes.get("score.alone"):
        changes |= {"score.multipliers": {"KC": "2"}, "score.card_values": VALUES[0]}


def _settle_moon(changes: dict[str, Any]) -> None:
    if changes.get("moon.big_moon_deals") is not None:
        changes |= {"moon.mode": "none", "moon.big_moon_effect": "fixed100"}
    if changes.get("moon.new_moon_min") is not None:
        changes["moon.mode"] = "choice"
    if changes.get("moon.extends", "off") != "off":
        changes |= {"moon.mode": "old", "end.max_deals": 9}
        if changes.get("end.target", 1) is None and changes.get("end.lower_target") is None:
            changes["end.target"] = 30
    if changes.get("moon.sun_skip_first") and changes.get("moon.sun_amount") is None:
        changes["moon.requires_sun"] = True
    if changes.get("moon.least"):
        changes |= {"moon.cards": [], "moon.amount": None}
    if not changes.get("table.teams"):
        changes["moon.scope"] = "player"
    suns = ("moon.requires_sun", "moon.sun_amount", "moon.clean_slate", "moon.punish")
    if any(changes.get(path) not in (None, False) for path in suns):
        changes.setdefault("moon.mode", "old")


def _settle_end(changes: dict[str, Any]) -> None:
    if changes.get("end.lives") is None:
        changes |= {"end.life_threshold": 15, "end.lives_out": "end", "end.lives": None}
    else:
        changes.setdefault("end.max_deals", 4)
    if changes.get("end.target", 1) is None and changes.get("end.max_deals") is None:
        changes["end.max_deals"] = 3
    if changes.get("end.exact_optional") and not changes.get("end.exact"):
        changes["end.exact"] = {50: -50, 100: -50}
