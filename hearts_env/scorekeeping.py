"""Three pure functions for people who keep score: what may be played, who wins a trick, what a deal is worth.

They take card names and use the kernel's own code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hearts_env.cards import SUITS
from hearts_env.kernel.records import NOBODY, STATE, TRICK, MoonChoice, Phase
from hearts_env.rules import Rules
from hearts_env.tables import Game, compile_game
from hearts_env.validation import MOST
from hearts_env.variants import rules as read_rules

CHOICES = {"self": MoonChoice.SELF.value, "others": MoonChoice.OTHERS.value}


@dataclass(frozen=True)
class DealScore:
    """What a deal is worth.

    Attributes:
        points: points of the deal, per seat.
        totals: totals after it, per seat.
        shooter: the seat that shot the moon, or None.
        over: whether the match ends.
        losers: the seats that share the last place, once the match is over.
        ranking: place of each seat, 1 is best; equal totals share a place.
    """

    points: tuple[int, ...]
    totals: tuple[int, ...]
    shooter: int | None
    over: bool
    losers: tuple[int, ...]
    ranking: tuple[int, ...]


def ranking_of(totals: Sequence[int]) -> tuple[int, ...]:
    """Place of each seat, 1 for the lowest total; equal totals share a place and the next one is skipped."""
    return tuple(1 + sum(other < own for other in totals) for own in totals)


def last_places(ranking: Sequence[int]) -> tuple[int, ...]:
    """The seats that share the last place."""
    return tuple(seat for seat, place in enumerate(ranking) if place == max(ranking))


def check_copies(game: Game, sets: Iterable[Iterable[str]]) -> list[list[str]]:
    """Canonical names of card lists. Raises ValueError if they hold a card the pack lacks, or more copies than it
    has.
    """
    named = [[game.deck.kinds[game.deck.kind(card)] for card in cards] for cards in sets]
    for card, count in Counter(card for cards in named for card in cards).items():
        if count > game.deck.copies[card]:
            raise ValueError(f"{card} is there {count} times, but the pack has {game.deck.copies[card]}")
    return named


def planes(game: Game, cards: Iterable[str]) -> tuple[int, int]:
    """The two masks of a set of cards: kinds held, kinds held twice."""
    counts = Counter(game.deck.kind(card) for card in cards)
    return sum(1 << kind for kind in counts), sum(1 << kind for kind, count in counts.items() if count > 1)


def score_deal(
    rules: Rules | str,
    taken: Sequence[Iterable[str]],
    *,
    tricks_won: Sequence[int] | None = None,
    totals: Sequence[int] | None = None,
    moon: str | None = None,
    pledges: Sequence[Any] = (),
    exposed: Sequence[str] = (),
    passer: int | None = None,
    deal_number: int = 0,
) -> DealScore:
    """Score a deal that is played out.

    Args:
        rules: rules or their text.
        taken: the cards each seat took; cards that nobody is said to have taken do not matter.
        tricks_won: tricks per seat; by default as many as the cards taken make, none for a seat without cards.
        totals: totals before the deal; 0 by default.
        moon: the shooter's choice, ``self`` or ``others``; by default the better one. Ignored if nobody shot.
        pledges: for rules with pledges; empty for all others.
        exposed: for rules with exposed cards; empty for all others.
        passer: for rules that punish who passed to the shooter; None for all others.
        deal_number: deals finished before this one, for rules that end after a number of deals.

    Raises:
        ValueError: a wrong number of seats, an unknown card, too many copies, or a moon choice the rules do not allow.
    """
    game = compile_game(read_rules(rules))
    if pledges or exposed or passer is not None:
        raise ValueError(
            f"{game.rules} has no pledges, exposures or punished passer; leave pledges, exposed and passer out"
        )
    named = _per_seat(game, "taken", [list(cards) for cards in taken])
    record = np.zeros(1, STATE)[0]
    for seat, cards in enumerate(check_copies(game, named)):
        record["taken"][seat] = planes(game, cards)
    won = (
        _tricks(game, named)
        if tricks_won is None
        else [int(count) for count in _per_seat(game, "tricks_won", tricks_won)]
    )
    if min(won) < 0 or sum(won) > game.hand_size:
        raise ValueError(f"tricks_won={won} is not possible; a deal of {game.rules} has {game.hand_size} tricks")
    record["tricks_won"][: game.seats] = won
    record["first_winner"] = NOBODY  # so a shooter who missed one trick is taken to have missed the first
    set_scores(game, record, totals, deal_number)
    _settle(game, record, moon)
    return _result(game, record)


def set_scores(game: Game, record: Any, totals: Sequence[int] | None, deal_number: int) -> None:
    """Write totals (0 by default) and deal number into a record. Raises ValueError if they are impossible."""
    given = [0] * game.seats if totals is None else _per_seat(game, "totals", totals)
    for number in given:
        if abs(number) > MOST:
            raise ValueError(f"totals={given} is not possible; totals are from {-MOST} to {MOST}")
    if not 0 <= deal_number <= MOST:
        raise ValueError(f"deal_number={deal_number} must be from 0 to {MOST}")
    record["totals"][: game.seats, 0] = given
    record["deal_number"] = deal_number


def _settle(game: Game, record: Any, moon: str | None) -> None:
    from hearts_env.kernel.steps import score_position

    if moon is not None and moon not in CHOICES:
        raise ValueError(f"moon={moon!r} is not possible; a shooter chooses 'self' or 'others'")
    if not score_position(record, game.tables, NOBODY if moon is None else CHOICES[moon]):
        raise ValueError(
            f"moon={moon!r} is not allowed here: moon.mode={game.rules.moon.mode} leaves the shooter the other choice"
        )


def _result(game: Game, record: Any) -> DealScore:
    points, totals = (tuple(int(x) for x in record[name][: game.seats, 0]) for name in ("points", "totals"))
    shooter, over, ranking = int(record["shooter"]), int(record["phase"]) == Phase.OVER, ranking_of(totals)
    return DealScore(
        points, totals, shooter if shooter >= 0 else None, over, last_places(ranking) if over else (), ranking
    )


def _per_seat(game: Game, name: str, values: Sequence[Any]) -> list[Any]:
    if len(values) != game.seats:
        raise ValueError(f"{name} has {len(values)} entries; {game.rules} needs {game.seats}, one per seat")
    return list(values)


def _tricks(game: Game, taken: list[list[str]]) -> list[int]:
    counts = [-(-len(cards) // game.seats) for cards in taken]
    return counts if sum(counts) <= game.hand_size else [len(cards) // game.seats for cards in taken]


def legal_plays(
    rules: Rules | str,
    hand: Iterable[str],
    trick: Sequence[str] = (),
    *,
    first_trick: bool = False,
    broken: bool = False,
    exposed: Sequence[str] = (),
    led_before: Sequence[str] = (),
) -> list[str]:
    """The cards a hand may play.

    Args:
        rules: rules or their text.
        hand: the cards held, any number.
        trick: the cards on the table in play order; empty to lead.
        first_trick: whether it is the first trick of the deal.
        broken: whether hearts are broken.
        exposed: cards exposed, for rules with exposures; empty for all others.
        led_before: suits led so far, for rules with exposures.

    Raises:
        ValueError: an unknown card, too many copies, an empty hand or a trick that is full.
    """
    from hearts_env.kernel.legal import legal_cards

    game = compile_game(read_rules(rules))
    if exposed:
        raise ValueError(f"{game.rules} has no exposed cards; leave exposed out")
    if any(suit not in SUITS for suit in led_before):
        raise ValueError(f"led_before={list(led_before)} must list suits, out of {', '.join(SUITS)}")
    held, table = check_copies(game, [hand, trick])
    if not held:
        raise ValueError("the hand is empty; name at least one card")
    if len(table) >= game.seats:
        raise ValueError(f"the trick has {len(table)} cards already; {game.seats} players make it full")
    led = int(game.tables["suit_of"][game.deck.kind(table[0])]) if table else NOBODY
    mask = legal_cards(game.tables, np.uint64(planes(game, held)[0]), led, first_trick, broken)
    return game.names(mask)


def trick_winner(rules: Rules | str, cards: Sequence[str]) -> int | None:
    """Index in play order of the card that wins a trick, or None for a trick nobody can win.

    Raises ValueError for an unknown card, too many copies, no card or more than the seats play.
    """
    from hearts_env.kernel.tricks import winning_place

    game = compile_game(read_rules(rules))
    names = check_copies(game, [cards])[0]
    if not 0 < len(names) <= min(game.seats, TRICK):
        raise ValueError(f"a trick of {game.rules} has 1 to {game.seats} cards, not {len(names)}")
    trick = np.array([game.deck.kind(name) for name in names], np.uint8)
    place = int(winning_place(game.tables, trick, len(names)))
    return None if place < 0 else place
