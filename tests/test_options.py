"""A case for every rule option of RULEBOOK part B in scope, put to the engine and to the oracle."""

from __future__ import annotations

import pytest

from tests.judges import Judge, Table, both_judges, deal_out, play_all

pytestmark = both_judges()

HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
ALL = HEARTS + " QS"


# Passing


def pass_low(table: Table) -> list[list[str]]:
    """Every seat passes the first cards of its hand; the picks of each seat, in order."""
    picks: list[list[str]] = [[] for _ in table.hands]
    while table.phase == "pass":
        seat, card = table.seat, sorted(table.legal())[0]
        picks[seat].append(card)
        table.play(card)
    return picks


def passed_to(judge: Judge, rules: str, deal_number: int = 0, direction: str = "") -> list[int]:
    """Where the picks of seat 0 went, as seat offsets in the order of picking; every seat must agree."""
    hands = deal_out(rules, {})
    table = judge.match(rules, hands, passing=True, deal_number=deal_number)
    if direction:
        table.play(direction)
    picks = pass_low(table)
    owners = {card: seat for seat, hand in enumerate(table.hands) for card in hand}
    offsets = [[(owners[card] - seat) % len(hands) for card in cards] for seat, cards in enumerate(picks)]
    assert all(row == offsets[0] for row in offsets)
    return offsets[0]


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


# Points


def test_option_31_a_bonus_card(judge: Judge) -> None:
    rules = "black_lady(card_values={H:1,QS:13,TD:-10})"
    assert judge.score(rules, ["TD", "QS", "2H", ""]).points == [-10, 13, 1, 0]


def test_option_32_floors_leave_other_minus_points_alone(judge: Judge) -> None:
    rules = "omnibus_hearts(bonus_floor_hand=true, no_tricks=-5)"
    assert judge.score(rules, ["JD", ALL + " 2C", "", ""], tricks_won=[1, 12, 0, 0], moon="self").points == [
        0,
        -26,
        0,
        0,
    ]
    assert judge.score(rules, [ALL + " JD", "", "", ""], tricks_won=[11, 1, 1, 0], moon="self").points[0] == -26
    assert judge.score(rules, ["JD", "2H", "", ""], tricks_won=[5, 4, 4, 0]).points == [0, 1, 0, -5]
    total = "black_lady(bonus_floor_total=true)"
    assert judge.score(total, [ALL, "", "", ""], totals=[10, 3, 2, 1], moon="self").totals == [0, 3, 2, 1]


def test_option_33_later_entries_override(judge: Judge) -> None:
    assert judge.score("black_lady(card_values={Q:5,H:1,QS:13})", ["QS QH QD QC 2H", "", "", ""]).points[0] == 25
    assert judge.score("black_lady(card_values={H:1,Q:5})", ["QS QH QD QC 2H", "", "", ""]).points[0] == 21


@pytest.mark.parametrize(("before", "after"), [(37, 0), (87, 50), (36, 49), (38, 51), (86, 99)])
def test_option_34_exact_totals(judge: Judge, before: int, after: int) -> None:
    rules = "black_lady(exact={50:-50,100:-50})"
    assert judge.score(rules, ["QS", "", "", ""], totals=[before, 0, 0, 0]).totals == [after, 0, 0, 0]


SMALL_PACK = "ranks=[Q,A], cycle=[hold], first_trick_forbidden=[]"
EXACT = SMALL_PACK + ", opening.holder=AC, exact={50:-50,100:-50}"
EXACT_HANDS = {0: "AC AD", 1: "QC QD", 2: "AH QH", 3: "QS AS"}
EXACT_PLAY = "AC QC QH QS AD QD AH AS"


def test_option_34_exact_totals_may_be_declined(judge: Judge) -> None:
    rules = f"rickety_kate({EXACT}, exact_optional=true)"
    table = judge.match(rules, deal_out(rules, EXACT_HANDS), totals=[85, 50, 50, 70])
    play_all(table, EXACT_PLAY)
    assert list(table.totals) == [100, 50, 50, 70]
    for seat, answer in [(0, "yes"), (1, "no"), (2, "yes")]:
        assert (table.phase, table.seat) == ("exact", seat)
        assert set(table.legal()) == {"exact:yes", "exact:no"}
        table.play(f"exact:{answer}")
    assert list(table.totals) == [50, 50, 0, 70]
    assert not table.over


def test_option_34_declining_a_hundred_ends_the_match(judge: Judge) -> None:
    rules = f"rickety_kate({EXACT}, exact_optional=true)"
    table = judge.match(rules, deal_out(rules, EXACT_HANDS), totals=[85, 0, 0, 70])
    play_all(table, EXACT_PLAY)
    table.play("exact:no")
    assert (table.over, list(table.totals)) == (True, [100, 0, 0, 70])


def test_option_35_no_tricks_in_a_deal_with_a_moon(judge: Judge) -> None:
    taken, won = [ALL, "2C", "", ""], [12, 1, 0, 0]
    assert judge.score("black_lady(no_tricks=-5)", taken, tricks_won=won, moon="others").points == [
        0,
        26,
        26,
        26,
    ]
    both = "black_lady(no_tricks=-5, no_tricks_on_moon=true)"
    assert judge.score(both, taken, tricks_won=won, moon="others").points == [0, 26, 21, 21]
    assert judge.score("rickety_kate(no_tricks=-5)", taken, tricks_won=won).points == [26, 0, -5, -5]


@pytest.mark.parametrize(("target", "cmp", "over"), [(100, "ge", True), (100, "gt", False), (101, "ge", False)])
def test_option_38_the_target(judge: Judge, target: int, cmp: str, over: bool) -> None:
    rules = f"black_lady(target={target}, target_cmp={cmp})"
    assert judge.score(rules, ["QS", "", "", ""], totals=[87, 0, 0, 0]).over is over
    assert judge.score(rules, ["QS 2H 3H", "", "", ""], totals=[87, 0, 0, 0]).over


def test_option_39_fixed_deals(judge: Judge) -> None:
    rules = f"rickety_kate({EXACT}, target=none, max_deals=3)"
    for deal_number, over in [(0, False), (1, False), (2, True)]:
        table = judge.match(rules, deal_out(rules, EXACT_HANDS), deal_number=deal_number, totals=[200, 1, 2, 3])
        play_all(table, EXACT_PLAY)
        assert table.over is over


@pytest.mark.parametrize(
    ("changes", "cards", "dealer"),
    [
        ("opening.holder=AC", EXACT_PLAY, 2),
        ("dealer_next=QD, opening.holder=AC", EXACT_PLAY, 0),
        ("dealer_next=QS, opening.holder=AS", "AS AC QC QH QS AD QD AH", 3),
    ],
)
def test_the_next_dealer(judge: Judge, changes: str, cards: str, dealer: int) -> None:
    rules = f"rickety_kate({SMALL_PACK}, {changes})"
    table = judge.match(rules, deal_out(rules, EXACT_HANDS), dealer=1)
    play_all(table, cards)
    assert (table.deal_number, table.dealer) == (1, dealer)


# Moon and sun


def test_options_42_to_44_and_54_moon_modes(judge: Judge) -> None:
    taken = [ALL, "", "", ""]
    for mode, points in {"old": [0, 26, 26, 26], "new": [-26, 0, 0, 0], "none": [26, 0, 0, 0]}.items():
        assert judge.score(f"black_lady(moon.mode={mode})", taken).points == points
    assert judge.score("black_lady(moon.mode=fixed_self, moon.amount=37)", taken).points == [37, 0, 0, 0]
    assert judge.score("black_lady(moon.mode=old, moon.amount=15)", taken).points == [0, 15, 15, 15]


def test_the_moon_may_need_other_cards(judge: Judge) -> None:
    hearts_only = "black_lady(moon.mode=old, moon.cards=[H])"
    assert judge.score(hearts_only, [HEARTS, "QS", "", ""]).points == [0, 26, 13, 13]
    assert judge.score(hearts_only, [ALL, "", "", ""]).points == [13, 13, 13, 13]
    with_jack = "omnibus_hearts(moon.mode=old, moon.cards=[H,QS,JD])"
    assert judge.score(with_jack, [ALL, "JD", "", ""]).points == [26, -10, 0, 0]
    assert judge.score(with_jack, [ALL + " JD", "", "", ""]).points == [-10, 26, 26, 26]


def test_option_45_a_tie_with_the_best_does_not_lose(judge: Judge) -> None:
    rules, taken = "black_lady(moon.mode=new_if_old_loses)", [ALL, "", "", ""]
    assert judge.score(rules, taken, totals=[90, 95, 64, 70]).totals == [90, 121, 90, 96]
    assert judge.score(rules, taken, totals=[91, 95, 64, 70], moon="self").totals == [65, 95, 64, 70]


@pytest.mark.parametrize(
    ("totals", "after"),
    [
        ([10, 20, 30, 40], [10, 46, 56, 66]),
        ([90, 95, 63, 70], [64, 95, 63, 70]),
        ([80, 95, 63, 70], [80, 121, 89, 96]),
    ],
)
def test_option_57_the_better_outcome(judge: Judge, totals: list[int], after: list[int]) -> None:
    for mode in ("choice", "new_if_old_loses"):
        rules = f"black_lady(moon.mode={mode}, policy=auto_best)"
        assert judge.score(rules, [ALL, "", "", ""], totals=totals).totals == after


@pytest.mark.parametrize(("won", "points"), [([13, 0, 0, 0], [0, 52, 52, 52]), ([11, 2, 0, 0], [0, 26, 26, 26])])
def test_option_50_the_sun_has_its_own_amount(judge: Judge, won: list[int], points: list[int]) -> None:
    rules = "black_lady(moon.mode=old, sun_amount=52)"
    assert judge.score(rules, [ALL, "", "", ""], tricks_won=won).points == points


@pytest.mark.parametrize(
    ("sun", "points"),
    [
        ("requires_sun=true", [16, 0, 0]),
        ("requires_sun=true, sun_skip_first=true", [0, 16, 16]),
        ("sun_amount=52", [0, 16, 16]),
        ("sun_amount=52, sun_skip_first=true", [0, 52, 52]),
    ],
)
def test_option_51_and_case_54_the_first_trick_does_not_count(judge: Judge, sun: str, points: list[int]) -> None:
    # Seat 1 wins the first trick, seat 0 the other three with every penalty card.
    rules = f"black_lady(ranks=[Q,K,A], players=3, cycle=[hold], opening.holder=AC, moon.mode=old, {sun})"
    table = judge.match(rules, deal_out(rules, {0: "KC AD AS AH", 1: "AC QD QS QH", 2: "QC KD KS KH"}))
    play_all(table, "AC QC KC QD KD AD AS QS KS AH QH KH")
    assert list(table.totals) == points


@pytest.mark.parametrize("effect", ["add_total", "fixed100"])
def test_option_53_the_big_moon(judge: Judge, effect: str) -> None:
    end = "target=none, max_deals=5" if effect == "add_total" else "target=100"
    rules = (
        f"rickety_kate({SMALL_PACK}, opening.holder=AC, no_tricks=-5, {end},big_moon_deals=1, big_moon_effect={effect})"
    )
    table = judge.match(rules, deal_out(rules, EXACT_HANDS), totals=[40, 1, 2, 3])
    play_all(table, EXACT_PLAY)
    gift = 15 if effect == "add_total" else 100
    assert list(table.totals) == [0, 1 - 5 + gift, 2 - 5 + gift, 3 - 5 + gift]
