"""What one seat may know, as a record with everything hidden erased and as a row of floats; and the hidden hands.

The columns are laid out in `hearts_env.play.observation`; the two must agree, and a test checks that they do. Seats are
relative: 0 is the observer, 1 the next in play order.
"""

from __future__ import annotations

import numpy as np

from hearts_env.kernel.bits import INT64, ONE, bytes_of, lowest
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import legal
from hearts_env.kernel.records import (
    COMMON_PHASES,
    JOKER_SUIT,
    OWN_PART,
    PUBLIC,
    STATE,
    Array,
    Mask,
    Phase,
    Pledge,
    State,
    Tables,
)
from hearts_env.kernel.scoring import sign_seat
from hearts_env.ruleset.enums import Better, Duplicates, MoonSign
from hearts_env.ruleset.limits import PICKS, PLANES

REFUSE, PASS, PLAY, SIGN = Phase.REFUSE.value, Phase.PASS.value, Phase.PLAY.value, Phase.SIGN.value
PHASES = len(COMMON_PHASES)
DEALS_UNIT = np.float32(1 / 16)
MAGNITUDE = Better.MAGNITUDE.code
CANCEL = Duplicates.CANCEL.code
CHOSEN = MoonSign.CHOSEN.code
SECRET = np.array(
    [
        (STATE.fields[name][1], STATE.fields[name][1] + STATE[name].itemsize)
        for name in STATE.names or ()
        if STATE.fields is not None and name not in PUBLIC | OWN_PART
    ]
)
"""First byte and end of every field of a record that nobody sees."""
PLEDGED, DECLINED = Pledge.YES.value, Pledge.NO.value


@jit
def hide(s: State, t: Tables, seat: int) -> None:
    """Erase, in place, everything `seat` may not know."""
    cells = bytes_of(s)
    for field in range(SECRET.shape[0]):
        for place in range(SECRET[field, 0], SECRET[field, 1]):
            cells[place] = 0
    for other in range(t.seats):
        if other != seat:
            s.offered[other] = 0
    for card in range(t.kitty_size):
        if s.kitty_seat[card] != seat:
            s.kitty[card] = 0
    for other in range(t.seats):
        if other != seat:
            for plane in range(PLANES):
                s.hands[other, plane] = 0
            for lane in range(PICKS):
                s.picks[other, lane] = 0
                s.received[other, lane] = 0


@jit
def mark(mask: Mask, out: Array, start: int) -> None:
    """Add 1 in the column of every kind of a mask."""
    while mask:
        out[start + lowest(mask)] += np.float32(1)
        mask &= mask - ONE


@jit
def mark_set(sets: Array, seat: int, t: Tables, out: Array, start: int) -> int:
    """Write the number of copies of each kind in a seat's set; returns the next column."""
    for plane in range(t.copies):
        mark(sets[seat, plane], out, start)
    return start + t.kinds


@jit
def known_picks(s: State, t: Tables, seat: int, receiving: int) -> int:
    """How many of the cards it passes (or receives) a seat knows by now."""
    if s.pass_option < 0:
        return 0
    size = int(t.option_cards[s.pass_option])
    if s.phase > PASS:
        return size
    if receiving:
        return 0
    if s.refuser >= 0:
        return size - 1 if s.phase == PASS and seat == s.seat else size
    if seat > s.seat:
        return 0
    return int(s.picked) if seat == s.seat else size


@jit
def lanes(cards: Array, seat: int, s: State, t: Tables, out: Array, start: int, known: int) -> int:
    """Write passed or received cards, one plane of kinds per move of the pass; returns the next column."""
    place = 0
    for move in range(t.option_len[s.pass_option] if s.pass_option >= 0 else 0):
        for _ in range(t.option_moves[s.pass_option, move, 1]):
            if place < known:
                out[start + move * t.kinds + cards[seat, place]] += np.float32(1)
            place += 1
    return start + t.lanes * t.kinds


@jit
def relative(seat: int, observer: int, seats: int) -> int:
    """A seat counted from the observer."""
    return seat - observer if seat >= observer else seat - observer + seats


@jit
def absolute(place: int, observer: int, seats: int) -> int:
    """The seat that is `place` seats on from the observer."""
    return observer + place if observer + place < seats else observer + place - seats


@jit
def cards_played(s: State, t: Tables, seat: int, out: Array, start: int) -> int:
    """Write who played what in the deal and in the trick; returns the next column."""
    kinds, seats, plies = int(t.kinds), int(t.seats), int(s.plies)
    wrap = seats * kinds
    own = start - seat * kinds
    for ply in range(plies):
        column = own + s.history_seat[ply] * kinds + s.history[ply]
        out[np.uint64(column + wrap if s.history_seat[ply] < seat else column)] += np.float32(1)
    own += wrap
    for ply in range(plies - s.trick_len, plies):
        column = own + s.history_seat[ply] * kinds + s.history[ply]
        out[np.uint64(column + wrap if s.history_seat[ply] < seat else column)] += np.float32(1)
    return start + 2 * wrap


@jit
def scoring_cards(s: State, t: Tables, seat: int, out: Array, start: int) -> int:
    """Write the scoring cards a seat took, one column per scoring kind; returns the next column."""
    for plane in range(t.copies):
        left = s.taken[seat, plane] & t.scoring
        while left:
            out[start + t.scoring_column[lowest(left)]] += np.float32(1)
            left &= left - ONE
    return start + t.scoring_count


@jit
def per_seat(s: State, t: Tables, seat: int, out: Array, start: int) -> int:
    """Write what is known of each seat, one block of seats per quantity; returns the next column."""
    n = t.seats
    voids = start + n * t.scoring_count
    won = voids + 4 * n
    trick_scale = np.float32(1) / np.float32(t.hand_size)
    other = seat
    column = start
    for place in range(n):
        column = scoring_cards(s, t, other, out, column)
        mark(np.uint64(s.voids[other]), out, voids + 4 * place)
        out[won + place] = np.float32(s.tricks_won[other]) * trick_scale
        out[won + n + place] = np.float32(s.points[other, 0]) * t.point_scale
        out[won + 2 * n + place] = np.float32(s.totals[other, 0]) * t.total_scale
        other = other + 1 if other + 1 < n else 0
    if s.leader >= 0:
        out[won + 3 * n + relative(s.leader, seat, n)] = np.float32(1)
    out[won + 4 * n + relative(s.dealer, seat, n)] = np.float32(1)
    return won + 5 * n


@jit
def phase_column(phase: int) -> int:
    """Place of a phase among `COMMON_PHASES`."""
    return phase - (phase > REFUSE) - (phase > SIGN)


@jit
def situation(s: State, t: Tables, out: Array, column: int) -> int:
    """Write the trick, the phase and the pass of the deal; returns the next column."""
    if s.trick_len and s.led_suit != JOKER_SUIT:
        out[column + s.led_suit] = np.float32(1)
    if s.phase != REFUSE and s.phase != SIGN:
        out[column + 4 + phase_column(s.phase)] = np.float32(1)
    if s.pass_option >= 0:
        out[column + 4 + PHASES + s.pass_option] = np.float32(1)
    column += 4 + PHASES + t.options
    out[column] = np.float32(s.broken)
    out[column + 1] = np.float32(s.trick_number) / np.float32(t.hand_size)
    out[column + 2] = np.float32(s.deal_number) * DEALS_UNIT
    return column + 3


@jit
def specials(s: State, t: Tables, seat: int, out: Array, column: int) -> None:  # noqa: PLR0912 - a branch a rule
    """Write what only some games have, in the order of `observation_layout`."""
    if t.score_better >= MAGNITUDE:
        column = imaginary(s, t, seat, out, column)
    if t.exposures:
        for place in range(t.seats):
            mark(s.shown[absolute(place, seat, t.seats)], out, column)
            column += t.kinds
    if t.score_pledge:
        column = pledges(s, t, seat, out, column)
    if t.score_chips:
        out[column] = np.float32(s.pool) * t.total_scale
        column += 1
    if t.end_lives:
        for place in range(t.seats):
            out[column + place] = np.float32(s.lives[absolute(place, seat, t.seats)]) / np.float32(t.end_lives)
        column += t.seats
    if t.trick_duplicates == CANCEL:
        column = mark_set(s.rolled_over, 0, t, out, column)
    if t.kitty_size:
        column = kitty_cards(s, t, seat, out, column)
    if t.moon_extends:
        out[column] = np.float32(s.moon_extension)
        column += 1
    if t.refusals:
        column = refused_cards(s, t, seat, out, column)
    if t.moon_sign == CHOSEN:
        chosen_signs(s, t, seat, out, column)


@jit
def imaginary(s: State, t: Tables, seat: int, out: Array, column: int) -> int:
    """Write the imaginary parts of points and totals; returns the next column."""
    for place in range(t.seats):
        other = absolute(place, seat, t.seats)
        out[column + place] = np.float32(s.points[other, 1]) * t.point_scale
        out[column + t.seats + place] = np.float32(s.totals[other, 1]) * t.total_scale
    return column + 2 * t.seats


@jit
def pledges(s: State, t: Tables, seat: int, out: Array, column: int) -> int:
    """Write who has pledged, and who has declined to; returns the next column."""
    for place in range(t.seats):
        said = s.pledges[absolute(place, seat, t.seats)]
        out[column + place] = np.float32(said == PLEDGED)
        out[column + t.seats + place] = np.float32(said == DECLINED)
    return column + 2 * t.seats


@jit
def refused_cards(s: State, t: Tables, seat: int, out: Array, column: int) -> int:
    """Write whether a card may be refused now, and which were handed back to whom; returns the next column."""
    out[column] = np.float32(s.phase == REFUSE)
    for place in range(t.seats):
        mark(s.handed_back[absolute(place, seat, t.seats)], out, column + 1 + place * t.kinds)
    return column + 1 + t.seats * t.kinds


@jit
def chosen_signs(s: State, t: Tables, seat: int, out: Array, column: int) -> None:
    """Write for which seat the shooter chooses a sign now, and which signs it has chosen."""
    if s.phase == SIGN:
        out[column + relative(sign_seat(s, t), seat, t.seats)] = np.float32(1)
    for place in range(t.seats):
        sign = s.signs[absolute(place, seat, t.seats)]
        out[column + t.seats + place] = np.float32(sign > 0)
        out[column + 2 * t.seats + place] = np.float32(sign < 0)


@jit
def kitty_cards(s: State, t: Tables, seat: int, out: Array, column: int) -> int:
    """Write the cards of the kitty that a seat took, and how many everybody took; returns the next column."""
    taken = column + t.kinds
    for card in range(t.kitty_size):
        to = INT64(s.kitty_seat[card])
        if to == seat:
            out[column + s.kitty[card]] += np.float32(1)
        if to >= 0:
            out[taken + relative(to, seat, t.seats)] += np.float32(1)
    for other in range(t.seats):
        out[taken + other] /= np.float32(t.kitty_size)
    return taken + t.seats


@jit
def encode(s: State, t: Tables, seat: int, out: Array) -> None:
    """Write the observation of a seat into a row of `obs_size` floats."""
    for column in range(out.shape[0]):
        out[column] = np.float32(0)
    column = mark_set(s.hands, seat, t, out, 0)
    column = lanes(s.picks, seat, s, t, out, column, known_picks(s, t, seat, False))
    column = lanes(s.received, seat, s, t, out, column, known_picks(s, t, seat, True))
    column = cards_played(s, t, seat, out, column)
    column = per_seat(s, t, seat, out, column)
    column = situation(s, t, out, column)
    specials(s, t, seat, out, column)


@jit
def encode_mask(s: State, t: Tables, seat: int, out: Array) -> None:
    """Write the legal actions of a seat as 0 or 1; all 0 unless it is the seat to act."""
    for action in range(t.actions):
        out[action] = np.int8(0)
    if seat != s.seat:
        return
    first = 0 if s.phase == PLAY or s.phase == PASS else t.kinds
    left = legal(s, t)
    while left:
        out[first + lowest(left)] = np.int8(1)
        left &= left - ONE


@jit
def encode_hidden(s: State, t: Tables, seat: int, out: Array) -> None:
    """Write what a seat may not know, the other hands in relative order, into (seats - 1) * kinds floats."""
    column = 0
    other = seat
    for _ in range(t.seats - 1):
        other = other + 1 if other + 1 < t.seats else 0
        for k in range(t.kinds):
            kind = np.uint64(k)
            copies = np.uint64(0)
            for plane in range(t.copies):
                copies += (s.hands[other, plane] >> kind) & ONE
            out[column + k] = np.float32(INT64(copies))
        column += t.kinds


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
