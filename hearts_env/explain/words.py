"""Cards, patterns and numbers in words, for the page of rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from hearts_env.cards import JOKER, RANKS, SUITS, Deck, rank_of, suit_of
from hearts_env.ruleset import derived
from hearts_env.ruleset.enums import Better
from hearts_env.ruleset.model import Rules
from hearts_env.ruleset.syntax import write_gaussian

SUIT_WORDS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
RANK_WORDS = {"0": "joker", "T": "ten", "11": "eleven", "12": "twelve", "J": "jack", "Q": "queen", "K": "king"}
RANK_WORDS |= {"A": "ace", JOKER: "joker"}
RANK_WORDS |= dict(zip("23456789", ("two", "three", "four", "five", "six", "seven", "eight", "nine"), strict=True))
COUNT_WORDS = ("no", "one", "two", "three", "four")


def card_words(card: str) -> str:
    """A card in words.

    >>> card_words("QS")
    'queen of spades'
    """
    suit = suit_of(card)
    return f"{RANK_WORDS[rank_of(card)]} of {SUIT_WORDS[suit]}" if suit else "joker"


def cards_words(card: str) -> str:
    """Several copies of a card.

    >>> cards_words("QS")
    'queens of spades'
    """
    first, of, suit = card_words(card).partition(" of ")
    return plural(first) + of + suit


def plural(word: str) -> str:
    """The plural of a rank or a suit."""
    return word + ("es" if word.endswith("x") else "s")


def one_word(pattern: str) -> str:
    """One card of a suit or of a rank, without its article: ``heart``, ``queen``, ``suited joker``."""
    if pattern in SUITS:
        return SUIT_WORDS[pattern].removesuffix("s")
    return "suited " * (pattern == "0") + RANK_WORDS[pattern]


def pattern_words(pattern: str) -> str:
    """A card of a pattern: ``a heart``, ``an ace``, ``the queen of spades``."""
    if is_card(pattern):
        return f"the {card_words(pattern)}"
    word = one_word(pattern)
    return f"{'an' if word[0] in 'ae' else 'a'} {word}"


def is_card(pattern: str) -> bool:
    """True if a pattern names one card, not a suit, a rank or the unsuited jokers."""
    return pattern not in SUITS and pattern not in RANKS and pattern != JOKER


def kind_words(pattern: str) -> str:
    """The cards of a pattern, whatever their number: ``hearts``, ``queens``, ``the queen of spades``."""
    return f"the {card_words(pattern)}" if is_card(pattern) else plural(one_word(pattern))


def all_words(pattern: str, deck: Deck) -> str:
    """Every card of a pattern: ``all the hearts``, ``both queens of spades``, ``the jack of diamonds``."""
    copies = deck.copies[pattern]
    if not is_card(pattern):
        return f"all the {kind_words(pattern)}"
    if copies > 1:
        return f"{'both' if copies == 2 else f'all {COUNT_WORDS[copies]}'} {cards_words(pattern)}"
    return f"the {card_words(pattern)}"


def named_cards(cards: Iterable[str]) -> str:
    """Single cards, those of a suit together.

    >>> named_cards(["5H", "6H", "QS"])
    'the five and six of hearts and the queen of spades'
    """
    suits: dict[str | None, list[str]] = {}
    for card in cards:
        suits.setdefault(suit_of(card), []).append(RANK_WORDS[rank_of(card)])
    return listing(f"the {listing(ranks)}{f' of {SUIT_WORDS[suit]}' if suit else ''}" for suit, ranks in suits.items())


def counted(cards: Iterable[str]) -> str:
    """Cards with the number of their copies.

    >>> counted(["2C", "JK", "JK"])
    'one two of clubs and two jokers'
    """
    counts = Counter(cards).items()
    return listing(f"{COUNT_WORDS[n]} {card_words(card) if n == 1 else cards_words(card)}" for card, n in counts)


def listing(words: Iterable[str], joint: str = "and") -> str:
    """Words joined by commas and, before the last, `joint`.

    >>> listing(["left", "right", "across"], "or")
    'left, right or across'
    """
    parts = list(words)
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {joint} {parts[-1]}"


def signed(value: int | complex) -> str:
    """A number of points with its sign: ``+13``, ``-10``, ``+13i``."""
    text = write_gaussian(value)
    return text if text.startswith("-") or value == 0 else f"+{text}"


def best_words(rules: Rules) -> str:
    """The total that wins."""
    if rules.score.chips is not None:  # score.chips
        return "largest number of chips"
    return {  # score.better
        Better.LOW: "lowest total",
        Better.HIGH: "highest total",
        Better.MAGNITUDE: "total with the smallest absolute value",
        Better.REAL: "total with the lowest real part",
    }[rules.score.better]


def side_words(rules: Rules) -> str:
    """The side to which the turn goes: left or right."""
    return "left" if rules.table.direction == 1 else "right"  # table.direction


def whole_hand_multipliers(rules: Rules) -> list[derived.Multiplier]:
    """The multipliers of everything that their taker scores."""
    return [multiplier for multiplier in derived.multipliers(rules) if multiplier.scope is None]
