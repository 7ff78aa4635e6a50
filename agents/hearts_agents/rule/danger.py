"""The danger of a card: what it is likely to cost if it stays in the hand."""

from __future__ import annotations

from hearts_agents.rule.belief import Notes, number, worth
from hearts_agents.rule.card_values import Plan
from hearts_agents.rule.weights import Weighing
from hearts_env.kernel.bits import ONE, bit, lowest, popcount
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import JOKER_SUIT, Mask, Tables


@jit
def depth(n: Notes, t: Tables, kind: int) -> float:
    """Unseen lower cards of a card's suit, per seat that may hold them."""
    suit = t.suit_of[kind]
    return number(n, t.suit_mask[suit] & (bit(kind) - ONE)) / max(n.live[suit], 1)


@jit
def danger(n: Notes, t: Tables, plan: Plan, d: Weighing, kind: int) -> float:
    """Expected cost of keeping a card, in points; negative for a card worth keeping. `d` is a `DANGER` record."""
    suit = t.suit_of[kind]
    if suit == JOKER_SUIT:
        return d.value * plan.value[kind] - d.cover
    mask, card = t.suit_mask[suit], bit(kind)
    own, out = n.hand & mask, n.unseen & mask
    deep = depth(n, t, kind)
    cost = d.height * deep + d.short * max(d.long - popcount(own), 0.0)
    if out < card:
        cost += d.top
    plain = out & plan.penalty & ~plan.dear
    if plain:
        cost += d.hearts * deep * worth(plan, plain) / max(popcount(out), 1)
        cost += 0.0 if plan.dear & card else d.value * plan.value[kind]
    dear = (n.unseen | n.hand) & plan.dear & mask
    if dear:
        cost += dear_suit(n, plan, d, own, dear, card)
    if (n.unseen | n.hand) & plan.bonus & mask:
        cost -= bonus_suit(n, plan, d, mask, card)
    return cost


@jit
def dear_suit(n: Notes, plan: Plan, d: Weighing, own: Mask, dear: Mask, card: Mask) -> float:
    """What a card of a suit with dear cards still in play adds: it is one, may catch one, or guards against both."""
    guards = popcount(own & (lowest_card(dear) - ONE))
    exposed = 1.0 / (1.0 + d.guard * guards)
    if card & dear:
        return d.dear * plan.value[lowest(card)] * exposed
    under = dear & n.unseen & (card - ONE)
    if under:
        return d.trap * worth(plan, under) * exposed
    return -d.cover


@jit
def bonus_suit(n: Notes, plan: Plan, d: Weighing, mask: Mask, card: Mask) -> float:
    """What a card is worth for the bonus cards of its suit: it is one, or may catch one."""
    if card & plan.bonus:
        return -d.hope * plan.value[lowest(card)]
    return -d.catch * worth(plan, n.unseen & plan.bonus & mask & (card - ONE))


@jit
def lowest_card(cards: Mask) -> Mask:
    """The mask of the lowest card of a set."""
    return cards & (~cards + ONE)
