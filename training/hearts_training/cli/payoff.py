"""`hearts payoff`: the payoff matrix of a population of agents, its equilibrium and alpha-rank."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Annotated

import tyro

from hearts_training.cli.arena_tables import matrix_cells, matrix_tables
from hearts_training.cli.command import Reporting, check_files, check_picture, progress, results_table
from hearts_training.options import UNSET, Agents, File, WorkerOptions


@dataclass(frozen=True)
class Payoff(WorkerOptions, Reporting):
    """Play every pair of agents, and analyse the game of their margins.

    Rows hold one agent among copies of the column's, in every seat of the same deals; margins are points a deal, lower
    is better. nash is a mixture among whose copies nobody does better than itself (written as a spec string, it is an
    agent), alpha-rank the share of time that an evolving population spends with each agent; intervals are of 95%, by
    resampling of the deals. The mixture may be one of several equilibria.

    Examples:
      hearts payoff rule shooter random
      hearts payoff rule shooter guard net:runs/a --variant trio_hearts --json payoff.json --plot payoff.png
    """

    agents: Annotated[Agents, tyro.conf.Positional, UNSET]
    """Specs of the agents, two or more."""
    variant: str = "black_lady"
    """The variant, optionally with changes to its rules in brackets."""
    deals: int = 1000
    """Deals, each played by every pair in every seat."""
    seed: int = 0
    """Fixes the deals, all random choices and the resamples."""
    plot: File = None
    """Plot the matrix and the shares to this file, .png or .svg."""

    def run(self) -> int:
        """Play, print the matrix and write the files."""
        from hearts_agents.files import write_file
        from hearts_training.evaluate.payoff import draw_payoff, run_payoff
        from hearts_training.provenance import entry

        check_files({"--json": self.json, "--plot": self.plot})
        check_picture(self.plot)
        if self.plot is not None:
            import_module("matplotlib")  # an optional dependency: report its absence before playing
        with progress("playing") as show:
            found = run_payoff(self.agents, self.variant, self.deals, self.seed, workers=self.who, progress=show)
        rows = (
            (
                f"{place} {one['name']}",
                _share(one["nash"], one["nash_ci"]),
                _share(one["alpha_rank"], one["alpha_rank_ci"]),
                f"{one['elo']:+.0f}",
                "" if one["rating"] is None else f"{one['rating']:.1f}",
            )
            for place, one in enumerate(found["agents"], start=1)
        )
        shares = results_table(
            ("nash", "alpha-rank", "elo", "rating"),
            rows,
            title=f"{found['variant']}, {found['deals']} deals",
            caption=f"nash: {found['mixture']}, {found['value']:+.2f} points a deal among its copies",
            first="agent",
            no_wrap=True,
        )
        cells = matrix_cells(found["margins"], found["margins_se"])
        margins = matrix_tables("margins, the row among copies of the column", "among", self.agents, cells)
        options = {name: getattr(self, name) for name in ("agents", "variant", "deals")}
        self.report(found | {"run": [entry(options, self.seed, self.agents)]}, shares, *margins)
        if self.plot is not None:
            write_file(self.plot, draw_payoff(found, self.plot.suffix[1:]))
        return 0


def _share(share: float, ends: list[float]) -> str:
    return f"{share:.2f} [{ends[0]:.2f}, {ends[1]:.2f}]"
