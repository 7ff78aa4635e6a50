"""The games of an arena that are kept: its deals, or matches, as a file of games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from heapq import heappush, heappushpop
from pathlib import Path
from sys import maxsize
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_agents.arena.play import Chunk, Games, Job, Player
from hearts_agents.arena.seatings import Seating
from hearts_agents.arena.tables import MEASURES, costs_of, margins_of, units_of
from hearts_agents.files import check_writable
from hearts_env.compiled.game import Game
from hearts_env.kernel.records import Phase
from hearts_env.seat.public import PHASES
from hearts_env.seat.view import View
from hearts_env.table.games import deals_of, settable, write_deals
from hearts_env.table.log import DealLog

FILE = "games.jsonl"
"""The file of games in a folder of records."""
MOST = 1000
"""The most deals or matches of a selection."""


class KeptGames:
    """Chooses deals, or matches, of arenas while they are played, and writes them as a file of games: a line for each
    line-up and deal. Beside the cards it has the names of the agents per seat in ``players``, the ``seed`` of the deal,
    the ``shooter`` of a moon, a ``seat`` whose agent's margin counts in the line-up (the first agent of the arena, if
    its does), and that ``margin`` in this deal: the mean over the seats of the agent that count.

    >>> import hearts_env as he, tempfile
    >>> from hearts_agents.arena import run_arena
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     kept = KeptGames(folder, "worst:2")
    ...     result = run_arena(["rule", "random"], deals=8, kept=kept)
    ...     kept.write()
    ...     matches = list(he.read_games(f"{folder}/games.jsonl"))
    >>> len(matches), matches[0].players
    (16, ('rule', 'random', 'random', 'random'))
    """

    def __init__(self, folder: str | Path, keep: str | None = None) -> None:
        """Make the folder, and choose nothing yet.

        Args:
            folder: the folder of ``games.jsonl``.
            keep: ``all``; ``worst:N``, the deals with the largest margins of the first agent; ``disagreement:N``, those
                in which a seat's points differ most between line-ups; ``moons``, the first in which anybody shot the
                moon; by default the first deals. Except for ``all`` they are at most `MOST`.

        Raises:
            ValueError: another `keep`, or a file that cannot be written.
            OSError: the folder cannot be made.
        """
        self._kind, _, count = (keep or "first").partition(":")
        self._most = maxsize if keep == "all" else int(count) if count.isdecimal() else MOST
        if keep not in (None, "all", "moons") and (
            self._kind not in ("worst", "disagreement") or not count.isdecimal() or not 1 <= self._most <= MOST
        ):
            raise ValueError(f"keep={keep} is none of all, moons, worst:N and disagreement:N, with N from 1 to {MOST}")
        Path(folder).mkdir(parents=True, exist_ok=True)
        self._file = Path(folder, FILE)
        check_writable(self._file)
        self._players: list[Player] = []
        self._heap: list[tuple[float, int, int, Games]] = []

    def begin(self, player: Player, finished: Sequence[Chunk]) -> list[int]:
        """Begin another arena. Returns the chunks, of those that an earlier command finished, to be played again.

        Raises ValueError for rules whose deals cannot be set.
        """
        settable(player.job.rules)
        self._players.append(player)
        if self._kind == "disagreement":
            return [chunk.first for chunk in finished]
        ranked = ((*rank, chunk.first) for chunk in finished for rank in self._ranked(player.job, chunk))
        return sorted({first for *_, first in sorted(ranked, reverse=True)[: self._most]})

    def take(self, chunk: Chunk) -> Chunk:
        """Keep of a chunk of the arena begun what is chosen so far. Returns the chunk without its games."""
        arena = len(self._players) - 1
        for rank, unit in self._ranked(self._players[arena].job, chunk):
            entry = rank, unit, -arena, chunk.games[-unit - chunk.first]
            if len(self._heap) < self._most:
                heappush(self._heap, entry)
            else:
                heappushpop(self._heap, entry)
        return replace(chunk, games=())

    def _ranked(self, job: Job, chunk: Chunk) -> list[tuple[float, int]]:
        """The units that may be kept: the rank of each, the highest first kept, and its negated number."""
        units, sums = -np.arange(chunk.first, chunk.first + chunk.units), dict(zip(MEASURES, chunk.sums, strict=True))
        ranks: NDArray[Any] = units
        if self._kind == "worst":
            own = [agent == 0 for agent, _ in job.keys]
            ranks = sums["margin"][own].sum(axis=0) / sums["deals"][own].sum(axis=0)
        elif self._kind == "disagreement":
            ranks = np.array([np.ptp(games.costs, axis=0).max() for games in chunk.games])
        there = (sums["shot"] + sums["conceded"]).any(axis=0) | (self._kind != "moons")
        return list(zip(ranks[there].tolist(), units[there].tolist(), strict=True))

    def write(self) -> None:
        """Write the file, whole or not at all. Raises OSError."""
        write_deals(self._file, self._lines())

    def _lines(self) -> Iterator[dict[str, Any]]:
        number = 0
        for _, unit, arena, games in sorted(self._heap, reverse=True):
            player = self._players[-arena]
            start = player.deal(-unit, 1)
            tables = _replay(player.game, np.repeat(start, len(games.actions)), games.actions)
            for seating, deals in zip(player.job.seatings, tables, strict=True):
                players = [player.agents[agent].name for agent in seating.lineup]
                logs = [log for log, _ in deals]
                for line, (log, shooter) in zip(deals_of(player.job.rules, logs, players, number), deals, strict=True):
                    moon = {"shooter": shooter} if shooter >= 0 else {}
                    yield line | {"seed": int(start["seed"][0])} | _margin(player.game, seating, log) | moon
                number += 1


def _replay(game: Game, states: NDArray[Any], actions: Sequence[NDArray[np.int16]]) -> list[list[tuple[DealLog, int]]]:
    """The deals of tables, each with the seat that shot the moon, -1 for nobody. Plays on in `states`."""
    from hearts_agents.arena.kernel import next_all
    from hearts_env.kernel.batch import step_all

    found: list[list[tuple[DealLog, int]]] = [[] for _ in actions]
    logs = [_begin(game, record) for record in states]
    steps = np.full((max(map(len, actions)), len(actions)), -1)
    for row, own in enumerate(actions):
        steps[: len(own), row] = own
    for step, taken in enumerate(steps, 1):
        seats, phases = states["seat"].tolist(), states["phase"].tolist()
        step_all(states, game.table, taken)
        for row in np.flatnonzero(taken >= 0).tolist():
            logs[row].actions.append((seats[row], game.actions[taken[row]]))
            logs[row].phases.append(PHASES[phases[row]])
        for row in np.flatnonzero((taken >= 0) & (states["phase"] == Phase.OVER)).tolist():
            log, end = logs[row], View(game, states[row], 0, check=False)
            log.points, log.totals_after, log.direction = game.numbers(end.record["scored"]), end.totals, end.direction
            found[row].append((log, int(end.record["shooter"])))
            if step < len(actions[row]):
                next_all(states, game.tables, np.array([row]))
                logs[row] = _begin(game, states[row])
    return found


def _begin(game: Game, record: Any) -> DealLog:
    view, seats = View(game, record, 0, check=False), range(game.seats)
    kitty = [game.deck.kinds[kind] for kind in record["kitty"][: game.tables["kitty_size"]]]
    hands = [game.names(record["hands"][seat]) for seat in seats]
    return DealLog(view.deal_number, view.dealer, None, view.totals, hands, True, kitty)


def _margin(game: Game, seating: Seating, log: DealLog) -> dict[str, Any]:
    first = min(seating.lineup[seat] for seat in seating.counted)
    seats = [seat for seat in seating.counted if seating.lineup[seat] == first]
    points = np.array([[value.real, value.imag] for value in log.points or ()])
    margin = margins_of(game, costs_of(game, points))[seats].mean() / units_of(game)["margin"]
    return {"seat": seats[0], "margin": round(float(margin), 4)}
