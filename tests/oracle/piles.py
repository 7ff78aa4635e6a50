"""The cards that have left the hands: taken, rolled over, or still lying in the kitty."""

from __future__ import annotations

from collections.abc import Sequence

from hearts_env.ruleset.model import Rules
from tests.oracle.rules import JOKER, is_penalty, suit


class Piles:
    """What each seat has taken in a deal, and what waits for a taker.

    Attributes:
        taken: cards per seat; those of the kitty join them once the deal is over.
        winners: who took each trick, in order; a trick that rolled over counts for whoever took it in the end.
        rolled: cards of tricks that nobody has taken yet.
        kitty: the cards that nobody was dealt.
        left: those of them that nobody has won yet.
        idle: per seat, jokers taken that score nothing.
    """

    rules: Rules

    def clear_piles(self, kitty: Sequence[str]) -> None:
        """Begin a deal."""
        seats = range(self.rules.table.players)
        self.taken: list[list[str]] = [[] for _ in seats]
        self.winners: list[int] = []
        self.rolled: list[str] = []
        self.rolled_tricks, self.rolled_idle = 0, 0
        self.kitty, self.left = list(kitty), list(kitty)
        self.from_kitty: list[list[str]] = [[] for _ in seats]
        self.idle = [0 for _ in seats]

    @property
    def aside(self) -> list[str]:
        """The cards that nobody can take."""
        return self.kitty if self.rules.deck.kitty_award == "out_of_play" else []

    def roll_over(self, trick: Sequence[str], led: str | None) -> None:
        """Lay a trick aside for the winner of a later one."""
        self.rolled += trick
        self.rolled_tricks += 1
        self.rolled_idle += self._idle_in(trick, led)

    def give_trick(self, seat: int, trick: Sequence[str], led: str | None) -> None:
        """Give a seat the trick, those that rolled over to it, and what they win of the kitty."""
        pile, tricks = [*self.rolled, *trick], self.rolled_tricks + 1
        self._give_kitty(seat, pile, tricks)
        self.taken[seat] += pile
        self.winners += [seat] * tricks
        self.idle[seat] += self.rolled_idle + self._idle_in(trick, led)
        self.rolled, self.rolled_tricks, self.rolled_idle = [], 0, 0

    def end_deal(self) -> None:
        """Give the rest of the kitty to whoever took the last trick, and turn up what everybody won of it."""
        if self.rules.deck.kitty_award != "out_of_play":
            self._draw(self.winners[-1], len(self.left))
        for seat, cards in enumerate(self.from_kitty):
            self.taken[seat] += cards
            self.idle[seat] += self._idle_in(cards, None)

    def _idle_in(self, cards: Sequence[str], led: str | None) -> int:
        """Unsuited jokers among the cards of a trick that score nothing."""
        if self.rules.jokers.scores == "always" or led == "H":
            return 0
        return list(cards).count(JOKER)

    def _give_kitty(self, seat: int, pile: Sequence[str], tricks: int) -> None:
        award = self.rules.deck.kitty_award
        dear = any(suit(card) == "H" or is_penalty(self.rules, card) for card in pile)
        if (award == "first_trick" and not self.winners) or (award == "first_penalty" and dear):
            self._draw(seat, len(self.left))
        if award == "one_per_trick":
            self._draw(seat, tricks)

    def _draw(self, seat: int, count: int) -> None:
        self.from_kitty[seat] += self.left[:count]
        self.left = self.left[count:]
