"""The rule agent's decisions: it estimates the cost of every legal action and takes the cheapest."""

from __future__ import annotations

import numpy as np

from hearts_agents.rule.belief import SUITS, Belief, count_unseen, expect_dumps, read_view
from hearts_agents.rule.card_values import CardValues, sum_values
from hearts_agents.rule.cost import card_cost, is_stopper
from hearts_agents.rule.danger import INFINITE, danger, measure_depths
from hearts_agents.rule.marginal_cost import update_values
from hearts_agents.rule.moon import moon_chance, shooting_cost, shoots_after_pass, watch_moon, will_shoot
from hearts_agents.rule.trick_forecast import forecast, read_trick
from hearts_agents.rule.workspace import Workspace
from hearts_env.kernel.bits import INT64, ONE, bit, lowest, popcount
from hearts_env.kernel.choices import best_choice, hurting_sign
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import legal
from hearts_env.kernel.moon import BOTH
from hearts_env.kernel.records import Array, Mask, Phase, State, Tables
from hearts_env.kernel.totals import exact_hit_helps

SAFE = 1.0
"""Risk up to which a hand pledges."""

DIRECTION, REFUSE, PASS, EXPOSE, PLEDGE, PLAY, SUIT, MOON, SIGN, EXACT, OVER = (phase.value for phase in Phase)


@jit
def choose_all(views: Array, table: Array, workspace: Array, actions: Array) -> None:
    """Write the rule agent's action for every view; those of finished matches stay as they are.

    `table` and `workspace` hold one record each: Numba takes an array from Python in a tenth of the time of a record.
    """
    for i in range(views.shape[0]):
        if views[i].phase != OVER:
            actions[i] = choose(views[i], table[0], workspace[0])


@jit
def choose(s: State, t: Tables, ws: Workspace) -> int:
    if s.phase == MOON:
        return t.moon_action + best_choice(s, t, INT64(BOTH))
    if s.phase == SIGN:
        return t.sign_action + (0 if hurting_sign(s, t) > 0 else 1)
    if s.phase == EXACT:
        return t.exact_action + (0 if exact_hit_helps(s, t, INT64(s.seat)) else 1)
    if not ws.game_values.fixed:
        update_values(s, t, ws.game_values, ws.card_values)
    read_view(s, t, ws.card_values, ws.belief)
    measure_depths(t, ws.belief)
    watch_moon(s, t, ws)
    if s.phase == PLAY:
        return choose_card(s, t, ws)
    if s.phase == PASS:
        return choose_pass(s, t, ws)
    if s.phase == DIRECTION:
        return choose_direction(s, t, ws)
    return announce(s, t, ws)


@jit
def announce(s: State, t: Tables, ws: Workspace) -> int:
    """The declaration to make before play, or the suit to call for a joker that was led."""
    if s.phase == PLEDGE:
        return t.pledge_action + (0 if is_safe(t, ws.belief) else 1)
    if s.phase == REFUSE:
        return t.refuse_action + to_refuse(s, t)
    if s.phase == SUIT:
        return call_suit(s, t, ws.card_values, ws.belief)
    place = to_expose(s, t, ws.card_values, ws.belief)
    return t.expose_action + (place if place >= 0 else np.int64(t.exposures))


@jit
def to_refuse(s: State, t: Tables) -> int:
    """The place of an offered penalty card, which is refused; if there is none, the number of places, which accepts."""
    for place in range(t.refusals):
        if t.refuse_card[place] & s.offered[s.seat] & t.penalty:
            return place
    return t.refusals


@jit
def to_expose(s: State, t: Tables, values: CardValues, belief: Belief) -> int:
    """The place of a bonus card to show, which the hand is sure to win; -1 for none."""
    for place in range(t.exposures):
        card = t.expose_card[place]
        if card & belief.hand & ~s.exposed and card & values.bonus and not t.expose_raises[place] & values.penalty:
            kind = lowest(card)
            suit = t.suit_mask[t.suit_of[kind]]
            over = suit & ~(card - ONE) & ~card
            if popcount(belief.hand & over) > count_unseen(belief, over):
                return place
    return -1


@jit
def is_safe(t: Tables, belief: Belief) -> bool:
    """True if a hand is likely to take no heart in the deal."""
    risk = 0.0
    for suit in range(4):
        cards = belief.hand & t.suit_mask[suit]
        own = popcount(cards)
        while cards:
            kind = lowest(cards)
            cards &= cards - ONE
            out = count_unseen(belief, t.suit_mask[suit])
            under = count_unseen(belief, t.suit_mask[suit] & (bit(kind) - ONE))
            risk += (under / out) ** 2 / own if out else 0.0
    return risk < SAFE


@jit
def call_suit(s: State, t: Tables, values: CardValues, belief: Belief) -> int:
    """The suit to call for a joker, which cannot win: the one in which the others can expect to lose most."""
    options = legal(s, t)
    best, most = -1, -INFINITE
    while options:
        action = lowest(options) + t.kinds
        options &= options - ONE
        suit = t.suit_mask[action - t.suit_action]
        points = sum_values(values, belief.unseen & suit) - sum_values(values, belief.hand & suit)
        if points > most:
            best, most = action, points
    return best


@jit
def choose_direction(s: State, t: Tables, ws: Workspace) -> int:
    """The dealer's choice: to pass as many cards as possible, or as few as possible with a harmless hand."""
    harmless = highest_danger(t, ws) <= ws.weights.hold
    options = t.entry_options[s.pass_entry]
    best, most = lowest(options), -1
    while options:
        option = lowest(options)
        options &= options - ONE
        count = t.option_cards[option]
        if harmless:
            count = t.hand_size - count
        if count > most:
            best, most = option, count
    return t.direction_action + best


@jit
def highest_danger(t: Tables, ws: Workspace) -> float:
    cards, most = ws.belief.hand, -INFINITE
    while cards:
        most = max(most, danger(t, ws, ws.weights.passing, lowest(cards)))
        cards &= cards - ONE
    return most


@jit
def choose_pass(s: State, t: Tables, ws: Workspace) -> int:
    """The card whose loss helps the hand most."""
    belief, w = ws.belief, ws.weights
    cards = legal(s, t)
    left = t.option_cards[s.pass_option] - s.picked
    shoots = belief.may_shoot and shoots_after_pass(t, ws, left)
    best, least = -1, INFINITE
    while cards:
        kind = lowest(cards)
        cards &= cards - ONE
        if shoots:
            cost = -moon_chance(t, ws, belief.hand & ~bit(kind))
        else:
            cost = -danger(t, ws, w.passing, kind)
            if belief.moon_open and is_stopper(t, ws, t.suit_of[kind], kind):
                cost += w.pass_caution
        if cost <= least:
            best, least = kind, cost
    return best


@jit
def suits_of(t: Tables, cards: Mask) -> int:
    suits = 0
    for suit in range(SUITS):
        if cards & t.suit_mask[suit]:
            suits |= 1 << suit
    return suits


@jit
def choose_card(s: State, t: Tables, ws: Workspace) -> int:
    cards = legal(s, t)
    if cards & (cards - ONE) == 0:
        return lowest(cards)
    shoots = will_shoot(s, t, ws)
    led = np.int64(s.led_suit) if s.trick_len else np.int64(-1)
    read_trick(s, t, ws)
    expect_dumps(s, t, ws.card_values, ws.belief, suits_of(t, cards))
    best, least = -1, INFINITE
    while cards:
        kind = lowest(cards)
        cards &= cards - ONE
        forecast(s, t, ws, kind)
        wins, points = ws.belief.wins, ws.belief.gain
        if shoots:
            cost = shooting_cost(t, ws, kind, led, wins, ws.belief.trick_points + points)
        else:
            cost = card_cost(s, t, ws, kind, wins, points)
        if cost <= least:
            best, least = kind, cost
    return best
