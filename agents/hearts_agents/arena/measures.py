"""What is measured of a deal, seat by seat, in whole numbers: their sums are exact in whatever order they are added."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_env.compiled.game import Game
from hearts_env.kernel.records import STATE
from hearts_env.ruleset.enums import Better

MEASURES = ("deals", "points", "margin", "shot", "conceded", "attempted", "queens", "won")
"""The rows of a table of measures; `units_of` says by what each is multiplied. ``won`` is counted by matches."""
MAGNITUDE_UNIT = 1 << 20
_WON_UNIT = 27720  # `kernel.SHARES`; that module is imported where it is used, because it imports Numba


def costs_of(game: Game, points: NDArray[Any]) -> NDArray[np.int64]:
    """What points (..., 2) cost: lower is better, whatever the game, in units of 1 / `units_of`.

    Points where the highest total wins count with the other sign, Gaussian integers by what ranks them: their magnitude
    or their real part.
    """
    re, im = points[..., 0].astype(np.int64), points[..., 1].astype(np.int64)
    if game.rules.score.better is Better.MAGNITUDE:
        magnitudes: NDArray[np.int64] = np.rint(np.hypot(re, im) * MAGNITUDE_UNIT).astype(np.int64)
        return magnitudes
    higher_wins = game.rules.score.better is Better.HIGH or game.rules.score.chips is not None
    costs: NDArray[np.int64] = -re if higher_wins else re
    return costs


def units_of(game: Game) -> dict[str, int]:
    """Measure -> by what its sums are multiplied so that they are exact whole numbers; 1 for those not named."""
    size, unit = int(game.tables["team_size"]), MAGNITUDE_UNIT if game.rules.score.better is Better.MAGNITUDE else 1
    return {"points": unit, "margin": unit * size * (game.seats - size), "won": _WON_UNIT}


def measure_deals(game: Game, ends: NDArray[Any]) -> NDArray[np.int64]:
    """The measures of finished deals.

    Args:
        game: the compiled rules.
        ends: (n,) `STATE` records, each at the end of a deal.

    Returns:
        (measures, n, seats), in the order of `MEASURES`; ``won`` is 0.
    """
    from hearts_agents.arena.kernel import count_cards, find_attempts

    n, seats = len(ends), game.seats
    found = np.zeros((len(MEASURES), n, seats), np.int64)
    part = dict(zip(MEASURES, found, strict=True))
    team = np.array(game.teams)
    mates = team[:, None] == team
    shooter = ends["shooter"].astype(np.int64)
    part["deals"][:] = 1
    part["points"][:] = costs_of(game, ends["scored"][:, :seats])
    part["margin"][:] = _margins(part["points"], mates)
    part["shot"][:] = (shooter >= 0)[:, None] & mates[shooter]
    part["conceded"][:] = (shooter >= 0)[:, None] & ~mates[shooter]
    find_attempts(ends, game.tables, np.zeros(1, STATE), part["attempted"])
    part["attempted"][:] = part["attempted"] @ mates > 0
    if "QS" in game.deck.kinds:
        count_cards(ends, game.tables, np.uint64(game.mask(["QS"])), part["queens"])
    return found


def _margins(costs: NDArray[np.int64], mates: NDArray[np.bool_]) -> NDArray[np.int64]:
    """A team's mean minus that of its opponents, times the sizes of both."""
    size = int(mates[0].sum())
    own = costs @ mates.astype(np.int64)
    rest = costs.sum(axis=1, keepdims=True) - own
    margins: NDArray[np.int64] = (len(mates) - size) * own - size * rest
    return margins


def share_matches(game: Game, ends: NDArray[Any]) -> NDArray[np.int64]:
    """Who won finished matches, (n, seats): shares in units of 1 / `units_of`."""
    from hearts_agents.arena.kernel import share_wins

    shares = np.zeros((len(ends), game.seats), np.int64)
    share_wins(ends, game.tables, shares)
    return shares
