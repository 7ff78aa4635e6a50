"""The results of an arena, and their published form."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from hearts_agents.arena.stats import CONFIDENCE

Interval = tuple[float, float]


@dataclass(frozen=True)
class AgentResult:
    """One agent's results, per deal: means over the seats it sits in, then over deals (or over matches).

    Attributes:
        name: its spec string.
        points, points_se: penalty points and the standard error of their mean, NaN for one deal; lower is better (where
            the highest total wins the sign is reversed, Gaussian integers count by magnitude).
        points_ci: the 95 % confidence interval of the points.
        margin, margin_se: own points (the mean of its team) minus the mean of the opponents; negative is better.
        margin_ci: the 95 % confidence interval of the margin.
        moons_shot: share of deals in which it (or its partner) shot the moon.
        moons_attempted: share of deals in which it (or its partner) after some trick held every moon card taken so
            far and at least half of the moon; 0 in a game without a moon.
        moons_conceded: share of deals in which an opponent shot the moon.
        queens: queens of spades taken.
        ms_per_decision: thinking time, in milliseconds.
        decisions: number of decisions, forced ones included.
        won, won_se: share of the matches won, ties shared, and its standard error over matches; None for single deals.
        margin_adjusted, margin_adjusted_se, margin_adjusted_ci: the margin adjusted by the control variate of the
            deals; None without adjustment.
        variance_removed: the share of the margin's variance that the adjustment removed.
        rating, rating_sigma: Plackett-Luce rating from the ranks at the tables; None for a single agent.
        faults: reason -> number of its decisions that were substituted (`Agent.faults`).
        called: the name that an external program gives itself; None for other agents.
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
    moons_attempted: float
    points_ci: Interval
    margin_ci: Interval
    won: float | None = None
    won_se: float | None = None
    margin_adjusted: float | None = None
    margin_adjusted_se: float | None = None
    margin_adjusted_ci: Interval | None = None
    variance_removed: float | None = None
    rating: float | None = None
    rating_sigma: float | None = None
    faults: Mapping[str, int] = field(default_factory=dict)
    called: str | None = None


@dataclass(frozen=True)
class PairResult:
    """One agent's results against one other.

    Attributes:
        name, rival: spec strings.
        points, points_se, margin, margin_se, moons_shot, moons_conceded, won, won_se: as in `AgentResult`.
    """

    name: str
    rival: str
    points: float
    points_se: float
    margin: float
    margin_se: float
    moons_shot: float
    moons_conceded: float
    won: float | None = None
    won_se: float | None = None


@dataclass(frozen=True)
class ArenaResult:
    """The result of an arena.

    Attributes:
        variant: text of the rules.
        deals: deals played, each in every seating; for whole matches, the mean over the seatings, rounded.
        seed: the seed of the deals.
        seatings: the kind of seating.
        agents: results, in the order the agents were given.
        pairs: results by opponent, where agents met in pairs.
        matches: matches played, each in every seating; None for single deals.
        deals_per_match: their mean length; None for single deals.
        seconds: how long the playing took in this run, without resumed chunks.
        run: how it came to be: the option `made` of every command that played some of it; not in the published form.
    """

    variant: str
    deals: int
    seed: int
    seatings: str
    agents: tuple[AgentResult, ...]
    pairs: tuple[PairResult, ...] = field(default=())
    matches: int | None = None
    deals_per_match: float | None = None
    seconds: float = math.nan
    run: tuple[Mapping[str, Any], ...] = ()

    @property
    def units(self) -> int:
        """The number of independent units: deals, or matches."""
        return self.deals if self.matches is None else self.matches

    def to_dict(self) -> dict[str, Any]:
        """The published form: plain values, None for what a single deal does not give."""
        head = {
            "variant": self.variant,
            "deals": self.deals,
            "seed": self.seed,
            "seatings": self.seatings,
            "matches": self.matches,
            "deals_per_match": self.deals_per_match,
            "confidence": CONFIDENCE,
        }
        return head | {
            "agents": [_plain(asdict(agent)) for agent in self.agents],
            "pairs": [_plain(asdict(pair)) for pair in self.pairs],
        }

    def to_json(self) -> str:
        """`to_dict` as text."""
        return json.dumps(self.to_dict(), indent=2)

    def to_table(self) -> tuple[list[str], list[list[str]]]:
        """Headings and one row of text per agent, for printing."""
        headings = ["agent", "points", "± se", "margin", "± se", "moons shot", "attempted", "conceded", "queens"]
        rows = []
        for a in self.agents:
            numbers = [f"{a.points:.3f}", f"{a.points_se:.3f}", f"{a.margin:+.3f}", f"{a.margin_se:.3f}"]
            rates = [f"{rate:.1%}" for rate in (a.moons_shot, a.moons_attempted, a.moons_conceded)]
            rows.append([a.name, *numbers, *rates, f"{a.queens:.3f}", f"{a.ms_per_decision:.4f}"])
        return [*headings, "ms/decision"], rows


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    return {key: _plain_value(value) for key, value in values.items()}


def _plain_value(value: Any) -> Any:
    if isinstance(value, tuple):
        return None if math.isnan(value[0]) else list(value)
    return None if isinstance(value, float) and math.isnan(value) else value
