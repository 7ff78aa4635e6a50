"""What the cards that a seat took are worth: exposures, negations, sweeps and multipliers on top of plain values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

from hearts_env.ruleset.model import Rules
from tests.oracle.rules import JOKER, Points, badness, named_by, oracle_deck, value

Waived = Callable[[str], bool]
"""Says of a card whether it is not scored."""


def nothing_waived(card: str) -> bool:
    """Every card is scored."""
    return False


@dataclass(frozen=True)
class Haul:
    """What a seat took in a deal.

    Attributes:
        rules: the rules.
        cards: the cards.
        exposed: the cards that anybody showed before play.
        idle: how many of the unsuited jokers among the cards fell where jokers score nothing.
    """

    rules: Rules
    cards: Sequence[str]
    exposed: Sequence[str] = ()
    idle: int = 0

    def score(self, waived: Waived = nothing_waived, award: Points = 0) -> Points:
        """Points for the cards that are not waived; an award is multiplied along with them."""
        factor = self.whole_factor()
        if self.is_alone():
            return self._alone_points() + award * factor
        return (sum(self.parts(waived)) + award) * factor

    def parts(self, waived: Waived = nothing_waived) -> list[Points]:
        """What each card counts before the multipliers of the whole hand."""
        return [0 if waived(card) else self._part(card) for card in self._scoring()]

    def bonus(self, waived: Waived = nothing_waived) -> int:
        """By how much the bonus cards that are not waived lower the score, as a number below 0."""
        counted = [card for card in self._scoring() if badness(self.rules, card) < 0 and not waived(card)]
        worths = [self._part(card) * self.whole_factor() for card in counted]
        return sum(worth for worth in worths if worth < 0)

    def whole_factor(self) -> Points:
        """The product of the multipliers of the whole hand."""
        return prod(factor for factor, scope in self._factors() if scope is None)

    def is_alone(self) -> bool:
        """Whether a multiplier with points of its own was taken without any card that counts."""
        lonely = [card for card, _ in self.rules.score.alone if card in self.cards]
        counting = [pattern for pattern, _ in self.rules.score.card_values]
        return bool(lonely) and not any(named_by(counting, card) for card in self.cards if card not in lonely)

    def _scoring(self) -> list[str]:
        """The cards without idle jokers."""
        cards = list(self.cards)
        for _ in range(self.idle):
            cards.remove(JOKER)
        return cards

    def _alone_points(self) -> int:
        return sum(points * self._raise(card) * list(self.cards).count(card) for card, points in self.rules.score.alone)

    def _part(self, card: str) -> Points:
        if any(key in self.cards and named_by([pattern], card) for key, pattern in self.rules.score.negations):
            return 0
        worth = value(self.rules, card) * self._raise(card)
        worth *= prod(factor for factor, scope in self._factors() if scope is not None and named_by([scope], card))
        for required, pattern in self.rules.score.sweeps:
            if named_by([pattern], card) and self._swept(required):
                worth = -worth
        return worth

    def _raise(self, card: str) -> int:
        """By how much a card counts more because some card was shown."""
        patterns = [pattern for key, pattern in self.rules.exposing.cards if key in self.exposed]
        return self.rules.exposing.factor if named_by(patterns, card) else 1

    def _factors(self) -> list[tuple[Points, str | None]]:
        """Factor and scope of every multiplier taken, once for each copy."""
        taken = []
        for card, text in self.rules.score.multipliers:
            factor, _, scope = text.partition("@")
            taken += [(read_number(factor) * self._raise(card), scope or None)] * list(self.cards).count(card)
        return taken

    def _swept(self, required: str) -> bool:
        patterns = required.split("+")
        wanted = Counter(card for card in oracle_deck(self.rules) if named_by(patterns, card))
        return wanted <= Counter(self.cards)


def read_number(text: str) -> Points:
    """A factor as written: ``2``, ``-3``, ``2i``, ``1+2i``."""
    number = complex(text.replace("i", "j"))
    return number if number.imag else int(number.real)
