"""Commands that run on a cluster, and what kills its workers at random moments."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import psutil
import torch

import hearts_env as he
from hearts_agents.arena import run_arena
from hearts_agents.workers import Workers
from hearts_training.data.label import label
from hearts_training.data.parts import PART, part_files
from hearts_training.options import LabelOptions, TuneOptions
from hearts_training.train.config import read_config
from hearts_training.train.games import ManyGames, entry_of
from hearts_training.train.learner import Learner
from hearts_training.train.networks import ManyNets
from hearts_training.tune import run_tuning
from tests.arena.test_arena_runs import untimed


class Killer:
    """Kills processes that work for a cluster, at random moments, while the block lasts.

    Attributes:
        killed: how many so far.
    """

    def __init__(self, most: int, pause: float, seed: int = 0) -> None:
        """At most `most`, on average every `pause` seconds."""
        self.most, self.pause, self.killed = most, pause, 0
        self._random, self._stop = random.Random(seed), threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Killer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while self.killed < self.most and not self._stop.wait(self._random.uniform(0, 2 * self.pause)):
            processes = [one for one in psutil.Process().children(recursive=True) if works(one)]
            if processes:
                with suppress(psutil.Error):
                    self._random.choice(processes).kill()
                    self.killed += 1


def works(process: psutil.Process) -> bool:
    """Whether a process does work for a cluster of this process now."""
    with suppress(psutil.Error):
        return any(word.startswith("ray::_work") for word in process.cmdline()[:1])
    return False


def arena(workers: Workers, folder: Path, size: int) -> Any:
    agents = ["rule", "net:black_lady", "random"]
    return untimed(run_arena(agents, deals=24 * size, seed=2, tables_at_once=16, workers=workers))


def labels(workers: Workers, folder: Path, size: int) -> Any:
    options = LabelOptions("pimc(worlds=2)", variant="trio_hearts", players=("rule",), seed=3)
    label(options, folder, 2 * size * PART, workers)
    return [file.read_bytes() for file in part_files(folder)]


def tuning(workers: Workers, folder: Path, size: int) -> Any:
    names = ("shoot", "pass_dear")
    options = TuneOptions(generations=2, population=4, deals=4 * size, check_deals=4 * size, names=names, seed=4)
    result = run_tuning(options, folder, workers=workers)
    return result["weights"], (folder / "scores.json").read_bytes()


def training(workers: Workers, folder: Path, size: int, meanwhile: Callable[[int], object] = abs) -> Any:
    """The end of a training with learners; `meanwhile` is called with the number of updates after each."""
    sizes: dict[str, Any] = {"num_envs": 8 * size, "games": 2, "sampled": 0, "width": 16, "depth": 1}
    config = read_config({**sizes, "learners": 4, "imitation": 0.3, "variants": "all"}, many=True)
    entries = [one for one in (entry_of(he.rules(name)) for name in ("black_lady", "rickety_kate")) if one]
    device = torch.device("cpu")
    torch.manual_seed(5)
    networks = ManyNets(config, device, 8)
    learner = Learner(ManyGames(entries, config, 5, device), networks, config, 5, workers)
    for _ in learner.learn(lambda: learner.updates / 4):
        meanwhile(learner.updates)
    counters = {name: getattr(learner, name) for name in learner.counters}
    return counters, {name: tensor.numpy().tobytes() for name, tensor in learner.tensors().items()}


COMMANDS: dict[str, Callable[[Workers, Path, int], Any]] = {
    "arena": arena,
    "label": labels,
    "tune": tuning,
    "train": training,
}
