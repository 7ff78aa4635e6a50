"""`hearts tune`: better weights for the rule agent."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated

import tyro

from hearts_training.cli.command import UNSET, Command, console, progress_bar
from hearts_training.options import TuneOptions


@dataclass(frozen=True)
class Tune(Command):
    """Tune the weights of the rule agent for a variant.

    CMA-ES over the weights, measured on new duplicate deals in every generation, alone against three and three against
    one. The folder keeps the scores: after Ctrl-C the same command goes on where it stopped. In the end it compares
    the weights it found with those it started from, on deals not seen before, and writes result.json.

    Examples:
      hearts tune
      hearts tune --out runs/omnibus --variant omnibus_hearts --generations 60
      hearts tune --out runs/pass --names pass_height pass_short pass_dear pass_spades
    """

    out: Path = Path("runs/tune")
    """Folder of the search."""
    variant: str = TuneOptions.variant
    """Rules: a variant, with changes in brackets if you like."""
    generations: int = TuneOptions.generations
    """How many generations."""
    population: int = TuneOptions.population
    """Candidates per generation."""
    deals: int = TuneOptions.deals
    """Duplicate deals per generation and opponent."""
    check_deals: int = TuneOptions.check_deals
    """Deals of the comparison at the end."""
    opponents: Annotated[tuple[str, ...], tyro.conf.arg(metavar="AGENT [AGENT ...]")] = TuneOptions.opponents
    """Agents to beat, beside the one to start from."""
    start: str = TuneOptions.start
    """The rule agent to start from."""
    names: Annotated[tuple[str, ...], UNSET, tyro.conf.arg(metavar="WEIGHT [WEIGHT ...]")] = ()
    """Weights to tune; all if none is named."""
    seed: int = TuneOptions.seed
    """Fixes candidates and deals."""

    def run(self) -> int:
        """Search, then print the weights and what they are worth."""
        from hearts_training.cli.arena_tables import arena_table
        from hearts_training.tune import tune

        options = TuneOptions(**{field.name: getattr(self, field.name) for field in fields(TuneOptions)})
        try:
            with progress_bar() as bar:
                task = bar.add_task("tuning", total=1.0)
                result = tune(
                    options,
                    self.out,
                    lambda share, score: bar.update(task, completed=share, description=f"tuning {score:+.2f}"),
                )
        except KeyboardInterrupt:
            raise KeyboardInterrupt("interrupted and kept; the same command goes on from here") from None
        terminal = console()
        terminal.print(result["spec"], *(arena_table(table) for table in result["check"]))
        return 0
