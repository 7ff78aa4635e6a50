"""The results of an arena, and the columns of its tables."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hearts_agents.arena.stats import CONFIDENCE, Mean

Interval = tuple[float, float]


class Column(NamedTuple):
    """A column of the tables.

    Attributes:
        head: its heading. A column of the same name as one of `tables.MEASURES` is the mean of that measure.
        key: the field of `AgentResult`.
        form: the format of its value.
        parts: suffixes of the fields that have the value, its standard error and its confidence interval.
    """

    head: str
    key: str
    form: str
    parts: tuple[str, ...] = ("",)

    def fields(self, mean: Mean) -> dict[str, Any]:
        """The fields that hold a mean."""
        return {self.key + part: value for part, value in zip(self.parts, mean, strict=False)}

    def text(self, scores: Mapping[str, Any]) -> str:
        """The value in published results, with its standard error if it has one."""
        value = format(scores[self.key], self.form)
        if "_se" not in self.parts:
            return value
        error = scores.get(f"{self.key}_se")  # results of earlier releases have fewer
        return f"{value} ± {'?' if error is None else format(error, self.form.lstrip('+'))}"


_WITH_INTERVAL = ("", "_se", "_ci")
ADJUSTED = Column("adjusted", "margin_adjusted", "+.2f", _WITH_INTERVAL)
SCORES = (
    Column("points", "points", ".2f", _WITH_INTERVAL),
    Column("margin", "margin", "+.2f", _WITH_INTERVAL),
    ADJUSTED,
    Column("removed", "variance_removed", ".0%"),
    Column("won", "won", ".1%", ("", "_se")),
)
OTHERS = (
    Column("shot", "moons_shot", ".1%", ("", "_se")),
    Column("attempted", "moons_attempted", ".1%"),
    Column("conceded", "moons_conceded", ".1%", ("", "_se")),
    Column("queens", "queens", ".2f", ("", "_se")),
    Column("rating", "rating", ".1f"),
    Column("ms/move", "ms_per_decision", ".3f"),
)
COLUMNS = SCORES + OTHERS


def cells_of(scores: Mapping[str, Any], columns: tuple[Column, ...] = COLUMNS) -> dict[str, str]:
    """Heading -> text of the published results of an agent or a pair; what was not measured is left out.

    >>> cells_of({"margin": -1.5, "margin_se": 0.25, "moons_shot": 0.125, "moons_shot_se": 0.005, "won": None})
    {'margin': '-1.50 ± 0.25', 'shot': '12.5% ± 0.5%'}
    """
    return {column.head: column.text(scores) for column in columns if scores.get(column.key) is not None}


def labels_of(agents: Iterable[Mapping[str, Any]]) -> list[str]:
    """The names of published agents in tables: that which a program gives itself, else the spec; each is different.

    >>> bot = {"name": "exec:python3 bot.py", "called": "lowest"}
    >>> labels_of([bot, {"name": "rule", "called": None}, bot])
    ['lowest', 'rule', 'lowest (2)']
    """
    names = [agent["called"] or agent["name"] for agent in agents]
    counts = [names[: place + 1].count(name) for place, name in enumerate(names)]
    return [name if count == 1 else f"{name} ({count})" for name, count in zip(names, counts, strict=True)]


@dataclass(frozen=True, kw_only=True)
class Scores:
    """Results per deal: means over the seats that an agent sits in, then over deals (or over matches).

    Attributes:
        name: the agent's spec string.
        points, points_se: penalty points and the standard error of their mean, NaN for one deal; lower is better (where
            the highest total wins the sign is reversed, Gaussian integers count by magnitude).
        points_ci: the 95 % confidence interval of the points.
        margin, margin_se: own points (the mean of its team) minus the mean of the opponents; negative is better.
        margin_ci: the 95 % confidence interval of the margin.
        won, won_se: share of the matches won, ties shared, and its standard error over matches; None for single deals.
        moons_shot, moons_shot_se: share of deals in which it (or its partner) shot the moon, and its standard error.
        moons_attempted: share of deals in which it (or its partner) after some trick held every moon card taken so
            far and at least half of the moon; 0 in a game without a moon.
        moons_conceded, moons_conceded_se: share of deals in which an opponent shot the moon.
        queens, queens_se: queens of spades taken.
    """

    name: str
    points: float
    points_se: float
    points_ci: Interval
    margin: float
    margin_se: float
    margin_ci: Interval
    won: float | None = None
    won_se: float | None = None
    moons_shot: float
    moons_shot_se: float
    moons_attempted: float
    moons_conceded: float
    moons_conceded_se: float
    queens: float
    queens_se: float


@dataclass(frozen=True, kw_only=True)
class AgentResult(Scores):
    """One agent's results.

    Attributes:
        ms_per_decision: thinking time, in milliseconds.
        decisions: number of decisions, forced ones included.
        margin_adjusted, margin_adjusted_se, margin_adjusted_ci: the margin adjusted by the control variate of the
            deals; None without adjustment.
        variance_removed: the share of the margin's variance that the adjustment removed.
        rating, rating_sigma: Plackett-Luce rating from the ranks at the tables; None for a single agent.
        faults: reason -> number of its decisions that were substituted (`Agent.faults`).
        called: the name that an external program or a language model gives itself; None for other agents.
        digest: which agent it was, beyond its name: of its weights, of its file, or the release of the suite.
        trained_on: text of the rules that a network was trained on, if they are others than those that are played.
        usage: what it spent, such as tokens, by name (`Agent.usage`).
    """

    ms_per_decision: float
    decisions: int
    margin_adjusted: float | None = None
    margin_adjusted_se: float | None = None
    margin_adjusted_ci: Interval | None = None
    variance_removed: float | None = None
    rating: float | None = None
    rating_sigma: float | None = None
    faults: Mapping[str, int] = field(default_factory=dict)
    called: str | None = None
    digest: str
    trained_on: str | None = None
    usage: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class PairResult(Scores):
    """One agent's results against one other, `rival`."""

    rival: str


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
        seconds: how long the playing took in this run, without resumed chunks; not in the published form.
        run: the option `made` of every command that played some of it; not in the published form.
        by_unit: agent -> ``points`` and ``margin`` of every deal, or match; not in the published form.
        pair_margins: (pairs, units) the margins of `pairs` in every deal, or match; not in the published form.
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
    by_unit: Mapping[str, Mapping[str, NDArray[np.float64]]] = field(default_factory=dict, compare=False, repr=False)
    pair_margins: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 0)), compare=False, repr=False)

    @property
    def units(self) -> int:
        """The number of independent units: deals, or matches."""
        return self.deals if self.matches is None else self.matches

    def to_dict(self) -> dict[str, Any]:
        """The published form: plain values, None for what a single deal does not give."""
        head = ("variant", "deals", "seed", "seatings", "matches", "deals_per_match")
        return {name: getattr(self, name) for name in head} | {
            "confidence": CONFIDENCE,
            "agents": [_plain(agent) for agent in self.agents],
            "pairs": [_plain(pair) for pair in self.pairs],
        }

    def to_json(self) -> str:
        """`to_dict` as text."""
        return json.dumps(self.to_dict(), indent=2)

    def to_table(self) -> tuple[list[str], list[list[str]]]:
        """Headings and one row of text per agent, for printing."""
        agents = self.to_dict()["agents"]
        rows = [{"agent": label} | cells_of(agent) for label, agent in zip(labels_of(agents), agents, strict=True)]
        return list(rows[0]), [list(row.values()) for row in rows]


def _plain(scores: Scores) -> dict[str, Any]:
    return {key: _plain_value(value) for key, value in asdict(scores).items()}


def _plain_value(value: Any) -> Any:
    if isinstance(value, tuple):
        return None if math.isnan(value[0]) else list(value)
    return None if isinstance(value, float) and math.isnan(value) else value
