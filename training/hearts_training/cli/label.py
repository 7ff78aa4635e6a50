"""`hearts label`: a data set of searched decisions."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated

import tyro

from hearts_training.cli.command import UNSET, Command, workers_of, write_deals
from hearts_training.train.options import LabelOptions


@dataclass(frozen=True)
class Label(Command):
    """Write a data set of searched decisions.

    Deals are played, a searching agent values every legal action of every decision, and both are written to Parquet
    files, one for every 256 deals. training/README.md describes the columns. After Ctrl-C the same command continues
    with the files that are missing.

    Examples:
      hearts label --out data/black_lady --deals 100000
      hearts label "pimc(worlds=32)" --players "pimc(worlds=32)" rule shooter --explore 0.02 --out data/mixed
      hearts label --variant omnibus_hearts --out data/omnibus --processes 2
    """

    agent: Annotated[str, tyro.conf.Positional] = LabelOptions.agent
    """The search that values the actions: pimc with a number of worlds."""
    out: Path = Path("data/labels")
    """Folder of the data set."""
    deals: int = 10_000
    """Deals in all, rounded up to whole files."""
    variant: str = LabelOptions.variant
    """The variant, optionally with changes to its rules in brackets."""
    players: Annotated[tuple[str, ...], tyro.conf.arg(metavar="AGENT [AGENT ...]")] = LabelOptions.players
    """Agents that play; one is drawn for every seat of every deal, and all decisions are labelled."""
    explore: float = LabelOptions.explore
    """Probability that a seat plays any legal action instead of its agent's."""
    seed: int = LabelOptions.seed
    """Fixes deals, seats and random choices."""
    processes: int = 1
    """Processes that label; their number does not change the data."""
    workers: Annotated[str | None, UNSET, tyro.conf.arg(metavar="ADDRESS")] = None
    """The Ray cluster that works instead: the address of its head, auto for the one that runs on this machine, or local
    to start Ray on this machine (extra cluster). The data do not depend on it."""

    def run(self) -> int:
        """Label, and name the folder."""
        who = workers_of(self.processes, self.workers)
        options = LabelOptions(**{field.name: getattr(self, field.name) for field in fields(LabelOptions)})
        from hearts_training.data.label import label

        deals = write_deals("labelling", self.deals, lambda done: label(options, self.out, self.deals, who, done))
        print(f"{deals:,} labelled deals are in {self.out}")
        return 0
