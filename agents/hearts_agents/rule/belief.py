"""Beliefs that follow from a view: the possible holders of unseen cards, the discards of void seats, possible moons."""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_agents.rule.card_values import CardValues, sum_values
from hearts_env.kernel.bits import ONE, bit, lowest, popcount
from hearts_env.kernel.dealing import next_seat
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import Mask, Phase, State, Tables
from hearts_env.kernel.tricks import count
from hearts_env.ruleset.limits import KINDS, SEATS

PLAY = Phase.PLAY.value
SUITS = 5
"""Jokers count as a suit of their own."""
NEGLIGIBLE = 0.02
"""Probability below which further cards of a seat are ignored."""

BELIEF = np.dtype(
    [
        # cards
        ("hand", "u8"),  # the player's cards, as a mask of kinds
        ("unseen", "u8"),  # kinds that other seats hold
        ("twice", "u8"),  # those of which two or more copies are unseen
        ("known", "u8", SEATS),  # those that this seat passed to each seat and has not seen since
        ("free", "u8"),  # unseen cards that are not known
        # seats
        ("share", "f8", (SEATS, SUITS)),  # probability that a free card of a suit lies with a seat
        ("dump", "f8", (SEATS, SUITS)),  # expected points that a seat void in a suit would discard on a trick of it
        ("plain_points", "f8", SUITS),  # values of the unseen penalties of a suit that are not dear
        ("live", "i8", SUITS),  # number of other seats not known to be void
        ("capacity", "f8", SUITS),  # number of free cards in their hands
        ("me", "i8"),
        # cards to lead from after this trick
        ("depth", "f8", KINDS),  # of the player's cards: unseen lower cards of the suit, per seat that may hold them
        ("exit", "i8"),  # the player's card of least depth; -1: none
        ("exit_depth", "f8"),  # its depth
        ("next_exit_depth", "f8"),  # the depth of the next best card
        # the trick on the table
        ("rest", "i8"),  # number of seats that play to it after this one
        ("trick_points", "f8"),  # points on the table
        ("top", "i8"),  # the winning card so far; -1: none
        ("winner", "i8"),  # its seat; -1: none
        ("with_moon", "i8"),  # whether a moon card lies on the table
        # the card that was forecast last; see `trick_forecast.forecast`
        ("suit", "i8"),  # its suit; -1: none yet
        ("leads", "i8"),  # whether it would be the winning one on the table
        ("under", "u8"),  # unseen lower cards of its suit
        ("over", "u8"),  # unseen higher ones
        ("wins", "f8"),  # probability that it wins the trick
        ("gain", "f8"),  # points that later seats are likely to add to the trick if it does
        # the moon
        ("suspect", "i8"),  # the other seat that has every moon card taken so far (else the leader); -1: none
        ("threat", "f8"),  # how likely the suspect is to shoot, 0 to 1
        ("moon_open", "i8"),  # whether somebody may still shoot
        ("may_shoot", "i8"),  # whether this seat may
        ("losers", "f8", SUITS),  # slope * expected losers of a hand's suits; see `moon.weigh_losers`
    ],
    align=True,
)
"""The beliefs of seat `me` at one decision."""

Belief = Any
"""A `BELIEF` record."""


@jit
def read_view(s: State, t: Tables, values: CardValues, belief: Belief) -> None:
    """Fill the belief from a view, except what concerns the trick on the table, later discards and the moon."""
    me = np.int64(s.seat)
    belief.me = me
    belief.hand = s.hands[me, 0]
    _find_unseen(s, t, values, belief)
    belief.rest = (s.trick_goal if s.trick_len else t.seats) - 1 - s.trick_len
    belief.free = belief.unseen
    for suit in range(SUITS):
        plain = belief.unseen & t.suit_mask[suit] & values.penalty & ~values.dear
        belief.plain_points[suit] = sum_values(values, plain)
    for seat in range(t.seats):
        belief.known[seat] = np.uint64(0)
    if s.phase == PLAY and s.pass_option >= 0:
        _recall_passes(s, t, belief)
    _share_out(s, t, belief)


@jit
def _find_unseen(s: State, t: Tables, values: CardValues, belief: Belief) -> None:
    belief.unseen = values.pack & ~s.played[0, 0] & ~belief.hand
    belief.twice = belief.unseen & values.twice
    left = values.twice & (s.played[0, 0] | belief.hand)
    while left:
        kind = lowest(left)
        card = bit(kind)
        left &= left - ONE
        out = values.copies[kind] - count(s.played, 0, card, t.copies) - count(s.hands, belief.me, card, t.copies)
        if out > 0:
            belief.unseen |= card
        if out > 1:
            belief.twice |= card


@jit
def count_unseen(belief: Belief, cards: Mask) -> int:
    """Count the unseen cards among some kinds, with second copies."""
    return popcount(belief.unseen & cards) + popcount(belief.twice & cards)


@jit
def _recall_passes(s: State, t: Tables, belief: Belief) -> None:
    lane = 0
    for move in range(t.option_len[s.pass_option]):
        if t.option_moves[s.pass_option, move, 0] == 0:  # nobody knows where cards of the pool went
            return
        to = belief.me + t.option_moves[s.pass_option, move, 0]
        if to >= t.seats:
            to -= t.seats
        for _ in range(t.option_moves[s.pass_option, move, 1]):
            # A copy that the seat has played may be the one it was passed.
            card = bit(s.picks[belief.me, lane]) & belief.unseen & ~s.played_by[to, 0]
            belief.known[to] |= card
            belief.free &= ~card
            lane += 1


@jit
def _share_out(s: State, t: Tables, belief: Belief) -> None:
    """Share the free cards of a suit among the seats not void in it, in proportion to their hands' unknown cards."""
    for suit in range(SUITS):
        belief.live[suit], belief.capacity[suit] = 0, 0.0
    for seat in range(t.seats):
        played = count(s.played_by, seat, ~np.uint64(0), t.copies)
        unknown = 0.0 if seat == belief.me else float(t.hand_size - played - popcount(belief.known[seat]))
        for suit in range(SUITS):
            may_hold = seat != belief.me and not (s.voids[seat] >> suit) & 1
            belief.share[seat, suit] = unknown if may_hold else 0.0
            belief.capacity[suit] += belief.share[seat, suit]
            belief.live[suit] += may_hold
    for suit in range(SUITS):
        if belief.capacity[suit] > 0.0:
            for seat in range(t.seats):
                belief.share[seat, suit] /= belief.capacity[suit]


@jit
def holding_chance(t: Tables, belief: Belief, seat: int, kind: int) -> float:
    card = bit(kind)
    if belief.free & card:
        return belief.share[seat, t.suit_of[kind]]
    return 1.0 if belief.known[seat] & card else 0.0


@jit
def void_chance(t: Tables, belief: Belief, seat: int, suit: int) -> float:
    """Probability that another seat has no card of a suit, as if each free card lay there independently."""
    if belief.known[seat] & t.suit_mask[suit]:
        return 0.0
    return (1.0 - belief.share[seat, suit]) ** count_unseen(belief, belief.free & t.suit_mask[suit])


@jit
def dearest_penalty(t: Tables, values: CardValues, belief: Belief, seat: int, cards: Mask) -> float:
    """Expected points of the dearest penalty that a seat holds among `cards`."""
    points, none_yet = 0.0, 1.0
    for place in range(values.count):
        if not cards:
            break
        kind = values.order[place]
        if cards & bit(kind):
            cards &= ~bit(kind)
            chance = holding_chance(t, belief, seat, kind)
            points += none_yet * chance * values.value[kind]
            none_yet *= 1.0 - chance
            if none_yet < NEGLIGIBLE:
                break
    return points


@jit
def expect_dumps(s: State, t: Tables, values: CardValues, belief: Belief, suits: int) -> None:
    """Fill `dump` for the suits of a mask and the seats that play to the trick after this one."""
    can_fall = belief.unseen & values.penalty
    if s.trick_number == 0:
        can_fall &= ~t.play_first_trick_forbidden
    seat = belief.me
    for _ in range(belief.rest):
        seat = next_seat(t, seat)
        for suit in range(SUITS):
            if (suits >> suit) & 1:
                belief.dump[seat, suit] = dearest_penalty(t, values, belief, seat, can_fall & ~t.suit_mask[suit])
