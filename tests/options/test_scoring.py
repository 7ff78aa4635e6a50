"""The options of RULES.md part B on points, ends and moons, put to engine and oracle; option 31 is B.31."""

from __future__ import annotations

import pytest

from tests.support.judges import Judge, both_judges, deal_out, play_all

pytestmark = both_judges()

HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
ALL = HEARTS + " QS"


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
