"""The expected cost of a card, in points."""

from __future__ import annotations

import numpy as np

from hearts_agents.rule.belief import Belief, count_unseen
from hearts_agents.rule.card_values import sum_values
from hearts_agents.rule.danger import best_exit, danger
from hearts_agents.rule.trick_forecast import cost_to_partner, moon_break_chance
from hearts_agents.rule.workspace import Workspace
from hearts_env.kernel.bits import ONE, bit, highest, lowest, popcount
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import Mask, State, Tables


@jit
def card_cost(s: State, t: Tables, ws: Workspace, kind: int, wins: float, points: float) -> float:
    """Expected cost of a card that wins with probability `wins` and then `points` in addition to those on the table."""
    belief, w = ws.belief, ws.weights
    suit = np.int64(t.suit_of[kind])
    cost = -eagerness(s, t, ws, suit) * danger(t, ws, w.play, kind)
    if wins > 0.0:
        cost += wins * trick_cost(s, t, ws, kind, points)
    elif t.team_size > 1:
        cost += cost_to_partner(s, t, ws, kind)
    if s.trick_len == 0:
        cost += w.below * belief.depth[kind]
        cost -= w.bleed * bleeding(ws, t.suit_mask[suit])
    if belief.moon_open and is_stopper(t, ws, suit, kind):
        cost += w.caution
    if belief.threat > 0.0:
        broken = w.defend * moon_break_chance(s, t, ws, kind, wins, points) + w.seize * wins
        cost += belief.threat * (w.reserve * (1.0 - wins) * endurance(t, belief, suit, kind) - broken)
    return cost


@jit
def eagerness(s: State, t: Tables, ws: Workspace, suit: int) -> float:
    """Factor on the danger of a card of a suit that counts in favour of playing it now."""
    w = ws.weights
    away = w.discard_away
    if s.trick_len == 0:
        away = w.lead_away
    elif suit == s.led_suit:
        away = w.follow_away
    return away * (1.0 + w.late * s.trick_number / t.hand_size) * (1.0 - w.stopper * ws.belief.threat)


@jit
def trick_cost(s: State, t: Tables, ws: Workspace, kind: int, points: float) -> float:
    """Cost of winning the trick with a card: its points, the duty to lead next, and the lost award for no tricks."""
    belief, values, w = ws.belief, ws.card_values, ws.weights
    cost = belief.trick_points + points + values.value[kind] + w.lead + w.exit * best_exit(belief, kind)
    if s.tricks_won[belief.me] == 0:
        cost -= values.no_tricks * (s.trick_number + 1) / t.hand_size
    return cost


@jit
def is_stopper(t: Tables, ws: Workspace, suit: int, kind: int) -> bool:
    """True if a card is the hand's highest of a suit of penalty cards and at most one unseen card beats it."""
    mask = t.suit_mask[suit]
    if popcount(mask & ws.card_values.moon) < 2 or highest(ws.belief.hand & mask) != kind:
        return False
    return count_unseen(ws.belief, mask & ~(bit(kind) - ONE)) <= 1


@jit
def endurance(t: Tables, belief: Belief, suit: int, kind: int) -> float:
    """Chance of a card to win a later trick: it is halved by each higher card that is unseen."""
    return 0.5 ** count_unseen(belief, t.suit_mask[suit] & ~(bit(kind) - ONE))


@jit
def bleeding(ws: Workspace, mask: Mask) -> float:
    """Points of the unseen dear cards of a suit, if all of the player's cards of the suit are lower; otherwise 0."""
    dear = ws.card_values.dear & mask & ws.belief.unseen
    if not dear or highest(ws.belief.hand & mask) > lowest(dear):
        return 0.0
    return sum_values(ws.card_values, dear)
