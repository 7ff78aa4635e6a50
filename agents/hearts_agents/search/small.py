"""Rollouts and importance weights by a small network, without leaving compiled code.

The network was distilled from a large one for cards in play (`training/lab/small.py`). Its input is a sparse row of
about 80 entries. As compiled code, the functions trust their arguments. `weights` holds all layers; `room` and
`entries` (a sparse row, `hearts_env.kernel.blocks`) are to work in.
"""

from __future__ import annotations

import numpy as np

from hearts_agents.search.rollout import OVER, PLAY, first_action
from hearts_env.kernel.bits import INT64, ONE, bit, lowest
from hearts_env.kernel.blocks import COLUMN, Row, add_spread, put, row_of, spread, value_of
from hearts_env.kernel.counts import BLOCKS, write_card_counts
from hearts_env.kernel.counts import SUITS as COUNTED
from hearts_env.kernel.deduce.constraints import replay, rewind
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import legal
from hearts_env.kernel.records import Array, Mask, State, Tables
from hearts_env.kernel.steps import step

NONE, ALL, UNIT = np.uint64(0), ~np.uint64(0), np.float32(1)
SUITS, LEDS, LENGTHS, TRICKS = 4, 6, 8, 18
MOST = 512
"""Most entries of a row."""
PLANES = 4
"""Planes of kinds besides those of every seat: the hand, the trick, its winning card, and the exposed cards."""
FIRST, SECOND, LOGITS = range(3)
"""Rows of `room`, which are as wide as the network, at least the number of kinds."""
SLIP, BEHIND = range(2)
"""Places in the `limits` of the weights of worlds."""


def columns_in_all(seats: int, kinds: int) -> int:
    """Columns of the input; the counts of cards of `hearts_env.kernel.counts` come last."""
    scalars = SUITS * seats + LEDS + LENGTHS + TRICKS + 1
    return (PLANES + 2 * seats) * kinds + scalars + len(BLOCKS) * kinds + 2 * COUNTED


@jit
def write_input(s: State, t: Tables, seat: int, row: Row) -> None:
    """Write what a seat sees in play into a row, sparse or of zeros."""
    kinds, seats = INT64(t.kinds), INT64(t.seats)
    write_cards(row, 0, s.hands, seat, ALL, t)
    other, voids, column = INT64(seat), NONE, kinds
    for place in range(seats):
        write_cards(row, column, s.taken, other, t.scoring, t)
        write_cards(row, column + seats * kinds, s.played_by, other, ALL, t)
        voids |= np.uint64(s.voids[other]) << np.uint64(SUITS * place)
        column += kinds
        other = other + 1 if other + 1 < seats else INT64(0)
    column += seats * kinds
    column = write_trick(s, t, row, column)
    spread(row, column, s.exposed, column + kinds)
    column += kinds
    spread(row, column, voids, column + SUITS * seats)
    column += SUITS * seats
    put(row, column + (min(1 + s.led_suit, LEDS - 1) if s.trick_len else 0), UNIT)
    put(row, column + LEDS + min(INT64(s.trick_len), LENGTHS - 1), UNIT)
    put(row, column + LEDS + LENGTHS + min(INT64(s.trick_number), TRICKS - 1), UNIT)
    put(row, column + LEDS + LENGTHS + TRICKS, np.float32(s.broken))
    write_card_counts(s, t, seat, row, column + LEDS + LENGTHS + TRICKS + 1)


@jit
def write_cards(row: Row, column: int, cards: Array, seat: int, of: Mask, t: Tables) -> None:
    """Write those cards of a seat that are in `of`, with their number of copies, from a column on."""
    spread(row, column, cards[seat, 0] & of, column + t.kinds)
    for plane in range(1, t.copies):
        add_spread(row, column, cards[seat, plane] & of, column + t.kinds, column)


@jit
def write_trick(s: State, t: Tables, row: Row, column: int) -> int:
    """Write the trick and its winning card so far. Returns the column after them."""
    table, best = NONE, NONE
    for place in range(s.trick_len):
        card = bit(s.trick[place])
        table |= card
        if card & t.suit_mask[s.led_suit] and card > best:
            best = card
    spread(row, column, table, column + t.kinds)
    spread(row, column + t.kinds, best, column + 2 * t.kinds)
    return column + 2 * INT64(t.kinds)


@jit
def write_inputs(views: Array, t: Tables, rows: Array) -> None:
    """Write the inputs of many views into rows of zeros."""
    for i in range(views.shape[0]):
        write_input(views[i], t, INT64(views[i].seat), row_of(rows, i))


@jit
def best_card(s: State, t: Tables, seat: int, cards: Mask, weights: Array, room: Array, entries: Array) -> int:
    """The card with the highest logit; `room` gets the logits of all legal ones."""
    width = room.shape[1]
    end = weights.size - (width + 2) * width - (width + 1) * t.kinds  # of the first layer
    first, second = room[FIRST, :width], room[SECOND, :width]
    first[:] = weights[end : end + width]
    entries[0] = 0
    write_input(s, t, seat, row_of(entries, 0))
    for place in range(1, INT64(entries[0]) + 1):
        entry = entries[place]
        start = INT64(entry & COLUMN) * width
        line, value = weights[start : start + width], value_of(entry)
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
    best, biases = INT64(-1), start + t.kinds * width
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
def play_out(tables: Array, t: Tables, weights: Array, room: Array, entries: Array) -> None:
    """Play every record, limited to its deal, to the end: cards by the network, all else by the first legal action."""
    for i in range(tables.shape[0]):
        s = tables[i]
        while s.phase != OVER:
            cards = legal(s, t)
            if s.phase != PLAY or cards & (cards - ONE) == 0:
                step(s, t, lowest(cards) + first_action(s, t))
            else:
                step(s, t, best_card(s, t, INT64(s.seat), cards, weights, room, entries))


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
    entries: Array,
) -> None:
    """Write the logarithm of the probability of the others' cards in each world; see `hearts_env.seat.worlds`.

    `limits` are the probability of any legal card, and how far below the best a world may be; `work` is an array of one
    record to work with.
    """
    best = -np.inf
    for i in range(worlds.shape[0]):
        work[0] = worlds[i]
        logs[i] = log_probability(view, t, work[0], limits[SLIP], best - limits[BEHIND], weights, room, entries)
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
    entries: Array,
) -> float:
    """The logarithm for one world, which is used up; -inf once it falls below `least`."""
    rewind(view, t, world)
    total = 0.0
    for ply in range(view.plies):
        seat = INT64(view.history_seat[ply])
        world.seat = seat
        cards = legal(world, t)
        if seat != view.seat and cards & (cards - ONE):
            best = best_card(world, t, seat, cards, weights, room, entries)
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
