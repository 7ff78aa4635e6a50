"""Shooting the moon: who may be trying, how likely a hand is to succeed, and the cards it plays while trying."""

from __future__ import annotations

import numpy as np

from hearts_agents.rule.belief import SUITS, Belief, count_unseen
from hearts_agents.rule.card_values import CardValues, sum_values
from hearts_agents.rule.workspace import Workspace
from hearts_env.kernel.bits import ONE, bit, highest, lowest, popcount
from hearts_env.kernel.jit import jit
from hearts_env.kernel.moon import TEAM, shoots_with
from hearts_env.kernel.records import NOBODY, Mask, State, Tables

TEAM_FEAR = 8.0
"""Growth of the threat of a team, which can collect every penalty without trying: certain from an eighth of them on."""


@jit
def watch_moon(s: State, t: Tables, ws: Workspace) -> None:
    """Write who may be shooting the moon into the belief."""
    belief, values, w = ws.belief, ws.card_values, ws.weights
    belief.suspect, belief.threat, belief.may_shoot, belief.moon_open = NOBODY, 0.0, 0, 0
    if values.moon_gain <= 0:
        return
    holders, suspect = 0, s.leader + 0
    for seat in range(t.seats):
        if s.taken[seat, 0] & values.moon and not (holders and shoots_with(t, seat, suspect)):
            holders += 1
            suspect = seat
    if holders > 1 or suspect < 0:
        belief.may_shoot = holders == 0
        belief.moon_open = holders == 0
        return
    if t.moon_requires_sun and s.tricks_won[suspect] < s.trick_number:
        return
    belief.moon_open = 1
    belief.may_shoot = shoots_with(t, belief.me, suspect) or holders == 0
    if t.team[suspect] == t.team[belief.me]:
        return
    belief.suspect = suspect
    share = group_moon_points(s, t, values, suspect) / values.moon_points
    fear = w.fear_points * share + w.fear_run * winning_streak(s, t, suspect) - w.fear_from
    if t.moon_scope == TEAM:
        fear = TEAM_FEAR * share
    belief.threat = min(max(fear, 0.0), 1.0)


@jit
def moon_points_taken(s: State, t: Tables, values: CardValues, seat: int) -> float:
    total = 0.0
    for plane in range(t.copies):
        total += sum_values(values, s.taken[seat, plane] & values.moon)
    return total


@jit
def group_moon_points(s: State, t: Tables, values: CardValues, suspect: int) -> float:
    total = 0.0
    for seat in range(t.seats):
        if shoots_with(t, seat, suspect):
            total += moon_points_taken(s, t, values, seat)
    return total


@jit
def winning_streak(s: State, t: Tables, seat: int) -> int:
    """Number of tricks in a row that a seat has led and won up to now; a trick that was extended counts as two."""
    rounds, length = (s.plies - s.trick_len) // t.seats, 0
    if s.leader != seat:
        return 0
    while length < rounds and s.history_seat[(rounds - length - 1) * t.seats] == seat:
        length += 1
    return length


@jit
def moon_chance(t: Tables, ws: Workspace, hand: Mask) -> float:
    """Probability that a hand makes the moon: exp(-slope * expected losers), a model whose slopes were tuned."""
    weigh_losers(t, ws, hand)
    return np.exp(-sum_losers(ws.belief))


@jit
def weigh_losers(t: Tables, ws: Workspace, hand: Mask) -> None:
    for suit in range(SUITS):
        ws.belief.losers[suit] = weighted_losers(t, ws, np.int64(suit), hand)


@jit
def weighted_losers(t: Tables, ws: Workspace, suit: int, hand: Mask) -> float:
    mask = t.suit_mask[suit]
    slope = ws.weights.slope_hearts if popcount(mask & ws.card_values.moon) > 1 else ws.weights.slope
    return slope * suit_losers(t, ws.belief, suit, hand & mask)


@jit
def sum_losers(belief: Belief) -> float:
    exponent = 0.0
    for suit in range(SUITS):
        exponent += belief.losers[suit]
    return exponent


@jit
def shoots_after_pass(t: Tables, ws: Workspace, count: int) -> bool:
    """True if the moon is likely enough once the `count` cards that hinder it most are passed."""
    belief, hand, needed = ws.belief, ws.belief.hand, ws.weights.shoot_pass
    weigh_losers(t, ws, hand)
    if is_hopeless(least_losers(t, ws, count), 1.0, needed):
        return False
    for _ in range(count):
        cards, best, most, fewer = hand, NOBODY, -1.0, 0.0
        while cards:
            kind = lowest(cards)
            cards &= cards - ONE
            suit = np.int64(t.suit_of[kind])
            before = belief.losers[suit]
            without = weighted_losers(t, ws, suit, hand & ~bit(kind))
            belief.losers[suit] = without
            chance = np.exp(-sum_losers(belief))
            belief.losers[suit] = before
            if chance > most:
                best, most, fewer = kind, chance, without
        if best >= 0:
            hand &= ~bit(best)
            belief.losers[t.suit_of[best]] = fewer
    return np.exp(-sum_losers(belief)) > needed


@jit
def least_losers(t: Tables, ws: Workspace, count: int) -> float:
    """A lower bound of `sum_losers` once `count` cards are passed; 0 if a slope is negative.

    A card that is passed takes at most one loser with it, and the losers of the other cards do not become fewer.
    """
    belief, w = ws.belief, ws.weights
    if w.slope < 0.0 or w.slope_hearts < 0.0:
        return 0.0
    total, hearts, others = 0.0, 0.0, 0.0
    for suit in range(SUITS):
        total += belief.losers[suit]
        if popcount(t.suit_mask[suit] & ws.card_values.moon) > 1:
            hearts += belief.losers[suit]
        else:
            others += belief.losers[suit]
    steep, flat = max(w.slope, w.slope_hearts), min(w.slope, w.slope_hearts)
    most = hearts if w.slope_hearts >= w.slope else others
    passed = min(most, count * steep)
    return total - passed - (count - passed / steep) * flat if steep > 0.0 else 0.0


@jit
def suit_losers(t: Tables, belief: Belief, suit: int, cards: Mask) -> float:
    """Expected number of tricks lost if a suit is led from the top."""
    suit_cards = belief.unseen & t.suit_mask[suit]
    out = count_unseen(belief, suit_cards)
    losers, rounds = 0.0, 0
    while cards:
        kind = highest(cards)
        cards &= ~bit(kind)
        left = out - rounds * belief.live[suit]
        losers += 1.0 - lead_wins(belief, suit_cards, out, left, kind)
        rounds += 1
    return losers


@jit
def lead_wins(belief: Belief, suit_cards: Mask, out: int, left: int, kind: int) -> float:
    """Probability that a lead wins when `left` of the `out` unseen cards of its suit remain, drawn independently."""
    above = count_unseen(belief, suit_cards & ~(bit(kind) - ONE))
    if above == 0 or left <= 0:
        return 1.0
    return (1.0 - left / out) ** above


@jit
def will_shoot(s: State, t: Tables, ws: Workspace) -> bool:
    """True if the seat tries to shoot the moon: the expected gain exceeds the expected loss."""
    belief, values, w = ws.belief, ws.card_values, ws.weights
    if not belief.may_shoot or w.shoot >= 1.0:
        return False
    taken = moon_points_taken(s, t, values, belief.me)
    gain = values.moon_gain + taken
    # With nothing taken both sides are equal at chance = w.shoot.
    cost = w.shoot / (1.0 - w.shoot) * values.moon_gain * (1.0 - taken / values.moon_points)
    entry = 1.0 - w.entry if s.trick_len else 1.0
    exponent = 0.0
    for suit in range(SUITS):
        belief.losers[suit] = weighted_losers(t, ws, np.int64(suit), belief.hand)
        exponent += belief.losers[suit]
        if w.slope >= 0.0 and w.slope_hearts >= 0.0 and is_hopeless(exponent, entry * (gain + cost), cost):
            return False
    chance = entry * np.exp(-exponent)
    return chance * gain > (1.0 - chance) * cost


@jit
def is_hopeless(exponent: float, stake: float, cost: float) -> bool:
    """True if ``exp(-exponent) * stake`` is certainly below `cost`, by the first terms of the series of exp."""
    return stake < 0.999 * cost * (1.0 + exponent * (1.0 + exponent * (0.5 + exponent / 6.0)))


@jit
def shooting_cost(t: Tables, ws: Workspace, kind: int, led: int, wins: float, points: float) -> float:
    """Cost of a card while shooting; `wins` is its chance to win the trick, `points` what the trick may hold."""
    belief, values, w = ws.belief, ws.card_values, ws.weights
    suit = t.suit_of[kind]
    suit_cards = belief.unseen & t.suit_mask[suit]
    out = count_unseen(belief, suit_cards)
    strength = lead_wins(belief, suit_cards, out, out, kind)
    if led >= 0 and suit != led:
        return (10.0 if values.moon & bit(kind) else 0.0) + strength + 0.01 * values.value[kind]
    cost = w.keep * strength - wins * (1.0 + points)
    return cost + w.run * out if led < 0 else cost
