"""The cost of the decisions in a record to each seat, by deal, in passing and in play; and the clear mistakes."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from typing import Any

from hearts_training.evaluate.analysis import Decision

PASSING = ("direction", "pass", "refuse")
"""Phases before the play of a deal in which cards are passed."""
CLEAR = 2.0
"""A cost of more than this many standard errors is called a mistake."""


def verdict(found: Iterable[tuple[Decision, str]], seats: int) -> list[dict[str, Any]]:
    """The loss of each seat, in points compared with the best choices.

    Costs are never negative, so chance alone adds up to something; mistakes are what is clearly more.

    >>> pass_, play = (Decision(at, 1, 2, "KS", {"4S": 0.0, "KS": 3.0}, {"4S": 0.0, "KS": at}) for at in (1, 2))
    >>> verdict([(pass_, "pass"), (play, "play")], 3)[2]
    {'passing': 3.0, 'play': 3.0, 'deals': {1: 6.0}, 'mistakes': [1], 'clear': 3.0}

    Args:
        found: valued decisions, each with its phase, in order.
        seats: number of seats.

    Returns:
        Per seat: points lost in ``passing`` and in ``play``, by number of the ``deals``, and in ``clear`` mistakes; and
        the places of these ``mistakes``.
    """
    rows: list[dict[str, Any]] = [
        {"passing": 0.0, "play": 0.0, "deals": {}, "mistakes": [], "clear": 0.0} for _ in range(seats)
    ]
    for one, phase in found:
        row = rows[one.seat]
        row["passing" if phase in PASSING else "play"] += one.cost
        row["deals"][one.deal] = row["deals"].get(one.deal, 0.0) + one.cost
        if one.cost > CLEAR * one.error:
            row["mistakes"].append(one.at)
            row["clear"] += one.cost
    return rows


def table_of(
    decisions: list[dict[str, Any]], values: Mapping[str, Mapping[int, list[dict[str, Any]]]], names: list[str]
) -> str:
    """Every value of a study as CSV: a line for each legal action of each decision, by adviser.

    >>> decision = {"deal": 1, "seat": 0, "phase": "play", "action": "KS"}
    >>> values = [{"action": "4S", "cost": 0.0, "error": 0.0}, {"action": "KS", "cost": 3.0, "error": 0.5}]
    >>> print(table_of([decision], {"pimc": {0: values}}, ["Ann"]), end="")
    place,deal,seat,name,phase,chosen,adviser,action,cost,error,probability
    0,1,0,Ann,play,KS,pimc,4S,0.0,0.0,
    0,1,0,Ann,play,KS,pimc,KS,3.0,0.5,
    """
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(
        ["place", "deal", "seat", "name", "phase", "chosen", "adviser", "action", "cost", "error", "probability"]
    )
    for agent, places in values.items():
        for at, found in sorted(places.items()):
            one = decisions[at]
            known = at, one["deal"], one["seat"], names[one["seat"]], one["phase"], one["action"], agent
            for value in found:
                out.writerow([*known, value["action"], *(value.get(key) for key in ("cost", "error", "probability"))])
    return text.getvalue()
