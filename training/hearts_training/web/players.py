"""Agents at the tables of a server.

Quick agents decide at once. Slow ones, which search or start programs, decide elsewhere, so that no table waits for
another: searches in worker processes, programs in a thread of their own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from threading import Thread
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from hearts_agents.allowed import check_allowed
from hearts_agents.base import Agent
from hearts_agents.registry import make_agent, names_program
from hearts_agents.workers import pool, work
from hearts_env.compiled.game import Game, compile_game
from hearts_env.seat.view import View
from hearts_env.seat.worlds import sample_worlds
from hearts_env.table.match import Match
from hearts_env.table.seeds import agent_seed
from hearts_env.variants.registry import rules as read_rules
from hearts_training.evaluate.analysis import costs_of
from hearts_training.web.levels import SEARCH

_Result = TypeVar("_Result")
PATIENCE = 60
"""Seconds that an answer may take, except for a hint."""
HINT_PATIENCE = 10
"""Seconds that an answer for a hint may take."""
KNOWN = ("", SEARCH)
"""Agents of questions that the suite itself asks: none, for beliefs, and that of hints."""
WORLDS = 400
"""Worlds that a table of beliefs is made from."""


async def in_thread(function: Callable[..., _Result], *arguments: Any) -> _Result:
    """What a function returns in a thread of its own, which nobody waits for at the end: a program may never answer.

    Raises TimeoutError after `PATIENCE` seconds, and what the function raises.
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
    return await asyncio.wait_for(found, PATIENCE)


@dataclass(frozen=True)
class Question:
    """Something to ask about a view, in a form that travels to another process.

    Attributes:
        kind: ``act``, ``explain`` or ``believe``.
        spec: the agent; empty for ``believe``.
        seed: of the agent's random choices.
        rules: the rules as text.
        record: the view's record, an array of one.
        seat: the view's seat.
    """

    kind: str
    spec: str
    seed: int
    rules: str
    record: NDArray[Any]
    seat: int

    @staticmethod
    def about(view: View, kind: str, spec: str = "", seed: int = 0) -> Question:
        """A question about a view."""
        return Question(kind, spec, seed, str(view.game.rules), np.array([view.record]), view.seat)

    @property
    def view(self) -> View:
        """The view it is about."""
        return View(_game(self.rules), self.record[0], self.seat, check=False)


@lru_cache(maxsize=64)
def _game(rules: str) -> Game:
    return compile_game(read_rules(rules))


def answer(question: Question) -> Any:
    """The answer to a question: an action, or data for JSON. Raises ValueError where the agent cannot give it."""
    if question.kind == "act":
        return act(question.spec, question.view, question.seed)
    return {"explain": _explain, "believe": _believe}[question.kind](question)


@lru_cache(maxsize=64)
def agent_of(spec: str) -> Agent:
    """The agent of a spec; one object serves every table. Raises ValueError for a bad spec."""
    return make_agent(spec)


def act(spec: str, view: View, seed: int) -> str:
    """The action of an agent whose random choices begin with a seed."""
    agent = agent_of(spec)
    agent.reset(seed)
    return view.game.actions[view.game.action(agent.act(view))]


def _explain(question: Question) -> list[dict[str, Any]]:
    """Every legal action with its cost and standard error, or with its probability; the best first."""
    agent: Any = agent_of(question.spec)
    view = question.view
    agent.reset(question.seed)
    if hasattr(agent, "explain"):
        costs, errors = costs_of(agent.explain(view))
        return [{"action": name, "cost": cost, "error": errors[name]} for name, cost in costs.items()]
    return [{"action": name, "probability": share} for name, share in agent.probabilities(view).items()]


def _believe(question: Question) -> dict[str, list[float]]:
    """Card -> the share of worlds in which each seat holds it, for every card that another seat holds or may hold.

    Cards set aside for a pass count as held by who passes them; what a row lacks to 1 is the share of the kitty.
    """
    view = question.view
    game, records = view.game, sample_worlds(view, WORLDS, question.seed).records
    held = records["hands"][:, : game.seats]  # (worlds, seats, planes) masks
    shares = np.zeros((game.seats, len(game.deck.kinds)))
    for kind in range(shares.shape[1]):
        shares[:, kind] = ((held >> np.uint64(kind)) & np.uint64(1)).sum(2).mean(0)
    for seat in range(game.seats if view.phase in ("refuse", "pass") else 0):
        count = len(View(game, records[0], seat, check=False).passed)
        np.add.at(shares[seat], records["picks"][:, seat, :count], 1 / WORLDS)
    return {
        name: [round(float(share), 3) for share in shares[:, kind]]
        for kind, name in enumerate(game.deck.kinds)
        if any(share for seat, share in enumerate(shares[:, kind]) if seat != view.seat)
    }


class Lane:
    """Worker processes and the queue before them."""

    def __init__(self, processes: int) -> None:
        self._processes, self.free = processes, asyncio.Semaphore(processes)
        self._context: Any = None
        self.pool: ProcessPoolExecutor | None = None
        self.is_warm = False

    def workers(self) -> ProcessPoolExecutor:
        """The worker processes, which are started when first needed."""
        if self.pool is None:
            self._context = pool(_worker, self._processes)
            self.pool, self.is_warm = self._context.__enter__(), False
        return self.pool

    def stop(self, workers: ProcessPoolExecutor | None) -> None:
        """End worker processes, whatever they do."""
        if workers is not None and workers is self.pool:
            context, self.pool = self._context, None
            with suppress(KeyboardInterrupt):
                context.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)


class Players:
    """Answers questions without keeping the event loop waiting."""

    def __init__(self, processes: int, programs: bool, folders: bool = True) -> None:
        """`processes` work for slow agents.

        `programs` allows agents that start programs, and `folders` those that read a network from a folder.
        """
        self._programs, self._folders = programs, folders
        self._made: set[str] = set()
        self._lanes = Lane(processes), Lane(processes)
        self._stateful: dict[tuple[Any, ...], Agent] = {}

    async def check(self, spec: str) -> None:
        """Raise ValueError, in one line, for a spec that makes no agent or may not be used here."""
        await asyncio.to_thread(self._check, spec)

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
        await asyncio.to_thread(self._check_search, spec)

    def _check_search(self, spec: str) -> None:
        self._check(spec)
        if not any(hasattr(agent_of(spec), method) for method in ("explain", "probabilities")):
            raise ValueError(f"{spec} explains nothing; name a search such as {SEARCH}, or a network")

    async def act(self, spec: str, view: View, place: tuple[Any, ...], seed: int) -> str:
        """The action of an agent. `place` identifies its chair, for agents that follow one table."""
        own_seed = agent_seed(seed, view.seat)
        if names_program(spec):
            try:
                return await in_thread(self._act_of_program, spec, view, place, own_seed)
            except TimeoutError:
                raise ValueError(f"{spec} took longer than {PATIENCE} s") from None
        if (await self._agent(spec)).tables_at_once < Agent.tables_at_once:
            return str(await self.ask(Question.about(view, "act", spec, own_seed)))
        return act(spec, view, own_seed)

    async def _agent(self, spec: str) -> Agent:
        """The agent of a spec. It is made in a thread, since a network takes a while to read."""
        if spec not in self._made:
            await asyncio.to_thread(agent_of, spec)
            self._made.add(spec)
        return agent_of(spec)

    def _act_of_program(self, spec: str, view: View, place: tuple[Any, ...], seed: int) -> str:
        if place not in self._stateful:
            self._stateful[place] = make_agent(spec)
            self._stateful[place].reset(seed)
        return view.game.actions[view.game.action(self._stateful[place].act(view))]

    async def explain(self, spec: str, match: Match) -> tuple[list[dict[str, Any]], list[str]]:
        """What an agent thinks of every legal action, the best first, and the actions that it proposes.

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
        either kind, who came first is answered first, and no time is counted while a question waits. One that is
        cancelled is stopped, whatever its worker does.
        """
        lane = self._lanes[question.spec not in KNOWN]
        async with lane.free:
            return await self._answer(question, lane, patience)

    async def _answer(self, question: Question, lane: Lane, patience: float) -> Any:
        run = asyncio.get_running_loop().run_in_executor
        deaths = 0
        while deaths < 2:
            workers = lane.workers()
            try:
                if not lane.is_warm:  # after an installation it compiles, which is not the question's fault
                    await asyncio.wait_for(run(workers, work, _first_question()), PATIENCE)
                    lane.is_warm = True
                return await asyncio.wait_for(run(workers, work, question), patience)
            except asyncio.CancelledError:  # nobody waits for it any more
                lane.stop(workers)
                raise
            except TimeoutError:
                lane.stop(workers)
                raise ValueError(f"{question.spec} took longer than {patience} s; give it a smaller budget") from None
            except BrokenProcessPool:  # stopped because of another question, or killed: ask again
                deaths += workers is lane.pool
                lane.stop(workers)
        raise ValueError("the worker process died twice, perhaps for lack of memory")

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
        for lane in self._lanes:
            lane.stop(lane.pool)


def _worker() -> Any:
    return answer


def _first_question() -> Question:
    """What new workers are asked first, so that the search is compiled."""
    match = Match("black_lady", seed=1)
    return Question.about(match.view(match.seat or 0), "explain", SEARCH)
