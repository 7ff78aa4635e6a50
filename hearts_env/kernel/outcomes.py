"""Measures of deals and matches as they end: who attempted the moon, and the places."""

from __future__ import annotations

from hearts_env.kernel.bits import INT64
from hearts_env.kernel.deduce.constraints import replay, rewind
from hearts_env.kernel.jit import jit
from hearts_env.kernel.moon import NO_MOON, group_count, shoots_with
from hearts_env.kernel.ranking import count_places
from hearts_env.kernel.records import Array, State, Tables
from hearts_env.kernel.tricks import count


@jit
def find_attempts(states: Array, table: Array, scratch: Array, attempted: Array) -> None:
    """Write 1 for every seat that has attempted the moon in a deal.

    A seat attempts the moon if, after some trick, it (or its team, where teams shoot together) has taken every moon
    card taken so far, and at least half of all moon cards.

    Args:
        states: (n,) `STATE` records.
        table: (1,) the compiled rules.
        scratch: (1,) `STATE` record to work in.
        attempted: (n, seats), 0 before.
    """
    for i in range(states.shape[0]):
        replay_attempts(states[i], table[0], scratch, attempted[i])


@jit
def replay_attempts(s: State, t: Tables, scratch: Array, attempted: Array) -> None:
    """`find_attempts` in one deal."""
    if t.moon_mode == NO_MOON or t.moon_count == 0:
        return
    scratch[0] = s
    again = scratch[0]
    rewind(s, t, again)
    for ply in range(INT64(s.plies)):
        replay(s, t, again, ply)
        if again.trick_len == 0 and not note_attempts(again, t, attempted):
            break
    shooter = s.shooter
    for seat in range(INT64(t.seats)):
        if shooter >= 0 and shoots_with(t, seat, INT64(shooter)):
            attempted[seat] = 1


@jit
def note_attempts(s: State, t: Tables, attempted: Array) -> bool:
    """Write 1 for every seat that has taken all moon cards taken so far, if they are at least half of the moon. Returns
    False once nobody has all of them, nor ever will.
    """
    taken, alone = 0, False
    for seat in range(INT64(t.seats)):
        taken += count(s.taken, seat, t.moon_set, t.copies)
    for seat in range(INT64(t.seats)):
        if group_count(s, t, seat, t.moon_set) == taken:
            alone = True
            if 2 * taken >= t.moon_count:
                attempted[seat] = 1
    return alone


@jit
def find_places(states: Array, table: Array, places: Array) -> None:
    """Write the place of every seat to `places` (n, seats): 1 is the best, and seats that share a place share the
    better number.
    """
    t = table[0]
    for i in range(states.shape[0]):
        for seat in range(INT64(t.seats)):
            places[i, seat] = 1 + count_places(states[i], t, seat)[0]
