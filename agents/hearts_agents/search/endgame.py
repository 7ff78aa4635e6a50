"""Exact search of the last tricks of a world, in which every seat knows all cards: max^n (Luckhardt & Irani 1986).

Every seat plays for its own margin (its team's); with two sides this is minimax. Positions between tricks are
remembered, and of cards that are worth the same and lie next to each other among the cards still in play, one is tried.
"""

from __future__ import annotations

import numpy as np

from hearts_agents.search.rollout import OVER, PLAY, first_action, margin_of, policy_action, write_costs
from hearts_agents.search.workspace import MEMORY, SOLVABLE, SPARE, TRIES, Bench
from hearts_env.kernel.bits import INT64, ONE, advance, bit, lowest, mix
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import legal
from hearts_env.kernel.records import Array, Mask, State, Tables
from hearts_env.kernel.steps import step

_SOLVABLE, _TRIES, _MEMORY = SOLVABLE, TRIES, MEMORY


@jit
def play_out(s: State, t: Tables, before: Array, b: Bench, states: Array, rng: Mask) -> None:
    """Play a deal to its end, by the policy and then, for the last `exact` tricks, exactly; fill `costs`.

    What takes too long to solve is played on by the policy until there is a trick fewer.
    """
    tricks = INT64(b.exact)
    while s.phase != OVER:
        if tricks and is_near_end(s, t, tricks):
            states[SPARE] = s
            if solve(t, before, b, states, rng, _TRIES):
                return
            tricks = (t.seats * t.hand_size - s.plies - 1) // t.seats
        rng = advance(rng)
        step(s, t, policy_action(s, t, b.mind, b.slips, rng))
    write_costs(s, t, before, b.costs)


@jit
def is_near_end(s: State, t: Tables, tricks: int) -> bool:
    """Whether no more than so many tricks are to be played, and few enough cards."""
    left = t.seats * t.hand_size - s.plies
    return s.phase == PLAY and left <= min(tricks * t.seats, _SOLVABLE)


@jit
def find_near_end(views: Array, t: Tables, tricks: int, near: Array) -> None:
    """Write for every view whether it is as near to the end as that."""
    for place in range(views.shape[0]):
        near[place] = is_near_end(views[place], t, tricks)


@jit
def solve(t: Tables, before: Array, b: Bench, states: Array, salt: Mask, tries: int) -> bool:
    """Fill `costs` with what the position in the first spare record leads to; `salt` is another one for every world.

    Returns False, with nothing filled, if that takes more actions than `tries`.
    """
    depth = 0
    if open_node(t, before, b, states, depth, salt):
        return True
    while tries >= 0:
        s = states[SPARE + depth]
        if b.open[depth] == 0:
            if b.key[depth]:
                remember(t, b, depth)
            for seat in range(t.seats):
                b.costs[seat] = b.best[depth, seat]
            if depth == 0:
                return True
            depth -= 1
            weigh_up(t, b, depth, INT64(states[SPARE + depth].seat))
            continue
        action = lowest(b.open[depth]) + first_action(s, t)
        b.open[depth] &= b.open[depth] - ONE
        tries -= 1
        states[SPARE + depth + 1] = s
        step(states[SPARE + depth + 1], t, action)
        if settled(t, before, b, states, depth + 1, salt):
            weigh_up(t, b, depth, INT64(s.seat))
        else:
            depth += 1
    return False


@jit
def settled(t: Tables, before: Array, b: Bench, states: Array, depth: int, salt: Mask) -> bool:
    """Play forced cards; then either fill `costs` if the outcome is known, or open the node."""
    s = states[SPARE + depth]
    while s.phase != OVER:
        cards = legal(s, t)
        if cards & (cards - ONE):
            return open_node(t, before, b, states, depth, salt)
        step(s, t, lowest(cards) + first_action(s, t))
    write_costs(s, t, before, b.costs)
    return True


@jit
def open_node(t: Tables, before: Array, b: Bench, states: Array, depth: int, salt: Mask) -> bool:
    """Prepare to try the actions of a node; or fill `costs`, and return True, if it is remembered."""
    s = states[SPARE + depth]
    b.key[depth] = 0
    if s.phase == PLAY and s.trick_len == 0:
        key = position_key(s, t, salt)
        place = INT64(key & np.uint64(_MEMORY - 1))
        if b.keys[place] == key:
            for seat in range(t.seats):
                b.costs[seat] = b.values[place, seat]
                b.best[depth, seat] = b.costs[seat]
            b.open[depth] = 0
            return True
        b.key[depth] = key
    b.open[depth] = distinct(s, t)
    b.least[depth] = np.inf
    return False


@jit
def weigh_up(t: Tables, b: Bench, depth: int, seat: int) -> None:
    """Keep the outcome in `costs` if it is the best yet for the seat to act."""
    margin = margin_of(t, seat, b.costs)
    if margin < b.least[depth]:
        b.least[depth] = margin
        for other in range(t.seats):
            b.best[depth, other] = b.costs[other]


@jit
def remember(t: Tables, b: Bench, depth: int) -> None:
    """Keep the outcome of a node."""
    place = INT64(b.key[depth] & np.uint64(_MEMORY - 1))
    b.keys[place] = b.key[depth]
    for seat in range(t.seats):
        b.values[place, seat] = b.best[depth, seat]


@jit
def position_key(s: State, t: Tables, salt: Mask) -> Mask:
    """A hash of all that matters between tricks: who holds what, who took what (of the kitty too), who leads, who
    won the first trick.
    """
    key = mix(salt ^ np.uint64(s.seat))
    for seat in range(t.seats):
        for plane in range(t.copies):
            key = mix(key ^ s.hands[seat, plane])
            key = mix(key ^ s.taken[seat, plane])
        key = mix(key ^ np.uint64(s.tricks_won[seat] + (s.idle_jokers[seat] << 8)))
    for card in range(t.kitty_size):
        key = mix(key ^ np.uint64(s.kitty_seat[card] + 1))
    key = mix(key ^ np.uint64(s.first_winner + 1) ^ np.uint64(s.rolled_idle << 8))
    return mix(key ^ s.rolled_over[0, 0] ^ np.uint64((s.broken << 8) + s.led_suits + (s.kitty_given << 16))) | ONE


@jit
def distinct(s: State, t: Tables) -> Mask:
    """The legal actions, without cards that are as good as a lower one: next to it among the cards in play, and worth
    the same.
    """
    cards = legal(s, t)
    if s.phase != PLAY or t.copies > 1 or not t.plain_trick:
        return cards
    between = np.uint64(0)
    for seat in range(t.seats):
        if seat != s.seat:
            between |= s.hands[seat, 0]
    for place in range(s.trick_len):
        between |= bit(s.trick[place])
    kept, left, last = cards, cards, -1
    while left:
        kind = lowest(left)
        left &= left - ONE
        if last >= 0 and alike(t, last, kind) and not between & (bit(kind) - ONE) & ~(bit(last) - ONE):
            kept &= ~bit(kind)
        last = kind
    return kept


@jit
def alike(t: Tables, one: int, other: int) -> bool:
    """Whether two cards of the same suit are worth the same, whatever else their taker has."""
    both = bit(one) | bit(other)
    special = both & (t.scoring | t.penalty)
    same = t.values[one, 0] == t.values[other, 0] and t.values[one, 1] == t.values[other, 1]
    return (
        t.suit_of[one] == t.suit_of[other]
        and same
        and (special == 0 or (special == both and t.plain_score and not t.score_chips))
    )
