"""Other ways the hidden cards of a position could lie, as one seat sees it."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from hearts_env.kernel.records import Phase
from hearts_env.tables import Game


@dataclass
class Slot:
    """A hidden card: the seat that has it, and the lane of the pass it lies in, if it is not in the hand."""

    seat: int
    kind: int
    lane: int | None = None


def another_world(game: Game, record: Any, observer: int, rng: Random) -> Any:
    """A copy of a `STATE` record with the cards that `observer` cannot know dealt anew among the other seats.

    What it does know stays: own cards, cards it passed that are not played yet, suits shown to be lacking, and who must
    hold the opening card.
    """
    world = record.copy()
    slots = _hidden_cards(game, record, observer)
    for _ in range(60 * bool(len(slots) > 1)):
        one, two = rng.sample(slots, 2)
        if _may_hold(game, record, one.seat, two.kind) and _may_hold(game, record, two.seat, one.kind):
            one.kind, two.kind = two.kind, one.kind
    for seat in _others(game, observer):
        for slot in slots:
            if slot.seat == seat and slot.lane is not None:
                world["picks"][seat, slot.lane] = slot.kind
        held = [slot.kind for slot in slots if slot.seat == seat and slot.lane is None] + _known(
            game, record, observer, seat
        )
        world["hands"][seat] = sum(1 << kind for kind in held), 0
    if record["phase"] != Phase.PASS and record["pass_option"] >= 0:
        _invent_passes(game, world, observer, rng)
    world["seed"] = rng.randrange(2**64)
    return world


def _others(game: Game, observer: int) -> list[int]:
    return [seat for seat in range(game.seats) if seat != observer]


def _kinds(mask: Any) -> list[int]:
    return [kind for kind in range(64) if int(mask) >> kind & 1]


def _lanes(game: Game, record: Any) -> list[int]:
    """Offset of the receiver of each card of the pass."""
    if record["pass_option"] < 0:
        return []
    return [move.offset for move in game.options[int(record["pass_option"])].moves for _ in range(move.count)]


def _known(game: Game, record: Any, observer: int, seat: int) -> list[int]:
    """Cards in another seat's hand that the observer knows to be there."""
    held = _kinds(record["hands"][seat, 0])
    known = set()
    if record["phase"] == Phase.PLAY and record["plies"] == 0 and record["leader"] == seat:
        known |= set(_kinds(game.tables["opener"]))
    if record["phase"] != Phase.PASS:
        for lane, offset in enumerate(_lanes(game, record)):
            if (observer + offset) % game.seats == seat:
                known.add(int(record["picks"][observer, lane]))
    return [kind for kind in held if kind in known]


def _hidden_cards(game: Game, record: Any, observer: int) -> list[Slot]:
    slots = []
    for seat in _others(game, observer):
        known = _known(game, record, observer, seat)
        slots += [Slot(seat, kind) for kind in _kinds(record["hands"][seat, 0]) if kind not in known]
        if record["phase"] == Phase.PASS and seat <= record["seat"]:
            count = int(record["picked"]) if seat == record["seat"] else len(_lanes(game, record))
            slots += [Slot(seat, int(record["picks"][seat, lane]), lane) for lane in range(count)]
    return slots


def _may_hold(game: Game, record: Any, seat: int, kind: int) -> bool:
    return not int(record["voids"][seat]) >> int(game.tables["suit_of"][kind]) & 1


def _invent_passes(game: Game, world: Any, observer: int, rng: Random) -> None:
    """Let the other seats have passed one another any cards that the receivers hold or have played."""
    played = list(
        zip(world["history_seat"][: int(world["plies"])], world["history"][: int(world["plies"])], strict=True)
    )
    for seat in _others(game, observer):
        could = _kinds(world["hands"][seat, 0]) + [int(kind) for who, kind in played if who == seat]
        rng.shuffle(could)
        for lane, offset in enumerate(_lanes(game, world)):
            giver = (seat - offset) % game.seats
            if giver != observer:
                world["picks"][giver, lane] = world["received"][seat, lane] = could.pop()
