"""Moons, suns and their awards, put to engine and oracle: the worked cases (D.) and options (A., B.) of RULES.md."""

from typing import Any

import pytest

from tests.support.judges import Judge, both_judges
from tests.support.scored import ALL, HEARTS, PLAIN, check, deal, hearts

OLD = "black_lady(moon.mode=old"
IF_OLD_LOSES = "black_lady(moon.mode=new_if_old_loses)"
EXACTLY = "black_lady(exact_wins=50"
RESET = "omnibus_hearts(moon.mode=reset_or_double)"
SLATE = "omnibus_hearts(moon.mode=old, clean_slate=true, no_tricks=-5)"
NEAR_SLATE = "black_lady(moon.mode=new, clean_slate=true"
EVERY_TRICK, MOST_TRICKS = [13, 0, 0, 0], [11, 1, 1, 0]
PAIR = f"{HEARTS}//QS"
"""Seats 0 and 2 together take every penalty card."""
UK = f"{ALL} AS TS"
UK_TOTALS = [100, 40, 60, 80]
INCREDU = {"tricks_won": [20, 4, 1, 1]}
CASE_70 = f"{hearts(20)} QS/9H TH JH QS/QH KH AH JD/JD"
TENS = [10, 5, 4, 2, 0]
HOUSE = "complex_hearts(card_values={H:1i,QS:13}, multipliers={TC:1i}, target=50, moon.sign=hurts)"
JOKERS = "joker_hearts(card_values={H:1,QS:13,JK:5}, moon.mode=old)"
NO_HEARTS, NO_TRICKS = "black_lady(no_hearts=-5, moon.mode=old", "black_lady(no_tricks=-5"
PLEDGED = "black_lady(moon.mode=old, clean_slate=true, pledge=10, no_hearts=-3)"
AT_100 = "black_lady(exact={100:-50}, target=200)"
PARTNERS = "partnership_hearts(moon.mode=new_if_old_loses, max_deals=1)"
FIRST_LOST = f"2C 3C 4C 5C/{ALL}"
SUN: dict[str, Any] = {"tricks_won": EVERY_TRICK}
ONE_LOST: dict[str, Any] = {"tricks_won": [1, 12, 0, 0]}
ALL_BUT_ONE: dict[str, Any] = {"tricks_won": [12, 1, 0, 0], "moon": "others"}
PLUS = 13 + 13j
BEHIND = [-PLUS] * 3


def partial(queens: int, jacks: int, count: int, amount: int) -> list[Any]:
    """A partial moon of Incredu Hearts by seat 0, either way; seat 1 takes the rest."""
    cards = " ".join([hearts(count), "QS " * queens, "JD " * jacks])
    rest = " ".join([hearts(count, 26), "QS " * (2 - queens), "JD " * (2 - jacks)])
    own = 26 - count + 13 * (2 - queens) - 10 * (2 - jacks)
    taken = f"{cards}/{rest}/3C/4C"
    return [
        deal("D.61 to 63", "incredu_hearts", taken, [-amount, own], moon="self", **INCREDU),
        deal("D.61 to 63", "incredu_hearts", taken, [0, own + amount, amount, amount], moon="others", **INCREDU),
    ]


def universe(players: int, cards: int) -> list[Any]:
    """All cards that count, taken by one of so many players: the award is the size of the pack."""
    rules, taken = f"incredu_hearts(players={players})", f"{hearts(26)} QS QS JD JD"
    won = [cards // players] + [0] * (players - 1)
    charged = [0] + [cards] * (players - 1)
    return [
        deal("D.72", rules, taken, [-cards], tricks_won=won, moon="self"),
        deal("D.72", rules, taken, charged, tricks_won=won, moon="others"),
    ]


def complex_moon(extra: str, own: complex, others: complex, shooter: complex) -> list[Any]:
    """A moon of Complex Hearts with a few cards beside it."""
    charged, plain = [shooter, others, others, others], [shooter, *[13 + 13j] * 3]
    return [
        deal("D.82 and 83", "complex_hearts", ALL + extra, [own], moon="self"),
        deal("D.82 and 83", "complex_hearts", ALL + extra, charged, moon="others"),
        deal("D.82 and 83", "complex_hearts(moon.multiplied=false)", ALL + extra, plain, moon="others"),
    ]


MOONS = [
    deal("D.35", f"{OLD})", f"//{ALL}", [26, 26, 0, 26]),
    deal("D.35", "black_lady(moon.mode=new)", f"//{ALL}", [0, 0, -26]),
    deal("D.35", "black_lady", f"//{ALL}", [26, 26, 0, 26], moon="others"),
    deal("D.35", "black_lady", f"//{ALL}", [0, 0, -26], moon="self", shooter=2),
    deal("D.38 the bonus beside it", "omnibus_hearts", f"/{ALL}//JD", [26, 0, 26, 16], moon="others"),
    deal("D.38", "omnibus_hearts", f"/{ALL}//JD", [0, -26, 0, -10], moon="self"),
    *[
        deal("A. the tables add up", rules, f"/{ALL} AS KS TS 7C", [total, 0, total, total])
        for rules, total in {
            f"{OLD})": 26,
            "spot_hearts(moon.mode=old)": 119,
            "spot_hearts_129(moon.mode=old)": 129,
            "pip_hearts(moon.mode=old)": 104,
            "high_hearts(moon.mode=old)": 36,
            f"{OLD}, card_values={{H:1,AH:13,QS:13}})": 38,
            "hooligan_hearts(moon.mode=old)": 33,
            "black_maria(moon.mode=old)": 43,
            "uk_black_lady(moon.mode=old)": 204,
        }.items()
    ],
    deal("D.31", "five_hundred_hearts(moon.mode=old)", f"{ALL} 11H 12H", [0, 28, 28, 28]),
    deal("D.45", "uk_black_lady", UK, totals=UK_TOTALS, moon="self", after=[0, 40, 60, 80]),
    deal("D.45", "uk_black_lady", UK, totals=UK_TOTALS, moon="others", after=[100, 80, 120, 160]),
    deal("D.45", "uk_black_lady(moon.mode=none)", UK, totals=UK_TOTALS, after=[304, 40, 60, 80]),
    deal("D.46", IF_OLD_LOSES, ALL, totals=[90, 95, 63, 70], moon="others", after=[90, 121, 89, 96], losers=[1]),
    deal("D.46", IF_OLD_LOSES, ALL, totals=[90, 95, 63, 70], moon="self", after=[64, 95, 63, 70], over=False),
    deal("D.49", IF_OLD_LOSES, ALL, totals=[10, 20, 30, 40], after=[10, 46, 56, 66], over=False),
    *[
        deal("D.51 who passed to the sun", f"{OLD}, punish=52)", f"//{ALL}", points, tricks_won=won, passer=passer)
        for passer, won, points in [
            (1, [0, 0, 13, 0], [26, 52, 0, 26]),
            (3, [0, 0, 13, 0], [26, 26, 0, 52]),
            (None, [0, 0, 13, 0], [26, 26, 0, 26]),
            (1, [1, 1, 11, 0], [26, 26, 0, 26]),
        ]
    ],
    deal("D.53", f"{OLD}, requires_sun=true)", ALL, [26], tricks_won=MOST_TRICKS),
    deal("D.53", f"{OLD}, requires_sun=true)", ALL, [0, 26, 26, 26], tricks_won=EVERY_TRICK),
    deal("D.56 partners", "partnership_hearts", PAIR, [0, 26, 0, 26]),
    deal("D.56", "partnership_hearts(moon.scope=player)", PAIR, [13, 0, 13]),
    deal("D.56", "partnership_hearts(moon.scope=player)", ALL, [0, 26, 0, 26]),
    deal("D.56", "partnership_hearts", f"2H/3H/QS/{hearts(6, 13)}", shooter=None),
    deal("D.57", "rickety_kate", f"///{ALL}", [0, 0, 0, 26], shooter=None),
    deal("D.58", "math_team_hearts", f"{hearts(5)}/{hearts(5, 13)} QS", [0, -1, 1, 1]),
    deal("D.59", "math_team_hearts", f"{HEARTS}/QS", [0, 0, 1, 1]),
    deal("D.60", "math_team_hearts", f"///{ALL}", [1, 1, 1, 2]),
    deal("D.60", "math_team_hearts(no_hearts_on_moon=false)", f"///{ALL}", [0, 0, 0, 2]),
    *[row for case in [(1, 0, 20, 29), (2, 1, 24, 48), (2, 2, 26, 72), (1, 0, 18, 31)] for row in partial(*case)],
    deal("D.61 one card short", "incredu_hearts", f"{hearts(17)} QS QS/2C/3C/4C", shooter=None, **INCREDU),
    deal("D.61 one card short", "incredu_hearts", f"{hearts(26)}/2C/3C/4C", shooter=None, **INCREDU),
    *[
        deal("D.70", f"incredu_hearts(players=5{changes})", CASE_70, points, tricks_won=TENS, moon=moon)
        for changes, moon, points in [
            ("", "self", [-29, 16, -7, -10, 0]),
            ("", "others", [0, 45, 22, 19, 29]),
            (", others_score=false", "self", [-29, 0, 0, 0, 0]),
            (", others_score=false", "others", [0, 29, 29, 29, 29]),
            (", no_tricks_on_moon=true", "others", [0, 45, 22, 19, 24]),
        ]
    ],
    *[row for case in [(4, 104), (5, 105), (6, 102), (7, 105), (8, 104)] for row in universe(*case)],
    *[
        row
        for case in [
            ("", -13 - 13j, 13 + 13j, 0),
            (" TC", 26 - 26j, -26 + 26j, 0),
            (" JD", -23 - 13j, 13 + 13j, -10),
            (" JD TC", (-23 - 13j) * 2j, -26 + 26j, -20j),
        ]
        for row in complex_moon(*case)
    ],
    deal("D.83", "complex_hearts", f"{ALL}/JD TC", [0, 13 - 7j, 13 + 13j, 13 + 13j], moon="others"),
    deal("D.94", "queens", f"{HEARTS} QC QD QS", [64], totals=[44, 0, 0, 0], after=[108, 0, 0, 0], over=True),
    deal("D.95", "small_hearts", f"{hearts(6, 13)} QS", [-14]),
    # Options
    deal("B.32", "omnibus_hearts(bonus_floor_hand=true)", f"{ALL} JD", [-26], tricks_won=MOST_TRICKS, moon="self"),
    deal("B.32", "black_lady(bonus_floor_total=true)", ALL, totals=[10, 3, 2, 1], moon="self", after=[0, 3, 2, 1]),
    deal("B.35", f"{NO_TRICKS})", f"{ALL}/2C", [0, 26, 26, 26], **ALL_BUT_ONE),
    deal("B.35", f"{NO_TRICKS}, no_tricks_on_moon=true)", f"{ALL}/2C", [0, 26, 21, 21], **ALL_BUT_ONE),
    deal("A.8 no heart", f"{NO_HEARTS})", f"{ALL}/2C", [0, 21, 21, 21]),
    deal("A.8 no heart", f"{NO_HEARTS}, no_hearts_on_moon=false)", f"{ALL}/2C", [0, 26, 26, 26]),
    deal("B.44 none", "black_lady(moon.mode=none)", ALL, [26]),
    deal("B.54", "black_lady(moon.mode=fixed_self, moon.amount=37)", ALL, [37]),
    deal("moon.amount", f"{OLD}, moon.amount=15)", ALL, [0, 15, 15, 15]),
    deal("moon.cards", f"{OLD}, moon.cards=[H])", f"{HEARTS}/QS", [0, 26, 13, 13]),
    deal("moon.cards", f"{OLD}, moon.cards=[H])", ALL, [13, 13, 13, 13]),
    deal("moon.cards", "omnibus_hearts(moon.mode=old, moon.cards=[H,QS,JD])", f"{ALL}/JD", [26, -10]),
    deal("moon.cards", "omnibus_hearts(moon.mode=old, moon.cards=[H,QS,JD])", f"{ALL} JD", [-10, 26, 26, 26]),
    deal("B.45 a tie", IF_OLD_LOSES, ALL, totals=[90, 95, 64, 70], after=[90, 121, 90, 96]),
    deal("B.45", IF_OLD_LOSES, ALL, totals=[91, 95, 64, 70], moon="self", after=[65, 95, 64, 70]),
    *[
        deal("B.57", f"black_lady(moon.mode={mode}, policy=auto_best)", ALL, totals=totals, after=after)
        for mode in ("choice", "new_if_old_loses")
        for totals, after in [
            ([10, 20, 30, 40], [10, 46, 56, 66]),
            ([90, 95, 63, 70], [64, 95, 63, 70]),
            ([80, 95, 63, 70], [80, 121, 89, 96]),
        ]
    ],
    deal("B.50", f"{OLD}, sun_amount=52)", ALL, [0, 52, 52, 52], tricks_won=EVERY_TRICK),
    deal("B.50", f"{OLD}, sun_amount=52)", ALL, [0, 26, 26, 26], tricks_won=[11, 2, 0, 0]),
    deal("B.49", SLATE, f"{ALL} JD", [0], tricks_won=EVERY_TRICK, totals=[50, 20, 30, 40], after=[0, 20, 30, 40]),
    deal("B.49", SLATE, f"{ALL}/JD/2C/3C", [0, 16, 26, 26], tricks_won=[10, 1, 1, 1]),
    deal("B.49", f"{NEAR_SLATE}, sun_skip_first=true)", FIRST_LOST, **ONE_LOST, totals=[9] * 4, after=[9, 0, 9, 9]),
    deal("B.49", f"{NEAR_SLATE})", FIRST_LOST, **ONE_LOST, totals=[9] * 4, after=[9, -17, 9, 9]),
    deal("B.49 no pledge", PLEDGED, ALL, [0], **SUN, totals=[9] * 4, pledges=[1], after=[0, 9, 9, 9]),
    deal("B.55", RESET, f"{ALL}/JD", totals=[50, 20, 30, 40], moon="self", after=[0, 10, 30, 40]),
    deal("B.55", RESET, f"{ALL}/JD", totals=[50, 20, 30, 40], moon="others", after=[50, 20, 60, 80]),
    deal("A.9", "omnibus_hearts(others_score=false)", f"{ALL}/JD", [0, 26, 26, 26], moon="others"),
    deal("A.9", "omnibus_hearts(others_score=false)", f"{ALL}/JD", [-26], moon="self"),
    deal("A.9", "omnibus_hearts(others_score=false)", "2H/JD", [1, -10]),
    deal("least", "hooligan_hearts(moon.mode=new)", ALL, [26]),
    deal("least", "hooligan_hearts(moon.mode=new)", f"{ALL} 7C", [-33]),
    deal("least", "hooligan_hearts(moon.mode=new, moon.cards=[H,QS])", f"{ALL} 7C", [-19]),
    deal("royal hearts", "royal_hearts", f"{ALL}/QD/QC", [0, 16, 26, 26], moon="others"),
    deal("royal hearts", "royal_hearts(moon.amount=52)", f"{ALL}/QD/QC", [0, 42, 52, 52], moon="others"),
    deal("turbo hearts", "turbo_hearts", f"{ALL} TC/JD", [0, 42, 52, 52], moon="others"),
    deal("turbo hearts", "turbo_hearts", f"{ALL} TC/JD", [-52, -10], moon="self"),
    deal("turbo hearts", "turbo_hearts(moon.multiplied=false)", f"{ALL} TC/JD", [0, 16, 26, 26], moon="others"),
    deal("jokers", JOKERS, f"{ALL} JK JK JK JK", [0, 46, 46, 46]),
    deal("jokers", JOKERS, f"{ALL} JK JK JK/JK", [41, 5]),
    deal("jokers", "joker_hearts", f"{ALL}/JK JK", [0, 26, 26, 26], moon="others"),
    deal("two packs", "cancellation_hearts(players=5, moon.mode=old)", f"{ALL} {ALL}", [0, 52, 52, 52, 52]),
    deal("two packs", "cancellation_hearts(players=5, moon.mode=old)", f"{ALL}/{HEARTS}/QS", [26, 13, 13]),
    # The better way, if none is given
    deal("the total is cleared", "uk_black_lady", UK, totals=[100, 30, 20, 10], after=[0, 30, 20, 10]),
    deal("the others at 0", "complex_hearts", ALL, totals=[20 + 20j, *BEHIND], after=[7 + 7j, *BEHIND]),
    deal("the others at 100", AT_100, ALL, totals=[30, 74, 74, 74], after=[4, 74, 74, 74]),
    deal("equally good", "black_lady", ALL, totals=[30, 10, 10, 10], after=[30, 36, 36, 36]),
    deal("the match would be lost", "black_lady", ALL, totals=[60, 80, 10, 10], after=[34, 80, 10, 10]),
    # Teams
    deal("a team", "partnership_hearts(moon.mode=new)", PAIR, [-26, 0, -26]),
    deal("a team", "partnership_hearts(moon.mode=choice)", PAIR, [-26, 0, -26], moon="self"),
    deal("a team", "partnership_hearts(moon.mode=choice)", PAIR, [0, 26, 0, 26], moon="others"),
    deal("a team", "partnership_hearts(moon.mode=none)", PAIR, [13, 0, 13]),
    deal("a team", "partnership_hearts(moon.mode=fixed_self)", PAIR, [26]),
    deal("a partner with less is no loser", PARTNERS, PAIR, [0, 26, 0, 26], totals=[51, 0, 0, 0]),
    deal("a partner with less is no loser", PARTNERS, PAIR, [-26, 0, -26], totals=[53, 0, 0, 0], moon="self"),
    deal("B.61 paid by each", "greek_hearts(moon.mode=paid)", ALL, [-78, 26, 26, 26]),
    deal("B.61", "black_lady(moon.mode=paid, multipliers={TC:2})", f"{ALL} TC", [-156, 52, 52, 52]),
    deal("B.61", "partnership_hearts(moon.mode=paid)", PAIR, [-52, 26, 0, 26]),
    deal("B.62 wins", "black_lady(moon.mode=wins)", ALL, [0], totals=[90, 9, 0, 50], over=True, ranking=[1, 3, 2, 4]),
    deal("B.62", "partnership_hearts(moon.mode=wins)", PAIR, totals=[90, 0, 80, 0], over=True, ranking=[1, 3, 1, 3]),
    deal("B.62", "black_lady(moon.mode=wins)", "QS", totals=[0, 9, 0, 50], over=False),
    deal("B.63 exactly", f"{EXACTLY})", "2H/QS", totals=[49, 0, 0, 0], over=True, ranking=[1, 4, 2, 2]),
    deal("B.63", f"{EXACTLY})", "2H 3H/QS", totals=[49, 0, 0, 0], over=False, ranking=[4, 3, 1, 1]),
    deal("B.63", f"{EXACTLY}, exact={{50:-50}})", "2H/QS", totals=[49, 0, 0, 0], over=False),
    # The house form of Complex Hearts
    deal("house form", HOUSE, "2H 3H 4H 5H 6H QS TC", [-5 + 13j]),
    deal("house form", HOUSE, PLAIN, totals=[30 + 40j, 0, 0, 0], over=True),
    deal("house form", HOUSE, PLAIN, totals=[30 + 39j, 0, 0, 0], over=False),
    deal("house form", HOUSE, ALL, [-13 - 13j], totals=[0, 10, 10, 10], moon="self"),
    deal("house form", HOUSE, ALL, [0, PLUS, -PLUS, PLUS], totals=[0, 10 + 10j, -10 - 10j, 10 - 10j], moon="others"),
]


@both_judges()
@pytest.mark.parametrize(("rules", "taken", "given", "wanted"), MOONS)
def test_moons(judge: Judge, rules: str, taken: str, given: dict[str, Any], wanted: dict[str, Any]) -> None:
    check(judge, rules, taken, given, wanted)
