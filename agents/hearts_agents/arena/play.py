"""What an arena is to play, in chunks that do not depend on who plays them, and what a chunk gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_agents.arena.measures import MEASURES
from hearts_agents.arena.seatings import Seating
from hearts_agents.arena.tables import Clock, Hall, deal_tables, start_matches
from hearts_agents.base import Agent
from hearts_agents.registry import make_agent
from hearts_env.compiled.game import compile_game
from hearts_env.ruleset.model import Rules

RATED_TABLES = 1000
_POINTS = MEASURES.index("points")

Key = tuple[int, int | None]


@dataclass(frozen=True)
class Job:
    """What is to be played; it can be sent to another process.

    Attributes:
        rules: the rules.
        agents: spec strings or agents.
        seatings: the line-ups of every deal or match.
        seed: fixes deals and random choices.
        units: how many deals, or matches.
        whole_matches: whether the units are matches.
        chunk: units played together.
    """

    rules: Rules
    agents: tuple[str | Agent, ...]
    seatings: tuple[Seating, ...]
    seed: int
    units: int
    whole_matches: bool
    chunk: int

    @property
    def keys(self) -> tuple[Key, ...]:
        """The (agent, rival) for which there are sums; the rival of a table of many is None."""
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
        return range(0, self.units, self.chunk)

    @property
    def rated(self) -> int:
        """How many units, from the first on, count for the ratings."""
        return max(1, RATED_TABLES // len(self.seatings))


@dataclass(frozen=True)
class Part:
    """What a chunk gave.

    Attributes:
        first: its first unit.
        sums: (measures, keys, units) in the order of `MEASURES`.
        costs: (units that are rated, line-ups, seats) costs of every seat.
        seconds: thinking time of every agent.
        decisions: how many decisions every agent made.
        faults: decisions that were taken in the place of every agent, by the reason.
    """

    first: int
    sums: NDArray[np.int64]
    costs: NDArray[np.int64]
    seconds: tuple[float, ...]
    decisions: tuple[int, ...]
    faults: tuple[dict[str, int], ...]

    @property
    def units(self) -> int:
        """How many deals, or matches."""
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

    def play(self, first: int) -> Part:
        """Play the chunk that begins with a unit; random choices begin anew, so chunks may come in any order.

        Raises:
            AgentFailed: an agent raised, answered in the wrong form or chose an illegal action.
        """
        self.warm_up()
        for agent in self.agents:
            agent.reset(self.job.seed)
        seeds, places = self.seeds[first : first + self.job.chunk], len(self.job.seatings)
        states = np.repeat(self._deal(seeds, first), places)
        units = np.repeat(np.arange(first, first + len(seeds)), places)
        clocks = [Clock() for _ in self.agents]
        before = [Counter(agent.faults) for agent in self.agents]
        sums = self._play_tables(clocks, states, np.tile(self._lineups, (len(seeds), 1)), units)
        by_seat = sums.reshape(len(MEASURES), len(seeds), -1)
        rated = max(0, min(self.job.rated - first, len(seeds)))
        return Part(
            first,
            np.moveaxis(by_seat @ self._counted, 2, 1),
            by_seat[_POINTS, :rated].reshape(rated, places, self.game.seats),
            tuple(clock.seconds for clock in clocks),
            tuple(clock.decisions for clock in clocks),
            tuple(dict(Counter(agent.faults) - old) for agent, old in zip(self.agents, before, strict=True)),
        )

    def _deal(self, seeds: NDArray[np.uint64], first: int) -> NDArray[Any]:
        if self.job.whole_matches:
            return start_matches(self.game, seeds)
        return deal_tables(self.game, seeds, first)

    def _play_tables(
        self, clocks: Sequence[Clock], states: NDArray[Any], lineups: NDArray[np.int64], units: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Play tables together, but those of agents that follow one table at a time one after another."""
        alone = np.array([agent.stateful for agent in self.agents])[lineups].any(axis=1)
        sums = np.zeros((len(MEASURES), len(states), self.game.seats), np.int64)
        for rows in (np.flatnonzero(~alone), *np.flatnonzero(alone)[:, None]):
            if rows.size:
                hall = self._hall(clocks, states[rows], lineups[rows], units[rows])
                sums[:, rows] = hall.play()
        return sums

    def _hall(
        self, clocks: Sequence[Clock], states: NDArray[Any], lineups: NDArray[np.int64], units: NDArray[np.int64]
    ) -> Hall:
        return Hall(self.game, self.agents, clocks, states, lineups, units, self.job.whole_matches)

    def warm_up(self) -> None:
        """Let every agent decide once, the first time this is called, so that no clock counts the time that compiling
        takes; but not those that follow a table.
        """
        if self._warm:
            return
        self._warm = True
        clocks, row = [Clock() for _ in self.agents], np.zeros(1, np.int64)
        for index, agent in enumerate(self.agents):
            if not agent.stateful:
                self._hall(clocks, self._deal(self.seeds[:1], 0), self._lineups[:1], row).ask(index, row)
