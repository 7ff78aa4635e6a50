"""Determinization: deals of the hidden cards that agree with a view (worlds), each equally likely.

The number of cards of each class that a constrained holder gets is drawn in proportion to the ways to go on
(`counting`), and the cards themselves uniformly; the unconstrained holders share the rest. A world in which a card
played was not legal is rejected and drawn again; that happens only where rules bind several cards at once.
"""

from __future__ import annotations

import numpy as np

from hearts_env.kernel.bits import INT64, advance, below, bit, mix, popcount
from hearts_env.kernel.deduce.constraints import Hidden, is_consistent, replay, rewind
from hearts_env.kernel.deduce.counting import cap_for, first_part, index, list_cards, next_part, prepare, weight
from hearts_env.kernel.deduce.passes import (
    could_pass,
    has_passed,
    passed_to_pool,
    picks_are_legal,
    pool_is_dealt,
    recall_picks,
)
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import legal
from hearts_env.kernel.records import Array, Mask, Phase, State, Tables
from hearts_env.kernel.tricks import add_card
from hearts_env.ruleset.limits import PLANES

PLAY, REFUSE, SUIT = Phase.PLAY.value, Phase.REFUSE.value, Phase.SUIT.value
TRIES = 100_000
RECALLS = 64
"""Draws of what the others put in a pool, for the same hands, before the hands are drawn again."""
UNIT = 2.0**-53


@jit
def sample_all(view: State, t: Tables, me: int, seed: Mask, h: Hidden, w: State, worlds: Array) -> int:
    """Fill `worlds` with draws from the deals that agree with the view of seat `me`.

    `h` is a `HIDDEN` record with its binomial coefficients, `w` a `STATE` record to work with. Returns how many worlds
    were found: fewer than requested if none agrees with the view.
    """
    if not prepare(view, t, me, h, w):
        return 0
    h.rotation = 0
    rng = seed
    for place in range(worlds.shape[0]):
        rng = advance(rng)
        if not sample(view, t, me, rng, h, w, worlds, place):
            return place
    return worlds.shape[0]


@jit
def sample(view: State, t: Tables, me: int, rng: Mask, h: Hidden, w: State, worlds: Array, place: int) -> bool:
    """Put a world of the view that `h` is prepared for into one of the records. Returns whether one was found."""
    rng = mix(rng)
    for _ in range(TRIES):
        worlds[place] = view
        rng = draw(view, t, me, h, worlds[place], rng)
        if agrees(view, t, me, worlds[place], w):
            if not protects(view, t):
                return True
            for _ in range(RECALLS):
                if picks_are_legal(view, t, me, worlds[place]):
                    return True
                if not passed_to_pool(view, t):  # else the hands may be right, and only what was put in the pool wrong
                    break
                rng = recall_picks(view, t, me, h, worlds[place], rng)
    return False


@jit
def agrees(view: State, t: Tables, me: int, world: State, w: State) -> bool:
    """True if a world could have led to the view."""
    if protects(view, t) and not passed_to_pool(view, t) and not could_pass(view, t, me, world):
        return False
    if t.kitty_size:
        if passed_to_pool(view, t) and not pool_is_dealt(view, t, me, world):
            return False
        if view.phase > SUIT and not kitty_is_taken(t, world):
            return False
    return (view.phase != PLAY and view.phase != SUIT) or is_consistent(view, t, world, w)


@jit
def protects(view: State, t: Tables) -> bool:
    """True if cards were passed in the deal although some are protected (passing.unpassable)."""
    return t.passing_unpassable != 0 and view.phase != REFUSE and has_passed(view, t)


@jit
def kitty_is_taken(t: Tables, world: State) -> bool:
    """True if those who took the cards of the kitty have them among the cards taken, which lie open after the deal."""
    for place in range(INT64(t.kitty_size)):
        seat = INT64(world.kitty_seat[place])
        if seat >= 0 and not world.taken[seat, 0] & bit(world.kitty[place]):
            return False
    return True


@jit
def draw(view: State, t: Tables, me: int, h: Hidden, world: State, rng: Mask) -> Mask:
    """Deal the hidden cards once into `world`, a copy of the view. Returns the generator."""
    rng = advance(rng)
    world.seed = mix(rng)
    for seat in range(INT64(t.seats)):
        if seat != me:
            for plane in range(PLANES):
                world.hands[seat, plane] = h.known[seat, plane]
    h.slot = 0
    list_cards(t, h)
    for place in range(h.constrained):
        rng = _deal_part(view, t, me, h, world, h.order[place], rng)
    rng = _deal_rest(view, t, me, h, world, rng)
    if t.kitty_size:
        rng = _shuffle_kitty(view, t, me, world, rng)
    return recall_picks(view, t, me, h, world, rng)


@jit
def _deal_part(view: State, t: Tables, me: int, h: Hidden, world: State, holder: int, rng: Mask) -> Mask:
    """Deal to a constrained holder: how many of each class in proportion to the ways to go on, then which."""
    rng = advance(rng)
    goal = np.float64(mix(rng) >> np.uint64(11)) * UNIT * h.ways[index(h, h.left)]
    cap_for(h, holder)
    more = first_part(h, h.part, h.capacity[holder])
    while more:
        goal -= weight(h)
        if goal < 0.0:
            break
        more = next_part(h, h.part)
    # rounding may leave a remainder after the last way, which then stands in `part`
    for place in range(h.classes):
        for _ in range(h.part[place]):
            rng = advance(rng)
            _give(view, t, me, h, world, holder, place, below(mix(rng), h.left[place]))
    return rng


@jit
def _deal_rest(view: State, t: Tables, me: int, h: Hidden, world: State, rng: Mask) -> Mask:
    """Deal all that is left to the unconstrained holders."""
    total = INT64(0)
    for place in range(h.classes):
        total += h.left[place]
    if h.holders == h.constrained:
        return rng
    # Whoever is dealt to first: every order of the places makes every deal equally likely.
    skip = h.rotation * total // (h.holders - h.constrained)
    unconstrained, given = h.constrained, INT64(0)
    while skip >= h.capacity[h.order[unconstrained]]:
        skip -= h.capacity[h.order[unconstrained]]
        unconstrained += 1
    given = skip
    for left in range(total, 0, -1):
        if given == h.capacity[h.order[unconstrained]]:
            unconstrained, given = (unconstrained + 1 if unconstrained + 1 < h.holders else h.constrained), 0
        rng = advance(rng)
        card, place = below(mix(rng), left), INT64(0)
        while card >= h.left[place]:
            card -= h.left[place]
            place += 1
        _give(view, t, me, h, world, h.order[unconstrained], place, card)
        given += 1
    return rng


@jit
def _give(view: State, t: Tables, me: int, h: Hidden, world: State, holder: int, place: int, card: int) -> None:
    """Give a holder one of the cards left in a class."""
    card += h.start[place]
    h.left[place] -= 1
    last = h.start[place] + h.left[place]
    kind = h.cards[card]
    h.cards[card], h.cards[last] = h.cards[last], kind
    if holder < t.seats:
        add_card(world.hands, holder, kind)
        return
    while view.kitty_seat[h.slot] == me:
        h.slot += 1
    world.kitty[h.slot] = kind
    h.slot += 1


@jit
def _shuffle_kitty(view: State, t: Tables, me: int, world: State, rng: Mask) -> Mask:
    """Put the hidden cards of the kitty in random order."""
    for slot in range(INT64(t.kitty_size)):
        if view.kitty_seat[slot] == me:
            continue
        rng = advance(rng)
        other = below(mix(rng), slot + 1)
        while view.kitty_seat[other] == me:
            rng = advance(rng)
            other = below(mix(rng), slot + 1)
        world.kitty[slot], world.kitty[other] = world.kitty[other], world.kitty[slot]
    return rng


@jit
def rewind_all(view: State, t: Tables, worlds: Array) -> None:
    """Set worlds of a view in play back to the opening lead."""
    for place in range(worlds.shape[0]):
        rewind(view, t, worlds[place])


@jit
def replay_all(view: State, t: Tables, worlds: Array, ply: int) -> None:
    """Play the card of a ply of the view in every world that `rewind_all` set back."""
    for place in range(worlds.shape[0]):
        replay(view, t, worlds[place], ply)


@jit
def count_legal(views: Array, t: Tables, numbers: Array) -> None:
    """Write the number of legal actions in every view."""
    for place in range(views.shape[0]):
        numbers[place] = popcount(legal(views[place], t))
