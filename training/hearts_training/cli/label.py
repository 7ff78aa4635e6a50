"""`hearts label`: a data set of searched decisions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hearts_training.cli.command import Command, options_of, progress, resumable
from hearts_training.options import LabelOptions, WorkerOptions


@dataclass(frozen=True)
class Label(LabelOptions, WorkerOptions, Command):
    """Write a data set of searched decisions.

    Deals are played, a searching agent values every legal action of every decision, and both are written to Parquet
    files, one for every 256 deals. training/DATA.md describes the columns. After Ctrl-C the same command continues
    with the files that are missing.

    Examples:
      hearts label --out data/black_lady --deals 100000
      hearts label "pimc(worlds=32)" --players "pimc(worlds=32)" rule shooter --explore 0.02 --out data/mixed
      hearts label --variant omnibus_hearts --out data/omnibus --processes 2
    """

    out: Path = Path("data/labels")
    """Folder of the data set."""
    deals: int = 10_000
    """Deals in all, rounded up to whole files."""

    def run(self) -> int:
        """Label, and name the folder."""
        who, options = self.who, options_of(LabelOptions, self)
        from hearts_training.data.label import label

        with resumable(), progress("labelling", self.deals) as show:
            deals = label(options, self.out, self.deals, who, show)
        print(f"{deals:,} labelled deals are in {self.out}")
        return 0
