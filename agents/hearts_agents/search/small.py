"""Rollouts and importance weights by a small network, without leaving compiled code.

The network was distilled from a large one for cards in play (`training/lab/small.py`). Its input is sparse, about 80
columns that are not 0, so that a decision takes two microseconds. As compiled code, the functions trust their
arguments. `weights` holds all layers, `places` their sizes and then the columns that are not 0; `room` is to work in.
"""

from __future__ import annotations

import numpy as np

from hearts_agents.search.rollout import OVER, PLAY, first_action
from hearts_env.kernel.bits import INT64, ONE, bit, lowest
from hearts_env.kernel.counts import SCALE, known_cards, taking, unseen
from hearts_env.kernel.deduce.constraints import replay, rewind
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import legal
from hearts_env.kernel.records import Array, Mask, State, Tables
from hearts_env.kernel.steps import step
from hearts_env.kernel.tricks import count

NONE, UNIT = np.uint64(0), np.float32(1)
SUITS, LEDS, LENGTHS, TRICKS = 4, 6, 8, 18
MOST = 512
"""Most columns that are not 0."""
PLANES = 10
"""Planes of kinds besides those of every seat: the cards taken that score, and those played."""
VALUES, FIRST, SECOND, LOGITS = range(4)
"""Rows of `room`."""
INPUTS, WIDTH, OUTPUTS, COLUMNS = range(4)
"""Places in `places`: sizes of the network, and where the columns begin."""
SLIP, BEHIND = range(2)
"""Places in the `limits` of the weights of worlds."""


def columns_in_all(seats: int, kinds: int) -> int:
    """Columns of the input."""
    return (PLANES + 2 * seats) * kinds + SUITS * seats + 2 * SUITS + LEDS + LENGTHS + TRICKS + 1


@jit
def add_cards(cards: Mask, first: int, room: Array, places: Array, n: int) -> int:
    """Add the columns of some cards of a plane. Returns the number of columns so far."""
    while cards:
        places[COLUMNS + n] = first + lowest(cards)
        room[VALUES, n] = UNIT
        n += 1
        cards &= cards - ONE
    return n


@jit
def add(column: int, value: float, room: Array, places: Array, n: int) -> int:
    places[COLUMNS + n] = column
    room[VALUES, n] = np.float32(value)
    return n + 1


@jit
def write_input(s: State, t: Tables, seat: int, room: Array, places: Array) -> int:
    """Write the columns that are not 0, as a seat in play sees them, and their values. Returns their number."""
    kinds, seats, n = INT64(t.kinds), INT64(t.seats), INT64(0)
    scalars = (PLANES + 2 * seats) * kinds
    for plane in range(t.copies):
        n = add_cards(s.hands[seat, plane], 0, room, places, n)
    other = INT64(seat)
    for place in range(seats):
        for plane in range(t.copies):
            n = add_cards(s.taken[other, plane] & t.scoring, (1 + place) * kinds, room, places, n)
            n = add_cards(s.played_by[other, plane], (1 + seats + place) * kinds, room, places, n)
        for suit in range(SUITS):
            if s.voids[other] >> suit & 1:
                n = add(scalars + SUITS * place + suit, 1.0, room, places, n)
        other = other + 1 if other + 1 < seats else INT64(0)
    first, table, best = (1 + 2 * seats) * kinds, NONE, NONE
    for place in range(s.trick_len):
        card = bit(s.trick[place])
        table |= card
        if card & t.suit_mask[s.led_suit] and card > best:
            best = card
    n = add_cards(table, first, room, places, n)
    n = add_cards(best, first + kinds, room, places, n)
    n = add_cards(known_cards(s, t, seat), first + 2 * kinds, room, places, n)
    n = add_cards(s.exposed, first + 3 * kinds, room, places, n)
    n = add_cards(taking(s, t, seat), first + 4 * kinds, room, places, n)
    n = add_counts(s, t, seat, first + 5 * kinds, scalars + SUITS * seats, room, places, n)
    first = scalars + SUITS * seats + 2 * SUITS
    n = add(first + (min(1 + s.led_suit, LEDS - 1) if s.trick_len else 0), 1.0, room, places, n)
    n = add(first + LEDS + min(INT64(s.trick_len), LENGTHS - 1), 1.0, room, places, n)
    n = add(first + LEDS + LENGTHS + min(INT64(s.trick_number), TRICKS - 1), 1.0, room, places, n)
    return add(first + LEDS + LENGTHS + TRICKS, 1.0, room, places, n) if s.broken else n


@jit
def add_counts(s: State, t: Tables, seat: int, first: int, scalars: int, room: Array, places: Array, n: int) -> int:
    """Add, for each own card, how many unseen cards of its suit are lower and higher, and the numbers of each suit."""
    kinds, lows, highs = INT64(t.kinds), NONE, NONE
    for suit in range(SUITS):
        cards = t.suit_mask[suit]
        left = unseen(s, t, seat, cards)
        n = add(scalars + suit, SCALE * count(s.hands, seat, cards, t.copies), room, places, n)
        n = add(scalars + SUITS + suit, SCALE * left, room, places, n)
        own = s.hands[seat, 0] & cards
        while own:
            kind = lowest(own)
            below = unseen(s, t, seat, cards & (bit(kind) - ONE))
            above = left - below - unseen(s, t, seat, bit(kind))
            n = add(first + kind, SCALE * below, room, places, n)
            n = add(first + kinds + kind, SCALE * above, room, places, n)
            lows |= bit(kind) if below == 0 else NONE
            highs |= bit(kind) if above == 0 else NONE
            own &= own - ONE
    n = add_cards(lows, first + 2 * kinds, room, places, n)
    return add_cards(highs, first + 3 * kinds, room, places, n)


@jit
def write_inputs(views: Array, t: Tables, room: Array, places: Array, rows: Array) -> None:
    """Write the inputs of many views, dense, into rows of zeros."""
    for i in range(views.shape[0]):
        for place in range(write_input(views[i], t, INT64(views[i].seat), room, places)):
            rows[i, places[COLUMNS + place]] += room[VALUES, place]


@jit
def best_card(s: State, t: Tables, seat: int, cards: Mask, weights: Array, room: Array, places: Array) -> int:
    """The card with the highest logit; `room` gets the logits of all legal ones."""
    width, end = places[WIDTH], places[INPUTS] * places[WIDTH]
    first, second = room[FIRST, :width], room[SECOND, :width]
    first[:] = weights[end : end + width]
    for place in range(write_input(s, t, seat, room, places)):
        start = places[COLUMNS + place] * width
        line, value = weights[start : start + width], room[VALUES, place]
        for j in range(width):
            first[j] += value * line[j]
    start = end + width
    second[:] = weights[start + width * width : start + width * width + width]
    for i in range(width):
        value = first[i]
        if value > 0:
            line = weights[start + i * width : start + i * width + width]
            for j in range(width):
                second[j] += value * line[j]
    start += width * width + width
    best, biases = INT64(-1), start + places[OUTPUTS] * width
    while cards:
        kind = INT64(lowest(cards))
        cards &= cards - ONE
        line, logit = weights[start + kind * width : start + kind * width + width], weights[biases + kind]
        for j in range(width):
            logit += max(second[j], np.float32(0)) * line[j]
        room[LOGITS, kind] = logit
        if best < 0 or logit > room[LOGITS, best]:
            best = kind
    return best


@jit
def play_out(tables: Array, t: Tables, weights: Array, room: Array, places: Array) -> None:
    """Play every record, limited to its deal, to the end: cards by the network, all else by the first legal action."""
    for i in range(tables.shape[0]):
        s = tables[i]
        while s.phase != OVER:
            cards = legal(s, t)
            if s.phase != PLAY or cards & (cards - ONE) == 0:
                step(s, t, lowest(cards) + first_action(s, t))
            else:
                step(s, t, best_card(s, t, INT64(s.seat), cards, weights, room, places))


@jit
def weigh_worlds(
    view: State,
    t: Tables,
    worlds: Array,
    limits: Array,
    work: Array,
    logs: Array,
    weights: Array,
    room: Array,
    places: Array,
) -> None:
    """Write the logarithm of the probability of the others' cards in each world; see `hearts_env.seat.worlds`.

    `limits` are the probability of any legal card, and how far below the best a world may be; `work` is an array of one
    record to work with.
    """
    best = -np.inf
    for i in range(worlds.shape[0]):
        work[0] = worlds[i]
        logs[i] = log_probability(view, t, work[0], limits[SLIP], best - limits[BEHIND], weights, room, places)
        best = max(best, logs[i])


@jit
def log_probability(
    view: State,
    t: Tables,
    world: State,
    slip: float,
    least: float,
    weights: Array,
    room: Array,
    places: Array,
) -> float:
    """The logarithm for one world, which is used up; -inf once it falls below `least`."""
    rewind(view, t, world)
    total = 0.0
    for ply in range(view.plies):
        seat = INT64(view.history_seat[ply])
        world.seat = seat
        cards = legal(world, t)
        if seat != view.seat and cards & (cards - ONE):
            best = best_card(world, t, seat, cards, weights, room, places)
            powers, options, left = 0.0, 0.0, cards
            while left:
                powers += np.exp(np.float64(room[LOGITS, lowest(left)] - room[LOGITS, best]))
                options += 1.0
                left &= left - ONE
            share = np.exp(np.float64(room[LOGITS, view.history[ply]] - room[LOGITS, best])) / powers
            total += np.log(slip / options + (1.0 - slip) * share)
            if total < least:
                return -np.inf
        replay(view, t, world, ply)
    return total
