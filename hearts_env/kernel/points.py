"""Points of taken cards: values, exposures, negations, sweeps and multipliers, as Gaussian integers."""

from __future__ import annotations

import numpy as np

from hearts_env.kernel.bits import INT64, ONE, lowest
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import Mask, State, Tables
from hearts_env.kernel.tricks import count

NONE = np.uint64(0)


@jit
def points_taken(s: State, t: Tables, seat: int, waived: Mask, plus: int, plus_im: int) -> tuple[int, int]:
    """Points of the cards a seat took, without those in `waived`, and of an award (`plus`) that its multipliers apply
    to as well.
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
    """`plain_sum` with exposures, negations, sweeps and those multipliers that apply to some cards only."""
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
            copies = counts_once(s, t, seat, card, plane)
            re += copies * value
            im += copies * value_im
    return re, im


@jit
def counts_once(s: State, t: Tables, seat: int, card: Mask, plane: int) -> int:
    """1 for a card that scores, 0 for a joker that does not."""
    # jokers.scores: heart_trick: jokers from tricks to which no hearts were led score nothing
    return 0 if card & t.jokers and plane < s.idle_jokers[seat] else 1


@jit
def times(re: int, im: int, factor: int, factor_im: int) -> tuple[int, int]:
    """Product of two Gaussian integers."""
    return re * factor - im * factor_im, re * factor_im + im * factor


@jit
def negated(s: State, t: Tables, seat: int) -> Mask:
    """The cards that score nothing for a seat because of others it took."""
    # score.negations: whoever took the first card scores nothing for the others
    cards = NONE
    for place in range(t.negations):
        if s.taken[seat, 0] & t.negation[place, 0]:
            cards |= t.negation[place, 1]
    return cards


@jit
def card_factor(s: State, t: Tables, seat: int, card: Mask) -> tuple[int, int]:
    """The factor that applies to the value of one of a seat's cards."""
    # exposing.cards, exposing.factor: a shown card raises these values
    re, im = (INT64(t.exposing_factor) if s.raised & card else INT64(1)), INT64(0)
    # score.sweeps: whoever took all of these cards counts those with the other sign
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
    # score.multipliers: a card that multiplies what its taker's cards score
    card = t.multiplier[place, 0]
    more = t.exposing_factor if s.raised & card else 1
    for plane in range(t.copies):
        if s.taken[seat, plane] & card:
            re, im = times(re, im, t.factor[place, 0] * more, t.factor[place, 1] * more)
    return re, im


@jit
def alone_points(s: State, t: Tables, seat: int, waived: Mask) -> int:
    """Points of a seat's multipliers, without those in `waived`, that have no other scoring card to multiply."""
    # score.alone: points of a multiplier whose taker took no card named in score.card_values
    points = INT64(0)
    for place in range(t.multipliers):
        card = t.multiplier[place, 0]
        if t.alone[place] and not card & waived and not count(s.taken, seat, t.named & ~card, t.copies):
            more = t.exposing_factor if s.raised & card else 1
            points += t.alone[place] * more * count(s.taken, seat, card, t.copies)
    return points
