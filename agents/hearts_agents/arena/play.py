"""The work of an arena: a job, split into chunks whose results are the same in one process or several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hearts_agents.arena.seatings import Seating
from hearts_agents.arena.tables import MEASURES, TableBatch, TimedAgent, deal_numbers, start_matches
from hearts_agents.base import Agent
from hearts_agents.mixture import MixtureAgent
from hearts_agents.registry import make_agent
from hearts_agents.workers import Workers, check_sendable, check_workers, spread
from hearts_env.compiled.game import compile_game
from hearts_env.ruleset.model import Rules
from hearts_env.table.seeds import agent_seed

RATED_TABLES = 1000
"""The most tables that count for the ratings."""
_POINTS = MEASURES.index("points")

Key = tuple[int, int | None]
"""An agent and the rival it is measured against; None if the table seats more than two agents."""


@dataclass(frozen=True)
class Job:
    """The deals or matches to be played; a job can be sent to another process.

    Attributes:
        rules: the rules.
        agents: spec strings or agents.
        seatings: the line-ups of every deal or match.
        seed: fixes deals and random choices.
        units: the number of deals, or of matches.
        whole_matches: true if the units are matches.
        chunk_size: units played together.
        starts: (units,) `STATE` records of deals that are given; None for deals of the seed.
        recorded: whether chunks have `games`.
    """

    rules: Rules
    agents: tuple[str | Agent, ...]
    seatings: tuple[Seating, ...]
    seed: int
    units: int
    whole_matches: bool
    chunk_size: int
    starts: NDArray[Any] | None = field(default=None, compare=False)
    recorded: bool = False

    @property
    def keys(self) -> tuple[Key, ...]:
        """The keys for which sums are kept."""
        pairs = (
            (s.lineup[seat], rival) for s in self.seatings for seat, rival in zip(s.counted, s.rivals, strict=True)
        )
        return tuple(dict.fromkeys(pairs))

    def counted(self) -> NDArray[np.int64]:
        """(line-ups * seats, keys): 1 where the result of a seat counts for a key."""
        keys, seats = self.keys, self.rules.players
        found = np.zeros((len(self.seatings), seats, len(keys)), np.int64)
        for place, seating in enumerate(self.seatings):
            for seat, rival in zip(seating.counted, seating.rivals, strict=True):
                found[place, seat, keys.index((seating.lineup[seat], rival))] = 1
        return found.reshape(-1, len(keys))

    def firsts(self) -> range:
        """The first unit of every chunk."""
        return range(0, self.units, self.chunk_size)

    @property
    def rated(self) -> int:
        """The number of units, from the first on, that count for the ratings."""
        return max(1, RATED_TABLES // len(self.seatings))


class Games(NamedTuple):
    """The play of a unit: its actions in every line-up, and the (line-ups, seats) cost of every seat."""

    actions: tuple[NDArray[np.int16], ...]
    costs: NDArray[np.int64]


@dataclass(frozen=True)
class Chunk:
    """The results of a chunk of units.

    Attributes:
        first: its first unit.
        sums: (measures, keys, units) in the order of `MEASURES`.
        costs: (rated units, line-ups, seats) cost of every seat.
        seconds: thinking time of every agent.
        decisions: number of decisions of every agent.
        faults: for every agent, reason -> number of its decisions that were substituted.
        called: for every agent, the name that it gives itself (`Agent.called`).
        usage: for every agent, what it spent (`Agent.usage`).
        games: the play of every unit, if the job is recorded.
    """

    first: int
    sums: NDArray[np.int64]
    costs: NDArray[np.int64]
    seconds: tuple[float, ...]
    decisions: tuple[int, ...]
    faults: tuple[dict[str, int], ...]
    called: tuple[str, ...]
    usage: tuple[dict[str, int], ...]
    games: tuple[Games, ...] = ()

    @property
    def units(self) -> int:
        """The number of deals, or of matches."""
        return int(self.sums.shape[2])


@dataclass
class Player:
    """Plays chunks of a job in this process.

    Attributes:
        job: what is played.
        agents: the agents; by default those that the job names.
    """

    job: Job
    agents: Sequence[Agent] = ()

    def __post_init__(self) -> None:
        job = self.job
        self.game = compile_game(job.rules)
        self.agents = self.agents or [make_agent(agent) for agent in job.agents]
        self.seeds = np.random.SeedSequence(job.seed).generate_state(job.units, np.uint64).astype(np.uint64, copy=False)
        self._lineups = np.array([seating.lineup for seating in job.seatings], np.int64)
        self._counted = job.counted()
        self._warm = False

    def play(self, first: int) -> Chunk:
        """Play the chunk that begins with the unit `first`. All agents are reset, so chunks may come in any order.

        A stateful agent gets another seed in every chunk, because it may draw from a stream; others get the same seed,
        so that their play does not depend on the size of the chunks.

        Raises:
            AgentFailed: an agent raised, answered in the wrong form or chose an illegal action.
        """
        self.warm_up()
        for agent in self.agents:
            agent.reset(agent_seed(self.job.seed, first if agent.stateful else 0))
        places = len(self.job.seatings)
        seeds = self.seeds[first : first + self.job.chunk_size]
        states = np.repeat(self.deal(first, len(seeds)), places)
        units = np.repeat(np.arange(first, first + len(seeds)), places)
        players = [TimedAgent(agent) for agent in self.agents]
        before = [(Counter(agent.faults), Counter(agent.usage)) for agent in self.agents]
        batch = self._batch(players, states, np.tile(self._lineups, (len(seeds), 1)), units)
        by_seat = batch.play().reshape(len(MEASURES), len(seeds), -1)
        rated = max(0, min(self.job.rated - first, len(seeds)))
        return Chunk(
            first,
            np.moveaxis(by_seat @ self._counted, 2, 1),
            by_seat[_POINTS, :rated].reshape(rated, places, self.game.seats),
            tuple(player.seconds for player in players),
            tuple(player.decisions for player in players),
            tuple(dict(Counter(agent.faults) - old) for agent, (old, _) in zip(self.agents, before, strict=True)),
            tuple(agent.called for agent in self.agents),
            tuple(dict(Counter(agent.usage) - old) for agent, (_, old) in zip(self.agents, before, strict=True)),
            self._games(batch, by_seat[_POINTS]) if self.job.recorded else (),
        )

    def _games(self, batch: TableBatch, costs: NDArray[np.int64]) -> tuple[Games, ...]:
        places, actions = len(self.job.seatings), batch.actions()
        return tuple(
            Games(tuple(actions[unit * places + place] for place in range(places)), own)
            for unit, own in enumerate(costs.reshape(len(costs), places, self.game.seats))
        )

    def warm_up(self) -> None:
        """Let every agent that is not stateful decide once, so that compilation does not count as thinking time.

        Only the first call does anything.
        """
        if self._warm:
            return
        self._warm = True
        parts = [agent.parts if isinstance(agent, MixtureAgent) else [agent] for agent in self.agents]
        players, row = [TimedAgent(part) for some in parts for part in some], np.zeros(1, np.int64)
        for index, player in enumerate(players):
            if not player.agent.stateful:
                self._batch(players, self.deal(0, 1), self._lineups[:1], row).decide(index, row)

    def deal(self, first: int, count: int) -> NDArray[Any]:
        """The `STATE` records of some units, one after the other, at their starts."""
        if self.job.starts is not None:
            return self.job.starts[first : first + count]
        seeds = self.seeds[first : first + count]
        if self.job.whole_matches:
            return start_matches(self.game, seeds)
        return deal_numbers(self.game, seeds, np.arange(first, first + count) % self.game.pass_cycle)

    def _batch(
        self, players: Sequence[TimedAgent], states: NDArray[Any], lineups: NDArray[np.int64], units: NDArray[np.int64]
    ) -> TableBatch:
        return TableBatch(self.game, players, states, lineups, units, self.job.whole_matches)


def play_chunks(job: Job, player: Player, firsts: Iterable[int], workers: Workers) -> Generator[Chunk, None, None]:
    """Play chunks and yield each as it is finished. Their contents do not depend on who plays them.

    Args:
        job: what is played.
        player: plays in this process, where `workers` is 1.
        firsts: the first unit of every chunk.
        workers: who plays.

    Raises:
        AgentFailed: an agent raised, answered in the wrong form or chose an illegal action.
        ValueError, OSError: as in `hearts_agents.workers.spread`.
    """
    make = (lambda: player.play) if workers == 1 else partial(_chunk_player, job)
    return spread(make, firsts, workers, [agent for agent in job.agents if isinstance(agent, str)])


def _chunk_player(job: Job) -> Callable[[int], Chunk]:
    return Player(job).play


def check_job(job: Job, workers: Workers) -> None:
    """Raise ValueError for impossible workers, or an agent that cannot be sent to them."""
    check_workers(workers)
    for agent in job.agents if workers != 1 else ():
        check_sendable(agent.name if isinstance(agent, Agent) else agent, agent)
