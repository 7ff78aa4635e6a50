"""The cost of the decisions in a record to each seat, by deal, in passing and in play; and the clear mistakes."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

Choices = Sequence[dict[str, Any]]
"""Legal actions, the best first, each with its cost and the standard error of that, or with its probability."""
PASSING = ("direction", "pass", "refuse")
"""Phases before the play of a deal in which cards are passed."""
CLEAR = 2.0
"""A cost of more than this many standard errors is called a mistake."""


def chosen(decision: dict[str, Any], choices: Choices) -> dict[str, Any]:
    """The action that was taken in a decision, among the valued ones."""
    return next(one for one in choices if one["action"] == decision["action"])


def verdict(decisions: list[dict[str, Any]], values: Mapping[int, Choices], seats: int) -> list[dict[str, Any]]:
    """The loss of each seat, in points compared with the best choices.

    Costs are never negative, so chance alone adds up to something; mistakes are what is clearly more.

    >>> made = [{"deal": 1, "seat": 2, "phase": phase, "action": "KS"} for phase in ("pass", "play")]
    >>> values = {at: [{"action": "4S", "cost": 0.0}, {"action": "KS", "cost": 3.0, "error": at + 1}] for at in (0, 1)}
    >>> verdict(made, values, 3)[2]
    {'passing': 3.0, 'play': 3.0, 'deals': {1: 6.0}, 'mistakes': [0], 'clear': 3.0}

    Args:
        decisions: the deal, seat, phase and action of each, in order.
        values: place of a decision -> its choices with their costs and errors; those with probabilities do not count.
        seats: number of seats.

    Returns:
        Per seat: points lost in ``passing`` and in ``play``, by number of the ``deals``, and in ``clear`` mistakes; and
        the places of these ``mistakes``.
    """
    rows: list[dict[str, Any]] = [
        {"passing": 0.0, "play": 0.0, "deals": {}, "mistakes": [], "clear": 0.0} for _ in range(seats)
    ]
    for at, choices in sorted(values.items()):
        if "cost" in choices[0]:
            one, choice = decisions[at], chosen(decisions[at], choices)
            row, cost = rows[one["seat"]], choice["cost"]
            row["passing" if one["phase"] in PASSING else "play"] += cost
            row["deals"][one["deal"]] = row["deals"].get(one["deal"], 0.0) + cost
            if cost > CLEAR * choice["error"]:
                row["mistakes"].append(at)
                row["clear"] += cost
    return rows


def table_of(decisions: list[dict[str, Any]], values: Mapping[str, Mapping[int, Choices]], names: list[str]) -> str:
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
