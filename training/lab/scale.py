"""What more cores would bring: ``python training/lab/scale.py``.

It measures what a rollout, an update and a chunk of an arena cost on this machine and what goes over the wire, plays
the schedule of `train.actors` with these figures for any number of cores, and compares that with trainings in
one and in two processes.
"""

from __future__ import annotations

import json
import pickle
from dataclasses import asdict, dataclass
from heapq import heappop, heappush
from itertools import islice
from time import perf_counter, process_time

import tyro
from rich.console import Console
from rich.table import Table

from hearts_agents.arena.play import Job, Player
from hearts_agents.arena.seatings import make_seatings
from hearts_agents.workers import Workers
from hearts_env.compiled.game import compile_game
from hearts_env.variants.registry import rules as read_rules
from hearts_training.train.actors import Actor, ActorLearner, Request, unpacked
from hearts_training.train.config import PPOConfig

PROGRESS = 0.5
"""In the middle of a run: self-play with some games against opponents."""


@dataclass(frozen=True)
class Figures:
    """What was measured. Seconds of actors and chunks are of one core, those of the learner of this machine.

    Attributes:
        rollout: seconds of a rollout.
        decisions: decisions in a rollout.
        update: seconds of an update, per rollout, with unpacking it.
        sent, weights: bytes of a rollout, and of the weights that an actor gets for it.
        chunk: seconds of a chunk of an arena among `rule`.
        chunk_decisions: decisions in it.
        driver: seconds that unpacking its result costs the driver, a lower bound of what a chunk costs it.
        chunk_bytes: bytes of its result.
    """

    rollout: float
    decisions: float
    update: float
    sent: float
    weights: float
    chunk: float
    chunk_decisions: float
    driver: float
    chunk_bytes: float


def simulated(figures: Figures, cores: int, actors: int, staleness: int, updates: int = 20) -> float:
    """Decisions per second of a training, by the schedule of `ActorLearner` with the learner on a machine of its own.

    >>> figures = Figures(1.0, 100.0, 0.5, 0, 0, 0, 0, 0, 0)
    >>> simulated(figures, cores=1, actors=2, staleness=0), simulated(figures, cores=2, actors=2, staleness=0)
    (66.66666666666667, 100.0)
    """
    free = [0.0] * cores
    rollouts: list[tuple[float, int]] = []

    def hand_out(now: float, version: int, count: int) -> None:
        for _ in range(count):
            end = max(now, heappop(free)) + figures.rollout
            heappush(free, end)
            heappush(rollouts, (end, version))

    now = 0.0
    hand_out(now, 0, actors)
    for update in range(updates):
        taken = idle = 0
        while taken < actors:
            end, version = heappop(rollouts)
            now = max(now, end)
            idle += 1
            taken += update - version <= staleness
            if staleness and taken < actors:
                hand_out(now, update, idle)
                idle = 0
        now += figures.update * actors
        hand_out(now, update + 1, idle)
    return figures.decisions * actors * updates / now


def arena_speed(figures: Figures, cores: int) -> float:
    """Decisions per second of an arena: the cores, or the process that collects the chunks."""
    return figures.chunk_decisions * min(cores / figures.chunk, 1 / figures.driver)


@dataclass(frozen=True)
class Scale:
    """Measure, and compute what more cores would bring."""

    variant: str = "black_lady"
    """The variant."""
    actors: int = 8
    """Actors of the trainings that are measured; `num_envs` of the default is divided among them."""
    updates: int = 6
    """Updates of every training."""
    repeats: int = 5
    """Rollouts, updates and chunks of which the quickest counts: others may use this machine."""
    cores: tuple[int, ...] = (16, 256, 4096)
    """Sizes of clusters."""
    dollars: float = 0.04
    """Price of a core for an hour."""
    json: bool = False
    """Print JSON instead of tables."""

    def run(self) -> None:
        """Measure and print. Raises ValueError for an impossible number of updates or cores."""
        if self.updates < 2 or min(self.cores) < 1:
            raise ValueError("updates must be at least 2, and cores at least 1")
        figures = self.measure()
        trained = {workers: self.trained(workers) for workers in (1, 2)}
        predicted = {workers: simulated(figures, workers, self.actors, staleness=0) for workers in (1, 2)}
        rows = [self.row(figures, cores) for cores in self.cores]
        if self.json:
            print(json.dumps({"figures": asdict(figures), "measured": trained, "simulated": predicted, "cores": rows}))
            return
        wire = f"{figures.sent / figures.decisions:,.0f} bytes a decision, {figures.weights / 1e6:.2f} MB of weights"
        print(f"an actor: {figures.decisions / figures.rollout:,.0f} decisions/s on one core; {wire} for each rollout")
        print(f"the learner: {figures.decisions / figures.update:,.0f} decisions/s")
        print(f"an arena among rule: {figures.chunk_decisions / figures.chunk:,.0f} decisions/s on one core")
        for workers in (1, 2):
            print(f"{workers} process(es): {trained[workers]:,.0f} decisions/s, simulated {predicted[workers]:,.0f}")
        table = Table("cores", "training", "with staleness 2", "$ per billion", "arena", "$ per billion")
        for row in rows:
            table.add_row(*(f"{value:,.3g}" if "dollars" in name else f"{value:,.0f}" for name, value in row.items()))
        Console().print(table)

    def row(self, figures: Figures, cores: int) -> dict[str, float]:
        """Decisions per second and prices for a number of cores, with two actors for each."""
        waiting, stale = (simulated(figures, cores, 2 * cores, staleness) for staleness in (0, 2))
        arena = arena_speed(figures, cores)
        price = self.dollars * cores * 1e9 / 3600
        return {
            "cores": cores,
            "training": waiting,
            "stale": stale,
            "training_dollars": price / stale,
            "arena": arena,
            "arena_dollars": price / arena,
        }

    def measure(self) -> Figures:
        """What everything costs on this machine."""
        config = PPOConfig(actors=self.actors)
        actor = Actor(self.variant, config, seed=0)
        learner = ActorLearner(self.variant, config, seed=0)
        weights = {name: tensor.detach().numpy() for name, tensor in learner.policy.state_dict().items()}
        rollout = actor.play(Request(0, PROGRESS, False, {}), weights)
        rollouts, updates = [], []
        for _ in range(self.repeats):
            began = process_time()
            rollout = actor.play(Request(0, PROGRESS, False, rollout.games), weights)
            rollouts.append(process_time() - began)
            began = perf_counter()
            for _ in range(self.actors):
                learner.experience.append(unpacked(rollout.decisions))
            learner.update(PROGRESS)
            updates.append((perf_counter() - began) / self.actors)
        sent, shared = len(pickle.dumps(rollout)), len(pickle.dumps(weights))
        chunk = self.chunk()
        return Figures(min(rollouts), rollout.counts[1], min(updates), sent, shared, *chunk)

    def chunk(self) -> tuple[float, float, float, float]:
        """Seconds, decisions, seconds of the driver and bytes of a chunk of an arena."""
        rules = read_rules(self.variant)
        seatings = make_seatings("one-vs-rest", 2, compile_game(rules).teams)
        player = Player(Job(rules, ("rule", "rule"), seatings, 0, 1000, False, 256 // len(seatings)))
        player.warm_up()
        seconds, driver = [], []
        for _ in range(self.repeats):
            began = process_time()
            chunk = player.play(0)
            seconds.append(process_time() - began)
            content = pickle.dumps(chunk)
            began = process_time()
            pickle.loads(content)
            driver.append(process_time() - began)
        return min(seconds), sum(chunk.decisions), max(min(driver), 1e-6), len(content)

    def trained(self, workers: Workers) -> float:
        """Decisions per second of a training without its first update, while which workers start."""
        learner = ActorLearner(self.variant, PPOConfig(actors=self.actors, imitation=0.0), seed=0, workers=workers)
        times = [(learner.decisions, perf_counter()) for _ in islice(learner.learn(lambda: PROGRESS), self.updates)]
        (first, began), (last, ended) = times[0], times[-1]
        return (last - first) / (ended - began)


if __name__ == "__main__":
    tyro.cli(Scale).run()
