"""Looks at games before and after a step: what has been taken and scored in the deal, the end of a deal included."""

from __future__ import annotations

import numpy as np

from hearts_env.kernel.bits import INT64, bit
from hearts_env.kernel.jit import jit
from hearts_env.kernel.moon import NO_MOON
from hearts_env.kernel.outcomes import note_attempts, replay_attempts
from hearts_env.kernel.records import Array, Phase, State, Tables
from hearts_env.kernel.steps import next_deal, step
from hearts_env.kernel.tricks import count
from hearts_env.ruleset.limits import KINDS, SEATS

LOOK = np.dtype(
    [
        ("seed", "u8"),
        ("deal_number", "i4"),
        ("points", "i4", (SEATS, 2)),
        ("plies", "i2"),
        ("phase", "i1"),
        ("shooter", "i1"),
        ("ended", "i1"),  # 1 if the match, or the deal that it was to end with, is over
        ("tricks", "u1", SEATS),
        ("attempted", "i1", SEATS),
        ("taken", "u1", (SEATS, KINDS)),  # copies of each kind
    ],
    align=True,
)
"""A look at one game, of one deal."""
Look = Array
OVER = Phase.OVER.value


@jit
def look(s: State, t: Tables, out: Look) -> None:
    """Write all of a look except `attempted`."""
    out.seed, out.deal_number, out.plies = s.seed, s.deal_number, s.plies
    out.phase, out.shooter, out.ended = s.phase, s.shooter, INT64(s.phase == OVER)
    for seat in range(INT64(t.seats)):
        out.points[seat, 0], out.points[seat, 1] = s.points[seat, 0], s.points[seat, 1]
        out.tricks[seat] = s.tricks_won[seat]
        for kind in range(INT64(t.kinds)):
            out.taken[seat, kind] = count(s.taken, seat, bit(kind), t.copies)


@jit
def look_again(s: State, t: Tables, scratch: Array, out: Look) -> None:
    """Write a look at a game that was not followed up to here."""
    look(s, t, out)
    for seat in range(SEATS):
        out.attempted[seat] = 0
    replay_attempts(s, t, scratch, out.attempted)


@jit
def refresh(states: Array, tables: Array, games: Array, scratch: Array, looks: Array) -> None:
    """Look again at every game that is not where it was when it was last looked at: dealt anew, reset or restored."""
    for i in range(states.shape[0]):
        s, seen = states[i], looks[i]
        same_deal = seen.seed == s.seed and seen.deal_number == s.deal_number
        if not same_deal or seen.plies != s.plies or seen.phase != s.phase:
            look_again(s, tables[games[i]], scratch, seen)


@jit
def play_to_end_of_deal(
    states: Array, tables: Array, games: Array, rows: Array, actions: Array, scratch: Array, closed: Array, after: Array
) -> None:
    """Take legal actions, one for each of `rows`; where a deal ends, write the look at it to `after` (n,) and set
    `closed` (n,) before the next one is dealt.
    """
    for i in range(rows.shape[0]):
        row = rows[i]
        s, t = states[row], tables[games[row]]
        if s.phase == OVER:
            continue
        limit = INT64(s.deal_limit)
        s.deal_limit = s.deal_number + 1
        step(s, t, actions[i])
        s.deal_limit = limit
        if s.phase == OVER:
            look_again(s, t, scratch, after[row])
            closed[row] = True
            if not s.finished and s.deal_number + 1 != limit:
                after[row].ended = 0
                next_deal(s, t)


@jit
def look_on(
    states: Array, tables: Array, games: Array, scratch: Array, closed: Array, before: Array, after: Array
) -> None:
    """Look at all games whose deal has not just ended; `before` (n,) are looks at them a trick ago at most."""
    for i in range(states.shape[0]):
        if closed[i]:
            continue
        s, t, seen, out = states[i], tables[games[i]], before[i], after[i]
        if seen.seed != s.seed or seen.deal_number != s.deal_number:
            look_again(s, t, scratch, out)
            continue
        look(s, t, out)
        for seat in range(SEATS):
            out.attempted[seat] = seen.attempted[seat]
        if t.moon_mode != NO_MOON and t.moon_count > 0:
            note_attempts(s, t, out.attempted)
