"""The options of RULES.md parts A and B on forced cards, jokers, cards shown and pledges; option 31 is B.31."""

from __future__ import annotations

import pytest

from tests.support.judges import Judge, both_judges, play_all

pytestmark = both_judges()

HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
ALL = HEARTS + " QS"
EIGHT = "ranks=[Q,A], cycle=[hold], first_trick_forbidden=[], opening.holder=AC"
"""Eight cards, two tricks: seat 0 takes everything, 15 points."""
EIGHT_HANDS = [["AC", "AH"], ["QC", "QH"], ["QD", "AD"], ["QS", "AS"]]
EIGHT_PLAY = "AC QC QD QS AH QH AD AS"


# Legal cards


@pytest.mark.parametrize(
    ("hand", "trick", "legal"),
    [
        ("QS TD 5H", "9C", "QS TD"),
        ("QS 5H", "9C", "QS"),
        ("5H 5D", "9C", "5H 5D"),
        ("QS 9C 5H", "2C", "9C"),
        ("QS TD 5H", "9D", "TD"),
        ("QS TD 5H", "", "QS TD 5H"),
    ],
)
def test_likha_forces_discards(judge: Judge, hand: str, trick: str, legal: str) -> None:
    assert judge.legal("likha", hand, trick) == set(legal.split())
    assert judge.legal("likha", hand, trick, first_trick=True) == set(legal.split())
    free = judge.legal("likha(forced_discard=[])", hand, trick)
    assert free == ({"9C"} if trick == "2C" else {"TD"} if trick == "9D" else set(hand.split()))


def test_a_forced_discard_yields_to_the_first_trick_ban(judge: Judge) -> None:
    rules = "black_lady(forced_discard=[QS,AS])"
    assert judge.legal(rules, "QS AS 5D", "9C") == {"QS", "AS"}
    assert judge.legal(rules, "QS AS 5D", "9C", first_trick=True) == {"AS"}
    assert judge.legal(rules, "QS 5D", "9C", first_trick=True) == {"5D"}
    assert judge.legal(rules, "QS 5H", "9C", first_trick=True) == {"QS"}, "no card is free of the ban"


def test_the_first_trick_ban_may_cover_discards_alone(judge: Judge) -> None:
    banned = "hooligan_hearts(first_trick_forbidden=[H,QS,7C]"
    assert judge.legal(f"{banned})", "7C 9C", "2C", first_trick=True) == {"9C"}
    loose = f"{banned}, first_trick_scope=discard)"
    assert judge.legal(loose, "7C 9C", "2C", first_trick=True) == {"7C", "9C"}
    assert judge.legal(loose, "QS 9D", "2C", first_trick=True) == {"9D"}
    assert judge.legal("hooligan_hearts", "7C 9C", "2C", first_trick=True) == {"7C", "9C"}
    assert judge.legal("complex_hearts", "TC JD QS", "2C", first_trick=True) == {"TC"}
    assert judge.legal("complex_hearts(first_trick_forbidden=[H,QS,TC])", "TC 9C", "2C", first_trick=True) == {"9C"}
    assert judge.legal("complex_hearts(first_trick_forbidden=[H,QS,TC])", "TC 9D", "2C", first_trick=True) == {"TC"}


def test_royal_hearts_knows_no_first_trick(judge: Judge) -> None:
    assert judge.legal("royal_hearts", "3D 4H QS", "2C", first_trick=True) == {"3D", "4H", "QS"}
    assert judge.legal("royal_hearts", "4H 3D") == {"3D"}


# Jokers


def test_option_25_the_leader_of_a_joker_calls_the_suit(judge: Judge) -> None:
    rules = "joker_hearts(jokers.lead=call)"
    assert judge.legal(rules, "JK 5C") == {"JK", "5C"}
    assert judge.legal(rules, "JK 5H") == {"JK"}, "a joker is not a heart"
    assert judge.legal(rules, "5D 7C JK", "JK suit:D") == {"5D", "JK"}
    assert judge.legal(rules, "7C 4H JK", "JK suit:D") == {"7C", "4H", "JK"}
    assert judge.winner(rules, "JK suit:D 5C 7D 9D") == 3
    assert judge.winner(rules, "JK suit:S 5C 7D 9D") == 0, "nobody played the suit"
    assert judge.winner(rules, "JK suit:D JK JK JK") == 0


SIXTEEN = (
    "ranks=[Q,K,A], cycle=[hold], moon.mode=none, first_trick_forbidden=[], leader=left_of_dealer, opening.card=any,"
    "max_deals=1"
)
SIXTEEN_HANDS = ["JK AD AS KS", "JK QC KC AC", "QH QS JK KD", "QD KH AH JK"]


def test_option_25_the_call(judge: Judge) -> None:
    hands = [hand.split() for hand in SIXTEEN_HANDS]
    rules = f"joker_hearts({SIXTEEN}, jokers.lead=call)"
    table = judge.match(rules, hands, leader=0)
    table.play("JK")
    assert (table.phase, table.seat) == ("suit", 0)
    assert list(table.legal()) == ["suit:C", "suit:D", "suit:S"], "hearts are not broken"
    table.play("suit:D")
    assert (table.phase, table.seat) == ("play", 1)
    assert set(table.legal()) == {"JK", "QC", "KC", "AC"}
    table.play("AC")
    assert set(table.legal()) == {"JK", "KD"}
    play_all(table, "KD QD")
    assert table.seat == 2
    free = judge.match(rules.replace("lead=call", "lead=call, heart_lead=free"), hands, leader=0)
    free.play("JK")
    assert list(free.legal()) == ["suit:C", "suit:D", "suit:H", "suit:S"]


def test_option_25_the_next_card_sets_the_suit(judge: Judge) -> None:
    rules = "joker_hearts(jokers.lead=next_card)"
    assert judge.legal(rules, "JK 5C") == {"JK", "5C"}
    assert judge.legal(rules, "5D 7C", "JK") == {"5D", "7C"}
    assert judge.legal(rules, "5D 7C", "JK 9D") == {"5D"}
    assert judge.legal(rules, "5D 7C 4H QS", "JK", first_trick=True) == {"5D", "7C"}
    assert judge.winner(rules, "JK 5D 9D KC") == 2
    assert judge.winner(rules, "JK JK 5D KC") == 2


@pytest.mark.parametrize(("scores", "points"), [("always", 36), ("heart_trick", 21)])
def test_option_26_penalty_jokers(judge: Judge, scores: str, points: int) -> None:
    rules = f"joker_hearts({SIXTEEN}, jokers.scores={scores}, card_values={{H:1,QS:13,JK:5}}, heart_lead=free)"
    hands = ["AC AH AD AS", "JK KC KD KS", "KH JK QD QS", "QC QH JK JK"]
    table = judge.match(rules, [hand.split() for hand in hands], leader=0)
    play_all(table, "AC JK JK QC AH KC KH JK AD KD QD JK AS KS QS QH")
    assert list(table.totals) == [points, 0, 0, 0]


def test_penalty_jokers_count_for_the_moon(judge: Judge) -> None:
    rules = "joker_hearts(card_values={H:1,QS:13,JK:5}, moon.mode=old)"
    assert judge.score(rules, [ALL + " JK JK JK JK", "", "", ""]).points == [0, 46, 46, 46]
    assert judge.score(rules, [ALL + " JK JK JK", "JK", "", ""]).points == [41, 5, 0, 0]
    assert judge.score("joker_hearts", [ALL, "JK JK", "", ""], moon="others").points == [0, 26, 26, 26]


# Exposing and pledging

GONG_ZHU = "gong_zhu(exposing.cards={AH:H,QS:QS,JD:JD,TC:TC})"


@pytest.mark.parametrize(
    ("exposed", "taken", "points"),
    [
        (["QS"], "QS", -200),
        (["AH"], "5H AH", -120),
        (["AH"], "5H", -20),
        (["AH"], HEARTS, 400),
        (["JD"], "JD", 200),
        (["TC"], "JD TC", 400),
        (["TC"], "TC", 100),
        (["TC"], "TC 3H", 0),
        (["TC", "QS"], "QS TC", -800),
        (["AH", "QS", "JD", "TC"], "5H JD", 180),
        (["AH"], "QS", -100),
    ],
)
def test_exposed_cards_count_more(judge: Judge, exposed: list[str], taken: str, points: int) -> None:
    assert judge.score(GONG_ZHU, [taken, "", "", ""], exposed=exposed).points == [points, 0, 0, 0]


@pytest.mark.parametrize(
    ("exposed", "taken", "points"),
    [
        ([], "QS 2H JD", 4),
        (["QS"], "QS 2H JD", 17),
        (["AH"], "QS 2H JD", 5),
        (["JD"], "QS 2H JD", -6),
        ([], "QS 2H TC", 28),
        (["TC"], "QS 2H TC", 56),
        (["TC"], "TC", 0),
    ],
)
def test_turbo_hearts(judge: Judge, exposed: list[str], taken: str, points: int) -> None:
    assert judge.score("turbo_hearts", ["", taken, "", ""], exposed=exposed).points == [0, points, 0, 0]


def test_a_turbo_moon_is_multiplied_by_the_ten(judge: Judge) -> None:
    taken = [ALL + " TC", "JD", "", ""]
    assert judge.score("turbo_hearts", taken, moon="others").points == [0, 42, 52, 52]
    assert judge.score("turbo_hearts", taken, moon="self").points == [-52, -10, 0, 0]
    assert judge.score("turbo_hearts(moon.multiplied=false)", taken, moon="others").points == [0, 16, 26, 26]


def test_the_order_of_exposing(judge: Judge) -> None:
    rules = "turbo_hearts(ranks=[T,J,Q,A], extend_rank=T, cycle=[hold])"
    hands = ["TC QC AH QS", "JC TD QD AD", "TH JH QH JD", "AC TS JS AS"]
    table = judge.match(rules, [hand.split() for hand in hands])
    assert (table.phase, table.seat) == ("expose", 0)
    assert set(table.legal()) == {"expose:TC", "expose:AH", "expose:QS", "expose:done"}
    table.play("expose:AH")
    assert (table.seat, set(table.legal())) == (0, {"expose:TC", "expose:QS", "expose:done"})
    play_all(table, "expose:TC expose:QS")
    assert set(table.legal()) == {"expose:done"}
    table.play("expose:done")
    assert (table.seat, list(table.legal())) == (1, ["expose:done"])
    table.play("expose:done")
    assert (table.seat, set(table.legal())) == (2, {"expose:JD", "expose:done"})
    play_all(table, "expose:done expose:done")
    assert sorted(table.exposed) == ["AH", "QS", "TC"]
    assert (table.phase, table.seat, list(table.legal())) == ("play", 0, ["TC"]), "the lock is waived for the opening"


def test_exposed_cards_count_more_in_play(judge: Judge) -> None:
    rules = f"rickety_kate({EIGHT}, exposing.cards={{QS:QS,AH:H}}, max_deals=1)"
    table = judge.match(rules, EIGHT_HANDS)
    play_all(table, "expose:AH expose:done expose:done expose:done expose:QS expose:done")
    play_all(table, EIGHT_PLAY)
    assert list(table.totals) == [30, 0, 0, 0]


def test_the_order_of_pledging(judge: Judge) -> None:
    rules = f"rickety_kate({EIGHT}, pledge=10, max_deals=1)"
    table = judge.match(rules, EIGHT_HANDS)
    for seat, answer in enumerate(["yes", "yes", "no", "yes"]):
        assert (table.phase, table.seat, set(table.legal())) == ("pledge", seat, {"pledge:yes", "pledge:no"})
        table.play(f"pledge:{answer}")
    assert list(table.pledges) == [True, True, False, True]
    play_all(table, EIGHT_PLAY)
    assert list(table.totals) == [25, -10, 0, -10]


def test_option_36_a_pledge_where_more_is_better(judge: Judge) -> None:
    taken = ["2H", "3H QS", "", ""]
    assert judge.score("math_team_hearts(pledge=10)", taken, pledges=[0, 2]).points == [-10, -1, 11, 1]


def test_points_for_no_heart(judge: Judge) -> None:
    assert judge.score("black_lady(no_hearts=-5)", ["QS", "2H", "", "2C"]).points == [8, 1, -5, -5]
    moon = [ALL, "2C", "", ""]
    assert judge.score("black_lady(no_hearts=-5, moon.mode=old)", moon).points == [0, 21, 21, 21]
    off = "black_lady(no_hearts=-5, moon.mode=old, no_hearts_on_moon=false)"
    assert judge.score(off, moon).points == [0, 26, 26, 26]
    assert judge.score("math_team_hearts(no_hearts=2, card_values={QS:-3})", ["QS", "2H", "", ""]).points == [
        -1,
        0,
        2,
        2,
    ]


def test_jokers_break_hearts_only_where_they_cost(judge: Judge) -> None:
    rules = f"joker_hearts({SIXTEEN}, break_by=any_penalty, card_values={{H:1,QS:13"
    hands = [hand.split() for hand in ["AC AH AD KS", "JK QC KC AS", "JK JK QH KD", "QD KH QS JK"]]
    for points, legal in [("", {"AD", "KS"}), (",JK:1", {"AH", "AD", "KS"})]:
        table = judge.match(f"{rules}{points}}})", hands, leader=0)
        play_all(table, "AC KC JK QD")
        assert (table.seat, set(table.legal())) == (0, legal)


def test_a_joker_that_costs_is_a_penalty_card_beside_hearts(judge: Judge) -> None:
    rules = "joker_hearts(jokers.lead=call, lead_exception=hearts_plus_penalty, card_values={H:1,QS:13,JK:1})"
    assert judge.legal(rules, "5H QS") == {"5H", "QS"}
    assert judge.legal(rules, "5H 6C") == {"6C"}
    assert judge.legal(rules.replace("call", "never"), "5H JK 6C") == {"6C"}
    assert judge.legal(rules.replace("call", "never"), "5H JK") == {"5H"}


def test_everything_may_follow_a_trick_of_jokers(judge: Judge) -> None:
    assert judge.legal("joker_hearts", "5D 7C 4H", "JK") == {"5D", "7C", "4H"}
    assert judge.legal("joker_hearts", "5D 7C 4H", "JK JK 9H") == {"4H"}
    assert judge.legal("joker_hearts(jokers.play=void_only)", "5D JK", "JK 9D") == {"5D"}
    assert judge.legal("joker_hearts(forced_discard=[QS])", "QS JK 7C", "9D") == {"QS"}
