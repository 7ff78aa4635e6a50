"""Dealing and passing: the shuffle that a seed fixes, what a deal starts from, and the exchange of cards."""

from __future__ import annotations

import numpy as np

from hearts_env.kernel.bits import INT64, advance, below, bit, card_buffer, lowest, mix
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import NOBODY, Mask, Pledge, Scoring, State, Tables
from hearts_env.kernel.tricks import add_card
from hearts_env.ruleset.enums import Schedule

UNSAID = Pledge.NONE.value
IDLE = Scoring.IDLE.value
RANDOM = Schedule.RANDOM.code


@jit
def next_seat(t: Tables, seat: int) -> int:
    """The seat whose turn comes after another."""
    following = seat + t.rotation  # table.direction: the turn goes to the left or to the right
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
    # passing.schedule, passing.cycle: entries follow in order, or one is drawn for each deal
    return below(mix(deal_random(s)), t.entries) if t.passing_schedule == RANDOM else s.deal_number % t.entries


@jit
def draw_first_deal(s: State, t: Tables, deals: int) -> int:
    """The first deal of an episode of `deals` deals: drawn from the pass cycle, so that short episodes pass as matches
    do. A whole match (`deals` 0) begins with deal 0.
    """
    if deals == 0:
        return 0
    last = t.pass_cycle - 1
    if t.end_max_deals:  # end.max_deals: an episode that begins too late would have fewer deals
        last = min(last, t.end_max_deals - deals)
    return below(mix(~s.seed), max(last, 0) + 1)


@jit
def shuffle(s: State, t: Tables) -> None:
    """Deal the pack."""
    rng = deal_random(s)
    left = INT64(t.deck_size)
    cards = card_buffer()
    for place in range(left):
        cards[place] = t.deck[place]
    for seat in range(INT64(t.seats)):
        for plane in range(t.copies):
            s.hands[seat, plane] = 0
        held = np.uint64(0)
        for _ in range(t.hand_size):
            rng = advance(rng)
            place = below(mix(rng), left)
            left -= 1
            card = bit(cards[place])
            if held & card:
                s.hands[seat, 0] = held
                add_card(s.hands, seat, cards[place])
            held |= card
            cards[place] = cards[left]
        s.hands[seat, 0] = held
    for card in range(t.kitty_size):
        rng = advance(rng)
        place = below(mix(rng), left)
        left -= 1
        s.kitty[card] = cards[place]
        cards[place] = cards[left]
    for place in range(t.deck_size):
        s.history[place] = 0  # of the deal before


@jit
def clear_match(s: State, t: Tables) -> None:
    """Reset what a match remembers of earlier deals, except the totals."""
    s.tie_pending = 0
    s.moon_extension = 0
    s.finished = 0
    s.pool = 0
    s.next_leader = NOBODY
    for seat in range(INT64(t.seats)):
        s.streak[seat] = 0
        s.lives[seat] = t.end_lives  # end.lives: of every player
        s.lost_at[seat] = -1


@jit
def clear_deal(s: State, t: Tables) -> None:
    """Reset what concerns one deal only."""
    for seat in range(INT64(t.seats)):
        for plane in range(t.copies):
            s.taken[seat, plane] = 0
            s.played_by[seat, plane] = 0
        s.points[seat, 0], s.points[seat, 1] = 0, 0
        s.tricks_won[seat] = 0
        s.voids[seat] = 0
        s.idle_jokers[seat] = 0
        s.pledges[seat] = UNSAID
        s.shown[seat] = 0
        s.offered[seat] = 0
        s.handed_back[seat] = 0
        s.signs[seat] = 0
    for plane in range(t.copies):
        s.played[0, plane] = 0
        s.rolled_over[0, plane] = 0
    for card in range(t.kitty_size):
        s.kitty_seat[card] = NOBODY
    s.scoring = IDLE
    s.refuser = NOBODY
    s.kitty_given = 0
    s.exposed = 0
    s.raised = 0
    s.plies = 0
    s.trick_len = 0
    s.trick_number = 0
    s.rolled_tricks = 0
    s.rolled_idle = 0
    s.picked = s.declined = 0
    s.broken = 0
    s.led_suits = 0
    s.calls = 0
    s.called = 0
    s.led_suit = NOBODY
    s.leader = NOBODY
    s.named_leader = NOBODY
    s.free_lead = 0
    s.first_winner = NOBODY
    s.shooter = NOBODY
    s.passer = NOBODY
    s.moon_choices = 0
    s.moon_choice = NOBODY
    s.next_dealer = NOBODY


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
def offer_cards(s: State, t: Tables) -> None:
    """Write which cards each seat may refuse to receive."""
    # passing.refusable: the pass has one move, so the pick of one seat goes to one receiver
    for seat in range(INT64(t.seats)):
        to = seat + t.option_moves[s.pass_option, 0, 0]
        to = to - t.seats if to >= t.seats else to
        s.offered[to] = 0
        for lane in range(t.option_cards[s.pass_option]):
            s.offered[to] |= bit(s.picks[seat, lane]) & t.passing_refusable


@jit
def giver_to(s: State, t: Tables, receiver: int) -> int:
    """The seat whose picks a seat receives, in a pass of one move."""
    seat = receiver - INT64(t.option_moves[s.pass_option, 0, 0])
    return seat if seat >= 0 else seat + t.seats


@jit
def hand_back(s: State, t: Tables, receiver: int, card: Mask) -> int:
    """Return a refused card to the hand of the seat that picked it, which has to pick another. Returns that seat."""
    giver = giver_to(s, t, receiver)
    last = INT64(t.option_cards[s.pass_option]) - 1
    for lane in range(last):
        if bit(s.picks[giver, lane]) == card:
            s.picks[giver, lane] = s.picks[giver, last]
            break
    s.picks[giver, last] = 0
    add_card(s.hands, giver, lowest(card))
    s.handed_back[giver] |= card
    return giver


@jit
def share_pool_cards(s: State, t: Tables, count: int) -> None:
    """Shuffle everybody's picks and deal `count` of them to each seat."""
    left = INT64(0)
    cards = card_buffer()
    for seat in range(INT64(t.seats)):
        for lane in range(count):
            cards[left] = s.picks[seat, lane]
            left += 1
    rng = mix(~deal_random(s))
    for seat in range(INT64(t.seats)):
        for lane in range(count):
            rng = advance(rng)
            place = below(mix(rng), left)
            left -= 1
            s.received[seat, lane] = cards[place]
            add_card(s.hands, seat, cards[place])
            cards[place] = cards[left]


@jit
def opening_seat(s: State, t: Tables) -> int:
    """The seat that leads to the first trick."""
    # opening.leader, opening.holder: the holder of the lowest opening card in a hand, or the seat after the dealer
    leader, best = next_seat(t, s.dealer), 64
    for seat in range(INT64(t.seats)):
        card = lowest(s.hands[seat, 0] & t.opener)
        if card < best:
            leader, best = seat, card
    return leader
