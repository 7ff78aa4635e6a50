"""Scored deals as rows of a table: what the seats took, and what they are given for it."""

from typing import Any

import pytest

import hearts_env as he
from tests.support.judges import Judge

HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
ALL = f"{HEARTS} QS"
PLAIN = "2C/3C/4C/5C"
"""Four tricks' worth of nothing."""
GIVEN = {"tricks_won", "totals", "moon", "pledges", "exposed", "passer"}


def hearts(first: int, last: int | None = None) -> str:
    """So many hearts out of two packs, or those from one place to another."""
    both = HEARTS.split() * 2
    return " ".join(both[:first] if last is None else both[first:last])


def deal(where: str, rules: str, taken: str, points: list[Any] | None = None, **named: Any) -> Any:
    """A row: the cards of each seat between slashes, what else is given, and what is wanted of the verdict.

    Seats that are not mentioned took nothing and get nothing; `after` are the totals after the deal.
    """
    given = {name: value for name, value in named.items() if name in GIVEN}
    wanted = {name: value for name, value in named.items() if name not in GIVEN}
    if points is not None:
        wanted["points"] = points
    if "after" in wanted:
        wanted["totals"] = wanted.pop("after")
    return pytest.param(rules, taken, given, wanted, id=where)


def check(judge: Judge, rules: str, taken: str, given: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Put a row to a judge."""
    seats = he.rules(rules).players
    cards = taken.split("/")
    result = judge.score(rules, cards + [""] * (seats - len(cards)), **given)
    if "points" in wanted:
        wanted = wanted | {"points": wanted["points"] + [0] * (seats - len(wanted["points"]))}
    assert wanted
    assert {name: getattr(result, name) for name in wanted} == wanted
