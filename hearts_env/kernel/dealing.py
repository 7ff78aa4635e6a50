"""Dealing and passing: the shuffle that a seed fixes, what a deal starts from, and the exchange of cards."""

from __future__ import annotations

import numpy as np

from hearts_env.kernel.bits import INT64, advance, below, bit, lowest, mix
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import NOBODY, PLANES, Mask, Pledge, State, Tables
from hearts_env.kernel.tricks import add_card

UNSAID = Pledge.NONE.value
_NOBODY, _PLANES = NOBODY, PLANES


@jit
def next_seat(t: Tables, seat: int) -> int:
    """The seat whose turn comes after another."""
    following = seat + t.turn
    return following - t.seats if following >= t.seats else following


@jit
def deal_random(s: State) -> Mask:
    """The generator of deal `deal_number`: it depends on that and `seed` only, never on how the cards were played."""
    return mix(s.seed ^ mix(np.uint64(s.deal_number)))


@jit
def first_dealer(s: State, t: Tables) -> int:
    """The dealer of the first deal."""
    return below(mix(s.seed), t.seats)


@jit
def draw_entry(s: State, t: Tables) -> int:
    """The entry of the pass cycle for this deal."""
    return below(mix(deal_random(s)), t.entries) if t.random_entry else s.deal_number % t.entries


@jit
def shuffle(s: State, t: Tables) -> None:
    """Deal the pack."""
    rng = deal_random(s)
    left = INT64(t.deck_size)
    for place in range(left):
        s.history[place] = t.deck[place]  # scratch until the first card is played
    for seat in range(INT64(t.seats)):
        for plane in range(t.copies):
            s.hands[seat, plane] = 0
        held = np.uint64(0)
        for _ in range(t.hand_size):
            rng = advance(rng)
            place = below(mix(rng), left)
            left -= 1
            card = bit(s.history[place])
            if held & card:
                s.hands[seat, 0] = held
                add_card(s.hands, seat, s.history[place])
            held |= card
            s.history[place] = s.history[left]
        s.hands[seat, 0] = held
    for card in range(t.kitty_size):
        rng = advance(rng)
        place = below(mix(rng), left)
        left -= 1
        s.kitty[card] = s.history[place]
        s.history[place] = s.history[left]
    for place in range(t.deck_size):
        s.history[place] = 0  # what shuffling leaves there would tell a view of hidden cards


@jit
def clear_match(s: State, t: Tables) -> None:
    """Forget everything about earlier deals but the totals."""
    s.due = 0
    s.extended = 0
    s.finished = 0
    s.pool = 0
    s.next_leader = _NOBODY
    for seat in range(INT64(t.seats)):
        s.streak[seat] = 0
        s.lives[seat] = t.lives
        s.lost_at[seat] = -1


@jit
def clear_deal(s: State, t: Tables) -> None:
    """Forget everything about the last deal but what `clear_match` forgets and the totals."""
    for seat in range(INT64(t.seats)):
        for plane in range(t.copies):
            s.taken[seat, plane] = 0
        s.points[seat, 0] = 0
        s.points[seat, 1] = 0
        s.tricks_won[seat] = 0
        s.voids[seat] = 0
        s.idle[seat] = 0
        s.pledges[seat] = UNSAID
        s.shown[seat] = 0
    for plane in range(t.copies):
        s.gone[0, plane] = 0
        s.rolled[0, plane] = 0
    for card in range(t.kitty_size):
        s.kitty_seat[card] = _NOBODY
    s.kitty_given = 0
    s.exposed = 0
    s.raised = 0
    s.plies = 0
    s.trick_len = 0
    s.trick_number = 0
    s.rolled_tricks = 0
    s.rolled_idle = 0
    s.picked = 0
    s.broken = 0
    s.led_suits = 0
    s.calls = 0
    s.called = 0
    s.led_suit = _NOBODY
    s.leader = _NOBODY
    s.named_leader = _NOBODY
    s.free_lead = 0
    s.first_winner = _NOBODY
    s.shooter = _NOBODY
    s.passer = _NOBODY
    s.moon_choices = 0
    s.moon_choice = _NOBODY
    s.next_dealer = _NOBODY


@jit
def exchange(s: State, t: Tables) -> None:
    """Hand every pick to its receiver; lane by lane, so that a seat knows which seat each card came from."""
    option = s.pass_option
    lane = 0
    for move in range(t.option_len[option]):
        offset = t.option_moves[option, move, 0]
        if offset == 0:
            share_pool_cards(s, t, t.option_moves[option, move, 1])
            return
        for _ in range(t.option_moves[option, move, 1]):
            for seat in range(INT64(t.seats)):
                to = seat + offset
                if to >= t.seats:
                    to -= t.seats
                s.received[to, lane] = s.picks[seat, lane]
                add_card(s.hands, to, s.picks[seat, lane])
            lane += 1


@jit
def share_pool_cards(s: State, t: Tables, count: int) -> None:
    """Shuffle everybody's picks and deal `count` of them to each seat."""
    left = INT64(0)
    for seat in range(INT64(t.seats)):
        for lane in range(count):
            s.history[left] = s.picks[seat, lane]
            left += 1
    rng = mix(~deal_random(s))
    for seat in range(INT64(t.seats)):
        for lane in range(count):
            rng = advance(rng)
            place = below(mix(rng), left)
            left -= 1
            s.received[seat, lane] = s.history[place]
            add_card(s.hands, seat, s.history[place])
            s.history[place] = s.history[left]
    for place in range(t.seats * count):
        s.history[place] = 0


@jit
def opening_seat(s: State, t: Tables) -> int:
    """Who leads to the first trick: the holder of the lowest opening card that is in a hand, or the seat after the
    dealer.
    """
    leader, best = next_seat(t, s.dealer), 64
    for seat in range(INT64(t.seats)):
        card = lowest(s.hands[seat, 0] & t.opener)
        if card < best:
            leader, best = seat, card
    return leader
