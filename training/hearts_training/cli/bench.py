"""`hearts bench`: measure speed on this machine."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import tyro

from hearts_training.cli.command import (
    PICTURES,
    UNSET,
    Command,
    check_writable,
    console,
    progress,
    results_table,
    write_json,
)

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

    from hearts_training.bench import BenchReport
    from hearts_training.bench.doors import DoorReport
    from hearts_training.bench.growth import GrowthReport, Point
    from hearts_training.bench.measure import Budget
    from hearts_training.bench.variants import VariantReport


@dataclass(frozen=True)
class Bench(Command):
    """Measure speed on this machine.

    The table covers the kernel, the environments, start-up, and other libraries that are installed. Rates are medians
    of repeated runs after a warm-up, on one thread unless the table shows another number. The command takes about a
    minute. `hearts train` reports its own speed.

    With --variants all variants are measured instead, each relative to black_lady. With --doors the table shows the
    learner's seat as each framework sees it: the lines of code a user writes, the share of the points that reaches the
    learner as reward, steps per second of processor time, and the environment's share of the time of MaskablePPO. With
    --peers all of these and other libraries stand side by side, the fastest first. With --growth the tables show how
    the cost of a decision grows with games, seats and threads, and the speed of the arena with worker processes; that
    takes two minutes and 2 GB of memory. --picture draws --peers or --growth.

    Examples:
      hearts bench
      hearts bench --variants
      hearts bench --doors
      hearts bench --peers --picture speed.png
      hearts bench --growth --picture growth.png
      hearts bench --json bench.json
    """

    json: Annotated[Path | None, UNSET, tyro.conf.arg(metavar="FILE")] = None
    """Write JSON to this file; - writes it to standard output instead of the table."""
    variants: Annotated[bool, UNSET] = False
    """Measure every variant with the fewest, the default and the most players."""
    doors: Annotated[bool, UNSET] = False
    """Measure the learner's seat in every framework, against three of --opponents."""
    opponents: Annotated[str, UNSET] = "rule"
    """Who plays the other seats with --doors."""
    peers: Annotated[bool, UNSET] = False
    """Measure every way into a game, and other libraries, on one thread."""
    growth: Annotated[bool, UNSET] = False
    """Measure 1 to 65,536 games, 3 to 11 seats, 1 and 2 threads, and 1 worker process to one for each core."""
    picture: Annotated[Path | None, UNSET, tyro.conf.arg(metavar="FILE")] = None
    """Draw --peers or --growth to this file, .png or .svg."""
    seconds: Annotated[float | None, UNSET] = None
    """Minimum duration of a run; 0.5, 0.05 with --variants or --growth, or 5 with --doors."""
    repeats: int = 5
    """Runs per row; the median is reported."""

    def run(self) -> int:
        """Measure, print the table, write the file."""
        usual = 0.05 if self.variants or self.growth else 5 if self.doors else 0.5
        seconds = usual if self.seconds is None else self.seconds
        if not 0 < seconds < math.inf:
            raise ValueError(f"seconds={seconds:g} must be above 0 and finite")
        if self.repeats < 1:
            raise ValueError(f"repeats={self.repeats} must be at least 1")
        check_writable(self.json)
        check_writable(self.picture)
        drawn = self.peers or self.growth
        if self.picture is not None and (not drawn or self.picture.suffix not in PICTURES):
            raise ValueError(
                f"--picture {self.picture} is for --peers or --growth, and a file that ends in .png or .svg"
            )
        from hearts_training.bench.measure import Budget

        with progress("bench") as show:
            data, table = self._measure(Budget(self.repeats, seconds), lambda name, done: show(done, name))
        if self.json is not None:
            write_json(self.json, data)
        if str(self.json) != "-":
            console().print(table)
        return 0

    def _measure(self, budget: Budget, progress: Callable[[str, float], None]) -> tuple[dict[str, Any], Table | Group]:
        if self.variants:
            from hearts_training.bench.variants import run_variants

            variants = run_variants(budget, progress)
            return variants.to_json(), variants_table(variants)
        if self.doors:
            from hearts_training.bench.doors import run_doors

            doors = run_doors(budget, progress, self.opponents)
            return doors.to_json(), doors_table(doors)
        if self.growth:
            growth = self._run_growth(budget, progress)
            return growth.to_json(), growth_tables(growth)
        report = self._run_peers(budget, progress) if self.peers else self._run_bench(budget, progress)
        return report.to_json(), bench_table(report)

    def _run_bench(self, budget: Budget, progress: Callable[[str, float], None]) -> BenchReport:
        from hearts_training.bench import run_bench

        return run_bench(budget, progress)

    def _run_peers(self, budget: Budget, progress: Callable[[str, float], None]) -> BenchReport:
        from hearts_training.bench.peers import draw_peers, run_peers

        report = run_peers(budget, progress)
        self._draw(draw_peers, report)
        return report

    def _run_growth(self, budget: Budget, progress: Callable[[str, float], None]) -> GrowthReport:
        from hearts_training.bench.growth import draw_growth, run_growth

        report = run_growth(budget, progress)
        self._draw(draw_growth, report)
        return report

    def _draw(self, draw: Callable[[Any, str], bytes], report: Any) -> None:
        from hearts_agents.files import write_file

        if self.picture is not None:
            write_file(self.picture, draw(report, self.picture.suffix[1:]))


def variants_table(report: VariantReport) -> Table:
    """One row per variant and number of players."""
    caption = (
        f"time: of one decision, relative to black_lady measured just before and after; kernels compiled or loaded for "
        f"all rows: {report.kernels}"
    )
    table = results_table(title=_title(report.machine), caption=caption, first="variant")
    for heading in ("random play, M/s", "time", "observed, M/s", "time"):
        table.add_column(heading, justify="right")
    for row in report.rows:
        table.add_row(
            row.rules,
            f"{row.random / 1e6:.1f}",
            f"{row.random_slowdown:.2f}",
            f"{row.observed / 1e6:.2f}",
            f"{row.observed_slowdown:.2f}",
        )
    return table


def doors_table(report: DoorReport) -> Table:
    """One row per door."""
    versions = ", ".join(f"{name} {version}" for name, version in report.versions.items())
    caption = f"opponents: {report.opponents}, 256 games at once or one; {versions}"
    table = results_table(title=_title(report.machine), caption=caption, first="door")
    for heading in ("lines", "points credited", "steps/s", "of MaskablePPO's time"):
        table.add_column(heading, justify="right")
    for row in report.rows:
        share = "" if row.share is None else f"{row.share:.0%}"
        table.add_row(row.door, str(row.lines), f"{row.credited:.0%}", f"{row.steps:,.0f}", share)
    return table


def growth_tables(report: GrowthReport) -> Group:
    """A table of games and threads, one of seats, and one of workers."""
    from rich.console import Group

    games = _pivot("games", report.games, lambda p: (p.games, f"{p.row}\nthreads={p.threads}", _nanoseconds(p)))
    games.title = _title(report.machine)
    games.caption = "ns per decision, in brackets processor time of all threads"
    seats = _pivot("seats", report.seats, lambda p: (p.seats, p.rules.partition("(")[0], _times(p)))
    seats.caption = "CPU ns per decision of kernel_observed, 256 games; in brackets relative to black_lady beside it"
    workers = results_table(title="", caption="arena of rule; start-up: until the workers play", first="workers")
    for heading in ("deals/s", "times one", "start-up, s"):
        workers.add_column(heading, justify="right")
    for crew in report.workers:
        figures = f"{crew.rate:,.0f}", f"{crew.speedup:.2f}", f"{crew.startup:.1f}"
        workers.add_row("1 process" if crew.workers == 1 else f"{crew.workers} processes", *figures)
    return Group(games, seats, workers)


def _pivot(first: str, points: Sequence[Point], place: Callable[[Point], tuple[int, str, str]]) -> Table:
    """A table of points; `place` returns the row, the column and the text of a point."""
    table = results_table(title="", caption="", first=first)
    texts = {(row, column): text for row, column, text in map(place, points)}
    columns = sorted({column for _, column in texts})
    for column in columns:
        table.add_column(column, justify="right")
    for row in sorted({row for row, _ in texts}):
        table.add_row(f"{row:,}", *(texts.get((row, column), "") for column in columns))
    return table


def _nanoseconds(point: Point) -> str:
    return f"{point.wall:,.0f} ({point.cpu:,.0f})"


def _times(point: Point) -> str:
    return f"{point.cpu:,.0f} ({point.times:.2f})"


def _title(machine: dict[str, Any]) -> str:
    return f"{machine['cores']} cores, {machine['system']} {machine['architecture']}, Python {machine['python']}"


def bench_table(report: BenchReport) -> Table:
    """The rows of a report and their ratios."""
    versions = ", ".join(f"{name} {version}" for name, version in report.versions.items())
    table = results_table(title=_title(report.machine), caption=versions, first="row")
    table.columns[0].min_width = max(len(row.name) for row in report.rows if " " not in row.name)
    table.add_column("threads", justify="right")
    table.add_column("rate", justify="right")
    table.add_column("unit")
    table.add_column("compared with")
    for row in report.rows:
        ratio = report.ratio(row)
        rate = f"{row.rate:,.2f}" if row.unit in ("s", "ms") else f"{row.rate:,.0f}"
        compared = "" if ratio is None else f"{ratio[0]}: {ratio[1]:.1f}×"
        table.add_row(row.name, str(row.threads), rate, row.unit, compared)
    return table
