"""Other ways the hidden cards of a position could lie, as one seat sees it."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import hearts_env as he
from hearts_env.compiled.game import Game
from hearts_env.kernel.records import Phase
from hearts_env.ruleset.limits import PLANES

KITTY = -1


def skewed_hands(game: Game, rng: Random) -> list[list[str]]:
    """Hands of a random shape: even, or sorted by rank or suit with some blur, so that rare things happen."""
    blur = rng.choice([0.3, 2.0, 50.0])
    by_rank = rng.random() < 0.5
    cards = list(game.deck.cards)
    kinds = game.deck.kinds
    height = {kind: place % 13 if by_rank else place / 6 for place, kind in enumerate(kinds)}
    cards.sort(key=lambda card: height[card] + blur * rng.gauss(0, 1))
    size = game.hand_size
    hands = [cards[seat * size : (seat + 1) * size] for seat in range(game.seats)]
    rng.shuffle(hands)
    return hands


def told_tricks(match: he.Match) -> list[tuple[str | None, list[tuple[int, str]]]]:
    """The tricks of the deal: the suit to follow (None while only jokers lie there) and (seat, card) in play order; the
    last one may be unfinished.
    """
    rules, n = match.rules, match.rules.players
    calls = (action[-1] for _, action in match.log[-1].actions if action.startswith("suit:"))
    played = match.view(0).played
    tricks: list[tuple[str | None, list[tuple[int, str]]]] = []
    goal = 0
    for ply, (seat, card) in enumerate(played):
        if not tricks or len(tricks[-1][1]) == goal:
            called = card == "JK" and rules.jokers.lead == "call"
            tricks.append((next(calls, None) if called else None, []))
            goal = n
        led, cards = tricks[-1]
        cards.append((seat, card))
        if led is None and card != "JK":
            led = card[-1]
            tricks[-1] = led, cards
        if len(cards) == n and rules.trick.extend_rank is not None and ply + 1 < n * match.game.hand_size:
            wide = rules.trick.extend_when == "any"
            nines = [one for _, one in cards if one[:-1] == rules.trick.extend_rank and (wide or one[-1] == led)]
            goal = 2 * n if nines else n
    return tricks


def finished(match: he.Match) -> int:
    """Tricks of the deal that are complete."""
    return len(told_tricks(match)) - bool(match.trick)


# Other worlds


@dataclass
class Slot:
    """A hidden card: the seat that has it, and the lane of the pass it lies in, if it is not in the hand; or its place
    in the kitty.
    """

    seat: int
    kind: int
    lane: int | None = None


def another_world(game: Game, record: Any, observer: int, rng: Random) -> Any:
    """A copy of a `STATE` record with the cards that `observer` cannot know dealt anew among the other seats and the
    kitty.

    What it does know stays: own cards, cards it passed that are not played yet, cards shown, suits shown to be lacking,
    and who must hold the opening card.
    """
    world = record.copy()
    slots = _hidden_cards(game, record, observer)
    for _ in range(60 * bool(len(slots) > 1)):
        one, two = rng.sample(slots, 2)
        if _may_hold(game, record, one.seat, two.kind) and _may_hold(game, record, two.seat, one.kind):
            one.kind, two.kind = two.kind, one.kind
    for slot in slots:
        if slot.seat == KITTY:
            world["kitty"][slot.lane] = slot.kind
        elif slot.lane is not None:
            world["picks"][slot.seat, slot.lane] = slot.kind
    for seat in _others(game, observer):
        held = [slot.kind for slot in slots if slot.seat == seat and slot.lane is None]
        world["hands"][seat] = masks(held + list(_known(game, record, observer, seat).elements()))
    if record["phase"] != Phase.PASS and record["pass_option"] >= 0:
        _invent_passes(game, world, observer, rng)
    world["seed"] = rng.randrange(2**64)
    return world


def masks(kinds: Iterable[int]) -> list[int]:
    """The planes of a set of kinds with copies."""
    counts = Counter(kinds)
    return [sum(1 << kind for kind, count in counts.items() if count > plane) for plane in range(PLANES)]


def kinds_of(planes: Iterable[Any]) -> list[int]:
    """The kinds of a set, further copies repeated."""
    return [kind for mask in planes for kind in range(64) if int(mask) >> kind & 1]


def _others(game: Game, observer: int) -> list[int]:
    return [seat for seat in range(game.seats) if seat != observer]


def _lanes(game: Game, record: Any) -> list[int]:
    """Offset of the receiver of each card of the pass; 0 is the pool."""
    if record["pass_option"] < 0:
        return []
    return [move.offset for move in game.options[int(record["pass_option"])].moves for _ in range(move.count)]


def _known(game: Game, record: Any, observer: int, seat: int) -> Counter[int]:
    """Cards in another seat's hand that the observer knows to be there."""
    held = Counter(kinds_of(record["hands"][seat]))
    known: Counter[int] = Counter()
    if record["phase"] != Phase.PASS:
        lanes = enumerate(_lanes(game, record))
        known.update(
            int(record["picks"][observer, lane])
            for lane, to in lanes
            if to and (observer + to - seat) % game.seats == 0
        )
        plies = int(record["plies"])
        played = zip(record["history_seat"][:plies], record["history"][:plies], strict=True)
        known -= Counter(int(kind) for who, kind in played if who == seat)
    public = int(record["shown"][seat])
    if record["phase"] == Phase.PLAY and record["plies"] == 0 and record["leader"] == seat:
        public |= int(game.tables["opener"])
    return held & (known | Counter({kind: count for kind, count in held.items() if public >> kind & 1}))


def _hidden_cards(game: Game, record: Any, observer: int) -> list[Slot]:
    slots = []
    for seat in _others(game, observer):
        hidden = Counter(kinds_of(record["hands"][seat])) - _known(game, record, observer, seat)
        slots += [Slot(seat, kind) for kind in hidden.elements()]
        if record["phase"] == Phase.PASS and seat <= record["seat"]:
            count = int(record["picked"]) if seat == record["seat"] else len(_lanes(game, record))
            slots += [Slot(seat, int(record["picks"][seat, lane]), lane) for lane in range(count)]
    if record["phase"] <= Phase.SUIT:  # then the takers lay the kitty open, or every other card is known
        places = [place for place in range(int(game.tables["kitty_size"])) if record["kitty_seat"][place] != observer]
        slots += [Slot(KITTY, int(record["kitty"][place]), place) for place in places]
    return slots


def _may_hold(game: Game, record: Any, seat: int, kind: int) -> bool:
    return seat == KITTY or not int(record["voids"][seat]) >> int(game.tables["suit_of"][kind]) & 1


def _invent_passes(game: Game, world: Any, observer: int, rng: Random) -> None:
    """Let the other seats have passed one another any cards that the receivers hold or have played."""
    for seat in _others(game, observer):
        could = kinds_of(world["hands"][seat]) + list(_played(world, seat))
        rng.shuffle(could)
        for lane, offset in enumerate(_lanes(game, world)):
            giver = (seat - offset) % game.seats
            if giver != observer:
                world["picks"][giver, lane] = world["received"][seat, lane] = could.pop()


def _played(world: Any, seat: int) -> Iterator[int]:
    plies = int(world["plies"])
    for who, kind in zip(world["history_seat"][:plies], world["history"][:plies], strict=True):
        if who == seat:
            yield int(kind)


def some_seats(match: he.Match, rng: Random) -> list[int]:
    """The seat to act and one or two others."""
    return sorted({match.seat or 0, *rng.sample(range(match.rules.players), 2)})


def snapshot(match: he.Match) -> tuple[bytes, str]:
    """Everything a match holds, scratch apart."""
    state = match.state
    return state.tobytes(), repr(match.log)
