"""A quick measure of a policy while it trains: one seat of it, or one team, against players of one kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_agents.arena.tables import MEASURES, measure_deals
from hearts_agents.registry import make_agent
from hearts_env.envs.vector import VectorEnv
from hearts_env.play.view import Views
from hearts_env.ruleset.enums import MoonMode

ActBatch = Callable[[Views], NDArray[np.int64]]
RIVALS = ("random", "rule")
"""The opponents of a learning curve."""
_MOONS = [MEASURES.index(name) for name in ("attempted", "shot")]


@dataclass(frozen=True)
class Margin:
    """Own points minus the mean of the opponents, per deal. Negative is better.

    Attributes:
        mean: over all deals played.
        error: standard error of `mean`. Games are the independent units, since the deals of a game share a seat.
    """

    mean: float
    error: float

    @staticmethod
    def of(totals: NDArray[np.float64], deals: NDArray[np.int64]) -> Margin:
        """The margin per deal, with the standard error of a ratio estimate (Cochran 1977, section 2.11).

        Args:
            totals: (games,) sum of the margins of a game's deals; two games or more.
            deals: (games,) deals played in the game, which may be fewer than were requested.

        >>> Margin.of(np.array([2.0, 4.0]), np.array([1, 1]))
        Margin(mean=3.0, error=1.0)
        >>> Margin.of(np.array([8.0, 16.0]), np.array([4, 4]))
        Margin(mean=3.0, error=1.0)
        """
        games, played = len(totals), deals.sum()
        mean = totals.sum() / played
        residuals = totals - mean * deals
        error = np.sqrt(games / (games - 1) * np.square(residuals).sum()) / played
        return Margin(float(mean), float(error))


@dataclass(frozen=True)
class Evaluation:
    """The result of a policy against opponents of one kind.

    Attributes:
        margin: its margin.
        attempted: share of the deals in which it attempted the moon, as the arena counts attempts; None where the rules
            have no moon.
        shot: share of the deals in which it shot the moon; None where the rules have no moon.
    """

    margin: Margin
    attempted: float | None
    shot: float | None


class Evaluator:
    """Plays a policy in one seat, or for one team, against an agent in the others, always with the same deals and
    random moves.

    >>> from hearts_agents import make_agent
    >>> rule = make_agent("rule").act_batch
    >>> found = Evaluator("black_lady", "random", games=64).evaluate(rule)
    >>> found.margin.mean < -5, found.attempted < 0.05
    (True, True)
    """

    def __init__(self, variant: str, rival: str, *, games: int = 512, deals: int = 4, seed: int = 0) -> None:
        """Prepare `games` (two or more) of up to `deals` deals each; the policy's seats rotate from game to game.

        `rival` is the spec of the agent, which decides by its view alone, or ``random``.
        """
        self.rival, self.seed = rival, seed
        self._others = None if rival == "random" else make_agent(rival).act_batch
        self._env = VectorEnv(variant, games, reward="relative", deals=deals, autoreset=False)
        teams = np.array(self._env.game.teams)
        self._own = teams == (np.arange(games) % (teams.max() + 1))[:, None]

    def evaluate(self, act_batch: ActBatch) -> Evaluation:
        """Play all games with a player: a function from views to actions, such as `Agent.act_batch`."""
        env, rng = self._env, np.random.default_rng(self.seed)
        env.reset(seed=self.seed)
        first = env.states["deal_number"].astype(np.int64)
        totals, moons = np.zeros(env.num_envs), np.zeros(len(_MOONS), np.int64)
        while (env.seats >= 0).any():
            actions = env.sample_actions(rng)
            own_turn = self._own[np.arange(env.num_envs), env.seats] & (env.seats >= 0)
            if own_turn.any():
                actions[own_turn] = self._choose(act_batch, np.flatnonzero(own_turn))
            if self._others is not None:
                theirs = ~own_turn & (env.seats >= 0)
                actions[theirs] = self._choose(self._others, np.flatnonzero(theirs))
            before = env.states.copy()
            env.step(actions)
            totals -= (env.rewards * self._own).sum(1) / self._own.sum(1)
            moons += self._moons(before, actions)
        return self._evaluation(totals, moons, env.states["deal_number"] + 1 - first)

    def _choose(self, act_batch: ActBatch, games: NDArray[np.int64]) -> NDArray[np.int64]:
        return act_batch(Views(self._env.game, self._env.states[games], check=False))

    def _moons(self, before: NDArray[Any], actions: NDArray[np.int64]) -> NDArray[np.int64]:
        """In how many of the deals that ended with a step from `before` the policy attempted and shot the moon."""
        from hearts_env.kernel.batch import step_all

        env = self._env
        dealt_again = env.states["deal_number"] != before["deal_number"]
        ended = np.flatnonzero(dealt_again | ((before["seat"] >= 0) & (env.seats < 0)))
        if not ended.size:
            return np.zeros(len(_MOONS), np.int64)
        ends = before[ended]
        ends["deal_limit"] = ends["deal_number"] + 1  # so that the next deal does not clear this one
        step_all(ends, env.game.tables, actions[ended])
        moons = measure_deals(env.game, ends)[_MOONS] * self._own[ended]
        counts: NDArray[np.int64] = moons.max(2).sum(1)
        return counts

    def _evaluation(
        self, totals: NDArray[np.float64], moons: NDArray[np.int64], deals: NDArray[np.int64]
    ) -> Evaluation:
        margin = Margin.of(totals, deals)
        if self._env.game.rules.moon.mode is MoonMode.NONE:
            return Evaluation(margin, None, None)
        return Evaluation(margin, *(moons / deals.sum()).tolist())
