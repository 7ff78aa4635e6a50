"""`hearts tune`: better weights for the rule agent."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hearts_training.cli.command import Command, console, options_of, progress, resumable
from hearts_training.options import TuneOptions, WorkerOptions


@dataclass(frozen=True)
class Tune(TuneOptions, WorkerOptions, Command):
    """Tune the weights of the rule agent for a variant.

    CMA-ES over the weights, scored on new duplicate deals in every generation, one against three and three against
    one. The folder keeps the scores: after Ctrl-C the same command continues where it stopped. Finally the weights
    found are compared with the start on new deals, and result.json is written.

    Examples:
      hearts tune
      hearts tune --out runs/omnibus --variant omnibus_hearts --generations 60
      hearts tune --out runs/pass --names pass_height pass_short pass_dear pass_spades
    """

    out: Path = Path("runs/tune")
    """Folder of the search."""

    def run(self) -> int:
        """Search, then print the weights found and their results."""
        from hearts_training.cli.arena_tables import arena_table
        from hearts_training.tune import run_tuning

        options = options_of(TuneOptions, self)
        with resumable(), progress("tuning") as show:
            result = run_tuning(
                options, self.out, lambda fraction, score: show(fraction, f"tuning {score:+.2f}"), self.who
            )
        terminal = console()
        terminal.print(result["spec"], *(arena_table(table) for table in result["check"]))
        return 0
