"""One table: a match, who sits where, and what each of them is sent."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from hearts_env.table.match import Match
from hearts_training.web.course import FULL, Course
from hearts_training.web.database import Chair, Database, FileError
from hearts_training.web.deals import summary
from hearts_training.web.guest import Guest
from hearts_training.web.levels import NORMAL, SEARCH, plain_name
from hearts_training.web.messages import Act, Belief, Hint, Look, Pause, SetName, SetPace, StandIn, Undo
from hearts_training.web.players import Players, Question
from hearts_training.web.seen import Data, seen_by, seen_openly, tricks_of
from hearts_training.web.walk import Walk
from hearts_training.web.words import PLAYER, Names, trick_words

_LOG = logging.getLogger(__name__)
PACED = ("play", "suit")
"""Phases in which agents act at the table's pace, so that one can follow; in the others they act at once."""
RETRY = 5.0
"""Seconds until an action is tried again that could not be written."""
DEAL_PAUSE = 10
"""The time for which the end of a deal is shown where only agents play, as a number of actions."""


class WebTable:
    """A match being played. Everything happens in the event loop, one change at a time.

    Attributes:
        key: identifies the table.
        course: the match, action by action.
        chairs: who sits where.
        pace: seconds between the actions of agents.
        paused: whether agents wait.
        guests: the pages connected.
        hints: whether pages may ask for hints and beliefs.
    """

    def __init__(
        self,
        key: str,
        walk: Walk,
        chairs: list[Chair],
        pace: float,
        database: Database,
        players: Players,
        hints: bool = True,
    ) -> None:
        self.key, self.chairs, self.pace, self.paused, self.hints = key, chairs, pace, False, hints
        self.guests: set[Guest] = set()
        self.course, self._database, self._players = Course(key, walk, database), database, players
        self._changed = asyncio.Event()
        self._trouble: str | None = None
        self._version = 0
        self._task: asyncio.Task[None] | None = None
        with suppress(FileError):  # tried again when a page joins
            self._finish()  # the server may have ended before it could count the match

    @property
    def match(self) -> Match:
        """The match as it stands."""
        return self.course.walk.match

    @property
    def at(self) -> int:
        """Number of actions taken at this table."""
        return self.course.at

    @property
    def is_open(self) -> bool:
        """True if only agents sit here, so that everybody may see all hands."""
        return all(chair.agent is not None for chair in self.chairs)

    @property
    def may_undo(self) -> bool:
        """True if one person plays against agents."""
        return sum(chair.agent is None for chair in self.chairs) == 1

    @property
    def may_record(self) -> bool:
        """True if the record, which holds every hand, may be given to a page of this table."""
        return self.match.over or self.is_open or self.may_undo

    # --- pages ------------------------------------------------------------------------------------

    def join(self, guest: Guest) -> None:
        """Connect a page; the agents play from now on. Who comes back plays for themselves again."""
        self.guests.add(guest)
        if guest.seat is not None and self.chairs[guest.seat].stand_in is not None:
            try:
                self._seat(guest.seat, stand_in=None)
            except FileError as error:
                guest.refuse(str(error))
        self._change()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())

    def leave(self, guest: Guest) -> None:
        """Disconnect a page; the others see that its person has left."""
        self.guests.discard(guest)
        self._change()

    def _seat(self, seat: int, **changes: Any) -> None:
        chairs = [replace(chair, **changes) if place == seat else chair for place, chair in enumerate(self.chairs)]
        self._database.set_chairs(self.key, chairs)
        self.chairs = chairs
        self._change()

    @property
    def away(self) -> list[int]:
        """Seats of persons without a page."""
        here = {guest.seat for guest in self.guests}
        return [seat for seat, chair in enumerate(self.chairs) if chair.agent is None and seat not in here]

    def close(self) -> None:
        """Stop the agents."""
        if self._task is not None:
            self._task.cancel()
        self._players.leave(self.key)

    def page(self, guest: Guest) -> Data:
        """The table as a page may see it: from its seat; if it watches, with all hands or from a seat it chose."""
        seat = guest.seat
        look = guest.look if seat is None else seat
        persons = [None if chair.agent else chair.name or PLAYER for chair in self.chairs]
        names = Names.of(persons, seat or 0, watching=seat is None)
        seen = seen_openly(self.match, names) if look is None else seen_by(self.match, look, names)
        trick = seen["tricks"][-1] if seen["tricks"] else None
        return seen | {
            "is": "table",
            "seat": seat,
            "look": look,
            "at": self.at,
            "names": names.seats,
            "specs": [chair.agent for chair in self.chairs],
            "levels": [chair.agent and self._players.name_of(chair.agent, self.match.rules) for chair in self.chairs],
            "result": trick_words(trick, self.course.walk.trick_points, names),
            "deal_end": self._ended(names),
            "agents": [chair.agent is not None for chair in self.chairs],
            "search": SEARCH,
            "pace": self.pace,
            "paused": self.paused,
            "undo": self.may_undo and seat is not None and self.course.last_of(seat) is not None,
            "may_record": self.may_record,
            "trouble": self._trouble,
            "missing": self.course.missing,
            "hints": self.hints,
            "away": self.away,
            "stand_ins": [chair.stand_in is not None for chair in self.chairs],
            "named": seat is None or bool(self.chairs[seat].name),
        }

    def _ended(self, names: Names) -> Data | None:
        if self.course.walk.deal is None:
            return None
        log = next(deal for deal in reversed(self.match.log) if deal.points is not None)
        tricks = tricks_of(self.match.rules, log)
        return summary(self.course.walk.deal, names) | {
            "result": trick_words(tricks[-1], None, names),
            "fresh": self.course.is_fresh,
            "tricks": tricks,
        }

    def _change(self) -> None:
        self._version += 1
        self._changed.set()
        for guest in self.guests:
            guest.stale = True
            guest.fresh.set()

    # --- agents -----------------------------------------------------------------------------------

    async def _run(self) -> None:
        """Let the agents act until the match is over."""
        while not self.match.over:
            self._changed.clear()
            if self.course.is_full and self._trouble is None:
                self._trouble = FULL
                self._change()
            seat = self.match.seat or 0
            agent, version = self.chairs[seat].agent or self.chairs[seat].stand_in, self._version
            if agent is None or self.paused or self._trouble is not None:
                await self._changed.wait()
                continue
            view = self.match.view(seat)
            pause = self.pace * (DEAL_PAUSE if self.is_open and self.course.is_fresh else self.match.phase in PACED)
            try:
                thought = self._players.act(agent, view, (self.key, seat), self.match.seed)
                action, _ = await asyncio.gather(thought, asyncio.sleep(pause))
                if version == self._version:  # nobody has paused it or taken something back meanwhile
                    self._take(action)
            except FileError as error:
                await self._wait_for_file(str(error))
            except Exception:  # whatever an agent raises; its message may name cards, so only the log has it
                _LOG.exception("table %s: %s cannot go on", self.key, agent)
                self._trouble = f"{agent} cannot go on; the server's log says why"
                self._change()
        await self._count()

    async def _wait_for_file(self, line: str) -> None:
        """Say why an action could not be written, and wait until it is tried again."""
        _LOG.error("table %s: %s", self.key, line)
        self._trouble = line
        self._change()
        await asyncio.sleep(RETRY)
        if self._trouble == line:
            self._trouble = None
            self._change()

    def _take(self, action: str) -> None:
        """Take an action and keep it. Raises ValueError, in a player's words, if it is not legal."""
        self.course.take(action)
        self._change()
        with suppress(FileError):  # tried again until it is written
            self._finish()

    def _finish(self) -> None:
        if self.match.over and self.at:
            self._database.finish(self.key, self.match, self.chairs)

    async def _count(self) -> None:
        while True:
            try:
                self._finish()
                return
            except FileError as error:
                await self._wait_for_file(str(error))

    # --- what pages request -----------------------------------------------------------------------

    async def serve(self, guest: Guest, message: Any) -> None:
        """Do what a page requests. Raises ValueError, in one line, where it cannot be done."""
        handlers: dict[type, Callable[..., Any]] = {
            Act: self._act,
            Undo: self._undo,
            Hint: self._hint,
            Belief: self._believe,
            SetName: self._set_name,
            StandIn: self._stand_in,
            Look: self._look,
            SetPace: self._set_pace,
            Pause: self._pause,
        }
        done = handlers[type(message)](guest, message)
        if done is not None:
            await done

    def _act(self, guest: Guest, message: Act) -> None:
        if message.at != self.at:
            raise ValueError("the table has changed meanwhile; look again")
        turn = self.match.phase, self.match.deal_number
        for place, action in enumerate(message.actions):
            if guest.seat is None or self.match.seat != guest.seat:
                raise ValueError("it is not your turn")
            if place and (self.match.phase, self.match.deal_number) != turn:
                raise ValueError(f"{action} came too late; the next decision is another one")
            self._take(action)

    def _undo(self, guest: Guest, message: Undo) -> None:
        if guest.seat is None or not self.may_undo:
            raise ValueError("nothing is taken back where other people play")
        last = self.course.last_of(guest.seat)
        if last is None:
            raise ValueError("you have not decided anything yet")
        if self.match.over:
            raise ValueError("the match is over and counted; study it instead")
        self._database.set_helped(self.key)
        self.course.cut(last)
        self._players.leave(self.key)
        self._trouble = None
        self._change()

    async def _hint(self, guest: Guest, message: Hint) -> None:
        self._check_hints(guest)
        await self._players.check_search(message.agent)
        if guest.seat is None or self.match.seat != guest.seat:
            raise ValueError("a hint is for your own turn")
        at = self.at
        self._database.set_helped(self.key)
        found, proposal = await self._players.explain(message.agent, self.match)
        by = plain_name(message.agent, self.match.rules)
        guest.answer({"is": "hint", "at": at, "by": by, "values": found, "proposal": proposal})

    async def _believe(self, guest: Guest, message: Belief) -> None:
        if guest.seat is None:
            raise ValueError("a belief is for a seat; study the record for that of an agent")
        self._check_hints(guest)
        self._database.set_helped(self.key)
        at = self.at
        found = await self._players.ask(Question.about(self.match.view(guest.seat), "believe", seed=at))
        guest.answer({"is": "belief", "at": at, "seat": guest.seat, "cards": found})

    def _check_hints(self, guest: Guest) -> None:
        if not self.hints:
            raise ValueError("this table was opened without hints")
        if not self._players.may_ask:
            guest.answer({"is": "wait"})

    def _set_name(self, guest: Guest, message: SetName) -> None:
        if guest.seat is None:
            raise ValueError("only a seat has a name")
        name = message.name.strip()
        if self.chairs[guest.seat].name not in ("", name) and self.at:
            raise ValueError("a name is given before the first decision")
        self._seat(guest.seat, name=name)

    def _stand_in(self, guest: Guest, message: StandIn) -> None:
        if guest.seat is None or message.seat not in self.away:
            raise ValueError("an agent plays only for somebody who has left")
        self._database.set_helped(self.key)
        self._seat(message.seat, stand_in=NORMAL)

    def _look(self, guest: Guest, message: Look) -> None:
        if guest.seat is not None:
            raise ValueError("you have a seat of your own")
        if message.seat is not None and message.seat >= self.match.game.seats:
            raise ValueError(f"seat {message.seat} is not at the table; seats are 0 to {self.match.game.seats - 1}")
        guest.look, guest.stale = message.seat, True
        guest.fresh.set()

    def _set_pace(self, guest: Guest, message: SetPace) -> None:
        self._database.set_pace(self.key, message.seconds)
        self.pace = message.seconds
        self._change()

    def _pause(self, guest: Guest, message: Pause) -> None:
        self.paused = message.on
        self._change()
