"""Expected cards of every seat, each deal of the hidden cards that agrees with a view being equally likely.

By counting, without a draw: a card of a class is with a constrained holder in as many deals as there are ways to deal
the other cards once it has that card. Unconstrained holders share the rest in proportion to their room.
"""

from __future__ import annotations

from hearts_env.kernel.bits import INT64, advance
from hearts_env.kernel.deduce.constraints import Hidden
from hearts_env.kernel.deduce.counting import count_ways, prepare
from hearts_env.kernel.deduce.sampling import agrees, draw, protects, sample
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import Array, Mask, State, Tables
from hearts_env.kernel.tricks import add_cards

PROBES, DRAWS = 32, 4_096


@jit
def marginals_all(
    views: Array, t: Tables, seats: Array, seeds: Array, h: Hidden, w: State, world: Array, out: Array
) -> int:
    """Fill `out` (n, seats, kinds) with the expected number of copies that each seat holds, seen by `seats` (n,).

    `h` and `w` are as in `sample_all`, `world` an array of one `STATE` record. Returns the first view that no deal
    agrees with, or -1.
    """
    for i in range(views.shape[0]):
        me = INT64(seats[i])
        if not prepare(views[i], t, me, h, w):
            return i
        h.rotation = 0
        if _needs_no_draws(views[i], t, me, seeds[i], h, w, world):
            _count_each(t, h, out[i])
            for seat in range(INT64(t.seats)):
                if seat != me:
                    add_cards(t, h.known, seat, 1.0, out[i])
            _add_own(views[i], t, me, h, out[i])
        elif not _mean_of_draws(views[i], t, me, seeds[i], h, w, world, out[i]):
            return i
    return -1


@jit
def _needs_no_draws(view: State, t: Tables, me: int, seed: Mask, h: Hidden, w: State, world: Array) -> bool:
    """True unless some deals that were counted do not agree with the view: rules that bind several cards at once."""
    if protects(view, t):
        return False
    rng = seed
    for _ in range(PROBES):
        world[0] = view
        rng = draw(view, t, me, h, world[0], advance(rng))
        if not agrees(view, t, me, world[0], w):
            return False
    return True


@jit
def _count_each(t: Tables, h: Hidden, out: Array) -> None:
    """The free cards: the expected number of each class that a holder gets, spread evenly over the class."""
    ways = count_ways(h)
    room = INT64(0)
    for place in range(h.constrained, h.holders):
        room += h.capacity[h.order[place]]
    for place in range(h.classes):
        size, rest = INT64(h.size[place]), 1.0
        h.size[place] = size - 1
        for number in range(h.constrained):
            holder = INT64(h.order[number])
            if h.allowed[place] >> holder & 1:
                h.capacity[holder] -= 1
                share = count_ways(h) / ways
                h.capacity[holder] += 1
                rest -= share
                _spread(t, h, place, holder, share, out)
        for number in range(h.constrained, h.holders):
            holder = INT64(h.order[number])
            _spread(t, h, place, holder, max(rest, 0.0) * h.capacity[holder] / room, out)
        h.size[place] = size


@jit
def _spread(t: Tables, h: Hidden, place: int, holder: int, share: float, out: Array) -> None:
    if holder < t.seats:  # else the kitty
        for kind in range(t.kinds):
            if h.unplaced[kind] and h.class_of[kind] == place:
                out[holder, kind] += share * h.unplaced[kind]


@jit
def _add_own(view: State, t: Tables, me: int, h: Hidden, out: Array) -> None:
    """The cards of the observer, those that it has picked to pass included."""
    add_cards(t, view.hands, me, 1.0, out)
    for place in range(h.put_aside[me]):
        out[me, view.picks[me, place]] += 1.0


@jit
def _mean_of_draws(view: State, t: Tables, me: int, seed: Mask, h: Hidden, w: State, world: Array, out: Array) -> bool:
    """The mean over worlds drawn. Returns whether there are any."""
    rng = seed
    for _ in range(DRAWS):
        rng = advance(rng)
        if not sample(view, t, me, rng, h, w, world, 0):
            return False
        for seat in range(INT64(t.seats)):
            if seat != me:
                add_cards(t, world[0].hands, seat, 1.0 / DRAWS, out)
                for place in range(h.put_aside[seat]):
                    out[seat, world[0].picks[seat, place]] += 1.0 / DRAWS
    _add_own(view, t, me, h, out)
    return True
