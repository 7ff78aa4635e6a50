"""The worked cases of RULES.md part D on legal cards and tricks of other games than Basic Hearts; case 42 is D.42."""

from __future__ import annotations

import pytest

from tests.support.judges import Judge, both_judges, play_all

pytestmark = both_judges()

GONG_ZHU = "gong_zhu(exposing.cards={AH:H,QS:QS,JD:JD,TC:TC})"


@pytest.mark.parametrize(
    ("hand", "trick", "led_before", "legal"),
    [
        ("QS 5S", "9S", [], "5S"),
        ("QS 4H", "9S", [], "QS"),
        ("QS 5S", "9S", ["S"], "QS 5S"),
        ("QS 5S 3D", "", [], "5S 3D"),
        ("QS 3D", "", [], "QS 3D"),
        ("QS 5S 3D", "", ["S"], "QS 5S 3D"),
        ("QS 5S", "9D", [], "QS 5S"),
        ("AS 5S", "9S", [], "AS 5S"),
    ],
)
def test_case_14_an_exposed_card_waits(judge: Judge, hand: str, trick: str, led_before: list[str], legal: str) -> None:
    said = judge.legal(GONG_ZHU, hand, trick, exposed=["QS"], led_before=led_before)
    assert said == set(legal.split())
    unlocked = GONG_ZHU.replace(")", ", exposing.lock=false)")
    free = judge.legal(unlocked, hand, trick, exposed=["QS"], led_before=led_before)
    assert free == judge.legal(GONG_ZHU, hand, trick)


def test_case_15_a_joker_need_not_follow(judge: Judge) -> None:
    assert judge.legal("joker_hearts", "5C 7D JK", "2C") == {"5C", "JK"}
    assert judge.legal("joker_hearts(jokers.play=void_only)", "5C 7D JK", "2C") == {"5C"}
    assert judge.legal("joker_hearts(jokers.play=void_only)", "5D 7D JK", "2C") == {"5D", "7D", "JK"}
    assert judge.legal("joker_hearts", "4H QS JK", "2C", first_trick=True) == {"JK"}


def test_case_16_a_joker_may_not_be_led(judge: Judge) -> None:
    assert judge.legal("joker_hearts", "JK 5C") == {"5C"}
    assert judge.legal("joker_hearts", "JK") == {"JK"}
    assert judge.legal("joker_hearts", "JK 5H") == {"5H"}, "the only suited cards are hearts"


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("9S QS JS QS' 2S", 3),
        ("9S QS KS QS' 2S", 2),
        ("9S QS KS QS' KS'", 2),
        ("9S QS JS 5D 2S", 1),
        ("9D QS JS QS' 2S", 0),
    ],
)
def test_case_19_the_second_queen_of_spades_wins(judge: Judge, cards: str, winner: int) -> None:
    assert judge.winner("incredu_hearts(players=5)", cards) == winner


def test_case_20_the_first_or_the_last_of_two_kings(judge: Judge) -> None:
    assert judge.winner("incredu_hearts(players=5)", "5C KC 9C KC' 2C") == 1
    assert judge.winner("incredu_hearts(players=5, duplicates=last)", "5C KC 9C KC' 2C") == 3
    assert judge.winner("uk_black_lady(players=7)", "5C KC 9C KC' 3C 4C 4C") == 1


CANCEL = "cancellation_hearts(players=6)"
NO_LIVE = "cancellation_hearts(players=6, dead_trick=no_live_card)"


@pytest.mark.parametrize(
    ("cards", "two_pairs", "no_live"),
    [
        ("JC TC 9C 8C 4C JC'", 1, 1),
        ("JC JC' TC TC' 9C 9C'", None, None),
        ("JC JC' TC TC' 9C 2C", None, 4),
        ("JC AD AD' KS KS' 2C", None, 0),
        ("JC AD AD' 5D KS JC'", None, None),
        ("JC AD AD' 5D KS 2C", 0, 0),
    ],
)
def test_cases_22_to_24_identical_cards_cancel(
    judge: Judge, cards: str, two_pairs: int | None, no_live: int | None
) -> None:
    assert judge.winner(CANCEL, cards) == two_pairs
    assert judge.winner(NO_LIVE, cards) == no_live


DEAD = (
    "cancellation_hearts(players=6, ranks=[9,T,J], removed=[], card_values={H:1}, moon.mode=none, cycle=[hold],"
    "leader=left_of_dealer, opening.card=any, heart_lead=free, first_trick_forbidden=[], max_deals=1"
)
DEAD_HANDS = ["JC 9D 9D 9H", "JC JD TD 9H", "TC TD JD JH", "TC JS JS JH", "9C TS TS TH", "9C 9S 9S TH"]


@pytest.mark.parametrize(("last", "taker"), [("leader", 2), ("second_of_top_pair", 3)])
def test_cases_23_and_26_dead_tricks_roll_over(judge: Judge, last: str, taker: int) -> None:
    table = judge.match(f"{DEAD}, dead_last_trick={last})", [hand.split() for hand in DEAD_HANDS], leader=0)
    play_all(table, "JC JC TC TC 9C 9C")
    assert table.seat == 0, "nobody won: the same seat leads"
    assert not any(table.taken)
    play_all(table, "9D JD TD JS TS 9S")
    assert table.seat == 1
    assert [len(cards) for cards in table.taken] == [0, 12, 0, 0, 0, 0]
    play_all(table, "TD JD JS TS 9S 9D")
    assert table.seat == 2
    play_all(table, "JH JH TH TH 9H 9H")
    assert list(table.totals) == [6 * (seat == taker) for seat in range(6)]


def test_case_26_a_dead_last_trick_takes_the_rolled_cards_along(judge: Judge) -> None:
    hands = ["9C JH", "9C JH", "TC TH", "TC TH", "JC 9H", "JC 9H"]
    rules = DEAD + ", removed=[9D,9D,TD,TD,JD,JD,9S,9S,TS,TS,JS,JS])"
    rules = rules.replace(" removed=[],", "")
    for last, taker in [("leader", 4), ("second_of_top_pair", 1)]:
        said = rules.replace(")", f", dead_last_trick={last})")
        table = judge.match(said, [hand.split() for hand in hands], leader=4)
        play_all(table, "JC JC 9C 9C TC TC 9H 9H JH JH TH TH")
        assert list(table.totals) == [6 * (seat == taker) for seat in range(6)]


def test_case_28_a_nine_extends_the_trick(judge: Judge) -> None:
    assert judge.winner("booster_nines", "9D KD 3D 5D 2D 4D AD 6D") == 6
    assert judge.winner("booster_nines", "9D KD 3D 5D 2D 4D AS 6D") == 1


NINES = "ranks=[8,9,T,J], card_values={H:1}, moon.mode=none, cycle=[hold], first_trick_forbidden=[], max_deals=1"
NINES_HANDS = ["8C 9C 8D 8S", "TC TD TH TS", "JC JD JH JS", "9H 9D 9S 8H"]


def test_cases_28_and_29_any_nine_extends(judge: Judge) -> None:
    table = judge.match(f"booster_nines({NINES})", [hand.split() for hand in NINES_HANDS])
    play_all(table, "8C TC JC 9H")
    assert (table.seat, table.leader, list(table.legal())) == (0, 0, ["9C"]), "one more each, following suit"
    play_all(table, "9C TD JD 9D")
    assert (table.seat, len(table.taken[2])) == (2, 8), "a nine in the second round does not extend again"
    play_all(table, "JS 9S 8S TS JH 8H 8D TH")
    assert table.over
    assert list(table.totals) == [0, 0, 4, 0]


def test_cases_29_and_30_a_nine_of_the_led_suit_extends(judge: Judge) -> None:
    table = judge.match(f"booster_nines({NINES}, extend_when=led_suit)", [hand.split() for hand in NINES_HANDS])
    play_all(table, "8C TC JC 9H")
    assert (table.seat, len(table.taken[2])) == (2, 4), "the nine was of another suit"
    play_all(table, "JS 9S 8S TS JH 8H 8D TH")
    assert (table.seat, len(table.taken[2])) == (2, 12)
    play_all(table, "JD 9D 9C TD")
    assert table.over, "no card is left to extend the last trick with"


def test_the_first_trick_ban_covers_the_second_round(judge: Judge) -> None:
    rules = f"booster_nines({NINES})".replace("first_trick_forbidden=[]", "first_trick_forbidden=[H]")
    hands = ["8C 9C 8D 8S", "TC TD TH TS", "JC JD JH JS", "9D 9S 9H 8H"]
    table = judge.match(rules, [hand.split() for hand in hands])
    play_all(table, "8C TC JC 9D 9C")
    assert set(table.legal()) == {"TD", "TS"}


def test_case_32_jokers_never_win(judge: Judge) -> None:
    assert judge.winner("joker_hearts", "2C JK JK JK") == 0
    assert judge.winner("joker_hearts", "JK JK JK JK") == 0
    assert judge.winner("joker_hearts", "JK JK 2C 9D") == 2
