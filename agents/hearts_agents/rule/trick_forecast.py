"""What a card is likely to do to the trick on the table."""

from __future__ import annotations

import numpy as np

from hearts_agents.rule.belief import Notes, dearest, holds, number, void_chance, worth
from hearts_agents.rule.card_values import Plan
from hearts_agents.rule.weights import Weighing
from hearts_env.kernel.bits import ONE, bit, lowest, popcount
from hearts_env.kernel.dealing import next_seat
from hearts_env.kernel.jit import jit
from hearts_env.kernel.moon import shoots_with
from hearts_env.kernel.records import JOKER_SUIT, NOBODY, Mask, State, Tables
from hearts_env.kernel.tricks import winning_place

JOKERS = JOKER_SUIT


@jit
def read_trick(s: State, t: Tables, plan: Plan, n: Notes) -> None:
    """Note what lies on the table."""
    n.points, n.top, n.winner, n.with_moon = 0.0, NOBODY, NOBODY, 0
    for place in range(s.trick_len):
        kind = np.int64(s.trick[place])
        n.points += plan.value[kind]
        n.with_moon |= plan.moon & bit(kind) != 0
    place = winning_place(t, s.trick, s.trick_len, np.int64(s.led_suit)) if s.trick_len else -1
    if place >= 0:
        n.top = s.trick[place]
        n.winner = s.history_seat[s.plies - s.trick_len + place]
    if s.rolled_tricks:
        for plane in range(t.copies):
            n.points += worth(plan, s.rolled_over[0, plane])


@jit
def takes_lead(s: State, t: Tables, n: Notes, kind: int) -> bool:
    """Whether a card would be the best one on the table."""
    if s.trick_len == 0:
        return t.suit_of[kind] != JOKERS
    if t.plain_trick:
        return t.suit_of[kind] == s.led_suit and kind > n.top
    led = np.int64(t.suit_of[kind] if s.led_suit == JOKERS else s.led_suit)
    s.trick[s.trick_len] = kind
    return winning_place(t, s.trick, s.trick_len + 1, led) == s.trick_len


@jit
def outlook(s: State, t: Tables, plan: Plan, w: Weighing, n: Notes, kind: int) -> tuple[float, float]:
    """Chance that a card wins the trick, and the points that others are likely to add to it if it does."""
    suit = np.int64(t.suit_of[kind])
    if not takes_lead(s, t, n, kind):
        return 0.0, 0.0
    wins, points = 1.0, 0.0
    seat = n.me
    for _ in range(n.rest):
        seat = next_seat(t, seat)
        void = void_chance(n, t, seat, suit)
        wins *= 1.0 - beats(n, t, w, seat, suit, kind)
        under = n.unseen & t.suit_mask[suit] & (bit(kind) - ONE)
        points += void * n.dump[seat, suit] + dearest(n, t, plan, seat, under & plan.penalty)
        points += gifts(n, t, plan, w, seat, under & plan.bonus)
    return wins, points


@jit
def gifts(n: Notes, t: Tables, plan: Plan, w: Weighing, seat: int, cards: Mask) -> float:
    """Expected (negative) value of the bonus cards that a seat lets go of."""
    points = 0.0
    while cards:
        kind = lowest(cards)
        cards &= cards - ONE
        points += w.gift * holds(n, t, seat, kind) * plan.value[kind]
    return points


@jit
def beats(n: Notes, t: Tables, w: Weighing, seat: int, suit: int, kind: int) -> float:
    """Chance that a seat plays over a card of the led suit."""
    suit_cards = t.suit_mask[suit]
    higher = suit_cards & ~(bit(kind) - ONE) & ~bit(kind)
    lower = suit_cards & (bit(kind) - ONE)
    miss = 1.0 - n.share[seat, suit]
    above, below = number(n, n.free & higher), number(n, n.free & lower)
    sure_above, sure_below = popcount(n.known[seat] & higher), popcount(n.known[seat] & lower)
    no_above = 0.0 if sure_above else miss**above
    no_below = 0.0 if sure_below else miss**below
    forced = (1.0 - no_above) * no_below
    high = sure_above + (1.0 - miss) * above
    low = sure_below + (1.0 - miss) * below
    careless = (1.0 - no_above * no_below) * high / (high + low) if high > 0 else 0.0
    return w.duck * forced + (1.0 - w.duck) * careless


@jit
def feeds_partner(s: State, t: Tables, plan: Plan, w: Weighing, n: Notes, kind: int) -> float:
    """What a card that does not win costs the own team: the trick may be a partner's."""
    if n.winner < 0 or t.team[n.winner] != t.team[n.me]:
        return 0.0
    stays = 1.0
    seat = n.me
    for _ in range(n.rest):
        seat = next_seat(t, seat)
        stays *= 1.0 - beats(n, t, w, seat, np.int64(s.led_suit), n.top)
    return stays * plan.value[kind]


@jit
def breaks_moon(s: State, t: Tables, plan: Plan, w: Weighing, n: Notes, kind: int, wins: float, points: float) -> float:
    """Chance that a card lets somebody else than the suspect take a moon card; `points` are likely to be added."""
    filled = 1.0 if n.with_moon or plan.moon & bit(kind) else min(points, 1.0)
    if n.winner < 0 or wins > 0.0:
        return filled * wins
    if shoots_with(t, n.winner, n.suspect):
        return 0.0
    stays = 1.0
    seat = n.me
    for _ in range(n.rest):
        seat = next_seat(t, seat)
        if shoots_with(t, seat, n.suspect) and n.top >= 0 and s.led_suit != JOKERS:
            stays -= beats(n, t, w, seat, np.int64(s.led_suit), n.top)
    return filled * stays
