"""How a run tells what it is doing."""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType

from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn


@dataclass(frozen=True)
class Status:
    """Where a run stands after an update.

    Attributes:
        progress: share of the budget used, 0 to 1.
        deals: deals played.
        decisions_per_second: since the start, or since it was resumed.
        seconds_left: expected.
        entropy: mean entropy of the policy's choices in nats.
        margin: against random players at the last evaluation; points per deal, below 0 is better.
    """

    progress: float
    deals: int
    decisions_per_second: float
    seconds_left: float
    entropy: float
    margin: float


class ProgressBar:
    """A `rich` progress bar on the terminal; call it with every `Status`."""

    def __init__(self) -> None:
        self._progress = Progress(BarColumn(bar_width=10), TaskProgressColumn(), TextColumn("{task.fields[figures]}"))
        self._task = self._progress.add_task("training", total=1.0, figures="warming up")

    def __enter__(self) -> ProgressBar:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def __call__(self, status: Status) -> None:
        """Show a status."""
        left = round(status.seconds_left)
        figures = (
            f"{left // 60}:{left % 60:02d} left  {status.decisions_per_second:,.0f} decisions/s  "
            f"{status.margin:+.1f} v random  {status.deals:,} deals"
        )
        self._progress.update(self._task, completed=status.progress, figures=figures)
