"""Whether a record that a caller has made is a position of the game, as far as compiled code relies on it.

Compiled code checks no index. So whatever indexes is in range, no card is there more often than in the pack, and in
play the cards on the table and those taken are what the history of the deal makes of them.
"""

from __future__ import annotations

import numpy as np

from hearts_env.kernel.bits import INT64, bit, lowest
from hearts_env.kernel.deduce.constraints import replay, rewind
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import legal
from hearts_env.kernel.records import JOKER_SUIT, NOBODY, TRICK, Array, Mask, Phase, State, Tables
from hearts_env.kernel.rows import known_picks
from hearts_env.kernel.scoring import sign_seat
from hearts_env.kernel.totals import exact_hit
from hearts_env.ruleset.limits import CARDS, PICKS, PLANES

DIRECTION, REFUSE, PASS, EXPOSE, PLEDGE, PLAY, SUIT, MOON, SIGN, EXACT, OVER = (
    phase.value
    for phase in (
        Phase.DIRECTION,
        Phase.REFUSE,
        Phase.PASS,
        Phase.EXPOSE,
        Phase.PLEDGE,
        Phase.PLAY,
        Phase.SUIT,
        Phase.MOON,
        Phase.SIGN,
        Phase.EXACT,
        Phase.OVER,
    )
)
MOST_CALLS = 16
ITS_OWN = -2
"""The observer is the seat to act of each record."""


@jit
def first_unsound(records: Array, table: Array, observer: int, left: Array, scratch: Array) -> int:
    """Index of the first record that is no position of the game, or -1.

    `observer` is the seat whose cards the records show: `NOBODY` for whole positions, `ITS_OWN` for views of the seat
    to act. `left` (kinds,) int64 and `scratch`, one `STATE` record, are room to work in.
    """
    t = table[0]
    every = ~np.uint64(0) if t.kinds == 64 else bit(INT64(t.kinds)) - np.uint64(1)
    for i in range(records.shape[0]):
        s = records[i]
        if not (names_seats(s, t) and is_turn(s, t) and has_cards(s, t, every)):
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
def is_seat(t: Tables, seat: int) -> bool:
    """Whether a number is a seat or `NOBODY`."""
    return NOBODY <= seat < t.seats


@jit
def names_seats(s: State, t: Tables) -> bool:
    """Whether every seat that a record names exists."""
    if not (is_seat(t, s.seat) and (s.seat >= 0 or s.phase == OVER) and 0 <= s.dealer < t.seats):
        return False
    if not (is_seat(t, s.leader) and is_seat(t, s.named_leader) and is_seat(t, s.refuser)):
        return False
    if not (is_seat(t, s.next_dealer) and is_seat(t, s.next_leader) and is_seat(t, s.first_winner)):
        return False
    for card in range(t.kitty_size):
        if not is_seat(t, s.kitty_seat[card]):
            return False
    return is_seat(t, s.shooter) and is_seat(t, s.passer)


@jit
def is_turn(s: State, t: Tables) -> bool:
    """Whether phase, pass, trick and counts are possible."""
    if not (DIRECTION <= s.phase <= OVER and s.deal_number >= 0 and 0 <= s.pass_entry < t.entries):
        return False
    if not (NOBODY <= s.pass_option < t.options and 0 <= s.picked <= PICKS):
        return False
    if not (NOBODY <= s.led_suit <= JOKER_SUIT and 0 <= s.trick_len <= TRICK and 0 <= s.trick_number <= CARDS):
        return False
    if not (0 <= s.moon_choices <= 3 and 0 <= s.called <= MOST_CALLS and 0 <= s.kitty_given <= t.kitty_size):
        return False
    if not 0 <= s.plies <= t.seats * t.hand_size or (s.trick_len and s.phase != PLAY and s.phase != SUIT):
        return False
    return has_choice(s, t)


@jit
def has_choice(s: State, t: Tables) -> bool:
    """Whether the phase fits what came before it."""
    if s.pass_option >= 0 and not t.entry_options[s.pass_entry] & bit(INT64(s.pass_option)):
        return False
    if s.phase == DIRECTION and s.pass_option >= 0:
        return False
    if (s.phase == PASS or s.phase == REFUSE) and (s.pass_option < 0 or s.picked >= t.option_cards[s.pass_option]):
        return False
    if (s.picked and s.phase != PASS) or not knows_phase(s.phase, t):
        return False
    if s.phase < PLAY:
        return not (s.plies or s.trick_number or s.called or s.kitty_given or s.rolled_tricks)
    if s.phase == MOON or s.phase == SIGN:
        return s.shooter >= 0 and (s.moon_choices != 0 if s.phase == MOON else sign_seat(s, t) >= 0)
    return s.phase != EXACT or exact_hit(s, t, INT64(s.seat)) >= 0


@jit
def knows_phase(phase: int, t: Tables) -> bool:
    """Whether a game has a phase."""
    if phase == REFUSE:
        return t.refusals > 0
    if phase == EXPOSE:
        return t.exposures > 0
    if phase == PLEDGE:
        return t.score_pledge != 0
    return phase != EXACT or t.end_exact_optional != 0


@jit
def has_legal_action(s: State, t: Tables) -> bool:
    """Whether the seat to act has an action to choose, and only such as the game has."""
    if (s.phase == PLAY or s.phase == PASS) and s.hands[s.seat, 0] == 0:
        return False
    actions = legal(s, t)
    return actions != 0 and (s.phase == PLAY or s.phase == PASS or not actions >> np.uint64(t.actions - t.kinds))


@jit
def has_cards(s: State, t: Tables, every: Mask) -> bool:
    """Whether all cards are of the pack."""
    sound = not (s.exposed | s.raised) & ~every and is_set(s.played, 0, t, every) and is_set(s.rolled_over, 0, t, every)
    for seat in range(INT64(t.seats)):
        sound = sound and is_set(s.hands, seat, t, every) and is_set(s.taken, seat, t, every)
        sound = sound and is_set(s.played_by, seat, t, every)
        sound = sound and not (s.shown[seat] | s.offered[seat] | s.handed_back[seat]) & ~every
        for lane in range(PICKS):
            sound = sound and s.picks[seat, lane] < t.kinds and s.received[seat, lane] < t.kinds
    for card in range(t.kitty_size):
        sound = sound and s.kitty[card] < t.kinds
    for place in range(s.trick_len):
        sound = sound and s.trick[place] < t.kinds
    for ply in range(s.plies):
        sound = sound and s.history[ply] < t.kinds and s.history_seat[ply] < t.seats
    if s.phase < PLAY:
        for plane in range(PLANES):
            sound = sound and s.played[0, plane] == 0 and s.rolled_over[0, plane] == 0
            for seat in range(INT64(t.seats)):
                sound = sound and s.taken[seat, plane] == 0 and s.played_by[seat, plane] == 0
    return sound


@jit
def is_set(sets: Array, row: int, t: Tables, every: Mask) -> bool:
    """Whether a row of masks is a set of cards of the pack: no more copies than there are, a second above a first."""
    above = every
    for plane in range(PLANES):
        if sets[row, plane] & ~(above if plane < t.copies else np.uint64(0)):
            return False
        above = sets[row, plane]
    return True


@jit
def has_pack(s: State, t: Tables, left: Array) -> bool:
    """Whether the cards held and played are cards of one pack."""
    open_pack(t, left)
    sound = True
    for seat in range(INT64(t.seats)):
        sound = takes(s.hands, seat, t, left) and sound
    for ply in range(s.plies):
        left[s.history[ply]] -= 1
        sound = sound and left[s.history[ply]] >= 0
    return sound


@jit
def has_passed(s: State, t: Tables, seat: int, left: Array) -> bool:
    """Whether the observer has had the cards that it received, and passed cards of the pack beside the rest."""
    for kind in range(t.kinds):
        left[kind] = 0
    for plane in range(t.copies):
        cards = s.hands[seat, plane]
        while cards:
            left[lowest(cards)] += 1
            cards &= cards - np.uint64(1)
    for ply in range(s.plies):
        left[s.history[ply]] += s.history_seat[ply] == seat
    sound = True
    for lane in range(known_picks(s, t, seat, True)):
        left[s.received[seat, lane]] -= 1
        sound = sound and left[s.received[seat, lane]] >= 0
    for lane in range(known_picks(s, t, seat, False)):
        left[s.picks[seat, lane]] += 1
    for place in range(t.deck_size):
        left[t.deck[place]] -= 1
    for kind in range(t.kinds):
        sound = sound and left[kind] <= 0
    return sound


@jit
def open_pack(t: Tables, left: Array) -> None:
    """Write the number of copies of every kind."""
    for kind in range(t.kinds):
        left[kind] = 0
    for place in range(t.deck_size):
        left[t.deck[place]] += 1


@jit
def takes(sets: Array, row: int, t: Tables, left: Array) -> bool:
    """Take the cards of a set from those left. Returns whether they were there."""
    for plane in range(t.copies):
        cards = sets[row, plane]
        while cards:
            kind = lowest(cards)
            cards &= cards - np.uint64(1)
            left[kind] -= 1
            if left[kind] < 0:
                return False
    return True


@jit
def agrees_with_history(s: State, t: Tables, w: State) -> bool:
    """Whether the play of a deal so far leads to what a record shows; `w` is a copy of it."""
    if s.leader < 0 and s.plies == 0:
        return False
    rewind(s, t, w)
    for ply in range(s.plies):
        if w.phase != PLAY or w.seat != s.history_seat[ply] or w.plies >= t.seats * t.hand_size:
            return False
        replay(s, t, w, ply)
    same = w.phase == s.phase and w.seat == s.seat and w.leader == s.leader and w.plies < t.seats * t.hand_size
    same = same and w.trick_len == s.trick_len and w.trick_number == s.trick_number and w.led_suits == s.led_suits
    same = same and w.called == s.called and w.kitty_given == s.kitty_given and w.broken == s.broken
    same = same and w.rolled_tricks == s.rolled_tricks
    if s.trick_len:
        same = same and w.led_suit == s.led_suit and w.trick_goal == s.trick_goal
    for place in range(s.trick_len):
        same = same and w.trick[place] == s.trick[place]
    for plane in range(PLANES):
        same = same and w.played[0, plane] == s.played[0, plane] and w.rolled_over[0, plane] == s.rolled_over[0, plane]
    for card in range(t.kitty_size):
        same = same and w.kitty_seat[card] == s.kitty_seat[card]
    for seat in range(INT64(t.seats)):
        same = same and w.tricks_won[seat] == s.tricks_won[seat]
        for plane in range(PLANES):
            same = same and w.taken[seat, plane] == s.taken[seat, plane]
            same = same and w.played_by[seat, plane] == s.played_by[seat, plane]
    return same
