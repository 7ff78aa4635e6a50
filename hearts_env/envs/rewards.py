"""Rewards, and the compiled steps of the faces: the one place where points become rewards.

A seat's *standing* is what it would have to its account if play stopped; rewards are changes of it, so that those of an
episode sum to the same whenever they are paid.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_env.kernel.bits import mix
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import is_legal
from hearts_env.kernel.observe import encode, encode_mask
from hearts_env.kernel.ranking import HIGH, MAGNITUDE, count_places
from hearts_env.kernel.records import Array, Phase, State, Tables
from hearts_env.kernel.steps import start_match, step

PAY = np.dtype([("reward", "i1"), ("by_trick", "i1"), ("by_team", "i1")])
"""How rewards are paid: the code of the reward, after every trick or every deal, to the team or the seat."""

Pay = Any
"""A `PAY` record."""

PLAY, EXACT, OVER = Phase.PLAY.value, Phase.EXACT.value, Phase.OVER.value
POINTS, RELATIVE, RANK, WIN, VECTOR = range(5)


@jit
def account(s: State, t: Tables, seat: int, by_trick: bool, part: int) -> int:
    """A part of what a seat would have to its account if play stopped here: its total, with the points of the running
    deal if `by_trick`.
    """
    running = by_trick and s.phase < EXACT and not t.score_chips
    return s.totals[seat, part] + (s.points[seat, part] if running else 0)


@jit
def standing(s: State, t: Tables, seat: int, by_trick: bool) -> float:
    """A seat's account as one number, higher is better."""
    re = account(s, t, seat, by_trick, 0)
    if t.score_better == MAGNITUDE:
        im = account(s, t, seat, by_trick, 1)
        return -np.sqrt(np.float64(re * re + im * im))
    return np.float64(re if t.score_better == HIGH or t.score_chips else -re)


@jit
def add_standings(s: State, t: Tables, pay: Pay, sign: int, rewards: Array) -> None:
    """Add `sign` times every seat's standing to `rewards` (seats, parts)."""
    n = t.seats
    for seat in range(n):
        if pay.reward == VECTOR:
            rewards[seat, 0] += np.float32(sign * account(s, t, seat, pay.by_trick, 0))
            rewards[seat, 1] += np.float32(sign * account(s, t, seat, pay.by_trick, 1))
            continue
        worth = 0.0
        for other in range(n):
            mate = t.team[other] == t.team[seat]
            if other == seat or (mate and pay.by_team):
                worth += standing(s, t, other, pay.by_trick)
            elif pay.reward == RELATIVE and not mate:
                others = n - t.team_size
                worth -= standing(s, t, other, pay.by_trick) * (t.team_size if pay.by_team else 1) / others
        rewards[seat, 0] += np.float32(sign * worth)


@jit
def final_rewards(s: State, t: Tables, kind: int, rewards: Array) -> None:
    """Write the rewards RANK (1 for the best place to -1 for the last, shared places averaged) or WIN (1, shared by
    winners).
    """
    n = t.seats
    for seat in range(n):
        better, equal = count_places(s, t, seat)
        if kind == RANK:
            rewards[seat, 0] = np.float32(1 - (2 * better + equal - 1) / (n - 1))
        else:
            rewards[seat, 0] = np.float32(1 / equal if better == 0 else 0)


@jit
def rewarded_step(s: State, t: Tables, action: int, pay: Pay, rewards: Array) -> None:
    """Take a legal action and write every seat's reward for it, `rewards` (seats, parts)."""
    for seat in range(t.seats):
        for part in range(rewards.shape[1]):
            rewards[seat, part] = np.float32(0)
    if pay.reward == RANK or pay.reward == WIN:
        step(s, t, action)
        if s.phase == OVER:
            final_rewards(s, t, pay.reward, rewards)
        return
    # nothing is scored before the last card of a trick
    if s.phase <= PLAY and s.trick_len != t.seats - 1 and s.trick_len != 2 * t.seats - 1:
        step(s, t, action)
        return
    add_standings(s, t, pay, -1, rewards)
    step(s, t, action)
    add_standings(s, t, pay, 1, rewards)


@jit
def checked_step(
    states: Array, table: Array, action: int, pays: Array, rewards: Array, observation: Array, mask: Array
) -> bool:
    """One step of the only record of `states`. Returns False, with nothing changed, if the action is illegal."""
    s, t = states[0], table[0]
    if not is_legal(s, t, action):
        return False
    rewarded_step(s, t, action, pays[0], rewards)
    encode(s, t, max(s.seat, 0), observation)
    encode_mask(s, t, s.seat, mask)
    return True


@jit
def vector_step(
    states: Array,
    t: Tables,
    actions: Array,
    pays: Array,
    autoreset: bool,
    rewards: Array,
    terminated: Array,
    finals: Array,
    observations: Array,
    masks: Array,
) -> None:
    """One step of every environment: rewards, ends, restarts, and what the next seat sees.

    `pays` holds one `PAY` record; `rewards` (n, seats, parts), `terminated` (n,), `finals` (n,) keeps the last record
    of a match that ended in this step.
    """
    for i in range(states.shape[0]):
        s = states[i]
        terminated[i] = False
        if s.phase == OVER:
            for seat in range(t.seats):
                for part in range(rewards.shape[2]):
                    rewards[i, seat, part] = np.float32(0)
            continue
        rewarded_step(s, t, actions[i], pays[0], rewards[i])
        if s.phase == OVER:
            terminated[i] = True
            finals[i] = s
            if autoreset:
                start_match(s, t, mix(s.seed), s.deal_limit)
        encode(s, t, max(s.seat, 0), observations[i])
        encode_mask(s, t, s.seat, masks[i])
