"""The knowledge of one seat, as a record with everything hidden erased and as a row of numbers; and the hidden hands.

Seats are relative: 0 is the observer, 1 the seat after it (to the left of it).
"""

from __future__ import annotations

import numpy as np

from hearts_env.kernel.bits import ONE, bytes_of, lowest
from hearts_env.kernel.blocks import row_of
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import STATE_FIELDS, Array, State, Tables, Visibility, spans
from hearts_env.kernel.rows import hides_exposures, known_picks, relative, write_mask, write_row
from hearts_env.ruleset.limits import PICKS, PLANES

SECRET = spans(field for field in STATE_FIELDS if field.visibility is Visibility.SECRET)
"""First byte and end of every field of a record that nobody sees."""


@jit
def hide(s: State, t: Tables, seat: int) -> None:
    """Erase, in place, everything `seat` may not know."""
    cells = bytes_of(s)
    for field in range(SECRET.shape[0]):
        for place in range(SECRET[field, 0], SECRET[field, 1]):
            cells[place] = 0
    for card in range(t.kitty_size):
        if s.kitty_seat[card] != seat:
            s.kitty[card] = 0
    if hides_exposures(s, t):
        hide_exposures(s, t, seat)
    for other in range(t.seats):
        if other != seat:
            s.offered[other] = 0
            for plane in range(PLANES):
                s.hands[other, plane] = 0
            for lane in range(PICKS):
                s.picks[other, lane] = 0
                s.received[other, lane] = 0


@jit
def hide_exposures(s: State, t: Tables, seat: int) -> None:
    """Erase the cards that others have shown blind (exposing.rounds), and the number of seats that have declined."""
    s.declined = 0
    s.exposed = s.shown[seat]
    s.raised = np.uint64(0)
    for place in range(t.exposures):
        if t.expose_card[place] & s.exposed:
            s.raised |= t.expose_raises[place]
    for other in range(t.seats):
        if other != seat:
            s.shown[other] = 0


@jit
def encode(s: State, t: Tables, seat: int, out: Array) -> None:
    """Write the observation of a seat into a row of `obs_size` float32, or of `byte_size` uint8."""
    write_row(s, t, seat, row_of(out, 0))


@jit
def encode_mask(s: State, t: Tables, seat: int, out: Array) -> None:
    """Write the legal actions of a seat as 0 or 1; all 0 unless it is the seat to act."""
    write_mask(s, t, seat, row_of(out, 0))


@jit
def encode_hidden(s: State, t: Tables, seat: int, width: int, out: Array) -> None:
    """Write what a seat may not know, the other hands in relative order, into rows of `width` floats each."""
    other = seat
    for place in range(t.seats - 1):
        other = other + 1 if other + 1 < t.seats else 0
        first = place * width
        for column in range(first, first + width):
            out[column] = np.float32(0)
        for plane in range(t.copies):
            cards = s.hands[other, plane]
            while cards:
                out[first + lowest(cards)] += np.float32(1)
                cards &= cards - ONE


@jit
def encode_tokens(s: State, t: Tables, seat: int, out: Array) -> None:
    """Write the deal so far as a seat saw it: cards passed, received and played in order, then 0 up to the end of
    `out`.

    A token is 1 + kinds * source + kind: source 0..seats-1 is the relative seat that played the card, seats is "I
    passed it", seats + 1 is "I received it".
    """
    for place in range(out.shape[0]):
        out[place] = 0
    place = 0
    for receiving in range(2):
        for lane in range(known_picks(s, t, seat, receiving)):
            kind = s.received[seat, lane] if receiving else s.picks[seat, lane]
            out[place] = 1 + t.kinds * (t.seats + receiving) + kind
            place += 1
    for ply in range(s.plies):
        out[place] = 1 + t.kinds * relative(s.history_seat[ply], seat, t.seats) + s.history[ply]
        place += 1
