"""Compiled loops of `LearnerGames`: many games, in each of which one seat is the learner's.

`states` is an array of `STATE` records, `t` one `TABLES` record, `rows` the numbers of the games meant, `seats` (n,)
the learner's seat in every game.
"""

from __future__ import annotations

import numpy as np

from hearts_env.envs.rewards import rewarded_step
from hearts_env.kernel.bits import mix
from hearts_env.kernel.blocks import row_of
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import is_legal
from hearts_env.kernel.records import Array, Phase, Tables
from hearts_env.kernel.rows import write_mask, write_row
from hearts_env.kernel.steps import start_match

OVER = Phase.OVER.value


@jit
def find_illegal(states: Array, t: Tables, rows: Array, actions: Array, illegal: Array) -> bool:
    """Write to `illegal` (k,) which of the actions, one for each of `rows`, are; returns whether any is."""
    found = False
    for i in range(rows.shape[0]):
        illegal[i] = actions[i] < 0 or not is_legal(states[rows[i]], t, actions[i])
        found = found or illegal[i]
    return found


@jit
def credited_step(
    states: Array, t: Tables, rows: Array, actions: Array, episodes: Array, seats: Array, rewards: Array, earned: Array
) -> None:
    """Take legal actions, one for each of `rows`, and add what the learner's seat is paid to `earned` (n,).

    `episodes` holds one `EPISODE` record; `rewards` (seats, 1) is memory to work in.
    """
    for i in range(rows.shape[0]):
        row = rows[i]
        rewarded_step(states[row], t, actions[i], episodes[0], row_of(rewards, 0))
        earned[row] += rewards[seats[row], 0]


@jit
def keep_waiting(states: Array, seats: Array, rows: Array) -> int:
    """Move those of `rows` in which another seat than the learner's is to act to the front; returns their number."""
    kept = 0
    for i in range(rows.shape[0]):
        s = states[rows[i]]
        if s.phase != OVER and s.seat != seats[rows[i]]:
            rows[kept] = rows[i]
            kept += 1
    return kept


@jit
def start_next(states: Array, t: Tables, rows: Array, episodes: Array) -> None:
    """Start the episode that follows in each of `rows`, as autoreset does in `VectorEnv`."""
    for i in range(rows.shape[0]):
        s = states[rows[i]]
        start_match(s, t, mix(s.seed), episodes[0].first_deal, episodes[0].deals)


@jit
def encode_learners(
    states: Array, t: Tables, rows: Array, seats: Array, over: Array, observations: Array, masks: Array
) -> None:
    """Write the learner's observation and mask of each of `rows`; where `over` (n,) is set, every action is allowed."""
    for i in range(rows.shape[0]):
        row = rows[i]
        write_row(states[row], t, seats[row], row_of(observations, row))
        if over[row]:
            for action in range(masks.shape[1]):
                masks[row, action] = np.int8(1)
        else:
            write_mask(states[row], t, seats[row], row_of(masks, row))
