"""The cost of a card to its taker, in games where it depends on the cards that the seat has taken already.

With multipliers, negations, sweeps, shown cards, complex numbers, pledges or chips, the value of a card is its marginal
cost: how much higher the seat's cost is with the card than without it. The kernel's own scoring computes both.
"""

from __future__ import annotations

import numpy as np

from hearts_agents.rule.card_values import CardValues
from hearts_env.kernel.bits import bit, popcount
from hearts_env.kernel.jit import jit
from hearts_env.kernel.points import points_taken
from hearts_env.kernel.ranking import MAGNITUDE
from hearts_env.kernel.records import Mask, State, Tables
from hearts_env.kernel.scoring import card_events
from hearts_env.kernel.tricks import add_card, remove_card

NOTHING = np.uint64(0)


@jit
def cost_so_far(s: State, t: Tables, seat: int) -> float:
    """Cost of a seat's cards so far, in points of the game or as the magnitude of its total; lower is better."""
    if t.score_chips:
        return 1.0 if s.taken[seat, 0] & t.penalty else 0.0
    re, im = points_taken(s, t, seat, NOTHING, 0, 0)
    if t.score_better == MAGNITUDE:
        return np.hypot(np.float64(s.totals[seat, 0] + re), np.float64(s.totals[seat, 1] + im))
    return np.float64(t.cost_sign * (re + card_events(s, t, seat)))


@jit
def update_values(s: State, t: Tables, base: CardValues, now: CardValues) -> None:
    """Write into `now`, a copy of the game's values `base`, what every card would cost the seat to act."""
    seat = np.int64(s.seat)
    before = cost_so_far(s, t, seat)
    now.penalty, now.bonus, now.dear, now.count = NOTHING, NOTHING, NOTHING, 0
    for kind in range(t.kinds):
        now.value[kind] = 0.0
        if t.scoring & bit(kind) or t.hearts & bit(kind):
            add_card(s.taken, seat, kind)
            now.value[kind] = (cost_so_far(s, t, seat) - before) * base.scale
            remove_card(s.taken, seat, kind)
            now.value[kind] += cost_of_multiplier(s, t, base, kind)
            insert_by_value(now, kind)


@jit
def cost_of_multiplier(s: State, t: Tables, base: CardValues, kind: int) -> float:
    """The addition by a multiplier to the penalties that its taker must still expect in this deal."""
    more = 0.0
    for place in range(t.multipliers):
        if t.multiplier[place, 0] == bit(kind):
            size = np.hypot(np.float64(t.factor[place, 0]), np.float64(t.factor[place, 1]))
            expected = expected_penalties(base, t.multiplier[place, 1] if t.multiplier[place, 1] else ~NOTHING)
            more += (size - 1.0) * expected * (1.0 - s.trick_number / t.hand_size)
    return more


@jit
def expected_penalties(base: CardValues, cards: Mask) -> float:
    """The penalties among some cards that a seat takes in a whole deal, on average."""
    kinds = popcount(base.penalty)
    return base.seat_share * popcount(base.penalty & cards) / kinds if kinds else 0.0


@jit
def insert_by_value(now: CardValues, kind: int) -> None:
    """Add a card to the masks and the order that its value belongs to."""
    value = now.value[kind]
    if value < 0.0:
        now.bonus |= bit(kind)
    if value <= 0.0:
        return
    now.penalty |= bit(kind)
    if value >= now.dear_from:
        now.dear |= bit(kind)
    place = now.count
    while place > 0 and now.value[now.order[place - 1]] < value:
        now.order[place] = now.order[place - 1]
        place -= 1
    now.order[place] = kind
    now.count += 1
