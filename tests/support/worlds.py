"""Tables to test at, and other ways the hidden cards of a position could lie, as one seat sees it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import hearts_env as he
from hearts_env.compiled.game import Game
from hearts_env.kernel.records import Phase
from hearts_env.ruleset.limits import PLANES

EVERY_TABLE = [f"{name}(players={players})" for name, variant in he.VARIANTS.items() for players in variant.players]
"""Every variant with every number of players it is for."""
SHOWN = "exposing.cards={AH:H,QS:QS,JD:JD,TC:TC}"
MIXES = [
    "black_lady(cycle=[left|right*2|hold, scatter])",
    "black_lady(players=5, opening.leader=left_of_dealer, opening.card=any, unpassable=[QS])",
    "black_lady(exact={26:-26,13:5}, exact_optional=true, cycle=[left*2&across*3])",
    "omnibus_hearts(moon.amount=40, no_tricks=-5, bonus_floor_total=true, moon.cards=[H,QS,JD,A])",
    "black_lady(ranks=[2,3,4,5,6,7,8,9,T,11,12,J,Q,K,A])",
    "black_lady(players=10, passing.count=1, removal_order=[2D,2C])",
    "black_lady(ranks=[Q,K,A], passing.count=1, target=60)",
    # the rules of larger tables and other games
    "black_lady(cycle=[pool, left], pledge=10, max_deals=4)",
    "black_lady(players=5, chips=12, target=none, moon.mode=none)",
    "danger_hearts(lives=1, lives_out=eliminate, max_deals=30)",
    "danger_hearts(players=3, lives_out=rank_last, life_threshold=5)",
    "black_lady(moon.extends=until_next_moon, moon.mode=old, target=40, max_deals=8)",
    "black_lady(ranks=[Q,K,A], passing.count=1, moon.extends=until_moonless_deal, moon.mode=old, target=40)",
    f"gong_zhu({SHOWN})",
    f"gong_zhu({SHOWN}, exposing.lock=false, teams=[0+2,1+3], pledge=50)",
    f"gong_zhu(players=5, {SHOWN}, passing.cycle=[pool*2])",
    "turbo_hearts(cycle=[pool*4], players=4, table.direction=-1)",
    "heartsette(kitty_award=first_penalty)",
    "heartsette(players=6, kitty_award=one_per_trick)",
    "heartsette(players=5, kitty_award=out_of_play, direction=-1)",
    "heartsette(players=4, hand_size=22, packs=2, removed=[2C], duplicates=cancel, kitty_award=one_per_trick)",
    "black_lady(remainder=kitty, hand_size=10, kitty_award=out_of_play, passing.count=2)",
    "uk_black_lady(players=7, cycle=[pool*2, left|right])",
    "cancellation_hearts(players=6, dead_trick=no_live_card, dead_last_trick=second_of_top_pair)",
    "cancellation_hearts(players=6, teams=[0+3,1+4,2+5], direction=-1, moon.scope=team, moon.mode=old)",
    "incredu_hearts(trick.duplicates=last, teams=[0+2,1+3], team_scoring=individual)",
    "joker_hearts(jokers.lead=call)",
    "joker_hearts(jokers.lead=next_card, jokers.play=void_only)",
    "joker_hearts(players=3, jokers.lead=call, jokers.scores=heart_trick, card_values={H:1,QS:13,JK:3})",
    "black_lady(players=5, remainder=jokers, jokers.lead=call, heart_lead=free, table.direction=-1)",
    "booster_nines(packs=2, duplicates=first, opening.leader=left_of_dealer, opening.card=any)",
    "complex_hearts(moon.sign=hurts, moon.multiplied=false)",
    "complex_hearts(score.better=real, moon.mode=old)",
    "royal_hearts(bonus_floor_hand=true)",
    "math_team_hearts(direction=-1, players=5)",
    "likha(forced_discard=[QS,TD,H], first_trick_forbidden=[H], first_trick_scope=discard)",
]
"""Rules that no variant puts together."""
TABLES = EVERY_TABLE + MIXES
VARIED = [f"{name}(players={variant.players[-1]})" for name, variant in he.VARIANTS.items()] + MIXES
"""Every variant once, and the rules above."""
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


def snapshot(match: he.Match) -> tuple[bytes, str]:
    """Everything a match holds, scratch apart."""
    state = match.state
    state["after"] = 0
    return state.tobytes(), repr(match.log)
