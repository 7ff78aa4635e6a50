"""The points of deals, put to engine and oracle: the worked cases (D.) and options (A., B.) of RULES.md."""

from typing import Any

import pytest

from tests.support.judges import Judge, both_judges
from tests.support.scored import ALL, HEARTS, check, deal, hearts

OMNIBUS = "2H 3H 4H 5H 6H 7H 8H JD/QS 9H TH JH/QH KH AH"
NO_TRICKS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH/QS QH KH AH/2C 3C 4C 5C/"
INCREDU = f"{hearts(10)} QS/2C/{hearts(10, 20)}/"
SEVENS = [7, 7, 6, 6]
FLOOR = "omnibus_hearts(bonus_floor_hand=true"
SWEEP = "black_lady(sweeps={QS+KS:QS}"
FACTORS = "incredu_hearts(multipliers={TC:2,TD:3@H})"
GONG_ZHU = "gong_zhu(exposing.cards={AH:H,QS:QS,JD:JD,TC:TC})"
EVERY = "gong_zhu(sweeps={H:H,H+QS+JD+TC:QS})"
JOKERS = "joker_hearts(card_values={H:1,QS:13,JK:-5}, bonus_floor_hand=true)"
FACES = "black_lady(card_values={Q:5,H:1,QS:13})"
POLIGNAC = "black_lady(card_values={J:1,JS:2}, score.sets={each:-5}, moon.mode=none, cycle=[hold])"
KNAVES = (
    "black_lady(players=3, card_values={JS:4,JC:3,JD:2,JH:1}, score.tricks={each:1}, deck.remainder=kitty, "
    "kitty_award=last_trick, moon.mode=none, cycle=[hold])"
)

OF_ROYAL = {
    "QH 2H 3H": 6, "2H 3H": 2, "QS": 26, "QS QC": 0, "QC": 0, "QD": -10, "QH QD": -8, "QH QS": 28, "QH QS QC QD": -8,
}  # fmt: skip
OF_COMPLEX = {
    "2H 3H 4H 5H 6H QS TC": -26 + 10j, "QS TC": -26, "JD TC": -20j,
    "2H 3H 4H 5H 6H TC": 10j, "2H 3H 4H 5H 6H 7H 8H QS JD": -3 + 13j, "TC": 0,
}  # fmt: skip
OF_PIGS = {
    "QS AH": -150, "QS AH TC": -300, "JD TC": 200, "TC": 50, "TC 3H": 0, "2H 3H 4H": 0, "5H 6H 7H 8H 9H TH": -60,
    "JH QH KH AH": -140, HEARTS: 200, ALL: 300, f"{ALL} JD TC": 800, f"{HEARTS} JD": 300,
}  # fmt: skip
OF_SHOWN = [
    ("QS", "QS", -200), ("AH", "5H AH", -120), ("AH", "5H", -20), ("AH", HEARTS, 400), ("JD", "JD", 200),
    ("TC", "JD TC", 400), ("TC", "TC", 100), ("TC", "TC 3H", 0), ("TC QS", "QS TC", -800),
    ("AH QS JD TC", "5H JD", 180), ("AH", "QS", -100),
]  # fmt: skip
OF_TURBO = [
    ("", "QS 2H JD", 4), ("QS", "QS 2H JD", 17), ("AH", "QS 2H JD", 5), ("JD", "QS 2H JD", -6), ("", "QS 2H TC", 28),
    ("TC", "QS 2H TC", 56), ("TC", "TC", 0),
]  # fmt: skip

POINTS = [
    deal("D.34", "black_lady", "2H 3H 4H/QS 5H 6H 7H 8H/9H TH JH QH KH AH", [3, 17, 6]),
    deal("D.36 one heart short", "black_lady", f"{hearts(12)} QS/AH", [25, 1], shooter=None),
    deal("D.37 the bonus", "omnibus_hearts", OMNIBUS, [-3, 16, 3]),
    deal("D.37 its floor", f"{FLOOR})", OMNIBUS, [0, 16, 3]),
    deal("D.40 no trick", "black_lady(no_tricks=-5)", NO_TRICKS, [10, 16, 0, -5], tricks_won=[6, 5, 2, 0]),
    deal("D.43", "spot_hearts", "JH 5H QS", [40]),
    deal("D.43", "spot_hearts_129", "JH 5H QS", [41]),
    deal("D.43", "pip_hearts", "JH 5H QS", [16]),
    deal("D.43", "high_hearts", "JH 5H QS", [16]),
    deal("D.43", "high_hearts", "JH QH KH AH 2H", [15]),
    deal("D.45 Black Maria", "black_maria", "QS KS AS 3H", [31]),
    deal("D.45", "black_maria", f"{HEARTS} QS KS AS", [43]),
    deal("D.45 UK Black Lady", "uk_black_lady", "QS AH 7H", [67]),
    deal("D.71 no trick", "incredu_hearts", INCREDU, [23, 0, 10, -5], tricks_won=[10, 8, 8, 0]),
    deal("D.94", "queens", "QH 3H", [14]),
    deal("D.95", "small_hearts", "8H 9H TH QS", [10]),
    deal("D.95", "small_hearts(card_values={H:1,QS:7,JD:-5})", "8H 9H TH QS JD", [5]),
    deal("A.27 all tricks", "reversis", "JH QH QS/2H", [15, 0], tricks_won=[13, 0, 0, 0]),
    deal("A.27", "reversis", "JH/QH/JD QS", [4, 5, 5, 1], tricks_won=[3, 4, 5, 1]),
    deal("A.27", "four_jacks", "JC JD JH QS/JS AH", [3, 2]),
    deal("A.27", "hearts_1850", f"{HEARTS} QS/JS", [13, 0], shooter=None),
    deal("B.31 a bonus card", "black_lady(card_values={H:1,QS:13,TD:-10})", "TD/QS/2H", [-10, 13, 1]),
    deal("B.32 other minus points", f"{FLOOR}, no_tricks=-5)", "JD/2H", [0, 1, 0, -5], tricks_won=[5, 4, 4, 0]),
    deal("B.33 later entries override", FACES, "QS QH QD QC 2H", [25]),
    deal("B.33", "black_lady(card_values={H:1,Q:5})", "QS QH QD QC 2H", [21]),
    deal("B.35 no trick", "rickety_kate(no_tricks=-5)", f"{ALL}/2C", [26, 0, -5, -5], tricks_won=[12, 1, 0, 0]),
    deal("no heart", "black_lady(no_hearts=-5)", "QS/2H//2C", [8, 1, -5, -5]),
    deal("no heart", "math_team_hearts(no_hearts=2, card_values={QS:-3})", "QS/2H", [-1, 0, 2, 2]),
    # Other games
    deal("queens", "queens(card_values={H:1,Q:13,QH:14})", "QH 3H", [15]),
    deal("dirty hearts", "dirty_hearts", "TD QS 2H", [24]),
    deal("hooligan hearts", "hooligan_hearts", "7C 2H", [8]),
    deal("likha", "likha", f"{ALL} TD", [37]),
    deal("likha", "likha", ALL, [26]),
    deal("heartsette", "heartsette(card_values={H:1}, moon.mode=none)", ALL, [13]),
    deal("polignac", POLIGNAC, "JC JD JH JS", [0], tricks_won=[13, 0, 0, 0]),
    deal("polignac", POLIGNAC, "JC JD JH JS", [5], tricks_won=[12, 1, 0, 0]),
    deal("knaves", KNAVES, "JS//JH", [7, 9, 6], tricks_won=[3, 9, 5]),
    # Factors
    *[deal("royal hearts", "royal_hearts", taken, [points]) for taken, points in OF_ROYAL.items()],
    deal("factors per copy", FACTORS, "2H QS TC TC TD/3C/4C/5C", [64], tricks_won=SEVENS),
    deal("factors per copy", FACTORS, "2H QS TD TD/3C/4C/5C", [22], tricks_won=SEVENS),
    deal("factors before the floor", f"{FLOOR}, multipliers={{TC:2}})", "2H JD TC", [0]),
    deal("factors before the floor", f"{FLOOR}, multipliers={{TC:2}})", "2H 3H 4H JD TC QS", [12]),
    deal("factors before the floor", "royal_hearts(bonus_floor_hand=true)", "QD QC QS", [0]),
    deal("negations before the floor", f"{FLOOR}, negations={{JC:JD}})", "2H JD JC", [1]),
    deal("jokers before the floor", JOKERS, "2H JK", [0]),
    deal("sweeps", f"{SWEEP})", "QS KS 2H", [-12]),
    deal("sweeps before factors", f"{SWEEP}, multipliers={{TC:3}})", "QS KS 2H TC", [-36]),
    deal("events are not multiplied", "black_lady(multipliers={TC:2}, no_hearts=5)", "TC QS", [31, 5, 5, 5]),
    deal("60", "black_lady(multipliers={TC:2}, no_hearts=5, multiplied_events=true)", "TC QS", [36, 5, 5, 5]),
    deal("60", "black_lady(multipliers={TC:2}, no_hearts=5, multiplied_events=true)", "TC 2H", [2, 5, 5, 5]),
    deal("60", "complex_hearts(no_hearts=5, multiplied_events=true)", "TC", [10j, 5, 5, 5]),
    deal("two factors", "black_lady(multipliers={TC:2,QH:3@H})", "QH 2H QS TC", [38]),
    # Complex Hearts
    *[deal("D.75 to 79", "complex_hearts", f"/{taken}", [0, points]) for taken, points in OF_COMPLEX.items()],
    # Gong Zhu
    *[deal("D.87 to 89", "gong_zhu", taken, [points]) for taken, points in OF_PIGS.items()],
    deal("every scoring card", EVERY, ALL, [100]),
    deal("every scoring card", EVERY, f"{ALL} JD TC", [800]),
    # Cards shown
    *[deal("cards shown", GONG_ZHU, taken, [points], exposed=exposed.split()) for exposed, taken, points in OF_SHOWN],
    *[
        deal("turbo hearts", "turbo_hearts", f"/{taken}", [0, points], exposed=exposed.split())
        for exposed, taken, points in OF_TURBO
    ],
    # Pledges and chips
    *[
        deal("D.41 a pledge", "black_lady(pledge=10)", f"2H//{cards}/3H", [1, 0, points, 1], pledges=[2])
        for cards, points in {"QS": 3, "5H": 11, "": -10, "QS 5H": 24, "JD": -10}.items()
    ],
    deal("B.36 where more is better", "math_team_hearts(pledge=10)", "2H/3H QS", [-10, -1, 11, 1], pledges=[0, 2]),
    *[
        deal("D.42 chips", "rickety_kate(chips=25, target=none)", taken, after=after)
        for taken, after in {
            "2H/2D/QS/": [24, 26, 24, 26],
            "2H/3H/QS/4H": [24, 24, 24, 24],
            "2H/3H/QS/2C": [24, 24, 24, 28],
            "2H/3D//2C": [24, 25, 25, 25],
        }.items()
    ],
]


@both_judges()
@pytest.mark.parametrize(("rules", "taken", "given", "wanted"), POINTS)
def test_points(judge: Judge, rules: str, taken: str, given: dict[str, Any], wanted: dict[str, Any]) -> None:
    check(judge, rules, taken, given, wanted)
