"""What a card would cost its taker now, in games where that depends on what the seat has taken already.

Multipliers, negations, sweeps, exposures, complex numbers, pledges and chips all come to one question: how much worse
is the account of this seat with the card than without it? The kernel's own scoring answers it.
"""

from __future__ import annotations

import numpy as np

from hearts_agents.rule.card_values import Plan
from hearts_env.kernel.bits import bit, popcount
from hearts_env.kernel.jit import jit
from hearts_env.kernel.points import points_taken
from hearts_env.kernel.ranking import HIGH, MAGNITUDE
from hearts_env.kernel.records import Mask, Pledge, State, Tables
from hearts_env.kernel.tricks import add_card, count, remove_card

PLEDGED = Pledge.YES.value
NOTHING = np.uint64(0)


@jit
def account(s: State, t: Tables, seat: int) -> float:
    """What a seat's cards cost it so far, lower is better."""
    if t.score_chips:
        return 1.0 if s.taken[seat, 0] & t.penalty else 0.0
    re, im = points_taken(s, t, seat, NOTHING, 0, 0)
    if t.score_better == MAGNITUDE:
        return np.hypot(np.float64(s.totals[seat, 0] + re), np.float64(s.totals[seat, 1] + im))
    sign = -1 if t.score_better == HIGH else 1
    clean = count(s.taken, seat, t.hearts, t.copies) == 0
    if clean:
        re += t.score_no_hearts
    if t.score_pledge and s.pledges[seat] == PLEDGED:
        re += -sign * t.score_pledge if clean else sign * t.score_pledge
    return np.float64(sign * re)


@jit
def revalue(s: State, t: Tables, plan: Plan, now: Plan) -> None:
    """Fill `now`, a copy of `plan`, with what every card would cost the seat to act."""
    seat = np.int64(s.seat)
    before = account(s, t, seat)
    now.penalty, now.bonus, now.dear, now.count = NOTHING, NOTHING, NOTHING, 0
    for kind in range(t.kinds):
        now.value[kind] = 0.0
        if t.scoring & bit(kind) or t.hearts & bit(kind):
            add_card(s.taken, seat, kind)
            now.value[kind] = (account(s, t, seat) - before) * plan.scale
            remove_card(s.taken, seat, kind)
            now.value[kind] += still_to_come(s, t, plan, kind)
            sort_in(now, kind)


@jit
def still_to_come(s: State, t: Tables, plan: Plan, kind: int) -> float:
    """What a multiplier will do to the penalties that its taker has yet to expect."""
    more = 0.0
    for place in range(t.multipliers):
        if t.multiplier[place, 0] == bit(kind):
            size = np.hypot(np.float64(t.factor[place, 0]), np.float64(t.factor[place, 1]))
            scope = share_of(plan, t.multiplier[place, 1] if t.multiplier[place, 1] else ~NOTHING)
            more += (size - 1.0) * scope * (1.0 - s.trick_number / t.hand_size)
    return more


@jit
def share_of(plan: Plan, cards: Mask) -> float:
    """A seat's part of the penalties among some cards."""
    kinds = popcount(plan.penalty)
    return plan.share * popcount(plan.penalty & cards) / kinds if kinds else 0.0


@jit
def sort_in(now: Plan, kind: int) -> None:
    """Put a card into the masks and the order that its value asks for."""
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
