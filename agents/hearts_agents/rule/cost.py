"""The price of a card: what it is likely to cost to play it."""

from __future__ import annotations

import numpy as np

from hearts_agents.rule.belief import Notes, number, worth
from hearts_agents.rule.card_values import Plan
from hearts_agents.rule.danger import danger, depth
from hearts_agents.rule.trick_forecast import breaks_moon, feeds_partner
from hearts_agents.rule.weights import Weighing
from hearts_env.kernel.bits import ONE, bit, highest, lowest, popcount
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import Mask, State, Tables

FAR = 1e18


@jit
def card_cost(s: State, t: Tables, plan: Plan, w: Weighing, n: Notes, kind: int, wins: float, points: float) -> float:
    """Expected cost of a card that wins with chance `wins` and then gets `points` more than lie on the table."""
    suit = np.int64(t.suit_of[kind])
    cost = -eagerness(s, t, w, n, suit) * danger(n, t, plan, w.play, kind)
    if wins > 0.0:
        cost += wins * trick_cost(s, t, plan, w, n, kind, points)
    elif t.team_size > 1:
        cost += feeds_partner(s, t, plan, w, n, kind)
    if s.trick_len == 0:
        cost += w.below * depth(n, t, kind)
        cost -= w.bleed * bleeding(n, t, plan, suit, n.hand & t.suit_mask[suit])
    if n.open and is_stopper(n, t, plan, suit, kind):
        cost += w.caution
    if n.threat > 0.0:
        broken = w.defend * breaks_moon(s, t, plan, w, n, kind, wins, points) + w.seize * wins
        cost += n.threat * (w.reserve * (1.0 - wins) * endurance(n, t, suit, kind) - broken)
    return cost


@jit
def eagerness(s: State, t: Tables, w: Weighing, n: Notes, suit: int) -> float:
    """How much the danger of a card of a suit speaks for playing it now."""
    away = w.discard_away
    if s.trick_len == 0:
        away = w.lead_away
    elif suit == s.led_suit:
        away = w.follow_away
    return away * (1.0 + w.late * s.trick_number / t.hand_size) * (1.0 - w.stopper * n.threat)


@jit
def trick_cost(s: State, t: Tables, plan: Plan, w: Weighing, n: Notes, kind: int, points: float) -> float:
    """Cost of winning the trick with a card: the points, the lead, and the bonus for no tricks."""
    cost = n.points + points + plan.value[kind] + w.lead + w.exit * best_exit(n, t, n.hand & ~bit(kind))
    if s.tricks_won[n.me] == 0:
        cost -= plan.no_tricks * (s.trick_number + 1) / t.hand_size
    return cost


@jit
def best_exit(n: Notes, t: Tables, cards: Mask) -> float:
    """The least depth among the cards that would be left to lead from."""
    least = FAR if cards else 0.0
    while cards:
        least = min(least, depth(n, t, lowest(cards)))
        cards &= cards - ONE
    return least


@jit
def is_stopper(n: Notes, t: Tables, plan: Plan, suit: int, kind: int) -> bool:
    """Whether a card is the hand's highest of a suit of penalty cards and beats most that are out."""
    mask = t.suit_mask[suit]
    if popcount(mask & plan.moon) < 2 or highest(n.hand & mask) != kind:
        return False
    return number(n, mask & ~(bit(kind) - ONE)) <= 1


@jit
def endurance(n: Notes, t: Tables, suit: int, kind: int) -> float:
    """How likely a card is to win a later trick: half as likely for each higher card that is out."""
    return 0.5 ** number(n, t.suit_mask[suit] & ~(bit(kind) - ONE))


@jit
def bleeding(n: Notes, t: Tables, plan: Plan, suit: int, cards: Mask) -> float:
    """Value of the dear cards of a suit that are out, if all of one's own are lower."""
    dear = plan.dear & t.suit_mask[suit] & n.unseen
    if not dear or highest(cards) > lowest(dear):
        return 0.0
    return worth(plan, dear)
