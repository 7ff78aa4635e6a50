"""Rows of the layout of `hearts_env.seat.universal`.

`places` has the universal column of each column of a game's own row and of its counts. A row is written in the game's
own layout first, sparse, and its columns are then moved.
"""

from __future__ import annotations

import numpy as np

from hearts_env.kernel.bits import INT64, ONE, lowest
from hearts_env.kernel.blocks import COLUMN, Row, row_of, spread, value_of
from hearts_env.kernel.counts import write_card_counts
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import legal
from hearts_env.kernel.records import Array, Mask, Phase, State, Tables
from hearts_env.kernel.rows import write_row

PLAY, PASS = Phase.PLAY.value, Phase.PASS.value
NONE = np.uint64(0)


@jit
def write_sparse(s: State, t: Tables, places: Row, row: Row, columns: Row, values: Row) -> int:
    """Write the knowledge of the seat to act; returns the number of columns that are not 0; `row` has room for them."""
    seat = max(s.seat, 0)
    row[0] = 0
    write_row(s, t, seat, row)
    write_card_counts(s, t, seat, row, INT64(t.obs_size))
    count = np.uint64(row[0])  # unsigned: as an index it needs no test for less than 0
    for place in range(count):
        columns[place], values[place] = places[row[place + ONE] & COLUMN], value_of(row[place + ONE])
    return INT64(count)


@jit
def write_actions(s: State, t: Tables, actions: Row, mask: Row, width: int) -> Mask:
    """Write the legal actions of the seat to act as 0 or 1 under their universal numbers, and return those that are
    cards.
    """
    left = legal(s, t) if s.seat >= 0 else NONE
    cards = left if s.phase == PLAY or s.phase == PASS else NONE
    spread(mask, INT64(0), cards, width)
    for column in range(64, width, 64):
        spread(mask, column, NONE, width)
    left ^= cards
    while left:
        mask[actions[INT64(t.kinds) + lowest(left)]] = 1
        left &= left - ONE
    return cards


@jit
def encode_sparse(
    states: Array,
    tables: Array,
    games: Array,
    places: Array,
    actions: Array,
    first_legal: int,
    room: Array,
    masks: Array,
    columns: Array,
    values: Array,
    sizes: Array,
) -> None:
    """Write observations, sparse, and masks of the seats to act; `room` is a sparse row."""
    width = masks.shape[1]
    for i in range(states.shape[0]):
        s, t, game = states[i], tables[games[i]], games[i]
        row, value = row_of(columns, i), row_of(values, i)
        cards = write_actions(s, t, row_of(actions, game), row_of(masks, i), width)
        count = write_sparse(s, t, row_of(places, game), row_of(room, 0), row, value)
        while cards:
            row[count], value[count] = first_legal + lowest(cards), np.float32(1)
            cards &= cards - ONE
            count += 1
        sizes[i] = count


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
    codes: Array,
    out: Array,
) -> None:
    """Write sparse rows in bytes: what a column counts in its place, scaled numbers, int32, behind the columns.

    `codes` (columns,) are the place of the number of a column, or minus what makes a whole number of it; `units` (kinds
    of games, numbers) is that for numbers.
    """
    for i in range(sizes.shape[0]):
        out[i, :] = 0
        behind = out[i, width:].view(np.int32)
        for entry in range(sizes[i]):
            column, value = np.uint64(columns[i, entry]), values[i, entry]
            code = codes[column]
            if code < 0:
                out[i, column] = np.uint8(np.int32(value * np.float32(-code) + np.float32(0.5)))
            else:
                behind[code] = np.int32(np.rint(value * units[games[i], code]))
