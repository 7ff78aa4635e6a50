"""Playing many tables in lockstep, each decision of a kind of agent in one batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_agents.arena.failure import AgentFailed, Position
from hearts_agents.arena.measures import MEASURES, measure_deals, share_matches
from hearts_agents.base import Agent
from hearts_env.compiled.game import Game
from hearts_env.kernel.records import STATE, Phase
from hearts_env.play.illegal import why_illegal
from hearts_env.play.view import Views, view_of

MOST_DEALS = 1000
"""A match that is not over after so many deals counts as it stands."""
_WON = MEASURES.index("won")


@dataclass
class Clock:
    """Thinking time of one agent."""

    seconds: float = 0.0
    decisions: int = 0


def deal_tables(game: Game, seeds: NDArray[np.uint64], first: int) -> NDArray[Any]:
    """One `STATE` record per seed: deal number `first` + i of the arena.

    Deals follow the pass cycle as those of a match do, with totals of 0.
    """
    return deal_numbers(game, seeds, (first + np.arange(len(seeds))) % pass_cycle(game))


def deal_numbers(game: Game, seeds: NDArray[np.uint64], numbers: NDArray[np.int64]) -> NDArray[Any]:
    """One `STATE` record per seed: deal `numbers[i]` of a match, with totals of 0."""
    from hearts_agents.arena.kernel import deal_all

    states = np.zeros(len(seeds), STATE)
    deal_all(states, game.tables, seeds, numbers)
    return states


def pass_cycle(game: Game) -> int:
    """After how many deals of the arena the way of passing comes round again."""
    entries, most = int(game.tables["entries"]), int(game.tables["max_deals"])
    return min(entries, most or entries)


def start_matches(game: Game, seeds: NDArray[np.uint64]) -> NDArray[Any]:
    """One `STATE` record per seed: the first deal of the match it fixes, at whose end the record stops."""
    from hearts_env.kernel.batch import start_all

    states = np.zeros(len(seeds), STATE)
    start_all(states, game.tables, seeds, 1)
    return states


class Hall:
    """Tables that are played together.

    Attributes:
        sums: (measures, tables, seats) what has been measured so far, in the order of `MEASURES`.
    """

    def __init__(
        self,
        game: Game,
        agents: Sequence[Agent],
        clocks: Sequence[Clock],
        states: NDArray[Any],
        lineups: NDArray[np.int64],
        units: NDArray[np.int64],
        whole_matches: bool,
    ) -> None:
        """Sit down.

        Args:
            game: the compiled rules.
            agents: the agents.
            clocks: one per agent; time and decisions are added.
            states: (n,) `STATE` records at the start of a deal, played in place.
            lineups: (n, seats) index of the agent in each seat.
            units: (n,) number of the deal or the match at each table, for messages.
            whole_matches: whether to deal again until the match is over.
        """
        self.game, self.agents, self.clocks = game, agents, clocks
        self.states, self.lineups, self.units, self.whole_matches = states, lineups, units, whole_matches
        self.sums = np.zeros((len(MEASURES), len(states), game.seats), np.int64)
        self._starts = states.copy()
        self._views = np.zeros(len(states), STATE)
        self._log: list[NDArray[np.int16]] = []

    def play(self) -> NDArray[np.int64]:
        """Play every table to its end and return `sums`.

        Raises:
            AgentFailed: an agent raised, answered in the wrong form or chose an illegal action.
        """
        while (live := np.flatnonzero(self.states["phase"] != Phase.OVER)).size:
            self._decide(live)
            self._end_deals(live[self.states["phase"][live] == Phase.OVER])
        return self.sums

    def _decide(self, live: NDArray[np.int64]) -> None:
        from hearts_env.kernel.batch import step_all

        actions = np.zeros(len(self.states), np.int64)
        to_act = self.lineups[live, self.states["seat"][live]]
        for index in np.unique(to_act):
            rows = live[to_act == index]
            actions[rows] = self.ask(index, rows)
        step_all(self.states, self.game.tables, actions)
        self._log.append(actions.astype(np.int16))

    def _end_deals(self, ended: NDArray[np.int64]) -> None:
        if not ended.size:
            return
        from hearts_agents.arena.kernel import next_all

        ends = self.states[ended]
        self.sums[:, ended] += measure_deals(self.game, ends)
        self._tell(ended)
        if self.whole_matches:
            goes_on = (ends["finished"] == 0) & (ends["deal_number"] + 1 < MOST_DEALS)
            self.sums[_WON, ended[~goes_on]] += share_matches(self.game, ends[~goes_on])
            next_all(self.states, self.game.tables, ended[goes_on])

    def _tell(self, ended: NDArray[np.int64]) -> None:
        """Show the end of a deal to the agents that follow it."""
        for row in ended:
            for seat in range(self.game.seats):
                agent = self.agents[self.lineups[row, seat]]
                if agent.stateful:
                    self._tell_one(agent, row, seat)

    def _tell_one(self, agent: Agent, row: int, seat: int) -> None:
        try:
            agent.on_deal_end(view_of(self.game, self.states[row : row + 1], seat))
        except Exception as error:  # as in `ask`
            raise self._failed(agent, row, f"it raised {type(error).__name__}: {error}", seat) from error

    def ask(self, index: int, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """What an agent chooses at tables where it is to act, checked."""
        from hearts_agents.arena.kernel import first_illegal_row
        from hearts_env.kernel.batch import take_views

        agent, clock, seen = self.agents[index], self.clocks[index], self._views[: len(rows)]
        take_views(self.states, self.game.tables, rows, seen)
        views = Views(self.game, seen)
        start = perf_counter()
        try:
            answer = np.asarray(agent.act_batch(views))
        except Exception as error:  # whatever an agent raises is told with the position
            raise self._raised(agent, rows, error) from error
        clock.seconds += perf_counter() - start
        clock.decisions += len(rows)
        if answer.shape != (len(rows),) or answer.dtype.kind not in "iu":
            wanted = f"integers of shape {(len(rows),)} are needed"
            what = f"it answered {len(rows)} views with {answer.dtype} of shape {answer.shape}; {wanted}"
            raise self._failed(agent, rows[0], what)
        chosen = np.ascontiguousarray(answer, np.int64)
        bad = int(first_illegal_row(self.states, self.game.tables, rows, chosen))
        if bad >= 0:
            reason = why_illegal(self.game, self.states[rows[bad]], int(chosen[bad]))
            raise self._failed(agent, rows[bad], reason)
        return chosen

    def _raised(self, agent: Agent, rows: NDArray[np.int64], error: Exception) -> AgentFailed:
        """The failure of an agent that raised: it is asked again, view by view, for which one."""
        from hearts_env.kernel.batch import take_views

        for row in rows if len(rows) > 1 else ():
            seen = np.zeros(1, STATE)
            take_views(self.states, self.game.tables, np.array([row]), seen)
            try:
                agent.act_batch(Views(self.game, seen))
            except Exception as again:  # the same
                return self._failed(agent, row, f"it raised {type(again).__name__}: {again}")
        return self._failed(agent, rows[0], f"it raised {type(error).__name__}: {error}")

    def _failed(self, agent: Agent, row: int, what: str, seat: int | None = None) -> AgentFailed:
        unit = f"{'match' if self.whole_matches else 'deal'} {self.units[row]}"
        actions = [int(actions[row]) for actions in self._log]
        position = Position(self.game, self._starts[row], actions, self.states[row], unit, self.whole_matches)
        return position.failed(agent.name, int(self.states["seat"][row]) if seat is None else seat, what)
