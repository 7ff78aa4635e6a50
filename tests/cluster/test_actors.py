"""Training with actors: the same in one process, in several and on a cluster, whoever dies."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from hearts_agents.workers import Workers, submitting
from hearts_env.envs.vector import VectorEnv
from hearts_training import actors
from hearts_training.actors import Actor, ActorLearner, Order, packed, unpacked
from hearts_training.config import PPOConfig
from hearts_training.options import TrainOptions
from hearts_training.ppo import PPO
from hearts_training.train import train
from tests.cluster.kills import Killer

SMALL = PPOConfig(num_envs=32, actors=4, rollout_steps=32, hidden=(32,), critic_hidden=(32,), imitation=0.3)


def trained(workers: Workers, updates: int = 4, config: PPOConfig = SMALL, variant: str = "black_lady") -> ActorLearner:
    learner = ActorLearner(variant, config, seed=5, workers=workers)
    list(learner.learn(lambda: learner.updates / updates))
    return learner


def same(one: ActorLearner, two: ActorLearner) -> bool:
    first, second = one.tensors(), two.tensors()
    counters = [[getattr(learner, name) for name in learner.counters] for learner in (one, two)]
    return (
        first.keys() == second.keys()
        and all(torch.equal(first[name], second[name]) for name in first)
        and counters[0] == counters[1]
    )


@pytest.fixture(scope="module")
def alone() -> ActorLearner:
    """A training in one process."""
    return trained(1)


def test_a_cluster_trains_as_one_process_does(alone: ActorLearner, address: str) -> None:
    assert alone.updates == 4
    assert alone.deals > 0
    assert same(trained(address), alone)


@pytest.mark.exhaustive
def test_processes_train_as_one_does(alone: ActorLearner) -> None:
    assert same(trained(2), alone)


def test_one_actor_learns_what_the_learner_alone_does() -> None:
    """One actor plays the games of a seed as a PPO of that seed does."""
    config = dataclasses.replace(SMALL, actors=1, num_envs=16)
    seed = int(np.random.SeedSequence([5, 0]).generate_state(1)[0])
    alone = PPO(VectorEnv("black_lady", 16, reward="relative"), dataclasses.replace(config, actors=0), seed=seed)
    learner = ActorLearner("black_lady", config, seed=5)
    learner.policy.load_state_dict(alone.policy.state_dict())
    learner.critic.load_state_dict(alone.critic.state_dict())
    alone.collect(0.5)
    ready = alone.experience.take_ready()
    with submitting(lambda: Actor("black_lady", config, 5).play, 1) as submit:
        learner._submit = submit
        learner.collect(0.5)
    taken = learner.experience.take_ready()
    assert len(ready["rewards"]) > 100
    assert all(np.array_equal(ready[name], taken[name]) for name in ready)
    assert (learner.deals, learner.decisions) == (alone.deals, alone.decisions)


def test_a_rollout_is_a_function_of_its_order() -> None:
    """Whatever an actor played before, an order is answered in the same way."""
    learner = ActorLearner("omnibus_hearts", SMALL, seed=1)
    weights = {name: tensor.numpy() for name, tensor in learner.policy.state_dict().items()}
    busy, fresh = (Actor("omnibus_hearts", SMALL, 1) for _ in range(2))
    first = busy.play(Order(0, 0.5, False, {}), weights)
    busy.play(Order(3, 0.5, False, {}), weights)
    order = Order(0, 0.5, False, first.games)
    one, two = busy.play(order, weights), fresh.play(order, weights)
    assert one.decisions == two.decisions
    assert one.counts == two.counts
    assert all(np.array_equal(one.games[name], two.games[name]) for name in one.games)


def test_an_interrupted_training_goes_on_as_if_it_had_not_been(alone: ActorLearner) -> None:
    first = ActorLearner("black_lady", SMALL, seed=5)
    list(first.learn(lambda: first.updates / 4 if first.updates < 2 else 1.0))
    second = ActorLearner("black_lady", SMALL, seed=5)
    second.restore(first.tensors(), {name: getattr(first, name) for name in first.counters})
    list(second.learn(lambda: second.updates / 4))
    assert same(second, alone)


def test_what_is_packed_is_unpacked() -> None:
    arrays: dict[str, np.ndarray] = {"a": np.arange(6, dtype=np.int16).reshape(2, 3), "b": np.empty((0, 4), np.float32)}
    for name, array in unpacked(packed(arrays)).items():
        assert array.dtype == arrays[name].dtype
        assert np.array_equal(array, arrays[name])


# --- staleness -----------------------------------------------------------------------------------


class Slow(Actor):
    """Its first actor takes its time."""

    def play(self, order: Order, weights: object) -> actors.Rollout:
        if order.actor == 0:
            time.sleep(1.5)
        return super().play(order, weights)  # type: ignore[arg-type]


def slow(rules: str, config: PPOConfig, seed: int) -> Callable[..., actors.Rollout]:
    return Slow(rules, config, seed).play


def test_a_slow_actor_holds_nobody_up(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setattr(actors, "make_actor", slow)
    config = dataclasses.replace(SMALL, staleness=1, imitation=0.0, actors=8)
    learner = ActorLearner("black_lady", config, seed=5, workers=address)
    figures = list(learner.learn(lambda: learner.updates / 8))
    assert len(figures) == 8
    assert all(0 <= one["staleness"] <= 1 for one in figures)
    assert any(one["staleness"] > 0 for one in figures)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"actors": 5}, "actors=5 does not divide num_envs=512"),
        ({"actors": -1}, "actors=-1 must be from 0 to 65536, a whole number"),
        ({"staleness": 1}, "staleness=1 is for actors; add actors, such as actors=8"),
    ],
)
def test_bad_actors(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=f"^{said}$"):
        PPOConfig(**change)


def test_workers_without_actors_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^workers=2 play for actors; add --set actors=8, or leave"):
        train(TrainOptions(deals=10, out=tmp_path / "run", processes=2))
    assert not (tmp_path / "run").exists()


# --- faults --------------------------------------------------------------------------------------


@pytest.mark.exhaustive
def test_actors_that_are_killed_change_nothing(address: str) -> None:
    config = dataclasses.replace(SMALL, num_envs=256)
    undisturbed = trained(1, 6, config)
    with Killer(most=3, pause=0.5) as killer:
        disturbed = trained(address, 6, config)
    assert killer.killed
    assert same(disturbed, undisturbed)
