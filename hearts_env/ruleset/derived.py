"""What rules make of their cards: the pack in play, what each card is worth, which open, hurt and shoot the moon."""

from __future__ import annotations

import re
from typing import NamedTuple

from hearts_env.cards import JOKER, RANKS, SUITS, Deck, rank_order
from hearts_env.errors import RulesError
from hearts_env.ruleset.enums import Better, Remainder
from hearts_env.ruleset.fields import RuleFields
from hearts_env.ruleset.syntax import read_gaussian, shown, split

_MULTIPLIER = re.compile(r"(?P<factor>[^@]+)(?:@(?P<scope>.+))?")


class Multiplier(NamedTuple):
    """A card that multiplies what its taker's cards score: all of them, or those of the pattern `scope`."""

    card: str
    factor: int | complex
    scope: str | None


def build_deck(rules: RuleFields) -> Deck:
    """The pack the rules are played with, kitty included. Raises RulesError if it cannot divide among the seats."""
    seats, pack = rules.table.players, rules.deck
    cards = [rank + suit for suit in SUITS for rank in pack.ranks] * pack.packs + list(pack.added)
    _take_out(cards, pack.removed, "deck.removed")
    full = len(cards)
    if full % seats and pack.remainder is Remainder.STRICT:
        raise RulesError(f"{full} cards do not divide among players={seats}; use deck.remainder=remove or another pack")
    if pack.remainder is Remainder.JOKERS:
        cards += [JOKER] * (-full % seats)
    elif pack.remainder is Remainder.REMOVE:
        _divide(cards, pack.removal_order, seats)
    return Deck(tuple(cards), rank_order(pack.ranks))


def _take_out(cards: list[str], removed: tuple[str, ...], path: str) -> None:
    for card in removed:
        if card not in cards:
            raise RulesError(f"{path} takes out {card}, which is not (or no more) in the pack")
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
    """Cards dealt to each seat."""
    told = rules.deck.hand_size
    return len(deck) // rules.table.players if told is None else told


def kitty_size(rules: RuleFields, deck: Deck) -> int:
    """Cards in the kitty."""
    return len(deck) - rules.table.players * hand_size(rules, deck)


def card_points(rules: RuleFields, deck: Deck) -> dict[str, int | complex]:
    """Points of every kind of the deck."""
    points: dict[str, int | complex] = dict.fromkeys(deck.kinds, 0)
    for pattern, value in rules.score.card_values:
        points |= dict.fromkeys(deck.match(pattern), value)
    return points


def badness(rules: RuleFields, points: int | complex) -> int:
    """How bad points are for who scores them: positive for a penalty, negative for a bonus."""
    worth = int(points.real + points.imag)
    return -worth if rules.score.better is Better.HIGH else worth


def penalty_cards(rules: RuleFields, deck: Deck) -> tuple[str, ...]:
    """The kinds that are bad for their taker, in kind order."""
    values = card_points(rules, deck)
    return tuple(name for name in deck.kinds if badness(rules, values[name]) > 0)


def named_cards(rules: RuleFields, deck: Deck) -> tuple[str, ...]:
    """The kinds that `score.card_values` names, those worth 0 included."""
    return deck.match_all(pattern for pattern, _ in rules.score.card_values)


def multipliers(rules: RuleFields) -> tuple[Multiplier, ...]:
    """`score.multipliers`, read. Raises RulesError for a factor that is not possible."""
    return tuple(_multiplier(card, text) for card, text in rules.score.multipliers)


def _multiplier(card: str, text: str) -> Multiplier:
    found = _MULTIPLIER.fullmatch(text)
    try:
        factor = read_gaussian(found["factor"] if found else text)
    except ValueError:
        factor = 0
    if found is None or factor == 0:
        raise RulesError(f"score.multipliers has {card}:{shown(text)}; write a factor such as 2, 2i or 2@H")
    return Multiplier(card, factor, found["scope"])


def sweep_patterns(required: str) -> tuple[str, ...]:
    """The patterns of the left side of an entry of `score.sweeps`."""
    return tuple(split(required, "+"))


def moon_cards(rules: RuleFields, deck: Deck) -> tuple[str, ...]:
    """The kinds that count for shooting the moon, in kind order."""
    if rules.moon.least:
        return deck.match_all(pattern for pattern, _ in rules.moon.least)
    return deck.match_all(rules.moon.cards) if rules.moon.cards else penalty_cards(rules, deck)


def moon_worth(rules: RuleFields, deck: Deck) -> int | complex:
    """The penalty points of the moon cards."""
    points, penalties = card_points(rules, deck), penalty_cards(rules, deck)
    return sum(points[name] * deck.copies[name] for name in moon_cards(rules, deck) if name in penalties)


def opening_card(rules: RuleFields, deck: Deck) -> str:
    """The card whose holder opens: `opening.holder`, or the lowest of that suit. Raises RulesError if it is not in the
    pack.
    """
    holder = rules.opening.holder
    named = deck.match(holder)
    if not named or holder in RANKS or holder == JOKER:
        raise RulesError(f"opening.holder={holder} is not in the pack after removals; name a card or suit that is")
    return named[0]


def team_of(rules: RuleFields) -> tuple[int, ...]:
    """Number of the team of every seat; every seat its own team if there are none."""
    teams = [[int(seat) for seat in team.split("+")] for team in rules.table.teams]
    seats = range(rules.table.players)
    return (
        tuple(next(place for place, team in enumerate(teams) if seat in team) for seat in seats)
        if teams
        else tuple(seats)
    )
