"""The rule agent's decisions: every legal action gets an expected cost, and the cheapest is taken."""

from __future__ import annotations

import numpy as np

from hearts_agents.rule.danger import danger
from hearts_agents.rule.moon import promise, shooting_cost, will_shoot
from hearts_agents.rule.notes import Notes, read
from hearts_agents.rule.outlook import outlook, read_trick
from hearts_agents.rule.plan import Plan
from hearts_agents.rule.price import FAR, card_cost, is_stopper
from hearts_agents.rule.weights import Weighing
from hearts_env.kernel.bits import ONE, bit, lowest
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import legal
from hearts_env.kernel.records import Array, Phase, State, Tables

DIRECTION, PASS, PLAY, MOON, EXACT, OVER = (phase.value for phase in Phase)


@jit
def choose_all(views: Array, t: Tables, plan: Plan, w: Weighing, notes: Notes, actions: Array) -> None:
    """Write the rule agent's action for every view."""
    for i in range(views.shape[0]):
        if views[i].phase != OVER:
            actions[i] = choose(views[i], t, plan, w, notes)


@jit
def choose(s: State, t: Tables, plan: Plan, w: Weighing, n: Notes) -> int:
    """The rule agent's action in one view."""
    if s.phase == MOON:
        return t.moon_action + (0 if others_lose_more(s, t) else 1)
    if s.phase == EXACT:
        return t.exact_action + (0 if takes_hit(s, t) else 1)
    read(s, t, plan, w, n)
    if s.phase == PASS:
        return choose_pass(s, t, plan, w, n)
    if s.phase == DIRECTION:
        return choose_direction(s, t, plan, w, n)
    return choose_card(s, t, plan, w, n)


@jit
def others_lose_more(s: State, t: Tables) -> bool:
    """Whether the shooter had better take the points off itself: it would not lead with the others charged."""
    own = s.totals[s.seat, 0]
    for seat in range(t.seats):
        if seat != s.seat and s.totals[seat, 0] + t.moon_amount <= own:
            return True
    return False


@jit
def takes_hit(s: State, t: Tables) -> bool:
    """Whether the change for an exact hit is welcome."""
    for hit in range(t.exact_hits):
        if s.totals[s.seat, 0] == t.exact_total[hit]:
            return t.exact_change[hit] < 0
    return False


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
