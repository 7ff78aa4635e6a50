"""The worked cases of RULES.md part D on points and ends of other games than Basic Hearts; case 42 is D.42."""

from __future__ import annotations

import pytest

from tests.support.judges import Judge, both_judges, play_all

pytestmark = both_judges()

HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
ALL = HEARTS + " QS"
PLAIN = ["2C", "3C", "4C", "5C"]
"""Four tricks' worth of nothing."""


def hearts(count: int) -> str:
    """So many hearts out of two packs."""
    return " ".join((HEARTS.split() * 2)[:count])


# Options of scoring


@pytest.mark.parametrize(("cards", "points"), [("QS", 3), ("5H", 11), ("", -10), ("QS 5H", 24), ("JD", -10)])
def test_case_41_a_pledge_to_take_no_heart(judge: Judge, cards: str, points: int) -> None:
    said = judge.score("black_lady(pledge=10)", ["2H", "", cards, "3H"], pledges=[2])
    assert said.points == [1, 0, points, 1]


@pytest.mark.parametrize(
    ("taken", "totals"),
    [
        (["2H", "2D", "QS", ""], [24, 26, 24, 26]),
        (["2H", "3H", "QS", "4H"], [24, 24, 24, 24]),
        (["2H", "3H", "QS", "2C"], [24, 24, 24, 28]),
        (["2H", "3D", "", "2C"], [24, 25, 25, 25]),
    ],
)
def test_case_42_chips(judge: Judge, taken: list[str], totals: list[int]) -> None:
    assert judge.score("rickety_kate(chips=25, target=none)", taken).totals == totals


def test_case_42_the_match_ends_when_somebody_cannot_pay(judge: Judge) -> None:
    rules, taken = "rickety_kate(chips=25, target=none)", ["QS", "2D", "2C", ""]
    said = judge.score(rules, taken, totals=[2, 30, 40, 28])
    assert (said.totals, said.over) == ([1, 30, 40, 28], False)
    said = judge.score(rules, taken, totals=[1, 30, 40, 28])
    assert (said.totals, said.over) == ([0, 30, 40, 28], True)
    assert (said.ranking, said.losers) == ([4, 2, 1, 3], [0])


def test_case_45_uk_black_lady(judge: Judge) -> None:
    lot, totals = [ALL + " AS TS", "", "", ""], [100, 40, 60, 80]
    assert judge.score("uk_black_lady", ["QS AH 7H", "", "", ""]).points == [67, 0, 0, 0]
    assert judge.score("uk_black_lady", lot, totals=totals, moon="self").totals == [0, 40, 60, 80]
    assert judge.score("uk_black_lady", lot, totals=totals, moon="others").totals == [100, 80, 120, 160]
    assert judge.score("uk_black_lady(moon.mode=none)", lot, totals=totals).totals == [304, 40, 60, 80]


@pytest.mark.parametrize(("passer", "points"), [(1, [26, 52, 0, 26]), (3, [26, 26, 0, 52]), (None, [26, 26, 0, 26])])
def test_case_51_who_passed_to_the_sun_is_punished(judge: Judge, passer: int | None, points: list[int]) -> None:
    rules, taken = "black_lady(moon.mode=old, punish=52)", ["", "", ALL, ""]
    assert judge.score(rules, taken, tricks_won=[0, 0, 13, 0], passer=passer).points == points
    assert judge.score(rules, taken, tricks_won=[1, 1, 11, 0], passer=passer).points == [26, 26, 0, 26]


@pytest.mark.parametrize(
    ("deal_number", "points"), [(0, [0, 15, 15, 52]), (1, [0, 52, 15, 15]), (2, [0, 15, 52, 15]), (3, [0, 15, 15, 15])]
)
def test_case_51_the_passer_of_a_deal(judge: Judge, deal_number: int, points: list[int]) -> None:
    rules = (
        "black_lady(ranks=[Q,A], moon.mode=old, punish=52, passing.count=1, opening.holder=AC,"
        "first_trick_forbidden=[], cycle=[left,right,across,hold], max_deals=5)"
    )
    passes = ["QC QD QS AC", "QS AC QC QD", "QD QS AC QC", ""]
    given = passes[deal_number].split() or ["AC", "QC", "QD", "QS"]
    before = [[card, kept] for card, kept in zip(given, ["AH", "QH", "AD", "AS"], strict=True)]
    table = judge.match(rules, before, passing=True, deal_number=deal_number)
    play_all(table, passes[deal_number])
    play_all(table, "AC QC QD QS AH QH AD AS")
    assert list(table.totals) == points


def test_case_56_partners_shoot_together(judge: Judge) -> None:
    taken = [HEARTS, "", "QS", ""]
    assert judge.score("partnership_hearts", taken).points == [0, 26, 0, 26]
    assert judge.score("partnership_hearts(moon.scope=player)", taken).points == [13, 0, 13, 0]
    assert judge.score("partnership_hearts(moon.scope=player)", [ALL, "", "", ""]).points == [0, 26, 0, 26]
    assert judge.score("partnership_hearts", ["2H", "3H", "QS", HEARTS[6:]]).shooter is None


# Math Team Hearts


@pytest.mark.parametrize(
    ("rules", "taken", "points"),
    [
        ("math_team_hearts", ["2H 3H 4H 5H 6H", "7H 8H 9H TH JH QH KH AH QS", "", ""], [0, -1, 1, 1]),
        ("math_team_hearts", [HEARTS, "QS", "", ""], [0, 0, 1, 1]),
        ("math_team_hearts", ["", "", "", ALL], [1, 1, 1, 2]),
        ("math_team_hearts(no_hearts_on_moon=false)", ["", "", "", ALL], [0, 0, 0, 2]),
    ],
)
def test_cases_58_to_60_math_team_hearts(judge: Judge, rules: str, taken: list[str], points: list[int]) -> None:
    assert judge.score(rules, taken).points == points


def test_math_team_hearts_is_won_by_most_points(judge: Judge) -> None:
    said = judge.score("math_team_hearts(max_deals=1)", [HEARTS, "QS", "", ""], totals=[3, 1, 0, 2])
    assert (said.over, said.totals, said.ranking, said.losers) == (True, [3, 1, 1, 3], [1, 3, 3, 1], [1, 2])


# IncreduHearts


@pytest.mark.parametrize(
    ("queens", "jacks", "count", "amount"), [(1, 0, 20, 29), (2, 1, 24, 48), (2, 2, 26, 72), (1, 0, 18, 31)]
)
def test_cases_61_to_63_the_partial_moon(judge: Judge, queens: int, jacks: int, count: int, amount: int) -> None:
    cards = " ".join([hearts(count), "QS " * queens, "JD " * jacks])
    rest = " ".join((HEARTS.split() * 2)[count:] + ["QS"] * (2 - queens) + ["JD"] * (2 - jacks))
    own = 26 - count + 13 * (2 - queens) - 10 * (2 - jacks)
    taken, won = [cards, rest, "3C", "4C"], [20, 4, 1, 1]
    assert judge.score("incredu_hearts", taken, tricks_won=won, moon="self").points == [-amount, own, 0, 0]
    said = judge.score("incredu_hearts", taken, tricks_won=won, moon="others")
    assert (said.points, said.shooter) == ([0, own + amount, amount, amount], 0)


@pytest.mark.parametrize("short", [hearts(17) + " QS QS", hearts(26)])
def test_one_card_short_of_the_partial_moon(judge: Judge, short: str) -> None:
    assert judge.score("incredu_hearts", [short, "2C", "3C", "4C"], tricks_won=[20, 4, 1, 1]).shooter is None


CASE_70 = [hearts(20) + " QS", "9H TH JH QS", "QH KH AH JD", "JD", ""]


@pytest.mark.parametrize(
    ("rules", "moon", "points"),
    [
        ("incredu_hearts(players=5)", "self", [-29, 16, -7, -10, 0]),
        ("incredu_hearts(players=5)", "others", [0, 45, 22, 19, 29]),
        ("incredu_hearts(players=5, others_score=false)", "self", [-29, 0, 0, 0, 0]),
        ("incredu_hearts(players=5, others_score=false)", "others", [0, 29, 29, 29, 29]),
        ("incredu_hearts(players=5, no_tricks_on_moon=true)", "others", [0, 45, 22, 19, 24]),
    ],
)
def test_case_70_the_others_beside_a_moon(judge: Judge, rules: str, moon: str, points: list[int]) -> None:
    assert judge.score(rules, CASE_70, tricks_won=[10, 5, 4, 2, 0], moon=moon).points == points


def test_case_71_no_tricks(judge: Judge) -> None:
    taken = [hearts(10) + " QS", "2C", hearts(26)[30:60], ""]
    assert judge.score("incredu_hearts", taken, tricks_won=[10, 8, 8, 0]).points[3] == -5


@pytest.mark.parametrize(("players", "cards"), [(4, 104), (5, 105), (6, 102), (7, 105), (8, 104)])
def test_case_72_the_universe_is_worth_the_pack(judge: Judge, players: int, cards: int) -> None:
    taken = [" ".join([hearts(26), "QS QS JD JD"])] + [""] * (players - 1)
    won = [cards // players] + [0] * (players - 1)
    rules = f"incredu_hearts(players={players})"
    assert judge.score(rules, taken, tricks_won=won, moon="self").points == [-cards] + [0] * (players - 1)
    assert judge.score(rules, taken, tricks_won=won, moon="others").points == [0] + [cards] * (players - 1)


@pytest.mark.parametrize(
    ("before", "cards", "after", "over"),
    [(87, "QS", 0, False), (-90, "JD", 0, False), (88, "QS", 101, True), (-95, "JD", -105, False)],
)
def test_case_73_exactly_a_hundred_is_nothing(judge: Judge, before: int, cards: str, after: int, over: bool) -> None:
    taken, won = [cards, "2C", "3C", "4C"], [7, 7, 6, 6]
    said = judge.score("incredu_hearts", taken, tricks_won=won, totals=[before, 0, 0, 0])
    assert (said.totals[0], said.over) == (after, over)
    below = judge.score("incredu_hearts(lower_target=-100)", taken, tricks_won=won, totals=[before, 0, 0, 0])
    assert (below.totals[0], below.over) == (after, over or after < -100)


# Complex Hearts


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("2H 3H 4H 5H 6H QS TC", -26 + 10j),
        ("QS TC", -26),
        ("JD TC", -20j),
        ("2H 3H 4H 5H 6H TC", 10j),
        ("2H 3H 4H 5H 6H 7H 8H QS JD", -3 + 13j),
        ("TC", 0),
    ],
)
def test_cases_75_to_79_complex_hearts(judge: Judge, cards: str, points: complex) -> None:
    assert judge.score("complex_hearts", ["", cards, "", ""]).points == [0, points, 0, 0]


@pytest.mark.parametrize(
    ("extra", "own", "others", "shooter"),
    [
        ("", -13 - 13j, 13 + 13j, 0),
        (" TC", 26 - 26j, -26 + 26j, 0),
        (" JD", -23 - 13j, 13 + 13j, -10),
        (" JD TC", (-23 - 13j) * 2j, -26 + 26j, -20j),
    ],
)
def test_cases_82_and_83_the_complex_moon(
    judge: Judge, extra: str, own: complex, others: complex, shooter: complex
) -> None:
    taken = [ALL + extra, "", "", ""]
    assert judge.score("complex_hearts", taken, moon="self").points == [own, 0, 0, 0]
    assert judge.score("complex_hearts", taken, moon="others").points == [shooter, others, others, others]
    plain = judge.score("complex_hearts(moon.multiplied=false)", taken, moon="others")
    assert plain.points == [shooter, 13 + 13j, 13 + 13j, 13 + 13j]


def test_the_others_keep_their_own_complex_cards(judge: Judge) -> None:
    said = judge.score("complex_hearts", [ALL, "JD TC", "", ""], moon="others")
    assert said.points == [0, -20j + 13 + 13j, 13 + 13j, 13 + 13j]


@pytest.mark.parametrize(
    ("total", "over"), [(60 + 80j, True), (59 + 80j, False), (96 + 28j, True), (71 + 71j, True), (70 + 71j, False)]
)
def test_case_85_a_magnitude_of_a_hundred(judge: Judge, total: complex, over: bool) -> None:
    for turned in (total, -total, total * 1j, total.conjugate()):
        said = judge.score("complex_hearts", PLAIN, totals=[5, turned, 3 + 4j, -50])
        assert (said.over, said.ranking, said.losers) == (over, [1, 4, 1, 3], [1] if over else [])
    assert not judge.score("complex_hearts(target_cmp=gt)", PLAIN, totals=[0, 60 + 80j, 0, 0]).over


# Gong Zhu


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("QS AH", -150),
        ("QS AH TC", -300),
        ("JD TC", 200),
        ("TC", 50),
        ("TC 3H", 0),
        ("2H 3H 4H", 0),
        ("5H 6H 7H 8H 9H TH", -60),
        ("JH QH KH AH", -140),
        (HEARTS, 200),
        (ALL, 300),
        (ALL + " JD TC", 800),
        (HEARTS + " JD", 300),
    ],
)
def test_cases_87_to_89_gong_zhu(judge: Judge, cards: str, points: int) -> None:
    assert judge.score("gong_zhu", [cards, "", "", ""]).points == [points, 0, 0, 0]


def test_gong_zhu_may_ask_for_every_scoring_card(judge: Judge) -> None:
    rules = "gong_zhu(sweeps={H:H,H+QS+JD+TC:QS})"
    assert judge.score(rules, [ALL, "", "", ""]).points[0] == 100
    assert judge.score(rules, [ALL + " JD TC", "", "", ""]).points[0] == 800


def test_case_92_the_pig(judge: Judge) -> None:
    said = judge.score("gong_zhu", ["QS", "2C", "3C", "4C"], totals=[-900, 100, -999, 0])
    assert (said.totals, said.over) == ([-1000, 100, -999, 0], True)
    assert (said.ranking, said.losers) == ([4, 1, 3, 2], [0])
    assert not judge.score("gong_zhu", ["QS", "2C", "3C", "4C"], totals=[-899, 1000, 0, 0]).over
    both = judge.score("gong_zhu(target=1000)", ["QS", "JD", "3C", "4C"], totals=[0, 900, 0, 0])
    assert (both.totals, both.over, both.ranking[1]) == ([-100, 1000, 0, 0], True, 1)


# Danger Hearts

DANGER = "danger_hearts(ranks=[Q,A], cycle=[hold], first_trick_forbidden=[], opening.holder=AC"


@pytest.mark.parametrize(
    ("changes", "lives"),
    [
        ("moon.mode=none, card_values={H:1,QS:12}", [3, 3, 3, 3]),
        ("moon.mode=none", [2, 3, 3, 3]),
        ("moon.mode=none, life_threshold=16", [3, 3, 3, 3]),
        ("moon.mode=old, moon.amount=26", [3, 2, 2, 2]),
        ("moon.mode=old, moon.amount=14", [3, 3, 3, 3]),
    ],
)
def test_case_97_fifteen_points_cost_a_life(judge: Judge, changes: str, lives: list[int]) -> None:
    hands = [["AC", "AH"], ["QC", "QH"], ["QD", "AD"], ["QS", "AS"]]
    table = judge.match(f"{DANGER}, {changes})", hands)
    play_all(table, "AC QC QD QS AH QH AD AS")
    assert (table.deal_number, list(table.lives)) == (1, lives)
