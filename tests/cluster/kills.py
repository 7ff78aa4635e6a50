"""Workers of a cluster that are killed at random: ``python -m tests.cluster.kills --kills 50``.

Arena, label, tune and train run on a cluster of two nodes, again and again, until so many workers have been killed;
every result is compared with that of one process.
"""

from __future__ import annotations

import dataclasses
import random
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import psutil
import tyro

from hearts_agents.arena import run_arena
from hearts_agents.workers import Workers
from hearts_training.data.label import label
from hearts_training.data.parts import PART, part_files
from hearts_training.train.actors import ActorLearner
from hearts_training.train.config import PPOConfig
from hearts_training.train.options import LabelOptions, TuneOptions
from hearts_training.train.tune import tune
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
    label(LabelOptions("pimc(worlds=2)", players=("rule",), seed=3), folder, 2 * size * PART, workers)
    return [file.read_bytes() for file in part_files(folder)]


def tuning(workers: Workers, folder: Path, size: int) -> Any:
    names = ("shoot", "pass_dear")
    options = TuneOptions(generations=2, population=4, deals=4 * size, check_deals=4 * size, names=names, seed=4)
    result = tune(options, folder, workers=workers)
    return result["weights"], (folder / "scores.json").read_bytes()


def training(workers: Workers, folder: Path, size: int) -> Any:
    config = PPOConfig(num_envs=32 * size, actors=4, rollout_steps=32, hidden=(32,), critic_hidden=(32,), imitation=0.3)
    learner = ActorLearner("black_lady", config, seed=5, workers=workers)
    list(learner.learn(lambda: learner.updates / 4))
    counters = {name: getattr(learner, name) for name in learner.counters}
    return counters, {name: tensor.numpy().tobytes() for name, tensor in learner.tensors().items()}


COMMANDS: dict[str, Callable[[Workers, Path, int], Any]] = {
    "arena": arena,
    "label": labels,
    "tune": tuning,
    "train": training,
}


@dataclasses.dataclass(frozen=True)
class Kills:
    """Kill workers at random and compare results."""

    kills: int = 50
    """Workers to kill."""
    pause: float = 6.0
    """Seconds between them, on average."""
    size: int = 8
    """How much work each command has."""

    def run(self) -> None:
        """Print a line for every command that was disturbed."""
        from ray.cluster_utils import Cluster

        nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        nodes.add_node(num_cpus=1)
        killed = turns = 0
        try:
            with tempfile.TemporaryDirectory() as folder:
                wanted = {name: play(1, Path(folder, name), self.size) for name, play in COMMANDS.items()}
                while killed < self.kills:
                    turns += 1
                    for name, play in COMMANDS.items():
                        with Killer(self.kills - killed, self.pause, seed=turns) as killer:
                            found = play(nodes.address, Path(folder, f"{name}-{turns}"), self.size)
                        killed += killer.killed
                        same = "identical" if found == wanted[name] else "ANOTHER RESULT"
                        print(f"{name}: {killer.killed} workers killed, {same} ({killed} in all)", flush=True)
        finally:
            nodes.shutdown()


if __name__ == "__main__":
    tyro.cli(Kills).run()
