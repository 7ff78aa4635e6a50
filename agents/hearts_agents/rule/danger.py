"""The danger of a card: the expected cost of keeping it in the hand."""

from __future__ import annotations

from hearts_agents.rule.belief import Belief, count_unseen
from hearts_agents.rule.card_values import sum_values
from hearts_agents.rule.weights import DangerWeights
from hearts_agents.rule.workspace import Workspace
from hearts_env.kernel.bits import ONE, bit, lowest, popcount
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import JOKER_SUIT, NOBODY, Mask, Tables

INFINITE = 1e18


@jit
def measure_depths(t: Tables, belief: Belief) -> None:
    """Write the depth of every card of the player, and find the two of least depth, from which it would lead."""
    belief.exit, belief.exit_depth, belief.next_exit_depth = NOBODY, INFINITE, INFINITE
    cards = belief.hand
    while cards:
        kind = lowest(cards)
        cards &= cards - ONE
        suit = t.suit_of[kind]
        deep = count_unseen(belief, t.suit_mask[suit] & (bit(kind) - ONE)) / max(belief.live[suit], 1)
        belief.depth[kind] = deep
        if deep < belief.exit_depth:
            belief.next_exit_depth = belief.exit_depth
            belief.exit, belief.exit_depth = kind, deep
        elif deep < belief.next_exit_depth:
            belief.next_exit_depth = deep


@jit
def best_exit(belief: Belief, kind: int) -> float:
    """The smallest depth among the player's other cards; 0 if there are none."""
    if belief.hand & ~bit(kind) == 0:
        return 0.0
    return belief.next_exit_depth if kind == belief.exit else belief.exit_depth


@jit
def danger(t: Tables, ws: Workspace, d: DangerWeights, kind: int) -> float:
    """Expected cost of keeping a card, in points; negative for a card that is better kept."""
    belief, values = ws.belief, ws.card_values
    suit = t.suit_of[kind]
    if suit == JOKER_SUIT:
        return d.value * values.value[kind] - d.cover
    mask, card = t.suit_mask[suit], bit(kind)
    own, out = belief.hand & mask, belief.unseen & mask
    deep = belief.depth[kind]
    cost = d.height * deep + d.short * max(d.long - popcount(own), 0.0)
    if out < card:
        cost += d.top
    if out & values.penalty & ~values.dear:
        cost += d.hearts * deep * belief.plain_points[suit] / max(popcount(out), 1)
        cost += 0.0 if values.dear & card else d.value * values.value[kind]
    in_play = (belief.unseen | belief.hand) & mask
    if in_play & values.dear:
        cost += dear_suit(ws, d, own, in_play & values.dear, card)
    if in_play & values.bonus:
        cost -= bonus_suit(ws, d, mask, card)
    return cost


@jit
def dear_suit(ws: Workspace, d: DangerWeights, own: Mask, dear: Mask, card: Mask) -> float:
    """Danger added in a suit whose dear cards are still in play: of being one, catching one, or guarding (less)."""
    guards = popcount(own & ~dear & (dear - ONE))  # cards below the lowest dear one
    exposed = 1.0 / (1.0 + d.guard * guards)
    if card & dear:
        return d.dear * ws.card_values.value[lowest(card)] * exposed
    under = dear & ws.belief.unseen & (card - ONE)
    if under:
        return d.trap * sum_values(ws.card_values, under) * exposed
    return -d.cover


@jit
def bonus_suit(ws: Workspace, d: DangerWeights, mask: Mask, card: Mask) -> float:
    """Points expected from keeping a card of a suit with bonus cards: it is one, or may catch one."""
    values = ws.card_values
    if card & values.bonus:
        return -d.hope * values.value[lowest(card)]
    return -d.catch * sum_values(values, ws.belief.unseen & values.bonus & mask & (card - ONE))
