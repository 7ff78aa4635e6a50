"""Cards and decks: names, suits, ranks, patterns.

A card is written rank then suit: ``QS``, ``TC``, ``2H``, ``11D``, ``12C``; ``0C`` and ``0D`` are suited jokers and
``JK`` is an unsuited one. A *kind* is a card regardless of its number of copies. Kinds are ordered by suit (C D H S),
within a suit from the lowest rank to the highest, with ``JK`` last. A *pattern* names a set of kinds: a suit (``H``), a
rank (``Q``) or one card (``QS``).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from unicodedata import normalize

SUITS = ("C", "D", "H", "S")
RANKS = ("0", "2", "3", "4", "5", "6", "7", "8", "9", "T", "11", "12", "J", "Q", "K", "A")
"""Every rank, in the usual order from the lowest to the highest; ``0`` is the rank of suited jokers."""
STANDARD_RANKS = tuple(rank for rank in RANKS if rank not in {"0", "11", "12"})
JOKER = "JK"
_CARDS = {JOKER, *(rank + suit for rank in RANKS for suit in SUITS)}
_QUOTES = '"`*_“”'
_SIGNS = str.maketrans("♣♦♥♠♧♢♡♤", "CDHSCDHS", "\ufe0e\ufe0f'")
_RANK_WORDS = (
    *("TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN", "ELEVEN", "TWELVE"),
    *("JACK", "QUEEN", "KING", "ACE"),
)
_RANK_OF = {rank: rank for rank in RANKS} | {"10": "T"} | dict(zip(_RANK_WORDS, RANKS[1:], strict=True))
_SUIT_OF = {
    spelling: suit
    for suit, word in zip(SUITS, ("CLUB", "DIAMOND", "HEART", "SPADE"), strict=True)
    for spelling in (suit, word, f"{word}S")
}
_SHORT, _LONG = "10|11|12|0|[2-9TJQKA]", "|".join(_RANK_WORDS)
_SUIT_WORD = "CLUBS?|DIAMONDS?|HEARTS?|SPADES?"
_SUIT = f"{_SUIT_WORD}|[CDHS]"
_CARD = re.compile(
    rf"({_SHORT})(?: ?- ?| )?(?:OF )?({_SUIT})|({_LONG})(?: ?- ?| )(?:OF )?({_SUIT})"
    rf"|({_SUIT})(?: ?- ?| )?({_SHORT})|({_SUIT_WORD})(?: ?- ?| )({_LONG})"
)
"""A card in capitals with single spaces: rank and suit in either order."""
_SPACED = re.compile(
    rf"(?<![\w:])(?:(?:{_SHORT}|{_LONG}) (?:OF )?(?:{_SUIT})|(?:{_SUIT_WORD}) (?:{_SHORT}|{_LONG}))(?!\w)"
)
"""The name of a card that has spaces in it."""
_BETWEEN = re.compile(r"[\s,;]+")


def card_name(text: str) -> str:
    """The canonical name of a card, which may be spelt in any usual way.

    >>> [card_name(text) for text in ("10h", "♠Q", "2♣", "d9", "Queen of Spades", "QS'")]
    ['TH', 'QS', '2C', '9D', 'QS', 'QS']

    Args:
        text: rank and suit in either order, as letters, numbers, signs or English words; a trailing ``'`` marks a
            second copy.

    Raises:
        ValueError: the text names no card.
    """
    if not isinstance(text, str):
        raise ValueError(f"a {type(text).__name__} is not a card; write rank then suit, such as QS, TC or 2H")
    if text in _CARDS:
        return text
    name = _upper(text)
    if found := _CARD.fullmatch(name):
        one, two = filter(None, found.groups())
        return _RANK_OF[one] + _SUIT_OF[two] if one in _RANK_OF else _RANK_OF[two] + _SUIT_OF[one]
    if name in (JOKER, "JOKER"):
        return JOKER
    raise ValueError(f"{text[:20]!r} is not a card; write rank then suit, such as QS, TC or 2H")


def _upper(text: str) -> str:
    """A text in plain capitals with single spaces, and letters for the signs of suits."""
    return " ".join(normalize("NFKC", text).translate(_SIGNS).upper().split())


def names_in(text: str) -> list[str]:
    """The names of cards or actions in a text, in capitals, separated by white space, commas or semicolons.

    >>> names_in("the queen of spades, 10 ♥ and `2c`; moon: self")
    ['QS', 'TH', '2C', 'MOON:SELF']
    """
    plain = _SPACED.sub(lambda found: card_name(found[0]), _upper(text).replace(": ", ":"))
    names = (name.lstrip(_QUOTES).rstrip(f"{_QUOTES}.") for name in _BETWEEN.split(plain))
    return [name for name in names if name not in ("", "THE", "AND")]


def suit_of(card: str) -> str | None:
    """The suit letter of a card name, or None for an unsuited joker."""
    return None if card == JOKER else card[-1]


def rank_of(card: str) -> str:
    """The rank of a card name; the unsuited joker's rank is ``JK``."""
    return card if card == JOKER else card[:-1]


def rank_order(ranks: Iterable[str]) -> tuple[str, ...]:
    """Every rank from the lowest to the highest, where `ranks` gives the order of some of them.

    A rank that is missing from `ranks` stands directly above the rank that is below it in the usual order; ``0`` is the
    lowest unless `ranks` gives another order. Ranks in the usual order therefore leave the order of `RANKS` as it is.

    >>> "".join(rank_order("789JQKTA")).replace("1112", "..")
    '023456789JQKT..A'
    """
    order = list(ranks)
    below = 0
    for rank in RANKS:
        if rank not in order:
            order.insert(below, rank)
        below = order.index(rank) + 1
    return tuple(order)


@dataclass(frozen=True)
class Deck:
    """A pack of cards, copies included, in kind order.

    >>> deck = Deck(("QS", "2H", "2H", "TC"))
    >>> deck.cards
    ('TC', '2H', '2H', 'QS')
    >>> deck.kinds, deck.ids["QS"], deck.copies["2H"], deck.match("H")
    (('TC', '2H', 'QS'), 2, 2, ('2H',))

    Attributes:
        cards: every card of the pack, sorted; a kind with two copies is listed twice.
        ranks: every rank, from the lowest to the highest.
    """

    cards: tuple[str, ...]
    ranks: tuple[str, ...] = RANKS

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", tuple(sorted(self.cards, key=self._order)))

    def _order(self, card: str) -> tuple[int, int]:
        if card == JOKER:
            return (len(SUITS), 0)
        return (SUITS.index(card[-1]), self.ranks.index(card[:-1]))

    def __len__(self) -> int:
        return len(self.cards)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The distinct cards in order; a kind's position is its id: action, bit of a mask, observation column."""
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
        """The id of a card. Raises ValueError, naming the closest card, if the card is not in the pack."""
        name = card_name(card)
        if name not in self.ids:
            close = get_close_matches(name, self.kinds, n=1, cutoff=0)
            raise ValueError(f"{name} is not in this pack of {len(self)} cards; the closest card is {close[0]}")
        return self.ids[name]

    def match(self, pattern: str) -> tuple[str, ...]:
        """The kinds of the pack that a pattern names, in kind order."""
        return self._named.get(pattern, ())

    @cached_property
    def _named(self) -> dict[str | None, tuple[str, ...]]:
        found: dict[str | None, tuple[str, ...]] = {}
        for name in self.kinds:
            for pattern in {name, suit_of(name), rank_of(name)}:
                found[pattern] = (*found.get(pattern, ()), name)
        return found

    def match_all(self, patterns: Iterable[str]) -> tuple[str, ...]:
        """The kinds named by any of the patterns, in kind order."""
        named = {name for pattern in patterns for name in self.match(pattern)}
        return tuple(name for name in self.kinds if name in named)


def pattern_name(text: str) -> str:
    """The canonical form of a pattern.

    >>> pattern_name("h"), pattern_name("10"), pattern_name("qs"), pattern_name("♥"), pattern_name("queen")
    ('H', 'T', 'QS', 'H', 'Q')

    Raises:
        ValueError: it is neither a suit, nor a rank, nor a card.
    """
    name = _upper(text)
    if found := _SUIT_OF.get(name) or _RANK_OF.get(name):
        return found
    try:
        return card_name(text)
    except ValueError:
        raise ValueError(f"{text[:20]!r} names no cards; write a suit (H), a rank (Q) or a card (QS)") from None
