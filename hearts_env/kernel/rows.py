"""The knowledge of a seat, as a row of float32, of bytes, or sparse.

`hearts_env.kernel.columns` lists the blocks of columns, and the tables of a game say where each begins. Seats are
relative: 0 is the observer, 1 the seat to the left of it.

Cards and flags are written alike in all kinds of rows. The numbers of points, tricks and the like are scaled in their
columns of a float32 row. In a row of bytes those columns hold 0, and the numbers follow behind the last column.

Rows are written from left to right, since `spread` writes zeros beyond its field.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_env.kernel.bits import INT64, ONE, compress
from hearts_env.kernel.blocks import Row, add_one, add_spread, is_sparse, put, put_number, spread
from hearts_env.kernel.columns import PLACE
from hearts_env.kernel.jit import inlined, jit
from hearts_env.kernel.legal import legal
from hearts_env.kernel.records import JOKER_SUIT, Array, Mask, Phase, Pledge, State, Tables
from hearts_env.kernel.scoring import sign_seat
from hearts_env.ruleset.enums import Rounds

REFUSE, PASS, PLAY, SIGN = Phase.REFUSE.value, Phase.PASS.value, Phase.PLAY.value, Phase.SIGN.value
EXPOSE, BLIND = Phase.EXPOSE.value, Rounds.ONCE_BLIND.code
NONE = np.uint64(0)
PASSED, RECEIVED, PLAYED, TRICK = (PLACE[name] for name in ("passed", "received", "played", "trick"))
SCORING_TAKEN, VOIDS, LEADER, DIRECTION = (PLACE[name] for name in ("scoring_taken", "voids", "leader", "direction"))
TRICKS_WON, POINTS, TOTALS = (PLACE[name] for name in ("tricks_won", "points", "totals"))
TRICK_NUMBER, DEAL_NUMBER = PLACE["trick_number"], PLACE["deal_number"]
POINTS_IM, TOTALS_IM, EXPOSED, PLEDGES = (PLACE[name] for name in ("points_im", "totals_im", "exposed", "pledges"))
POOL, LIVES, ROLLED, KITTY, KITTY_TAKEN = (PLACE[name] for name in ("pool", "lives", "rolled", "kitty", "kitty_taken"))
EXTENDED, REFUSING, HANDED_BACK = (PLACE[name] for name in ("extended", "refusing", "handed_back"))
SIGN_FOR, SIGNS = PLACE["sign_for"], PLACE["signs"]
PLEDGED, DECLINED = Pledge.YES.value, Pledge.NO.value
WIDTH = np.uint64(64)


@jit
def number(t: Tables, row: Row, block: int, offset: int, value: int) -> None:
    """Write a number of a block, `offset` columns after its first."""
    if is_sparse(row) and value == 0:
        return
    place = INT64(t.first_number[block]) + offset
    put_number(row, INT64(t.number_column[place]), t.number_scale[place], t.obs_size + 4 * place, value)


@jit
def write_row(s: State, t: Tables, seat: int, row: Row) -> None:
    """Write what a seat may know into a row of `obs_size` float32 or `byte_size` bytes."""
    spread_set(s.hands, seat, t, row, INT64(0))
    passed_cards(s, t, seat, row)
    cards_played(s, t, seat, row)
    per_seat(s, t, seat, row)
    situation(s, t, seat, row)
    special = INT64(t.column[DEAL_NUMBER]) + 1
    if special < t.obs_size:
        for block in range(special, t.obs_size, 64):
            spread(row, block, NONE, INT64(t.obs_size))
        specials(s, t, seat, row)


@jit
def write_mask(s: State, t: Tables, seat: int, row: Row) -> Mask:
    """Write the legal actions of a seat as 0 or 1 into a row of `actions` bytes, and return them as `legal` does; none
    unless it is the seat to act.
    """
    cards = s.phase == PLAY or s.phase == PASS
    left = legal(s, t) if seat == s.seat else NONE
    spread(row, INT64(0), left if cards else NONE, INT64(t.kinds))
    spread(row, INT64(t.kinds), NONE if cards else left, INT64(t.actions))
    return left


@jit
def spread_set(sets: Array, seat: int, t: Tables, row: Row, column: int) -> None:
    """Write the number of copies of each kind in a seat's set."""
    spread(row, column, sets[seat, 0], INT64(t.obs_size))
    for plane in range(1, t.copies):
        add_spread(row, column, sets[seat, plane], INT64(t.obs_size), column)


@jit
def known_picks(s: State, t: Tables, seat: int, receiving: int) -> int:
    """Number of the cards that a seat passes (or receives) that it knows by now."""
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


@inlined
def passed_cards(s: State, t: Tables, seat: int, row: Row) -> None:
    """Write the cards passed and those received, one plane of kinds per move of the pass."""
    kinds, lanes, end = INT64(t.kinds), INT64(t.lanes), INT64(t.obs_size)
    start = INT64(t.column[PASSED])
    for plane in range(2 * lanes):
        spread(row, start + plane * kinds, NONE, end)
    for lane in range(known_picks(s, t, seat, False)):
        add_one(row, start + t.pick_move[s.pass_option, lane] * kinds + s.picks[seat, lane], start)
    start = INT64(t.column[RECEIVED])
    for lane in range(known_picks(s, t, seat, True)):
        add_one(row, start + t.pick_move[s.pass_option, lane] * kinds + s.received[seat, lane], start)


@jit
def relative(seat: int, observer: int, seats: int) -> int:
    """A seat counted from the observer."""
    return seat - observer if seat >= observer else seat - observer + seats


@jit
def absolute(place: int, observer: int, seats: int) -> int:
    """The seat that is `place` seats on from the observer."""
    return observer + place if observer + place < seats else observer + place - seats


@inlined
def cards_played(s: State, t: Tables, seat: int, row: Row) -> None:
    """Write who played what in the deal and in the trick."""
    kinds, seats, end = INT64(t.kinds), INT64(t.seats), INT64(t.obs_size)
    start = column = INT64(t.column[PLAYED])
    other = np.uint64(seat)
    for _ in range(seats):
        spread(row, column, s.played_by[other, 0], end)
        column += kinds
        other = next_around(other, seats)
    for _ in range(seats):
        spread(row, column, NONE, end)
        column += kinds
    for plane in range(1, t.copies):
        for place in range(seats):
            cards = s.played_by[absolute(place, seat, seats), plane]
            add_spread(row, start + place * kinds, cards, end, start)
    start = INT64(t.column[TRICK])
    for ply in range(s.plies - s.trick_len, s.plies):
        add_one(row, start + relative(INT64(s.history_seat[ply]), seat, seats) * kinds + s.history[ply], start)


@inlined
def per_seat(s: State, t: Tables, seat: int, row: Row) -> None:
    """Write what is known of each seat, one block of seats per quantity."""
    n, width, end = INT64(t.seats), INT64(t.scoring_count), INT64(t.obs_size)
    start = INT64(t.column[SCORING_TAKEN])
    column, bits, filled = start, NONE, np.uint64(0)  # as many seats as fit into a mask are written together
    other = np.uint64(seat)
    for _ in range(n):
        if filled + np.uint64(width) > WIDTH:
            spread(row, column, bits, end)
            column, bits, filled = column + INT64(filled), NONE, np.uint64(0)
        bits |= compress(s.taken[other, 0], t.scoring, t.scoring_moves) << filled
        filled += np.uint64(width)
        other = next_around(other, n)
    spread(row, column, bits, end)
    for plane in range(1, t.copies):
        for place in range(n):
            cards = compress(s.taken[absolute(place, seat, n), plane], t.scoring, t.scoring_moves)
            add_spread(row, start + place * width, cards, end, start)
    column = INT64(t.column[VOIDS])
    bits = NONE
    for place in range(n):
        bits |= np.uint64(s.voids[other]) << np.uint64(4 * place)
        other = next_around(other, n)
    spread(row, column, bits, end)
    column += 4 * n
    if 7 * n > 64:
        spread(row, column, NONE, end)
    for place in range(n):
        number(t, row, TRICKS_WON, place, s.tricks_won[other])
        number(t, row, POINTS, place, s.points[other, 0])
        number(t, row, TOTALS, place, s.totals[other, 0])
        other = next_around(other, n)


@jit
def next_around(seat: Any, seats: int) -> Any:
    """The next seat in the order of the columns, unsigned: as an index it needs no test for less than 0."""
    return seat + ONE if seat + ONE < np.uint64(seats) else NONE


@jit
def phase_column(phase: int) -> int:
    """Place of a phase among `COMMON_PHASES`."""
    return phase - (phase > REFUSE) - (phase > SIGN)


@inlined
def situation(s: State, t: Tables, seat: int, row: Row) -> None:
    """Write the leader, the dealer, the trick, the phase and the pass of the deal."""
    # sums of flags, not branches on them: what they are is hard to predict
    n = INT64(t.seats)
    dealer, leader = np.uint64(relative(s.dealer, seat, n)), np.uint64(relative(max(s.leader, 0), seat, n))
    led, phase = np.uint64(2 * n + s.led_suit), np.uint64(2 * n + 4 + phase_column(s.phase))
    flags = np.uint64(s.leader >= 0) << leader | ONE << (dealer + np.uint64(n))
    flags |= np.uint64((s.trick_len != 0) & (s.led_suit != JOKER_SUIT)) << led
    flags |= np.uint64((s.phase != REFUSE) & (s.phase != SIGN)) << phase
    spread(row, INT64(t.column[LEADER]), flags, INT64(t.obs_size))  # dealer, led_suit and phase follow it
    option = np.uint64(max(s.pass_option, 0))
    flags = np.uint64(s.pass_option >= 0) << option | np.uint64(s.broken) << np.uint64(t.options)
    spread(row, INT64(t.column[DIRECTION]), flags, INT64(t.obs_size))  # and broken
    number(t, row, TRICK_NUMBER, 0, s.trick_number)
    number(t, row, DEAL_NUMBER, 0, s.deal_number)


@jit
def specials(s: State, t: Tables, seat: int, row: Row) -> None:  # noqa: PLR0912 - a branch a rule
    """Write what only some games have; the columns are 0 before."""
    if t.gaussian:
        imaginary(s, t, seat, row)
    if t.exposures and hides_exposures(s, t):
        spread(row, INT64(t.column[EXPOSED]), s.shown[seat], INT64(t.obs_size))
    elif t.exposures:
        sets_by_seat(s.shown, t, seat, row, INT64(t.column[EXPOSED]))
    if t.score_pledge:
        pledges(s, t, seat, row)
    if t.score_chips:
        number(t, row, POOL, 0, s.pool)
    if t.end_lives:
        for place in range(t.seats):
            number(t, row, LIVES, place, s.lives[absolute(place, seat, t.seats)])
    if t.may_die:
        spread_set(s.rolled_over, 0, t, row, INT64(t.column[ROLLED]))
    if t.kitty_size:
        kitty_cards(s, t, seat, row)
    if t.moon_extends:
        put(row, INT64(t.column[EXTENDED]), s.moon_extension)
    if t.refusals:
        put(row, INT64(t.column[REFUSING]), s.phase == REFUSE)
        sets_by_seat(s.handed_back, t, seat, row, INT64(t.column[HANDED_BACK]))
    if t.chooses_signs:
        chosen_signs(s, t, seat, row)


@jit
def hides_exposures(s: State, t: Tables) -> bool:
    """True while nobody sees the cards that others show."""
    return s.phase == EXPOSE and t.exposing_rounds >= BLIND


@jit
def imaginary(s: State, t: Tables, seat: int, row: Row) -> None:
    """Write the imaginary parts of points and totals."""
    for place in range(t.seats):
        other = absolute(place, seat, t.seats)
        number(t, row, POINTS_IM, place, s.points[other, 1])
        number(t, row, TOTALS_IM, place, s.totals[other, 1])


@jit
def sets_by_seat(sets: Array, t: Tables, seat: int, row: Row, column: int) -> None:
    """Write a set of kinds for every seat."""
    for place in range(t.seats):
        spread(row, column + place * t.kinds, sets[absolute(place, seat, t.seats)], INT64(t.obs_size))


@jit
def pledges(s: State, t: Tables, seat: int, row: Row) -> None:
    """Write who has pledged, and who has declined to."""
    column = INT64(t.column[PLEDGES])
    for place in range(t.seats):
        answer = s.pledges[absolute(place, seat, t.seats)]
        put(row, column + place, answer == PLEDGED)
        put(row, column + t.seats + place, answer == DECLINED)


@jit
def chosen_signs(s: State, t: Tables, seat: int, row: Row) -> None:
    """Write for which seat the shooter chooses a sign now, and which signs it has chosen."""
    if s.phase == SIGN:
        put(row, t.column[SIGN_FOR] + relative(sign_seat(s, t), seat, t.seats), True)
    column = INT64(t.column[SIGNS])
    for place in range(t.seats):
        sign = s.signs[absolute(place, seat, t.seats)]
        put(row, column + place, sign > 0)
        put(row, column + t.seats + place, sign < 0)


@jit
def kitty_cards(s: State, t: Tables, seat: int, row: Row) -> None:
    """Write the cards of the kitty that a seat took, and how many everybody took."""
    for card in range(t.kitty_size):
        if s.kitty_seat[card] == seat:
            add_one(row, t.column[KITTY] + s.kitty[card], INT64(t.column[KITTY]))
    for place in range(t.seats):
        taken = 0
        for card in range(t.kitty_size):
            taken += s.kitty_seat[card] == absolute(place, seat, t.seats)
        number(t, row, KITTY_TAKEN, place, taken)
