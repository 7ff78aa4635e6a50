"""The moon suite: fixed deals in which a moon can be shot, and how agents do in them on either side.

Deal i of a seed belongs to the suite if `shooter`, in seat 0 against three `rule`, shoots the moon in it. The criterion
depends on no network and no search, and anyone can check it in seconds. Each deal is played twice: with the agent in
seat 0 against three `rule`, where it may shoot, and with `shooter` in seat 0 against three copies of the agent, which
must stop it. The deals of Basic Hearts are kept in ``moon_suite.json``; a test draws them again.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_agents.arena.stats import mean_of
from hearts_agents.arena.tables import MEASURES, TableBatch, TimedAgent, deal_numbers
from hearts_agents.base import Agent
from hearts_agents.registry import make_agent
from hearts_agents.workers import Workers, spread
from hearts_env.compiled.game import Game, compile_game
from hearts_env.ruleset.model import Rules
from hearts_env.table.seeds import agent_seed

FILE = Path(__file__).with_name("moon_suite.json")
SEED, DEALS = 20261122, 200
MOST = 100_000
"""Deals among which a suite is drawn."""
SHOOTER, OTHER = "shooter", "rule"
_SHOT, _ATTEMPTED = MEASURES.index("shot"), MEASURES.index("attempted")
_BATCH = 256


@dataclass(frozen=True)
class MoonResult:
    """An agent's results on the suite; all numbers are shares of its deals.

    Attributes:
        agent: its spec.
        deals: deals of the suite.
        attempted: it tried to shoot the moon, as the arena counts attempts.
        shot: it shot the moon.
        conceded: `shooter` shot the moon against copies of it.
        attempted_se, shot_se, conceded_se: their standard errors; NaN for one deal.
    """

    agent: str
    deals: int
    attempted: float
    attempted_se: float
    shot: float
    shot_se: float
    conceded: float
    conceded_se: float


def deals_of(game: Game, places: NDArray[np.int64]) -> NDArray[Any]:
    """(n,) `STATE` records: deals `places` of the suite's seed, each as the arena deals it."""
    seeds = np.random.SeedSequence(SEED).generate_state(MOST, np.uint64).astype(np.uint64, copy=False)
    return deal_numbers(game, seeds[places], places % game.pass_cycle)


def draw_suite(rules: Rules, count: int, progress: Callable[[float], None] | None = None) -> list[int]:
    """The first `count` deals that meet the criterion; fewer where the game has fewer among `MOST`.

    Raises:
        ValueError: `shooter` shoots no moon in the first 10,000 deals or a few more.
    """
    game, found = compile_game(rules), list[int]()
    for first in range(0, MOST, _BATCH):
        places = np.arange(first, min(first + _BATCH, MOST))
        shot = play(game, make_agent(SHOOTER), make_agent(OTHER), places)[_SHOT, :, 0]
        found += places[shot > 0].tolist()
        if progress is not None:
            progress(min(len(found) / count, 1.0))
        if len(found) >= count:
            break
        if first > 10_000 and not found:
            raise ValueError(f"{rules} has no moon suite: {SHOOTER} never shoots the moon")
    return found[:count]


def suite(rules: Rules, progress: Callable[[float], None] | None = None) -> list[int]:
    """The deals of the suite: those kept for these rules, otherwise drawn now."""
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    deals: list[int] = kept.get(str(rules)) or draw_suite(rules, DEALS, progress)
    return deals


def _suite_player(
    spec: str, rules: Rules, deals: list[int]
) -> Callable[[int], tuple[int, tuple[NDArray[np.int64], NDArray[np.int64]]]]:
    """Plays a part of the suite, known by its first place, in the shooter's seat and against the shooter."""
    game, agent = compile_game(rules), make_agent(spec)

    def play_part(first: int) -> tuple[int, tuple[NDArray[np.int64], NDArray[np.int64]]]:
        places = np.array(deals[first : first + agent.tables_at_once], np.int64)
        return first, (play(game, agent, make_agent(OTHER), places), play(game, make_agent(SHOOTER), agent, places))

    return play_part


def play(game: Game, first: Agent, others: Agent, places: NDArray[np.int64]) -> NDArray[np.int64]:
    """Play deals with one agent in seat 0 and another in all other seats; (measures, n, seats)."""
    for index, agent in enumerate((first, others)):
        agent.reset(agent_seed(SEED, index))
    lineups = np.tile(np.minimum(np.arange(game.seats), 1), (len(places), 1))
    players = [TimedAgent(first), TimedAgent(others)]
    return TableBatch(game, players, deals_of(game, places), lineups, places).play()


def run_suite(spec: str, rules: Rules, deals: list[int], workers: Workers = 1) -> MoonResult:
    """An agent's results on the suite.

    Args:
        spec: the agent.
        rules: the rules.
        deals: those of the suite.
        workers: who plays.

    >>> import hearts_env as he
    >>> rules = he.rules("black_lady")
    >>> run_suite("shooter", rules, suite(rules)[:10]).shot
    1.0
    """
    firsts = range(0, len(deals), make_agent(spec).tables_at_once)
    parts = dict(spread(partial(_suite_player, spec, rules, deals), firsts, workers, [spec]))
    own, against = (np.concatenate([parts[first][side] for first in firsts], axis=1)[:, :, 0] for side in (0, 1))
    means = [mean_of(found.astype(float)) for found in (own[_ATTEMPTED] > 0, own[_SHOT], against[_SHOT])]
    return MoonResult(spec, len(deals), *(number for mean in means for number in mean[:2]))
