"""What taken cards are worth: values, exposures, negations, sweeps and multipliers, as Gaussian integers."""

from __future__ import annotations

import numpy as np

from hearts_env.kernel.bits import INT64, ONE, lowest
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import Mask, State, Tables
from hearts_env.kernel.tricks import count

NONE = np.uint64(0)


@jit
def hand_worth(s: State, t: Tables, seat: int, waived: Mask, plus: int, plus_im: int) -> tuple[int, int]:
    """What a seat scores for the cards it took, those in `waived` apart, and for an award that its multipliers multiply
    too.
    """
    if t.plain_score:
        re, im = plain_sum(s, t, seat, waived)
        return re + plus, im + plus_im
    re, im = raised_sum(s, t, seat, waived)
    factor, factor_im = hand_factor(s, t, seat)
    re, im = times(re + plus, im + plus_im, factor, factor_im)
    return re + alone_points(s, t, seat, waived), im


@jit
def plain_sum(s: State, t: Tables, seat: int, waived: Mask) -> tuple[int, int]:
    """Sum of the values of a seat's taken cards outside `waived`."""
    re, im = 0, 0
    for plane in range(t.copies):
        left = s.taken[seat, plane] & t.valued & ~waived
        while left:
            kind = lowest(left)
            re += t.values[kind, 0]
            im += t.values[kind, 1]
            left &= left - ONE
    return re, im


@jit
def raised_sum(s: State, t: Tables, seat: int, waived: Mask) -> tuple[int, int]:
    """The same with exposures, negations, sweeps and the multipliers of some cards only."""
    re, im = 0, 0
    waived |= negated(s, t, seat)
    for plane in range(t.copies):
        left = s.taken[seat, plane] & t.valued & ~waived
        while left:
            kind = lowest(left)
            card = left & (~left + ONE)
            left &= left - ONE
            times_re, times_im = card_factor(s, t, seat, card)
            value, value_im = times(t.values[kind, 0], t.values[kind, 1], times_re, times_im)
            copies = idle_apart(s, t, seat, card, plane)
            re += copies * value
            im += copies * value_im
    return re, im


@jit
def idle_apart(s: State, t: Tables, seat: int, card: Mask, plane: int) -> int:
    """1, but 0 for as many jokers as score nothing."""
    return 0 if card & t.jokers and plane < s.idle[seat] else 1


@jit
def times(re: int, im: int, factor: int, factor_im: int) -> tuple[int, int]:
    """Product of two Gaussian integers."""
    return re * factor - im * factor_im, re * factor_im + im * factor


@jit
def negated(s: State, t: Tables, seat: int) -> Mask:
    """The cards that score nothing for a seat because of others it took."""
    cards = NONE
    for place in range(t.negations):
        if s.taken[seat, 0] & t.negation[place, 0]:
            cards |= t.negation[place, 1]
    return cards


@jit
def card_factor(s: State, t: Tables, seat: int, card: Mask) -> tuple[int, int]:
    """By what the value of one of a seat's cards is multiplied."""
    re, im = (INT64(t.expose_factor) if s.raised & card else INT64(1)), INT64(0)
    for place in range(t.sweeps):
        if t.sweep[place, 1] & card and count(s.taken, seat, t.sweep[place, 0], t.copies) == t.sweep_count[place]:
            re, im = -re, -im
    for place in range(t.multipliers):
        if t.multiplier[place, 1] & card:
            re, im = multiplied(s, t, seat, place, re, im)
    return re, im


@jit
def hand_factor(s: State, t: Tables, seat: int) -> tuple[int, int]:
    """The product of the multipliers of the whole hand that a seat took."""
    re, im = INT64(1), INT64(0)
    for place in range(t.multipliers):
        if not t.multiplier[place, 1]:
            re, im = multiplied(s, t, seat, place, re, im)
    return re, im


@jit
def multiplied(s: State, t: Tables, seat: int, place: int, re: int, im: int) -> tuple[int, int]:
    """A number times a multiplier, once for each copy of it that a seat took."""
    card = t.multiplier[place, 0]
    more = t.expose_factor if s.raised & card else 1
    for plane in range(t.copies):
        if s.taken[seat, plane] & card:
            re, im = times(re, im, t.factor[place, 0] * more, t.factor[place, 1] * more)
    return re, im


@jit
def alone_points(s: State, t: Tables, seat: int, waived: Mask) -> int:
    """What a seat scores for multipliers, those in `waived` apart, that have no other scoring card to multiply."""
    points = INT64(0)
    for place in range(t.multipliers):
        card = t.multiplier[place, 0]
        if t.alone[place] and not card & waived and not count(s.taken, seat, t.named & ~card, t.copies):
            more = t.expose_factor if s.raised & card else 1
            points += t.alone[place] * more * count(s.taken, seat, card, t.copies)
    return points
