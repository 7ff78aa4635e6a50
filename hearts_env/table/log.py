"""The events of a match: plain data, which `Match` fills in and `hearts_env.table.notation` writes as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class DealStart:
    """The start of a deal that is set by hand.

    Attributes:
        hands: cards of each seat, after the pass, or before it if `passing`; None for the hands that the seed deals.
        leader: the seat that leads to the first trick; None for the one that the rules name.
        totals: totals before the deal, per seat; None for those at the start of a match.
        deal_number: number of deals finished before this one.
        passing: whether the deal begins with the pass.
        dealer: the seat that deals.
        kitty: the remaining cards in the order of the kitty; None for kind order.
    """

    hands: Sequence[Iterable[str]] | None = None
    leader: int | None = None
    totals: Sequence[Any] | None = None
    deal_number: int = 0
    passing: bool = False
    dealer: int = 0
    kitty: Sequence[str] | None = None


@dataclass
class DealLog:
    """The events of one deal.

    Attributes:
        number: number of deals finished before it.
        dealer: the seat that dealt.
        leader: the seat that a caller named to lead to the first trick; None where the rules name it.
        totals: totals before the deal, per seat.
        hands: cards dealt, per seat.
        passing: whether the deal began with the pass.
        kitty: cards left over from the deal, in order.
        direction: the pass of the deal, such as ``left``; None until the dealer has chosen.
        actions: (seat, action name) in order.
        phases: the phase in which each action was taken.
        trick_ends: number of actions taken when each trick was complete.
        points: points of the deal, per seat; None until it is over.
        totals_after: totals after the deal, per seat; None until it is over.
    """

    number: int
    dealer: int
    leader: int | None
    totals: list[Any]
    hands: list[list[str]]
    passing: bool
    kitty: list[str] = field(default_factory=list)
    direction: str | None = None
    actions: list[tuple[int, str]] = field(default_factory=list)
    phases: list[str] = field(default_factory=list)
    trick_ends: list[int] = field(default_factory=list)
    points: list[Any] | None = None
    totals_after: list[Any] | None = None

    @property
    def start(self) -> DealStart:
        """The start of the deal."""
        return DealStart(self.hands, self.leader, self.totals, self.number, self.passing, self.dealer, self.kitty)

    def copy(self) -> DealLog:
        """An independent copy."""
        return replace(self, actions=list(self.actions), phases=list(self.phases), trick_ends=list(self.trick_ends))
