"""`run_arena`: paired duplicate deals, in chunks, and their statistics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_agents.arena.results import MEASURES, ArenaResult, Clock, Tally, agent_result, pair_results, summarize
from hearts_agents.arena.seatings import Seating, make_seatings
from hearts_agents.arena.tables import deal_tables, play_tables
from hearts_agents.base import Agent
from hearts_agents.registry import make_agent
from hearts_env.choices import Better
from hearts_env.rules import Rules
from hearts_env.tables import Game, compile_game
from hearts_env.variants import rules as read_rules
from hearts_env.view import Views

TABLES_AT_ONCE = 4096
MAGNITUDE_UNIT = 1 << 20


class ArenaInterrupted(KeyboardInterrupt):
    """Ctrl-C during an arena.

    Attributes:
        partial: the result of the deals that were finished; None if there are none.
    """

    def __init__(self, partial: ArenaResult | None) -> None:
        super().__init__("the arena was interrupted")
        self.partial = partial


def run_arena(
    agents: Sequence[str | Agent],
    variant: str | Rules = "black_lady",
    deals: int = 1000,
    seed: int = 0,
    seatings: str = "one-vs-rest",
    *,
    progress: Callable[[float], None] | None = None,
    tables_at_once: int = TABLES_AT_ONCE,
) -> ArenaResult:
    """Compare agents on paired duplicate deals.

    Deal i is fixed by the seed, dealt as the deal of a match that stands at 0 (the pass cycle turns with i), and played
    once in every seating; partners are always played by one agent. An agent's result for a deal is the mean over the
    seats in which it counts. Points are costs, lower is better (see `costs_of`); means and standard errors are over
    deals.

    Args:
        agents: spec strings or agents.
        variant: rules or their text.
        deals: number of deals, 1 or more.
        seed: fixes deals and random choices; 0 or more.
        seatings: ``one-vs-rest``, ``two-vs-two`` or ``all``; see `hearts_agents.arena.seatings.make_seatings`.
        progress: called with the share that is done, from 0 to 1.
        tables_at_once: tables stepped together, about 3 kB of memory each. The result does not depend on it if the
            agents depend on their views alone.

    Raises:
        ValueError: a bad argument, or an agent that chose an illegal action.
        ArenaInterrupted: Ctrl-C; it carries the result so far.
    """
    if deals < 1:
        raise ValueError(f"deals={deals} must be at least 1")
    if seed < 0 or tables_at_once < 1:
        raise ValueError(f"seed={seed} must be 0 or more, and tables_at_once={tables_at_once} 1 or more")
    game = compile_game(read_rules(variant))
    players = [make_agent(agent) for agent in agents]
    arena = _Arena(game, players, make_seatings(seatings, len(players), game.teams), deals, seed)
    done = 0
    try:
        for done in arena.play(max(1, tables_at_once // len(arena.seatings))):
            if progress is not None:
                progress(done / deals)
    except KeyboardInterrupt:
        raise ArenaInterrupted(arena.result(seatings, done) if done else None) from None
    return arena.result(seatings, deals)


class _Arena:
    def __init__(
        self, game: Game, agents: Sequence[Agent], seatings: tuple[Seating, ...], deals: int, seed: int
    ) -> None:
        self.game, self.agents, self.seatings, self.deals, self.seed = game, agents, seatings, deals, seed
        self.lineups = np.array([seating.lineup for seating in seatings], np.int64)
        self.seeds = np.random.SeedSequence(seed).generate_state(deals, np.uint64).astype(np.uint64, copy=False)
        self.clocks = [Clock() for _ in agents]
        self.counts = list(_counts(seatings))
        keys = dict.fromkeys((agent, rival) for _, _, agent, rival in self.counts)
        self.tallies = {key: self._tally(key) for key in keys}
        self.queen = game.mask(["QS"]) if "QS" in game.deck.kinds else 0

    def _tally(self, key: tuple[int, int | None]) -> Tally:
        seats = sum((agent, rival) == key for _, _, agent, rival in self.counts)
        return Tally(*key, seats, {measure: np.zeros(self.deals, np.int64) for measure in MEASURES})

    def play(self, deals_at_once: int) -> Any:
        """Play all deals, yielding how many are done."""
        self._warm_up()
        for first in range(0, self.deals, deals_at_once):
            seeds = self.seeds[first : first + deals_at_once]
            states = np.repeat(deal_tables(self.game, seeds, first), len(self.seatings))
            lineups = np.tile(self.lineups, (len(seeds), 1))
            deals = np.repeat(np.arange(first, first + len(seeds)), len(self.seatings))
            play_tables(self.game, self.agents, states, lineups, self.clocks, deals)
            self._count(states.reshape(len(seeds), -1), slice(first, first + len(seeds)))
            yield first + len(seeds)

    def _warm_up(self) -> None:
        for agent in self.agents:
            agent.act_batch(Views(self.game, deal_tables(self.game, self.seeds[:1], 0)))
            agent.reset(self.seed)

    def _count(self, ends: NDArray[Any], part: slice) -> None:
        n = self.game.seats
        costs = costs_of(self.game, ends["points"][:, :, :n])
        teams = np.array(self.game.teams)
        size = int(self.game.tables["team_size"])
        queens = (ends["taken"][:, :, :n, 0] & np.uint64(self.queen)) != 0
        for place, seat, agent, rival in self.counts:
            found = self.tallies[agent, rival].sums
            mates = teams == teams[seat]
            shooter = ends["shooter"][:, place]
            by_mate = (shooter >= 0) & mates[shooter]
            found["points"][part] += costs[:, place, seat]
            found["margin"][part] += (n - size) * costs[:, place, mates].sum(axis=1)
            found["margin"][part] -= size * costs[:, place, ~mates].sum(axis=1)
            found["shot"][part] += by_mate
            found["conceded"][part] += (shooter >= 0) & ~by_mate
            found["queens"][part] += queens[:, place, seat]

    def result(self, kind: str, deals: int) -> ArenaResult:
        """The result of the first `deals` deals."""
        names = [agent.name for agent in self.agents]
        tallies, units = list(self.tallies.values()), units_of(self.game)
        results = tuple(
            agent_result(name, summarize(tallies, place, deals, units), self.clocks[place])
            for place, name in enumerate(names)
        )
        pairs = pair_results(tallies, names, deals, units)
        return ArenaResult(str(self.game.rules), deals, self.seed, kind, results, pairs)


def costs_of(game: Game, points: NDArray[Any]) -> NDArray[np.int64]:
    """What points (..., 2) cost: lower is better, whatever the game, in units of 1 / `units_of`.

    Points where the highest total wins count with the other sign, Gaussian integers by what ranks them: their magnitude
    or their real part.
    """
    re, im = points[..., 0].astype(np.int64), points[..., 1].astype(np.int64)
    if game.rules.score.better is Better.MAGNITUDE:
        magnitudes: NDArray[np.int64] = np.rint(np.hypot(re, im) * MAGNITUDE_UNIT).astype(np.int64)
        return magnitudes
    higher_wins = game.rules.score.better is Better.HIGH or game.rules.score.chips is not None
    costs: NDArray[np.int64] = -re if higher_wins else re
    return costs


def units_of(game: Game) -> dict[str, int]:
    """Measure -> by what its sums are multiplied so that they are exact whole numbers; 1 for those not named."""
    size, unit = int(game.tables["team_size"]), MAGNITUDE_UNIT if game.rules.score.better is Better.MAGNITUDE else 1
    return {"points": unit, "margin": unit * size * (game.seats - size)}


def _counts(seatings: tuple[Seating, ...]) -> Any:
    for place, seating in enumerate(seatings):
        for seat, rival in zip(seating.counted, seating.rivals, strict=True):
            yield place, seat, seating.lineup[seat], rival
