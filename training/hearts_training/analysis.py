"""What the decisions of a finished match cost, as a search values them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import hypot

from hearts_agents.search import PimcAgent
from hearts_env.play.match import Match


@dataclass(frozen=True)
class Decision:
    """A decision of a match and what a search thinks of it.

    >>> decision = Decision(0, 1, 2, "KS", {"4S": -2.0, "KS": 1.0}, {"4S": 0.3, "KS": 0.4})
    >>> decision.best, decision.cost, decision.error
    ('4S', 3.0, 0.5)

    Attributes:
        at: number of actions before it.
        deal: number of its deal, from 1.
        seat: who decided.
        action: what was chosen.
        margins: legal action -> its expected margin in points, the best first.
        errors: legal action -> standard error of its margin compared with those of the others.
    """

    at: int
    deal: int
    seat: int
    action: str
    margins: Mapping[str, float]
    errors: Mapping[str, float]

    @property
    def best(self) -> str:
        """The action with the lowest margin."""
        return next(iter(self.margins))

    @property
    def cost(self) -> float:
        """What the chosen action costs."""
        return self.cost_of(self.action)

    @property
    def error(self) -> float:
        """Standard error of the cost."""
        return self.error_of(self.action)

    def cost_of(self, action: str) -> float:
        """Points by which the margin of an action is above that of the best; 0 or more."""
        return self.margins[action] - self.margins[self.best]

    def error_of(self, action: str) -> float:
        """Standard error of what an action costs."""
        return 0.0 if action == self.best else hypot(self.errors[action], self.errors[self.best])


def decisions(match: Match, agent: PimcAgent, seat: int | None = None) -> Iterator[Decision]:
    """Value the decisions of a match that were not forced, one after the other.

    Args:
        match: the match.
        agent: the search; its `explain` values the actions of a view.
        seat: whose decisions; None for everybody's.

    >>> import hearts_env as he
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
                    found = agent.explain(view)
                    margins = {one.action: one.margin for one in found}
                    errors = {one.action: one.difference_error for one in found}
                    yield Decision(at, deal.number + 1, taker, action, margins, errors)
            now.play(action)
            at += 1


def worst(found: Iterable[Decision], most: int = 10) -> list[Decision]:
    """The decisions that cost most, the costliest first; those that cost nothing are left out."""
    costly = [decision for decision in found if decision.cost > 0]
    return sorted(costly, key=lambda decision: -decision.cost)[:most]
