"""Agents at the tables of a server.

Quick agents decide at once. Slow ones, which search or start programs, decide elsewhere, so that no table waits for
another: searches in worker processes, programs in a thread of their own.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import Any, TypeVar

from hearts_agents.allowed import check_allowed
from hearts_agents.base import Agent
from hearts_agents.registry import make_agent, names_program
from hearts_env.ruleset.model import Rules
from hearts_env.seat.view import View
from hearts_env.table.match import Match
from hearts_env.table.seeds import agent_seed
from hearts_training.web import prepare
from hearts_training.web.lanes import Clock, Job, Lane, limited
from hearts_training.web.levels import SEARCH, plain_name
from hearts_training.web.questions import AGENTS, Question, act_of, agent_of, answer

__all__ = ["Players", "Question"]

_LOG = logging.getLogger(__name__)
_Result = TypeVar("_Result")
PATIENCE = 60
"""Seconds that an answer may take, except for a hint."""
START_PATIENCE = 180
"""Seconds that the first answer of a program may take, which has to start."""
HINT_PATIENCE = 10
"""Seconds that an answer for a hint may take."""
KNOWN = ("", SEARCH)
"""Agents of questions that the suite itself asks: none, for beliefs, and that of hints."""
HERE = Clock([0.0, 0.0])
"""The seconds that this process has spent compiling."""
HERE.watch()


async def in_thread(function: Callable[..., _Result], *arguments: Any, patience: float = float("inf")) -> _Result:
    """The result of a function in a thread of its own, which nobody waits for at the end: a program may never answer.

    Raises TimeoutError after `patience` seconds in which nothing was compiled, and what the function raises.
    """
    loop = asyncio.get_running_loop()
    found: asyncio.Future[_Result] = loop.create_future()

    def settle(set_: Callable[[Any], None], value: Any) -> None:
        if not found.done():
            set_(value)

    def run() -> None:
        try:
            settled = found.set_result, function(*arguments)
        except Exception as error:
            settled = found.set_exception, error  # type: ignore[assignment]
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(settle, *settled)

    Thread(target=run, daemon=True).start()
    return await limited(found, patience, HERE)  # type: ignore[no-any-return]


class Players:
    """Answers questions without keeping the event loop waiting."""

    def __init__(self, processes: int, programs: bool, folders: bool = True) -> None:
        """`processes` work for slow agents.

        `programs` allows agents that start programs, and `folders` those that read a network from a folder.
        """
        self._programs, self._folders = programs, folders
        self._lanes = Lane(processes, prepare.for_questions), Lane(processes, prepare.for_questions)
        self._records = Lane(1, prepare.for_tables, stops=False)
        self._for_tables: asyncio.Task[None] | None = None
        self._for_questions: asyncio.Task[None] | None = None
        self._stateful: dict[tuple[Any, ...], Agent] = {}
        self._called: dict[str, str] = {}

    # --- compiling --------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Begin to compile everything, once after an installation: tables and questions wait for their part alone."""
        self._for_tables = asyncio.create_task(self._prepare(self._records, prepare.for_tables))
        self._for_questions = asyncio.create_task(self._prepare(self._lanes[0], None))

    async def _prepare(self, lane: Lane, here: Job | None) -> None:
        """Compile in a worker process, which keeps the code on disk; then load it `here`, beside the event loop."""
        try:
            await lane.warm()
            if here is not None:
                await in_thread(here)
        except Exception:  # whoever needs what is not compiled will be told
            _LOG.exception("not everything could be compiled beforehand")

    @property
    def is_ready(self) -> bool:
        """True if everything that tables need is compiled and loaded."""
        return self._for_tables is None or self._for_tables.done()

    @property
    def may_ask(self) -> bool:
        """True if everything that questions need is compiled."""
        return self._for_questions is None or self._for_questions.done()

    async def ready(self) -> None:
        """Wait until everything that tables need is compiled. Who stops waiting does not stop that."""
        if self._for_tables is not None:
            await asyncio.shield(self._for_tables)

    # --- agents -----------------------------------------------------------------------------------

    async def check(self, spec: str) -> None:
        """Raise ValueError, in one line, for a spec that makes no agent or may not be used here."""
        await self._made(self._check, spec)

    def _check(self, spec: str) -> None:
        if names_program(spec):
            if not self._programs:
                raise ValueError(f"{spec} starts a program; start the server with --allow-programs to use it")
            make_agent(spec)
        else:
            check_allowed(spec, folders=self._folders)
            agent_of(spec)

    async def check_search(self, spec: str) -> None:
        """Raise ValueError for an agent that cannot explain its choices, or may not be used here."""
        await self._made(self._check_search, spec)

    def _check_search(self, spec: str) -> None:
        self._check(spec)
        if not any(hasattr(agent_of(spec), method) for method in ("explain", "action_values", "probabilities")):
            raise ValueError(f"{spec} explains nothing; name a search such as {SEARCH}, or a network")

    async def act(self, spec: str, view: View, place: tuple[Any, ...], seed: int) -> str:
        """The action of an agent. `place` identifies its chair, for agents that follow one table."""
        await self.ready()
        own_seed = agent_seed(seed, view.seat)
        if names_program(spec):
            patience = PATIENCE if place in self._stateful else START_PATIENCE
            try:
                return await in_thread(self._act_of_program, spec, view, place, own_seed, patience=patience)
            except TimeoutError:
                raise ValueError(f"{spec} took longer than {patience} s") from None
        kept = AGENTS.made(spec)
        agent = await self._made(agent_of, spec) if kept is None else kept
        if agent.tables_at_once < Agent.tables_at_once:
            return str(await self.ask(Question.about(view, "act", spec, own_seed)))
        return act_of(agent, view, own_seed)

    async def _made(self, make: Callable[[str], _Result], spec: str) -> _Result:
        """What comes of making an agent, in a thread of its own: a network or a library takes a while to read, and a
        folder that a page names may never answer.
        """
        try:
            return await in_thread(make, spec, patience=START_PATIENCE)
        except TimeoutError:
            raise ValueError(f"{spec} took longer than {START_PATIENCE} s") from None

    def _act_of_program(self, spec: str, view: View, place: tuple[Any, ...], seed: int) -> str:
        if place not in self._stateful:
            self._stateful[place] = make_agent(spec)
            self._stateful[place].reset(seed)
        action = view.game.actions[view.game.action(self._stateful[place].act(view))]
        self._called[spec] = self._stateful[place].called
        return action

    def name_of(self, spec: str, rules: Rules) -> str:
        """The name of an agent for players: that which a program gave itself when it played, else `plain_name`."""
        return self._called.get(spec) or plain_name(spec, rules)

    async def explain(self, spec: str, match: Match) -> tuple[list[dict[str, Any]], list[str]]:
        """An agent's opinion of every legal action, the best first, and the actions that it proposes.

        These are the best one or, of a pass, every card, each chosen after the one before.
        """
        match, seed, found = match.clone(), match.seed % 2**63, list[list[dict[str, Any]]]()
        seat = match.seat or 0
        for _ in range(max(match.view(seat).picks_left, 1)):
            found.append(await self.ask(Question.about(match.view(seat), "explain", spec, seed), HINT_PATIENCE))
            match.play(found[-1][0]["action"])
        return found[0], [values[0]["action"] for values in found]

    async def ask(self, question: Question, patience: float = PATIENCE) -> Any:
        """The answer to a question, from a worker process. Raises ValueError if it takes longer than `patience`, in s.

        What the suite itself asks never waits for agents that somebody typed: these have workers of their own. Within
        either kind, who came first is answered first, and no time is counted while a question waits or something is
        compiled. One that is cancelled is stopped, whatever its worker does.
        """
        if self._for_questions is not None:
            await asyncio.shield(self._for_questions)
        try:
            return await self._lanes[question.spec not in KNOWN].ask(partial(answer, question), patience)
        except TimeoutError:
            raise ValueError(f"{question.spec} took longer than {patience} s; give it a smaller budget") from None

    async def work(self, job: Job) -> Any:
        """The result of a job with a record, from a worker process for records alone, so that records and questions do
        not wait for one another. Raises ValueError if it takes longer than `PATIENCE`, and what the job raises.
        """
        await self.ready()
        try:
            return await self._records.ask(job, PATIENCE)
        except TimeoutError:
            raise ValueError(f"the record took longer than {PATIENCE} s; a shorter one is needed") from None

    def leave(self, table: str) -> None:
        """Forget the agents that follow a table."""
        for place in [place for place in self._stateful if place[0] == table]:
            close = getattr(self._stateful.pop(place), "close", None)
            if close is not None:
                Thread(target=close).start()  # it may wait for the program

    def close(self) -> None:
        """End the worker processes and programs."""
        for table in {place[0] for place in self._stateful}:
            self.leave(table)
        for task in (self._for_tables, self._for_questions):
            if task is not None:
                task.cancel()
        for lane in (*self._lanes, self._records):
            lane.stop()
