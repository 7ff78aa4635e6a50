"""The cards that have left the hands: taken, waiting for a taker, or still lying in the kitty."""

from __future__ import annotations

from collections.abc import Sequence

from hearts_env.ruleset.model import Rules
from tests.oracle.rules import JOKER, is_penalty, suit


class Piles:
    """What each seat has taken in a deal, and what waits for a later winner.

    Attributes:
        rules: the rules.
        kitty: the cards that nobody was dealt.
        taken: cards per seat; those of the kitty join them once the deal is over.
        winners: who took each trick, in order; a trick without a winner counts for whoever took its cards in the end.
        rolled_over: cards of tricks that nobody has taken yet.
        idle: per seat, jokers taken that score nothing.
    """

    def __init__(self, rules: Rules, kitty: Sequence[str]) -> None:
        seats = range(rules.table.players)
        self.rules, self.kitty = rules, list(kitty)
        self.taken: list[list[str]] = [[] for _ in seats]
        self.winners: list[int] = []
        self.idle = [0 for _ in seats]
        self.rolled_over: list[str] = []
        self._rolled_tricks, self._rolled_idle = 0, 0
        self._from_kitty: list[list[str]] = [[] for _ in seats]
        self._left_in_kitty = list(kitty)

    @property
    def out_of_play(self) -> list[str]:
        """The cards that nobody can take."""
        return self.kitty if self.rules.deck.kitty_award == "out_of_play" else []

    def lay_aside(self, trick: Sequence[str], led: str | None) -> None:
        """Keep a trick that nobody won for the winner of a later one."""
        self.rolled_over += trick
        self._rolled_tricks += 1
        self._rolled_idle += self._idle_in(trick, led)

    def give_trick(self, seat: int, trick: Sequence[str], led: str | None) -> None:
        """Give a seat the trick, those that waited for a winner, and what they win of the kitty."""
        pile, tricks = [*self.rolled_over, *trick], self._rolled_tricks + 1
        self._give_kitty(seat, pile, tricks)
        self.taken[seat] += pile
        self.winners += [seat] * tricks
        self.idle[seat] += self._rolled_idle + self._idle_in(trick, led)
        self.rolled_over, self._rolled_tricks, self._rolled_idle = [], 0, 0

    def end_deal(self) -> None:
        """Give the rest of the kitty to whoever took the last trick, and turn up what everybody won of it."""
        if self.rules.deck.kitty_award != "out_of_play":
            self._draw(self.winners[-1], len(self._left_in_kitty))
        for seat, cards in enumerate(self._from_kitty):
            self.taken[seat] += cards
            self.idle[seat] += self._idle_in(cards, None)

    def _idle_in(self, cards: Sequence[str], led: str | None) -> int:
        """Unsuited jokers among the cards of a trick that score nothing."""
        if self.rules.jokers.scores == "always" or led == "H":
            return 0
        return list(cards).count(JOKER)

    def _give_kitty(self, seat: int, pile: Sequence[str], tricks: int) -> None:
        award = self.rules.deck.kitty_award
        costly = any(suit(card) == "H" or is_penalty(self.rules, card) for card in pile)
        if (award == "first_trick" and not self.winners) or (award == "first_penalty" and costly):
            self._draw(seat, len(self._left_in_kitty))
        if award == "one_per_trick":
            self._draw(seat, tricks)

    def _draw(self, seat: int, count: int) -> None:
        self._from_kitty[seat] += self._left_in_kitty[:count]
        self._left_in_kitty = self._left_in_kitty[count:]
