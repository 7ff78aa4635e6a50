"""Public knowledge at a table: the properties that a match and the view of a seat have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from hearts_env.cards import SUITS
from hearts_env.compiled.game import Game
from hearts_env.kernel.records import Phase, Pledge

_LETTERS = ["".join(letter for suit, letter in enumerate(SUITS) if mask >> suit & 1) for mask in range(16)]
PHASES = tuple(phase.name.lower() for phase in Phase)


class Public(ABC):
    """The public part of a `STATE` record, as names and numbers."""

    game: Game

    @property
    @abstractmethod
    def _record(self) -> Any:
        """The record."""

    @property
    def phase(self) -> str:
        """The kind of decision to take next: direction, refuse, pass, expose, pledge, play, suit, moon, sign, exact; or
        over.
        """
        return PHASES[int(self._record["phase"])]

    @property
    def deal_number(self) -> int:
        """Deals finished before the one under way; when the match is over, before the last one."""
        return int(self._record["deal_number"])

    @property
    def dealer(self) -> int:
        """The seat that dealt."""
        return int(self._record["dealer"])

    @property
    def direction(self) -> str | None:
        """The pass of this deal, such as ``left`` or ``hold``; None until the dealer has chosen.

        >>> import hearts_env as he
        >>> he.Match("black_lady", seed=7).view(0).direction
        'left'
        """
        option = int(self._record["pass_option"])
        return self.game.options[option].text if option >= 0 else None

    @property
    def exposed(self) -> list[str]:
        """Cards shown before play, in kind order."""
        return self.game.names([self._record["exposed"]])

    @property
    def shown(self) -> list[list[str]]:
        """Cards that each seat has shown before play, per seat, in kind order."""
        return [self.game.names([mask]) for mask in self._record["shown"][: self.game.seats]]

    @property
    def pledges(self) -> list[bool | None]:
        """True for each seat that has pledged to take no heart, False for one that has not; None before it has decided,
        and in games without pledges.
        """
        codes = self._record["pledges"][: self.game.seats]
        return [
            None if pledge == Pledge.NONE or not self.game.tables["score_pledge"] else bool(pledge) for pledge in codes
        ]

    @property
    def leader(self) -> int | None:
        """The seat that leads the current trick; None before play."""
        leader = int(self._record["leader"])
        return leader if leader >= 0 else None

    @property
    def played(self) -> list[tuple[int, str]]:
        """(seat, card) in play order of the whole deal, the current trick included."""
        plies, kinds = int(self._record["plies"]), self.game.deck.kinds
        seats, played = (self._record[name][:plies].tolist() for name in ("history_seat", "history"))
        return [(seat, kinds[kind]) for seat, kind in zip(seats, played, strict=True)]

    @property
    def broken(self) -> bool:
        """True once hearts are broken."""
        return bool(self._record["broken"])

    @property
    def voids(self) -> list[str]:
        """Suits that each seat has been shown to lack, as letters.

        >>> import hearts_env as he
        >>> hands = [[rank + suit for rank in "23456789TJQKA"] for suit in "CDHS"]
        >>> he.Match.from_hands("black_lady", hands, played=["2C", "AD"]).view(0).voids
        ['', 'C', '', '']
        """
        masks = self._record["voids"][: self.game.seats].tolist()
        return [_LETTERS[mask] for mask in masks]

    @property
    def taken(self) -> list[list[str]]:
        """Cards each seat has taken in this deal."""
        return [self.game.names(planes) for planes in self._record["taken"][: self.game.seats].tolist()]

    @property
    def tricks_won(self) -> list[int]:
        """Tricks won in this deal, per seat."""
        counts: list[int] = self._record["tricks_won"][: self.game.seats].tolist()
        return counts

    @property
    def rolled(self) -> list[str]:
        """Cards of dead tricks that go to the winner of the next trick, in kind order."""
        return self.game.names(self._record["rolled_over"][0])

    @property
    def points(self) -> list[Any]:
        """Points of the cards taken so far, per seat; complex numbers in a game of Gaussian integers.

        When the match is over, the points of the last deal.

        >>> import hearts_env as he
        >>> hands = [[rank + suit for rank in "23456789TJQKA"] for suit in "CDHS"]
        >>> rules = "black_lady(first_trick_forbidden=[])"
        >>> he.Match.from_hands(rules, hands, played=["2C", "AD", "2H", "QS"]).view(0).points
        [14, 0, 0, 0]
        """
        return self.game.numbers(self._record["points"])

    @property
    def shooter(self) -> int | None:
        """The seat that shot the moon in the deal being scored, or in the last deal when the match is over."""
        shooter = int(self._record["shooter"])
        return shooter if shooter >= 0 else None

    @property
    def totals(self) -> list[Any]:
        """Totals before this deal, per seat; complex numbers in a game of Gaussian integers."""
        return self.game.numbers(self._record["totals"])

    @property
    def lives(self) -> list[int]:
        """Lives left per seat; empty in a game without lives."""
        return [int(left) for left in self._record["lives"][: self.game.seats]] if self.game.tables["end_lives"] else []

    @property
    def pool(self) -> int:
        """Chips in the pool."""
        return int(self._record["pool"])
