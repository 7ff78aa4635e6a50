"""Flat sampling search: every action is tried in the same worlds, each of them played to its end."""

from __future__ import annotations

import numpy as np

from hearts_agents.rule.choose import choose
from hearts_agents.search.endgame import play_out
from hearts_agents.search.rollout import first_action, is_blind, margin_of
from hearts_agents.search.workspace import TRIAL, Bench, draw_worlds, weigh
from hearts_env.kernel.bits import INT64, ONE, bit, lowest, mix
from hearts_env.kernel.deduce.counting import prepare
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import legal
from hearts_env.kernel.records import Array, Mask, Phase, State, Tables
from hearts_env.kernel.steps import step

PASS, MOON, EXACT, OVER = Phase.PASS.value, Phase.MOON.value, Phase.EXACT.value, Phase.OVER.value
BLOCK = 16
"""Worlds after which actions that are clearly worse are given up."""
CLEAR = 3.0
"""Standard errors by which they are."""


@jit
def search_all(
    views: Array, t: Tables, words: Array, b: Bench, states: Array, worlds: Array, weights: Array, actions: Array
) -> None:
    """Write the best action of every view, from as many worlds as there is room for."""
    for i in range(views.shape[0]):
        if views[i].phase == OVER:
            continue
        if views[i].phase == MOON or views[i].phase == EXACT:  # nothing is hidden, and much depends on the match
            actions[i] = choose(views[i], t, b.mind)
            continue
        usual = first_guess(views[i], t, b)
        if is_left_to_policy(views[i], t, b):
            actions[i] = usual
            continue
        clear_sums(b)
        if prepare(views[i], t, INT64(views[i].seat), b.hidden, states[1]):
            try_all(views[i], t, words[i], 0, usual, b, states, worlds, weights)
        actions[i] = best_action(views[i], t, b, usual)


@jit
def first_guess(view: State, t: Tables, b: Bench) -> int:
    """What the policy would do."""
    options = legal(view, t)
    if options & (options - ONE) == 0:
        return lowest(options) + first_action(view, t)
    return lowest(options) + first_action(view, t) if is_blind(b.slips) else choose(view, t, b.mind)


@jit
def is_left_to_policy(view: State, t: Tables, b: Bench) -> bool:
    """Whether there is nothing to search: one legal action, or a pass that is not to be searched."""
    options = legal(view, t)
    replaces = view.phase == PASS and view.refuser >= 0
    return options & (options - ONE) == 0 or replaces or (view.phase == PASS and not b.searches_pass)


@jit
def clear_sums(b: Bench) -> None:
    """Forget the worlds tried so far."""
    b.sums[:] = 0.0
    if b.exact:
        b.keys[:] = 0  # what the end of a deal is worth may depend on the totals, which another view has others of
    b.weight, b.squares, b.fewest = 0.0, 0.0, -1


@jit
def try_all(
    view: State, t: Tables, word: Mask, first: int, usual: int, b: Bench, states: Array, worlds: Array, weights: Array
) -> None:
    """Try the actions in worlds number `first` and following, as many as there is room for, adding to `sums`."""
    draw_worlds(view, t, word, first, b, states, worlds)
    weigh(view, t, b, states, worlds, weights)
    alive = legal(view, t) & ~bit(usual - first_action(view, t))
    for place in range(worlds.shape[0]):
        if place % BLOCK == 0 and place:
            alive = hopeful(view, t, b, alive)
            if not alive:
                break
        try_world(view, t, mix(word ^ np.uint64(first + place)), usual, alive, b, states, worlds[place], weights[place])


@jit
def try_world(
    view: State, t: Tables, rng: Mask, usual: int, alive: Mask, b: Bench, states: Array, world: State, weight: float
) -> None:
    """Try the policy's own action and those `alive` in one world."""
    base = outcome(view, t, rng, usual, b, states, world)
    b.sums[usual, 0] += weight * base
    b.sums[usual, 3] += weight * base * base
    b.sums[usual, 4] += weight
    b.weight += weight
    b.squares += weight * weight
    while alive:
        action = lowest(alive) + first_action(view, t)
        alive &= alive - ONE
        value = outcome(view, t, rng, action, b, states, world)
        b.sums[action, 0] += weight * value
        b.sums[action, 1] += weight * (value - base)
        b.sums[action, 2] += weight * (value - base) ** 2
        b.sums[action, 3] += weight * value * value
        b.sums[action, 4] += weight


@jit
def outcome(view: State, t: Tables, rng: Mask, action: int, b: Bench, states: Array, world: State) -> float:
    """The margin of the seat to act after an action in a world."""
    states[TRIAL] = world
    step(states[TRIAL], t, action)
    play_out(states[TRIAL], t, view.totals, b, states, rng)
    return margin_of(t, INT64(view.seat), b.costs)


@jit
def difference(b: Bench, action: int) -> tuple[float, float]:
    """How far an action's margin lies above that of the policy's own, and the standard error of that."""
    mean = b.sums[action, 1] / b.sums[action, 4]
    spread = max(b.sums[action, 2] / b.sums[action, 4] - mean * mean, 0.0)
    worlds = b.weight * b.weight / b.squares
    return mean, np.sqrt(spread / max(worlds - 1.0, 1.0))


@jit
def hopeful(view: State, t: Tables, b: Bench, alive: Mask) -> Mask:
    """The actions without those that are clearly worse than the best so far."""
    least, left = 0.0, alive
    while left:
        least = min(least, difference(b, lowest(left) + first_action(view, t))[0])
        left &= left - ONE
    left = alive
    while left:
        place = lowest(left)
        left &= left - ONE
        mean, error = difference(b, place + first_action(view, t))
        if mean - least > CLEAR * error:
            alive &= ~bit(place)
    return alive


@jit
def best_action(view: State, t: Tables, b: Bench, usual: int) -> int:
    """The action of least margin among those that beat the policy's own by more than `doubt` standard errors."""
    best, least = usual, 0.0
    left = legal(view, t) & ~bit(usual - first_action(view, t))
    while left and b.weight > 0.0:
        action = lowest(left) + first_action(view, t)
        left &= left - ONE
        mean, error = difference(b, action)
        if mean < least and mean + b.doubt * error < -1e-9:
            best, least = action, mean
    return best
