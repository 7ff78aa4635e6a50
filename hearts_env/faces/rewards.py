"""Rewards, and the compiled steps of the faces: the one place where points become rewards.

A seat's *standing* is what it would have to its account if play stopped; rewards are changes of it, so that those of an
episode sum to the same whenever they are paid.
"""

from __future__ import annotations

import numpy as np

from hearts_env.kernel.bits import mix
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import is_legal
from hearts_env.kernel.observe import encode, encode_mask
from hearts_env.kernel.records import Array, Phase, State, Tables
from hearts_env.kernel.steps import start_match, step

PLAY, EXACT, OVER = Phase.PLAY.value, Phase.EXACT.value, Phase.OVER.value
POINTS, RELATIVE, RANK, WIN = range(4)


@jit
def standing(s: State, t: Tables, seat: int, by_trick: bool) -> int:
    """What a seat would have to its account if play stopped here: its total, with the points of the running deal if
    `by_trick`.
    """
    running = by_trick and s.phase < EXACT
    return s.totals[seat, 0] + (s.points[seat, 0] if running else 0)


@jit
def add_standings(s: State, t: Tables, by_trick: bool, relative: bool, sign: int, rewards: Array) -> None:
    """Add `sign` times every seat's standing, as a reward (fewer points are better), to `rewards`."""
    n = t.seats
    total = 0
    for seat in range(n):
        total += standing(s, t, seat, by_trick)
    for seat in range(n):
        own = standing(s, t, seat, by_trick)
        worth = (total - own) / (n - 1) - own if relative else -own
        rewards[seat] += np.float32(sign * worth)


@jit
def final_rewards(s: State, t: Tables, kind: int, rewards: Array) -> None:
    """Write the rewards RANK (1 for the best place to -1 for the last, shared places averaged) or WIN (1, shared by
    winners).
    """
    n = t.seats
    for seat in range(n):
        better, equal = 0, 0
        for other in range(n):
            better += s.totals[other, 0] < s.totals[seat, 0]
            equal += s.totals[other, 0] == s.totals[seat, 0]
        if kind == RANK:
            rewards[seat] = np.float32(1 - (2 * better + equal - 1) / (n - 1))
        else:
            rewards[seat] = np.float32(1 / equal if better == 0 else 0)


@jit
def rewarded_step(s: State, t: Tables, action: int, kind: int, by_trick: bool, rewards: Array) -> None:
    """Take a legal action and write every seat's reward for it."""
    for seat in range(t.seats):
        rewards[seat] = np.float32(0)
    if kind == RANK or kind == WIN:
        step(s, t, action)
        if s.phase == OVER:
            final_rewards(s, t, kind, rewards)
        return
    if s.trick_len < t.seats - 1 and s.phase <= PLAY:  # nothing is scored before the end of a trick
        step(s, t, action)
        return
    add_standings(s, t, by_trick, kind == RELATIVE, -1, rewards)
    step(s, t, action)
    add_standings(s, t, by_trick, kind == RELATIVE, 1, rewards)


@jit
def checked_step(
    states: Array, table: Array, action: int, kind: int, by_trick: bool, rewards: Array, observation: Array, mask: Array
) -> bool:
    """One step of the only record of `states`. Returns False, with nothing changed, if the action is illegal."""
    s, t = states[0], table[0]
    if not is_legal(s, t, action):
        return False
    rewarded_step(s, t, action, kind, by_trick, rewards)
    encode(s, t, max(s.seat, 0), observation)
    encode_mask(s, t, s.seat, mask)
    return True


@jit
def vector_step(
    states: Array,
    t: Tables,
    actions: Array,
    kind: int,
    by_trick: bool,
    autoreset: bool,
    rewards: Array,
    terminated: Array,
    finals: Array,
    observations: Array,
    masks: Array,
) -> None:
    """One step of every environment: rewards, ends, restarts, and what the next seat sees.

    `rewards` (n, seats), `terminated` (n,), `finals` (n,) keeps the last record of a match that ended in this step.
    """
    for i in range(states.shape[0]):
        s = states[i]
        terminated[i] = False
        if s.phase == OVER:
            for seat in range(t.seats):
                rewards[i, seat] = np.float32(0)
            continue
        rewarded_step(s, t, actions[i], kind, by_trick, rewards[i])
        if s.phase == OVER:
            terminated[i] = True
            finals[i] = s
            if autoreset:
                start_match(s, t, mix(s.seed), s.deal_limit)
        encode(s, t, max(s.seat, 0), observations[i])
        encode_mask(s, t, s.seat, masks[i])
