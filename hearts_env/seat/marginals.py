"""Beliefs about hidden cards: the exact marginals of the uniform posterior."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_env.compiled.game import Game
from hearts_env.kernel.records import STATE
from hearts_env.seat.scratch import scratch_records
from hearts_env.seat.view import View, Views


def marginals(views: Views) -> NDArray[np.float64]:
    """Expected number of copies of each kind that each seat holds, as the seat to act must believe if each deal of the
    hidden cards that agrees with its view is equally likely (`he.sample_worlds` draws from the same distribution).

    With one pack these are probabilities. They are counted, not drawn, and exact to rounding. Only where rules bind
    several hidden cards at once, such as protected cards in the pass, they are the mean over 4,096 worlds (standard
    error at most 0.008); the draws are seeded by the place in the batch.

    >>> import hearts_env as he
    >>> match = he.Match("black_lady(passing.cycle=[hold])", seed=7)
    >>> belief = he.marginals(he.Views.of(match.view(match.seat)))
    >>> belief.shape, belief[0].sum(axis=1).round(6).tolist()  # 13 cards each
    ((1, 4, 52), [13.0, 13.0, 13.0, 13.0])

    Args:
        views: n views; before play the cards that a seat has picked to pass count as its own.

    Returns:
        (n, seats, kinds), by absolute seat and in the order of the kinds. What is missing from the number of copies in
        play lies in the kitty.

    Raises:
        ValueError: no deal agrees with a view.
    """
    return _marginals(views.game, views.records, views.records["seat"].astype(np.int64))


def marginals_of(view: View) -> NDArray[np.float64]:
    """(seats, kinds) the same for the seat of one view, whoever is to act. Raises ValueError as `marginals`."""
    found: NDArray[np.float64] = _marginals(view.game, np.array([view.record]), np.array([view.seat]))[0]
    return found


def _marginals(game: Game, records: NDArray[Any], seats: NDArray[np.int64]) -> NDArray[np.float64]:
    from hearts_env.kernel.deduce.marginals import marginals_all

    hidden, scratch = scratch_records()
    out, world = np.zeros((len(records), game.seats, len(game.deck.kinds))), np.zeros(1, STATE)
    seeds = np.arange(1, len(records) + 1, dtype=np.uint64)
    bad = marginals_all(records, game.tables, seats, seeds, hidden[0], scratch[0], world, out)
    if bad >= 0:
        raise ValueError(f"no deal agrees with views[{bad}]: its cards played, voids and hands contradict each other")
    return out
