"""A record under study: its positions, what each decision cost, and what a seat could believe."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from hearts_env.table.match import Match
from hearts_training.evaluate.analysis import Decision
from hearts_training.web.database import Database
from hearts_training.web.guest import Guest
from hearts_training.web.levels import SEARCH, plain_name
from hearts_training.web.messages import Analyse, Belief, NewStudy, Position, Stop
from hearts_training.web.players import Players, Question
from hearts_training.web.seen import Data, labels, seen_openly
from hearts_training.web.verdict import CLEAR, verdict
from hearts_training.web.words import Names

_LOG = logging.getLogger(__name__)
MOST_STUDIES = 64
"""Records in memory; the oldest rests in the database for a new one."""


class Study:
    """A record and the analysis of its decisions.

    Attributes:
        match: the match of the record.
        decisions: one per action: its deal, seat, phase and name.
        labels: place of a special decision -> action -> what it means.
        guests: the pages connected.
        values: place -> the legal actions there, the best first, with what each costs or with its probability.
        valued: place -> the decision there and what it cost; empty for an agent that gives probabilities.
        agent: the agent that analyses.
        names: who sat on the seats.
        seat: the seat of whoever studies, if they played.
    """

    def __init__(self, key: str, message: NewStudy, players: Players, database: Database) -> None:
        """Read a record. Raises ValueError, in one line, if it is none, or if the names do not fit it."""
        self.match, self._key, self._players, self._database = Match.replay(message.record), key, players, database
        seats = self.match.game.seats
        self.names = message.names or list(Names.plain(seats).seats)
        self.seat = message.seat
        if len(self.names) != seats or (self.seat or 0) >= seats:
            raise ValueError(f"the record has {seats} seats; names and seat do not fit it")
        self.decisions: list[Data] = [
            {"deal": deal.number + 1, "seat": seat, "phase": phase, "action": action}
            for deal in self.match.log
            for (seat, action), phase in zip(deal.actions, deal.phases, strict=True)
        ]
        self.labels = self._labels()
        self.guests: set[Guest] = set()
        self.values: dict[int, Any] = {}
        self.valued: dict[int, Decision] = {}
        self.agent = ""
        self._task: asyncio.Task[None] | None = None

    def _labels(self) -> dict[int, dict[str, str]]:
        """Place of a special decision -> what each of its actions means."""
        match, found = self.match.after(0), dict[int, dict[str, str]]()
        for at, decision in enumerate(self.decisions):
            if ":" in decision["action"]:
                found[at] = labels(match, Names(tuple(self.names)))
            match.play(decision["action"])
        return found

    @property
    def is_running(self) -> bool:
        """Whether an analysis goes on."""
        return self._task is not None and not self._task.done()

    def position(self, at: int) -> Match:
        """The match after `at` actions. Raises ValueError for a place beyond its end."""
        if at > len(self.decisions):
            raise ValueError(f"at={at} is beyond the record, which has {len(self.decisions)} actions")
        return self.match.after(at)

    def page(self) -> Data:
        """What a page needs once: the decisions, and what is known about them."""
        return {
            "is": "study",
            "record": self.match.record(),
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
        if agent != self.agent:
            self.agent, self.values, self.valued = agent, {}, {}
            self._database.set_agent(self._key, agent)
        self._task = asyncio.create_task(self._value_all())
        for guest in self.guests:  # the page has everything that a slow reader still waits for
            guest.answers = [answer for answer in guest.answers if answer["is"] not in ("study", "value", "done")]
        self._send(self.page())

    def stop(self) -> None:
        """Stop the analysis; what it has found is kept."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _value_all(self) -> None:
        """Value the decisions that are not forced, those of whoever studies first, and send each when it is known."""
        try:
            for own in (True, False):
                match = self.match.after(0)
                for at, decision in enumerate(self.decisions):
                    if at not in self.values and own == (decision["seat"] == self.seat):
                        await self._value_one(at, match)
                    match.play(decision["action"])
        except ValueError as error:
            self._send({"is": "error", "line": f"{self.agent}: {' '.join(str(error).split())}"})
        except Exception:
            _LOG.exception("the analysis by %s has ended", self.agent)
            self._send({"is": "error", "line": f"{self.agent} cannot go on; the server's log says why"})
        self._send({"is": "done"})

    async def _value_one(self, at: int, match: Match) -> None:
        view = match.view(match.seat or 0)
        if len(view.legal_ids()) > 1:
            question = Question.about(view, "explain", self.agent, self.match.seed % 2**63)
            values = await self._players.ask(question)
            self._database.add_value(self._key, at, values)
            self.keep(at, values)
            cost = self.valued[at].cost if at in self.valued else None
            self._send({"is": "value", "at": at, "values": values, "cost": cost, "verdict": self._verdict()})

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

    def open(self, key: str, message: NewStudy) -> Study:
        """Study a record under a key. Raises ValueError, in one line, if it is none."""
        study = Study(key, message, self._players, self._database)
        self._database.add_study(key, message.model_dump_json())
        return self._keep(key, study)

    def _keep(self, key: str, study: Study) -> Study:
        self._studies[key] = study
        idle = [other for other, one in self._studies.items() if not one.guests and other != key]
        for other in idle[: max(len(self._studies) - MOST_STUDIES, 0)]:
            self._studies.pop(other).stop()
        return study

    def find(self, key: str) -> Study:
        """A record under study, also one of an earlier server. Raises KeyError if there is none."""
        if key not in self._studies:
            message, agent, values = self._database.study(key)
            study = Study(key, NewStudy.model_validate_json(message), self._players, self._database)
            study.agent = agent
            for at, found in values.items():
                study.keep(at, found)
            self._keep(key, study)
        return self._studies[key]

    def close(self) -> None:
        """Stop every analysis."""
        for study in self._studies.values():
            study.stop()
