"""The worked cases of RULES.md part D, put to the engine and to the oracle; case 42 is D.42."""

from __future__ import annotations

import pytest

from tests.support.judges import Judge, both_judges, deal_out, play_all

pytestmark = both_judges()

TWELVE_HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"
HEARTS = TWELVE_HEARTS + " AH"
ALL = HEARTS + " QS"
INCREDU = "break_by=hearts_or_qs, break_event=discarded, lead_exception=hearts_plus_penalty"
COMPLEX = "break_by=hearts_or_qs"


# Play legality


def test_case_1_the_two_of_clubs_must_open(judge: Judge) -> None:
    assert judge.legal("black_lady", "2C 9C AH", first_trick=True) == {"2C"}


def test_case_2_the_led_suit_must_be_followed(judge: Judge) -> None:
    assert judge.legal("black_lady", "5D KD 2H QS", "7D") == {"5D", "KD"}


def test_case_3_no_penalty_card_on_the_first_trick(judge: Judge) -> None:
    assert judge.legal("black_lady", "3D KD 4H QS", "2C", first_trick=True) == {"3D", "KD"}
    free = "black_lady(first_trick_forbidden=[])"
    assert judge.legal(free, "3D KD 4H QS", "2C", first_trick=True) == {"3D", "KD", "4H", "QS"}


def test_case_4_a_hand_of_penalty_cards_may_play_any_on_the_first_trick(judge: Judge) -> None:
    hand = TWELVE_HEARTS + " QS"
    assert judge.legal("black_lady", hand, "2C", first_trick=True) == set(hand.split())


def test_case_5_unbroken_hearts_may_not_be_led(judge: Judge) -> None:
    assert judge.legal("black_lady", "2H AH 5C") == {"5C"}


def test_case_6_a_hand_of_hearts_may_lead_them(judge: Judge) -> None:
    assert judge.legal("black_lady", "2H AH") == {"2H", "AH"}


def test_case_7_hearts_and_the_queen(judge: Judge) -> None:
    assert judge.legal("black_lady", "2H QS") == {"QS"}
    assert judge.legal("black_lady(lead_exception=hearts_plus_penalty)", "2H QS") == {"2H", "QS"}
    assert judge.legal("incredu_hearts", "2H QS") == {"2H", "QS"}
    assert judge.legal("incredu_hearts", "2H QS JD") == {"QS", "JD"}


BREAKING = {0: "JC QD KD JS", 1: "QC AD JH QH", 2: "KC AC KH KS", 3: "JD QS AH AS"}
BREAKING_PACK = "ranks=[J,Q,K,A], passing.cycle=[hold]"


def _after(judge: Judge, changes: str, cards: str) -> set[str]:
    """What seat 2, on lead, may play after these cards of the deal above."""
    rules = f"black_lady({BREAKING_PACK}, {changes})"
    table = judge.match(rules, deal_out(rules, BREAKING))
    play_all(table, cards)
    assert table.seat == 2
    return set(table.legal())


@pytest.mark.parametrize(
    ("changes", "led"),
    [
        ("break_by=hearts", {"KS"}),
        (INCREDU, {"KH", "KS"}),
        (COMPLEX, {"KH", "KS"}),
        ("break_by=any_penalty", {"KH", "KS"}),
        ("break_by=any_penalty, break_event=discarded", {"KH", "KS"}),
        ("break_by=any_penalty, card_values={H:1}", {"KS"}),
    ],
)
def test_case_8_the_queen_discarded_on_a_club(judge: Judge, changes: str, led: set[str]) -> None:
    assert _after(judge, changes, "JC QC KC JD AC QS QD AD") == led


@pytest.mark.parametrize(
    ("changes", "led"),
    [
        ("break_by=hearts", {"AC"}),
        (INCREDU, {"AC"}),
        (COMPLEX, {"AC", "KH"}),
        ("break_by=any_penalty", {"AC", "KH"}),
        ("break_by=any_penalty, break_event=discarded", {"AC"}),
    ],
)
def test_case_9_the_queen_played_under_a_spade(judge: Judge, changes: str, led: set[str]) -> None:
    assert _after(judge, changes, "JC QC KC JD KS QS JS AD") == led


@pytest.mark.parametrize("by", ["hearts", "hearts_or_qs", "any_penalty"])
@pytest.mark.parametrize("event", ["played", "discarded"])
def test_case_10_the_jack_of_diamonds_breaks_nothing(judge: Judge, by: str, event: str) -> None:
    changes = f"break_by={by}, break_event={event}, card_values={{H:1,QS:13,JD:-10}}"
    assert _after(judge, changes, "JC QC KC JD") == {"AC", "KS"}


def test_case_11_a_further_card_banned_from_the_first_trick(judge: Judge) -> None:
    assert judge.legal("incredu_hearts", "JD 5D 3H QS", "2C", first_trick=True) == {"5D"}
    assert judge.legal("omnibus_hearts", "JD 5D 3H QS", "2C", first_trick=True) == {"5D", "JD"}


def test_case_12_queens_has_no_first_trick_rule(judge: Judge) -> None:
    assert judge.legal("queens", "3D 4H QS", "2C", first_trick=True) == {"3D", "4H", "QS"}


# Trick winners


def test_case_18_the_highest_card_of_the_led_suit_wins(judge: Judge) -> None:
    assert judge.winner("black_lady", "4C KC AH QC") == 1


def test_case_31_elevens_and_twelves_rank_between_ten_and_jack(judge: Judge) -> None:
    rules = "five_hundred_hearts(moon.mode=old)"
    assert judge.winner(rules, "TC 11C 12C JC") == 3
    assert judge.winner(rules, "TC 12C 11C 9C") == 1
    assert judge.score(rules, [ALL + " 11H 12H", "", "", ""]).points == [0, 28, 28, 28]


# Scoring


def test_case_34_points(judge: Judge) -> None:
    assert judge.score("black_lady", ["2H 3H 4H", "QS 5H 6H 7H 8H", "9H TH JH QH KH AH", ""]).points == [
        3,
        17,
        6,
        0,
    ]


def test_case_35_shooting_the_moon(judge: Judge) -> None:
    taken = ["", "", ALL, ""]
    assert judge.score("black_lady(moon.mode=old)", taken).points == [26, 26, 0, 26]
    assert judge.score("black_lady(moon.mode=new)", taken).points == [0, 0, -26, 0]
    assert judge.score("black_lady", taken, moon="others").points == [26, 26, 0, 26]
    assert judge.score("black_lady", taken, moon="self").points == [0, 0, -26, 0]
    assert judge.score("black_lady", taken, moon="self").shooter == 2


def test_case_36_one_heart_short_of_the_moon(judge: Judge) -> None:
    said = judge.score("black_lady", [TWELVE_HEARTS + " QS", "AH", "", ""])
    assert (said.points, said.shooter) == ([25, 1, 0, 0], None)


def test_case_37_the_bonus_and_its_floors(judge: Judge) -> None:
    taken = ["2H 3H 4H 5H 6H 7H 8H JD", "QS 9H TH JH", "QH KH AH", ""]
    assert judge.score("omnibus_hearts", taken).points == [-3, 16, 3, 0]
    assert judge.score("omnibus_hearts(bonus_floor_hand=true)", taken).points == [0, 16, 3, 0]
    floored = judge.score("omnibus_hearts(bonus_floor_total=true)", taken, totals=[2, 0, 0, 0])
    assert (floored.points, floored.totals) == ([-3, 16, 3, 0], [0, 16, 3, 0])


def test_case_38_the_bonus_beside_the_moon(judge: Judge) -> None:
    taken = ["", ALL, "", "JD"]
    assert judge.score("omnibus_hearts", taken, moon="others").points == [26, 0, 26, 16]
    assert judge.score("omnibus_hearts", taken, moon="self").points == [0, -26, 0, -10]


def test_case_40_five_off_for_taking_no_trick(judge: Judge) -> None:
    taken = ["2H 3H 4H 5H 6H 7H 8H 9H TH JH", "QS QH KH AH", "2C 3C 4C 5C", ""]
    said = judge.score("black_lady(no_tricks=-5)", taken, tricks_won=[6, 5, 2, 0])
    assert said.points == [10, 16, 0, -5]


def test_case_43_value_tables(judge: Judge) -> None:
    taken = ["JH 5H QS", "", "", ""]
    assert judge.score("spot_hearts", taken).points[0] == 40
    assert judge.score("spot_hearts_129", taken).points[0] == 41
    assert judge.score("pip_hearts", taken).points[0] == 16
    assert judge.score("high_hearts", taken).points[0] == 16
    assert judge.score("high_hearts", ["JH QH KH AH 2H", "", "", ""]).points[0] == 15


@pytest.mark.parametrize(
    ("rules", "total"),
    [
        ("black_lady(moon.mode=old)", 26),
        ("spot_hearts(moon.mode=old)", 119),
        ("spot_hearts_129(moon.mode=old)", 129),
        ("pip_hearts(moon.mode=old)", 104),
        ("high_hearts(moon.mode=old)", 36),
        ("black_lady(moon.mode=old, card_values={H:1,AH:13,QS:13})", 38),
        ("hooligan_hearts(moon.mode=old)", 33),
        ("black_maria(moon.mode=old)", 43),
        ("uk_black_lady(moon.mode=old)", 204),
    ],
)
def test_section_a_tables_add_up_to_the_moon(judge: Judge, rules: str, total: int) -> None:
    said = judge.score(rules, ["", ALL + " AS KS TS 7C", "", ""])
    assert said.points == [total, 0, total, total]


def test_case_45_black_maria(judge: Judge) -> None:
    assert judge.score("black_maria", ["QS KS AS 3H", "", "", ""]).points == [31, 0, 0, 0]
    assert judge.score("black_maria", [HEARTS + " QS KS AS", "", "", ""]).points == [43, 0, 0, 0]


# Moon options


def test_case_46_new_moon_when_the_old_one_would_lose(judge: Judge) -> None:
    rules, taken = "black_lady(moon.mode=new_if_old_loses)", [ALL, "", "", ""]
    old = judge.score(rules, taken, totals=[90, 95, 63, 70], moon="others")
    assert (old.totals, old.over, old.losers) == ([90, 121, 89, 96], True, [1])
    new = judge.score(rules, taken, totals=[90, 95, 63, 70], moon="self")
    assert (new.totals, new.over, new.losers) == ([64, 95, 63, 70], False, [])


def test_case_49_new_moon_is_not_offered_while_the_match_goes_on(judge: Judge) -> None:
    said = judge.score("black_lady(moon.mode=new_if_old_loses)", [ALL, "", "", ""], totals=[10, 20, 30, 40])
    assert (said.totals, said.over) == ([10, 46, 56, 66], False)


# Eight cards, two tricks: seat 0 leads the aces of clubs and hearts and takes everything.
TINY = "ranks=[Q,A], passing.cycle=[hold], first_trick_forbidden=[], opening.holder=AC, moon.amount=26"
TINY_HANDS = {0: "AC AH", 1: "QC QH", 2: "QD AD", 3: "QS AS"}
TINY_PLAY = "AC QC QD QS AH QH AD AS"


@pytest.mark.parametrize(
    ("who", "totals", "asked"),
    [
        ("shooter", [48, 0, 0, 0], False),
        ("shooter", [50, 0, 0, 0], True),
        ("shooter", [48, 55, 0, 0], False),
        ("any", [48, 55, 0, 0], True),
        ("any", [48, 49, 0, 0], False),
    ],
)
def test_case_50_new_moon_from_a_threshold(judge: Judge, who: str, totals: list[int], asked: bool) -> None:
    rules = f"black_lady({TINY}, new_moon_min=50, new_moon_who={who})"
    table = judge.match(rules, deal_out(rules, TINY_HANDS), totals=totals)
    play_all(table, TINY_PLAY)
    assert (table.phase == "moon") == asked
    if asked:
        assert set(table.legal()) == {"moon:self", "moon:others"}
        table.play("moon:self")
    gift = [-26, 0, 0, 0] if asked else [0, 26, 26, 26]
    assert list(table.totals) == [total + more for total, more in zip(totals, gift, strict=True)]


def test_case_53_the_moon_without_the_sun(judge: Judge) -> None:
    rules, taken = "black_lady(moon.mode=old, requires_sun=true)", [ALL, "", "", ""]
    assert judge.score(rules, taken, tricks_won=[11, 1, 1, 0]).points == [26, 0, 0, 0]
    assert judge.score(rules, taken, tricks_won=[13, 0, 0, 0]).points == [0, 26, 26, 26]


def test_case_57_rickety_kate_has_no_moon(judge: Judge) -> None:
    said = judge.score("rickety_kate", ["", "", "", ALL])
    assert (said.points, said.shooter) == ([0, 0, 0, 26], None)


# Others


def test_case_94_queens(judge: Judge) -> None:
    assert judge.score("queens", ["QH 3H", "", "", ""]).points == [14, 0, 0, 0]
    said = judge.score("queens", [HEARTS + " QC QD QS", "", "", ""], totals=[44, 0, 0, 0])
    assert (said.points, said.totals, said.over) == ([64, 0, 0, 0], [108, 0, 0, 0], True)
    assert not judge.score("queens", ["QH", "", "", ""], totals=[94, 0, 0, 0]).over


def test_case_95_small_hearts(judge: Judge) -> None:
    assert judge.score("small_hearts", ["8H 9H TH QS", "", "", ""]).points == [10, 0, 0, 0]
    with_jack = "small_hearts(card_values={H:1,QS:7,JD:-5})"
    assert judge.score(with_jack, ["8H 9H TH QS JD", "", "", ""]).points == [5, 0, 0, 0]
    assert judge.score("small_hearts", ["8H 9H TH JH QH KH AH QS", "", "", ""]).points == [-14, 0, 0, 0]


def test_case_98_four_five_four(judge: Judge) -> None:
    hands = deal_out("four_five_four", {})
    table = judge.match("four_five_four", hands, passing=True)
    for hand in hands:
        play_all(table, list(hand))
    received = [*hands[3][:4], *hands[2][4:9], *hands[1][9:]]
    assert sorted(table.hands[0]) == sorted(received)
    assert not set(table.hands[0]) & set(hands[0])


def test_case_100_a_shared_lead_at_the_end(judge: Judge) -> None:
    taken, totals = [ALL, "", "", ""], [94, 90, 85, 85]
    on = judge.score("rickety_kate(tie=continue)", taken, totals=totals)
    assert (on.totals, on.over, on.losers) == ([120, 90, 85, 85], False, [])
    shared = judge.score("rickety_kate", taken, totals=totals)
    assert (shared.over, shared.ranking, shared.losers) == (True, [4, 3, 1, 1], [0])


@pytest.mark.parametrize(("players", "opener"), [(3, "2C"), (4, "2C"), (5, "3C"), (6, "4C")])
def test_case_101_packs_and_openers(judge: Judge, players: int, opener: str) -> None:
    rules = f"black_lady(players={players}, passing.cycle=[hold])"
    table = judge.match(rules, deal_out(rules, {}))
    assert opener in table.hands[table.seat]
    assert list(table.legal()) == [opener]
    cards = {card for hand in table.hands for card in hand}
    gone = {3: {"2D"}, 4: set(), 5: {"2D", "2C"}, 6: {"2D", "2C", "3D", "3C"}}[players]
    assert len(cards) == 52 - len(gone)
    assert not cards & gone


def test_case_102_the_end_and_exact_hundreds(judge: Judge) -> None:
    taken, totals = ["QS", "", "", ""], [87, 60, 50, 50]
    said = judge.score("black_lady", taken, totals=totals)
    assert (said.totals, said.over, said.ranking) == ([100, 60, 50, 50], True, [4, 3, 1, 1])
    reset = "black_lady(exact={100:-100,-100:100}, target_cmp=gt)"
    said = judge.score(reset, taken, totals=totals)
    assert (said.totals, said.over) == ([0, 60, 50, 50], False)
    assert judge.score(reset, ["QS 2H", "", "", ""], totals=totals).over
    below = judge.score("omnibus_hearts(exact={-100:100})", ["JD", "", "", ""], totals=[-90, 0, 0, 0])
    assert below.totals == [0, 0, 0, 0]
