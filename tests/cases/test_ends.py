"""Totals, limits and places, put to engine and oracle: the worked cases (D.) and options (A., B.) of RULES.md."""

from typing import Any

import pytest

from tests.support.judges import Judge, both_judges
from tests.support.scored import ALL, HEARTS, PLAIN, check, deal

CHIPS = "rickety_kate(chips=25, target=none"
EXACT = "black_lady(exact={100:-100,-100:100}, target_cmp=gt)"
BETTER_REAL = "complex_hearts(better=real)"
MIXED = [3 + 50j, -4, 5, -60 - 80j]
LEVEL = [101, 101, 7, 7]
LIVES = "danger_hearts(lives=1, moon.mode=none"


def stands(where: str, rules: str, totals: list[Any], over: bool, losers: list[int] | None = None, **more: Any) -> Any:
    """A row: a deal without points after which totals stand like this."""
    return deal(where, rules, PLAIN, totals=totals, over=over, losers=losers or [], **more)


def incredu(before: int, card: str, after: int, over: bool) -> list[Any]:
    """Incredu Hearts to an exact hundred, with and without a lower target."""
    given: dict[str, Any] = {"totals": [before, 0, 0, 0], "tricks_won": [7, 7, 6, 6], "after": [after, 0, 0, 0]}
    taken, lower = f"{card}/2C/3C/4C", "incredu_hearts(lower_target=-100)"
    return [
        deal("D.73", "incredu_hearts", taken, **given, over=over),
        deal("D.73", lower, taken, **given, over=over or after < -100),
    ]


def magnitude(total: complex, over: bool) -> list[Any]:
    """Complex Hearts with a total in each of four directions."""
    return [
        stands("D.85", "complex_hearts", [5, turned, 3 + 4j, -50], over, [1] if over else [], ranking=[1, 4, 1, 3])
        for turned in (total, -total, total * 1j, total.conjugate())
    ]


MATH, LAST_LIFE = "math_team_hearts(max_deals=1)", "danger_hearts(lives=1, moon.mode=old, lives_out=eliminate)"
PIG = "QS/2C/3C/4C"
FIRST_LOSES: dict[str, Any] = {"over": True, "ranking": [4, 1, 3, 2], "losers": [0]}
MOST_WIN: dict[str, Any] = {"over": True, "ranking": [1, 3, 3, 1], "losers": [1, 2]}
LEAST_LOSE: dict[str, Any] = {"over": True, "ranking": [1, 2, 3, 3], "losers": [2, 3]}

ENDS = [
    deal("D.37", "omnibus_hearts(bonus_floor_total=true)", "JD", totals=[2, 0, 0, 0], after=[0, 0, 0, 0]),
    deal("D.42 chips", f"{CHIPS})", "QS/2D/2C", totals=[2, 30, 40, 28], after=[1, 30, 40, 28], over=False),
    deal("D.42 chips", f"{CHIPS})", "QS/2D/2C", totals=[1, 30, 40, 28], over=True, ranking=[4, 2, 1, 3], losers=[0]),
    *[row for case in [(87, "QS", 0, False), (-90, "JD", 0, False)] for row in incredu(*case)],
    *[row for case in [(88, "QS", 101, True), (-95, "JD", -105, False)] for row in incredu(*case)],
    *[row for total in (60 + 80j, 96 + 28j, 71 + 71j) for row in magnitude(total, True)],
    *[row for total in (59 + 80j, 70 + 71j) for row in magnitude(total, False)],
    stands("D.85", "complex_hearts(target_cmp=gt)", [0, 60 + 80j, 0, 0], False),
    deal("D.92 the pig", "gong_zhu", PIG, totals=[-900, 100, -999, 0], after=[-1000, 100, -999, 0], **FIRST_LOSES),
    deal("D.92", "gong_zhu", PIG, totals=[-899, 1000, 0, 0], over=False),
    deal("D.92", "gong_zhu(target=1000)", "QS/JD", totals=[0, 900, 0, 0], after=[-100, 1000, 0, 0], over=True),
    deal("D.94", "queens", "QH", totals=[94, 0, 0, 0], over=False),
    deal("D.100", "rickety_kate(tie=continue)", ALL, totals=[94, 90, 85, 85], over=False, losers=[]),
    deal("D.100", "rickety_kate", ALL, totals=[94, 90, 85, 85], over=True, ranking=[4, 3, 1, 1], losers=[0]),
    deal("D.102", "black_lady", "QS", totals=[87, 60, 50, 50], over=True, ranking=[4, 3, 1, 1]),
    deal("D.102", EXACT, "QS", totals=[87, 60, 50, 50], after=[0, 60, 50, 50], over=False),
    deal("D.102", EXACT, "QS 2H", totals=[87, 60, 50, 50], over=True),
    deal("D.102", "omnibus_hearts(exact={-100:100})", "JD", totals=[-90, 0, 0, 0], after=[0, 0, 0, 0]),
    deal("most points win", MATH, f"{HEARTS}/QS", totals=[3, 1, 0, 2], after=[3, 1, 1, 3], **MOST_WIN),
    *[
        deal("B.34", "black_lady(exact={50:-50,100:-50})", "QS", totals=[before, 0, 0, 0], after=[after, 0, 0, 0])
        for before, after in {37: 0, 87: 50, 36: 49, 38: 51, 86: 99}.items()
    ],
    deal("a hit", "rickety_kate(better=high, target=none, max_deals=9, exact={13:-10})", "QS", after=[3, 0, 0, 0]),
    *[
        deal("B.38", f"black_lady(target={target}, target_cmp={cmp})", taken, totals=[87, 0, 0, 0], over=over)
        for target, cmp, exactly in [(100, "ge", True), (100, "gt", False), (101, "ge", False)]
        for taken, over in {"QS": exactly, "QS 2H 3H": True}.items()
    ],
    *[
        deal("B.58", f"{LIVES}{changes})", "QS 2H 3H/4H/5H/6H", totals=[0, 90, 20, 30], over=over, ranking=[4, 3, 1, 2])
        for changes, over in {
            "": True,
            ", lives_out=rank_last": False,
            ", lives_out=eliminate": False,
            ", lives_out=rank_last, max_deals=1": True,
            ", lives_out=eliminate, max_deals=1": True,
        }.items()
    ],
    deal("B.58 the last with a life", LAST_LIFE, ALL, totals=[200, 0, 10, 10], **LEAST_LOSE),
    deal("lives before ties", "danger_hearts(lives=1, tie=continue)", "QS 2H 3H", over=True, losers=[0]),
    # Where totals stand
    stands("royal hearts", "royal_hearts", [100, 0, 0, 0], False),
    stands("royal hearts", "royal_hearts", [101, 0, 0, 0], True, [0]),
    stands("magnitudes", "complex_hearts", [60 + 80j, 0, 90 + 90j, 0], True, [2]),
    stands("magnitudes", "complex_hearts", [60 + 80j, 0, -100, 0], True, [0, 2]),
    stands("magnitudes", "complex_hearts(tie=continue)", [60 + 80j, 3 + 4j, 0, 5], True, [0]),
    stands("magnitudes", "complex_hearts(tie=continue)", [60 + 80j, 3 + 4j, 6, 5], False),
    stands("magnitudes", "complex_hearts(target=none, max_deals=1)", [60 + 80j, 0, 1, 0], True, [0]),
    stands("who is at the target comes last", BETTER_REAL, MIXED, True, [3], ranking=[2, 1, 3, 4]),
    stands("by magnitude", "complex_hearts", MIXED, True, [3], ranking=[3, 1, 2, 4]),
    stands("gong zhu", "gong_zhu(tie=continue)", [-1000, 50, 50, 0], False),
    stands("gong zhu", "gong_zhu(target_cmp=gt)", [-1000, 0, 0, 0], False),
    stands("gong zhu", "gong_zhu(target_cmp=gt, target=1000)", [0, 0, 0, 1001], True, [0, 1, 2]),
    stands("lower target", "black_lady(lower_target=-50)", [-50, 0, 0, 1], True, [3]),
    stands("lower target", "black_lady(lower_target=-50, target_cmp=gt)", [-50, 0, 0, 1], False),
    stands("chips", f"{CHIPS}, max_deals=1, end.tie=continue)", [30, 30, 20, 20], False),
    # B.37: nobody can put a chip into the pool that he does not have
    deal("B.37", f"{CHIPS}, end.tie=continue)", "QS/2D/2C", totals=[1, 40, 40, 28], over=True, losers=[0]),
    deal("ties", "math_team_hearts(max_deals=1, tie=continue)", PLAIN, totals=[9, 5, 5, 4], over=True, losers=[3]),
    stands("ties", "math_team_hearts(max_deals=1, tie=continue, no_hearts=0)", [9, 9, 5, 4], False),
    # Teams
    stands("partners add up", "partnership_hearts", [60, 99, 40, 0], True, [0, 2], ranking=[3, 1, 3, 1]),
    stands("partners add up", "partnership_hearts", [60, 99, 39, 0], False),
    stands("partners add up", "partnership_hearts(target=200)", [150, 10, 49, 0], False),
    stands("partners tie", "partnership_hearts(tie=continue)", [60, 50, 50, 60], False, ranking=[1, 1, 1, 1]),
    deal("partners tie", "partnership_hearts", PLAIN, totals=[60, 50, 50, 60], over=True),
    stands("partners", "partnership_hearts(target=none, lower_target=-30, max_deals=9)", [-40, 0, 11, 5], False),
    stands("partners", "partnership_hearts(target=none, lower_target=-30, max_deals=9)", [-40, 0, 10, 5], True, [1, 3]),
    stands("partners", "gong_zhu(teams=[0+2,1+3])", [-600, 100, -400, -900], True, [0, 2], ranking=[3, 1, 3, 1]),
    stands("likha is lost by one", "likha", [101, 99, 0, 100], True, [0, 2], ranking=[3, 1, 3, 1]),
    stands("likha is lost by one", "likha", [101, 103, 0, 0], True, [1, 3]),
    stands("likha is lost by one", "likha", [101, 101, 5, 9], True, [1, 3], ranking=[1, 3, 1, 3]),
    stands("likha is lost by one", "likha", LEVEL, False, ranking=[1, 1, 1, 1]),
    deal("likha is lost by one", "likha(tie=share)", PLAIN, totals=LEVEL, over=True),
    stands("likha is lost by one", "likha(tie=share)", [101, 7, 0, 101], True, [1, 3]),
    stands("likha is lost by one", "likha", [100, 100, 100, 99], False),
]


@both_judges()
@pytest.mark.parametrize(("rules", "taken", "given", "wanted"), ENDS)
def test_ends(judge: Judge, rules: str, taken: str, given: dict[str, Any], wanted: dict[str, Any]) -> None:
    check(judge, rules, taken, given, wanted)
