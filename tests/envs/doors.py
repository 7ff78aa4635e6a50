"""The learner's seat in many games through every framework, with one interface for tests."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from hearts_env.envs.gym_vector import LearnerVectorEnv
from hearts_env.envs.learner import LearnerGames


class Told(NamedTuple):
    """What a step returns: observations, rewards, which episodes ended, and why an action was illegal, by game."""

    observations: Any
    rewards: Any
    ended: Any
    illegal: dict[int, str]


class Games:
    """`LearnerGames`, which is inside all others."""

    def __init__(self, variant: str, count: int, **options: Any) -> None:
        self.env: Any = self.make(variant, count, options)
        self.games: LearnerGames = getattr(self.env, "games", self.env)
        self.due = np.zeros(count)
        """What the last step should have paid for episodes of a game in which fewer points win."""
        step = self.games.step

        def watched(actions: NDArray[np.int64]) -> None:
            seats = self.games.seats.copy()
            step(actions)
            totals = self.games.finals["totals"][np.arange(count), seats, 0]
            self.due = -totals * self.games.terminated

        setattr(self.games, "step", watched)  # noqa: B010  # a method

    def make(self, variant: str, count: int, options: dict[str, Any]) -> Any:
        return LearnerGames(variant, count, **options)

    def reset(self, seed: int | None = None) -> Any:
        self.env.reset(seed=seed)
        return self.env.observations.copy()

    def step(self, actions: NDArray[np.int64]) -> Told:
        self.env.step(actions)
        return Told(self.env.observations, self.env.rewards, self.env.terminated, self.env.illegal)

    def hidden(self) -> Any:
        return self.env.hidden()


class Gymnasium(Games):
    def make(self, variant: str, count: int, options: dict[str, Any]) -> Any:
        return LearnerVectorEnv(variant, count, autoreset_mode=AutoresetMode.SAME_STEP, **options)

    def reset(self, seed: int | None = None) -> Any:
        return self.env.reset(seed=seed)[0]

    def step(self, actions: NDArray[np.int64]) -> Told:
        observations, rewards, ended, _, infos = self.env.step(actions)
        why = infos.get("final_info", {}).get("illegal", [])
        return Told(observations, rewards, ended, {game: one for game, one in enumerate(why) if one})


class StableBaselines(Games):
    def make(self, variant: str, count: int, options: dict[str, Any]) -> Any:
        return pytest.importorskip("hearts_env.envs.sb3").LearnerVecEnv(variant, count, **options)

    def reset(self, seed: int | None = None) -> Any:
        if seed is not None:
            self.env.seed(seed)
        return self.env.reset()

    def step(self, actions: NDArray[np.int64]) -> Told:
        observations, rewards, ended, infos = self.env.step(actions)
        return Told(
            observations, rewards, ended, {i: one["illegal"] for i, one in enumerate(infos) if "illegal" in one}
        )


class TorchRL(Games):
    def make(self, variant: str, count: int, options: dict[str, Any]) -> Any:
        return pytest.importorskip("hearts_env.envs.torchrl").LearnerTorchEnv(variant, count, **options)

    def reset(self, seed: int | None = None) -> Any:
        if seed is not None:
            self.env.set_seed(seed)
        self.data = self.env.reset()
        return self.data["observation"].numpy()

    def step(self, actions: NDArray[np.int64]) -> Told:
        import torch

        self.data["action"] = torch.as_tensor(actions)
        stepped, self.data = self.env.step_and_maybe_reset(self.data)
        rewards, ended = (stepped["next", name].numpy()[:, 0] for name in ("reward", "done"))
        return Told(self.data["observation"].numpy(), rewards, ended, {})

    def hidden(self) -> Any:
        assert self.env.observation_spec["hidden"].is_in(self.data["hidden"])
        return self.data["hidden"].numpy()


DOORS = [Games, Gymnasium, StableBaselines, TorchRL]
