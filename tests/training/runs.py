"""Training runs that are small enough to be tests."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import torch

import hearts_env as he
from hearts_training import checkpoints
from hearts_training.progress import Status
from hearts_training.train.config import Config
from hearts_training.train.games import OneGame
from hearts_training.train.learner import Learner
from hearts_training.train.networks import GameNets
from hearts_training.train.options import TrainOptions
from hearts_training.train.run import Report, TrainResult
from hearts_training.train.selfplay import SelfPlay
from hearts_training.train.start import run_training

QUICK: dict[str, Any] = {"threads": 1, "arena_deals": 0, "evaluations": 2, "evaluation_games": 4}
TINY: dict[str, Any] = {"num_envs": 8, "hidden": (16,), "critic_hidden": (16,), "minibatch": 128}


def tiny(variant: str = "black_lady", seed: int = 0, **changes: Any) -> Learner:
    """A learner in whose games every seat learns, so that every reward is somebody's."""
    config, device = Config(**{**TINY, "num_envs": 16, "opponent_games": 0.0} | changes), torch.device("cpu")
    torch.manual_seed(seed)
    game = he.Match(variant).game
    networks = GameNets(game, config, device)
    return Learner(OneGame(game.rules, networks, config, seed, device), networks, config, seed)


def play_of(learner: Learner) -> SelfPlay:
    """The tables of a learner of one game."""
    assert isinstance(learner.games, OneGame)
    return learner.games.play


def silent(status: Status) -> None:
    """Report nothing."""


def run(folder: Path, report: Report = silent, **changes: Any) -> TrainResult:
    """A run into a new folder."""
    return run_training(TrainOptions(**{"out": folder, "hyper_parameters": TINY, **QUICK, **changes}), report)


def resume(folder: Path, **changes: Any) -> TrainResult:
    """The run in a folder, continued."""
    return run_training(TrainOptions(resume=folder, **{**QUICK, **changes}), silent)


def same_end(one: Path, other: Path) -> None:
    """Two runs have ended with the same checkpoint and the same curve."""
    ends = [checkpoints.find_checkpoint(folder) for folder in (one, other)]
    assert ends[0].name == ends[1].name
    digests = [hashlib.sha256((end / checkpoints.TENSORS).read_bytes()).hexdigest() for end in ends]
    assert digests[0] == digests[1]
    counters = [checkpoints.load_state(end)["counters"] for end in ends]
    assert counters[0] == counters[1]
    curves = [json.loads((folder / "result.json").read_bytes())["curve"] for folder in (one, other)]
    assert curves[0] == curves[1]
