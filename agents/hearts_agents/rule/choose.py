"""The rule agent's decisions: every legal action gets an expected cost, and the cheapest is taken."""

from __future__ import annotations

import numpy as np

from hearts_agents.rule.danger import danger, depth
from hearts_agents.rule.moon import promise, shooting_cost, will_shoot
from hearts_agents.rule.notes import Notes, dearest, holds, read, void_chance, worth
from hearts_agents.rule.plan import Plan
from hearts_agents.rule.weights import Weighing
from hearts_env.kernel.bits import ONE, bit, highest, lowest, popcount
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import legal
from hearts_env.kernel.records import Array, Mask, Phase, State, Tables

DIRECTION, PASS, PLAY, MOON, EXACT, OVER = (phase.value for phase in Phase)
FAR = 1e18


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
        cost = -promise(n, t, plan, w, n.hand & ~bit(kind)) if shoots else -danger(n, t, plan, w.passing, kind)
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
    table, top = on_table(s, t, plan)
    best, least = -1, FAR
    while cards:
        kind = lowest(cards)
        cards &= cards - ONE
        wins, points = outlook(s, t, plan, w, n, kind, top)
        if shoots:
            cost = shooting_cost(s, n, t, plan, w, kind, led, wins, table + points)
        else:
            cost = card_cost(s, t, plan, w, n, kind, wins, table + points)
        if cost <= least:
            best, least = kind, cost
    return best


@jit
def on_table(s: State, t: Tables, plan: Plan) -> tuple[float, int]:
    """Points of the cards on the table, and the one that is winning (-1: none)."""
    points, top = 0.0, -1
    for place in range(s.trick_len):
        kind = s.trick[place]
        points += plan.value[kind]
        if t.suit_of[kind] == s.led_suit and kind > top:
            top = kind
    return points, top


@jit
def outlook(s: State, t: Tables, plan: Plan, w: Weighing, n: Notes, kind: int, top: int) -> tuple[float, float]:
    """Chance that a card wins the trick, and the points that others are likely to add if it does."""
    suit = np.int64(t.suit_of[kind])
    if top >= 0 and (suit != s.led_suit or kind < top):
        return 0.0, 0.0
    wins, points = 1.0, 0.0
    seat = n.me
    for _ in range(n.rest):
        seat = seat + 1 if seat + 1 < t.seats else 0
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
    above, below = popcount(n.free & higher), popcount(n.free & lower)
    sure_above, sure_below = popcount(n.known[seat] & higher), popcount(n.known[seat] & lower)
    no_above = 0.0 if sure_above else miss**above
    no_below = 0.0 if sure_below else miss**below
    forced = (1.0 - no_above) * no_below
    high = sure_above + (1.0 - miss) * above
    low = sure_below + (1.0 - miss) * below
    careless = (1.0 - no_above * no_below) * high / (high + low) if high > 0 else 0.0
    return w.duck * forced + (1.0 - w.duck) * careless


@jit
def card_cost(s: State, t: Tables, plan: Plan, w: Weighing, n: Notes, kind: int, wins: float, points: float) -> float:
    """Expected cost of a card: this trick, and the change of the danger of what is left in the hand."""
    suit = np.int64(t.suit_of[kind])
    trick = points + plan.value[kind] + w.lead + w.exit * best_exit(n, t, n.hand & ~bit(kind))
    if s.tricks_won[n.me] == 0:
        trick -= plan.no_tricks * (s.trick_number + 1) / t.hand_size
    cost = wins * trick if wins > 0.0 else 0.0
    away = w.lead_away if s.trick_len == 0 else (w.follow_away if suit == s.led_suit else w.discard_away)
    away *= 1.0 + w.late * s.trick_number / t.hand_size
    cost -= away * (1.0 - w.stopper * n.threat) * danger(n, t, plan, w.play, kind)
    if s.trick_len == 0:
        cost += w.below * depth(n, t, kind)
        cost -= w.bleed * bleeding(n, t, plan, suit, n.hand & t.suit_mask[suit])
    if n.threat > 0.0:
        cost -= w.defend * n.threat * breaks_moon(s, t, plan, w, n, kind, wins, points)
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
def bleeding(n: Notes, t: Tables, plan: Plan, suit: int, cards: Mask) -> float:
    """Value of the dear cards of a suit that are out, if all of one's own are lower."""
    dear = plan.dear & t.suit_mask[suit] & n.unseen
    if not dear or highest(cards) > lowest(dear):
        return 0.0
    return worth(plan, dear)


@jit
def breaks_moon(s: State, t: Tables, plan: Plan, w: Weighing, n: Notes, kind: int, wins: float, points: float) -> float:
    """Chance that a moon card goes to somebody else than the seat that has all of them."""
    has_moon = plan.moon & bit(kind) != 0
    current, top = -1, -1
    for place in range(s.trick_len):
        card = s.trick[place]
        has_moon |= plan.moon & bit(card) != 0
        if t.suit_of[card] == s.led_suit and card > top:
            top = card
            current = s.leader + place
    if current >= t.seats:
        current -= t.seats
    filled = 1.0 if has_moon else min(points, 1.0)
    if current < 0 or wins > 0.0:
        return filled * wins
    if current == n.sole:
        return 0.0
    stays = 1.0
    seat = n.me
    for _ in range(n.rest):
        seat = seat + 1 if seat + 1 < t.seats else 0
        if seat == n.sole:
            stays *= 1.0 - beats(n, t, w, seat, np.int64(s.led_suit), top)
    return filled * stays
