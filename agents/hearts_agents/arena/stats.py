"""Statistics of an arena: means with confidence intervals, sample sizes, ratings, and a control variate of the deals.

The control variate removes from the margins what the deals themselves explain. Its features depend on the deal alone:
each deal is also played by ``rule`` in all seats, by one ``rule`` against ``random`` in the other seats, and by one
``random`` against ``rule``. The features are the spread of the costs, whether a moon was shot, and the two margins.
Their expectations are estimated from fresh deals, and the error of that estimate is part of the standard error. The
coefficients are cross-fitted: those for one fifth of the deals come from the other four fifths, so the adjusted margin
has the same expectation as the raw one.

Little variance is left to remove, because duplicate deals already give every hand of a deal to every agent. The share
that is removed may be 0 or, because the fit costs something, slightly negative.

Source: M. White and M. Bowling, Learning a Value Analysis Tool for Agent Evaluation (IJCAI 2009): MIVAT, here with
features of the deal only. (AIVAT of Burch et al., 2018, also uses the strategies of the players.)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hearts_agents.arena.tables import MEASURES, TableBatch, TimedAgent, deal_numbers
from hearts_agents.registry import make_agent
from hearts_env.checks import array_of, whole
from hearts_env.compiled.game import Game

CONFIDENCE = 0.95
FEWEST_DEALS = 20
"""The fewest deals whose margins can be adjusted."""
FOLDS = 5
FRESH_DEALS = 4
"""Fresh deals for every deal that was played."""
_TABLES_AT_ONCE = 4096
_STREAM = 1
_RANDOM_SEED = 0x10C  # no seed of an arena, or the features would contain the play of the `random` that is compared


class Mean(NamedTuple):
    """A mean over independent units.

    Attributes:
        value: the mean.
        error: its standard error; NaN for a single unit.
        interval: its 95 % confidence interval by Student's t; NaN for a single unit.
    """

    value: float
    error: float
    interval: tuple[float, float]


def mean_of(values: NDArray[np.float64]) -> Mean:
    """The mean of (n,) independent values.

    >>> mean = mean_of(np.array([1.0, 2.0, 3.0, 4.0]))
    >>> mean.value, round(mean.error, 3), [round(end, 2) for end in mean.interval]
    (2.5, 0.645, [0.45, 4.55])
    """
    n = len(values)
    error = float(values.std(ddof=1)) / math.sqrt(n) if n > 1 else math.nan
    return with_interval(float(values.mean()), error, n)


def with_interval(value: float, error: float, n: int) -> Mean:
    """An estimate from n values, with its confidence interval."""
    width = error * student(1 - (1 - CONFIDENCE) / 2, n - 1) if n > 1 else math.nan
    return Mean(value, error, (value - width, value + width))


def student(p: float, freedom: int) -> float:
    """The quantile of Student's t distribution for p > 0.5.

    Exact for 1 and 2 degrees of freedom; beyond that the series of Cornish and Fisher, whose error is below 0.004 at
    p = 0.975.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5.

    >>> round(student(0.975, 10), 3)
    2.228
    """
    if freedom == 1:
        return math.tan(math.pi * (p - 0.5))
    if freedom == 2:
        return (2 * p - 1) * math.sqrt(2 / (4 * p * (1 - p)))
    z, n = NormalDist().inv_cdf(p), freedom
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    corrections: list[float] = [term / n**power for power, term in enumerate(terms, 1)]
    return z + sum(corrections)


def sample_size(sd: float, difference: float, alpha: float, power: float) -> int:
    """The number of paired deals that a two-sided test needs to detect a difference, at least 2.

    n = ((z(1 - alpha / 2) + z(power)) sd / difference)**2.

    Args:
        sd: standard deviation of the margin from deal to deal.
        difference: the difference to detect, above 0, in the unit of `sd`.
        alpha: probability of reporting a difference where there is none.
        power: probability of detecting the difference where there is one.

    >>> sample_size(sd=2.0, difference=0.5, alpha=0.05, power=0.8)
    126
    """
    z = NormalDist().inv_cdf(1 - alpha / 2) + NormalDist().inv_cdf(power)
    return max(2, math.ceil((z * sd / difference) ** 2))


@dataclass(frozen=True)
class ControlVariate:
    """Features of the deals that were played.

    Attributes:
        features: (deals, features), each minus its expectation at the deal's place in the pass cycle.
        error: (features, features) covariance of the error of the estimated expectation, averaged over the deals.
    """

    features: NDArray[np.float64]
    error: NDArray[np.float64]


class Adjusted(NamedTuple):
    """A margin after adjustment.

    Attributes:
        margin: mean, standard error and interval.
        removed: the share of the raw margin's variance that the adjustment removed; may be negative.
    """

    margin: Mean
    removed: float


def control_variate(game: Game, seeds: NDArray[np.uint64], seed: int) -> ControlVariate:
    """The control variate of the arena's deals 0 to n - 1, which `seeds` (n,) fix; `seed` fixes the fresh deals."""
    seeds = array_of("seeds", seeds, np.uint64, (None,))
    fresh_seeds = np.random.SeedSequence([whole("seed", seed, 0), _STREAM]).generate_state(
        FRESH_DEALS * len(seeds), np.uint64
    )
    cycle = game.pass_cycle
    place = np.arange(len(seeds)) % cycle
    fresh_place = np.tile(place, FRESH_DEALS)
    raw = _features(game, seeds, place)
    fresh = _features(game, fresh_seeds.astype(np.uint64, copy=False), fresh_place)
    expected = np.array([fresh[fresh_place == one].mean(axis=0) for one in range(min(cycle, len(seeds)))])
    rest = fresh - expected[fresh_place]
    freedom = max(len(fresh) - len(expected), 1)
    return ControlVariate(raw - expected[place], rest.T @ rest / freedom / len(fresh))


def adjust(margins: NDArray[np.float64], variate: ControlVariate) -> Adjusted:
    """Remove from (n,) margins what the features of the deals explain; the expectation does not change."""
    n, raw = len(margins), mean_of(margins)
    fold = np.arange(n) % FOLDS
    slopes = np.array([_fit(variate.features[fold != one], margins[fold != one]) for one in range(FOLDS)])
    rest = mean_of(margins - (slopes[fold] * variate.features).sum(axis=1))
    slope = slopes[fold].mean(axis=0)
    variance = rest.error**2 + float(slope @ variate.error @ slope)
    removed = 1 - variance / raw.error**2 if raw.error > 0 else 0.0
    return Adjusted(with_interval(rest.value, variance**0.5, n), removed)


def _fit(features: NDArray[np.float64], margins: NDArray[np.float64]) -> NDArray[np.float64]:
    """Coefficients of least squares, without the intercept."""
    columns = np.column_stack([np.ones(len(features)), features])
    return np.linalg.lstsq(columns, margins, rcond=None)[0][1:].astype(np.float64)


def _features(game: Game, seeds: NDArray[np.uint64], place: NDArray[np.int64]) -> NDArray[np.float64]:
    """(deals, features) of deals at places of the pass cycle, a limited number of tables at a time."""
    size = max(1, _TABLES_AT_ONCE // (2 * game.seats + 1))
    slices = [slice(first, first + size) for first in range(0, len(seeds), size)]
    return np.concatenate([_play_features(game, seeds[one], place[one]) for one in slices])


def _play_features(game: Game, seeds: NDArray[np.uint64], place: NDArray[np.int64]) -> NDArray[np.float64]:
    own = np.arange(max(game.teams) + 1)[:, None] == np.array(game.teams)  # the seats of every side
    lineups = np.concatenate([np.zeros_like(own[:1]), ~own, own]).astype(np.int64)  # rule is 0, random 1
    states = np.repeat(deal_numbers(game, seeds, place), len(lineups))
    units = np.repeat(np.arange(len(seeds)), len(lineups))
    players = [TimedAgent(make_agent("rule")), TimedAgent(make_agent("random"))]
    players[1].agent.reset(_RANDOM_SEED)
    batch = TableBatch(game, players, states, np.tile(lineups, (len(seeds), 1)), units)
    sums = batch.play().reshape(len(MEASURES), len(seeds), len(lineups), game.seats)
    measured = dict(zip(MEASURES, sums, strict=True))
    sides = len(own)
    margins = (measured["margin"][:, 1:] * np.concatenate([own, own])).sum(axis=2) / own[0].sum()
    columns = (
        measured["points"][:, 0].std(axis=1),
        measured["shot"][:, 0].any(axis=1),
        margins[:, :sides].mean(axis=1),
        margins[:, sides:].mean(axis=1),
    )
    return np.column_stack(columns).astype(np.float64)


def rate_agents(
    agents: int, lineups: Sequence[Sequence[int]], costs: NDArray[np.int64], limit: int
) -> list[tuple[float, float]] | None:
    """Plackett-Luce ratings (mu, sigma) of the agents, by the library openskill; None if it is not installed.

    Every table is a game between the agents seated there. Agents are ranked by the mean cost of their seats; equal
    means share a rank. Ratings depend on the order of the tables and are for display: base decisions on margins.

    Args:
        agents: number of agents.
        lineups: index of the agent in each seat, for every line-up.
        costs: (deals, line-ups, seats) cost of every seat.
        limit: the most tables that count.
    """
    try:
        from openskill.models import PlackettLuce
    except ModuleNotFoundError:
        return None
    model = PlackettLuce()
    ratings = [model.rating() for _ in range(agents)]
    tables = [(lineup, row) for deal in costs for lineup, row in zip(lineups, deal, strict=True)]
    for lineup, row in tables[:limit]:
        means = _mean_costs(lineup, row)
        if len(means) > 1:
            rated = model.rate([[ratings[agent]] for agent in means], ranks=list(means.values()))
            for agent, (rating,) in zip(means, rated, strict=True):
                ratings[agent] = rating
    return [(float(rating.mu), float(rating.sigma)) for rating in ratings]


def _mean_costs(lineup: Sequence[int], costs: NDArray[np.int64]) -> dict[int, float]:
    seats = {agent: [seat for seat, other in enumerate(lineup) if other == agent] for agent in sorted(set(lineup))}
    return {agent: float(costs[own].sum()) / len(own) for agent, own in seats.items()}
