"""What a careful onlooker would say of the cards: names, pack, seats, passes and what a card is worth.

Written from hearts_env/RULES.md only, with names, lists, sets and ifs. It shares nothing with the
engine but the `Rules` value itself, so that an error has to be made twice, in two shapes, to go unseen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import Any

from hearts_env.ruleset.model import Rules

JOKER = "JK"
SUITS = ["C", "D", "H", "S"]
RANKS = ["0", "2", "3", "4", "5", "6", "7", "8", "9", "T", "11", "12", "J", "Q", "K", "A"]

Points = Any
"""A whole number, or a complex one in a game of Gaussian integers."""


def suit(card: str) -> str:
    """The suit letter of a card; the unsuited joker has none."""
    return "" if card == JOKER else card[-1]


def height(card: str) -> int:
    """How high a card stands within its suit in the usual order; the unsuited joker is below every card."""
    return -1 if card == JOKER else RANKS.index(card[:-1])


def height_in(rules: Rules, card: str) -> tuple[int, int]:
    """How high a card stands within its suit: by the place of its rank in the order that the rules give.

    Only added cards have a rank that the rules do not order: they stand right above the next lower rank that they do
    order, below all if there is none; among such neighbours the usual order holds.
    """
    if card == JOKER:
        return (-2, 0)
    standard_height, ordered = height(card), rules.deck.ranks
    if card[:-1] in ordered:
        return (ordered.index(card[:-1]), 0)
    lower = [rank for rank in RANKS[:standard_height] if rank in ordered]
    return (ordered.index(lower[-1]) if lower else -1, standard_height + 1)


def in_order(rules: Rules, cards: Iterable[str]) -> list[str]:
    """Cards sorted by suit, clubs first, then by rank, low to high; unsuited jokers at the end."""
    return sorted(cards, key=lambda card: (card == JOKER, suit(card), height_in(rules, card)))


def named_by(patterns: Collection[str], card: str) -> bool:
    """Whether a card is meant by one of the patterns: its suit, its rank or itself."""
    if card == JOKER:
        return JOKER in patterns
    return card in patterns or card[-1] in patterns or card[:-1] in patterns


# The pack


def oracle_deck(rules: Rules) -> list[str]:
    """The pack, kitty included: packs and added cards, less what is taken out, made to divide among the seats."""
    return list(_pack(rules))


@cache
def _pack(rules: Rules) -> tuple[str, ...]:
    pack, seats = rules.deck, rules.table.players
    cards = [rank + letter for rank in RANKS if rank in pack.ranks for letter in SUITS] * pack.packs
    cards += pack.added
    for card in pack.removed:
        cards.remove(card)
    if pack.remainder == "remove":
        for card in pack.removal_order:
            if len(cards) % seats:
                cards.remove(card)
    if pack.remainder == "jokers":
        while len(cards) % seats:
            cards.append(JOKER)
    assert len(cards) % seats == 0 or pack.remainder == "kitty"
    return tuple(in_order(rules, cards))


def oracle_hand_size(rules: Rules) -> int:
    """Cards dealt to each seat."""
    if rules.deck.hand_size is not None:
        return rules.deck.hand_size
    return len(oracle_deck(rules)) // rules.table.players


def rest_of_pack(rules: Rules, hands: Sequence[Sequence[str]]) -> list[str]:
    """The cards that nobody was dealt."""
    dealt = Counter(card for hand in hands for card in hand)
    return in_order(rules, (Counter(oracle_deck(rules)) - dealt).elements())


def oracle_opener(rules: Rules, hands: Sequence[Sequence[str]] | None = None) -> str | None:
    """The card that opens: the one named, or the lowest of the suit named.

    Without a kitty that is the lowest in the pack. Nobody may look into a kitty, so with one it is the lowest in a
    hand; None if the named card, or the suit as a whole, lies in the kitty.
    """
    named = rules.opening.holder
    cards = oracle_deck(rules)
    if hands is not None and rules.deck.remainder == "kitty":
        cards = [card for hand in hands for card in hand]
    if named not in SUITS:
        return named if named in cards else None
    return min((card for card in cards if suit(card) == named), key=lambda card: height_in(rules, card), default=None)


# Seats and passes


def team_mates(rules: Rules, seat: int) -> list[int]:
    """The seats of a seat's team, itself included; itself alone where there are no teams."""
    for team in rules.table.teams:
        members = [int(member) for member in team.split("+")]
        if seat in members:
            return members
    return [seat]


def oracle_passes(rules: Rules) -> list[list[tuple[str, list[tuple[int, int]]]]]:
    """For every entry of the cycle its options, each with its text and its (seat offset, cards) moves.

    A pool is one move to oneself: the cards come back, if not the same ones.
    """
    seats = rules.table.players
    entries = list(rules.passing.cycle)
    if not entries:
        for distance in range(1, seats):
            if 2 * distance < seats:
                entries += ["left", "right"] if distance == 1 else [f"+{distance}", f"-{distance}"]
        entries += ["across", "hold"] if seats % 2 == 0 else ["hold"]
    return [[(option, _moves(option, rules)) for option in entry.split("|")] for entry in entries]


def _moves(option: str, rules: Rules) -> list[tuple[int, int]]:
    seats = rules.table.players
    if option == "hold":
        return []
    if option == "scatter":
        return [(offset, 1) for offset in range(1, seats)]
    moves = []
    for part in option.split("&"):
        where, _, count = part.partition("*")
        words = {"left": 1, "right": seats - 1, "across": seats // 2, "pool": 0}
        offset = words[where] if where in words else int(where) % seats
        moves.append((offset, int(count) if count else rules.passing.count))
    return moves


# What cards are worth


def gaussian(rules: Rules) -> bool:
    """Whether scores are Gaussian integers."""
    return rules.score.better in {"magnitude", "real"}


def value(rules: Rules, card: str) -> Points:
    """What a card counts for its taker; the last entry that names it holds."""
    for pattern, points in reversed(rules.score.card_values):
        if named_by([pattern], card):
            return points
    return 0


def badness(rules: Rules, card: str) -> int:
    """How much a card hurts its taker: above 0 for a penalty card, below 0 for a bonus card."""
    worth = value(rules, card)
    if rules.score.better == "high":
        return int(-worth)
    return int(worth.real + worth.imag)


def is_penalty(rules: Rules, card: str) -> bool:
    """Whether nobody wants to take a card."""
    return badness(rules, card) > 0


@cache
def moon_set(rules: Rules) -> tuple[str, ...]:
    """The cards that count for shooting the moon, every copy."""
    named = [pattern for pattern, _ in rules.moon.least] or list(rules.moon.cards)
    if named:
        return tuple(card for card in oracle_deck(rules) if named_by(named, card))
    return tuple(card for card in oracle_deck(rules) if is_penalty(rules, card))


def moon_worth(rules: Rules) -> Points:
    """The penalty points of the moon cards."""
    return sum(value(rules, card) for card in moon_set(rules) if is_penalty(rules, card))
