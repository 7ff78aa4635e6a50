"""What the arena measures, and how it is told."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

MEASURES = ("points", "margin", "shot", "conceded", "queens")


@dataclass(frozen=True)
class AgentResult:
    """One agent's results, per deal: means over the seats it sits in, then over deals.

    Attributes:
        name: its spec string.
        points, points_se: penalty points and the standard error of their mean; lower is better (scores where the
            highest total wins have the other sign, Gaussian integers their magnitude). NaN for one deal.
        margin, margin_se: own points (its team's mean) minus the mean of the opponents; negative is better.
        moons_shot: share of deals in which it (or its partner) shot the moon.
        moons_conceded: share of deals in which an opponent did.
        queens: queens of spades taken.
        ms_per_decision: thinking time, in milliseconds.
        decisions: number of decisions, forced ones included.
    """

    name: str
    points: float
    points_se: float
    margin: float
    margin_se: float
    moons_shot: float
    moons_conceded: float
    queens: float
    ms_per_decision: float
    decisions: int


@dataclass(frozen=True)
class PairResult:
    """One agent's results against one other.

    Attributes:
        name, rival: spec strings.
        points, points_se, margin, margin_se: as in `AgentResult`.
    """

    name: str
    rival: str
    points: float
    points_se: float
    margin: float
    margin_se: float


@dataclass(frozen=True)
class ArenaResult:
    """The result of an arena.

    Attributes:
        variant: text of the rules.
        deals: deals played, each in every seating.
        seed: what fixed them.
        seatings: the kind of seating.
        agents: results, in the order the agents were given.
        pairs: results by opponent, where agents met in pairs.
    """

    variant: str
    deals: int
    seed: int
    seatings: str
    agents: tuple[AgentResult, ...]
    pairs: tuple[PairResult, ...] = field(default=())

    def to_dict(self) -> dict[str, Any]:
        """The published form: plain values, None for a standard error that one deal cannot give."""
        head = {"variant": self.variant, "deals": self.deals, "seed": self.seed, "seatings": self.seatings}
        return head | {"agents": [_plain(asdict(agent)) for agent in self.agents]}

    def to_json(self) -> str:
        """`to_dict` as text."""
        return json.dumps(self.to_dict(), indent=2)

    def to_table(self) -> tuple[list[str], list[list[str]]]:
        """Headings and one row of text per agent, for printing."""
        headings = ["agent", "points", "± se", "margin", "± se", "moons shot", "conceded", "queens", "ms/decision"]
        rows = []
        for a in self.agents:
            numbers = [f"{a.points:.3f}", f"{a.points_se:.3f}", f"{a.margin:+.3f}", f"{a.margin_se:.3f}"]
            rates = [f"{rate:.1%}" for rate in (a.moons_shot, a.moons_conceded)]
            rows.append([a.name, *numbers, *rates, f"{a.queens:.3f}", f"{a.ms_per_decision:.4f}"])
        return headings, rows


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    return {key: None if isinstance(value, float) and math.isnan(value) else value for key, value in values.items()}


@dataclass
class Tally:
    """Sums of one agent's results against one opponent (or a table of many), deal by deal.

    Attributes:
        agent, rival: indices.
        seats: counted seats in one deal, over all its line-ups.
        sums: measure -> (deals,) integers, multiplied so that they are exact (`units`).
    """

    agent: int
    rival: int | None
    seats: int
    sums: dict[str, NDArray[np.int64]]


@dataclass
class Clock:
    """Thinking time of one agent."""

    seconds: float = 0.0
    decisions: int = 0


def summarize(
    tallies: Sequence[Tally], agent: int, deals: int, units: Mapping[str, int], rival: int | None = -1
) -> dict[str, tuple[float, float]]:
    """Measure -> (mean, standard error over deals) of an agent in the first `deals`, against one rival (-1: all).

    `units` says by what the sums of a measure are multiplied.
    """
    own = [tally for tally in tallies if tally.agent == agent and rival in (-1, tally.rival)]
    seats = sum(tally.seats for tally in own)
    found = {}
    for measure in MEASURES:
        unit = seats * units.get(measure, 1)
        per_deal = np.sum([tally.sums[measure][:deals] for tally in own], axis=0) / unit
        error = float(per_deal.std(ddof=1)) / math.sqrt(deals) if deals > 1 else math.nan
        found[measure] = (float(per_deal.mean()), error)
    return found


def agent_result(name: str, found: dict[str, tuple[float, float]], clock: Clock) -> AgentResult:
    """An agent's summary in its published form."""
    return AgentResult(
        name=name,
        points=found["points"][0],
        points_se=found["points"][1],
        margin=found["margin"][0],
        margin_se=found["margin"][1],
        moons_shot=found["shot"][0],
        moons_conceded=found["conceded"][0],
        queens=found["queens"][0],
        ms_per_decision=1000 * clock.seconds / max(clock.decisions, 1),
        decisions=clock.decisions,
    )


def pair_results(
    tallies: Sequence[Tally], names: Sequence[str], deals: int, units: Mapping[str, int]
) -> tuple[PairResult, ...]:
    """Results by opponent, for line-ups of two agents."""
    pairs = []
    for tally in tallies:
        if tally.rival is not None:
            found = summarize(tallies, tally.agent, deals, units, tally.rival)
            pairs.append(PairResult(names[tally.agent], names[tally.rival], *found["points"], *found["margin"]))
    return tuple(pairs)
