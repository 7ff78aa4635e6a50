"""`hearts record`: a data set of games."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from hearts_training.cli.command import Command, options_of, progress, resumable
from hearts_training.options import UNSET, RecordOptions, WorkerOptions


@dataclass(frozen=True)
class Record(RecordOptions, WorkerOptions, Command):
    """Write games to Parquet files.

    Deals are played, one row of a table for each, in one file for every 256 deals. training/README.md describes the
    columns, and hearts_training.data.recorded.RecordedGames plays them again. After Ctrl-C the same command continues
    with the files that are missing.

    Examples:
      hearts record --agents rule --out data/rule --deals 10000
      hearts record --agents rule "pimc(worlds=8)" net:black_lady --out data/mixed --observations
      hearts record --variant omnibus_hearts --agents rule random --explore 0.05 --processes 2 --out data/omnibus
    """

    out: Path = Path("data/games")
    """Folder of the data set."""
    deals: int = 10_000
    """Deals in all, rounded up to whole files."""
    minari: Annotated[str, UNSET] = ""
    """Also write a Minari data set for each seat, under this name and the seat: NAMESPACE/NAME-seat0-v0."""

    def run(self) -> int:
        """Record, and name the folder."""
        who, options = self.who, options_of(RecordOptions, self)
        from hearts_training.data.record import record

        if self.minari:
            from hearts_training.data.minari import check_name

            check_name(self.minari, options.variant)
        with resumable(), progress("recording", self.deals) as show:
            deals = record(options, self.out, self.deals, who, show)
        print(f"{deals:,} deals are in {self.out}")
        if self.minari:
            from hearts_training.data.minari import export

            with progress("exporting", deals) as show:
                names = export(self.out, self.minari, show, deals=deals)
            print(f"Minari data sets: {', '.join(names)}")
        return 0
