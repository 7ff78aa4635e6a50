"""Every field of `Rules`, once: a change that shows, and the place in RULES.md."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Field:
    """A field of the rules.

    Attributes:
        game: a game in which it matters.
        change: another value there.
        shows: what shows the difference first, an attribute of `Match`; "refusal" if there is no such game.
        source: where RULES.md describes a field that no registered variant uses.
    """

    game: str
    change: Any
    shows: str
    source: str = ""


DOUBLE = "players=6, packs=2, ranks=[Q,K,A], passing.count=1, leader=left_of_dealer, opening.card=any"
"""Twenty-four cards, four in a hand: identical cards meet often."""
SHORT = "ranks=[J,Q,K,A], passing.count=1"
"""Sixteen cards, four in a hand: moons are frequent."""
FIELDS: dict[str, Field] = {
    "table.players": Field("black_lady", 5, "hands"),
    "table.direction": Field("black_maria", -1, "seat"),
    "table.dealer_next": Field("black_maria", "QS", "dealer"),
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
    "opening.leader": Field("black_lady(opening.card=any)", "left_of_dealer", "seat"),
    "opening.holder": Field("black_lady", "2D", "seat"),
    "opening.card": Field("black_lady", "any_of_suit", "legal"),
    "opening.taker": Field("black_maria", "QS", "seat"),
    "passing.count": Field("black_lady", 2, "seat"),
    "passing.cycle": Field("black_lady", ["left", "hold"], "phase"),
    "passing.schedule": Field("black_lady", "random", "phase"),
    "passing.unpassable": Field("black_lady", ["QS"], "legal", source="B.11"),
    "passing.refusable": Field("black_lady", ["QS"], "phase", source="B.12"),
    "passing.to_partner": Field("partnership_hearts(cycle=[across])", False, "refusal"),
    "play.first_trick_forbidden": Field("black_lady", [], "legal"),
    "play.first_trick_scope": Field(
        "hooligan_hearts(first_trick_forbidden=[H,QS,7C])", "discard", "legal", source="C first_trick_scope"
    ),
    "play.heart_lead": Field("black_lady", "free", "legal"),
    "play.break_by": Field("black_lady", "hearts_or_qs", "legal"),
    "play.break_event": Field("black_lady(break_by=hearts_or_qs)", "discarded", "legal"),
    "play.lead_exception": Field(f"black_lady({SHORT})", "hearts_plus_penalty", "legal"),
    "play.forced_discard": Field("black_lady", ["QS"], "legal"),
    "trick.duplicates": Field(f"black_lady({DOUBLE})", "first", "leader"),
    "trick.exceptions": Field(f"black_lady({DOUBLE})", {"A": "first"}, "leader"),
    "trick.dead_trick": Field(f"black_lady({DOUBLE}, duplicates=cancel)", "two_pairs", "taken"),
    "trick.dead_last_trick": Field(
        f"rickety_kate({DOUBLE}, duplicates=cancel)", "second_of_top_pair", "totals", source="A.15"
    ),
    "trick.extend_rank": Field("black_lady", "9", "trick"),
    "trick.extend_when": Field("booster_nines", "led_suit", "trick"),
    "jokers.play": Field("joker_hearts", "void_only", "legal", source="B.23"),
    "jokers.lead": Field("joker_hearts", "next_card", "legal", source="B.25"),
    "jokers.scores": Field("joker_hearts(card_values={H:1,QS:13,JK:5})", "heart_trick", "points", source="B.26"),
    "exposing.cards": Field("rickety_kate", {"QS": "QS"}, "phase"),
    "exposing.factor": Field("rickety_kate(exposing.cards={QS:QS,AH:H})", 3, "points", source="A.16"),
    "exposing.lock": Field("rickety_kate(exposing.cards={QS:QS,AH:H})", False, "legal", source="A.16"),
    "score.better": Field("rickety_kate(max_deals=9)", "high", "ranking"),
    "score.card_values": Field("black_lady", {"H": 1, "QS": 12}, "points"),
    "score.negations": Field("black_lady", {"QC": "QS"}, "points"),
    "score.multipliers": Field("black_lady", {"TC": "2"}, "points"),
    "score.alone": Field("black_lady(multipliers={TC:2})", {"TC": 50}, "points"),
    "score.sweeps": Field("black_lady", {"2H+3H": "H"}, "points"),
    "score.tricks": Field("black_lady", {"each": 1}, "totals", source="C"),
    "score.sets": Field("black_lady", {"AS+KS": 5}, "totals", source="C"),
    "score.bonus_floor_hand": Field("omnibus_hearts", True, "totals", source="B.32"),
    "score.bonus_floor_total": Field("omnibus_hearts", True, "totals", source="B.32"),
    "score.no_tricks": Field("black_lady", -5, "totals"),
    "score.no_tricks_on_moon": Field("black_lady(no_tricks=-5, moon.mode=old)", True, "totals", source="B.35"),
    "score.no_hearts": Field("black_lady", 1, "totals"),
    "score.no_hearts_on_moon": Field("math_team_hearts", False, "totals", source="A.8"),
    "score.pledge": Field("black_lady", 10, "phase", source="B.36"),
    "score.chips": Field("rickety_kate(target=none, max_deals=9)", 25, "totals", source="B.37"),
    "moon.mode": Field("black_lady(moon.mode=old)", "new", "totals"),
    "moon.policy": Field("black_lady", "auto_best", "phase", source="B.57"),
    "moon.scope": Field("partnership_hearts", "player", "totals"),
    "moon.cards": Field("black_lady(moon.mode=old, moon.amount=26)", ["H"], "totals"),
    "moon.least": Field("black_lady(moon.mode=old)", {"H": 7, "QS": 1}, "totals"),
    "moon.amount": Field("black_lady(moon.mode=old)", 13, "totals"),
    "moon.others_score": Field(
        f"black_lady({SHORT}, moon.mode=old, card_values={{H:1,QS:13,JD:-10}})", False, "totals", source="A.9"
    ),
    "moon.multiplied": Field("black_lady(moon.mode=old, multipliers={TC:2})", False, "totals", source="A.10"),
    "moon.sign": Field("complex_hearts", "hurts", "totals", source="A.10"),
    "moon.new_moon_min": Field("black_lady", 50, "phase", source="B.47"),
    "moon.new_moon_who": Field(f"black_lady({SHORT}, new_moon_min=50)", "any", "phase", source="B.47"),
    "moon.extends": Field(f"black_lady({SHORT}, moon.mode=old)", "until_moonless_deal", "over", source="B.46"),
    "moon.requires_sun": Field("black_lady(moon.mode=old)", True, "totals", source="B.52"),
    "moon.sun_skip_first": Field("black_lady(moon.mode=old, requires_sun=true)", True, "totals", source="B.51"),
    "moon.sun_amount": Field("black_lady(moon.mode=old)", 52, "totals"),
    "moon.clean_slate": Field("black_lady(moon.mode=old)", True, "totals", source="B.49"),
    "moon.punish": Field(f"black_lady({SHORT}, moon.mode=old)", 52, "totals", source="B.48"),
    "moon.big_moon_deals": Field("rickety_kate(big_moon_effect=fixed100)", 1, "totals"),
    "moon.big_moon_effect": Field(
        "rickety_kate(big_moon_deals=1, target=none, max_deals=40)", "fixed100", "totals", source="B.53"
    ),
    "end.target": Field("black_lady", 50, "over"),
    "end.target_cmp": Field(f"rickety_kate({SHORT})", "gt", "over"),
    "end.lower_target": Field("omnibus_hearts", -10, "over"),
    "end.max_deals": Field("black_lady", 3, "over"),
    "end.tie": Field(f"rickety_kate({SHORT})", "continue", "over"),
    "end.exact": Field("black_lady", {50: -50, 100: -50}, "totals"),
    "end.exact_optional": Field("black_lady(exact={50:-50,100:-50})", True, "phase", source="B.34"),
    "end.lives": Field("rickety_kate(max_deals=9)", 1, "lives"),
    "end.life_threshold": Field("danger_hearts(lives=1)", 5, "over", source="B.58"),
    "end.lives_out": Field("danger_hearts(lives=1)", "rank_last", "over", source="A.14"),
}
