"""Every way into a game beside those of other libraries: decisions a second on one thread, and a picture of them."""

from __future__ import annotations

from collections.abc import Callable

from hearts_training.bench.doors import DOORS, use_door
from hearts_training.bench.measure import Budget, median_rate
from hearts_training.bench.report import BenchReport, Row, machine, picture, versions, workloads

PEERS = ("pyspiel_bare", "pyspiel_tensor", "connect_four_raw", "connect_four_env")
"""Rows of other libraries."""
UNITS = ("decisions/s", "steps/s")


def run_peers(budget: Budget, progress: Callable[[str, float], None]) -> BenchReport:
    """Measure the kernel, the environments, the doors of the frameworks against random players, and the peers.

    Args:
        budget: how long each row takes.
        progress: called with the name of the next row and the fraction done.
    """
    rows, plain = list[Row](), [row for row in workloads() if row[1] in UNITS and row[2] == 1]
    count = len(plain) + len(DOORS)
    for done, (name, unit, _, make) in enumerate(plain):
        progress(name, done / count)
        try:
            rows.append(Row(name, median_rate(make(), budget), unit))
        except ImportError:
            continue  # that package is not installed
    for done, door in enumerate(DOORS, len(plain)):
        progress(door.name, done / count)
        try:
            rows.append(Row(door.name, use_door(door, budget.seconds, None).steps, "steps/s"))
        except ImportError:
            continue
    progress("done", 1.0)
    return BenchReport(machine(), versions(), sorted(rows, key=lambda row: -row.rate))


def draw_peers(report: BenchReport, kind: str) -> bytes:
    """A picture of the rows, the fastest first, on a logarithmic scale. `kind` is ``png`` or ``svg``."""
    from matplotlib.figure import Figure

    rows = report.rows[::-1]
    figure = Figure(figsize=(9, 0.36 * len(rows) + 1), layout="constrained")
    axes = figure.subplots()
    colors = ["tab:gray" if row.name in PEERS else "tab:green" for row in rows]
    bars = axes.barh([row.name for row in rows], [row.rate for row in rows], color=colors)
    axes.bar_label(bars, [f"{row.rate:,.0f}" for row in rows], padding=4, fontsize=8)
    axes.set(xscale="log", xlabel="decisions (of the learner, at the doors) a second, one thread")
    axes.set_title("Hearts suite (green) and others (grey)")
    axes.margins(x=0.15)
    return picture(figure, kind)
