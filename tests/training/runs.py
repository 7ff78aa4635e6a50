"""Training runs that are small enough to be tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hearts_env.envs.vector import VectorEnv
from hearts_training.progress import Status
from hearts_training.train.config import PPOConfig
from hearts_training.train.options import TrainOptions
from hearts_training.train.ppo import PPO
from hearts_training.train.run import Report, TrainResult
from hearts_training.train.start import train

QUICK: dict[str, Any] = {"threads": 1, "arena_deals": 0, "evaluations": 2, "evaluation_games": 4}
TINY: dict[str, Any] = {"num_envs": 16, "rollout_steps": 40, "hidden": (16,), "critic_hidden": (16,), "minibatch": 128}


def tiny(variant: str = "black_lady", seed: int = 0, **changes: Any) -> PPO:
    """A learner in whose games every seat learns, so that every reward is somebody's."""
    config = PPOConfig(**{**TINY, "opponent_games": 0.0} | changes)
    reward = "win" if config.objective == "match" else "relative"
    return PPO(VectorEnv(variant, config.num_envs, reward=reward, timing=config.timing), config, seed=seed)


def silent(status: Status) -> None:
    """Report nothing."""


def run(folder: Path, report: Report = silent, **changes: Any) -> TrainResult:
    """A run into a new folder."""
    return train(TrainOptions(**{"out": folder, "hyper_parameters": TINY, **QUICK, **changes}), report)


def resume(folder: Path, **changes: Any) -> TrainResult:
    """The run in a folder, continued."""
    return train(TrainOptions(resume=folder, **{**QUICK, **changes}), silent)
