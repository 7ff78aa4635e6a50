"""The cards that the other seats of a world passed: any that they may have passed, each equally likely."""

from __future__ import annotations

import numpy as np

from hearts_env.kernel.bits import INT64, advance, below, bit, lowest, mix, nth, popcount
from hearts_env.kernel.dealing import giver_to
from hearts_env.kernel.deduce.constraints import Hidden, is_refusing
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import spare
from hearts_env.kernel.records import Mask, Phase, State, Tables
from hearts_env.kernel.tricks import add_card, count, remove_card
from hearts_env.ruleset.limits import PLANES

REFUSE, PASS = Phase.REFUSE.value, Phase.PASS.value
NONE = np.uint64(0)


@jit
def recall_picks(view: State, t: Tables, me: int, h: Hidden, world: State, rng: Mask) -> Mask:
    """Fill in what the other seats passed, any legal cards being equally likely."""
    if view.phase == PASS or view.phase == REFUSE:
        return _put_aside(view, t, me, h, world, rng)
    if not has_passed(view, t):
        return rng
    if passed_to_pool(view, t):
        return _recall_pool(view, t, me, h, world, rng)
    for receiver in range(INT64(t.seats)):
        if receiver != me:
            _hand_after_pass(view, h, world, receiver)
        for known in range(2):
            rng = _recall_lanes(view, t, me, h, world, receiver, known == 0, rng)
    return rng


@jit
def has_passed(view: State, t: Tables) -> bool:
    """True if cards were passed in the deal."""
    return view.phase > PASS and view.pass_option >= 0 and t.option_cards[view.pass_option] > 0


@jit
def passed_to_pool(view: State, t: Tables) -> bool:
    """True if cards were passed in the deal, and shared out from a pool."""
    return has_passed(view, t) and t.option_moves[view.pass_option, 0, 0] == 0


@jit
def pool_is_dealt(view: State, t: Tables, me: int, world: State) -> bool:
    """True if the others were dealt what this seat gave to the pool and did not get back: the kitty has none of it."""
    given = INT64(t.option_cards[view.pass_option])
    for lane in range(given):
        kind, owed = INT64(view.picks[me, lane]), INT64(0)
        for other in range(given):
            owed += INT64(view.picks[me, other] == kind) - INT64(view.received[me, other] == kind)
        if owed > _copies_of_others(view, t, me, world, kind):
            return False
    return True


@jit
def _copies_of_others(view: State, t: Tables, me: int, world: State, kind: int) -> int:
    """Number of copies of a kind that the other seats have held since the pass."""
    copies = INT64(0)
    for seat in range(INT64(t.seats)):
        if seat != me:
            copies += count(world.hands, seat, bit(kind), t.copies) + count(view.played_by, seat, bit(kind), t.copies)
    return copies


@jit
def _unprotected(view: State, t: Tables, world: State, seat: int) -> int:
    """Number of cards that a seat has had since the pass and was free to pass (passing.unpassable)."""
    cards = ~(t.passing_unpassable | view.handed_back[seat])
    return count(world.hands, seat, cards, t.copies) + count(view.played_by, seat, cards, t.copies)


@jit
def picks_are_legal(view: State, t: Tables, me: int, world: State) -> bool:
    """True if the others passed protected cards only when they had nothing else (passing.unpassable)."""
    for seat in range(INT64(t.seats)):
        if seat == me:
            continue
        protected, others = t.passing_unpassable | view.handed_back[seat], _unprotected(view, t, world, seat)
        for lane in range(t.option_cards[view.pass_option]):
            others -= INT64(not bit(world.received[seat, lane]) & protected)
        for lane in range(INT64(t.option_cards[view.pass_option]) - 1, -1, -1):
            if not bit(world.picks[seat, lane]) & protected:
                others += 1
            elif others:
                return False
    return True


@jit
def could_pass(view: State, t: Tables, me: int, world: State) -> bool:
    """True if the others can have passed what the receivers have (passing.unpassable).

    A seat that received more protected cards than it needs to has them from those who kept nothing else.
    """
    for receiver in range(INT64(t.seats)):
        others, lane = _unprotected(view, t, world, receiver), 0
        for move in range(t.option_len[view.pass_option]):
            sender = _sender(t, view, receiver, move)
            for _ in range(t.option_moves[view.pass_option, move, 1]):
                known = view.received[me, lane] if receiver == me else view.picks[me, lane]
                if receiver == me and bit(known) & t.passing_unpassable and not _kept_none(view, t, me, world, sender):
                    return False
                if sender == me:
                    others -= INT64(not bit(known) & t.passing_unpassable)
                lane += 1
        if receiver == me:
            continue
        for move in range(t.option_len[view.pass_option]):
            sender = _sender(t, view, receiver, move)
            if sender != me and not _kept_none(view, t, me, world, sender):
                others -= INT64(t.option_moves[view.pass_option, move, 1])
        if others < 0:
            return False
    return True


@jit
def _kept_none(view: State, t: Tables, me: int, world: State, seat: int) -> bool:
    """True if all unprotected cards of a seat may be among those that it received."""
    others, lane = _unprotected(view, t, world, seat), 0
    for move in range(t.option_len[view.pass_option]):
        sender = _sender(t, view, seat, move)
        for _ in range(t.option_moves[view.pass_option, move, 1]):
            others -= INT64(sender != me or not bit(view.picks[me, lane]) & t.passing_unpassable)
            lane += 1
    return others <= 0


@jit
def _sender(t: Tables, view: State, receiver: int, move: int) -> int:
    """The seat that passes to another by a move of the pass."""
    sender = receiver - INT64(t.option_moves[view.pass_option, move, 0])
    return sender + t.seats if sender < 0 else sender


@jit
def _put_aside(view: State, t: Tables, me: int, h: Hidden, world: State, rng: Mask) -> Mask:
    for seat in range(INT64(t.seats)):
        for place in range(h.put_aside[seat] if seat != me else 0):
            rng = advance(rng)
            offered = view.offered[me] & world.hands[seat, 0] if is_refusing(view) else NONE
            if offered and seat == giver_to(view, t, me):
                kind = lowest(offered)
            else:
                kind = _any_of(spare(world.hands[seat, 0], t.passing_unpassable | view.handed_back[seat]), rng)
            remove_card(world.hands, seat, kind)
            world.picks[seat, place] = kind
    return rng


@jit
def _any_of(cards: Mask, rng: Mask) -> int:
    """A random card of a set."""
    return nth(cards, below(mix(rng), popcount(cards)))


@jit
def _hand_after_pass(view: State, h: Hidden, world: State, seat: int) -> None:
    """Put into `pool` the hand that a seat had after the pass."""
    for plane in range(PLANES):
        h.pool[0, plane] = world.hands[seat, plane]
    for ply in range(view.plies):
        if view.history_seat[ply] == seat:
            add_card(h.pool, 0, view.history[ply])


@jit
def _recall_lanes(
    view: State, t: Tables, me: int, h: Hidden, world: State, receiver: int, from_me: bool, rng: Mask
) -> Mask:
    """Settle what a seat received: from `me` what that seat passed, from others any of the cards in `pool`."""
    lane = 0
    for move in range(t.option_len[view.pass_option]):
        sender = _sender(t, view, receiver, move)
        for _ in range(t.option_moves[view.pass_option, move, 1]):
            if (sender == me) == from_me:
                if receiver == me:
                    kind = INT64(view.received[me, lane])
                elif sender == me:
                    kind = INT64(view.picks[me, lane])
                else:
                    rng = advance(rng)
                    kind = _any_of(spare(h.pool[0, 0], t.passing_unpassable), rng)
                if receiver != me:
                    remove_card(h.pool, 0, kind)
                world.received[receiver, lane] = kind
                world.picks[sender, lane] = kind
            lane += 1
    return rng


@jit
def _recall_pool(view: State, t: Tables, me: int, h: Hidden, world: State, rng: Mask) -> Mask:
    """Settle what every seat received from the pool, this seat's cards among it, and who had put it there."""
    count = INT64(t.option_cards[view.pass_option])
    for plane in range(PLANES):
        h.known[me, plane] = np.uint64(0)  # this seat's cards that are still to be found in the pool
    for lane in range(count):
        add_card(h.known, me, view.picks[me, lane])
    for lane in range(count):
        card = bit(view.received[me, lane])
        if h.known[me, 0] & card:
            remove_card(h.known, me, view.received[me, lane])
    for seat in range(INT64(t.seats)):
        if seat != me:
            _hand_after_pass(view, h, world, seat)
            for lane in range(count):
                rng = advance(rng)
                own = h.pool[0, 0] & h.known[me, 0]
                kind = lowest(own) if own else _any_of(spare(h.pool[0, 0], t.passing_unpassable), rng)
                if own:
                    remove_card(h.known, me, kind)
                remove_card(h.pool, 0, kind)
                world.received[seat, lane] = kind
    return _share_picks(view, t, me, h, world, count, rng)


@jit
def _share_picks(view: State, t: Tables, me: int, h: Hidden, world: State, count: int, rng: Mask) -> Mask:
    """Deal what went through the pool, without this seat's cards, to those who may have put it there."""
    for plane in range(PLANES):
        h.known[me, plane] = np.uint64(0)
    for seat in range(INT64(t.seats)):
        for lane in range(count):
            add_card(h.known, me, world.received[seat, lane])
    for lane in range(count):
        remove_card(h.known, me, view.picks[me, lane])
    for seat in range(INT64(t.seats)):
        for lane in range(count if seat != me else 0):
            rng = advance(rng)
            kind = _any_of(h.known[me, 0], rng)
            remove_card(h.known, me, kind)
            world.picks[seat, lane] = kind
    return rng
