"""Fill state records from card names, totals and seats given by hand; wrong input raises ValueError in one line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from hearts_env.checks import flag, listed, seat_of, seed_of, whole
from hearts_env.compiled.game import Game
from hearts_env.kernel.records import NOBODY
from hearts_env.seat.totals import per_seat, set_scores
from hearts_env.seat.view import check_type
from hearts_env.table.log import DealStart


def set_start(game: Game, record: Any, start: DealStart, seed: int) -> None:
    """Set a record to the start of a deal.

    Args:
        game: the compiled rules.
        record: the `STATE` record to fill.
        start: the deal.
        seed: fixes the deals that follow, and this one where `start` names no hands.

    Raises:
        ValueError: as in `Match.from_hands`.
    """
    from hearts_env.kernel.dealing import shuffle
    from hearts_env.kernel.positions import set_position

    check_type(record)
    seed = seed_of(seed)
    opening = _opening(game, start)
    set_scores(game, record, start.totals, start.deal_number)
    record["seed"] = seed
    if start.hands is None:
        shuffle(record, game.tables)
    else:
        set_hands(game, record, start.hands)
    number = whole("deal_number", start.deal_number)
    dealer, passing, leader = opening
    set_position(record, game.tables, np.uint64(seed), dealer, number, passing, leader)
    if start.kitty is not None:
        order_kitty(game, record, start.kitty)


def _opening(game: Game, start: DealStart) -> tuple[int, bool, int]:
    """Dealer, passing and leader (NOBODY if none is named) of a start, checked."""
    leader = NOBODY if start.leader is None else seat_of("leader", start.leader, game.seats)
    dealer, passing = seat_of("dealer", start.dealer, game.seats), flag("passing", start.passing)
    if start.leader is not None and passing:
        raise ValueError(f"leader={start.leader} and passing contradict: the hands after the pass settle who leads")
    return dealer, passing, leader


def set_later(game: Game, record: Any, start: DealStart) -> None:
    """Set a deal that has begun in a match that goes on. Raises ValueError as `set_start` does, the record half set."""
    from hearts_env.kernel.positions import set_deal

    set_hands(game, record, () if start.hands is None else start.hands)
    if start.kitty is not None:
        order_kitty(game, record, start.kitty)
    set_deal(record, game.tables, *_opening(game, start))


def set_hands(game: Game, record: Any, hands: Sequence[Iterable[str]]) -> None:
    """Write the hands of a whole deal into a record, and the cards they leave into its kitty, in kind order."""
    named = whole_deal(game, hands)
    for seat, cards in enumerate(named):
        record["hands"][seat] = game.planes(cards)
    rest = game.deck.copies - Counter(card for cards in named for card in cards)
    record["kitty"][: game.tables["kitty_size"]] = sorted(game.deck.ids[card] for card in rest.elements())


def order_kitty(game: Game, record: Any, kitty: Sequence[str]) -> None:
    """Put the kitty of a record in another order. Raises ValueError unless `kitty` holds the same cards."""
    there = [game.deck.kinds[kind] for kind in record["kitty"][: game.tables["kitty_size"]]]
    named = game.check_copies("kitty", [kitty])[0]
    if Counter(named) != Counter(there):
        raise ValueError(f"kitty={' '.join(named)} is not what the hands leave: {' '.join(there) or 'nothing'}")
    record["kitty"][: len(named)] = [game.deck.ids[card] for card in named]


def whole_deal(game: Game, hands: Sequence[Iterable[str]]) -> list[list[str]]:
    """Canonical names of the cards of every hand.

    Raises ValueError for a wrong number of hands, a hand of the wrong size, or more copies of a card than the pack has.
    """
    given = listed("hands", hands)
    if len(given) != game.seats:
        raise ValueError(f"there are {len(given)} hands; {game.rules} needs {game.seats}")
    named = game.check_copies("hands", given)
    for seat, cards in enumerate(named):
        if len(cards) != game.hand_size:
            raise ValueError(f"the hand of seat {seat} has {len(cards)} cards; in {game.rules} it has {game.hand_size}")
    return named


def hands_before(
    game: Game, hands: Any, passed: Any, received: Any
) -> tuple[list[Any], list[list[str]], list[list[str]]]:
    """The hands before a pass, the cards passed by each seat, and those received, sorted.

    Raises ValueError where a hand lacks a card that its seat received.
    """
    after, picks = whole_deal(game, hands), game.check_copies("passed", per_seat(game, "passed", passed))
    taken = game.check_copies("received", per_seat(game, "received", received))
    kept = [Counter(hand) - Counter(cards) for hand, cards in zip(after, taken, strict=True)]
    for seat, (hand, cards) in enumerate(zip(after, taken, strict=True)):
        if lacks := Counter(cards) - Counter(hand):
            raise ValueError(f"seat {seat} received {min(lacks)}, which its hand lacks")
    before = [[*cards.elements(), *own] for cards, own in zip(kept, picks, strict=True)]
    return before, picks, [sorted(cards) for cards in taken]


def exposed_masks(game: Game, exposed: Sequence[str]) -> list[Any]:
    """The mask of each exposed card. Raises ValueError for a card that may not be exposed under the rules."""
    masks = [np.uint64(1 << game.deck.kind(card)) for card in exposed]
    for card, mask in zip(exposed, masks, strict=True):
        if not mask & game.tables["exposable"]:
            names = game.names([int(game.tables["exposable"])])
            raise ValueError(f"{card} cannot be exposed in {game.rules}; {' '.join(names) or 'no card'} can")
    return masks
