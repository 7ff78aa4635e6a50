"""A page that is connected to a table or a study, and what it is still to be sent."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from hearts_training.web.seen import Data

MOST_WAITING = 16
"""Answers that wait for a slow page; older ones are dropped."""


@dataclass(eq=False)
class Guest:
    """A page that is connected to a table.

    Attributes:
        seat: its seat; None for somebody who watches.
        look: whose view somebody who watches is shown; None for all hands.
        fresh: set when there is something to send.
        answers: messages for this page alone, oldest first.
        stale: whether the table has changed since the page was sent it.
    """

    seat: int | None
    look: int | None = None
    fresh: asyncio.Event = field(default_factory=asyncio.Event)
    answers: list[Data] = field(default_factory=list)
    stale: bool = True

    def answer(self, message: Data) -> None:
        """Send a message to this page."""
        self.answers = [*self.answers[-MOST_WAITING + 1 :], message]
        self.fresh.set()

    def refuse(self, line: str) -> None:
        """Send an error in one line."""
        self.answer({"is": "error", "line": " ".join(line.split())})
