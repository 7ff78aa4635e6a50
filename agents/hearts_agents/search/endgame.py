"""Exact solution of the last tricks of a world, in which every seat knows all cards: max^n (Luckhardt & Irani 1986).

Every seat plays for the margin of its team; with two sides this is minimax. Positions between tricks are kept in a
table. Of equal cards (adjacent among the cards still in play and equal in points) only one is tried.
"""

from __future__ import annotations

import numpy as np

from hearts_agents.search.players import player_action
from hearts_agents.search.rollout import OVER, PLAY, first_action, margin_of, write_costs
from hearts_agents.search.workspace import MEMORY, SOLVABLE, STACK, TRIES, SearchWorkspace
from hearts_env.kernel.bits import INT64, ONE, advance, bit, lowest, mix
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import legal
from hearts_env.kernel.records import Array, Mask, State, Tables
from hearts_env.kernel.steps import step


@jit
def play_out(s: State, t: Tables, before: Array, ws: SearchWorkspace, rng: Mask) -> None:
    """Play a deal to its end, each seat by its policy and the last `endgame_tricks` exactly; fill `ws.costs`.

    The record must be limited to this deal. Costs are counted from the totals `before`. If a position takes too long to
    solve, the policies play on until one trick fewer is left.
    """
    tricks = INT64(ws.endgame_tricks)
    while s.phase != OVER:
        if tricks and is_near_end(s, t, tricks):
            ws.states[STACK] = s
            if solve(t, before, ws, rng, TRIES):
                return
            tricks = (t.seats * t.hand_size - s.plies - 1) // t.seats
        rng = advance(rng)
        step(s, t, player_action(s, t, ws, rng))
    write_costs(s, t, before, ws.costs)


@jit
def is_near_end(s: State, t: Tables, tricks: int) -> bool:
    """True if at most `tricks` tricks and `SOLVABLE` cards are left to play."""
    left = t.seats * t.hand_size - s.plies
    return s.phase == PLAY and left <= min(tricks * t.seats, SOLVABLE)


@jit
def find_near_end(views: Array, t: Tables, tricks: int, near: Array) -> None:
    for place in range(views.shape[0]):
        near[place] = is_near_end(views[place], t, tricks)


@jit
def solve(t: Tables, before: Array, ws: SearchWorkspace, salt: Mask, tries: int) -> bool:
    """Fill `ws.costs` with the outcome of the position in `ws.states[STACK]` when every seat plays its best.

    `salt` must differ between worlds, whose positions share the table. Returns False, with nothing filled, if more than
    `tries` actions would be needed.
    """
    depth = 0
    if open_node(t, ws, depth, salt):
        return True
    while tries >= 0:
        s = ws.states[STACK + depth]
        if ws.untried[depth] == 0:
            if ws.key[depth]:
                remember(t, ws, depth)
            for seat in range(t.seats):
                ws.costs[seat] = ws.best[depth, seat]
            if depth == 0:
                return True
            depth -= 1
            keep_if_best(t, ws, depth, INT64(ws.states[STACK + depth].seat))
            continue
        action = lowest(ws.untried[depth]) + first_action(s, t)
        ws.untried[depth] &= ws.untried[depth] - ONE
        tries -= 1
        ws.states[STACK + depth + 1] = s
        step(ws.states[STACK + depth + 1], t, action)
        if reach_node(t, before, ws, depth + 1, salt):
            keep_if_best(t, ws, depth, INT64(s.seat))
        else:
            depth += 1
    return False


@jit
def reach_node(t: Tables, before: Array, ws: SearchWorkspace, depth: int, salt: Mask) -> bool:
    """Play forced cards, then open a node. Returns True, with `ws.costs` filled, if the outcome is known already."""
    s = ws.states[STACK + depth]
    while s.phase != OVER:
        cards = legal(s, t)
        if cards & (cards - ONE):
            return open_node(t, ws, depth, salt)
        step(s, t, lowest(cards) + first_action(s, t))
    write_costs(s, t, before, ws.costs)
    return True


@jit
def open_node(t: Tables, ws: SearchWorkspace, depth: int, salt: Mask) -> bool:
    """Prepare to try the actions of a node. Returns True, with `ws.costs` filled, if the table has its outcome."""
    s = ws.states[STACK + depth]
    ws.key[depth] = 0
    if s.phase == PLAY and s.trick_len == 0:
        key = position_key(s, t, salt)
        place = INT64(key & np.uint64(MEMORY - 1))
        if ws.keys[place] == key:
            for seat in range(t.seats):
                ws.costs[seat] = ws.values[place, seat]
                ws.best[depth, seat] = ws.costs[seat]
            ws.untried[depth] = 0
            return True
        ws.key[depth] = key
    ws.untried[depth] = distinct(s, t)
    ws.least[depth] = np.inf
    return False


@jit
def keep_if_best(t: Tables, ws: SearchWorkspace, depth: int, seat: int) -> None:
    """Keep the outcome in `ws.costs` if it is the best so far for the seat to act."""
    margin = margin_of(t, seat, ws.costs)
    if margin < ws.least[depth]:
        ws.least[depth] = margin
        for other in range(t.seats):
            ws.best[depth, other] = ws.costs[other]


@jit
def remember(t: Tables, ws: SearchWorkspace, depth: int) -> None:
    """Enter the outcome of a node in the table, in place of another with the same low bits."""
    place = INT64(ws.key[depth] & np.uint64(MEMORY - 1))
    ws.keys[place] = ws.key[depth]
    for seat in range(t.seats):
        ws.values[place, seat] = ws.best[depth, seat]


@jit
def position_key(s: State, t: Tables, salt: Mask) -> Mask:
    """A hash of everything that affects the rest of a deal between tricks: cards held and taken (from the kitty too),
    the leader, the winner of the first trick, cards exposed, pledges. Never 0.
    """
    key = mix(salt ^ np.uint64(s.seat))
    for seat in range(t.seats):
        for plane in range(t.copies):
            key = mix(key ^ s.hands[seat, plane])
            key = mix(key ^ s.taken[seat, plane])
        key = mix(key ^ np.uint64(s.tricks_won[seat] + (s.idle_jokers[seat] << 8) + (s.pledges[seat] << 16)))
    for card in range(t.kitty_size):
        key = mix(key ^ np.uint64(s.kitty_seat[card] + 1))
    key = mix(key ^ np.uint64(s.first_winner + 1) ^ np.uint64(s.rolled_idle << 8))
    key = mix(key ^ s.exposed)
    return mix(key ^ s.rolled_over[0, 0] ^ np.uint64((s.broken << 8) + s.led_suits + (s.kitty_given << 16))) | ONE


@jit
def distinct(s: State, t: Tables) -> Mask:
    """The legal actions without cards equal to a lower one: adjacent among the cards in play, with the same points."""
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
        if last >= 0 and have_equal_points(t, last, kind) and not between & (bit(kind) - ONE) & ~(bit(last) - ONE):
            kept &= ~bit(kind)
        last = kind
    return kept


@jit
def have_equal_points(t: Tables, one: int, other: int) -> bool:
    """True if two cards of the same suit count the same, whatever else their taker has."""
    both = bit(one) | bit(other)
    special = both & (t.scoring | t.penalty)
    same = t.values[one, 0] == t.values[other, 0] and t.values[one, 1] == t.values[other, 1]
    return (
        t.suit_of[one] == t.suit_of[other]
        and same
        and (special == 0 or (special == both and t.plain_score and not t.score_chips))
        and are_needed_alike(t, both)
    )


@jit
def are_needed_alike(t: Tables, both: Mask) -> bool:
    """True if moons (moon.cards, moon.least) and sets (score.sets) need both of two cards or neither."""
    alike = t.moon_set & both == 0 or t.moon_set & both == both
    for place in range(INT64(t.leasts)):
        alike &= t.least[place] & both == 0 or t.least[place] & both == both
    for place in range(INT64(t.sets)):
        alike &= t.set_cards[place] & both == 0 or t.set_cards[place] & both == both
    return alike
