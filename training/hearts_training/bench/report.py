"""The report of `hearts bench`: its rows, how they are measured, their order, and JSON."""

from __future__ import annotations

import os
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import hearts_env
from hearts_training.provenance import libraries

Work = Callable[[int], int]
Workload = tuple[str, str, int, Callable[[], Work]]
"""A workload to measure: its name, its unit, the number of threads, and a function that makes the work."""
Show = Callable[[str, float], None]


@dataclass(frozen=True)
class Budget:
    """The repeats and the duration of a measurement.

    Attributes:
        repeats: measured runs per row, 1 or more; the median is reported.
        seconds: minimum duration of a run; the work is doubled until it takes that long.
    """

    repeats: int = 5
    seconds: float = 0.5


@dataclass(frozen=True)
class Row:
    """One measurement.

    Attributes:
        name: the workload.
        rate: the value measured.
        unit: decisions/s, steps/s or s.
        threads: threads used.
    """

    name: str
    rate: float
    unit: str
    threads: int = 1


@dataclass(frozen=True)
class BenchReport:
    """All rows of one run."""

    machine: dict[str, Any]
    versions: dict[str, str]
    rows: list[Row]

    def ratio(self, row: Row) -> tuple[str, float] | None:
        """The counterpart of a row, and the ratio of their speeds; None for a row without one."""
        ours_of = {"pyspiel_bare": "kernel_random", "pyspiel_tensor": "kernel_observed"}
        ours_of |= {"connect_four_raw": "aec_raw", "connect_four_env": "aec_env"}
        base = ours_of.get(row.name) or (row.name if row.threads > 1 else None)
        ours = next((one for one in self.rows if one.name == base and one.threads == 1), None)
        if ours is None:
            return None
        return (
            (f"x{row.threads} threads", row.rate / ours.rate) if base == row.name else (ours.name, ours.rate / row.rate)
        )


def run_bench(budget: Budget, show: Show) -> BenchReport:
    """Measure all workloads whose packages are installed.

    Args:
        budget: repeats and duration.
        show: called with the name of the next row and the fraction done.
    """
    from hearts_training.bench import startup

    measured = workloads()
    rows = measured_rows(measured, budget, lambda name, done: show(name, done * len(measured) / (len(measured) + 1)))
    show("start-up", len(measured) / (len(measured) + 1))
    rows += [Row(name, seconds, "s") for name, seconds in startup.measure(budget.repeats).items()]
    show("done", 1.0)
    return BenchReport(machine(), versions(), rows)


def measured_rows(measured: Sequence[Workload], budget: Budget, show: Show) -> list[Row]:
    """A row for each workload whose packages are installed."""
    rows = []
    for done, (name, unit, threads, make) in enumerate(measured):
        show(name, done / len(measured))
        try:
            rows.append(Row(name, median_rate(make(), budget), unit, threads))
        except ImportError:
            continue  # that package is not installed
    return rows


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


def workloads() -> list[Workload]:
    """All rates of the report, in order."""
    from hearts_training.bench import workloads as ours

    cores = os.cpu_count() or 1
    rows: list[Workload] = [
        ("kernel_random", "decisions/s", 1, ours.kernel_random),
        ("kernel_observed", "decisions/s", 1, ours.kernel_observed),
        ("kernel_observed_uint8", "decisions/s", 1, lambda: ours.kernel_observed(dtype="uint8")),
        ("vector_env", "decisions/s", 1, ours.vector_env),
        ("aec_raw", "steps/s", 1, lambda: ours.aec(checked=False)),
        ("aec_env", "steps/s", 1, lambda: ours.aec(checked=True)),
        ("pyspiel_bare", "decisions/s", 1, lambda: ours.pyspiel_random(tensor=False)),
        ("pyspiel_tensor", "decisions/s", 1, lambda: ours.pyspiel_random(tensor=True)),
        ("connect_four_raw", "steps/s", 1, lambda: ours.connect_four(checked=False)),
        ("connect_four_env", "steps/s", 1, lambda: ours.connect_four(checked=True)),
    ]
    if cores > 1:
        rows.insert(1, ("kernel_random", "decisions/s", 2, lambda: ours.kernel_random(threads=2)))
        rows.insert(5, ("vector_env", "decisions/s", 2, lambda: ours.vector_env(threads=2)))
    return rows


def title_of(machine: dict[str, Any]) -> str:
    """A machine in one line."""
    return f"{machine['cores']} cores, {machine['system']} {machine['architecture']}, Python {machine['python']}"


def machine() -> dict[str, Any]:
    """The machine that was measured."""
    return {
        "system": platform.system(),
        "architecture": platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
    }


def versions() -> dict[str, str]:
    """Versions of the suite, of Python and of the libraries that are imported."""
    return {"hearts-env": hearts_env.__version__, **libraries()}
