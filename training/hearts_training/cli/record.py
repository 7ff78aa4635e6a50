"""`hearts record`: a data set of games."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import tyro

from hearts_training.cli.command import Command, options_of, progress, resumable
from hearts_training.options import UNSET, RecordOptions, WorkerOptions


@dataclass(frozen=True)
class Record(RecordOptions, WorkerOptions, Command):
    """Write games to Parquet files.

    Deals are played, one row of a table for each, in one file for every 256 deals. training/DATA.md describes the
    columns, and hearts_training.data.recorded.RecordedGames plays them again. After Ctrl-C the same command continues
    with the files that are missing. With --from the deals are those of records and of games of others, and nothing is
    played.

    Examples:
      hearts record --agents rule --out data/rule --deals 10000
      hearts record --agents rule "pimc(worlds=8)" net:black_lady --out data/mixed --observations
      hearts record --variant omnibus_hearts --agents rule random --explore 0.05 --processes 2 --out data/omnibus
      hearts record --from games.jsonl more.jsonl --out data/people
    """

    out: Path = Path("data/games")
    """Folder of the data set."""
    deals: int = 10_000
    """Deals in all, rounded up to whole files."""
    files: Annotated[tuple[Path, ...], UNSET, tyro.conf.arg(name="from", metavar="FILE [FILE ...]")] = ()
    """Records, or files of games as hearts_env.write_games writes them, whose deals are written."""
    minari: Annotated[str, UNSET] = ""
    """Also write a Minari data set for each seat, under this name and the seat: NAMESPACE/NAME-seat0-v0."""

    def run(self) -> int:
        """Record, and name the folder."""
        who, options = self.who, options_of(RecordOptions, self)
        from hearts_training.data.given import record_files
        from hearts_training.data.record import record

        if self.files and replace(self, files=(), out=Record.out, minari="", observations=False) != Record():
            raise ValueError("--from plays nothing; beside it, only --out, --observations and --minari are possible")
        if self.minari and not self.files:  # of files the export checks it: they name the game
            from hearts_training.data.minari import check_name

            check_name(self.minari, options.variant)
        with resumable(), progress("recording", self.deals) as show:
            if self.files:
                deals = record_files(self.files, self.out, self.observations, show)
            else:
                deals = record(options, self.out, self.deals, who, show)
        print(f"{deals:,} deals are in {self.out}")
        if self.minari:
            from hearts_training.data.minari import export

            with progress("exporting", deals) as show:
                names = export(self.out, self.minari, show, deals=deals)
            print(f"Minari data sets: {', '.join(names)}")
        return 0
