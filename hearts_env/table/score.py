"""Three pure functions for people who keep score: `legal_plays`, `trick_winner` and `score_deal`.

They take card names and use the kernel's own code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hearts_env.cards import JOKER, SUITS, card_name, suit_of
from hearts_env.checks import flag, listed, seat_of, whole
from hearts_env.compiled.game import Game, compile_game
from hearts_env.kernel.records import JOKER_SUIT, NOBODY, STATE, MoonChoice, Phase, Pledge
from hearts_env.ruleset.derived import card_sets
from hearts_env.ruleset.enums import ExtendWhen, JokerScores, KittyAward
from hearts_env.ruleset.model import Rules
from hearts_env.ruleset.syntax import brief
from hearts_env.seat.totals import per_seat, set_scores
from hearts_env.table.ranking import last_places, ranking_of
from hearts_env.table.setup import exposed_masks
from hearts_env.variants.registry import rules as read_rules

CHOICES = {"self": MoonChoice.SELF.value, "others": MoonChoice.OTHERS.value}


@dataclass(frozen=True)
class DealScore:
    """Points of a deal, and where they leave the match.

    Attributes:
        points: points of the deal, per seat; ints, or Python complex numbers in a game of Gaussian integers.
        totals: totals after the deal, per seat, of the same type.
        shooter: the seat that shot the moon (of a team the first that took a moon card), or None.
        over: whether the match ends.
        losers: the seats that share the last place; empty unless the match ends.
        ranking: place of each seat, 1 is best; equal seats share a place.
    """

    points: tuple[Any, ...]
    totals: tuple[Any, ...]
    shooter: int | None
    over: bool
    losers: tuple[int, ...]
    ranking: tuple[int, ...]


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
    idle_jokers: Sequence[int] | None = None,
) -> DealScore:
    """Score a deal that is played out.

    What earlier deals left beside totals is as at the start of a match: no deals of a big moon, all lives, no chips in
    the pool.

    >>> import hearts_env as he
    >>> score = he.score_deal("black_lady", [["QS", "2H"], ["3H"], [], []], totals=[87, 20, 0, 0])
    >>> score.points, score.totals, score.over, score.losers
    ((14, 1, 0, 0), (101, 21, 0, 0), True, (0,))
    >>> hearts = [rank + "H" for rank in "23456789TJQKA"]
    >>> moon = he.score_deal("black_lady", [[*hearts, "QS"], [], [], []], moon="others")
    >>> moon.shooter, moon.totals
    (0, (0, 26, 26, 26))

    Args:
        rules: rules or their text.
        taken: the cards each seat took; cards that are left out do not matter, except that those of the moon which
            nobody took lie in a kitty that is out of play.
        tricks_won: tricks per seat; by default the number that the cards taken make up.
        totals: totals before the deal, per seat; by default those at the start of a match.
        moon: the shooter's choice, ``self`` or ``others``; by default the better one. Ignored if nobody shot the moon.
        pledges: the seats that pledged to take no heart, or True or False for every seat.
        exposed: the cards shown before play.
        passer: the seat that passed to the shooter, for rules that punish it.
        deal_number: number of deals finished before this one, for rules that end after a number of deals.
        first_trick: the seat that won the first trick, for rules that score it.
        last_trick: the seat that won the last trick, for rules that score it.
        idle_jokers: how many of the jokers that each seat took score nothing, as they were played to tricks to which no
            heart was led; for ``jokers.scores=heart_trick``, as soon as a joker was taken.

    Raises:
        RulesError: unknown, misspelled or contradictory rules.
        ValueError: a wrong number of seats, an unknown card, too many copies or cards; pledges, exposures, a passer or
            a choice that the rules do not have; jokers about which nothing is known.
    """
    game = compile_game(read_rules(rules))
    named = game.check_copies("taken", per_seat(game, "taken", taken))
    record = np.zeros(1, STATE)[0]
    _set_match(game, record)
    for seat, cards in enumerate(named):
        record["taken"][seat] = game.planes(cards)
    # deck.kitty_award: out_of_play: nobody takes the kitty, and the moon is made without its cards
    if game.rules.deck.kitty_award is KittyAward.OUT_OF_PLAY:
        _set_kitty(game, record, named)
    _set_tricks(game, record, named, tricks_won)
    _set_winners(game, record, first_trick, last_trick)
    _set_jokers(game, record, [cards.count(JOKER) for cards in named], idle_jokers)
    _set_said(game, record, listed("pledges", pledges), listed("exposed", exposed), passer)
    set_scores(game, record, totals, deal_number)
    _settle(game, record, moon)
    return _result(game, record)


def _set_match(game: Game, record: Any) -> None:
    from hearts_env.kernel.dealing import clear_deal, clear_match

    clear_match(record, game.tables)
    clear_deal(record, game.tables)


def _set_kitty(game: Game, record: Any, named: list[list[str]]) -> None:
    left, size = Counter(game.deck.cards), int(game.tables["kitty_size"])
    left.subtract(card for cards in named for card in cards)
    if left.total() < size:
        raise ValueError(
            f"taken has {len(game.deck.cards) - left.total()} cards; {len(game.deck.cards) - size} are dealt, and "
            "nobody takes the others"
        )
    moon = int(game.tables["moon_set"])
    kinds = sorted(map(game.deck.kind, left.elements()), key=lambda kind: not moon >> kind & 1)
    record["kitty"][:size] = kinds[:size]


def _set_tricks(game: Game, record: Any, named: list[list[str]], tricks_won: Sequence[int] | None) -> None:
    if tricks_won is None:
        won = _tricks(game, named)
    else:
        won = [whole("tricks_won", number) for number in per_seat(game, "tricks_won", tricks_won)]
    if min(won) < 0 or sum(won) > game.hand_size:
        raise ValueError(f"tricks_won={brief(won)} is not possible; a deal of {game.rules} has {game.hand_size} tricks")
    record["tricks_won"][: game.seats] = won
    record["trick_number"] = game.hand_size if game.rules.trick.extend_rank is None else sum(won)
    record["first_winner"] = NOBODY  # a shooter who missed one trick counts as having missed the first


def _set_winners(game: Game, record: Any, first_trick: int | None, last_trick: int | None) -> None:
    named = {word for word, _ in game.rules.score.tricks}
    named |= {word for entry in card_sets(game.rules) for word in entry.tricks}
    for field, name, word, seat in (
        ("first_winner", "first_trick", "first", first_trick),
        ("leader", "last_trick", "last", last_trick),
    ):
        if seat is None and word in named:
            raise ValueError(f"{game.rules} scores the {word} trick; name the seat that won it as {name}")
        if seat is not None:
            record[field] = seat_of(name, seat, game.seats)


def _set_jokers(game: Game, record: Any, jokers: list[int], idle: Sequence[int] | None) -> None:
    by_trick = game.rules.jokers.scores is JokerScores.HEART_TRICK
    if idle is None and not (by_trick and any(jokers)):
        return
    if idle is None or not by_trick:
        raise ValueError(
            f"{game.rules} {'scores some jokers only; name' if by_trick else 'scores all jokers; leave'} idle_jokers"
            f"{', those of each seat that score nothing' if by_trick else ' out'}"
        )
    given = [whole("idle_jokers", number, 0) for number in per_seat(game, "idle_jokers", idle)]
    if any(number > most for number, most in zip(given, jokers, strict=True)):
        raise ValueError(f"idle_jokers={given} is not possible; the seats took {jokers} jokers")
    record["idle_jokers"][: game.seats] = given


def _set_said(game: Game, record: Any, pledges: Sequence[Any], exposed: Sequence[str], passer: int | None) -> None:
    t = game.tables
    if len(pledges) and game.rules.score.pledge is None:
        raise ValueError(f"{game.rules} has no pledges; leave pledges out")
    if passer is not None and game.rules.moon.punish is None:
        raise ValueError(f"{game.rules} punishes no passer; leave passer out")
    record["pledges"][: game.seats] = Pledge.NO
    record["pledges"][_pledged(game, pledges)] = Pledge.YES
    record["passer"] = NOBODY if passer is None else seat_of("passer", passer, game.seats)
    for mask in exposed_masks(game, exposed):
        record["exposed"] |= mask
        record["raised"] |= t["expose_raises"][list(t["expose_card"]).index(mask)]


def _pledged(game: Game, pledges: Sequence[Any]) -> list[int]:
    """The seats that pledged, from a list of them or one flag per seat."""
    if len(pledges) and all(isinstance(flag, bool | np.bool_) or flag is None for flag in pledges):
        return [seat for seat, flag in enumerate(per_seat(game, "pledges", pledges)) if flag]
    return [seat_of("pledges", seat, game.seats) for seat in pledges]


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
    """The cards that a hand may play, in kind order.

    >>> import hearts_env as he
    >>> he.legal_plays("black_lady", ["3C", "QS", "4H"], ["2C"])
    ['3C']
    >>> he.legal_plays("black_lady", ["QS", "4H"])  # hearts are not broken
    ['QS']
    >>> he.legal_plays("black_lady", ["QS", "4H", "7D"], ["2C"], first_trick=True)
    ['7D']

    Args:
        rules: rules or their text.
        hand: the cards held, any number. If the hand holds the opening card, it must lead it to the first trick; with a
            kitty, where that card may lie, it must lead its lowest card of the opening suit.
        trick: the cards on the table in play order; empty to lead. A joker that was led is followed by the suit called,
            such as ``["JK", "suit:D"]``.
        first_trick: whether it is the first trick of the deal.
        broken: whether hearts are broken.
        exposed: cards shown before play.
        led_before: suits led in earlier tricks; exposed cards of these suits are no longer locked.

    Raises:
        RulesError: unknown, misspelled or contradictory rules.
        ValueError: an unknown card, too many copies, an empty hand or a trick that is full.
    """
    from hearts_env.kernel.legal import legal_cards

    game = compile_game(read_rules(rules))
    first_trick, broken = flag("first_trick", first_trick), flag("broken", broken)
    suits = [*led_before] if isinstance(led_before, str) else listed("led_before", led_before)
    if any(suit not in SUITS for suit in suits):
        raise ValueError(f"led_before={suits} must list suits, out of {', '.join(SUITS)}")
    table, led = read_trick(game, "trick", trick)
    held, table = game.check_copies("hand", [hand, table])
    if not held:
        raise ValueError("the hand is empty; name at least one card")
    if len(table) >= most_cards(game, table, led):
        raise ValueError(f"the trick has {len(table)} cards already; {game.seats} players make it full")
    open_cards = sum({int(mask) for mask in exposed_masks(game, listed("exposed", exposed))})
    mask = legal_cards(
        game.tables,
        np.uint64(game.planes(held)[0]),
        led,
        first_trick,
        broken,
        game.tables["opening"],
        np.uint64(open_cards),
        sum({1 << SUITS.index(suit) for suit in suits}),
    )
    return game.names([int(mask)])


def most_cards(game: Game, trick: Sequence[str], led: int) -> int:
    """The largest number of cards in a trick that begins with some cards, and has this suit to follow."""
    rules = game.rules.trick
    # trick.extend_rank, trick.extend_when: such a card gives every player another turn
    suits = SUITS if rules.extend_when is ExtendWhen.ANY else SUITS[led : led + 1]
    extended = any(card in [f"{rules.extend_rank}{suit}" for suit in suits] for card in trick[: game.seats])
    return game.seats * (1 + extended)


def read_trick(game: Game, name: str, trick: Sequence[str]) -> tuple[list[str], int]:
    """The cards of a trick and the suit to follow: -1 for an empty trick, `JOKER_SUIT` if it holds only jokers.

    `name` is that of the argument that holds the trick.
    """
    words = listed(name, trick)
    cards = list(words)
    # jokers.lead: call: whoever leads a joker names the suit at once
    calls = len(cards) > 1 and isinstance(cards[1], str) and cards[1].lower().startswith("suit:")
    called = cards.pop(1).partition(":")[2].upper() if calls else ""
    suits = [suit_of(card_name(card)) for card in cards]
    if calls and (suits[0] is not None or f"suit:{called}" not in game.actions):
        raise ValueError(f"nobody calls a suit in the trick {' '.join(words)} of {game.rules}")
    led = called or next((suit for suit in suits if suit is not None), None)
    return cards, NOBODY if not cards else JOKER_SUIT if led is None else SUITS.index(led)


def trick_winner(rules: Rules | str, cards: Sequence[str]) -> int | None:
    """Index in play order of the card that wins a trick, or None for a dead trick, which nobody wins.

    >>> import hearts_env as he
    >>> he.trick_winner("black_lady", ["TC", "AS", "KC", "2H"])
    2
    >>> he.trick_winner("cancellation_hearts(players=8)", ["TC", "TC"]) is None
    True

    Args:
        rules: rules or their text.
        cards: the cards in play order; a joker that was led may be followed by the suit called, such as ``suit:D``.

    Raises:
        RulesError: unknown, misspelled or contradictory rules.
        ValueError: an unknown card, too many copies, no card, or more cards than a trick has.
    """
    from hearts_env.kernel.tricks import winning_place

    game = compile_game(read_rules(rules))
    played, led = read_trick(game, "cards", cards)
    names = game.check_copies("cards", [played])[0]
    most = most_cards(game, names, led)
    if not 0 < len(names) <= most:
        raise ValueError(f"this trick of {game.rules} has 1 to {most} cards, not {len(names)}")
    trick = np.array([game.deck.kind(name) for name in names], np.uint8)
    place = int(winning_place(game.tables, trick, len(names), led))
    return None if place < 0 else place
