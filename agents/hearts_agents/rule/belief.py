"""Reading a view: where the cards that are out may be, what a void seat would throw, who may be shooting the moon."""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_agents.rule.card_values import Plan
from hearts_agents.rule.weights import Weighing
from hearts_env.kernel.bits import ONE, bit, lowest, popcount
from hearts_env.kernel.jit import jit
from hearts_env.kernel.moon import TEAM, shoots_with
from hearts_env.kernel.records import NOBODY, Mask, Phase, State, Tables
from hearts_env.kernel.tricks import count
from hearts_env.ruleset.limits import SEATS

PLAY = Phase.PLAY.value
SUITS = 5
"""Jokers count as a suit of their own."""
ENOUGH = 0.02

NOTES = np.dtype(
    [
        ("hand", "u8"),
        ("unseen", "u8"),
        ("free", "u8"),
        ("twice", "u8"),
        ("known", "u8", SEATS),
        ("share", "f8", (SEATS, SUITS)),
        ("dump", "f8", (SEATS, SUITS)),
        ("live", "i8", SUITS),
        ("me", "i8"),
        ("rest", "i8"),
        ("points", "f8"),
        ("top", "i8"),
        ("winner", "i8"),
        ("with_moon", "i8"),
        ("suspect", "i8"),
        ("threat", "f8"),
        ("open", "i8"),
        ("may_shoot", "i8"),
    ],
    align=True,
)
"""What one view says, from seat `me`.

`unseen` are the cards that other seats hold, `twice` those of which two or more are out; `known` those this seat
passed to each and has not seen since, `free` the rest. `share` is a seat's part of the free cards of each suit;
`dump` the points it would throw on a trick of each suit if it were void, dearest first; `live` the number of seats
not known to be void.

Of the trick on the table: `rest` seats play to it after this one, `points` lie there, `top` is the card that wins so
far and `winner` its seat (-1: none), `with_moon` says whether it holds a moon card.

`suspect` is the other seat that has every moon card taken so far, or while nobody has any the one that leads (-1:
none), `threat` (0 to 1) how likely it is to shoot; `open` says whether somebody may still do so, `may_shoot` whether
this seat may.
"""

Notes = Any
"""A `NOTES` record."""


@jit
def read(s: State, t: Tables, plan: Plan, w: Weighing, n: Notes) -> None:
    """Fill the notes from a view."""
    me = np.int64(s.seat)
    n.me = me
    n.hand = s.hands[me, 0]
    _look_around(s, t, plan, n)
    n.rest = (s.trick_goal if s.trick_len else t.seats) - 1 - s.trick_len
    n.free = n.unseen
    for seat in range(t.seats):
        n.known[seat] = np.uint64(0)
    if s.phase == PLAY and s.pass_option >= 0:
        _recall_passes(s, t, n)
    _spread(s, t, n)
    _expect_dumps(s, t, plan, n)
    _watch_moon(s, t, plan, w, n)


@jit
def _look_around(s: State, t: Tables, plan: Plan, n: Notes) -> None:
    n.unseen = plan.pack & ~s.played[0, 0] & ~n.hand
    n.twice = n.unseen & plan.twice
    left = plan.twice & (s.played[0, 0] | n.hand)
    while left:
        kind = lowest(left)
        card = bit(kind)
        left &= left - ONE
        out = plan.copies[kind] - count(s.played, 0, card, t.copies) - count(s.hands, n.me, card, t.copies)
        if out > 0:
            n.unseen |= card
        if out > 1:
            n.twice |= card


@jit
def number(n: Notes, cards: Mask) -> int:
    """Number of cards out among some kinds."""
    return popcount(n.unseen & cards) + popcount(n.twice & cards)


@jit
def _recall_passes(s: State, t: Tables, n: Notes) -> None:
    lane = 0
    for move in range(t.option_len[s.pass_option]):
        if t.option_moves[s.pass_option, move, 0] == 0:  # nobody knows where cards of the pool went
            return
        to = n.me + t.option_moves[s.pass_option, move, 0]
        if to >= t.seats:
            to -= t.seats
        for _ in range(t.option_moves[s.pass_option, move, 1]):
            card = bit(s.picks[n.me, lane]) & n.unseen
            n.known[to] |= card
            n.free &= ~card
            lane += 1


@jit
def _spread(s: State, t: Tables, n: Notes) -> None:
    for suit in range(SUITS):
        room = 0
        n.live[suit] = 0
        for seat in range(t.seats):
            n.share[seat, suit] = 0.0
            if seat == n.me or (s.voids[seat] >> suit) & 1:
                continue
            n.share[seat, suit] = _held(s, t, seat) - popcount(n.known[seat])
            room += n.share[seat, suit]
            n.live[suit] += 1
        for seat in range(t.seats):
            if room > 0:
                n.share[seat, suit] /= room


@jit
def _held(s: State, t: Tables, seat: int) -> int:
    """Number of cards in a seat's hand."""
    played = s.plies // t.seats
    if s.trick_len:
        since = (seat - s.leader) * (1 if t.rotation == 1 else -1)
        since = since + t.seats if since < 0 else since
        played += since < s.plies - played * t.seats
    return t.hand_size - played


@jit
def holds(n: Notes, t: Tables, seat: int, kind: int) -> float:
    """Chance that another seat holds a card that is out."""
    card = bit(kind)
    if n.free & card:
        return n.share[seat, t.suit_of[kind]]
    return 1.0 if n.known[seat] & card else 0.0


@jit
def void_chance(n: Notes, t: Tables, seat: int, suit: int) -> float:
    """Chance that another seat has no card of a suit."""
    if n.known[seat] & t.suit_mask[suit]:
        return 0.0
    return (1.0 - n.share[seat, suit]) ** number(n, n.free & t.suit_mask[suit])


@jit
def dearest(n: Notes, t: Tables, plan: Plan, seat: int, cards: Mask) -> float:
    """Expected value of the dearest penalty that a seat holds among `cards`."""
    points, none_yet = 0.0, 1.0
    for place in range(plan.count):
        kind = plan.order[place]
        if cards & bit(kind):
            chance = holds(n, t, seat, kind)
            points += none_yet * chance * plan.value[kind]
            none_yet *= 1.0 - chance
            if none_yet < ENOUGH:
                break
    return points


@jit
def _expect_dumps(s: State, t: Tables, plan: Plan, n: Notes) -> None:
    can_fall = n.unseen & plan.penalty
    if s.trick_number == 0:
        can_fall &= ~t.play_first_trick_forbidden
    for suit in range(SUITS):
        for seat in range(t.seats):
            if seat != n.me:
                n.dump[seat, suit] = dearest(n, t, plan, seat, can_fall & ~t.suit_mask[suit])


@jit
def worth(plan: Plan, cards: Mask) -> float:
    """Sum of the values of a set of cards."""
    total = 0.0
    while cards:
        total += plan.value[lowest(cards)]
        cards &= cards - ONE
    return total


@jit
def taken_worth(s: State, t: Tables, plan: Plan, seat: int) -> float:
    """Value of the moon cards that a seat has taken."""
    total = 0.0
    for plane in range(t.copies):
        total += worth(plan, s.taken[seat, plane] & plan.moon)
    return total


@jit
def _watch_moon(s: State, t: Tables, plan: Plan, w: Weighing, n: Notes) -> None:
    n.suspect, n.threat, n.may_shoot, n.open = NOBODY, 0.0, 0, 0
    if plan.gain <= 0:
        return
    holders, suspect = 0, s.leader + 0
    for seat in range(t.seats):
        if s.taken[seat, 0] & plan.moon and not (holders and shoots_with(t, seat, suspect)):
            holders += 1
            suspect = seat
    if holders > 1 or suspect < 0:
        n.may_shoot = holders == 0
        n.open = holders == 0
        return
    if t.moon_requires_sun and s.tricks_won[suspect] < s.trick_number:
        return
    n.open = 1
    n.may_shoot = shoots_with(t, n.me, suspect) or holders == 0
    if t.team[suspect] == t.team[n.me]:
        return
    n.suspect = suspect
    share = group_worth(s, t, plan, suspect) / plan.stake
    fear = w.fear_points * share + w.fear_run * streak(s, t, suspect) - w.fear_from
    if t.moon_scope == TEAM:  # two who merely lose to their opponents have shot before they know
        fear = 8.0 * share
    n.threat = min(max(fear, 0.0), 1.0)


@jit
def group_worth(s: State, t: Tables, plan: Plan, suspect: int) -> float:
    """Value of the moon cards that the suspect has taken, with those who shoot along."""
    total = 0.0
    for seat in range(t.seats):
        if shoots_with(t, seat, suspect):
            total += taken_worth(s, t, plan, seat)
    return total


@jit
def streak(s: State, t: Tables, seat: int) -> int:
    """Number of tricks that a seat has won in a row up to now, the first not counted if it merely led."""
    trick, length = s.trick_number - 1, 0
    if s.leader != seat:
        return 0
    while trick >= 0 and s.history_seat[trick * t.seats] == seat:
        trick -= 1
        length += 1
    return length
