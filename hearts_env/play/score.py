"""Three pure functions for people who keep score: what may be played, who wins a trick, what a deal is worth.

They take card names and use the kernel's own code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hearts_env.cards import SUITS, card_name, suit_of
from hearts_env.compiled.game import Game, compile_game
from hearts_env.kernel.records import JOKER_SUIT, NOBODY, STATE, MoonChoice, Phase, Pledge
from hearts_env.ruleset.derived import card_sets
from hearts_env.ruleset.limits import PLANES
from hearts_env.ruleset.model import Rules
from hearts_env.ruleset.validate import MOST
from hearts_env.variants.registry import rules as read_rules

CHOICES = {"self": MoonChoice.SELF.value, "others": MoonChoice.OTHERS.value}


@dataclass(frozen=True)
class DealScore:
    """What a deal is worth.

    Attributes:
        points: points of the deal, per seat; ints, or Python complex numbers in a game of Gaussian integers.
        totals: totals after it, per seat, likewise.
        shooter: the seat that shot the moon (of a team the first that took a moon card), or None.
        over: whether the match ends.
        losers: the seats that share the last place, once the match is over.
        ranking: place of each seat, 1 is best; equal totals share a place.
    """

    points: tuple[Any, ...]
    totals: tuple[Any, ...]
    shooter: int | None
    over: bool
    losers: tuple[int, ...]
    ranking: tuple[int, ...]


def ranking_of(game: Game, record: Any) -> tuple[int, ...]:
    """Place of each seat by its total (its team's, its lives'), 1 is best; equal ones share a place and the next is
    skipped.
    """
    from hearts_env.kernel.ranking import count_places

    return tuple(1 + int(count_places(record, game.tables, seat)[0]) for seat in range(game.seats))


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


def planes(game: Game, cards: Iterable[str]) -> list[int]:
    """The masks of a set of cards: plane p has the kinds held more than p times."""
    counts = Counter(game.deck.kind(card) for card in cards)
    return [sum(1 << kind for kind, count in counts.items() if count > plane) for plane in range(PLANES)]


def score_deal(  # noqa: PLR0913 - a deal has so many parts: all named at the call
    rules: Rules | str,
    taken: Sequence[Iterable[str]],
    *,
    tricks_won: Sequence[int] | None = None,
    totals: Sequence[Any] | None = None,
    moon: str | None = None,
    pledges: Sequence[Any] = (),
    exposed: Sequence[str] = (),
    passer: int | None = None,
    deal_number: int = 0,
    first_trick: int | None = None,
    last_trick: int | None = None,
) -> DealScore:
    """Score a deal that is played out.

    Args:
        rules: rules or their text.
        taken: the cards each seat took; cards that nobody is said to have taken do not matter.
        tricks_won: tricks per seat; by default as many as the cards taken make, none for a seat without cards.
        totals: totals before the deal; 0 (or the chips at the start) by default.
        moon: the shooter's choice, ``self`` or ``others``; by default the better one. Ignored if nobody shot.
        pledges: the seats that pledged to take no heart, or True or False for every seat.
        exposed: the cards shown before play.
        passer: the seat that passed to the shooter, for rules that punish it.
        deal_number: deals finished before this one, for rules that end after a number of deals.
        first_trick: the seat that won the first trick, for rules that score it.
        last_trick: the seat that won the last trick, for rules that score it.

    Raises:
        ValueError: a wrong number of seats, an unknown card, too many copies, pledges, exposures or a passer that the
            rules do not know, or a moon choice they do not allow.
    """
    game = compile_game(read_rules(rules))
    named = check_copies(game, _per_seat(game, "taken", [list(cards) for cards in taken]))
    record = np.zeros(1, STATE)[0]
    _set_match(game, record)
    for seat, cards in enumerate(named):
        record["taken"][seat] = planes(game, cards)
    _set_tricks(game, record, named, tricks_won)
    _set_winners(game, record, first_trick, last_trick)
    _set_said(game, record, pledges, exposed, passer)
    set_scores(game, record, totals, deal_number)
    _settle(game, record, moon)
    return _result(game, record)


def _set_match(game: Game, record: Any) -> None:
    """What a match begins with."""
    from hearts_env.kernel.dealing import clear_deal, clear_match

    clear_match(record, game.tables)
    clear_deal(record, game.tables)


def _set_tricks(game: Game, record: Any, named: list[list[str]], tricks_won: Sequence[int] | None) -> None:
    won = _tricks(game, named) if tricks_won is None else [int(n) for n in _per_seat(game, "tricks_won", tricks_won)]
    if min(won) < 0 or sum(won) > game.hand_size:
        raise ValueError(f"tricks_won={won} is not possible; a deal of {game.rules} has {game.hand_size} tricks")
    record["tricks_won"][: game.seats] = won
    record["trick_number"] = game.hand_size if game.rules.trick.extend_rank is None else sum(won)
    record["first_winner"] = NOBODY  # so a shooter who missed one trick is taken to have missed the first


def _set_winners(game: Game, record: Any, first_trick: int | None, last_trick: int | None) -> None:
    named = {word for word, _ in game.rules.score.tricks}
    named |= {word for entry in card_sets(game.rules) for word in entry.tricks}
    for field, name, word, seat in (
        ("first_winner", "first_trick", "first", first_trick),
        ("leader", "last_trick", "last", last_trick),
    ):
        if seat is None and word in named:
            raise ValueError(f"{game.rules} scores the {word} trick; name the seat that won it as {name}")
        if seat is not None and not 0 <= seat < game.seats:
            raise ValueError(f"{name}={seat} is not a seat; seats are 0 to {game.seats - 1}")
        if seat is not None:
            record[field] = seat


def _set_said(game: Game, record: Any, pledges: Sequence[Any], exposed: Sequence[str], passer: int | None) -> None:
    t = game.tables
    if len(pledges) and game.rules.score.pledge is None:
        raise ValueError(f"{game.rules} has no pledges; leave pledges out")
    if passer is not None and game.rules.moon.punish is None:
        raise ValueError(f"{game.rules} punishes no passer; leave passer out")
    for name, seat in [("passer", passer), *(("pledges", seat) for seat in _pledged(game, pledges))]:
        if seat is not None and not 0 <= seat < game.seats:
            raise ValueError(f"{name} names seat {seat}; seats are 0 to {game.seats - 1}")
    record["pledges"][: game.seats] = Pledge.NO
    record["pledges"][_pledged(game, pledges)] = Pledge.YES
    record["passer"] = NOBODY if passer is None else passer
    for mask in exposed_masks(game, exposed):
        record["exposed"] |= mask
        record["raised"] |= t["expose_raises"][list(t["expose_card"]).index(mask)]


def _pledged(game: Game, pledges: Sequence[Any]) -> list[int]:
    """The seats that pledged, from those or from one flag per seat."""
    if len(pledges) and all(isinstance(said, bool | np.bool_) or said is None for said in pledges):
        return [seat for seat, said in enumerate(_per_seat(game, "pledges", pledges)) if said]
    return [int(seat) for seat in pledges]


def exposed_masks(game: Game, exposed: Sequence[str]) -> list[Any]:
    """The masks of exposed cards. Raises ValueError for a card that the rules do not let anybody expose."""
    masks = [np.uint64(1 << game.deck.kind(card)) for card in exposed]
    for card, mask in zip(exposed, masks, strict=True):
        if not mask & game.tables["exposable"]:
            names = game.names([int(game.tables["exposable"])])
            raise ValueError(f"{card} cannot be exposed in {game.rules}; {' '.join(names) or 'no card'} can")
    return masks


def set_scores(game: Game, record: Any, totals: Sequence[Any] | None, deal_number: int) -> None:
    """Write totals (0 or the chips at the start by default) and deal number into a record. Raises ValueError if they
    are impossible.
    """
    given = [int(game.tables["score_chips"])] * game.seats if totals is None else _per_seat(game, "totals", totals)
    kind = "Gaussian integers" if game.gaussian else "whole numbers"
    for number in given:
        whole = number == complex(int(number.real), int(number.imag)) and (game.gaussian or not number.imag)
        if not whole or abs(number) > MOST:
            raise ValueError(f"totals={given} is not possible; totals are {kind} from {-MOST} to {MOST}")
    if not 0 <= deal_number <= MOST:
        raise ValueError(f"deal_number={deal_number} must be from 0 to {MOST}")
    record["totals"][: game.seats] = [(int(number.real), int(number.imag)) for number in given]
    record["deal_number"] = deal_number


def _settle(game: Game, record: Any, moon: str | None) -> None:
    from hearts_env.kernel.positions import score_position

    if moon is not None and moon not in CHOICES:
        raise ValueError(f"moon={moon!r} is not possible; a shooter chooses 'self' or 'others'")
    if not score_position(record, game.tables, NOBODY if moon is None else CHOICES[moon]):
        raise ValueError(
            f"moon={moon!r} is not allowed here: moon.mode={game.rules.moon.mode} leaves the shooter the other choice"
        )


def _result(game: Game, record: Any) -> DealScore:
    points, totals = (tuple(game.numbers(record[name])) for name in ("points", "totals"))
    shooter, over, ranking = int(record["shooter"]), int(record["phase"]) == Phase.OVER, ranking_of(game, record)
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
        hand: the cards held, any number. To the first trick the opening card must be led if it is among them; with a
            kitty, in which it may lie, that is the lowest one here of the suit that opens.
        trick: the cards on the table in play order; empty to lead. A joker that was led is followed by the suit called,
            such as ``["JK", "suit:D"]``.
        first_trick: whether it is the first trick of the deal.
        broken: whether hearts are broken.
        exposed: cards shown before play.
        led_before: suits led in earlier tricks, which free shown cards of theirs.

    Raises:
        ValueError: an unknown card, too many copies, an empty hand or a trick that is full.
    """
    from hearts_env.kernel.legal import legal_cards

    game = compile_game(read_rules(rules))
    if any(suit not in SUITS for suit in led_before):
        raise ValueError(f"led_before={list(led_before)} must list suits, out of {', '.join(SUITS)}")
    cards, led = read_trick(game, trick)
    held, table = check_copies(game, [hand, cards])
    if not held:
        raise ValueError("the hand is empty; name at least one card")
    if len(table) >= most_cards(game):
        raise ValueError(f"the trick has {len(table)} cards already; {game.seats} players make it full")
    shown = sum(map(int, exposed_masks(game, exposed)))
    suits = sum({1 << SUITS.index(suit) for suit in led_before})
    mask = legal_cards(
        game.tables,
        np.uint64(planes(game, held)[0]),
        led,
        first_trick,
        broken,
        game.tables["opening"],
        np.uint64(shown),
        suits,
    )
    return game.names([int(mask)])


def most_cards(game: Game) -> int:
    """The most cards a trick may have."""
    return game.seats * (2 if game.rules.trick.extend_rank is not None else 1)


def read_trick(game: Game, trick: Sequence[str]) -> tuple[list[str], int]:
    """The cards of a trick and the suit to follow: -1 without a card, `JOKER_SUIT` while only jokers lie there."""
    called = [word[-1] for word in trick if word.lower().startswith("suit:")]
    cards = [word for word in trick if not word.lower().startswith("suit:")]
    suits = [suit_of(card_name(card)) for card in cards]
    if called and (suits[:1] != [None] or called[0] not in SUITS or f"suit:{called[0]}" not in game.actions):
        raise ValueError(f"nobody calls a suit in the trick {' '.join(trick)} of {game.rules}")
    led = called[0] if called else next((suit for suit in suits if suit is not None), None)
    return cards, NOBODY if not cards else JOKER_SUIT if led is None else SUITS.index(led)


def trick_winner(rules: Rules | str, cards: Sequence[str]) -> int | None:
    """Index in play order of the card that wins a trick, or None for a dead trick, which nobody wins.

    A joker that was led may be followed by the suit called (``suit:D``). Raises ValueError for an unknown card, too
    many copies, no card or more than the seats play.
    """
    from hearts_env.kernel.tricks import winning_place

    game = compile_game(read_rules(rules))
    played, led = read_trick(game, cards)
    names = check_copies(game, [played])[0]
    if not 0 < len(names) <= most_cards(game):
        raise ValueError(f"a trick of {game.rules} has 1 to {most_cards(game)} cards, not {len(names)}")
    trick = np.array([game.deck.kind(name) for name in names], np.uint8)
    place = int(winning_place(game.tables, trick, len(names), led))
    return None if place < 0 else place
