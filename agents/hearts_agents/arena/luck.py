"""Luck adjustment: what is known of a deal's luck is taken out of the margins, without bias.

The control variate depends on the deal alone. Every deal is played by agents that are not compared, ``rule`` and
``random``: ``rule`` in all seats, ``rule`` alone against ``random`` in every seat, and the other way round. That gives
four features: how far the costs spread, whether a moon was shot, and the two margins. What they are on average is
estimated from fresh deals of the same places in the pass cycle, and the error of that estimate is added to the
standard error. The coefficients come from cross-fitting: those of one fifth of the deals are fitted on the others, so
they know nothing of the deals they correct, and the adjusted margin has exactly the expectation of the raw one.

Do not expect much. Duplicate deals have done most of the work already: every hand of a deal is held by everybody, so
good and bad cards cancel in the margin before any regression. What is left is how far a deal lets skill tell, and
that is little; the share of variance removed may be 0 or, by the price of the fit, somewhat negative.

Source: the control variates of AIVAT and MIVAT (White and Bowling 2009), here without looking at the play.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hearts_agents.arena.measures import MEASURES
from hearts_agents.arena.stats import Mean, mean_of, with_interval
from hearts_agents.arena.tables import Clock, Hall, deal_numbers, pass_cycle
from hearts_agents.registry import make_agent
from hearts_env.compiled.game import Game

FEWEST_DEALS = 20
FOLDS = 5
FRESH_DEALS = 4
"""Fresh deals for every deal that was played."""
_TABLES_AT_ONCE = 4096
_STREAM = 1
_RANDOM_SEED = 0x10C  # not one that arenas use, or a feature would be the very play of a ``random`` that is compared


@dataclass(frozen=True)
class Features:
    """What is known of the luck of deals.

    Attributes:
        played: (deals, features) of the deals that were played, less what is expected of deals of their place in the
            pass cycle.
        error: (features, features) covariance of the error of that expectation, on average over the deals.
    """

    played: NDArray[np.float64]
    error: NDArray[np.float64]


@dataclass(frozen=True)
class Adjusted:
    """A margin after luck adjustment.

    Attributes:
        margin: mean, standard error and interval.
        removed: the share of the raw margin's variance that is gone; may be negative.
    """

    margin: Mean
    removed: float


def measure_luck(game: Game, seeds: NDArray[np.uint64], seed: int) -> Features:
    """The features of the arena's deals 0 to n - 1, which `seeds` (n,) fix, against those of fresh ones from `seed`."""
    fresh_seeds = np.random.SeedSequence([seed, _STREAM]).generate_state(FRESH_DEALS * len(seeds), np.uint64)
    cycle = pass_cycle(game)
    place = np.arange(len(seeds)) % cycle
    fresh_place = np.tile(place, FRESH_DEALS)
    raw = _play_out(game, seeds, place)
    fresh = _play_out(game, fresh_seeds.astype(np.uint64, copy=False), fresh_place)
    expected = np.array([fresh[fresh_place == one].mean(axis=0) for one in range(min(cycle, len(seeds)))])
    rest = fresh - expected[fresh_place]
    freedom = max(len(fresh) - len(expected), 1)
    return Features(raw - expected[place], rest.T @ rest / freedom / len(fresh))


def adjust(margins: NDArray[np.float64], features: Features) -> Adjusted:
    """Take out of (n,) margins what the deals' features explain.

    `features` need not explain anything: the expectation stays what it is.
    """
    n, raw = len(margins), mean_of(margins)
    fold = np.arange(n) % FOLDS
    slopes = np.array([_fit(features.played[fold != one], margins[fold != one]) for one in range(FOLDS)])
    rest = mean_of(margins - (slopes[fold] * features.played).sum(axis=1))
    slope = slopes[fold].mean(axis=0)
    variance = rest.error**2 + float(slope @ features.error @ slope)
    removed = 1 - variance / raw.error**2 if raw.error > 0 else 0.0
    return Adjusted(with_interval(rest.value, variance**0.5, n), removed)


def _fit(features: NDArray[np.float64], margins: NDArray[np.float64]) -> NDArray[np.float64]:
    """Least squares with an intercept, which is not returned."""
    columns = np.column_stack([np.ones(len(features)), features])
    return np.linalg.lstsq(columns, margins, rcond=None)[0][1:].astype(np.float64)


def _play_out(game: Game, seeds: NDArray[np.uint64], place: NDArray[np.int64]) -> NDArray[np.float64]:
    """(deals, features) of deals at places of the pass cycle."""
    chunk = max(1, _TABLES_AT_ONCE // (2 * game.seats + 1))
    parts = [slice(first, first + chunk) for first in range(0, len(seeds), chunk)]
    return np.concatenate([_features(game, seeds[part], place[part]) for part in parts])


def _features(game: Game, seeds: NDArray[np.uint64], place: NDArray[np.int64]) -> NDArray[np.float64]:
    own = np.arange(max(game.teams) + 1)[:, None] == np.array(game.teams)  # the seats of every side
    lineups = np.concatenate([np.zeros_like(own[:1]), ~own, own]).astype(np.int64)  # rule is 0, random 1
    states = np.repeat(deal_numbers(game, seeds, place), len(lineups))
    units = np.repeat(np.arange(len(seeds)), len(lineups))
    agents = [make_agent("rule"), make_agent("random")]
    agents[1].reset(_RANDOM_SEED)
    hall = Hall(game, agents, [Clock(), Clock()], states, np.tile(lineups, (len(seeds), 1)), units, False)
    sums = hall.play().reshape(len(MEASURES), len(seeds), len(lineups), game.seats)
    part = dict(zip(MEASURES, sums, strict=True))
    sides = len(own)
    margins = (part["margin"][:, 1:] * np.concatenate([own, own])).sum(axis=2) / own[0].sum()
    columns = (
        part["points"][:, 0].std(axis=1),
        part["shot"][:, 0].any(axis=1),
        margins[:, :sides].mean(axis=1),
        margins[:, sides:].mean(axis=1),
    )
    return np.column_stack(columns).astype(np.float64)
