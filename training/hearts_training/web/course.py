"""The course of a match: what has been done at a table, action by action, as the database keeps it."""

from __future__ import annotations

from hearts_training.web.database import Database
from hearts_training.web.records import MOST_ACTIONS
from hearts_training.web.walk import Walk
from hearts_training.web.why import why_not

FULL = f"the match has {MOST_ACTIONS:,} actions, the most that are possible here: it ends undecided"


class Course:
    """A match being played.

    Attributes:
        walk: the match as it stands, and its last trick and deal.
        missing: what the file lacks of the match, in a sentence; None if it was whole when it was taken up.
    """

    def __init__(self, key: str, walk: Walk, database: Database) -> None:
        """Take up a match where it stands, which is as far as the actions in the database are whole."""
        self._key, self.walk, self._database = key, walk, database
        self._before = sum(len(deal.actions) for deal in walk.after(0).log)
        self._behind = database.place_after(key, self.at)
        self.missing = self._damage()

    def _damage(self) -> str | None:
        if self._behind is None:
            return None
        first, last = self.at + 1, self._behind
        which = f"Actions {first} to {last} of this table are" if last > first else f"Action {first} of this table is"
        fault = "missing" if last >= first else "not legal"
        return f"{which} {fault} in the file; it {f'goes on after action {self.at}' if self.at else 'begins again'}."

    @property
    def at(self) -> int:
        """Number of actions taken at this table."""
        return len(self.walk.actions)

    @property
    def is_full(self) -> bool:
        """True if the match has as many actions as one may have here."""
        return self._before + self.at >= MOST_ACTIONS

    @property
    def is_fresh(self) -> bool:
        """True if nothing has happened since a deal ended."""
        match = self.walk.match
        return self.walk.deal is not None and (match.over or not match.log[-1].actions)

    def take(self, action: str) -> None:
        """Take an action and keep it. Raises ValueError, in a player's words, if it is not legal."""
        match = self.walk.match
        seat, name = match.seat or 0, match.game.actions[match.game.action(action)]
        if name not in match.legal():
            raise ValueError(why_not(match.view(seat), name))
        if self.is_full:
            raise ValueError(FULL)
        self._clear()
        self._database.add_action(self._key, self.at, seat, name)
        self.walk.step(name)

    def _clear(self) -> None:
        """Make room behind the last whole action, before anything is written there."""
        if self._behind is not None:
            self._database.set_aside(self._key, self.at)
            self._behind = None

    def last_of(self, seat: int) -> int | None:
        """Number of actions before the seat's last one at this table; None if it has not acted."""
        place = self.at
        for deal in reversed(self.walk.match.log):
            for taker, _ in reversed(deal.actions):
                place -= 1
                if place < 0 or taker == seat:
                    return place if place >= 0 else None
        return None

    def cut(self, count: int) -> None:
        """Go back to the position after the first `count` actions."""
        self._clear()
        self._database.cut_actions(self._key, count)
        self.walk.cut(count)
