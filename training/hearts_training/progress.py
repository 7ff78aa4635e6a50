"""Progress of a training run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn


@dataclass(frozen=True)
class Status:
    """The progress of a run after an update.

    Attributes:
        progress: fraction of the budget used, 0 to 1.
        deals: deals played.
        decisions_per_second: since the run was started or resumed.
        seconds_left: estimate of the training time left, or of the table's.
        entropy: mean entropy of the policy at its choices, in nats.
        margins: against each opponent at the last evaluation, in points per deal; negative is better.
        table: fraction of the final table played, 0 to 1; None while training.
        plays: what the final table plays.
    """

    progress: float
    deals: int
    decisions_per_second: float
    seconds_left: float
    entropy: float
    margins: Mapping[str, float]
    table: float | None = None
    plays: str = ""


LINES_EVERY = 60.0
"""Seconds between two lines of progress in a file or a pipe, where no bar can move."""


@contextmanager
def progress_bar() -> Iterator[Callable[[Status], None]]:
    """A `rich` progress bar on standard error; call what it yields with each `Status`.

    Where standard error is not a terminal, as in the log of a cluster's job, it is a line every minute.
    """
    columns = BarColumn(bar_width=10), TaskProgressColumn(), TextColumn("{task.fields[figures]}")
    terminal = Console(stderr=True)
    with Progress(*columns, console=terminal, disable=not terminal.is_terminal) as bar:
        task = bar.add_task("training", total=1.0, figures="warming up")
        due = 0.0

        def show(status: Status) -> None:
            nonlocal due
            completed = status.progress if status.table is None else status.table
            figures = _figures(status)
            bar.update(task, completed=completed, figures=figures)
            if bar.disable and (monotonic() >= due or completed >= 1):
                terminal.print(f"{completed:4.0%} {figures}", soft_wrap=True, highlight=False)
                due = monotonic() + LINES_EVERY

        yield show


def _figures(status: Status) -> str:
    left = round(status.seconds_left)
    if status.table is not None:
        return f"{left // 60}:{left % 60:02d} left  final table: {status.plays}"
    margins = "  ".join(f"{margin:+.1f} v {rival}" for rival, margin in status.margins.items())
    return (
        f"{left // 60}:{left % 60:02d} left  {status.decisions_per_second:,.0f} decisions/s  "
        f"{margins}  {status.deals:,} deals"
    )
