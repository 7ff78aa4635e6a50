"""Every field of `Rules`, once: a change that shows, the values to draw at random, and the place in RULES.md."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import hypothesis.strategies as st


@dataclass(frozen=True)
class Field:
    """A field of the rules.

    Attributes:
        game: a game in which it matters.
        change: another value there.
        shows: what shows the difference first, an attribute of `Match`; "refusal" if there is no such game.
        draws: values for rules drawn at random, None where other fields have to change along with it.
        source: where RULES.md describes a field that no registered variant uses.
    """

    game: str
    change: Any
    shows: str
    draws: st.SearchStrategy[Any] | None = None
    source: str = ""


DOUBLE = "players=6, packs=2, ranks=[Q,K,A], passing.count=1, leader=left_of_dealer, opening.card=any"
"""Twenty-four cards, four in a hand: identical cards meet often."""
SHORT = "ranks=[J,Q,K,A], passing.count=1"
"""Sixteen cards, four in a hand: moons are frequent."""
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
FIELDS: dict[str, Field] = {
    "table.players": Field("black_lady", 5, "hands"),
    "table.direction": Field("black_maria", -1, "seat", draws=st.sampled_from([1, -1])),
    "table.dealer_next": Field("black_maria", "QS", "dealer", draws=st.sampled_from(["left", "QS", "AC", "AH", "KD"])),
    "table.teams": Field("black_lady", ["0+2", "1+3"], "ranking"),
    "table.team_scoring": Field("partnership_hearts", "individual", "ranking"),
    "deck.packs": Field("black_maria", 2, "hands"),
    "deck.ranks": Field("black_lady", ["7", "8", "9", "T", "J", "Q", "K", "A"], "hands"),
    "deck.added": Field("black_lady", ["JK"] * 4, "hands"),
    "deck.removed": Field("heartsette(players=5)", ["2S"], "hands"),
    "deck.remainder": Field("black_lady(players=5)", "strict", "refusal"),
    "deck.removal_order": Field("black_lady(players=3)", ["2C"], "hands"),
    "deck.hand_size": Field("heartsette", 11, "hands"),
    "deck.kitty_award": Field("heartsette", "out_of_play", "totals"),
    "opening.leader": Field(
        "black_lady(opening.card=any)", "left_of_dealer", "seat", draws=st.sampled_from(["holder", "left_of_dealer"])
    ),
    "opening.holder": Field(
        "black_lady", "2D", "seat", draws=st.sampled_from(["C", "D", "S", "H", "AC", "QS", "QH", "KD"])
    ),
    "opening.card": Field(
        "black_lady", "any_of_suit", "legal", draws=st.sampled_from(["forced", "any_of_suit", "any"])
    ),
    "opening.taker": Field("black_maria", "QS", "seat", draws=st.none() | st.sampled_from(["QS", "AH"])),
    "passing.count": Field("black_lady", 2, "seat", draws=st.integers(1, 4)),
    "passing.cycle": Field("black_lady", ["left", "hold"], "phase", draws=st.sampled_from(CYCLES)),
    "passing.schedule": Field("black_lady", "random", "phase", draws=st.sampled_from(["cycle", "random"])),
    "passing.unpassable": Field(
        "black_lady", ["QS"], "legal", draws=st.lists(st.sampled_from(PATTERNS), max_size=3), source="B.11"
    ),
    "passing.refusable": Field("black_lady", ["QS"], "phase", source="B.12"),
    "passing.to_partner": Field("partnership_hearts(cycle=[across])", False, "refusal"),
    "play.first_trick_forbidden": Field(
        "black_lady", [], "legal", draws=st.lists(st.sampled_from(PATTERNS), max_size=3)
    ),
    "play.first_trick_scope": Field(
        "hooligan_hearts(first_trick_forbidden=[H,QS,7C])",
        "discard",
        "legal",
        draws=st.sampled_from(["any_play", "discard"]),
        source="C first_trick_scope",
    ),
    "play.heart_lead": Field("black_lady", "free", "legal", draws=st.sampled_from(["broken", "broken", "free"])),
    "play.break_by": Field(
        "black_lady", "hearts_or_qs", "legal", draws=st.sampled_from(["hearts", "hearts_or_qs", "any_penalty"])
    ),
    "play.break_event": Field(
        "black_lady(break_by=hearts_or_qs)", "discarded", "legal", draws=st.sampled_from(["played", "discarded"])
    ),
    "play.lead_exception": Field(
        f"black_lady({SHORT})",
        "hearts_plus_penalty",
        "legal",
        draws=st.sampled_from(["only_hearts", "hearts_plus_penalty"]),
    ),
    "play.forced_discard": Field(
        "black_lady", ["QS"], "legal", draws=st.lists(st.sampled_from(["QS", "KD", "H"]), max_size=2)
    ),
    "trick.duplicates": Field(
        f"black_lady({DOUBLE})", "first", "leader", draws=st.sampled_from(["first", "last", "cancel"])
    ),
    "trick.exceptions": Field(
        f"black_lady({DOUBLE})",
        {"A": "first"},
        "leader",
        draws=st.sampled_from([{}, {"QS": "first"}, {"H": "last", "A": "first"}]),
    ),
    "trick.dead_trick": Field(
        f"black_lady({DOUBLE}, duplicates=cancel)",
        "two_pairs",
        "taken",
        draws=st.sampled_from(["no_live_card", "two_pairs"]),
    ),
    "trick.dead_last_trick": Field(
        f"rickety_kate({DOUBLE}, duplicates=cancel)",
        "second_of_top_pair",
        "totals",
        draws=st.sampled_from(["leader", "second_of_top_pair"]),
        source="A.15",
    ),
    "trick.extend_rank": Field("black_lady", "9", "trick", draws=st.none() | st.sampled_from(["Q", "K", "9"])),
    "trick.extend_when": Field("booster_nines", "led_suit", "trick", draws=st.sampled_from(["any", "led_suit"])),
    "jokers.play": Field(
        "joker_hearts", "void_only", "legal", draws=st.sampled_from(["any", "void_only"]), source="B.23"
    ),
    "jokers.lead": Field(
        "joker_hearts", "next_card", "legal", draws=st.sampled_from(["never", "call", "next_card"]), source="B.25"
    ),
    "jokers.scores": Field(
        "joker_hearts(card_values={H:1,QS:13,JK:5})",
        "heart_trick",
        "points",
        draws=st.sampled_from(["always", "heart_trick"]),
        source="B.26",
    ),
    "exposing.cards": Field(
        "rickety_kate",
        {"QS": "QS"},
        "phase",
        draws=st.sampled_from([{}, {"AH": "H", "QS": "QS"}, {"QS": "H", "KS": "QS", "AC": "Q"}]),
    ),
    "exposing.factor": Field(
        "rickety_kate(exposing.cards={QS:QS,AH:H})", 3, "points", draws=st.sampled_from([2, 3]), source="A.16"
    ),
    "exposing.lock": Field(
        "rickety_kate(exposing.cards={QS:QS,AH:H})", False, "legal", draws=st.booleans(), source="A.16"
    ),
    "score.better": Field(
        "rickety_kate(max_deals=9)",
        "high",
        "ranking",
        draws=st.sampled_from(["low", "low", "low", "high", "magnitude", "real"]),
    ),
    "score.card_values": Field("black_lady", {"H": 1, "QS": 12}, "points", draws=st.sampled_from(VALUES)),
    "score.negations": Field(
        "black_lady", {"QC": "QS"}, "points", draws=st.sampled_from([{}, {"KC": "QS"}, {"AC": "H", "KD": "A"}])
    ),
    "score.multipliers": Field(
        "black_lady",
        {"TC": "2"},
        "points",
        draws=st.sampled_from([{}, {"KC": "2"}, {"QH": "2@H", "KC": "-1"}, {"AD": "3@S", "KS": "3"}]),
    ),
    "score.alone": Field(
        "black_lady(multipliers={TC:2})", {"TC": 50}, "points", draws=st.sampled_from([{}, {}, {"KC": 50}])
    ),
    "score.sweeps": Field(
        "black_lady",
        {"2H+3H": "H"},
        "points",
        draws=st.sampled_from([{}, {"H": "H"}, {"H": "H", "H+QS": "QS"}, {"A": "Q"}]),
    ),
    "score.tricks": Field(
        "black_lady",
        {"each": 1},
        "totals",
        draws=st.sampled_from([{}, {"each": 1}, {"first": 3, "last": -5}]),
        source="C",
    ),
    "score.sets": Field(
        "black_lady",
        {"AS+KS": 5},
        "totals",
        draws=st.sampled_from([{}, {"AS+KS": 5}, {"first+last+QC": 2, "each": -7}]),
        source="C",
    ),
    "score.bonus_floor_hand": Field("omnibus_hearts", True, "totals", draws=st.booleans(), source="B.32"),
    "score.bonus_floor_total": Field("omnibus_hearts", True, "totals", draws=st.booleans(), source="B.32"),
    "score.no_tricks": Field("black_lady", -5, "totals", draws=st.sampled_from([-5, -5, 7, 0])),
    "score.no_tricks_on_moon": Field(
        "black_lady(no_tricks=-5, moon.mode=old)", True, "totals", draws=st.booleans(), source="B.35"
    ),
    "score.no_hearts": Field("black_lady", 1, "totals", draws=st.sampled_from([0, 1, -3])),
    "score.no_hearts_on_moon": Field("math_team_hearts", False, "totals", draws=st.booleans(), source="A.8"),
    "score.pledge": Field("black_lady", 10, "phase", draws=st.none() | st.sampled_from([10, 3]), source="B.36"),
    "score.chips": Field("rickety_kate(target=none, max_deals=9)", 25, "totals", source="B.37"),
    "moon.mode": Field(
        "black_lady(moon.mode=old)",
        "new",
        "totals",
        draws=st.sampled_from(
            ["none", "old", "old", "new", "choice", "choice", "new_if_old_loses", "fixed_self", "reset_or_double"]
        ),
    ),
    "moon.policy": Field(
        "black_lady", "auto_best", "phase", draws=st.sampled_from(["ask", "auto_best"]), source="B.57"
    ),
    "moon.scope": Field("partnership_hearts", "player", "totals", draws=st.sampled_from(["player", "team"])),
    "moon.cards": Field(
        "black_lady(moon.mode=old, moon.amount=26)",
        ["H"],
        "totals",
        draws=st.lists(st.sampled_from(PATTERNS), max_size=2),
    ),
    "moon.least": Field(
        "black_lady(moon.mode=old)",
        {"H": 7, "QS": 1},
        "totals",
        draws=st.sampled_from([{}, {}, {"QS": 1}, {"QS": 1, "AC": 1}]),
    ),
    "moon.amount": Field("black_lady(moon.mode=old)", 13, "totals", draws=st.none() | st.sampled_from([26, 15, 0])),
    "moon.others_score": Field(
        f"black_lady({SHORT}, moon.mode=old, card_values={{H:1,QS:13,JD:-10}})",
        False,
        "totals",
        draws=st.booleans(),
        source="A.9",
    ),
    "moon.multiplied": Field(
        "black_lady(moon.mode=old, multipliers={TC:2})", False, "totals", draws=st.booleans(), source="A.10"
    ),
    "moon.sign": Field(
        "complex_hearts", "hurts", "totals", draws=st.sampled_from(["plus", "hurts", "chosen"]), source="A.10"
    ),
    "moon.new_moon_min": Field("black_lady", 50, "phase", draws=st.none() | st.integers(0, 30), source="B.47"),
    "moon.new_moon_who": Field(
        f"black_lady({SHORT}, new_moon_min=50)",
        "any",
        "phase",
        draws=st.sampled_from(["shooter", "any"]),
        source="B.47",
    ),
    "moon.extends": Field(
        f"black_lady({SHORT}, moon.mode=old)",
        "until_moonless_deal",
        "over",
        draws=st.sampled_from(["off", "until_next_moon", "until_moonless_deal"]),
        source="B.46",
    ),
    "moon.requires_sun": Field("black_lady(moon.mode=old)", True, "totals", draws=st.booleans(), source="B.52"),
    "moon.sun_skip_first": Field(
        "black_lady(moon.mode=old, requires_sun=true)", True, "totals", draws=st.booleans(), source="B.51"
    ),
    "moon.sun_amount": Field("black_lady(moon.mode=old)", 52, "totals", draws=st.none() | st.sampled_from([52, 39])),
    "moon.clean_slate": Field("black_lady(moon.mode=old)", True, "totals", draws=st.booleans(), source="B.49"),
    "moon.punish": Field(
        f"black_lady({SHORT}, moon.mode=old)", 52, "totals", draws=st.none() | st.just(52), source="B.48"
    ),
    "moon.big_moon_deals": Field(
        "rickety_kate(big_moon_effect=fixed100)", 1, "totals", draws=st.none() | st.integers(1, 3)
    ),
    "moon.big_moon_effect": Field(
        "rickety_kate(big_moon_deals=1, target=none, max_deals=40)",
        "fixed100",
        "totals",
        draws=st.sampled_from(["add_total", "fixed100"]),
        source="B.53",
    ),
    "end.target": Field("black_lady", 50, "over", draws=st.none() | st.integers(10, 60) | st.just(100)),
    "end.target_cmp": Field(f"rickety_kate({SHORT})", "gt", "over", draws=st.sampled_from(["ge", "gt"])),
    "end.lower_target": Field("omnibus_hearts", -10, "over", draws=st.none() | st.integers(-60, -5)),
    "end.max_deals": Field("black_lady", 3, "over", draws=st.none() | st.integers(1, 6)),
    "end.tie": Field(f"rickety_kate({SHORT})", "continue", "over", draws=st.sampled_from(["share", "continue"])),
    "end.exact": Field(
        "black_lady",
        {50: -50, 100: -50},
        "totals",
        draws=st.sampled_from([{}, {50: -50, 100: -50}, {20: -20, 13: 1}, {-10: 10}, {0: 5, 13: -13, 1: -1}]),
    ),
    "end.exact_optional": Field(
        "black_lady(exact={50:-50,100:-50})", True, "phase", draws=st.booleans(), source="B.34"
    ),
    "end.lives": Field("rickety_kate(max_deals=9)", 1, "lives", draws=st.none() | st.integers(1, 2)),
    "end.life_threshold": Field("danger_hearts(lives=1)", 5, "over", draws=st.sampled_from([1, 5, 15]), source="B.58"),
    "end.lives_out": Field(
        "danger_hearts(lives=1)",
        "rank_last",
        "over",
        draws=st.sampled_from(["end", "rank_last", "eliminate"]),
        source="A.14",
    ),
}
