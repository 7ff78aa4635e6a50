"""A record under study: its positions, what each decision cost, and what a seat could believe."""

from __future__ import annotations

import asyncio
from typing import Any

from hearts_env.play.match import Match
from hearts_training.web.messages import Analyse, Belief, Position, Stop
from hearts_training.web.players import Players, Question
from hearts_training.web.seen import Data, seen_openly
from hearts_training.web.table import Guest

MOST_STUDIES = 64
"""Records in memory; the oldest is forgotten for a new one."""


class Study:
    """A record and the analysis of its decisions.

    Attributes:
        match: the match of the record.
        decisions: one per action: its deal, seat, phase and name.
        guests: the pages connected.
        values: place -> what an agent thinks of the legal actions there.
        agent: the agent that analyses.
    """

    def __init__(self, record: str, players: Players) -> None:
        """Read a record. Raises ValueError, in one line, if it is none."""
        self.match, self._players = Match.replay(record), players
        self.decisions: list[Data] = [
            {"deal": deal.number + 1, "seat": seat, "phase": phase, "action": action}
            for deal in self.match.log
            for (seat, action), phase in zip(deal.actions, deal.phases, strict=True)
        ]
        self.guests: set[Guest] = set()
        self.values: dict[int, Any] = {}
        self.agent = ""
        self._task: asyncio.Task[None] | None = None

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
            "values": {str(at): values for at, values in self.values.items()},
            "agent": self.agent,
            "running": self._task is not None and not self._task.done(),
        }

    async def serve(self, guest: Guest, message: Position | Analyse | Stop | Belief) -> None:
        """Do what a page requests. Raises ValueError, in one line, where it cannot be done."""
        if isinstance(message, Position):
            guest.answer({"is": "position", "at": message.at} | seen_openly(self.position(message.at)))
        elif isinstance(message, Analyse):
            self._analyse(message.agent)
        elif isinstance(message, Stop):
            self.stop()
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

    def _analyse(self, agent: str) -> None:
        self._players.check_search(agent)
        self.stop()
        if agent != self.agent:
            self.agent, self.values = agent, {}
        self._task = asyncio.create_task(self._value_all())

    def stop(self) -> None:
        """Stop the analysis; what it has found is kept."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _value_all(self) -> None:
        """Value the legal actions of every decision that is not forced, and send each when it is known."""
        match = self.match.after(0)
        for at, decision in enumerate(self.decisions):
            if at not in self.values and match.seat is not None:
                view = match.view(match.seat)
                if len(view.legal_ids()) > 1:
                    try:
                        question = Question.about(view, "explain", self.agent, self.match.seed % 2**63)
                        self.values[at] = await self._players.ask(question)
                    except ValueError as error:
                        self._send({"is": "error", "line": f"{self.agent}: {' '.join(str(error).split())}"})
                        break
                    self._send({"is": "value", "at": at, "of": len(self.decisions), "values": self.values[at]})
            match.play(decision["action"])
        self._send({"is": "done"})

    def _send(self, message: Data) -> None:
        for guest in self.guests:
            guest.answers.append(message)  # every value counts: none is dropped
            guest.fresh.set()


class Studies:
    """The records that pages study, the latest ones."""

    def __init__(self, players: Players) -> None:
        self._players = players
        self._studies: dict[str, Study] = {}

    def open(self, key: str, record: str) -> Study:
        """Study a record under a key."""
        study = Study(record, self._players)
        self._studies[key] = study
        while len(self._studies) > MOST_STUDIES:
            self._studies.pop(next(iter(self._studies))).stop()
        return study

    def find(self, key: str) -> Study:
        """A record under study. Raises KeyError if there is none."""
        return self._studies[key]

    def close(self) -> None:
        """Stop every analysis."""
        for study in self._studies.values():
            study.stop()
