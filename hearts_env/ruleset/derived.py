"""Values derived from fields of rules: the pack, the points of cards, penalty cards, moon cards, the opening card."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from hearts_env.cards import JOKER, RANKS, SUITS, Deck, rank_order
from hearts_env.errors import RulesError
from hearts_env.ruleset.enums import Better, JokerScores, LivesOut, MoonMode, Remainder
from hearts_env.ruleset.fields import DECLARATIONS, PAYING, Pack, RuleFields, flat_fields
from hearts_env.ruleset.syntax import brief, read_gaussian, split

_MULTIPLIER = re.compile(r"(?P<factor>[^@]+)(?:@(?P<scope>.+))?")


TRICK_WORDS = ("each", "first", "last")
"""The tricks that `score.tricks` and `score.sets` can name."""


class Multiplier(NamedTuple):
    """A card that multiplies the points of the cards its taker took: those of the pattern `scope`, or all if None."""

    card: str
    factor: int | complex
    scope: str | None


def build_deck(rules: RuleFields) -> Deck:
    """The pack in play, kitty included.

    >>> import hearts_env as he
    >>> deck = build_deck(he.rules("black_lady(players=5)"))
    >>> len(deck), "2D" in deck.ids, deck.kinds[:3]
    (50, False, ('3C', '4C', '5C'))

    Raises:
        RulesError: it does not divide among the seats, or a card to remove is not in it.
    """
    return _deck(rules.table.players, rules.deck)


@lru_cache(maxsize=1024)  # rules are read, changed and checked again and again with the same pack
def _deck(seats: int, pack: Pack) -> Deck:
    cards = [rank + suit for suit in SUITS for rank in pack.ranks] * pack.packs + list(pack.added)
    _take_out(cards, pack.removed, "deck.removed")
    full = len(cards)
    if full % seats and pack.remainder is Remainder.STRICT:
        way = "remove" if full % seats <= len(pack.removal_order) else "jokers"
        raise RulesError(f"{full} cards do not divide among players={seats}; use deck.remainder={way} or another pack")
    if pack.remainder is Remainder.JOKERS:
        cards += [JOKER] * (-full % seats)
    elif pack.remainder is Remainder.REMOVE:
        _divide(cards, pack.removal_order, seats)
    return Deck(tuple(cards), rank_order(pack.ranks))


def _take_out(cards: list[str], removed: tuple[str, ...], path: str) -> None:
    for card in removed:
        if card not in cards:
            cards_named = f"{path}=[{','.join(removed)}]"
            raise RulesError(
                f"{cards_named} takes out {card}, which is not (or no longer) in the pack; name other cards"
            )
        cards.remove(card)


def _divide(cards: list[str], order: tuple[str, ...], seats: int) -> None:
    surplus = len(cards) % seats
    if surplus > len(order):
        raise RulesError(
            f"{len(cards)} cards do not divide among players={seats} even after removing all of deck.removal_order="
            f"[{','.join(order)}]; name more cards to remove"
        )
    _take_out(cards, order[:surplus], "deck.removal_order")


def hand_size(rules: RuleFields, deck: Deck) -> int:
    """Number of cards dealt to each seat."""
    size = rules.deck.hand_size
    return len(deck) // rules.table.players if size is None else size


def kitty_size(rules: RuleFields, deck: Deck) -> int:
    """Number of cards in the kitty."""
    return len(deck) - rules.table.players * hand_size(rules, deck)


def card_points(rules: RuleFields, deck: Deck) -> dict[str, int | complex]:
    """The points of every kind of the deck: kind -> what its taker scores, before multipliers."""
    points: dict[str, int | complex] = dict.fromkeys(deck.kinds, 0)
    for pattern, value in rules.score.card_values:
        points |= dict.fromkeys(deck.match(pattern), value)
    return points


def badness(rules: RuleFields, points: int | complex) -> int:
    """The harm that points do to the seat that scores them: above 0 for a penalty, below 0 for a bonus.

    This is the one place that knows the sign of points: they count as they are where the lowest total wins, and with
    the opposite sign where the highest does. Of a Gaussian integer both parts are added up.

    >>> import hearts_env as he
    >>> badness(he.rules("black_lady"), 13), badness(he.rules("gong_zhu"), -100), badness(he.rules("gong_zhu"), 100)
    (13, 100, -100)
    """
    worth = int(points.real + points.imag)
    return -worth if rules.score.better is Better.HIGH else worth


class CardWorth(NamedTuple):
    """The points of the cards, and what follows from them.

    Attributes:
        points: kind -> what its taker scores, before multipliers.
        penalties: the kinds whose points hurt their taker, in kind order.
        moon: the kinds that count for shooting the moon, in kind order.
        award: the sum of the points of the moon cards that are penalty cards, which is the usual award.
    """

    points: dict[str, int | complex]
    penalties: tuple[str, ...]
    moon: tuple[str, ...]
    award: int | complex


def card_worth(rules: RuleFields, deck: Deck) -> CardWorth:
    """The points of the cards, and what follows from them."""
    points, moon = card_points(rules, deck), rules.moon
    penalties = tuple(name for name in deck.kinds if badness(rules, points[name]) > 0)
    named = [pattern for pattern, _ in moon.least] or moon.cards
    cards = deck.match_all(named) if named else penalties
    award = sum(points[name] * deck.copies[name] for name in cards if name in penalties)
    return CardWorth(points, penalties, cards, award)


def penalty_cards(rules: RuleFields, deck: Deck) -> tuple[str, ...]:
    """The kinds whose points hurt their taker, in kind order."""
    return card_worth(rules, deck).penalties


def named_cards(rules: RuleFields, deck: Deck) -> tuple[str, ...]:
    """The kinds that `score.card_values` names, including those worth 0."""
    return deck.match_all(pattern for pattern, _ in rules.score.card_values)


def multipliers(rules: RuleFields) -> tuple[Multiplier, ...]:
    """The entries of `score.multipliers`. Raises RulesError for a factor that is not possible."""
    return tuple(_multiplier(card, text) for card, text in rules.score.multipliers)


def _multiplier(card: str, text: str) -> Multiplier:
    found = _MULTIPLIER.fullmatch(text)
    try:
        factor = read_gaussian(found["factor"] if found else text)
    except ValueError:
        factor = 0
    if found is None or factor == 0:
        raise RulesError(f"score.multipliers has {card}:{brief(text)}; write a factor such as 2, 2i or 2@H")
    return Multiplier(card, factor, found["scope"])


def sweep_patterns(required: str) -> tuple[str, ...]:
    """The patterns that a key of `score.sweeps` joins by ``+``."""
    return tuple(split(required, "+"))


class CardSet(NamedTuple):
    """An entry of `score.sets`: patterns of cards, words for tricks, and the points for taking all of them."""

    patterns: tuple[str, ...]
    tricks: tuple[str, ...]
    points: int


def card_sets(rules: RuleFields) -> tuple[CardSet, ...]:
    """`score.sets`, read."""
    sets = []
    for text, points in rules.score.sets:
        parts = split(text, "+")
        patterns = tuple(part for part in parts if part not in TRICK_WORDS)
        sets.append(CardSet(patterns, tuple(part for part in parts if part in TRICK_WORDS), points))
    return tuple(sets)


def refusable_cards(rules: RuleFields, deck: Deck) -> tuple[str, ...]:
    """The kinds that their receiver may refuse, in kind order."""
    return deck.match_all(rules.passing.refusable)


def moon_cards(rules: RuleFields, deck: Deck) -> tuple[str, ...]:
    """The kinds that count for shooting the moon, in kind order."""
    return card_worth(rules, deck).moon


def opening_card(rules: RuleFields, deck: Deck) -> str:
    """The card whose holder opens: `opening.holder`, or the lowest card of that suit in the pack.

    Raises:
        RulesError: it is not in the pack.
    """
    holder = rules.opening.holder
    named = deck.match(holder)
    if not named or holder in RANKS or holder == JOKER:
        raise RulesError(f"opening.holder={holder} is not in the pack after removals; name a card or suit that is")
    return named[0]


def team_of(rules: RuleFields) -> tuple[int, ...]:
    """The number of each seat's team, by seat; without teams each seat is a team of its own."""
    teams = [[int(seat) for seat in team.split("+")] for team in rules.table.teams]
    seats = range(rules.table.players)
    return (
        tuple(next(place for place, team in enumerate(teams) if seat in team) for seat in seats)
        if teams
        else tuple(seats)
    )


def ends_by_lives(rules: RuleFields) -> bool:
    """True if lost lives end the match."""
    return rules.end.lives is not None and rules.end.lives_out is not LivesOut.RANK_LAST


def is_plain(rules: RuleFields) -> bool:
    """True if a card is worth the same whatever else its taker has."""
    score = rules.score
    special = score.negations or score.multipliers or score.sweeps or rules.exposing.cards
    return not special and rules.jokers.scores is not JokerScores.HEART_TRICK


def point_bounds(rules: RuleFields, deck: Deck) -> tuple[int, int]:
    """Lower and upper bound of the points of a deal (real and imaginary parts), without chips."""
    score, cards = rules.score, card_worth(rules, deck)
    worth = [cards.points[card] for card in deck.cards]
    parts = [[int(v.real) for v in worth], [int(v.imag) for v in worth]]
    low, high = (best(sum(best(v, 0) for v in part) for part in parts) for best in (min, max))
    award = 0 if rules.moon.mode is MoonMode.NONE else _award_bound(rules, deck, cards)
    tricks = {"each": hand_size(rules, deck)}
    flat = flat_fields(rules)
    events = [multiple * (flat[path] or 0) for path in PAYING for multiple in DECLARATIONS[path].pays]
    events += [points * tricks.get(word, 1) for word, points in score.tricks]
    events += [points for _, points in score.sets]
    few, many = sum(min(e, 0) for e in events), sum(max(e, 0) for e in events)
    if is_plain(rules):
        return low + few - award, high + many + award
    most = sum(abs(int(v.real)) + abs(int(v.imag)) for v in worth)
    factor = _factor_bound(rules, deck)
    most = (most + max((abs(points) for _, points in score.alone), default=0) + award) * factor
    if score.multiplied_events:
        few, many = (best(few * -factor, few * factor, many * -factor, many * factor) for best in (min, max))
    return few - most, many + most


def _award_bound(rules: RuleFields, deck: Deck, cards: CardWorth) -> int:
    """Upper bound of the award of one seat's moon."""
    moon, points = rules.moon, cards.points
    least = (
        2 * sum(abs(int(points[card].real)) + abs(int(points[card].imag)) for card in deck.cards) if moon.least else 0
    )
    amount = cards.award if moon.amount is None else moon.amount
    amounts = (abs(int(amount.real)) + abs(int(amount.imag)), abs(moon.sun_amount or 0), abs(moon.punish or 0), least)
    return max(amounts) * (rules.players - 1 if moon.mode is MoonMode.PAID else 1)


def _factor_bound(rules: RuleFields, deck: Deck) -> int:
    """The most by which factors multiply points."""
    exposing, most = rules.exposing, 1
    for card, factor, _ in multipliers(rules):
        size = abs(int(factor.real)) + abs(int(factor.imag))
        most *= max(size * (exposing.factor if exposing.cards else 1), 1) ** deck.copies[card]
    return most * (exposing.factor if exposing.cards else 1)


def check_end(rules: RuleFields, instead: str) -> None:
    """Raise ValueError, with advice, for rules whose matches have no end."""
    if rules.end.endless:
        raise ValueError(f"a match of {rules} has no end (end.endless=true); {instead}")
