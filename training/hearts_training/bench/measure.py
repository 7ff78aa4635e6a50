"""Measurement of rates and costs: warm up, repeat, take the median."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Budget:
    """How long to measure.

    Attributes:
        repeats: measured runs per row, 1 or more; the median is reported.
        seconds: minimum duration of a run; the work is doubled until it takes that long.
    """

    repeats: int = 5
    seconds: float = 0.5


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


def median_rate(work: Callable[[int], int], budget: Budget, first: int = 1_000) -> float:
    """Units per second of ``work(units)``, which does about that many units and returns the exact number."""
    units = enough(work, budget.seconds, first)
    return statistics.median(1e9 / _cost(work, units).wall for _ in range(budget.repeats))


def interleaved(works: Sequence[Callable[[int], int]], budget: Budget) -> list[list[Cost]]:
    """Costs of several works that are measured in turn, so that their ratios hold on a busy machine, too.

    Returns `budget.repeats` lists with a cost for each of `works`.

    >>> costs = interleaved([lambda units: len(list(range(units)))] * 2, Budget(repeats=3, seconds=1e-6))
    >>> len(costs), len(costs[0]), costs[0][0].wall > 0
    (3, 2, True)
    """
    units = [enough(work, budget.seconds) for work in works]
    return [[_cost(*one) for one in zip(works, units, strict=True)] for _ in range(budget.repeats)]


def enough(work: Callable[[int], int], seconds: float, first: int = 1_000) -> int:
    """Warm up, and double `first` units until the work takes so many seconds. Returns the number of units.

    >>> enough(lambda units: units, seconds=0)
    1000
    """
    units = first
    work(units)
    while _timed(work, units)[1] < seconds:
        units *= 2
    return units


def _cost(work: Callable[[int], int], units: int) -> Cost:
    cpu = time.process_time()
    done, seconds = _timed(work, units)
    return Cost(seconds / done * 1e9, (time.process_time() - cpu) / done * 1e9)


def _timed(work: Callable[[int], int], units: int) -> tuple[int, float]:
    start = time.perf_counter()
    done = work(units)
    return done, max(time.perf_counter() - start, 1e-9)
