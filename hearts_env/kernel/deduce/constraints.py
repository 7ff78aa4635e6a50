"""Conclusions from a view about the hidden cards: how many each seat holds, which it must hold, and which it cannot.

A seat that plays a card shows that it holds none that would have made this card illegal: the suit to follow, a card
that had to be led or discarded instead, one that an exposed card had to wait for. The kernel's own rules decide this,
card by card.
"""

from __future__ import annotations

import numpy as np

from hearts_env.kernel.bits import INT64, ONE, bit, lowest, popcount
from hearts_env.kernel.dealing import clear_deal, giver_to, next_seat, opening_seat
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import FORCED, legal, legal_cards
from hearts_env.kernel.records import NOBODY, Array, Mask, Phase, Scoring, State, Tables
from hearts_env.kernel.rows import known_picks
from hearts_env.kernel.steps import call_suit, play
from hearts_env.kernel.tricks import add_card, count, remove_card
from hearts_env.ruleset.limits import CARDS, KINDS, PLANES, SEATS

REFUSE, PASS, PLAY, SUIT = Phase.REFUSE.value, Phase.PASS.value, Phase.PLAY.value, Phase.SUIT.value
IDLE = Scoring.IDLE.value
HOLDERS = SEATS + 1
"""The seats and, as number `seats` of a game, the kitty."""
CLASSES = 16
STATES = 1 << 16
MOST_HELD = 64

HIDDEN = np.dtype(
    [
        # what the view implies
        ("forbidden", "u8", SEATS),  # kinds that a seat cannot hold
        ("known", "u8", (SEATS, PLANES)),  # cards that a seat must hold
        ("capacity", "i8", HOLDERS),  # other cards that a holder gets
        ("put_aside", "i8", SEATS),  # how many of those a seat has picked to pass
        ("unplaced", "i8", KINDS),  # copies of a kind that have no place yet: the free cards
        # the free cards by class
        ("classes", "i8"),  # number of classes
        ("class_of", "i8", KINDS),  # class of a kind
        ("allowed", "i8", CLASSES),  # holders that may have its cards, one bit each
        ("start", "i8", CLASSES),  # its first place in `cards`
        ("size", "i8", CLASSES),  # its number of cards
        ("cards", "u1", CARDS),  # kinds of the free cards, class by class
        # the count
        ("order", "i8", HOLDERS),  # holders with capacity: those excluded from some class first
        ("holders", "i8"),  # their number
        ("constrained", "i8"),  # number of those excluded from some class
        ("stride", "i8", CLASSES),  # place value of a class in the index of `ways`
        ("ways", "f8", STATES),  # ways to deal what is left to the holders still to come
        ("choose", "f8", (CARDS + 1, MOST_HELD)),  # binomial coefficients
        ("left", "i8", CLASSES),  # cards of a class left to deal
        ("cap", "i8", CLASSES),  # most cards of a class that a holder can get
        ("part", "i8", CLASSES),  # cards of a class that a holder gets
        # the draw
        ("pool", "u8", (1, PLANES)),  # cards of a hand that may have been received in the pass
        ("slot", "i8"),  # place in the kitty to fill next
        ("rotation", "i8"),  # by how many places unconstrained holders exchange what they get
    ],
    align=True,
)
"""The hidden cards of one view, and the memory needed to count and draw its worlds."""

Hidden = State
"""A `HIDDEN` record."""


@jit
def read_hidden(s: State, t: Tables, me: int, h: Hidden, w: State) -> None:
    """Fill in the constraints that follow from the view `s` of seat `me`; `w` is a `STATE` record to work with."""
    for seat in range(INT64(t.seats)):
        h.forbidden[seat] = np.uint64(0)
        for plane in range(PLANES):
            h.known[seat, plane] = np.uint64(0)
    _count_capacities(s, t, me, h)
    _count_unplaced(s, t, me, h)
    if s.phase == PLAY or s.phase == SUIT:
        _forbid(s, t, me, h, w)
    _know(s, t, me, h)
    for seat in range(INT64(t.seats)):
        for plane in range(t.copies):
            cards = h.known[seat, plane]
            h.capacity[seat] -= popcount(cards)
            while cards:
                h.unplaced[lowest(cards)] -= 1
                cards &= cards - ONE


@jit
def _count_capacities(s: State, t: Tables, me: int, h: Hidden) -> None:
    for seat in range(INT64(t.seats)):
        h.put_aside[seat] = known_picks(s, t, seat, False) if s.phase == PASS or s.phase == REFUSE else 0
        h.capacity[seat] = 0 if seat == me or s.phase > SUIT else t.hand_size
    if s.phase == PLAY or s.phase == SUIT:
        for ply in range(s.plies):
            if s.history_seat[ply] != me:
                h.capacity[s.history_seat[ply]] -= 1
    kitty = INT64(t.seats)
    h.capacity[kitty] = 0
    for card in range(t.kitty_size):
        h.capacity[kitty] += s.kitty_seat[card] != me


@jit
def _count_unplaced(s: State, t: Tables, me: int, h: Hidden) -> None:
    for kind in range(t.kinds):
        card = bit(kind)
        h.unplaced[kind] = -count(s.hands, me, card, t.copies) - count(s.played, 0, card, t.copies)
    for place in range(t.deck_size):
        h.unplaced[t.deck[place]] += 1
    for place in range(h.put_aside[me]):
        h.unplaced[s.picks[me, place]] -= 1
    for card in range(t.kitty_size):
        if s.kitty_seat[card] == me:
            h.unplaced[s.kitty[card]] -= 1


@jit
def is_refusing(s: State) -> bool:
    """True while cards that were picked may still be refused (passing.refusable), or one is being replaced."""
    return s.phase == REFUSE or (s.phase == PASS and s.refuser >= 0)


@jit
def rewind(s: State, t: Tables, w: State) -> None:
    """Set `w`, which has the hands of `s` in play or of a world, to the opening lead: every hand with the cards that
    its seat has played since.
    """
    for ply in range(s.plies):
        add_card(w.hands, INT64(s.history_seat[ply]), s.history[ply])
    exposed, raised, leader, free = s.exposed, s.raised, INT64(s.leader), s.free_lead
    clear_deal(w, t)
    for seat in range(INT64(t.seats)):  # announcements before play are public
        w.pledges[seat], w.shown[seat], w.handed_back[seat] = s.pledges[seat], s.shown[seat], s.handed_back[seat]
    w.exposed, w.raised, w.free_lead = exposed, raised, free
    w.leader = s.history_seat[0] if s.plies else leader
    w.dealer, w.next_leader, w.named_leader = s.dealer, s.next_leader, s.named_leader
    w.seat = w.leader
    w.phase = PLAY


@jit
def replay(s: State, t: Tables, w: State, ply: int) -> None:
    """Play the card of a ply in `w`, and call the suit that was called to it."""
    w.seat = s.history_seat[ply]
    called = INT64(w.called)
    play(w, t, s.history[ply])
    if w.phase == SUIT and called < s.called:
        call_suit(w, t, INT64((s.calls >> (2 * called)) & 3))


@jit
def replay_deal(states: Array, table: Array, replayed: Array, marks: Array) -> int:
    """Play the deal of the only record of `states` again in that of `replayed`, a copy of it, from the opening lead.

    `marks` (plies, 3) gets, for each ply, whether it ended its trick, the winner of that trick (-1: it was dead), and
    the suit called to the card (-1: none). Returns the number of plies, or the first one that was not its seat's turn.
    """
    s, t, w = states[0], table[0], replayed[0]
    if s.plies:
        rewind(s, t, w)
    for ply in range(s.plies):
        if w.phase != PLAY or w.scoring != IDLE or w.seat != s.history_seat[ply]:
            return ply
        number, rolled, called = INT64(w.trick_number), INT64(w.rolled_tricks), INT64(w.called)
        replay(s, t, w, ply)
        marks[ply, 0] = w.trick_number > number
        marks[ply, 1] = NOBODY if w.rolled_tricks > rolled else w.leader
        marks[ply, 2] = (s.calls >> (2 * called)) & 3 if w.called > called else NOBODY
    return INT64(s.plies)


@jit
def copy_hands(w: State, other: State) -> None:
    """Give a state the hands of another; card by card, since Numba takes seconds to compile a copy of whole arrays."""
    for seat in range(SEATS):
        for plane in range(PLANES):
            w.hands[seat, plane] = other.hands[seat, plane]


@jit
def is_consistent(s: State, t: Tables, world: State, w: State) -> bool:
    """True if, given the hands of a world, every card of the deal so far was legal and the right seat had the opening
    lead.
    """
    copy_hands(w, world)
    rewind(s, t, w)
    if not leads_rightly(s, t, w):
        return False
    for ply in range(s.plies):
        w.seat = s.history_seat[ply]
        if not legal(w, t) & bit(s.history[ply]):
            return False
        replay(s, t, w, ply)
    return True


@jit
def leads_rightly(s: State, t: Tables, w: State) -> bool:
    """True if the hands of `w`, at the opening lead, give the lead to the seat that had it; or to another, where a
    leader was named that need not open with the opening card.
    """
    if names_leader(s, t):
        return opening_seat(w, t) == INT64(w.leader)
    held_elsewhere = s.next_leader < 0 and s.named_leader >= 0 and s.free_lead
    return not held_elsewhere or opening_seat(w, t) != INT64(w.leader)


@jit
def names_leader(s: State, t: Tables) -> bool:
    """True if the hands decide who leads first: neither the deal before nor whoever set this one did, unless that seat
    must open with the opening card and so holds it.
    """
    return (
        t.opener != 0 and s.next_leader < 0 and (s.named_leader < 0 or (t.opening_card == FORCED and not s.free_lead))
    )


@jit
def _forbid(s: State, t: Tables, me: int, h: Hidden, w: State) -> None:
    """Find the cards that the play so far rules out, seat by seat."""
    rewind(s, t, w)
    first = w.leader
    if names_leader(s, t):
        _forbid_openers(s, t, me, h, INT64(first))
    for ply in range(s.plies):
        seat = INT64(s.history_seat[ply])
        if seat != me and not t.jokers & bit(s.history[ply]):
            _forbid_beside(t, h, w, seat, bit(s.history[ply]))
        replay(s, t, w, ply)


@jit
def _forbid_beside(t: Tables, h: Hidden, w: State, seat: int, card: Mask) -> None:
    """Forbid the kinds beside which a seat could not have played a card in the situation of `w`."""
    led = INT64(w.led_suit) if w.trick_len else INT64(-1)
    opening = np.uint64(0) if w.free_lead else t.opening
    for kind in range(t.kinds):
        other = bit(kind)
        if h.unplaced[kind] and not h.forbidden[seat] & other:
            legal_now = legal_cards(
                t, card | other, led, w.trick_number == 0, w.broken, opening, w.exposed, w.led_suits
            )
            if not legal_now & card:
                h.forbidden[seat] |= other


@jit
def _forbid_openers(s: State, t: Tables, me: int, h: Hidden, leader: int) -> None:
    """Forbid the opening cards that would have given another seat the lead."""
    best = 64
    if leader == me:
        best = lowest((s.hands[me, 0] | s.played_by[me, 0]) & t.opener)
    elif popcount(t.opener) == 1:
        best = lowest(t.opener)
    elif s.plies and t.opening_card == FORCED:
        best = INT64(s.history[0])
    if best == 64:
        return
    lower = t.opener & (bit(best) - ONE)
    for seat in range(INT64(t.seats)):
        h.forbidden[seat] |= lower | bit(best) if seat < leader else lower


@jit
def _know(s: State, t: Tables, me: int, h: Hidden) -> None:
    """Place the cards that a seat is known to hold: passed to it by this seat, shown by it, or that gave it the
    lead.
    """
    if s.phase > PASS and s.pass_option >= 0:
        _know_passed(s, t, me, h)
    leader = INT64(s.history_seat[0] if s.plies else s.leader)
    leads = (s.phase == PLAY or s.phase == SUIT) and names_leader(s, t) and popcount(t.opener) == 1
    leads = leads and not (t.kitty_size and leader == next_seat(t, s.dealer))  # who leads if the card is in the kitty
    for seat in range(INT64(t.seats)):
        if seat == me:
            continue
        cards = s.shown[seat] | s.handed_back[seat]
        if is_refusing(s) and seat == giver_to(s, t, me):
            cards |= s.offered[me]
        if leads and seat == leader:
            cards |= t.opener
        cards &= ~s.played_by[seat, 0] & ~h.known[seat, 0]
        while cards:
            kind = lowest(cards)
            cards &= cards - ONE
            if h.unplaced[kind]:
                add_card(h.known, seat, kind)


@jit
def _know_passed(s: State, t: Tables, me: int, h: Hidden) -> None:
    lane = 0
    for move in range(t.option_len[s.pass_option]):
        if t.option_moves[s.pass_option, move, 0] == 0:  # nobody knows where cards of the pool went
            return
        to = me + INT64(t.option_moves[s.pass_option, move, 0])
        to = to - t.seats if to >= t.seats else to
        for _ in range(t.option_moves[s.pass_option, move, 1]):
            add_card(h.known, to, s.picks[me, lane])
            lane += 1
    for ply in range(s.plies):  # of two copies of a kind, the one passed may be the one played
        seat, card = INT64(s.history_seat[ply]), bit(s.history[ply])
        if seat != me and h.known[seat, 0] & card:
            remove_card(h.known, seat, s.history[ply])
