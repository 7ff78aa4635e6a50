"""Shooting the moon: how likely a hand is to make it, and the cards it plays while trying."""

from __future__ import annotations

import numpy as np

from hearts_agents.rule.belief import SUITS, Notes, number, taken_worth
from hearts_agents.rule.card_values import Plan
from hearts_agents.rule.weights import Weighing
from hearts_env.kernel.bits import ONE, bit, highest, popcount
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import Mask, State, Tables


@jit
def promise(n: Notes, t: Tables, plan: Plan, w: Weighing, hand: Mask) -> float:
    """Chance that a hand makes the moon: it falls by a factor with every card that may lose a trick."""
    doubt = 0.0
    for suit in range(SUITS):
        mask = t.suit_mask[suit]
        steep = w.slope_hearts if popcount(mask & plan.moon) > 1 else w.slope
        doubt += steep * suit_losers(n, t, np.int64(suit), hand & mask)
    return np.exp(-doubt)


@jit
def suit_losers(n: Notes, t: Tables, suit: int, cards: Mask) -> float:
    """Expected number of tricks lost if a suit is led from the top."""
    suit_cards = n.unseen & t.suit_mask[suit]
    out, live = number(n, suit_cards), n.live[suit]
    losers, rounds = 0.0, 0
    while cards:
        kind = highest(cards)
        cards &= ~bit(kind)
        losers += 1.0 - stands(n, suit_cards, out, live, kind, rounds)
        rounds += 1
    return losers


@jit
def stands(n: Notes, suit_cards: Mask, out: int, live: int, kind: int, rounds: int) -> float:
    """Chance that a card led after `rounds` rounds of its suit wins."""
    above = number(n, suit_cards & ~(bit(kind) - ONE))
    left = out - rounds * live
    if above == 0 or left <= 0:
        return 1.0
    return (1.0 - left / out) ** above


@jit
def will_shoot(s: State, n: Notes, t: Tables, plan: Plan, w: Weighing) -> bool:
    """Whether the seat tries: the chance, weighed with what is already taken and what is still to lose."""
    if not n.may_shoot or w.shoot >= 1.0:
        return False
    taken = taken_worth(s, t, plan, n.me)
    chance = promise(n, t, plan, w, n.hand)
    if s.trick_len:
        chance *= 1.0 - w.entry
    cost = w.shoot / (1.0 - w.shoot) * plan.gain * (1.0 - taken / plan.stake)
    return chance * (plan.gain + taken) > (1.0 - chance) * cost


@jit
def shooting_cost(
    s: State, n: Notes, t: Tables, plan: Plan, w: Weighing, kind: int, led: int, wins: float, points: float
) -> float:
    """Cost of a card while shooting; `wins` is its chance to win the trick, `points` what the trick may hold."""
    suit = t.suit_of[kind]
    suit_cards = n.unseen & t.suit_mask[suit]
    out = number(n, suit_cards)
    strength = stands(n, suit_cards, out, n.live[suit], kind, 0)
    if led >= 0 and suit != led:
        return (10.0 if plan.moon & bit(kind) else 0.0) + strength + 0.01 * plan.value[kind]
    cost = w.keep * strength - wins * (1.0 + points)
    return cost + w.run * out if led < 0 else cost
