"""The check that a record made by a caller is a position of the game, as far as compiled code relies on it.

Compiled code checks no index. So whatever indexes is in range, no card is there more often than in the pack, and in
play the cards on the table and those taken are what the history of the deal makes of them.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from hearts_env.kernel.bits import INT64, bit, bytes_of
from hearts_env.kernel.deduce.constraints import replay, rewind
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import legal
from hearts_env.kernel.observe import hide
from hearts_env.kernel.records import (
    CARD_SET,
    STATE,
    STATE_FIELDS,
    Array,
    Mask,
    Phase,
    State,
    StateField,
    Tables,
    spans,
)
from hearts_env.kernel.rows import known_picks
from hearts_env.kernel.scoring import sign_seat
from hearts_env.kernel.totals import exact_hit
from hearts_env.kernel.tricks import count
from hearts_env.ruleset.limits import PLANES, SEATS

DIRECTION, REFUSE, PASS, EXPOSE, PLEDGE, PLAY, SUIT, MOON, SIGN, EXACT, OVER = (phase.value for phase in Phase)
RECORD = STATE.itemsize
ITS_OWN = -2
"""The observer is the seat to act of each record."""
REPLAYED = spans(field for field in STATE_FIELDS if field.replayed)
"""First byte and end of every field that is 0 before play, and follows from the cards played in it."""


@jit
def first_unsound(records: Array, table: Array, observer: int, left: Array, scratch: Array) -> int:
    """Index of the first record that is not a position of the game, or -1.

    `observer` is the seat whose cards the records show: `NOBODY` for whole positions, `ITS_OWN` for views of the seat
    to act. `left` (kinds,) int64 and `scratch`, one `STATE` record, are room to work in.
    """
    t = table[0]
    every = ~np.uint64(0) if t.kinds == 64 else bit(INT64(t.kinds)) - np.uint64(1)
    for i in range(records.shape[0]):
        s = records[i]
        if not (is_in_range(s, t, every) and is_turn(s, t)):
            return i
        seat = max(INT64(s.seat), 0) if observer == ITS_OWN else observer
        if not has_pack(s, t, left) or (seat >= 0 and s.phase <= SUIT and not has_passed(s, t, seat, left)):
            return i
        if (seat == s.seat or seat < 0) and s.phase != OVER and not has_legal_action(s, t):
            return i
        if s.phase == PLAY or s.phase == SUIT:
            scratch[0] = s
            if not agrees_with_history(s, t, scratch[0]):
                return i
    return -1


@jit
def first_revealing(records: Array, table: Array, observer: int, scratch: Array) -> int:
    """Index of the first record that shows what its observer may not know, or -1; see `first_unsound`."""
    for i in range(records.shape[0]):
        scratch[0] = records[i]
        hide(scratch[0], table[0], INT64(records[i].seat) if observer == ITS_OWN else observer)
        given, kept = bytes_of(records[i]), bytes_of(scratch[0])
        for place in range(RECORD):
            if given[place] != kept[place]:
                return i
    return -1


@jit
def is_set(sets: Array, row: int, t: Tables, every: Mask) -> bool:
    """True if a row of masks is a set of cards of the pack: no more copies than there are, a second above a first."""
    above = every
    for plane in range(PLANES):
        if sets[row, plane] & ~(above if plane < t.copies else np.uint64(0)):
            return False
        above = sets[row, plane]
    return True


def _check(field: StateField) -> str:
    """The lines of `is_in_range` for a field."""
    value, indent, loops = f"s.{field.name}", "    ", ""
    axes = 1 if field.holds == CARD_SET else len(field.shape)
    for axis, size in enumerate(field.shape[:axes]):
        length = size if axis else field.length or ("t.seats" if size == SEATS else size)
        loops += f"{indent}for i{axis} in range(INT64({length})):\n"
        indent += "    "
    places = ", ".join(f"i{axis}" for axis in range(axes))
    if field.holds == CARD_SET:
        test = f"is_set({value}, {places}, t, every)"
    else:
        test = re.sub(r"\bx\b", f"{value}[{places}]" if places else value, field.holds)
    return f"{loops}{indent}if not ({test}):\n{indent}    return False\n"


def _written() -> Any:
    """The function `is_in_range`: whether every field of a record holds a number that is possible in the game."""
    fields = sorted((field for field in STATE_FIELDS if field.holds), key=lambda field: len(field.shape))
    source = "".join(["def is_in_range(s, t, every):\n", *map(_check, fields), "    return True\n"])
    made = dict(globals())  # counts come before the rows that they count
    exec(compile(source, __file__, "exec"), made)
    return made["is_in_range"]


is_in_range = jit(_written())


@jit
def is_turn(s: State, t: Tables) -> bool:
    """True if the phase fits the pass, the trick and the cards played."""
    if (s.seat < 0 and s.phase != OVER) or (s.trick_len and s.phase != PLAY and s.phase != SUIT):
        return False
    if s.pass_option >= 0 and not t.entry_options[s.pass_entry] & bit(INT64(s.pass_option)):
        return False
    if s.phase == DIRECTION and s.pass_option >= 0:
        return False
    if (s.phase == PASS or s.phase == REFUSE) and (s.pass_option < 0 or s.picked >= t.option_cards[s.pass_option]):
        return False
    if (s.picked and s.phase != PASS) or not knows_phase(s.phase, t):
        return False
    if s.phase < PLAY:
        return s.plies == 0 and is_blank(s)
    if s.phase == MOON or s.phase == SIGN:
        return s.shooter >= 0 and (s.moon_choices != 0 if s.phase == MOON else sign_seat(s, t) >= 0)
    return s.phase != EXACT or exact_hit(s, t, INT64(s.seat)) >= 0


@jit
def knows_phase(phase: int, t: Tables) -> bool:
    """True if a game has a phase."""
    if phase == REFUSE:
        return t.refusals > 0
    if phase == EXPOSE:
        return t.exposures > 0
    if phase == PLEDGE:
        return t.score_pledge != 0
    return phase != EXACT or t.end_exact_optional != 0


@jit
def has_legal_action(s: State, t: Tables) -> bool:
    """True if the seat to act has an action to choose, and all its actions belong to the game."""
    if (s.phase == PLAY or s.phase == PASS) and s.hands[s.seat, 0] == 0:
        return False
    actions = legal(s, t)
    return actions != 0 and (s.phase == PLAY or s.phase == PASS or not actions >> np.uint64(t.actions - t.kinds))


@jit
def is_blank(s: State) -> bool:
    """True if everything that follows from the cards played is 0."""
    cells = bytes_of(s)
    for field in range(REPLAYED.shape[0]):
        for place in range(REPLAYED[field, 0], REPLAYED[field, 1]):
            if cells[place]:
                return False
    return True


@jit
def has_pack(s: State, t: Tables, left: Array) -> bool:
    """True if the cards held and played are cards of one pack."""
    for kind in range(t.kinds):
        left[kind] = 0
        for seat in range(INT64(t.seats)):
            left[kind] += count(s.hands, seat, bit(kind), t.copies)
    for ply in range(s.plies):
        left[s.history[ply]] += 1
    return fits_pack(t, left)


@jit
def fits_pack(t: Tables, left: Array) -> bool:
    """True if there are no more copies of any kind than in the pack."""
    for place in range(t.deck_size):
        left[t.deck[place]] -= 1
    for kind in range(t.kinds):
        if left[kind] > 0:
            return False
    return True


@jit
def has_passed(s: State, t: Tables, seat: int, left: Array) -> bool:
    """True if the observer has had the cards that it received, and passed cards of the pack beside the rest."""
    for kind in range(t.kinds):
        card = bit(kind)
        left[kind] = count(s.hands, seat, card, t.copies) + count(s.played_by, seat, card, t.copies)
    sound = True
    for lane in range(known_picks(s, t, seat, True)):
        left[s.received[seat, lane]] -= 1
        sound = sound and left[s.received[seat, lane]] >= 0
    for lane in range(known_picks(s, t, seat, False)):
        left[s.picks[seat, lane]] += 1
    return fits_pack(t, left) and sound


@jit
def agrees_with_history(s: State, t: Tables, w: State) -> bool:
    """True if the play of a deal so far leads to what a record shows; `w` is a copy of it."""
    if s.leader < 0 and s.plies == 0:
        return False
    rewind(s, t, w)
    for ply in range(s.plies):
        if w.phase != PLAY or w.seat != s.history_seat[ply] or w.plies >= t.seats * t.hand_size:
            return False
        replay(s, t, w, ply)
    same = w.phase == s.phase and w.seat == s.seat and w.leader == s.leader and w.plies < t.seats * t.hand_size
    same = same and w.trick_len == s.trick_len
    if s.trick_len:
        same = same and w.led_suit == s.led_suit and w.trick_goal == s.trick_goal
    for place in range(s.trick_len):
        same = same and w.trick[place] == s.trick[place]
    for card in range(t.kitty_size):
        same = same and w.kitty_seat[card] == s.kitty_seat[card]
    given, found = bytes_of(s), bytes_of(w)
    for field in range(REPLAYED.shape[0]):
        for place in range(REPLAYED[field, 0], REPLAYED[field, 1]):
            same = same and given[place] == found[place]
    return same
