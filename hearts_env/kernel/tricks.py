"""Tricks: who wins, and what the table learns."""

from __future__ import annotations

import numpy as np

from hearts_env.kernel.bits import bit, highest
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import NOBODY, Array, Tables

_NOBODY = NOBODY


@jit
def winning_place(t: Tables, trick: Array, length: int) -> int:
    """Place in play order of the card that wins a trick: the highest of the led suit; -1 if no card can win."""
    if length == 0:
        return _NOBODY
    seen = np.uint64(0)
    for place in range(length):
        seen |= bit(trick[place])
    live = seen & t.suit_mask[t.suit_of[trick[0]]]
    top = highest(live)
    for place in range(length):
        if trick[place] == top:
            return place
    return _NOBODY


@jit
def add_card(sets: Array, seat: int, kind: int) -> None:
    """Put a copy of a kind into a seat's two-plane set."""
    card = bit(kind)
    sets[seat, 1] |= sets[seat, 0] & card
    sets[seat, 0] |= card


@jit
def remove_card(sets: Array, seat: int, kind: int) -> None:
    """Take a copy of a kind that is there out of a seat's two-plane set."""
    card = bit(kind)
    if sets[seat, 1] & card:
        sets[seat, 1] &= ~card
    else:
        sets[seat, 0] &= ~card
