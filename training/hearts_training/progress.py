"""Progress of a training run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn


@dataclass(frozen=True)
class Status:
    """The progress of a run after an update.

    Attributes:
        progress: fraction of the budget used, 0 to 1.
        deals: deals played.
        decisions_per_second: since the run was started or resumed.
        seconds_left: estimate of the training time left.
        entropy: mean entropy of the policy at its choices, in nats.
        margins: against each opponent at the last evaluation, in points per deal; negative is better.
        table: fraction of the final table played, 0 to 1; None while training.
    """

    progress: float
    deals: int
    decisions_per_second: float
    seconds_left: float
    entropy: float
    margins: Mapping[str, float]
    table: float | None = None


@contextmanager
def progress_bar() -> Iterator[Callable[[Status], None]]:
    """A `rich` progress bar on standard error; call what it yields with each `Status`."""
    columns = BarColumn(bar_width=10), TaskProgressColumn(), TextColumn("{task.fields[figures]}")
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("training", total=1.0, figures="warming up")

        def show(status: Status) -> None:
            if status.table is not None:
                bar.update(task, completed=status.table, figures="playing the final table")
                return
            left = round(status.seconds_left)
            margins = "  ".join(f"{margin:+.1f} v {rival}" for rival, margin in status.margins.items())
            figures = (
                f"{left // 60}:{left % 60:02d} left  {status.decisions_per_second:,.0f} decisions/s  "
                f"{margins}  {status.deals:,} deals"
            )
            bar.update(task, completed=status.progress, figures=figures)

        yield show
