"""Cards and decks: names, suits, ranks, patterns.

A card is written rank then suit: ``QS``, ``TC``, ``2H``, ``11D``, ``12C``; ``0C`` and ``0D`` are suited jokers and
``JK`` is an unsuited one. A *kind* is a card regardless of how many copies the pack has. Kinds are ordered suit by suit
(C D H S), low rank first, with ``JK`` last. A *pattern* names a set of kinds: a suit (``H``), a rank (``Q``) or one
card (``QS``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

SUITS = ("C", "D", "H", "S")
RANKS = ("0", "2", "3", "4", "5", "6", "7", "8", "9", "T", "11", "12", "J", "Q", "K", "A")
STANDARD_RANKS = tuple(rank for rank in RANKS if rank not in {"0", "11", "12"})
JOKER = "JK"


def card_name(text: str) -> str:
    """The canonical name of a card: upper case, ``10`` written ``T``, a trailing ``'`` (second copy) dropped.

    >>> from hearts_env.cards import card_name
    >>> card_name("10h"), card_name("qs'")
    ('TH', 'QS')

    Raises ValueError if the text names no card.
    """
    name = text.strip().upper().rstrip("'")
    if name[:2] == "10":
        name = "T" + name[2:]
    if name == JOKER or (name[-1:] in SUITS and name[:-1] in RANKS):
        return name
    raise ValueError(f"{text!r} is not a card; write rank then suit, such as QS, TC or 2H")


def suit_of(card: str) -> str | None:
    """The suit letter of a card name, or None for an unsuited joker."""
    return None if card == JOKER else card[-1]


def rank_of(card: str) -> str:
    """The rank of a card name; the unsuited joker's rank is ``JK``."""
    return card if card == JOKER else card[:-1]


def order_of(card: str) -> tuple[int, int]:
    """Sort key: suit-major (C D H S), low rank first, unsuited joker last."""
    if card == JOKER:
        return (len(SUITS), 0)
    return (SUITS.index(card[-1]), RANKS.index(card[:-1]))


@dataclass(frozen=True)
class Deck:
    """A pack of cards, copies included, in kind order.

    >>> from hearts_env.cards import Deck
    >>> deck = Deck(("QS", "2H", "AC", "2H"))
    >>> deck.cards, deck.kinds
    (('AC', '2H', '2H', 'QS'), ('AC', '2H', 'QS'))
    >>> deck.match("H"), deck.kind("QS")
    (('2H',), 2)

    Attributes:
        cards: every card of the pack, sorted; a kind with two copies is listed twice.
    """

    cards: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", tuple(sorted(self.cards, key=order_of)))

    def __len__(self) -> int:
        return len(self.cards)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The distinct cards in order; a kind's position is its id everywhere (action, bit, observation column)."""
        return tuple(dict.fromkeys(self.cards))

    @cached_property
    def ids(self) -> dict[str, int]:
        """Kind name -> id."""
        return {name: kind for kind, name in enumerate(self.kinds)}

    @cached_property
    def copies(self) -> Counter[str]:
        """Kind name -> number of copies in the pack."""
        return Counter(self.cards)

    def kind(self, card: str) -> int:
        """The id of a card. Raises ValueError, naming the closest card, if the pack has none."""
        name = card_name(card)
        if name not in self.ids:
            close = get_close_matches(name, self.kinds, n=1, cutoff=0)
            raise ValueError(f"{name} is not in this pack of {len(self)} cards; the closest card is {close[0]}")
        return self.ids[name]

    def match(self, pattern: str) -> tuple[str, ...]:
        """The kinds that a pattern (a suit, a rank or one card) names; empty if the pack has none of them."""
        return tuple(name for name in self.kinds if pattern in (name, suit_of(name), rank_of(name)))

    def match_all(self, patterns: Iterable[str]) -> tuple[str, ...]:
        """The kinds named by any of the patterns, in kind order."""
        named = {name for pattern in patterns for name in self.match(pattern)}
        return tuple(name for name in self.kinds if name in named)


def pattern_name(text: str) -> str:
    """The canonical form of a pattern.

    >>> from hearts_env.cards import pattern_name
    >>> pattern_name("h"), pattern_name("10"), pattern_name("qs")
    ('H', 'T', 'QS')

    Raises ValueError if it is neither a suit, a rank nor a card.
    """
    name = text.strip().upper()
    if name == "10":
        name = "T"
    if name in SUITS or name in RANKS:
        return name
    try:
        return card_name(name)
    except ValueError:
        raise ValueError(f"{text!r} names no cards; write a suit (H), a rank (Q) or a card (QS)") from None
