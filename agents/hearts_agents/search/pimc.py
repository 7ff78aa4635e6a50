"""Perfect-information Monte Carlo (PIMC): every action is tried in the same worlds, each played to its end.

Ginsberg (2001) used it for bridge; Long et al. (2010) describe when it works. All actions meet the same worlds with the
same random words (common random numbers), so that most of the luck cancels in their differences.
"""

from __future__ import annotations

import numpy as np

from hearts_agents.search.determinization import draw_worlds, weigh_worlds
from hearts_agents.search.endgame import play_out
from hearts_agents.search.players import seat_players
from hearts_agents.search.rollout import first_action, margin_of
from hearts_agents.search.root import action_without_search, begin
from hearts_agents.search.workspace import (
    DIFFERENCE,
    DIFFERENCE_SQUARE,
    MARGIN,
    MARGIN_SQUARE,
    TRIAL,
    WEIGHT,
    WEIGHT_SQUARE,
    WORLDS,
    SearchWorkspace,
)
from hearts_env.kernel.bits import INT64, ONE, bit, lowest, mix
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import legal
from hearts_env.kernel.records import Array, Mask, State, Tables
from hearts_env.kernel.steps import step

VALUE, ERROR, TRIED = range(3)
"""Columns of what `search_all` finds."""
BLOCK = 16
"""Number of worlds after which actions that are clearly worse are dropped."""
CLEARLY_WORSE = 3.0
"""Standard errors by which they are."""


@jit
def search_all(
    views: Array,
    t: Tables,
    words: Array,
    ws: SearchWorkspace,
    worlds: Array,
    weights: Array,
    actions: Array,
    found: Array,
) -> None:
    """Write the best action of every view and, where it is searched, the values of all legal actions.

    There are `len(worlds)` worlds; `weights` has one entry per world. `found` (n, actions, 3) keeps what it holds where
    nothing is searched; its columns are `VALUE`, `ERROR` and `TRIED`.
    """
    for i in range(views.shape[0]):
        actions[i] = action_without_search(views[i], t, ws)
        if actions[i] >= 0:
            continue
        if begin(views[i], t, ws, words[i]):
            try_all(views[i], t, ws, worlds, weights)
            value_actions(views[i], t, ws, found[i])
        actions[i] = best_action(views[i], t, ws)


@jit
def value_actions(view: State, t: Tables, ws: SearchWorkspace, found: Array) -> None:
    """Write the value of every legal action, the error of its difference to the default action, and its worlds.

    The value is the mean margin of the default action plus the mean difference to it, so that actions dropped early are
    compared in the same worlds.
    """
    base = ws.sums[ws.default_action, MARGIN] / ws.sums[ws.default_action, WEIGHT]
    left = legal(view, t)
    while left:
        action = lowest(left) + first_action(view, t)
        left &= left - ONE
        mean, error = mean_difference(ws, action)
        found[action, VALUE], found[action, ERROR] = base + mean, error
        found[action, TRIED] = ws.sums[action, WORLDS]


@jit
def try_all(view: State, t: Tables, ws: SearchWorkspace, worlds: Array, weights: Array) -> None:
    """Try the actions in the next `len(worlds)` worlds, adding to `sums`."""
    draw_worlds(view, t, ws, worlds)
    weigh_worlds(view, t, ws, worlds, weights)
    alive = legal(view, t) & ~bit(ws.default_action - first_action(view, t))
    for place in range(worlds.shape[0]):
        if place % BLOCK == 0 and place:
            alive = drop_worse(view, t, ws, alive)
            if not alive:
                break
        rng = mix(ws.word ^ np.uint64(ws.tried + place))
        seat_players(view, t, ws, ws.tried + place)
        try_world(view, t, ws, worlds[place], weights[place], alive, rng)
    ws.tried += worlds.shape[0]


@jit
def try_world(view: State, t: Tables, ws: SearchWorkspace, world: State, weight: float, alive: Mask, rng: Mask) -> None:
    base = outcome(view, t, ws, world, ws.default_action, rng)
    add_outcome(ws, ws.default_action, weight, base, 0.0)
    while alive:
        action = lowest(alive) + first_action(view, t)
        alive &= alive - ONE
        margin = outcome(view, t, ws, world, action, rng)
        add_outcome(ws, action, weight, margin, margin - base)


@jit
def add_outcome(ws: SearchWorkspace, action: int, weight: float, margin: float, difference: float) -> None:
    ws.sums[action, MARGIN] += weight * margin
    ws.sums[action, DIFFERENCE] += weight * difference
    ws.sums[action, DIFFERENCE_SQUARE] += weight * difference**2
    ws.sums[action, MARGIN_SQUARE] += weight * margin * margin
    ws.sums[action, WEIGHT] += weight
    ws.sums[action, WEIGHT_SQUARE] += weight * weight
    ws.sums[action, WORLDS] += 1.0


@jit
def outcome(view: State, t: Tables, ws: SearchWorkspace, world: State, action: int, rng: Mask) -> float:
    """The margin of the seat to act after an action in a world."""
    ws.states[TRIAL] = world
    step(ws.states[TRIAL], t, action)
    play_out(ws.states[TRIAL], t, view.totals, ws, rng)
    return margin_of(t, INT64(view.seat), ws.costs)


@jit
def mean_difference(ws: SearchWorkspace, action: int) -> tuple[float, float]:
    """The mean difference of an action's margin to that of the default action, and its standard error."""
    return mean_and_error(ws, action, DIFFERENCE, DIFFERENCE_SQUARE)


@jit
def mean_and_error(ws: SearchWorkspace, action: int, total: int, square: int) -> tuple[float, float]:
    """The mean of a column of an action's sums and its standard error; `square` is the column of the squares.

    Weighted worlds count as (sum of weights)² / (sum of squared weights) worlds: the effective sample size of Kish
    (1965).
    """
    weight = ws.sums[action, WEIGHT]
    mean = ws.sums[action, total] / weight
    variance = max(ws.sums[action, square] / weight - mean * mean, 0.0)
    worlds = weight * weight / ws.sums[action, WEIGHT_SQUARE]
    return mean, np.sqrt(variance / max(worlds - 1.0, 1.0))


@jit
def drop_worse(view: State, t: Tables, ws: SearchWorkspace, alive: Mask) -> Mask:
    """Drop the actions that are clearly worse than the best so far."""
    least, left = 0.0, alive
    while left:
        least = min(least, mean_difference(ws, lowest(left) + first_action(view, t))[0])
        left &= left - ONE
    left = alive
    while left:
        place = lowest(left)
        left &= left - ONE
        mean, error = mean_difference(ws, place + first_action(view, t))
        if mean - least > CLEARLY_WORSE * error:
            alive &= ~bit(place)
    return alive


@jit
def best_action(view: State, t: Tables, ws: SearchWorkspace) -> int:
    """The action of least margin among those that beat the default action by more than `min_z` standard errors."""
    best, least = INT64(ws.default_action), 0.0
    if ws.sums[best, WEIGHT] <= 0.0:
        return best
    left = legal(view, t) & ~bit(best - first_action(view, t))
    while left:
        action = lowest(left) + first_action(view, t)
        left &= left - ONE
        mean, error = mean_difference(ws, action)
        if mean < least and mean + ws.min_z * error < -1e-9:
            best, least = action, mean
    return best
