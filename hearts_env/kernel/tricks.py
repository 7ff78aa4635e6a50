"""Tricks: their winners, and operations on sets of cards."""

from __future__ import annotations

import numpy as np

from hearts_env.kernel.bits import bit, highest, popcount
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import JOKER_SUIT, NOBODY, Array, Mask, Tables
from hearts_env.ruleset.enums import DeadTrick
from hearts_env.ruleset.limits import PLANES

TWO_PAIRS = DeadTrick.TWO_PAIRS.code
NONE = np.uint64(0)


@jit
def winning_place(t: Tables, trick: Array, length: int, led_suit: int) -> int:
    """Place in play order of the card that wins a trick, or -1 for a dead trick.

    `led_suit` is the suit to follow, `JOKER_SUIT` if only jokers were played.
    """
    if t.plain_trick:
        seen = NONE
        for place in range(length):
            seen |= bit(trick[place])
        top = highest(seen & t.suit_mask[led_suit])
        for place in range(length):
            if trick[place] == top:
                return place
    return winner_of_many(t, trick, length, led_suit)


@jit
def winner_of_many(t: Tables, trick: Array, length: int, led_suit: int) -> int:
    """`winning_place` in a game with identical cards or jokers."""
    seen, again = seen_twice(trick, length)
    live = seen & t.suit_mask[led_suit]
    if led_suit == JOKER_SUIT:
        return 0
    # trick.duplicates, trick.exceptions: identical cards cancel each other
    dead = again & t.cancels
    # trick.dead_trick: two_pairs: two cancelled pairs make a trick dead
    if t.trick_dead_trick == TWO_PAIRS and popcount(dead) > 1:
        return NOBODY
    if not live:
        return 0  # nobody followed the suit called: the joker that was led has it
    live &= ~dead
    return place_of(t, trick, length, highest(live)) if live else NOBODY


@jit
def seen_twice(trick: Array, length: int) -> tuple[Mask, Mask]:
    """The kinds in a trick, and those there more than once."""
    seen, again = NONE, NONE
    for place in range(length):
        card = bit(trick[place])
        again |= seen & card
        seen |= card
    return seen, again


@jit
def place_of(t: Tables, trick: Array, length: int, kind: int) -> int:
    """Place of a kind in a trick; of several copies the one that wins."""
    # trick.duplicates, trick.exceptions: the first or the last of identical highest cards wins
    found = NOBODY
    for place in range(length):
        if trick[place] == kind:
            found = place
            if t.first_wins & bit(kind):
                break
    return found


@jit
def second_of_top_pair(t: Tables, trick: Array, length: int, led_suit: int) -> int:
    """Place of the second card of the highest cancelled pair of the led suit; 0 if there is none."""
    _, again = seen_twice(trick, length)
    pairs = again & t.cancels & t.suit_mask[led_suit]
    return place_of(t, trick, length, highest(pairs)) if pairs else 0


@jit
def add_card(sets: Array, row: int, kind: int) -> None:
    """Put a copy of a kind into a row of a set."""
    card = bit(kind)
    plane = 0
    while sets[row, plane] & card:
        plane += 1
    sets[row, plane] |= card


@jit
def add_cards(t: Tables, hands: Array, seat: int, share: float, out: Array) -> None:
    """Add `share` to `out` (seats, kinds) for every card of a seat."""
    for kind in range(t.kinds):
        out[seat, kind] += share * count(hands, seat, bit(kind), t.copies)


@jit
def remove_card(sets: Array, row: int, kind: int) -> None:
    """Take a copy of a kind that is there out of a row of a set."""
    card = bit(kind)
    plane = 0
    while plane + 1 < PLANES and sets[row, plane + 1] & card:
        plane += 1
    sets[row, plane] &= ~card


@jit
def count(sets: Array, row: int, cards: Mask, copies: int) -> int:
    """Number of cards of a row of a set that lie in a mask."""
    number = 0
    for plane in range(copies):
        number += popcount(sets[row, plane] & cards)
    return number


@jit
def give_all(sets: Array, row: int, to: Array, receiver: int) -> None:
    """Move every card of a row of a set to another set."""
    for plane in range(PLANES):
        left = sets[row, plane]
        while left:
            add_card(to, receiver, highest(left))
            left &= ~bit(highest(left))
        sets[row, plane] = NONE
