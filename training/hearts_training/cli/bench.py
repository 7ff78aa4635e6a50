"""`hearts bench`: measure speed on this machine."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from hearts_training.cli.command import Reporting, check_writable, progress, results_table

if TYPE_CHECKING:
    from rich.table import Table

    from hearts_training.bench import BenchReport


@dataclass(frozen=True)
class Bench(Reporting):
    """Measure speed on this machine.

    The table covers the kernel, the environments, start-up, and other libraries that are installed. Rates are medians
    of repeated runs after a warm-up, on one thread unless the table shows another number. The command takes about a
    minute. `hearts train` reports its own speed; a checkout has further measurements in training/lab.

    Examples:
      hearts bench
      hearts bench --json bench.json
    """

    seconds: float = 0.5
    """Minimum duration of a run."""
    repeats: int = 5
    """Runs per row; the median is reported."""

    def run(self) -> int:
        """Measure, print the table, write the file."""
        if not 0 < self.seconds < math.inf:
            raise ValueError(f"seconds={self.seconds:g} must be above 0 and finite")
        if self.repeats < 1:
            raise ValueError(f"repeats={self.repeats} must be at least 1")
        check_writable(self.json)
        from hearts_training.bench import Budget, run_bench

        with progress("bench") as show:
            report = run_bench(Budget(self.repeats, self.seconds), lambda name, done: show(done, name))
        self.report(asdict(report), bench_table(report))
        return 0


def bench_table(report: BenchReport) -> Table:
    """The rows of a report and their ratios."""
    from hearts_training.bench.report import title_of

    versions = ", ".join(f"{name} {version}" for name, version in report.versions.items())
    heads = ("threads", "rate", "unit", "compared with")
    table = results_table(heads, title=title_of(report.machine), caption=versions, first="row")
    table.columns[0].min_width = max(len(row.name) for row in report.rows if " " not in row.name)
    table.columns[3].justify = table.columns[4].justify = "left"
    for row in report.rows:
        ratio = report.ratio(row)
        rate = f"{row.rate:,.2f}" if row.unit == "s" else f"{row.rate:,.0f}"
        compared = "" if ratio is None else f"{ratio[0]}: {ratio[1]:.1f}×"
        table.add_row(row.name, str(row.threads), rate, row.unit, compared)
    return table
