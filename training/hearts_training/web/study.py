"""A record under study: its positions, what each decision cost, and what a seat could believe."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import Any

from hearts_env.seat.view import View
from hearts_env.table.match import Match
from hearts_training.evaluate.analysis import Decision
from hearts_training.web.database import Database, FileError
from hearts_training.web.guest import Guest
from hearts_training.web.levels import SEARCH, plain_name
from hearts_training.web.messages import Analyse, Belief, NewStudy, Position, Stop
from hearts_training.web.players import Players, Question
from hearts_training.web.records import Studied, as_record, kept_study, studied
from hearts_training.web.seen import Data, seen_openly
from hearts_training.web.verdict import CLEAR, verdict
from hearts_training.web.words import Names

_LOG = logging.getLogger(__name__)
MOST_STUDIES = 16
"""Records in memory; the oldest that no page shows rests in the database for a new one."""


class Study:
    """A record and the analysis of its decisions.

    Attributes:
        match: the match of the record.
        record: the record as it was sent, which agrees with the match line by line.
        decisions: one per action: its deal, seat, phase and name.
        labels: place of a special decision -> action -> what it means.
        guests: the pages connected.
        values: place -> the legal actions there, the best first, with what each costs or with its probability.
        valued: place -> the decision there and what it cost; empty for an agent that gives probabilities.
        agent: the agent that analyses.
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
        self.values: dict[int, Any] = {}
        self.valued: dict[int, Decision] = {}
        self.agent = ""
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
            "values": self.values,
            "costs": {at: decision.cost for at, decision in self.valued.items()},
            "verdict": self._verdict(),
            "mistake_errors": CLEAR,
            "agent": self.agent or SEARCH,
            "by": plain_name(self.agent or SEARCH, self.match.rules),
            "running": self.is_running,
        }

    async def serve(self, guest: Guest, message: Position | Analyse | Stop | Belief) -> None:
        """Do what a page requests. Raises ValueError, in one line, where it cannot be done."""
        if isinstance(message, Position):
            seen = seen_openly(self.position(message.at), Names(tuple(self.names)))
            guest.answer({"is": "position", "at": message.at} | seen)
        elif isinstance(message, Analyse):
            await self._analyse(message.agent)
        elif isinstance(message, Stop):
            self.stop()
            self._send({"is": "done"})
        else:
            await self._believe(guest, message)

    async def _believe(self, guest: Guest, message: Belief) -> None:
        if message.at is None or message.seat is None:
            raise ValueError("a belief needs at and seat")
        match = self.position(message.at)
        question = Question.about(match.view(message.seat), "believe", seed=message.at)
        found = await self._players.ask(question)
        guest.answer({"is": "belief", "at": message.at, "seat": message.seat, "cards": found})

    # --- analysis ---------------------------------------------------------------------------------

    async def _analyse(self, agent: str) -> None:
        await self._players.check_search(agent)
        if agent == self.agent and self.is_running:
            return
        self.stop()
        if begins := agent != self.agent:
            self._database.set_agent(self._key, agent)
            self.agent, self.values, self.valued = agent, {}, {}
            for guest in self.guests:  # values of the agent before, for which a slow reader still waits
                guest.answers = [answer for answer in guest.answers if answer["is"] not in ("value", "done")]
        self._task = asyncio.create_task(self._value_all())
        by = plain_name(agent, self.match.rules)
        self._send({"is": "analysis", "agent": agent, "by": by, "begins": begins})

    def stop(self) -> None:
        """Stop the analysis; what it has found is kept."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _value_all(self) -> None:
        """Value the decisions that are not forced, those of whoever studies first, and send each when it is known."""
        try:
            for own in (True, False):
                for at, decision in enumerate(self.decisions):
                    if at not in self.values and own == (decision["seat"] == self.seat):
                        await self._value_one(at)
        except FileError as error:
            self._send({"is": "error", "line": str(error)})
        except ValueError as error:
            self._send({"is": "error", "line": f"{self.agent}: {' '.join(str(error).split())}"})
        except Exception:
            _LOG.exception("the analysis by %s has ended", self.agent)
            self._send({"is": "error", "line": f"{self.agent} cannot go on; the server's log says why"})
        self._send({"is": "done"})

    async def _value_one(self, at: int) -> None:
        await asyncio.sleep(0)  # one position costs a deal: others have their turn before the next
        view = self._view(at)
        if len(view.legal_ids()) > 1:
            question = Question.about(view, "explain", self.agent, self.match.seed % 2**63)
            values = await self._players.ask(question)
            self._database.add_value(self._key, at, values)
            self.keep(at, values)
            cost = self.valued[at].cost if at in self.valued else None
            self._send({"is": "value", "at": at, "values": values, "cost": cost, "verdict": self._verdict()})

    def _view(self, at: int) -> View:
        """The view of the seat to act at a place."""
        match = self.position(at)
        return match.view(match.seat or 0)

    def keep(self, at: int, values: list[Data]) -> None:
        """Keep what an agent thinks of the legal actions of a decision."""
        decision = self.decisions[at]
        if "cost" in values[0]:
            costs, errors = ({one["action"]: one[part] for one in values} for part in ("cost", "error"))
            self.valued[at] = Decision(at, decision["deal"], decision["seat"], decision["action"], costs, errors)
        self.values[at] = values

    def _verdict(self) -> list[Data]:
        found = ((self.valued[at], self.decisions[at]["phase"]) for at in sorted(self.valued))
        return verdict(found, self.match.game.seats)

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
        message, found, agent, values = await self._players.work(partial(kept_study, self._database.file, key))
        if key in self._studies:  # another page has asked meanwhile
            return self._studies[key]
        study = Study(key, message, found, self._players, self._database)
        study.agent = agent
        for at, known in values.items():
            study.keep(at, known)
        return self._keep(key, study)

    def close(self) -> None:
        """Stop every analysis."""
        for study in self._studies.values():
            study.stop()
