"""Deals and ways of playing that make rare things happen: long suits, unbeatable hands, hands of hearts, players who
want every trick or none. Uniform deals and random play leave most rules of Hearts untouched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from hearts_env.rules import Rules
from tests.oracle import Oracle
from tests.oracle_rules import SUITS, height, oracle_deck, suit, value

Hands = list[list[str]]
Policy = Callable[[Oracle, Random], str]


def _round(rules: Rules, rng: Random, wanted: Callable[[str], float]) -> Hands:
    """One random seat gets the cards wanted most, the others the rest as it falls."""
    cards = oracle_deck(rules)
    rng.shuffle(cards)
    cards.sort(key=wanted, reverse=True)
    size = len(cards) // rules.players
    best, rest = cards[:size], cards[size:]
    rng.shuffle(rest)
    hands = [rest[start : start + size] for start in range(0, len(rest), size)]
    hands.insert(rng.randrange(rules.players), best)
    return hands


def uniform(rules: Rules, rng: Random) -> Hands:
    return _round(rules, rng, lambda card: 0)


def high_cards(rules: Rules, rng: Random) -> Hands:
    """A hand that can take everything."""
    return _round(rules, rng, height)


def low_cards(rules: Rules, rng: Random) -> Hands:
    """A hand that can take nothing."""
    return _round(rules, rng, lambda card: -height(card))


def high_without_opener(rules: Rules, rng: Random) -> Hands:
    """A strong hand without clubs: it may miss the first trick only."""
    return _round(rules, rng, lambda card: height(card) - 100 * (suit(card) == "C"))


def penalties(rules: Rules, rng: Random) -> Hands:
    """A hand of penalty cards, hearts first."""
    return _round(rules, rng, lambda card: (value(rules, card) > 0) + (suit(card) == "H"))


def hearts(rules: Rules, rng: Random) -> Hands:
    """A hand of hearts and little else."""
    return _round(rules, rng, lambda card: (suit(card) == "H") + 0.5 * rng.random())


def long_suits(rules: Rules, rng: Random) -> Hands:
    """Hands that are mostly one or two suits."""
    order = SUITS.copy()
    rng.shuffle(order)
    blur = rng.choice([0.5, 2.0, 6.0])
    cards = oracle_deck(rules)
    cards.sort(key=lambda card: 4 * order.index(suit(card)) + blur * rng.gauss(0, 1))
    size = len(cards) // rules.players
    hands = [cards[start : start + size] for start in range(0, len(cards), size)]
    rng.shuffle(hands)
    return hands


SHAPES = [uniform, high_cards, low_cards, high_without_opener, penalties, hearts, long_suits, long_suits]


def anyhow(oracle: Oracle, rng: Random) -> str:
    """Any legal action."""
    return rng.choice(sorted(oracle.legal()))


def greedy(seats: Sequence[int]) -> Policy:
    """These seats try to win every trick, the others to win none, penalty cards thrown first."""

    def policy(oracle: Oracle, rng: Random) -> str:
        cards = sorted(oracle.legal())
        if oracle.phase != "play":
            return rng.choice(cards)
        if oracle.seat in seats:
            return max(cards, key=height)
        losing = [card for card in cards if oracle.trick and suit(card) != suit(oracle.trick[0])]
        if losing:
            return max(losing, key=lambda card: (value(oracle.rules, card), height(card)))
        return min(cards, key=height)

    return policy


def near_the_end(rules: Rules, rng: Random) -> list[int]:
    """Totals just below a limit, or equal, or nothing."""
    limits = [limit for limit, _ in rules.end.exact] + [rules.end.target or 100]
    style = rng.randrange(4)
    if style == 0:
        return [0] * rules.players
    if style == 1:
        limit = rng.choice(limits)
        return [limit - 1 - rng.randrange(27) for _ in range(rules.players)]
    if style == 2:
        same = rng.choice(limits) - 1 - rng.randrange(27)
        return [rng.choice([same, same, same - 10]) for _ in range(rules.players)]
    return [rng.choice([40, 50, 62, rng.choice(limits) - 1]) for _ in range(rules.players)]
