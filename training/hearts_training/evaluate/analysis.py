"""Costs of the decisions of a finished match, as a search values them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import hypot
from typing import NamedTuple

from hearts_agents.base import Agent
from hearts_agents.search import Estimate
from hearts_agents.values import estimates
from hearts_env.table.match import Match


class Decision(NamedTuple):
    """A decision of a match and what it cost according to a search.

    Attributes:
        at: number of actions before it.
        deal: number of its deal, from 1.
        seat: the seat that decided.
        action: the chosen action.
        best: the action with the lowest margin.
        cost: the cost of the chosen action, 0 or more; see `costs_of`.
        error: standard error of the cost.
    """

    at: int
    deal: int
    seat: int
    action: str
    best: str
    cost: float
    error: float


def costs_of(found: Sequence[Estimate]) -> tuple[dict[str, float], dict[str, float]]:
    """The cost of each action, the best first, and the standard errors of these costs.

    A cost is the points by which the margin of an action is above that of the best; 0 or more. A search knows the
    standard error of the difference between each action and the policy's own (`Estimate.difference_error`). The cost is
    the difference of two such differences, and its error is computed as if they were independent. It is exact where
    the action or the best is the policy's own. Elsewhere it is usually too large, because both were tried in the same
    worlds.

    >>> best, own = Estimate("4S", -2.0, 1.0, -3.0, 0.3, 64), Estimate("KS", 1.0, 1.1, 0.0, 0.0, 64)
    >>> costs_of([best, own])
    ({'4S': 0.0, 'KS': 3.0}, {'4S': 0.0, 'KS': 0.3})

    Args:
        found: a search's estimates for each legal action, the best first.
    """
    best = found[0]
    costs = {one.action: one.margin - best.margin for one in found}
    errors = {one.action: hypot(one.difference_error, best.difference_error) for one in found}
    return costs, errors | {best.action: 0.0}


def decisions(match: Match, agent: Agent, seat: int | None = None) -> Iterator[Decision]:
    """Value the decisions of a match that were not forced, one after the other.

    Args:
        match: the match.
        agent: a search, or another agent with ``action_values(views)``.
        seat: whose decisions; None for everybody's.

    >>> import hearts_env as he
    >>> from hearts_agents.search import PimcAgent
    >>> match = he.Match("black_lady(cycle=[hold], max_deals=1)", seed=7)
    >>> while not match.over:
    ...     match.play(match.legal()[0])
    >>> costs = [decision.cost for decision in decisions(match, PimcAgent(worlds=4), seat=0)]
    >>> len(costs) > 5, min(costs) >= 0
    (True, True)
    """
    now, at = match.after(0), 0
    for deal in match.log:
        for taker, action in deal.actions:
            if seat in (None, taker):
                view = now.view(taker)
                if len(view.legal_ids()) > 1:
                    costs, errors = costs_of(estimates(agent, view))
                    yield Decision(at, deal.number + 1, taker, action, next(iter(costs)), costs[action], errors[action])
            now.play(action)
            at += 1


def worst(found: Iterable[Decision]) -> list[Decision]:
    """The ten decisions that cost most, the costliest first; those that cost nothing are left out."""
    costly = [decision for decision in found if decision.cost > 0]
    return sorted(costly, key=lambda decision: -decision.cost)[:10]
