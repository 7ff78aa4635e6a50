"""A match walked action by action, which goes back to any place at the cost of about a deal."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hearts_env.table.match import Match
from hearts_training.web.deals import DealEnd, deal_end

STEP = 52
"""The fewest actions between two places that are kept."""


@dataclass(frozen=True)
class _Kept:
    """A place that is kept: the actions and deals before it, the match with the log of this deal alone, and the ends
    before it.
    """

    count: int
    deals: int
    match: Match
    deal: DealEnd | None
    trick_points: Any


class Walk:
    """A match from some first position on. It pickles, so that a worker process can walk a long record.

    >>> import hearts_env as he
    >>> walk = Walk(he.Match("black_lady(cycle=[hold])", seed=7))
    >>> walk.step("2C")
    >>> walk.after(0).legal(), walk.after(1) == walk.match
    (['2C'], True)

    Attributes:
        match: the match as it stands.
        actions: the actions taken.
        deal: how the last deal that is over ended; None before the first end.
        trick_points: what the last trick brought its taker; None where that is not known.
    """

    def __init__(self, start: Match) -> None:
        """Stand at the first position."""
        self.match, self.actions = start.clone(), list[str]()
        self.deal: DealEnd | None = None
        self.trick_points: Any = None
        self._kept: list[_Kept] = []
        self._keep()

    @staticmethod
    def along(start: Match, actions: Sequence[str]) -> Walk:
        """A walk that has taken actions, up to the first that is not legal, as in a damaged file."""
        walk = Walk(start)
        for action in actions:
            if action not in walk.match.legal():
                break
            walk.step(action)
        return walk

    def step(self, action: str) -> None:
        """Take an action, and note how the deal ended or what the trick brought its taker, if it ended one."""
        match = self.match
        end, before, log = deal_end(match, action), match.points, match.log[-1]
        tricks = len(log.trick_ends)
        match.play(action)
        self.actions.append(action)
        self.deal = end or self.deal
        if len(log.trick_ends) > tricks:
            gains = [new - old for new, old in zip(match.points, before, strict=True)]
            self.trick_points = None if end or match.phase == "exact" else sum(gains)
        if match.log[-1] is not log and len(self.actions) - self._kept[-1].count >= STEP:
            self._keep()

    def _keep(self) -> None:
        log = self.match.log
        self.match.log = log[-1:]
        kept = self.match.clone()
        self.match.log = log
        self._kept.append(_Kept(len(self.actions), len(log) - 1, kept, self.deal, self.trick_points))

    def after(self, count: int) -> Match:
        """The match after its first `count` actions, which have been taken. Its finished deals are those of the walk,
        which never change.
        """
        kept = self._before(count)
        match = self._at(kept)
        for action in self.actions[kept.count : count]:
            match.play(action)
        return match

    def cut(self, count: int) -> None:
        """Go back to the position after the first `count` actions."""
        kept, actions = self._before(count), self.actions
        self.match, self.deal, self.trick_points = self._at(kept), kept.deal, kept.trick_points
        self._kept = [one for one in self._kept if one.count <= kept.count]
        self.actions = actions[: kept.count]
        for action in actions[kept.count : count]:
            self.step(action)

    def _before(self, count: int) -> _Kept:
        return self._kept[bisect_right(self._kept, count, key=lambda kept: kept.count) - 1]

    def _at(self, kept: _Kept) -> Match:
        match = kept.match.clone()
        match.log = [*self.match.log[: kept.deals], *match.log]
        return match
