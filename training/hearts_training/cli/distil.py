"""`hearts distil`: a policy trained on labelled decisions."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated

import tyro

from hearts_training.cli.command import Command, progress
from hearts_training.train.options import DistilOptions


@dataclass(frozen=True)
class Distil(Command):
    """Train a policy on the decisions that hearts label wrote.

    The policy learns to choose what the search values most. net:FOLDER is the trained agent. The figure shown is the
    gain over random actions, in points a deal, on files that are held out.

    Examples:
      hearts distil data/black_lady --out runs/distilled
      hearts distil data/black_lady --out runs/small --hidden 256 256 --epochs 5
    """

    data: Annotated[Path, tyro.conf.Positional]
    """Folder of the data set."""
    out: Path = Path("runs/distilled")
    """Folder of the policy."""
    hidden: tuple[int, ...] = DistilOptions.hidden
    """Widths of the hidden layers; a layer as wide as the one before is residual."""
    epochs: int = DistilOptions.epochs
    """Passes over the data."""
    batch: int = DistilOptions.batch
    """Decisions per gradient step."""
    learning_rate: float = DistilOptions.learning_rate
    """Highest step size of AdamW."""
    weight_decay: float = DistilOptions.weight_decay
    """Weight decay of AdamW."""
    temperature: float = DistilOptions.temperature
    """Difference of values, in points, at which the better of two actions is e times as probable."""
    held_out: int = DistilOptions.held_out
    """Files kept for evaluation."""
    seed: int = DistilOptions.seed
    """Fixes initial weights and the order of the data."""
    threads: int = DistilOptions.threads
    """CPU threads to use."""

    def run(self) -> int:
        """Train, then print the figures."""
        options = DistilOptions(**{field.name: getattr(self, field.name) for field in fields(DistilOptions)})
        from hearts_agents.weights import network_spec
        from hearts_training.data.distil import distil

        with progress("distilling") as show:
            result = distil(
                options,
                self.out,
                lambda fraction, gain: show(fraction, f"distilling, gain {gain:.3f}"),
            )
        gains = " ".join(f"{gain:.3f}" for gain in result.gains)
        print(
            f"{result.decisions:,} decisions in {result.seconds:.0f} s; gain over random actions by pass: {gains} "
            f"({result.best:.3f} for the search itself, whose values favour it). The agent is "
            f"{network_spec(result.folder)}"
        )
        return 0
