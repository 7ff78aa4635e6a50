"""What the decisions of a finished match cost, as a search values them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hearts_agents.search import Estimate, PimcAgent
from hearts_env.play.match import Match


@dataclass(frozen=True)
class Decision:
    """A decision of a match and what a search thinks of it.

    Attributes:
        at: number of actions before it.
        deal: number of its deal, from 1.
        seat: who decided.
        action: what was chosen.
        estimates: every legal action, the best first.
    """

    at: int
    deal: int
    seat: int
    action: str
    estimates: tuple[Estimate, ...]

    @property
    def chosen(self) -> Estimate:
        """The estimate of the action that was chosen."""
        return next(estimate for estimate in self.estimates if estimate.action == self.action)

    @property
    def cost(self) -> float:
        """Points by which the margin of the chosen action is above that of the best; 0 or more."""
        return self.chosen.margin - self.estimates[0].margin


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
                    yield Decision(at, deal.number + 1, taker, action, tuple(agent.explain(view)))
            now.play(action)
            at += 1


def worst(found: list[Decision], most: int = 10) -> list[Decision]:
    """The decisions that cost most, the costliest first; those that cost nothing are left out."""
    costly = [decision for decision in found if decision.cost > 0]
    return sorted(costly, key=lambda decision: -decision.cost)[:most]
