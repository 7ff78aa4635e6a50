"""Deals and ways of playing that make rare things happen: long suits, unbeatable hands, hands of hearts, players who
want every trick or none. Uniform deals and random play leave most rules of Hearts untouched."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from hearts_env.ruleset.model import Rules
from tests.oracle.game import Oracle
from tests.oracle.rules import (
    JOKER,
    SUITS,
    badness,
    gaussian,
    height,
    is_penalty,
    moon_set,
    oracle_deck,
    oracle_hand_size,
    suit,
)

Hands = list[list[str]]
Policy = Callable[[Oracle, Random], str]


def _round(rules: Rules, rng: Random, wanted: Callable[[str], float]) -> Hands:
    """One random seat gets the cards wanted most, the others (and the kitty) the rest as it falls."""
    cards = oracle_deck(rules)
    rng.shuffle(cards)
    cards.sort(key=wanted, reverse=True)
    size = oracle_hand_size(rules)
    best, rest = cards[:size], cards[size:]
    rng.shuffle(rest)
    hands = _cut(rules, rest, rules.players - 1)
    hands.insert(rng.randrange(rules.players), best)
    return hands


def _cut(rules: Rules, cards: Sequence[str], seats: int) -> Hands:
    size = oracle_hand_size(rules)
    return [list(cards[seat * size : (seat + 1) * size]) for seat in range(seats)]


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
    return _round(rules, rng, lambda card: is_penalty(rules, card) + (suit(card) == "H"))


def hearts(rules: Rules, rng: Random) -> Hands:
    """A hand of hearts and little else."""
    return _round(rules, rng, lambda card: (suit(card) == "H") + 0.5 * rng.random())


def jokers(rules: Rules, rng: Random) -> Hands:
    """A hand of every unsuited joker, and hearts or high cards beside them."""
    high, red = rng.choice([0, 1]), rng.choice([0, 20])
    return _round(
        rules,
        rng,
        lambda card: 1000 if card == JOKER else high * height(card) + red * (suit(card) == "H") + rng.random(),
    )


def special_cards(rules: Rules, rng: Random) -> Hands:
    """A hand of the cards that rules name (shown, multiplying, forced ...) and cards of their suits."""
    named = [card for card, _ in (*rules.exposing.cards, *rules.score.multipliers, *rules.score.negations)]
    named += [card for card in oracle_deck(rules) if card in rules.play.forced_discard or badness(rules, card) < 0]
    suits = [suit(card) for card in named] or ["S"]
    liking = rng.choice([1, 3])
    return _round(rules, rng, lambda card: 10 * (card in named) + liking * (suit(card) in suits) + 2 * rng.random())


def long_suits(rules: Rules, rng: Random) -> Hands:
    """Hands that are mostly one or two suits."""
    order = [*SUITS, ""]
    rng.shuffle(order)
    blur = rng.choice([0.5, 2.0, 6.0])
    cards = oracle_deck(rules)
    cards.sort(key=lambda card: 4 * order.index(suit(card)) + blur * rng.gauss(0, 1))
    spare = rng.randrange(len(cards) - rules.players * oracle_hand_size(rules) + 1)
    hands = _cut(rules, cards[spare:], rules.players)
    rng.shuffle(hands)
    return hands


def pairs(rules: Rules, rng: Random) -> Hands:
    """Neighbours hold the two copies of a card and the same few suits, so that tricks meet identical cards."""
    cards = oracle_deck(rules)
    blur = rng.choice([0.0, 3.0, 12.0])
    cards.sort(key=lambda card: SUITS.index(suit(card) or "S") + height(card) * 4 + blur * rng.gauss(0, 1))
    seats, size = rules.players, oracle_hand_size(rules)
    return [cards[seat : seats * size : seats] for seat in range(seats)]


SHAPES = [
    *(uniform, high_cards, low_cards, high_without_opener, penalties, hearts, long_suits, long_suits),
    *(jokers, special_cards, pairs),
]


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
            return max(losing, key=lambda card: (badness(oracle.rules, card), height(card)))
        return min(cards, key=height)

    return policy


def near_the_end(rules: Rules, rng: Random) -> list[Any]:
    """Totals just below a limit, or equal, or nothing."""
    if rules.score.chips is not None:
        few = rng.choice([1, 2, 3, rules.score.chips])
        return [few + rng.randrange(4) for _ in range(rules.players)]
    if gaussian(rules):
        return _near_a_magnitude(rules, rng)
    limits = [limit for limit, _ in rules.end.exact]
    limits += [limit for limit in (rules.end.target, rules.end.lower_target) if limit is not None]
    limits = limits or [100]
    reach = rng.choice([27, 27, 1 + sum(abs(badness(rules, card)) for card in moon_set(rules))])
    towards = rng.choice([1, 1, -1])
    style = rng.randrange(4)
    if style == 0:
        return [0] * rules.players
    if style == 1:
        limit = rng.choice(limits)
        return [limit - towards * (1 + rng.randrange(reach)) for _ in range(rules.players)]
    if style == 2:
        same = rng.choice(limits) - towards * (1 + rng.randrange(reach))
        return [rng.choice([same, same, same - 10]) for _ in range(rules.players)]
    return [rng.choice([40, 50, 62, rng.choice(limits) - towards]) for _ in range(rules.players)]


def _near_a_magnitude(rules: Rules, rng: Random) -> list[complex]:
    goal = rules.end.target or 100
    turns: list[list[complex]] = [[1], [1, -1], [1, 1j, -1, -1j]]
    turned = rng.choice(turns)
    size = rng.choice([0.1, 0.6, 0.8])
    return [
        complex(round(goal * size) - rng.randrange(20), round(goal * rng.choice([0, 0.6])) - rng.randrange(20))
        * rng.choice(turned)
        for _ in range(rules.players)
    ]
