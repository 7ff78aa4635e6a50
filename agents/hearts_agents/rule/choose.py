"""The rule agent's decisions: every legal action gets an expected cost, and the cheapest is taken."""

from __future__ import annotations

import numpy as np

from hearts_agents.rule.belief import Notes, number, read, worth
from hearts_agents.rule.card_values import Plan
from hearts_agents.rule.cost import FAR, card_cost, is_stopper
from hearts_agents.rule.danger import danger
from hearts_agents.rule.marginal_cost import revalue
from hearts_agents.rule.moon import promise, shooting_cost, will_shoot
from hearts_agents.rule.trick_forecast import outlook, read_trick
from hearts_agents.rule.weights import Weighing
from hearts_agents.rule.workspace import Mind
from hearts_env.kernel.bits import INT64, ONE, bit, lowest, popcount
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import legal
from hearts_env.kernel.moon import BOTH
from hearts_env.kernel.records import Array, Phase, State, Tables
from hearts_env.kernel.scoring import best_choice, exact_hit_helps, hurting_sign

SAFE = 1.0
"""Risk up to which a hand pledges."""

DIRECTION, REFUSE, PASS, EXPOSE, PLEDGE, PLAY, SUIT, MOON, SIGN, EXACT, OVER = (phase.value for phase in Phase)


@jit
def choose_all(views: Array, t: Tables, mind: Mind, actions: Array) -> None:
    """Write the rule agent's action for every view."""
    for i in range(views.shape[0]):
        if views[i].phase != OVER:
            actions[i] = choose(views[i], t, mind)


@jit
def choose(s: State, t: Tables, mind: Mind) -> int:
    """The rule agent's action in one view."""
    if s.phase == MOON:
        return t.moon_action + best_choice(s, t, INT64(BOTH))
    if s.phase == SIGN:
        return t.sign_action + (0 if hurting_sign(s, t) > 0 else 1)
    if s.phase == EXACT:
        return t.exact_action + (0 if exact_hit_helps(s, t, INT64(s.seat)) else 1)
    if mind.plan.fixed:
        return choose_by(s, t, mind.plan, mind.weights, mind.notes)
    revalue(s, t, mind.plan, mind.now)
    return choose_by(s, t, mind.now, mind.weights, mind.notes)


@jit
def choose_by(s: State, t: Tables, plan: Plan, w: Weighing, n: Notes) -> int:
    """The same, once it is known what the cards are worth."""
    read(s, t, plan, w, n)
    if s.phase == PLAY:
        return choose_card(s, t, plan, w, n)
    if s.phase == PASS:
        return choose_pass(s, t, plan, w, n)
    if s.phase == DIRECTION:
        return choose_direction(s, t, plan, w, n)
    return announce(s, t, plan, n)


@jit
def announce(s: State, t: Tables, plan: Plan, n: Notes) -> int:
    """What to say before play, or of a joker that was led."""
    if s.phase == PLEDGE:
        return t.pledge_action + (0 if is_safe(t, n) else 1)
    if s.phase == REFUSE:
        return t.refuse_action + to_refuse(s, t)
    if s.phase == SUIT:
        return call_suit(s, t, plan, n)
    place = to_expose(s, t, plan, n)
    return t.expose_action + (place if place >= 0 else np.int64(t.exposures))


@jit
def to_refuse(s: State, t: Tables) -> int:
    """The answer to an offered card: a penalty is refused, anything else accepted."""
    for place in range(t.refusals):
        if t.refuse_card[place] & s.offered[s.seat] & t.penalty:
            return place
    return t.refusals


@jit
def to_expose(s: State, t: Tables, plan: Plan, n: Notes) -> int:
    """A bonus card to show, if the hand is sure of winning it; -1 for none."""
    for place in range(t.exposures):
        card = t.expose_card[place]
        if card & n.hand & ~s.exposed and card & plan.bonus and not t.expose_raises[place] & plan.penalty:
            kind = lowest(card)
            suit = t.suit_mask[t.suit_of[kind]]
            over = suit & ~(card - ONE) & ~card
            if popcount(n.hand & over) > number(n, over):
                return place
    return -1


@jit
def is_safe(t: Tables, n: Notes) -> bool:
    """Whether a hand is likely to get through a deal without a heart."""
    risk = 0.0
    for suit in range(4):
        cards = n.hand & t.suit_mask[suit]
        own = popcount(cards)
        while cards:
            kind = lowest(cards)
            cards &= cards - ONE
            out = number(n, t.suit_mask[suit])
            under = number(n, t.suit_mask[suit] & (bit(kind) - ONE))
            risk += (under / out) ** 2 / own if out else 0.0
    return risk < SAFE


@jit
def call_suit(s: State, t: Tables, plan: Plan, n: Notes) -> int:
    """The suit to call to a joker, which cannot win: the one in which others have most to lose."""
    answers = legal(s, t)
    best, most = -1, -FAR
    while answers:
        action = lowest(answers) + t.kinds
        answers &= answers - ONE
        suit = t.suit_mask[action - t.suit_action]
        points = worth(plan, n.unseen & suit) - worth(plan, n.hand & suit)
        if points > most:
            best, most = action, points
    return best


@jit
def choose_direction(s: State, t: Tables, plan: Plan, w: Weighing, n: Notes) -> int:
    """A dealer passes as many cards as it may, or holds a harmless hand."""
    harmless = worst(n, t, plan, w) <= w.hold
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
def worst(n: Notes, t: Tables, plan: Plan, w: Weighing) -> float:
    """Danger of the most dangerous card of the hand."""
    cards, most = n.hand, -FAR
    while cards:
        most = max(most, danger(n, t, plan, w.passing, lowest(cards)))
        cards &= cards - ONE
    return most


@jit
def choose_pass(s: State, t: Tables, plan: Plan, w: Weighing, n: Notes) -> int:
    """The card whose loss helps the hand most."""
    cards = legal(s, t)
    left = t.option_cards[s.pass_option] - s.picked
    shoots = n.may_shoot and promise_after(n, t, plan, w, left) > w.shoot_pass
    best, least = -1, FAR
    while cards:
        kind = lowest(cards)
        cards &= cards - ONE
        if shoots:
            cost = -promise(n, t, plan, w, n.hand & ~bit(kind))
        else:
            cost = -danger(n, t, plan, w.passing, kind)
            if n.open and is_stopper(n, t, plan, t.suit_of[kind], kind):
                cost += w.pass_caution
        if cost <= least:
            best, least = kind, cost
    return best


@jit
def promise_after(n: Notes, t: Tables, plan: Plan, w: Weighing, count: int) -> float:
    """Chance of the moon once the `count` cards that hinder it most are passed."""
    hand = n.hand
    for _ in range(count):
        cards, best, most = hand, np.uint64(0), -1.0
        while cards:
            card = cards & (~cards + ONE)
            cards &= cards - ONE
            chance = promise(n, t, plan, w, hand & ~card)
            if chance > most:
                best, most = card, chance
        hand &= ~best
    return promise(n, t, plan, w, hand)


@jit
def choose_card(s: State, t: Tables, plan: Plan, w: Weighing, n: Notes) -> int:
    """The legal card of least cost."""
    cards = legal(s, t)
    if cards & (cards - ONE) == 0:
        return lowest(cards)
    shoots = will_shoot(s, n, t, plan, w)
    led = np.int64(s.led_suit) if s.trick_len else np.int64(-1)
    read_trick(s, t, plan, n)
    best, least = -1, FAR
    while cards:
        kind = lowest(cards)
        cards &= cards - ONE
        wins, points = outlook(s, t, plan, w, n, kind)
        if shoots:
            cost = shooting_cost(s, n, t, plan, w, kind, led, wins, n.points + points)
        else:
            cost = card_cost(s, t, plan, w, n, kind, wins, points)
        if cost <= least:
            best, least = kind, cost
    return best
