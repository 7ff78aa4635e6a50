"""The options of RULES.md part B on passing, leading and breaking, put to engine and oracle; option 31 is B.31."""

from __future__ import annotations

import pytest

from tests.support.judges import Judge, both_judges, deal_out, pass_low, passed_to, play_all

pytestmark = both_judges()


@pytest.mark.parametrize(
    ("players", "offsets"),
    [(3, [1, 2, 0]), (4, [1, 3, 2, 0]), (5, [1, 4, 2, 3, 0]), (6, [1, 5, 2, 4, 3, 0])],
)
def test_option_1_the_cycle_reaches_every_seat(judge: Judge, players: int, offsets: list[int]) -> None:
    for deal in range(2 * len(offsets)):
        offset = offsets[deal % len(offsets)]
        assert passed_to(judge, f"black_lady(players={players})", deal) == ([offset] * 3 if offset else [])


def test_option_2_hold(judge: Judge) -> None:
    rules = "black_lady(cycle=[left,hold])"
    hands = deal_out(rules, {})
    assert judge.match(rules, hands, passing=True, deal_number=0).phase == "pass"
    table = judge.match(rules, hands, passing=True, deal_number=1)
    assert table.phase == "play"
    assert [sorted(hand) for hand in table.hands] == [sorted(hand) for hand in hands]


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_option_3_scatter(judge: Judge, players: int) -> None:
    rules = f"black_lady(players={players}, cycle=[scatter])"
    assert passed_to(judge, rules) == list(range(1, players))


def test_option_5_the_dealer_chooses(judge: Judge) -> None:
    rules = "black_lady(cycle=[left|across*2|left*4&right*4|hold])"
    table = judge.match(rules, deal_out(rules, {}), passing=True, dealer=2)
    assert (table.phase, table.seat) == ("direction", 2)
    texts = ["left", "across*2", "left*4&right*4", "hold"]
    assert set(table.legal()) == {f"direction:{text}" for text in texts}
    assert passed_to(judge, rules, direction="direction:left") == [1, 1, 1]
    assert passed_to(judge, rules, direction="direction:across*2") == [2, 2]
    assert passed_to(judge, rules, direction="direction:left*4&right*4") == [1] * 4 + [3] * 4
    assert passed_to(judge, rules, direction="direction:hold") == []


def test_option_6_split_pass(judge: Judge) -> None:
    assert passed_to(judge, "four_five_four") == [1] * 4 + [2] * 5 + [3] * 4
    assert passed_to(judge, "four_five_four", deal_number=3) == [1] * 4 + [2] * 5 + [3] * 4


def test_option_7_fixed_direction(judge: Judge) -> None:
    assert {tuple(passed_to(judge, "black_maria", deal)) for deal in range(5)} == {(3, 3, 3)}


def test_option_8_alternate_left_and_right(judge: Judge) -> None:
    rules = "black_lady(cycle=[left,right], passing.count=2)"
    assert [passed_to(judge, rules, deal) for deal in range(4)] == [[1, 1], [3, 3], [1, 1], [3, 3]]


def test_option_9_no_hold(judge: Judge) -> None:
    rules = "black_lady(cycle=[left,across,right], passing.count=1)"
    assert [passed_to(judge, rules, deal) for deal in range(4)] == [[1], [2], [3], [1]]


def test_option_10_partner_pass(judge: Judge) -> None:
    assert passed_to(judge, "black_lady(cycle=[across*3])") == [2, 2, 2]
    assert passed_to(judge, "black_lady(players=5, cycle=[-2*1])") == [3]


def test_option_11_protected_cards(judge: Judge) -> None:
    rules = "black_lady(ranks=[J,Q,K,A], unpassable=[QS,K,H], cycle=[left*2])"
    hands = deal_out(rules, {0: "JC QS KD JS", 1: "KC JH QH KH", 2: "QC QD AH AS"})
    table = judge.match(rules, hands, passing=True)
    assert set(table.legal()) == {"JC", "JS"}
    play_all(table, "JC JS")
    assert set(table.legal()) == {"KC", "JH", "QH", "KH"}, "a hand of protected cards may pass any"
    play_all(table, "KC JH")
    assert set(table.legal()) == {"QC", "QD", "AS"}


def test_option_14_received_cards_come_after_the_last_pick(judge: Judge) -> None:
    hands = deal_out("black_lady", {})
    table = judge.match("black_lady", hands, passing=True)
    for seat in range(4):
        for _ in range(3):
            assert table.seat == seat
            assert set(table.hands[seat]) <= set(hands[seat])
            table.play(sorted(table.legal())[0])
    assert all(len(hand) == 13 for hand in table.hands)
    assert all(len(set(hand) - set(dealt)) == 3 for hand, dealt in zip(table.hands, hands, strict=True))


def test_a_drawn_pass_takes_every_entry(judge: Judge) -> None:
    rules = "black_lady(schedule=random, cycle=[left,hold,across], passing.count=1)"
    assert passed_to(judge, rules) in ([1], [], [2])


# Leading and breaking


def test_option_15_hearts_may_be_led_at_once(judge: Judge) -> None:
    assert judge.legal("black_lady(heart_lead=free)", "2H AH 5C") == {"2H", "AH", "5C"}


def test_option_16_broken_hearts_may_be_led(judge: Judge) -> None:
    assert judge.legal("black_lady", "2H AH 5C", broken=True) == {"2H", "AH", "5C"}


def test_option_19_hands_of_penalty_cards(judge: Judge) -> None:
    loose = "lead_exception=hearts_plus_penalty"
    assert judge.legal(f"black_lady({loose})", "2H QS 5C") == {"QS", "5C"}
    assert judge.legal(f"black_maria({loose}, heart_lead=broken)", "2H QS AS KS") == {"2H", "QS", "AS", "KS"}
    assert judge.legal(f"omnibus_hearts({loose})", "2H JD") == {"JD"}
    assert judge.legal(f"pip_hearts({loose})", "2H QS") == {"QS"}


def test_option_19_such_a_lead_breaks_hearts(judge: Judge) -> None:
    rules = (
        "black_lady(ranks=[Q,K,A], players=3, cycle=[hold], opening.card=any, break_event=discarded,"
        "lead_exception=hearts_plus_penalty, first_trick_forbidden=[])"
    )
    table = judge.match(rules, deal_out(rules, {0: "QS QH KC KD", 1: "AH AC QC AD", 2: "KH KS AS QD"}), leader=1)
    play_all(table, "QC AS KC")
    play_all(table, "KD AD QD")
    assert set(table.legal()) == {"AC"}
    play_all(table, "AC KS QS")
    assert set(table.legal()) == {"AH"}


def test_option_20_opening_leads(judge: Judge) -> None:
    hand = "2C 9C 3D AH"
    assert judge.legal("black_lady(opening.card=any_of_suit)", hand, first_trick=True) == {"2C", "9C"}
    assert judge.legal("black_lady(opening.card=any)", hand, first_trick=True) == {"2C", "9C", "3D"}
    assert judge.legal("black_maria", hand, first_trick=True) == set(hand.split())
    assert judge.legal("black_lady(opening.holder=3D)", hand, first_trick=True) == {"3D"}
    assert judge.legal("black_lady(opening.holder=D)", "2D 9D AH", first_trick=True) == {"2D"}


@pytest.mark.parametrize("dealer", range(4))
def test_option_20_left_of_the_dealer_opens(judge: Judge, dealer: int) -> None:
    table = judge.match("black_maria", deal_out("black_maria", {}), dealer=dealer)
    assert table.seat == table.leader == (dealer + 1) % 4


def test_option_20_the_opener_may_come_with_the_pass(judge: Judge) -> None:
    hands = deal_out("black_lady", {0: "2C 3C 4C"})
    table = judge.match("black_lady", hands, passing=True)
    play_all(table, "2C 3C 4C")
    pass_low(table)
    assert (table.seat, list(table.legal())) == (1, ["2C"])


def test_option_21_the_first_trick(judge: Judge) -> None:
    assert judge.legal("black_lady(first_trick_forbidden=[QS])", "4H QS", "2C", first_trick=True) == {"4H"}
    assert judge.legal("black_lady(first_trick_forbidden=[H,Q])", "QC JC", "2C", first_trick=True) == {"JC"}
    assert judge.legal("black_lady(first_trick_forbidden=[H,Q])", "QC 4H", "2C", first_trick=True) == {"QC"}
    assert judge.legal("black_lady", "4H QS", "2C") == {"4H", "QS"}
    assert judge.legal("pip_hearts", "4H QS", "2C", first_trick=True) == {"QS"}
    assert judge.legal("black_lady(opening.card=any)", "4H QS 5S", first_trick=True) == {"5S"}
    assert judge.legal("black_lady(opening.card=any)", "4H QS", first_trick=True) == {"QS"}
