"""Tables played in lockstep, one batch of decisions per agent and step, and what is measured of their deals.

Measures are whole numbers, so that their sums are exact in any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_agents.arena.failure import AgentFailed, record_of
from hearts_agents.base import Agent, AgentRefused
from hearts_agents.mixture import MixtureAgent
from hearts_env.checks import MOST, array_of, whole, whole_array
from hearts_env.compiled.game import Game
from hearts_env.errors import IllegalActionError
from hearts_env.kernel.records import STATE, Phase
from hearts_env.ruleset.enums import Better
from hearts_env.seat.illegal import first_mistake
from hearts_env.seat.public import PHASES
from hearts_env.seat.view import Views, check_records, view_of

SHARES = 27720
"""The weight of a won match: divisible by 1 to 12, so that shares of a win are whole numbers."""
MEASURES = ("deals", "points", "margin", "shot", "conceded", "attempted", "queens", "won")
"""Names of the rows of an array of measures. ``won`` counts matches, the others deals; `units_of` gives their units."""
MAGNITUDE_UNIT = 1 << 20
MOST_DEALS = 1000
"""A match that is not over after this many deals is scored as it stands."""
_WON = MEASURES.index("won")


# --- measures --------------------------------------------------------------------------------------------------------


def costs_of(game: Game, points: NDArray[Any]) -> NDArray[np.int64]:
    """The costs of points: lower is better in every game.

    Where the highest total wins, the sign is reversed. Gaussian integers count by what ranks them: their magnitude or
    their real part.

    Args:
        game: the compiled rules.
        points: (..., 2) real and imaginary parts.

    Returns:
        (...) costs in the unit that `units_of` gives for ``points``.
    """
    re, im = points[..., 0].astype(np.int64), points[..., 1].astype(np.int64)
    if game.rules.score.better is Better.MAGNITUDE:
        magnitudes: NDArray[np.int64] = np.rint(np.hypot(re, im) * MAGNITUDE_UNIT).astype(np.int64)
        return magnitudes
    costs: NDArray[np.int64] = game.cost_sign * re
    return costs


def units_of(game: Game) -> dict[str, int]:
    """Measure -> the factor that makes its sums whole numbers; measures that are not named have the factor 1."""
    size, unit = int(game.tables["team_size"]), MAGNITUDE_UNIT if game.rules.score.better is Better.MAGNITUDE else 1
    return {"points": unit, "margin": unit * size * (game.seats - size), "won": SHARES}


def measure_deals(game: Game, ends: NDArray[Any]) -> NDArray[np.int64]:
    """Measure finished deals.

    Args:
        game: the compiled rules.
        ends: (n,) `STATE` records, each at the end of a deal.

    Returns:
        (measures, n, seats), in the order of `MEASURES`; ``won`` is 0.
    """
    from hearts_env.kernel.outcomes import find_attempts

    ends = check_records(game, "ends", ends)
    n, seats = len(ends), game.seats
    found = np.zeros((len(MEASURES), n, seats), np.int64)
    measured = dict(zip(MEASURES, found, strict=True))
    team = np.array(game.teams)
    mates = team[:, None] == team
    shooter = ends["shooter"].astype(np.int64)
    measured["deals"][:] = 1
    measured["points"][:] = costs_of(game, ends["scored"][:, :seats])
    measured["margin"][:] = margins_of(game, measured["points"])
    measured["shot"][:] = (shooter >= 0)[:, None] & mates[shooter]
    measured["conceded"][:] = (shooter >= 0)[:, None] & ~mates[shooter]
    find_attempts(ends, game.table, np.zeros(1, STATE), measured["attempted"])
    measured["attempted"][:] = measured["attempted"] @ mates > 0
    if "QS" in game.deck.kinds:
        queens = ends["taken"][:, :seats] & np.uint64(game.mask(["QS"]))
        measured["queens"][:] = np.bitwise_count(queens).sum(axis=2)
    return found


def margins_of(game: Game, costs: NDArray[np.int64]) -> NDArray[np.int64]:
    """The mean cost of a seat's team minus the mean cost of its opponents; lower is better in every game.

    Args:
        game: the compiled rules.
        costs: (..., seats) costs of points, as `costs_of` gives them.

    Returns:
        (..., seats) margins in the unit that `units_of` gives for ``margin``.
    """
    team, size = np.array(game.teams), int(game.tables["team_size"])
    own = costs @ (team[:, None] == team).astype(np.int64)
    rest = costs.sum(axis=-1, keepdims=True) - own
    margins: NDArray[np.int64] = (game.seats - size) * own - size * rest
    return margins


def share_matches(game: Game, ends: NDArray[Any]) -> NDArray[np.int64]:
    """Each seat's share of a finished match won, (n, seats), in the unit that `units_of` gives for ``won``."""
    from hearts_agents.arena.kernel import share_wins

    ends = check_records(game, "ends", ends)
    shares = np.zeros((len(ends), game.seats), np.int64)
    share_wins(ends, game.tables, SHARES, shares)
    return shares


# --- deals -----------------------------------------------------------------------------------------------------------


def deal_numbers(game: Game, seeds: NDArray[np.uint64], numbers: NDArray[np.int64]) -> NDArray[Any]:
    """(n,) `STATE` records, one per seed: deal `numbers[i]` of a match with all totals at 0."""
    from hearts_agents.arena.kernel import deal_all

    seeds = array_of("seeds", seeds, np.uint64, (None,))
    numbers = whole_array("numbers", numbers, seeds.shape, 0, MOST)
    states = np.zeros(len(seeds), STATE)
    deal_all(states, game.tables, seeds, numbers)
    return states


def start_matches(game: Game, seeds: NDArray[np.uint64]) -> NDArray[Any]:
    """(n,) `STATE` records: the first deal of the match that each seed fixes. Play stops at the end of the deal."""
    from hearts_env.kernel.batch import start_all

    seeds = array_of("seeds", seeds, np.uint64, (None,))
    states = np.zeros(len(seeds), STATE)
    start_all(states, game.tables, seeds, 0, 1)
    return states


# --- play ------------------------------------------------------------------------------------------------------------


@dataclass
class TimedAgent:
    """An agent, its thinking time in seconds, and the number of its decisions."""

    agent: Agent
    seconds: float = 0.0
    decisions: int = 0


class TableBatch:
    """Tables that are played together.

    Attributes:
        sums: (measures, tables, seats) what has been measured so far, in the order of `MEASURES`.
    """

    def __init__(
        self,
        game: Game,
        players: Sequence[TimedAgent],
        states: NDArray[Any],
        lineups: NDArray[np.int64],
        units: NDArray[np.int64],
        whole_matches: bool = False,
    ) -> None:
        """Set up the tables.

        Args:
            game: the compiled rules.
            players: the agents; their times and decisions are added up.
            states: (n,) `STATE` records at the start of a deal, played in place.
            lineups: (n, seats) index of the player in each seat.
            units: (n,) number of the deal or the match at each table, for messages.
            whole_matches: whether to deal again until the match is over.

        Raises:
            ValueError: an array of another type or shape, or with a number out of range.
        """
        self.game, self.players, self.whole_matches = game, players, whole_matches
        self.states = check_records(game, "states", states)
        self.lineups = whole_array("lineups", lineups, (len(states), game.seats), 0, len(players) - 1)
        self.units = whole_array("units", units, (len(states),), 0)
        self.sums = np.zeros((len(MEASURES), len(states), game.seats), np.int64)
        self._starts = self.states.copy()
        self._views = np.zeros(len(states), STATE)
        self._part = slice(0, len(states))  # the tables that are being played, and their actions so far
        self._log: list[NDArray[np.int16]] = []
        self._logs: list[tuple[int, list[NDArray[np.int16]]]] = []  # of every part: its first table, and the actions
        self._parts: dict[int, NDArray[np.int64]] = {}  # of mixtures: who plays each table
        for index, player in enumerate(players):
            if isinstance(player.agent, MixtureAgent):
                self._parts[index] = player.agent.draw(self.states, index)

    def play(self) -> NDArray[np.int64]:
        """Play every table to its end and return `sums`: those with a stateful agent one after another, then the others
        together.

        Raises:
            AgentFailed: an agent raised, answered in the wrong form or chose an illegal action.
            AgentRefused: an agent does not play this game.
        """
        stateful = np.array([player.agent.stateful for player in self.players])
        for row in np.flatnonzero(stateful[self.lineups].any(axis=1)):
            self._play(slice(row, row + 1))
        self._play(slice(0, len(self.states)))
        return self.sums

    def _play(self, part: slice) -> None:
        self._part, self._log = part, []
        self._logs.append((part.start, self._log))
        while (live := part.start + np.flatnonzero(self.states["phase"][part] != Phase.OVER)).size:
            self._step(live)
            self._end_deals(live[self.states["phase"][live] == Phase.OVER])

    def actions(self) -> dict[int, NDArray[np.int16]]:
        """The actions taken at each table that has been played."""
        parts = ((start, np.stack(log, axis=1)) for start, log in self._logs if log)
        return {row: own[own >= 0] for start, taken in parts for row, own in enumerate(taken, start) if own[0] >= 0}

    def decide(self, index: int, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The checked actions of a player at the tables `rows`, at which it is to act."""
        from hearts_env.kernel.batch import take_views

        rows = whole_array("rows", rows, (min(len(rows), len(self.states)),), 0, len(self.states) - 1)
        player, seen = self.players[whole("index", index, 0, len(self.players) - 1)], self._views[: len(rows)]
        take_views(self.states, self.game.table, rows, seen)
        views = Views(self.game, seen, check=False)
        start = perf_counter()
        try:
            answer = np.asarray(self._ask(index, rows, views))
        except AgentRefused:
            raise
        except Exception as error:  # agents may raise anything; the position is reported too
            raise self._raised(index, rows, error) from error
        player.seconds += perf_counter() - start
        player.decisions += len(rows)
        if answer.shape != (len(rows),) or answer.dtype.kind not in "iu":
            wanted = f"integers of shape {(len(rows),)} are needed"
            what = f"it answered {len(rows)} views with {answer.dtype} of shape {answer.shape}; {wanted}"
            raise self._failed(player.agent, rows[0], what)
        chosen = np.ascontiguousarray(answer, np.int64)
        if mistake := first_mistake(self.game, self.states, rows, chosen):
            raise self._failed(player.agent, rows[mistake[0]], mistake[1])
        return chosen

    def _ask(self, index: int, rows: NDArray[np.int64], views: Views) -> NDArray[np.int64]:
        agent = self.players[index].agent
        if isinstance(agent, MixtureAgent):
            return agent.act_as(self._parts[index][rows], views)
        return agent.act_batch(views)

    def take(self, actions: NDArray[np.int64]) -> None:
        """Take one action at every table that is not over; (n,), ignored at the others.

        Raises:
            IllegalActionError: an illegal action; the message names the table, card and rule, and nothing changes.
            ValueError: an array of another type or shape.
        """
        actions = whole_array("actions", actions, (len(self.states),))
        if mistake := first_mistake(self.game, self.states, np.arange(len(actions)), actions):
            raise IllegalActionError("table {}: {}".format(*mistake))
        self._take(actions)

    def _take(self, actions: NDArray[np.int64]) -> None:
        from hearts_env.kernel.batch import step_all

        step_all(self.states[self._part], self.game.table, actions[self._part])
        self._log.append(actions[self._part].astype(np.int16))

    def _step(self, live: NDArray[np.int64]) -> None:
        actions = np.full(len(self.states), -1)  # ignored where the table is over
        to_act = self.lineups[live, self.states["seat"][live]]
        for index in np.unique(to_act):
            rows = live[to_act == index]
            actions[rows] = self.decide(index, rows)
        self._take(actions)

    def _end_deals(self, ended: NDArray[np.int64]) -> None:
        if not ended.size:
            return
        from hearts_agents.arena.kernel import next_all

        ends = self.states[ended]
        self.sums[:, ended] += measure_deals(self.game, ends)
        self._show_ends(ended)
        if self.whole_matches:
            goes_on = (ends["finished"] == 0) & (ends["deal_number"] + 1 < MOST_DEALS)
            self.sums[_WON, ended[~goes_on]] += share_matches(self.game, ends[~goes_on])
            next_all(self.states, self.game.tables, ended[goes_on])

    def _show_ends(self, ended: NDArray[np.int64]) -> None:
        """Call `on_deal_end` of stateful agents, for every seat they held."""
        for row, seat in product(ended, range(self.game.seats)):
            index = self.lineups[row, seat]
            agent = self.players[index].agent
            if isinstance(agent, MixtureAgent):
                agent = agent.parts[self._parts[index][row]]
            if agent.stateful:
                try:
                    agent.on_deal_end(view_of(self.game, self.states[row : row + 1], seat))
                except Exception as error:  # as in `decide`
                    raise self._failed(agent, row, f"it raised {type(error).__name__}: {error}", seat) from error

    def _raised(self, index: int, rows: NDArray[np.int64], error: Exception) -> AgentFailed:
        """The failure of a player that raised. A batch is repeated view by view to find the table where it raises."""
        from hearts_env.kernel.batch import take_views

        agent = self.players[index].agent
        for row in rows if len(rows) > 1 else ():
            seen = np.zeros(1, STATE)
            take_views(self.states, self.game.table, np.array([row]), seen)
            try:
                self._ask(index, np.array([row]), Views(self.game, seen, check=False))
            except Exception as again:  # as in `decide`
                return self._failed(agent, row, f"it raised {type(again).__name__}: {again}")
        return self._failed(agent, rows[0], f"it raised {type(error).__name__}: {error}")

    def _failed(self, agent: Agent, row: int, what: str, seat: int | None = None) -> AgentFailed:
        now, actions = self.states[row], [int(actions[row - self._part.start]) for actions in self._log]
        cards = int(now["phase"]) in (Phase.PLAY, Phase.SUIT)
        when = f"trick {int(now['trick_number']) + 1}" if cards else f"phase {PHASES[int(now['phase'])]}"
        of_match = f"match {self.units[row]}, deal {int(now['deal_number'])} of it"
        where = of_match if self.whole_matches else f"deal {self.units[row]}"
        seat = int(now["seat"]) if seat is None else seat
        message = f"agent {agent.name}, {where}, seat {seat}, {when}: {' '.join(what.split())}"
        return AgentFailed(message, record_of(self.game, self._starts[row], actions, self.whole_matches))
