"""How many deals it takes to tell two agents apart."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import Any

from hearts_agents.arena.run import run_arena
from hearts_agents.base import Agent
from hearts_env.ruleset.model import Rules

PILOT_DEALS = 200
ALPHA, POWER = 0.05, 0.8


@dataclass(frozen=True)
class Need:
    """What one agent's margin takes.

    Attributes:
        name: the agent.
        sd: standard deviation of its margin from deal to deal, in the pilot.
        deals: how many deals show the difference.
    """

    name: str
    sd: float
    deals: int


@dataclass(frozen=True)
class Plan:
    """How many duplicate deals show a difference of so many points a deal, if there is one.

    Attributes:
        variant: text of the rules.
        seed: fixes the pilot.
        seatings: the kind of seating.
        difference: points per deal.
        alpha: the chance to see a difference where there is none (two-sided).
        power: the chance to see the difference if it is there.
        pilot_deals: deals played to find out.
        agents: what every agent takes.
        deals: deals that are enough for all.
        seconds: about how long they take here, in the same way.
    """

    variant: str
    seed: int
    seatings: str
    difference: float
    alpha: float
    power: float
    pilot_deals: int
    agents: tuple[Need, ...]
    deals: int
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return asdict(self) | {"agents": [asdict(need) for need in self.agents]}


def plan_deals(
    agents: Sequence[str | Agent],
    difference: float,
    variant: str | Rules = "black_lady",
    deals: int = PILOT_DEALS,
    seed: int = 0,
    seatings: str = "one-vs-rest",
    *,
    processes: int = 1,
    progress: Callable[[float], None] | None = None,
) -> Plan:
    """Play a pilot and say how many deals it takes to show a difference in margin.

    The paired standard deviation s of the margin gives n = ((z(1 - alpha / 2) + z(power)) s / difference)**2.

    Args:
        agents: as in `run_arena`.
        difference: points per deal, above 0.
        variant: rules or their text.
        deals: deals of the pilot, 2 or more.
        seed: fixes the pilot.
        seatings: as in `run_arena`.
        processes: as in `run_arena`.
        progress: as in `run_arena`.

    Raises:
        ValueError: a bad argument, or margins that do not vary, as those of an agent against itself.
        AgentFailed, OSError, ArenaInterrupted: as in `run_arena`.
    """
    if not 0 < difference < math.inf:
        raise ValueError(f"power={difference} must be a difference of points above 0, such as 0.3")
    if deals < 2:
        raise ValueError(f"deals={deals} must be at least 2 for a pilot")
    pilot = run_arena(agents, variant, deals, seed, seatings, processes=processes, progress=progress)
    factor = NormalDist().inv_cdf(1 - ALPHA / 2) + NormalDist().inv_cdf(POWER)
    spreads = [agent.margin_se * math.sqrt(deals) for agent in pilot.agents]
    if max(spreads) == 0:
        raise ValueError("the margins do not vary, so there is no difference to be shown; name agents that differ")
    needs = tuple(
        Need(agent.name, spread, max(2, math.ceil((factor * spread / difference) ** 2)))
        for agent, spread in zip(pilot.agents, spreads, strict=True)
    )
    most = max(need.deals for need in needs)
    return Plan(
        variant=pilot.variant,
        seed=seed,
        seatings=seatings,
        difference=difference,
        alpha=ALPHA,
        power=POWER,
        pilot_deals=deals,
        agents=needs,
        deals=most,
        seconds=pilot.seconds / deals * most,
    )
