"""Rows of the layout of `hearts_env.play.universal`.

`places` has the universal column of each column of a game's own row and of its counts. A row is written in the game's
own layout first, and its columns are then moved.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_env.kernel.bits import INT64, ONE, lowest
from hearts_env.kernel.blocks import row_of
from hearts_env.kernel.counts import BLOCKS, SUITS, encode_counts
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import legal
from hearts_env.kernel.records import Array, Mask, Phase, State, Tables
from hearts_env.kernel.rows import write_row

TWO, THREE, SEVEN, EIGHT, BYTE = (np.uint64(number) for number in (2, 3, 7, 8, 255))
PLAY, PASS = Phase.PLAY.value, Phase.PASS.value


@jit
def legal_cards(s: State, t: Tables, seat: int) -> Mask:
    """The cards that a seat may play or pass now."""
    return legal(s, t) if seat == s.seat and (s.phase == PLAY or s.phase == PASS) else np.uint64(0)


@jit
def number_at(row: Array, place: int) -> Any:
    """The int32 that begins at a byte of a row, the lowest byte first."""
    value = np.uint32(row[place]) | np.uint32(row[place + 1]) << np.uint32(8)
    return np.int32(value | np.uint32(row[place + 2]) << np.uint32(16) | np.uint32(row[place + 3]) << np.uint32(24))


@jit
def write_sparse(
    s: State,
    t: Tables,
    places: Array,
    first_legal: int,
    seat: int,
    row: Array,
    words: Array,
    counts: Array,
    pairs: Array,
    columns: Array,
    values: Array,
) -> int:
    """Write the columns that are not 0, and what they hold; returns how many there are.

    `row`, bytes, and `counts`, float32, are room for the game's own row; `words` and `pairs` are the same as uint64.
    """
    write_row(s, t, seat, row_of(row, 0))
    encode_counts(s, t, seat, counts[: len(BLOCKS) * INT64(t.kinds) + 2 * SUITS])
    # unsigned: as an index it needs no test for less than 0
    count, size = np.uint64(0), np.uint64(t.obs_size)
    for place in range((size + SEVEN) >> THREE):
        word, first = words[place], np.uint64(place) << THREE
        if first + EIGHT > size:  # what follows the columns are the numbers
            word &= ~np.uint64(0) >> ((first + EIGHT - size) << THREE)
        while word:
            bit = np.uint64(lowest(word)) & ~SEVEN
            columns[count], values[count] = places[first + (bit >> THREE)], np.float32((word >> bit) & BYTE)
            count += ONE
            word &= ~(BYTE << bit)
    for place in range(t.numbers):
        value = number_at(row, INT64(t.obs_size) + 4 * place)
        if value != 0:
            columns[count] = places[t.number_column[place]]
            values[count] = np.float32(np.float64(np.float32(value)) * t.number_scale[place])
            count += ONE
    derived = np.uint64(len(BLOCKS) * INT64(t.kinds) + 2 * SUITS)
    for pair in range((derived + ONE) >> ONE):
        if pairs[pair]:
            for column in range(np.uint64(pair) << ONE, min((np.uint64(pair) << ONE) + TWO, derived)):
                columns[count], values[count] = places[size + np.uint64(column)], counts[column]
                count += np.uint64(counts[column] != 0)
    cards = legal_cards(s, t, seat)
    while cards:
        columns[count], values[count] = first_legal + lowest(cards), np.float32(1)
        cards &= cards - ONE
        count += ONE
    return INT64(count)


@jit
def write_actions(s: State, t: Tables, actions: Array, seat: int, out: Array) -> None:
    """Write the legal actions of a seat as 0 or 1 under their universal numbers; none unless it is the seat to act."""
    for number in range(out.shape[0]):
        out[number] = 0
    if seat != s.seat or s.seat < 0:
        return
    cards = s.phase == PLAY or s.phase == PASS
    left = legal(s, t)
    first = np.int64(0) if cards else INT64(t.kinds)
    while left:
        out[actions[first + lowest(left)]] = 1
        left &= left - ONE


@jit
def encode_sparse(
    states: Array,
    tables: Array,
    games: Array,
    places: Array,
    first_legal: int,
    row: Array,
    words: Array,
    counts: Array,
    pairs: Array,
    columns: Array,
    values: Array,
    sizes: Array,
) -> None:
    """Write the observations of the seats to act, sparse."""
    for i in range(states.shape[0]):
        game, seat = games[i], max(states[i].seat, 0)
        sizes[i] = write_sparse(
            states[i], tables[game], places[game], first_legal, seat, row, words, counts, pairs, columns[i], values[i]
        )


@jit
def encode_dense(columns: Array, values: Array, sizes: Array, width: int, out: Array) -> None:
    """Write sparse rows as float32, in `width` columns."""
    for i in range(sizes.shape[0]):
        out[i, :width] = 0
        for entry in range(sizes[i]):
            out[i, columns[i, entry]] = values[i, entry]


@jit
def encode_bytes(
    columns: Array,
    values: Array,
    sizes: Array,
    games: Array,
    width: int,
    units: Array,
    numbers: Array,
    out: Array,
) -> None:
    """Write sparse rows in bytes: what a column counts in its place, scaled numbers, int32, behind the columns.

    `units` (kinds of games, columns) is what makes whole numbers of a column; `numbers` (columns,) the place of its
    number behind the columns, or -1.
    """
    for i in range(sizes.shape[0]):
        out[i, :] = 0
        behind = out[i, width:].view(np.int32)
        for entry in range(sizes[i]):
            column = columns[i, entry]
            value = np.rint(values[i, entry] * units[games[i], column])
            if numbers[column] >= 0:
                behind[numbers[column]] = np.int32(value)
            else:
                out[i, column] = np.uint8(value)


@jit
def encode_actions(states: Array, tables: Array, games: Array, actions: Array, masks: Array) -> None:
    """Write the legal actions of the seats to act."""
    for i in range(states.shape[0]):
        write_actions(states[i], tables[games[i]], actions[games[i]], INT64(states[i].seat), masks[i])
