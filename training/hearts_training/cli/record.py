"""`hearts record`: a data set of games."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated

import tyro

from hearts_training.cli.command import UNSET, Command, progress, workers_of, write_deals
from hearts_training.train.options import RecordOptions


@dataclass(frozen=True)
class Record(Command):
    """Write games to Parquet files.

    Deals are played, one row of a table for each, in one file for every 256 deals. training/README.md describes the
    columns, and hearts_training.data.recorded.RecordedGames plays them again. After Ctrl-C the same command continues
    with the files that are missing.

    Examples:
      hearts record --agents rule --out data/rule --deals 10000
      hearts record --agents rule "pimc(worlds=8)" net:black_lady --out data/mixed --observations
      hearts record --variant omnibus_hearts --agents rule random --explore 0.05 --processes 2 --out data/omnibus
    """

    agents: Annotated[tuple[str, ...], tyro.conf.arg(metavar="AGENT [AGENT ...]")] = RecordOptions.agents
    """Agents that play; one is drawn for every seat of every deal."""
    out: Path = Path("data/games")
    """Folder of the data set."""
    deals: int = 10_000
    """Deals in all, rounded up to whole files."""
    variant: str = RecordOptions.variant
    """The variant, optionally with changes to its rules in brackets."""
    explore: float = RecordOptions.explore
    """Probability that a seat plays any legal action instead of its agent's."""
    observations: bool = RecordOptions.observations
    """Also write the observation, the legal actions and the reward of every action."""
    seed: int = RecordOptions.seed
    """Fixes deals, seats and random choices."""
    processes: int = 1
    """Processes that play; their number does not change the data."""
    minari: Annotated[str, UNSET] = ""
    """Also write a Minari data set for each seat, under this name and the seat: NAMESPACE/NAME-seat0-v0."""
    workers: Annotated[str | None, UNSET, tyro.conf.arg(metavar="ADDRESS")] = None
    """The Ray cluster that works instead: the address of its head, auto for the one that runs on this machine, or local
    to start Ray on this machine (extra cluster). The data do not depend on it."""

    def run(self) -> int:
        """Record, and name the folder."""
        who = workers_of(self.processes, self.workers)
        options = RecordOptions(**{field.name: getattr(self, field.name) for field in fields(RecordOptions)})
        from hearts_training.data.record import record

        if self.minari:
            from hearts_training.data.minari import check_name

            check_name(self.minari, options.variant)
        deals = write_deals("recording", self.deals, lambda done: record(options, self.out, self.deals, who, done))
        print(f"{deals:,} deals are in {self.out}")
        if self.minari:
            from hearts_training.data.minari import export

            with progress("exporting", deals) as show:
                names = export(self.out, self.minari, show, deals=deals)
            print(f"Minari data sets: {', '.join(names)}")
        return 0
