"""Measurement of rates: warm up, repeat, take the median."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Budget:
    """The repeats and the duration of a measurement.

    Attributes:
        repeats: measured runs per row, 1 or more; the median is reported.
        seconds: minimum duration of a run; the work is doubled until it takes that long.
    """

    repeats: int = 5
    seconds: float = 0.5


def median_rate(work: Callable[[int], int], budget: Budget) -> float:
    """Units per second of ``work(units)``, which does about that many units and returns the exact number."""
    units = 1_000
    work(units)  # warms up
    while timed(work, units)[1] < budget.seconds:
        units *= 2
    runs = [timed(work, units) for _ in range(budget.repeats)]
    return statistics.median(done / seconds for done, seconds in runs)


def timed(work: Callable[[int], int], units: int) -> tuple[int, float]:
    """The units that were done, and the seconds they took."""
    start = time.perf_counter()
    done = work(units)
    return done, max(time.perf_counter() - start, 1e-9)
