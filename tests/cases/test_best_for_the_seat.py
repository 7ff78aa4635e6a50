"""Choices that `score_deal` makes for a seat: the better moon, and the exact hits worth taking."""

from __future__ import annotations

import pytest

import hearts_env as he

SUIT = ["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]
HEARTS = [rank + "H" for rank in SUIT]
PENALTIES = [*HEARTS, "QS"]


@pytest.mark.parametrize(
    ("rules", "taken", "totals", "after"),
    [
        # clearing their own total wins; doubling the others' would not
        ("uk_black_lady", [*HEARTS, "QS", "AS", "TS"], (100, 30, 20, 10), (0, 30, 20, 10)),
        # old moon would bring the others to 0
        (
            "complex_hearts",
            PENALTIES,
            (20 + 20j, -13 - 13j, -13 - 13j, -13 - 13j),
            (7 + 7j, -13 - 13j, -13 - 13j, -13 - 13j),
        ),
        # old moon would let all others hit 100, which becomes 50
        ("black_lady(exact={100:-50}, target=200)", PENALTIES, (30, 74, 74, 74), (4, 74, 74, 74)),
        # equally good: the others are charged
        ("black_lady", PENALTIES, (30, 10, 10, 10), (30, 36, 36, 36)),
        # old moon would end the match with somebody ahead of the shooter
        ("black_lady", PENALTIES, (60, 80, 10, 10), (34, 80, 10, 10)),
    ],
)
def test_the_moon_is_settled_as_is_best_for_the_shooter(
    rules: str, taken: list[str], totals: tuple[complex, ...], after: tuple[complex, ...]
) -> None:
    assert he.score_deal(rules, [taken, [], [], []], totals=totals).totals == after


def test_an_optional_hit_that_raises_a_total_is_declined_where_the_lowest_wins() -> None:
    rules = "black_lady(exact={13:20}, exact_optional=true)"
    assert he.score_deal(rules, [["QS"], [], [], []]).totals == (13, 0, 0, 0)


def test_an_optional_hit_that_lowers_a_total_is_declined_where_the_highest_wins() -> None:
    rules = "rickety_kate(better=high, target=none, max_deals=9, exact={13:-10}, exact_optional=true)"
    assert he.score_deal(rules, [["QS"], [], [], []]).totals == (13, 0, 0, 0)


def test_a_hit_that_is_not_optional_counts_either_way() -> None:
    rules = "rickety_kate(better=high, target=none, max_deals=9, exact={13:-10})"
    assert he.score_deal(rules, [["QS"], [], [], []]).totals == (3, 0, 0, 0)
