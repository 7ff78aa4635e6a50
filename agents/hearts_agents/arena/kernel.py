"""Compiled loops of the arena: deal, deal again, and share wins."""

from __future__ import annotations

from hearts_env.kernel.bits import INT64
from hearts_env.kernel.jit import jit
from hearts_env.kernel.ranking import count_places
from hearts_env.kernel.records import Array, Tables
from hearts_env.kernel.steps import next_deal, start_match


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
def share_wins(states: Array, t: Tables, unit: int, shares: Array) -> None:
    """Write to `shares` (n, seats) each seat's share of the match won, as a multiple of 1 / `unit`.

    Tied winners share the win; each partner gets the share of its team.
    """
    for i in range(states.shape[0]):
        for seat in range(INT64(t.seats)):
            better, equal = count_places(states[i], t, seat)
            shares[i, seat] = INT64(unit) * INT64(t.team_size) // equal if better == 0 else 0
