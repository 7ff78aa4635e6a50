"""A training whose folder is thrown away, for scripts that measure what was learned."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hearts_training.train.options import TrainOptions
from hearts_training.train.run import Report, TrainResult
from hearts_training.train.start import run_training


@contextmanager
def trained(report: Report | None = None, **options: Any) -> Iterator[TrainResult]:
    """Train on one thread, without a curve or a table; the network is there until the context ends.

    Args:
        report: as in `train`; None shows a progress bar.
        **options: of `TrainOptions`.

    Raises:
        KeyboardInterrupt: after Ctrl-C, which otherwise ends a training early.
    """
    quiet: dict[str, Any] = {"threads": 1, "evaluations": 0, "evaluation_games": 2, "arena_deals": 0}
    with tempfile.TemporaryDirectory() as folder:
        result = run_training(TrainOptions(out=Path(folder) / "net", **quiet, **options), report)
        if result.interrupted:
            raise KeyboardInterrupt
        yield result
