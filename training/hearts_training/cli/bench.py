"""`hearts bench`: how fast it is here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from hearts_training.cli.command import UNSET, Command, check_writable, console, progress_bar, results_table, write_json

if TYPE_CHECKING:
    from rich.table import Table

    from hearts_training.bench import BenchReport


@dataclass(frozen=True)
class Bench(Command):
    """Measure kernel, environments and start-up on this machine, beside other libraries that are installed.

    Warm-up is excluded; rates are medians of repeated runs, on one thread unless the table says otherwise. It takes
    about a minute. `hearts train` tells its own speed.

    Examples:
      hearts bench
      hearts bench --json bench.json
    """

    json: Annotated[Path | None, UNSET, tyro.conf.arg(metavar="FILE")] = None
    """Write JSON to this file; - is standard output, in place of the table."""
    seconds: float = 0.5
    """Least duration of one run."""
    repeats: int = 5
    """Runs per row, of which the median counts."""

    def run(self) -> int:
        """Measure, print the table, write the file."""
        if not self.seconds > 0 or self.repeats < 1:
            raise ValueError(f"seconds={self.seconds:g} must be above 0 and repeats={self.repeats} at least 1")
        check_writable(self.json)
        from hearts_training.bench import run_bench
        from hearts_training.bench.measure import Budget

        with progress_bar() as bar:
            task = bar.add_task("bench", total=1.0)
            report = run_bench(
                Budget(self.repeats, self.seconds),
                lambda name, share: bar.update(task, description=name, completed=share),
            )
        if self.json is not None:
            write_json(self.json, report.to_json())
        if str(self.json) != "-":
            console().print(bench_table(report))
        return 0


def bench_table(report: BenchReport) -> Table:
    """The rows of a report and their ratios."""
    machine = report.machine
    title = f"{machine['cores']} cores, {machine['system']} {machine['architecture']}, Python {machine['python']}"
    versions = ", ".join(f"{name} {version}" for name, version in report.versions.items())
    table = results_table(title=title, caption=versions, first="what")
    table.add_column("threads", justify="right")
    table.add_column("rate", justify="right")
    table.add_column("unit")
    table.add_column("compared with")
    for row in report.rows:
        ratio = report.ratio(row)
        rate = f"{row.rate:,.2f}" if row.unit == "s" else f"{row.rate:,.0f}"
        compared = "" if ratio is None else f"{ratio[0]}: {ratio[1]:.1f} times"
        table.add_row(row.name, str(row.threads), rate, row.unit, compared)
    return table
