"""Compiled loops of the arena: deal, deal again, and measure finished deals."""

from __future__ import annotations

from hearts_env.kernel.bits import INT64
from hearts_env.kernel.deduce.constraints import replay, rewind
from hearts_env.kernel.jit import jit
from hearts_env.kernel.moon import NO_MOON, group_count, shoots_with
from hearts_env.kernel.ranking import count_places
from hearts_env.kernel.records import Array, State, Tables
from hearts_env.kernel.steps import next_deal, start_match
from hearts_env.kernel.tricks import count


@jit
def deal_all(states: Array, t: Tables, seeds: Array, numbers: Array) -> None:
    """Start deal `numbers[i]` of the match that `seeds[i]` fixes in record i, with totals 0. The match ends with it."""
    for i in range(states.shape[0]):
        start_match(states[i], t, seeds[i], numbers[i], 1)


@jit
def next_all(states: Array, t: Tables, rows: Array) -> None:
    """Start the next deal in the records `rows`, whose deal is over but whose match is not."""
    for i in range(rows.shape[0]):
        s = states[rows[i]]
        s.deal_limit += 1
        next_deal(s, t)


@jit
def find_attempts(states: Array, t: Tables, scratch: Array, attempted: Array) -> None:
    """Write 1 for every seat that attempted the moon in a finished deal.

    A seat attempts the moon if, after some trick, it (or its team, where teams shoot together) has taken every moon
    card taken so far, and at least half of all moon cards.

    Args:
        states: (n,) `STATE` records at the end of a deal.
        t: the compiled rules.
        scratch: (1,) `STATE` record to work in.
        attempted: (n, seats), 0 before.
    """
    for i in range(states.shape[0]):
        if t.moon_mode != NO_MOON and t.moon_count > 0:
            scratch[0] = states[i]
            s, again = states[i], scratch[0]
            rewind(s, t, again)
            for ply in range(INT64(s.plies)):
                replay(s, t, again, ply)
                if again.trick_len == 0:
                    note_attempts(again, t, attempted[i])
            shooter = s.shooter
            for seat in range(INT64(t.seats)):
                if shooter >= 0 and shoots_with(t, seat, INT64(shooter)):
                    attempted[i, seat] = 1


@jit
def note_attempts(s: State, t: Tables, attempted: Array) -> None:
    """Write 1 for every seat that has taken all moon cards taken so far, if they are at least half of the moon."""
    taken = 0
    for seat in range(INT64(t.seats)):
        taken += count(s.taken, seat, t.moon_set, t.copies)
    if 2 * taken < t.moon_count:
        return
    for seat in range(INT64(t.seats)):
        if group_count(s, t, seat, t.moon_set) == taken:
            attempted[seat] = 1


@jit
def share_wins(states: Array, t: Tables, unit: int, shares: Array) -> None:
    """Write to `shares` (n, seats) each seat's share of the match won, as a multiple of 1 / `unit`.

    Tied winners share the win; each partner gets the share of its team.
    """
    for i in range(states.shape[0]):
        for seat in range(INT64(t.seats)):
            better, equal = count_places(states[i], t, seat)
            shares[i, seat] = INT64(unit) * INT64(t.team_size) // equal if better == 0 else 0
