"""Legal cards and winners of tricks, put to engine and oracle: worked cases (D.) and options (A., B.) of RULES.md."""

from typing import Any

import pytest

from tests.support.judges import Judge, both_judges

pytestmark = both_judges()

FIRST = {"first_trick": True}
"""The trick is the first of the deal."""
BROKEN = {"broken": True}
TWELVE_HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"
NO_BAN = "black_lady(first_trick_forbidden=[])"
LOOSE = "lead_exception=hearts_plus_penalty"
LIKHA = "likha(forced_discard=[])"
FORCED = "black_lady(forced_discard=[QS,AS])"
FORCED_LOCKED = "black_lady(forced_discard=[QS,AS], locked={AS:play})"
NEVER = "black_lady(heart_lead=never)"
LOCKED, UNLED = "black_lady(locked={QS:play})", "black_lady(locked={QS:lead})"
HOOLIGAN = "hooligan_hearts(first_trick_forbidden=[H,QS,7C]"
COMPLEX = "complex_hearts(first_trick_forbidden=[H,QS,TC])"
VOID = "joker_hearts(jokers.play=void_only)"
CALL, NEXT = "joker_hearts(jokers.lead=call)", "joker_hearts(jokers.lead=next_card)"
COSTLY = "joker_hearts(jokers.lead=call, lead_exception=hearts_plus_penalty, card_values={H:1,QS:13,JK:1})"
COSTLY_NEVER = COSTLY.replace("call", "never")
SUITED_JOKERS = "black_lady(added=[0C,0D], removed=[2D,2C])"
ANY = "black_lady(opening.card=any)"
HAND = "2C 9C 3D AH"
ACE_LOW = "black_lady(ranks=[A,2,3,4,5,6,7,8,9,T,J,Q,K]"
TEN_HIGH = "black_lady(ranks=[7,8,9,J,Q,K,10,A])"

TWO_OPENERS = "black_lady(packs=2, opening.card=both)"
LEGAL: list[tuple[str, str, str, str, dict[str, Any], str]] = [
    ("D.1 the two of clubs must open", "black_lady", "2C 9C AH", "", FIRST, "2C"),
    ("D.2 the led suit must be followed", "black_lady", "5D KD 2H QS", "7D", {}, "5D KD"),
    ("D.3 no penalty card on the first trick", "black_lady", "3D KD 4H QS", "2C", FIRST, "3D KD"),
    ("D.3 unless it is allowed", NO_BAN, "3D KD 4H QS", "2C", FIRST, "3D KD 4H QS"),
    ("D.4 a hand of them", "black_lady", f"{TWELVE_HEARTS} QS", "2C", FIRST, f"{TWELVE_HEARTS} QS"),
    ("D.5 unbroken hearts may not be led", "black_lady", "2H AH 5C", "", {}, "5C"),
    ("D.6 but by a hand of hearts", "black_lady", "2H AH", "", {}, "2H AH"),
    ("D.7 hearts and the queen", "black_lady", "2H QS", "", {}, "QS"),
    ("D.7", f"black_lady({LOOSE})", "2H QS", "", {}, "2H QS"),
    ("D.7", "incredu_hearts", "2H QS", "", {}, "2H QS"),
    ("D.7", "incredu_hearts", "2H QS JD", "", {}, "QS JD"),
    ("D.11 a further card is banned", "incredu_hearts", "JD 5D 3H QS", "2C", FIRST, "5D"),
    ("D.11", "omnibus_hearts", "JD 5D 3H QS", "2C", FIRST, "5D JD"),
    ("D.12 no first-trick rule", "queens", "3D 4H QS", "2C", FIRST, "3D 4H QS"),
    ("D.12", "royal_hearts", "3D 4H QS", "2C", FIRST, "3D 4H QS"),
    ("D.15 a joker need not follow", "joker_hearts", "5C 7D JK", "2C", {}, "5C JK"),
    ("D.15 but in this form", VOID, "5C 7D JK", "2C", {}, "5C"),
    ("D.15", VOID, "5D 7D JK", "2C", {}, "5D 7D JK"),
    ("D.15", VOID, "5D JK", "JK 9D", {}, "5D"),
    ("D.15", "joker_hearts", "4H QS JK", "2C", FIRST, "JK"),
    ("D.16 a joker may not be led", "joker_hearts", "JK 5C", "", {}, "5C"),
    ("D.16", "joker_hearts", "JK", "", {}, "JK"),
    ("D.16 the only suited cards are hearts", "joker_hearts", "JK 5H", "", {}, "5H"),
    ("B.15 hearts may be led at once", "black_lady(heart_lead=free)", "2H AH 5C", "", {}, "2H AH 5C"),
    ("B.16 broken hearts may be led", "black_lady", "2H AH 5C", "", BROKEN, "2H AH 5C"),
    ("B.19 hands of penalty cards", f"black_lady({LOOSE})", "2H QS 5C", "", {}, "QS 5C"),
    ("B.19", f"black_maria({LOOSE}, heart_lead=broken)", "2H QS AS KS", "", {}, "2H QS AS KS"),
    ("B.19", f"omnibus_hearts({LOOSE})", "2H JD", "", {}, "JD"),
    ("B.19", f"pip_hearts({LOOSE})", "2H QS", "", {}, "QS"),
    ("B.20 opening leads", "black_lady(opening.card=any_of_suit)", HAND, "", FIRST, "2C 9C"),
    ("B.20", ANY, HAND, "", FIRST, "2C 9C 3D"),
    ("B.20", "black_maria", HAND, "", FIRST, HAND),
    ("B.20", "black_lady(opening.holder=3D)", HAND, "", FIRST, "3D"),
    ("B.20 two openers", TWO_OPENERS, "2C 9C 2D", "", FIRST, "2C"),
    ("B.20 two openers", TWO_OPENERS, "2C 9C 2D", "2C", FIRST, "2C"),
    ("B.20 two openers", TWO_OPENERS, "3C 9C 2D", "2C", FIRST, "3C 9C"),
    ("B.20 two openers", TWO_OPENERS, "2C 9C 2D", "3C", {}, "2C 9C"),
    ("B.20", "black_lady(opening.holder=D)", "2D 9D AH", "", FIRST, "2D"),
    (
        "the opening suit is under the ban",
        "black_lady(holder=2S, opening.card=any_of_suit)",
        "2S QS 9S 3H",
        "",
        FIRST,
        "2S 9S",
    ),
    ("the lowest card in the order of ranks opens", f"{ACE_LOW})", "2C AC KC", "", FIRST, "AC"),
    ("the lowest card in the order of ranks opens", TEN_HIGH, "8C 7C TC", "", FIRST, "7C"),
    ("the lowest", "black_lady(ranks=[T,J,9,A], passing.count=1, card_values={H:1})", "9C TC JC", "", FIRST, "TC"),
    ("the lowest", f"{ACE_LOW}, removed=[2D,2H,2S,AC], added=[0C,0D,11D,12D])", "2C 0C 3C", "", FIRST, "0C"),
    ("B.21 the first trick", "black_lady(first_trick_forbidden=[QS])", "4H QS", "2C", FIRST, "4H"),
    ("B.21", "black_lady(first_trick_forbidden=[H,Q])", "QC JC", "2C", FIRST, "JC"),
    ("B.21", "black_lady(first_trick_forbidden=[H,Q])", "QC 4H", "2C", FIRST, "QC"),
    ("B.21", "black_lady", "4H QS", "2C", {}, "4H QS"),
    ("B.21", "pip_hearts", "4H QS", "2C", FIRST, "QS"),
    ("B.21", ANY, "4H QS 5S", "", FIRST, "5S"),
    ("B.21", ANY, "4H QS", "", FIRST, "QS"),
    ("B.22 suited jokers are low cards", SUITED_JOKERS, "0D 5D KS", "3D", {}, "0D 5D"),
    ("B.22", "incredu_hearts", "0C 5D", "2C", FIRST, "0C"),
    ("forced discards", "likha", "QS TD 5H", "9C", {}, "QS TD"),
    ("forced discards", "likha", "QS TD 5H", "9C", FIRST, "QS TD"),
    ("forced discards", "likha", "QS 5H", "9C", {}, "QS"),
    ("forced discards", "likha", "QS 9C 5H", "2C", {}, "9C"),
    ("forced discards", "likha", "QS TD 5H", "9D", {}, "TD"),
    ("forced discards", "likha", "QS TD 5H", "", {}, "QS TD 5H"),
    ("forced discards", LIKHA, "QS TD 5H", "9C", {}, "QS TD 5H"),
    ("forced discards", LIKHA, "QS TD 5H", "9D", {}, "TD"),
    ("forced discards yield to the ban", FORCED, "QS AS 5D", "9C", {}, "QS AS"),
    ("forced discards yield to the ban", FORCED, "QS AS 5D", "9C", FIRST, "AS"),
    ("forced discards yield to the ban", FORCED, "QS 5D", "9C", FIRST, "5D"),
    ("no card is free of the ban", FORCED, "QS 5H", "9C", FIRST, "QS"),
    ("no discard", FORCED, "QS 5D", "2S", FIRST, "QS"),
    ("first_trick_scope", f"{HOOLIGAN})", "7C 9C", "2C", FIRST, "9C"),
    ("first_trick_scope", f"{HOOLIGAN}, first_trick_scope=discard)", "7C 9C", "2C", FIRST, "7C 9C"),
    ("first_trick_scope", f"{HOOLIGAN}, first_trick_scope=discard)", "QS 9D", "2C", FIRST, "9D"),
    ("the ban of variants", "hooligan_hearts", "7C 9C", "2C", FIRST, "7C 9C"),
    ("the ban of variants", "complex_hearts", "TC JD QS", "2C", FIRST, "TC"),
    ("the ban of variants", COMPLEX, "TC 9C", "2C", FIRST, "9C"),
    ("the ban of variants", COMPLEX, "TC 9D", "2C", FIRST, "TC"),
    ("B.25 a joker is led", CALL, "JK 5C", "", {}, "JK 5C"),
    ("B.25 a joker is not a heart", CALL, "JK 5H", "", {}, "JK"),
    ("B.25 the suit called", CALL, "5D 7C JK", "JK suit:D", {}, "5D JK"),
    ("B.25 the suit called", CALL, "7C 4H JK", "JK suit:D", {}, "7C 4H JK"),
    ("B.25 the next card sets the suit", NEXT, "5D 7C", "JK", {}, "5D 7C"),
    ("B.25 the next card sets the suit", NEXT, "5D 7C", "JK 9D", {}, "5D"),
    ("B.25 the next card sets the suit", NEXT, "5D 7C 4H QS", "JK", FIRST, "5D 7C"),
    ("a joker that costs is a penalty card", COSTLY, "5H QS", "", {}, "5H QS"),
    ("a joker that costs is a penalty card", COSTLY, "5H 6C", "", {}, "6C"),
    ("a joker that costs is a penalty card", COSTLY_NEVER, "5H JK 6C", "", {}, "6C"),
    ("a joker that costs is a penalty card", COSTLY_NEVER, "5H JK", "", {}, "5H"),
    ("everything may follow jokers", "joker_hearts", "5D 7C 4H", "JK JK", {}, "5D 7C 4H"),
    ("everything may follow jokers", "joker_hearts", "5D 7C 4H", "JK JK 9H", {}, "4H"),
    ("a joker is no forced discard", "joker_hearts(forced_discard=[QS])", "QS JK 7C", "9D", {}, "QS"),
    ("B.15 hearts are never led", NEVER, "2H AH 5C", "", BROKEN, "5C"),
    ("B.15", NEVER, "2H AH 5C", "", {}, "5C"),
    ("B.15 but by a hand of hearts", NEVER, "2H AH", "", BROKEN, "2H AH"),
    ("B.15", f"{NEVER[:-1]}, {LOOSE})", "2H QS", "", BROKEN, "2H QS"),
    ("B.15", NEVER, "2H QS", "", BROKEN, "QS"),
    ("B.15", f"{NEVER[:-1]}, locked={{QS:lead}})", "2H QS", "", {}, "2H QS"),
    ("B.15", f"{NEVER[:-1]}, locked={{QS:lead}})", "2H QS", "", BROKEN, "QS"),
    ("B.59 a locked card is not discarded", LOCKED, "QS 5D 4H", "9C", {}, "5D 4H"),
    ("B.59", LOCKED, "QS 5D 4H", "9C", BROKEN, "QS 5D 4H"),
    ("B.59", LOCKED, "QS KS", "9C", {}, "KS"),
    ("B.59 unless nothing else is legal", LOCKED, "QS", "9C", {}, "QS"),
    ("B.59", "black_lady(locked={S:play})", "QS 5S", "9C", {}, "QS 5S"),
    ("B.59 the suit led comes first", LOCKED, "QS 4H", "9S", {}, "QS"),
    ("B.59", LOCKED, "QS 5S 4H", "9S", {}, "5S"),
    ("B.59", LOCKED, "QS 5S 4H", "9S", BROKEN, "QS 5S"),
    ("B.59 it is not led", LOCKED, "QS 5D", "", {}, "5D"),
    ("B.59", LOCKED, "QS 5D", "", BROKEN, "QS 5D"),
    ("B.59 nothing but locked cards and hearts", LOCKED, "QS 4H", "", {}, "QS 4H"),
    ("B.59", "black_lady(locked={S:lead,K:play})", "QS KD 4H", "", {}, "QS KD 4H"),
    ("B.59", "black_lady(locked={S:lead,K:play})", "QS KD 4H", "9C", {}, "QS 4H"),
    ("B.59 the lead only", UNLED, "QS 5D 4H", "", {}, "5D"),
    ("B.59", UNLED, "QS 4H", "", {}, "QS 4H"),
    ("B.59", UNLED, "QS 5D 4H", "9C", {}, "QS 5D 4H"),
    ("B.59", UNLED, "QS 5S", "9S", {}, "QS 5S"),
    ("B.59 on the first trick", LOCKED, "QS 4H", "2C", FIRST, "4H"),
    ("B.59", UNLED, "QS 4H", "2C", FIRST, "QS 4H"),
    ("B.59", "black_lady(holder=S, opening.card=any_of_suit, locked={KS:lead})", "KS 5S 2C", "", FIRST, "5S"),
    ("B.59", "black_lady(holder=KS, locked={KS:lead})", "KS 5S 2C", "", FIRST, "KS"),
    ("B.59 hearts are free", "black_lady(heart_lead=free, locked={QS:lead})", "QS 4H", "", {}, "4H"),
    ("B.59 with B.19", f"black_maria({LOOSE}, heart_lead=broken, locked={{QS:lead}})", "2H QS AS", "", {}, "2H AS"),
    ("B.59 with B.19", f"black_maria({LOOSE}, heart_lead=broken, locked={{QS:lead}})", "2H QS", "", {}, "2H QS"),
    ("B.59 a forced discard is not forced", FORCED_LOCKED, "QS AS 5D", "9C", {}, "QS"),
    ("B.59 a forced discard is not forced", FORCED_LOCKED, "AS 5D", "9C", {}, "5D"),
    ("B.59 a forced discard is not forced", FORCED_LOCKED, "QS AS 5D", "9C", FIRST, "5D"),
    ("B.59 a forced discard is not forced", FORCED_LOCKED, "AS 5D", "9C", BROKEN, "AS"),
    ("B.59 jokers", "joker_hearts(locked={QS:play})", "QS JK 5D", "9S", {}, "JK"),
    ("B.59 jokers", "joker_hearts(locked={QS:play})", "QS JK", "", {}, "QS"),
    ("B.59 jokers", f"{NEXT[:-1]}, locked={{QS:lead}})", "QS JK 4H", "", {}, "JK"),
    ("B.59 jokers", f"{NEXT[:-1]}, locked={{QS:lead}})", "QS 4H 5D", "JK", {}, "QS 4H 5D"),
    ("B.59 jokers", f"{NEXT[:-1]}, locked={{QS:play}})", "QS 4H", "JK", {}, "4H"),
    ("B.59 jokers", "joker_hearts(locked={JK:play})", "5S JK", "9S", {}, "5S"),
]


@pytest.mark.parametrize(
    ("rules", "hand", "trick", "position", "legal"), [row[1:] for row in LEGAL], ids=[row[0] for row in LEGAL]
)
def test_legal_cards(judge: Judge, rules: str, hand: str, trick: str, position: dict[str, Any], legal: str) -> None:
    assert judge.legal(rules, hand, trick, **position) == set(legal.split())


GONG_ZHU = "gong_zhu(exposing.cards={AH:H,QS:QS,JD:JD,TC:TC})"


@pytest.mark.parametrize(
    ("hand", "trick", "led_before", "legal"),
    [
        ("QS 5S", "9S", "", "5S"),
        ("QS 4H", "9S", "", "QS"),
        ("QS 5S", "9S", "S", "QS 5S"),
        ("QS 5S 3D", "", "", "5S 3D"),
        ("QS 3D", "", "", "QS 3D"),
        ("QS 5S 3D", "", "S", "QS 5S 3D"),
        ("QS 5S", "9D", "", "QS 5S"),
        ("AS 5S", "9S", "", "AS 5S"),
    ],
)
def test_case_14_an_exposed_card_waits(judge: Judge, hand: str, trick: str, led_before: str, legal: str) -> None:
    position: dict[str, Any] = {"exposed": ["QS"], "led_before": list(led_before)}
    assert judge.legal(GONG_ZHU, hand, trick, **position) == set(legal.split())
    unlocked = GONG_ZHU.replace(")", ", exposing.lock=false)")
    assert judge.legal(unlocked, hand, trick, **position) == judge.legal(GONG_ZHU, hand, trick)


@pytest.mark.parametrize(("hand", "legal"), [("QS KS 5D", "QS"), ("QS KS 5S", "5S"), ("QS KS AS", "AS")])
def test_an_exposed_card_waits_unless_the_others_are_locked(judge: Judge, hand: str, legal: str) -> None:
    rules = "black_lady(exposing.cards={QS:QS}, locked={KS:play})"
    assert judge.legal(rules, hand, "9S", exposed=["QS"]) == set(legal.split())


@pytest.mark.parametrize("trick", ["", "JK", "JK 4S"])
def test_an_exposed_card_may_not_call_its_suit_after_a_joker_either(judge: Judge, trick: str) -> None:
    rules = NEXT.replace(")", ", exposing.cards={QS:QS}, first_trick_forbidden=[])")
    legal = {"5S"} if trick.endswith("S") else {"5S", "5D"}
    assert judge.legal(rules, "QS 5S 5D", trick, exposed=["QS"]) == legal


UK, INCREDU = "uk_black_lady(players=7)", "incredu_hearts(players=5)"
INCREDU_LAST = "incredu_hearts(players=5, duplicates=last)"
CANCEL = "cancellation_hearts(players=6)"
NO_LIVE = "cancellation_hearts(players=6, dead_trick=no_live_card)"
FIVE_HUNDRED = "five_hundred_hearts"
WINNERS: list[tuple[str, str, str, int | None]] = [
    ("D.18 the highest card of the led suit", "black_lady", "4C KC AH QC", 1),
    ("D.19 the second queen of spades", INCREDU, "9S QS JS QS' 2S", 3),
    ("D.19", INCREDU, "9S QS KS QS' 2S", 2),
    ("D.19", INCREDU, "9S QS KS QS' KS'", 2),
    ("D.19", INCREDU, "9S QS JS 5D 2S", 1),
    ("D.19", INCREDU, "9D QS JS QS' 2S", 0),
    ("D.20 the first of two kings", INCREDU, "5C KC 9C KC' 2C", 1),
    ("D.20 the last", INCREDU_LAST, "5C KC 9C KC' 2C", 3),
    ("D.20", UK, "5C KC 9C KC' 3C 4C 4C", 1),
    ("D.22 identical cards cancel", CANCEL, "JC TC 9C 8C 4C JC'", 1),
    ("D.22", NO_LIVE, "JC TC 9C 8C 4C JC'", 1),
    ("D.23 three pairs", CANCEL, "JC JC' TC TC' 9C 9C'", None),
    ("D.23", NO_LIVE, "JC JC' TC TC' 9C 9C'", None),
    ("D.24 two pairs", CANCEL, "JC JC' TC TC' 9C 2C", None),
    ("D.24", NO_LIVE, "JC JC' TC TC' 9C 2C", 4),
    ("D.24", CANCEL, "JC AD AD' KS KS' 2C", None),
    ("D.24", NO_LIVE, "JC AD AD' KS KS' 2C", 0),
    ("D.24", CANCEL, "JC AD AD' 5D KS JC'", None),
    ("D.24", NO_LIVE, "JC AD AD' 5D KS JC'", None),
    ("D.24", CANCEL, "JC AD AD' 5D KS 2C", 0),
    ("D.24", NO_LIVE, "JC AD AD' 5D KS 2C", 0),
    ("D.28 two rounds", "booster_nines", "9D KD 3D 5D 2D 4D AD 6D", 6),
    ("D.28", "booster_nines", "9D KD 3D 5D 2D 4D AS 6D", 1),
    ("D.31 elevens and twelves", FIVE_HUNDRED, "TC 11C 12C JC", 3),
    ("D.31", FIVE_HUNDRED, "TC 12C 11C 9C", 1),
    ("D.32 jokers never win", "joker_hearts", "2C JK JK JK", 0),
    ("D.32", "joker_hearts", "JK JK JK JK", 0),
    ("D.32", "joker_hearts", "JK JK 2C 9D", 2),
    ("B.22 suited jokers are the lowest", SUITED_JOKERS, "0D 0C 2H", 0),
    ("B.22", SUITED_JOKERS, "0D 3D 2H", 1),
    ("B.25 the suit called", CALL, "JK suit:D 5C 7D 9D", 3),
    ("B.25 nobody played the suit", CALL, "JK suit:S 5C 7D 9D", 0),
    ("B.25", CALL, "JK suit:D JK JK JK", 0),
    ("B.25 the next card sets the suit", NEXT, "JK 5D 9D KC", 2),
    ("B.25", NEXT, "JK JK 5D KC", 2),
    ("the order of ranks", TEN_HIGH, "KD TD QD 9D", 1),
    ("the order of ranks", TEN_HIGH, "KD TD AD 9D", 2),
    ("the order of ranks", f"{ACE_LOW})", "2D AD 3D AC", 2),
    ("the order of ranks", "black_lady(ranks=[7,8,9,T,J,Q,K,A])", "KD TD QD 9D", 0),
    ("the order of ranks", "black_lady(ranks=[A,K,Q,J,T,9,8,7])", "KD TD QD 9D", 3),
    ("added ranks", f"{ACE_LOW}, removed=[2C,3C,4C,5C], added=[0C,0D,11D,12D])", "TD 0D 12D 11D", 2),
]


@pytest.mark.parametrize(("rules", "cards", "winner"), [row[1:] for row in WINNERS], ids=[row[0] for row in WINNERS])
def test_winners(judge: Judge, rules: str, cards: str, winner: int | None) -> None:
    assert judge.winner(rules, cards) == winner
