"""Measurement of a rate: warm up, repeat, take the median."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
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


def median_rate(work: Callable[[int], int], budget: Budget, first: int = 1_000) -> float:
    """Units per second of ``work(units)``, which does about that many units and returns the exact number."""
    units = first
    work(units)
    while _timed(work, units)[1] < budget.seconds:
        units *= 2
    rates = []
    for _ in range(budget.repeats):
        done, seconds = _timed(work, units)
        rates.append(done / seconds)
    return statistics.median(rates)


def _timed(work: Callable[[int], int], units: int) -> tuple[int, float]:
    start = time.perf_counter()
    done = work(units)
    return done, max(time.perf_counter() - start, 1e-9)
