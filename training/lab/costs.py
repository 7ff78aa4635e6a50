"""What a unit of work costs, by the clock and in processor time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hearts_training.bench import Budget
from hearts_training.bench.measure import enough, timed


@dataclass(frozen=True)
class Cost:
    """What a unit of work costs.

    Attributes:
        wall: nanoseconds by the clock.
        cpu: nanoseconds of processor time, of all threads of this process. On a machine that does nothing else it is
            `wall` for one thread; on a busy one it varies less.
    """

    wall: float
    cpu: float


def interleaved(works: Sequence[Callable[[int], int]], budget: Budget) -> list[list[Cost]]:
    """Costs of several works that are measured in turn, so that their ratios hold on a busy machine, too.

    Returns `budget.repeats` lists with a cost for each of `works`.

    >>> costs = interleaved([lambda units: len(list(range(units)))] * 2, Budget(repeats=3, seconds=1e-6))
    >>> len(costs), len(costs[0]), costs[0][0].wall > 0
    (3, 2, True)
    """
    units = [enough(work, budget.seconds) for work in works]
    return [[_cost(*one) for one in zip(works, units, strict=True)] for _ in range(budget.repeats)]


def _cost(work: Callable[[int], int], units: int) -> Cost:
    cpu = time.process_time()
    done, seconds = timed(work, units)
    return Cost(seconds / done * 1e9, (time.process_time() - cpu) / done * 1e9)
