"""Ratings of agents from the places they take at the tables: for display, not for decisions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def rate_agents(
    agents: int, lineups: Sequence[Sequence[int]], costs: NDArray[np.int64], limit: int
) -> list[tuple[float, float]] | None:
    """Plackett-Luce ratings (mu, sigma) of the library openskill; None if it is not installed.

    Every table is a game between the agents that sit there. An agent's place is that of the mean cost of its seats;
    equal ones share it. Tables count in their order, so ratings lag behind what the margins say, and no interval
    follows from sigma.

    Args:
        agents: how many there are.
        lineups: index of the agent in each seat, for every line-up.
        costs: (deals, line-ups, seats) costs of every seat.
        limit: how many tables count, at most.
    """
    try:
        from openskill.models import PlackettLuce
    except ModuleNotFoundError:
        return None
    model = PlackettLuce()
    ratings = [model.rating() for _ in range(agents)]
    tables = [(lineup, row) for deal in costs for lineup, row in zip(lineups, deal, strict=True)]
    for lineup, row in tables[:limit]:
        means = _mean_costs(lineup, row)
        if len(means) > 1:
            rated = model.rate([[ratings[agent]] for agent in means], ranks=list(means.values()))
            for agent, (rating,) in zip(means, rated, strict=True):
                ratings[agent] = rating
    return [(float(rating.mu), float(rating.sigma)) for rating in ratings]


def _mean_costs(lineup: Sequence[int], costs: NDArray[np.int64]) -> dict[int, float]:
    """Agent -> mean cost of its seats."""
    seats = {agent: [seat for seat, other in enumerate(lineup) if other == agent] for agent in sorted(set(lineup))}
    return {agent: float(costs[own].sum()) / len(own) for agent, own in seats.items()}
