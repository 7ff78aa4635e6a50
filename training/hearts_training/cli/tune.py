"""`hearts tune`: better weights for the rule agent."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated

import tyro

from hearts_training.cli.command import UNSET, Command, console, progress, workers_of
from hearts_training.train.options import TuneOptions


@dataclass(frozen=True)
class Tune(Command):
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
    variant: str = TuneOptions.variant
    """The variant, optionally with changes to its rules in brackets."""
    generations: int = TuneOptions.generations
    """Number of generations."""
    population: int = TuneOptions.population
    """Candidates per generation."""
    deals: int = TuneOptions.deals
    """Duplicate deals per generation and opponent."""
    check_deals: int = TuneOptions.check_deals
    """Deals in the final comparison."""
    opponents: Annotated[tuple[str, ...], tyro.conf.arg(metavar="AGENT [AGENT ...]")] = TuneOptions.opponents
    """Agents to beat, in addition to the one to start from."""
    start: str = TuneOptions.start
    """The rule agent to start from."""
    names: Annotated[tuple[str, ...], UNSET, tyro.conf.arg(metavar="WEIGHT [WEIGHT ...]")] = ()
    """Weights to tune; all if none is named."""
    seed: int = TuneOptions.seed
    """Fixes candidates and deals."""
    processes: int = 1
    """Number of processes; the result does not depend on it."""
    workers: Annotated[str | None, UNSET, tyro.conf.arg(metavar="ADDRESS")] = None
    """The Ray cluster that works instead: the address of its head, auto for the one that runs on this machine, or local
    to start Ray on this machine (extra cluster). The result does not depend on it."""

    def run(self) -> int:
        """Search, then print the weights found and their results."""
        from hearts_training.cli.arena_tables import arena_table
        from hearts_training.train.tune import tune

        options = TuneOptions(**{field.name: getattr(self, field.name) for field in fields(TuneOptions)})
        try:
            with progress("tuning") as show:
                result = tune(
                    options,
                    self.out,
                    lambda fraction, score: show(fraction, f"tuning {score:+.2f}"),
                    workers_of(self.processes, self.workers),
                )
        except KeyboardInterrupt:
            raise KeyboardInterrupt("interrupted and saved; the same command continues from here") from None
        terminal = console()
        terminal.print(result["spec"], *(arena_table(table) for table in result["check"]))
        return 0
