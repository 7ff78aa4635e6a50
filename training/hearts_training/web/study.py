"""A record under study: its positions, what each decision cost by several advisers, and what a seat could believe."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from functools import partial
from itertools import groupby
from time import monotonic
from typing import Any

from hearts_agents.weights import strongest_agent
from hearts_env.checks import seat_of
from hearts_env.seat.view import View
from hearts_env.table.match import Match
from hearts_training.web.database import Database, FileError
from hearts_training.web.guest import Guest
from hearts_training.web.levels import SEARCH, plain_name
from hearts_training.web.messages import (
    Analyse,
    AnyOfStudy,
    Belief,
    Deepen,
    Dismiss,
    NewStudy,
    Note,
    Outlook,
    Position,
    Stop,
    Try,
)
from hearts_training.web.players import Players, Question
from hearts_training.web.records import Studied, as_record, kept_study, studied
from hearts_training.web.seen import Data, labels, seen_openly
from hearts_training.web.verdict import CLEAR, chosen, verdict
from hearts_training.web.words import Names, number

_LOG = logging.getLogger(__name__)
MOST_STUDIES = 16
"""Records in memory; the oldest that no page shows rests in the database for a new one."""
MOST_ADVISERS = 3
DEEP_WORLDS = (256, 1024, 4096)
"""Worlds of the searches that examine a decision further, one after the other."""
DEEP_SECONDS = 20.0
"""Seconds in which the last of them must be expected to end."""


class Study:
    """A record and what advisers say of its decisions.

    Attributes:
        match: the match of the record.
        record: the record as it was sent, which agrees with the match line by line.
        decisions: one per action: its deal, trick, seat, phase and name.
        labels: place of a special decision -> action -> what it means.
        guests: the pages connected.
        advisers: the agents whose values are shown, at most `MOST_ADVISERS`.
        values: agent -> place -> the legal actions there, the best first, with what each costs or with its probability;
            also of agents that are no longer shown, and of deeper searches.
        names: who sat on the seats.
        seat: the seat of whoever studies, if they played.
    """

    def __init__(self, key: str, message: NewStudy, found: Studied, players: Players, database: Database) -> None:
        """Study a record that was read."""
        self._walk, self._key, self._players, self._database = found.walk, key, players, database
        self.match, self.decisions, self.labels = found.walk.match, found.decisions, found.labels
        self.record, self.seat = message.record, message.seat
        self.names = message.names or list(Names.plain(self.match.game.seats).seats)
        self.guests: set[Guest] = set()
        self.advisers: list[str] = []
        self.values: dict[str, dict[int, Any]] = {}
        self._queues: dict[str, deque[int]] = {}
        self._outlooks: dict[tuple[str, int, int], Data] = {}
        self._task: asyncio.Task[None] | None = None

    @property
    def is_running(self) -> bool:
        """True while an analysis goes on."""
        return self._task is not None and not self._task.done()

    def position(self, at: int) -> Match:
        """The match after `at` actions, which costs about a deal. Raises ValueError for a place beyond its end."""
        if at > len(self.decisions):
            raise ValueError(f"at={at} is beyond the record, which has {len(self.decisions)} actions")
        return self._walk.after(at)

    def page(self) -> Data:
        """The data that a page needs once: the decisions, and what is known about them."""
        return {
            "is": "study",
            "record": self.record,
            "decisions": self.decisions,
            "labels": self.labels,
            "names": self.names,
            "seat": self.seat,
            "advisers": [self._adviser(agent) for agent in self.advisers],
            "mistake_errors": CLEAR,
            "search": SEARCH,
            "deals": {deal.number + 1: list(map(number, deal.points or ())) for deal in self.match.log},
            "notes": self._database.notes(self._key),
            "running": self.is_running,
        }

    def _adviser(self, agent: str) -> Data:
        values = self.values.get(agent, {})
        return {
            "agent": agent,
            "by": plain_name(agent, self.match.rules),
            "values": values,
            "costs": {at: cost for at in values if (cost := self._cost(agent, at)) is not None},
            "verdict": self._verdict(agent),
        }

    async def serve(self, guest: Guest, message: AnyOfStudy) -> None:
        """Do what a page requests. Raises ValueError, in one line, where it cannot be done."""
        handlers: dict[type, Callable[..., Awaitable[None]]] = {
            Position: self._show,
            Analyse: self._analyse,
            Dismiss: self._dismiss,
            Stop: self._halt,
            Deepen: self._deepen,
            Belief: self._believe,
            Outlook: self._look_ahead,
            Try: self._try,
            Note: self._note,
        }
        await handlers[type(message)](guest, message)

    async def _show(self, guest: Guest, message: Position) -> None:
        seen = seen_openly(self.position(message.at), Names(tuple(self.names)))
        guest.answer({"is": "position", "at": message.at} | seen)

    async def _believe(self, guest: Guest, message: Belief) -> None:
        if message.at is None or message.seat is None:
            raise ValueError("a belief needs at and seat")
        match = self.position(message.at)
        question = Question.about(match.view(message.seat), "believe", seed=message.at)
        found = await self._players.ask(question)
        place = {"at": message.at, "seat": message.seat}
        guest.answer({"is": "belief", "cards": found} | place)
        network = strongest_agent(match.rules)
        if match.phase == "play":  # before, a network would weigh nothing
            weighed = await self._players.ask(Question.about(match.view(message.seat), "weigh", network, message.at))
            guest.answer({"is": "weighed", "by": plain_name(network, match.rules)} | place | weighed)

    async def _try(self, guest: Guest, message: Try) -> None:
        match, actions = self.position(message.at), list(message.actions)
        await self._players.check(message.agent)
        seat, deals = match.seat, len(match.deal_points)
        for action in actions:
            if len(match.deal_points) > deals:
                raise ValueError("the deal of this line is over")
            before = match.clone()
            match.play(action)
        self._players.leave(self._key)  # a program that followed an earlier line begins anew
        while len(match.deal_points) == deals and match.seat != seat and not match.over:
            view, before = match.view(match.seat or 0), match.clone()
            actions.append(await self._players.act(message.agent, view, (self._key, view.seat), self.match.seed))
            match.play(actions[-1])
        ended = len(match.deal_points) > deals
        shown, names = before if ended else match, Names(tuple(self.names))
        guest.answer(
            {"is": "line", "at": message.at, "actions": actions, "agent": message.agent, "seat": seat}
            | {"by": plain_name(message.agent, match.rules), "labels": {} if ended else labels(match, names)}
            | {"ended": list(map(number, match.deal_points[deals])) if ended else None}
            | {"position": seen_openly(shown, names)}
        )

    async def _note(self, guest: Guest, message: Note) -> None:
        match = self.position(message.at)
        for action in message.actions:
            match.play(action)
        self._database.set_note(self._key, message.at, message.actions, message.agent, message.text)
        self._send({"is": "notes", "notes": self._database.notes(self._key)})

    async def _look_ahead(self, guest: Guest, message: Outlook) -> None:
        """Answer with the expected end of a deal from each of its tricks on, as a seat sees it."""
        seat = seat_of("seat", message.seat, self.match.game.seats)
        agent = message.agent or strongest_agent(self.match.rules)
        await self._players.check_search(agent)
        places = [at for at, one in enumerate(self.decisions) if one["deal"] == message.deal]
        for _, trick in groupby(places, lambda at: self.decisions[at]["trick"]):
            at = next(trick)
            key = agent, seat, at
            if key not in self._outlooks:
                view = self.position(at).view(seat)
                self._outlooks[key] = await self._players.ask(Question.about(view, "outlook", agent, at))
            found = {"deal": message.deal, "seat": seat, "at": at, "by": plain_name(agent, self.match.rules)}
            guest.answer({"is": "outlook"} | found | self._outlooks[key])

    # --- analysis ---------------------------------------------------------------------------------

    async def _analyse(self, guest: Guest, message: Analyse) -> None:
        agent = " ".join(message.agent.split())
        await self._players.check_search(agent)
        if agent not in self.advisers:
            if len(self.advisers) >= MOST_ADVISERS:
                raise ValueError(f"{MOST_ADVISERS} advisers are shown; remove one of them first")
            self._set_advisers([*self.advisers, agent])
        known = self.values.setdefault(agent, {})
        left = [at for at in range(len(self.decisions)) if at not in known]
        left.sort(key=lambda at: (at != message.at, self.decisions[at]["seat"] != self.seat))
        self._queues[agent] = deque(left)
        if not self.is_running:
            self._task = asyncio.create_task(self._value_all())
        self._send({"is": "adviser", "running": True} | self._adviser(agent))

    async def _dismiss(self, guest: Guest, message: Dismiss) -> None:
        self._queues.pop(message.agent, None)
        self._set_advisers([agent for agent in self.advisers if agent != message.agent])
        self._send({"is": "dismissed", "agent": message.agent})

    def _set_advisers(self, advisers: list[str]) -> None:
        self._database.set_advisers(self._key, advisers)
        self.advisers = advisers

    async def _halt(self, guest: Guest, message: Stop) -> None:
        self.stop()
        self._send({"is": "done"})

    def stop(self) -> None:
        """Stop the analysis; what it has found is kept."""
        self._queues.clear()
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _value_all(self) -> None:
        """Value the decisions that are not forced, those of whoever studies first, and send each when it is known."""
        agent = ""
        try:
            while waiting := [one for one, queue in self._queues.items() if queue]:
                agent = waiting[0]
                try:
                    await self._value_one(agent, self._queues[agent].popleft())
                except FileError:
                    raise
                except ValueError as error:  # the other advisers go on
                    self._queues.pop(agent, None)
                    self._send({"is": "error", "line": f"{agent}: {' '.join(str(error).split())}"})
        except FileError as error:
            self._send({"is": "error", "line": str(error)})
        except Exception:
            _LOG.exception("the analysis by %s has ended", agent)
            self._send({"is": "error", "line": f"{agent} cannot go on; the server's log says why"})
        self._send({"is": "done"})

    async def _value_one(self, agent: str, at: int) -> None:
        await asyncio.sleep(0)  # one position costs a deal: others have their turn before the next
        if len(self._view(at).legal_ids()) > 1:
            found = {"agent": agent, "at": at, "values": await self._value(agent, at), "cost": self._cost(agent, at)}
            self._send({"is": "value", "verdict": self._verdict(agent)} | found)

    def _cost(self, agent: str, at: int) -> float | None:
        """What a decision cost by an agent's values; None for one that gives probabilities."""
        cost: float | None = chosen(self.decisions[at], self.values[agent][at]).get("cost")
        return cost

    async def _value(self, agent: str, at: int) -> Any:
        if at not in self.values.get(agent, {}):
            question = Question.about(self._view(at), "explain", agent, self.match.seed % 2**63)
            values = await self._players.ask(question)
            self._database.add_value(self._key, agent, at, values)
            self.keep(agent, at, values)
        return self.values[agent][at]

    def _view(self, at: int) -> View:
        match = self.position(at)
        return match.view(match.seat or 0)

    def keep(self, agent: str, at: int, values: list[Data]) -> None:
        """Keep what an agent thinks of the legal actions of a decision."""
        self.values.setdefault(agent, {})[at] = values

    async def _deepen(self, guest: Guest, message: Deepen) -> None:
        """Search a decision again, on ever more worlds, and answer after each search."""
        if message.at >= len(self.decisions):
            raise ValueError(f"there is no decision at={message.at}")
        end, took = monotonic() + DEEP_SECONDS, 0.0
        for worlds in DEEP_WORLDS:
            begun = monotonic()
            if worlds == DEEP_WORLDS[-1] and begun + took * 4 > end:  # four times the worlds of the one before
                break
            values = await self._value(f"pimc(worlds={worlds})", message.at)
            took = monotonic() - begun
            guest.answer({"is": "deeper", "at": message.at, "worlds": worlds, "values": values})
        guest.answer({"is": "deepest", "at": message.at})

    def _verdict(self, agent: str) -> list[Data]:
        return verdict(self.decisions, self.values.get(agent, {}), self.match.game.seats)

    def _send(self, message: Data) -> None:
        for guest in self.guests:
            guest.answers.append(message)  # every value counts: none is dropped
            guest.fresh.set()


class Studies:
    """The records that pages study, the latest ones."""

    def __init__(self, players: Players, database: Database) -> None:
        self._players, self._database = players, database
        self._studies: dict[str, Study] = {}

    async def open(self, key: str, message: NewStudy) -> Study:
        """Study a record under a key. Raises ValueError, in one line, if it is none."""
        message = await self._players.work(partial(as_record, message))
        found = await self._players.work(partial(studied, message.record, message.names, message.seat))
        self._database.add_study(key, message.model_dump_json())
        return self._keep(key, Study(key, message, found, self._players, self._database))

    def _keep(self, key: str, study: Study) -> Study:
        self._studies[key] = study
        idle = [other for other, one in self._studies.items() if not one.guests and other != key]
        for other in idle[: max(len(self._studies) - MOST_STUDIES, 0)]:
            self._studies.pop(other).stop()
        return study

    async def find(self, key: str) -> Study:
        """A record under study, also one of an earlier server.

        Raises KeyError if there is none, and ValueError if it cannot be replayed.
        """
        if key in self._studies:
            return self._studies[key]
        message, found, advisers, values = await self._players.work(partial(kept_study, self._database.file, key))
        if key in self._studies:  # another page has asked meanwhile
            return self._studies[key]
        study = Study(key, message, found, self._players, self._database)
        study.advisers = advisers
        for agent, at, known in values:
            study.keep(agent, at, known)
        return self._keep(key, study)

    def close(self) -> None:
        """Stop every analysis."""
        for study in self._studies.values():
            study.stop()
