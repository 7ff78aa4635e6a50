"""The likely effect of a card on the trick on the table."""

from __future__ import annotations

import numpy as np

from hearts_agents.rule.belief import Belief, count_unseen, dearest_penalty, holding_chance, void_chance
from hearts_agents.rule.card_values import sum_values
from hearts_agents.rule.workspace import Workspace
from hearts_env.kernel.bits import ONE, bit, lowest, popcount
from hearts_env.kernel.dealing import next_seat
from hearts_env.kernel.jit import jit
from hearts_env.kernel.moon import shoots_with
from hearts_env.kernel.records import JOKER_SUIT, NOBODY, Mask, State, Tables
from hearts_env.kernel.tricks import winning_place

JOKERS = JOKER_SUIT


@jit
def read_trick(s: State, t: Tables, ws: Workspace) -> None:
    belief, values = ws.belief, ws.card_values
    belief.trick_points, belief.top, belief.winner, belief.with_moon, belief.suit = 0.0, NOBODY, NOBODY, 0, NOBODY
    for place in range(s.trick_len):
        kind = np.int64(s.trick[place])
        belief.trick_points += values.value[kind]
        belief.with_moon |= values.moon & bit(kind) != 0
    place = winning_place(t, s.trick, s.trick_len, np.int64(s.led_suit)) if s.trick_len else -1
    if place >= 0:
        belief.top = s.trick[place]
        belief.winner = s.history_seat[s.plies - s.trick_len + place]
    if s.rolled_tricks:
        for plane in range(t.copies):
            belief.trick_points += sum_values(values, s.rolled_over[0, plane])


@jit
def takes_lead(s: State, t: Tables, belief: Belief, kind: int) -> bool:
    """True if a card would be the winning one on the table."""
    if s.trick_len == 0:
        return t.suit_of[kind] != JOKERS
    if t.plain_trick:
        return t.suit_of[kind] == s.led_suit and kind > belief.top
    led = np.int64(t.suit_of[kind] if s.led_suit == JOKERS else s.led_suit)
    s.trick[s.trick_len] = kind
    return winning_place(t, s.trick, s.trick_len + 1, led) == s.trick_len


@jit
def forecast(s: State, t: Tables, ws: Workspace, kind: int) -> None:
    """Write the effect of a card on the trick into the belief, unless it equals that of the last card.

    `wins` is the probability that it wins the trick, `gain` the points that later seats are likely to add if it does.
    Two cards of a suit have the same effect if both or neither take the lead and the same unseen cards are lower and
    higher.
    """
    belief, values = ws.belief, ws.card_values
    suit = np.int64(t.suit_of[kind])
    leads = takes_lead(s, t, belief, kind)
    under = belief.unseen & t.suit_mask[suit] & (bit(kind) - ONE)
    over = belief.unseen & t.suit_mask[suit] & ~bit(kind) & ~under
    if suit == belief.suit and under == belief.under and over == belief.over and leads == belief.leads:
        return
    belief.suit, belief.under, belief.over, belief.leads = suit, under, over, leads
    belief.wins, belief.gain = 0.0, 0.0
    if not leads:
        return
    wins, points = 1.0, 0.0
    seat = belief.me
    for _ in range(belief.rest):
        seat = next_seat(t, seat)
        void = void_chance(t, belief, seat, suit)
        wins *= 1.0 - beating_chance(t, ws, seat, suit, kind)
        points += void * belief.dump[seat, suit] + dearest_penalty(t, values, belief, seat, under & values.penalty)
        points += expected_gifts(t, ws, seat, under & values.bonus)
    belief.wins, belief.gain = wins, points


@jit
def expected_gifts(t: Tables, ws: Workspace, seat: int, cards: Mask) -> float:
    """Expected points (negative) of the bonus cards that a seat gives away."""
    points = 0.0
    while cards:
        kind = lowest(cards)
        cards &= cards - ONE
        points += ws.weights.gift * holding_chance(t, ws.belief, seat, kind) * ws.card_values.value[kind]
    return points


@jit
def beating_chance(t: Tables, ws: Workspace, seat: int, suit: int, kind: int) -> float:
    """Probability that a seat plays a higher card of the led suit.

    With probability `duck` it does so only if it has to; otherwise it plays a random card of the suit.
    """
    belief, duck = ws.belief, ws.weights.duck
    suit_cards = t.suit_mask[suit]
    higher = suit_cards & ~(bit(kind) - ONE) & ~bit(kind)
    lower = suit_cards & (bit(kind) - ONE)
    miss = 1.0 - belief.share[seat, suit]
    above, below = count_unseen(belief, belief.free & higher), count_unseen(belief, belief.free & lower)
    sure_above, sure_below = popcount(belief.known[seat] & higher), popcount(belief.known[seat] & lower)
    no_above = 0.0 if sure_above else miss**above
    no_below = 0.0 if sure_below else miss**below
    forced = (1.0 - no_above) * no_below
    high = sure_above + (1.0 - miss) * above
    low = sure_below + (1.0 - miss) * below
    careless = (1.0 - no_above * no_below) * high / (high + low) if high > 0 else 0.0
    return duck * forced + (1.0 - duck) * careless


@jit
def cost_to_partner(s: State, t: Tables, ws: Workspace, kind: int) -> float:
    """Expected cost to the team of a card that does not win: a partner may win the trick."""
    belief = ws.belief
    if belief.winner < 0 or t.team[belief.winner] != t.team[belief.me]:
        return 0.0
    stays = 1.0
    seat = belief.me
    for _ in range(belief.rest):
        seat = next_seat(t, seat)
        stays *= 1.0 - beating_chance(t, ws, seat, np.int64(s.led_suit), belief.top)
    return stays * ws.card_values.value[kind]


@jit
def moon_break_chance(s: State, t: Tables, ws: Workspace, kind: int, wins: float, points: float) -> float:
    """Probability that a card makes somebody other than the suspect take a moon card.

    `wins` is the probability that the card wins the trick, `points` are likely to be added to it.
    """
    belief = ws.belief
    filled = 1.0 if belief.with_moon or ws.card_values.moon & bit(kind) else min(points, 1.0)
    if belief.winner < 0 or wins > 0.0:
        return filled * wins
    if shoots_with(t, belief.winner, belief.suspect):
        return 0.0
    stays = 1.0
    seat = belief.me
    for _ in range(belief.rest):
        seat = next_seat(t, seat)
        if shoots_with(t, seat, belief.suspect) and belief.top >= 0 and s.led_suit != JOKERS:
            stays -= beating_chance(t, ws, seat, np.int64(s.led_suit), belief.top)
    return filled * stays
