"""`hearts partners`: how agents do as partners of one another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import tyro

from hearts_training.cli.arena_tables import matrix_cells, matrix_tables
from hearts_training.cli.command import Reporting, check_writable, progress
from hearts_training.options import UNSET, Agents


@dataclass(frozen=True)
class Partners(Reporting):
    """Play every pair of agents as partners, against one fixed pair.

    The same deals are played by all pairs, as each team in turn. Rows hold a team's first seat, columns its second;
    margins are the team's mean points minus the opponents', a deal, and lower is better.

    Examples:
      hearts partners rule net:partnership_hearts net:hearts
      hearts partners net:runs/seed0 net:runs/seed1 net:runs/seed2 --variant likha --deals 5000 --json partners.json
    """

    agents: Annotated[Agents, tyro.conf.Positional, UNSET]
    """Specs of the agents, two or more."""
    variant: str = "partnership_hearts"
    """The variant, one with teams of two."""
    deals: int = 1000
    """Deals, each played by every pair as each team; rounded up to whole chunks of 250."""
    opponents: str = "rule"
    """Spec of the agent that holds the other seats."""

    def run(self) -> int:
        """Play, and print the matrix."""
        from hearts_training.evaluate.partners import cross_play
        from hearts_training.provenance import entry

        check_writable(self.json)
        if self.deals < 1:
            raise ValueError(f"deals={self.deals} must be 1 or more")
        with progress("playing") as show:
            found = cross_play(self.agents, self.variant, self.deals, self.opponents, show)
        cells = matrix_cells(found["margins"], found["margins_se"])
        title = f"partners in {found['variant']}, against {self.opponents}, {found['deals']} deals"
        costs = (
            f"self-play {found['self_play']:+.2f}, cross-play {found['cross_play']:+.2f}: with another partner "
            f"{found['loss']:+.2f} ± {found['loss_se']:.2f} points a deal (above 0 is worse)"
        )
        options = {name: getattr(self, name) for name in ("agents", "variant", "deals", "opponents")}
        self.report(
            found | {"run": [entry(options, None, (*self.agents, self.opponents))]},
            *matrix_tables(title, "with", self.agents, cells),
            costs,
        )
        return 0
