"""The course of a match: what has been done at a table, action by action, as the database keeps it."""

from __future__ import annotations

from typing import Any

from hearts_env.table.match import Match
from hearts_training.web.database import Database
from hearts_training.web.deals import DealEnd, deal_end
from hearts_training.web.why import why_not


class Course:
    """A match being played.

    Attributes:
        match: the match as it stands.
        deal: how the last deal that is over ended; None before the first end.
        trick_points: what the last trick brought its taker; None where that is not known.
        missing: what the file lacks of the match, in a sentence; None if it was whole when it was taken up.
    """

    def __init__(self, key: str, start: Match, database: Database) -> None:
        """Take up a match where the database has it, from its first position, as far as its actions are whole."""
        self._key, self._start, self._database = key, start, database
        self._actions = database.actions(key)
        self._replay()
        self._behind = database.place_after(key, self.at)
        self.missing = self._damage()

    def _damage(self) -> str | None:
        if self._behind is None:
            return None
        first, last = self.at + 1, self._behind
        which = f"Actions {first} to {last} of this table are" if last > first else f"Action {first} of this table is"
        fault = "missing" if last >= first else "not legal"
        return f"{which} {fault} in the file; it {f'goes on after action {self.at}' if self.at else 'begins again'}."

    def _replay(self) -> None:
        self.match: Match = self._start.clone()
        self.deal: DealEnd | None = None
        self.trick_points: Any = None
        for place, action in enumerate(self._actions):
            if action not in self.match.legal():
                self._actions = self._actions[:place]
                return
            self._step(action)

    def _step(self, action: str) -> None:
        """Take an action, and note how the deal ended or what the trick brought its taker, if it ended one."""
        match = self.match
        end, before, log = deal_end(match, action), match.points, match.log[-1]
        tricks = len(log.trick_ends)
        match.play(action)
        self.deal = end or self.deal
        if len(log.trick_ends) > tricks:
            gains = [new - old for new, old in zip(match.points, before, strict=True)]
            self.trick_points = None if end or match.phase == "exact" else sum(gains)

    @property
    def at(self) -> int:
        """Number of actions taken at this table."""
        return len(self._actions)

    @property
    def is_fresh(self) -> bool:
        """Whether nothing has happened since a deal ended."""
        return self.deal is not None and (self.match.over or not self.match.log[-1].actions)

    def take(self, action: str) -> None:
        """Take an action and keep it. Raises ValueError, in a player's words, if it is not legal."""
        match = self.match
        seat, name = match.seat or 0, match.game.actions[match.game.action(action)]
        if name not in match.legal():
            raise ValueError(why_not(match.view(seat), name))
        self._clear()
        self._database.add_action(self._key, self.at, seat, name)
        self._actions.append(name)
        self._step(name)

    def _clear(self) -> None:
        """Make room behind the last whole action, before anything is written there."""
        if self._behind is not None:
            self._database.set_aside(self._key, self.at)
            self._behind = None

    def last_of(self, seat: int) -> int | None:
        """Number of actions before the seat's last one at this table; None if it has not acted."""
        seats = [taker for deal in self.match.log for taker, _ in deal.actions][-self.at :] if self.at else []
        own = [place for place, taker in enumerate(seats) if taker == seat]
        return own[-1] if own else None

    def cut(self, count: int) -> None:
        """Go back to the position after the first `count` actions."""
        self._clear()
        self._actions = self._actions[:count]
        self._database.cut_actions(self._key, count)
        self._replay()
