"""`hearts seal`: digests for a data set that an earlier release wrote."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from hearts_training.cli.command import Command, progress


@dataclass(frozen=True)
class Seal(Command):
    """Seal a data set of an earlier release.

    The parts of data sets carry a digest, without which they are not read. This command plays all deals of parts
    without one again, compares them with what is there, and gives each that agrees its digest. The values that a search
    gave cannot be played again: they are kept as they are.

    Examples:
      hearts seal data/black_lady
    """

    folder: Annotated[Path, tyro.conf.Positional]
    """Folder that hearts label or hearts record wrote."""

    def run(self) -> int:
        """Seal, and report how many parts were."""
        from hearts_training.data.seal import seal_folder

        with progress("playing again") as show:
            sealed, parts = seal_folder(self.folder, show)
        print(f"{sealed:,} of {parts:,} parts in {self.folder} were sealed; the others had a digest, and it is right")
        return 0
