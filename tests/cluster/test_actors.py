"""Training with actors: the same in one process, in several and on a cluster, whoever dies."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
import torch

from hearts_agents.workers import Workers, submitting
from hearts_env.envs.vector import VectorEnv
from hearts_training.train.actors import Actor, ActorLearner, Request, unpacked
from hearts_training.train.config import PPOConfig
from hearts_training.train.ppo import PPO
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


@pytest.mark.exhaustive
def test_processes_train_as_one_does(alone: ActorLearner) -> None:
    assert alone.updates == 4
    assert alone.deals > 0
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


def test_an_interrupted_training_goes_on_as_if_it_had_not_been(alone: ActorLearner) -> None:
    first = ActorLearner("black_lady", SMALL, seed=5)
    list(first.learn(lambda: first.updates / 4 if first.updates < 2 else 1.0))
    second = ActorLearner("black_lady", SMALL, seed=5)
    second.restore(first.tensors(), {name: getattr(first, name) for name in first.counters})
    list(second.learn(lambda: second.updates / 4))
    assert same(second, alone)


# --- staleness -----------------------------------------------------------------------------------


def test_decisions_of_a_rollout_that_is_too_old_are_not_learned_from_later() -> None:
    config = dataclasses.replace(SMALL, rollout_steps=80)  # ends in the middle of the second deal
    learner = ActorLearner("black_lady", config, seed=1)
    weights = {name: tensor.numpy() for name, tensor in learner.policy.state_dict().items()}
    actor = Actor("black_lady", config, 1)
    first = actor.play(Request(0, 0.5, False, {}), weights)
    kept, dropped = (actor.play(Request(0, 0.5, False, first.games, stale), weights) for stale in (False, True))
    assert len(unpacked(dropped.decisions)["rewards"]) < len(unpacked(kept.decisions)["rewards"])


def test_opponents_play_in_the_same_games_however_many_actors_there_are() -> None:
    config = dataclasses.replace(SMALL, opponents=("rule", "random"), opponent_games=0.5)
    alone = PPO(VectorEnv("black_lady", 32, reward="relative"), dataclasses.replace(config, actors=0), seed=1)
    for number in range(4):
        part = Actor("black_lady", config, 1).resume(Request(number, 0.0, False, {}))
        assert np.array_equal(part._opponent, alone._opponent[number::4])
        assert np.array_equal(part._opponent_seats, alone._opponent_seats[number::4])


def test_a_checkpoint_with_other_games_is_refused() -> None:
    learner = trained(1, 1)
    counters = {name: getattr(learner, name) for name in learner.counters}
    for name, bad in {
        "actor.0.last": torch.tensor([1.0, 0.0]),
        "actor.1.games": torch.zeros(8),
        "actor.2.rows.rewards": torch.tensor([float("nan")]),
    }.items():
        with pytest.raises((ValueError, RuntimeError)):
            ActorLearner("black_lady", SMALL, seed=5).restore(learner.tensors() | {name: bad}, counters)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"actors": 5}, "actors=5 does not divide num_envs=512"),
        ({"actors": -1}, "actors=-1 must be at least 0 and at most 65536, a whole number"),
        ({"staleness": 1}, "staleness=1 is for actors; add actors, such as actors=8"),
    ],
)
def test_bad_actors(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        PPOConfig(**change)


# --- faults --------------------------------------------------------------------------------------


def test_actors_and_a_machine_that_are_killed_change_nothing(nodes: Any, address: str) -> None:
    config = dataclasses.replace(SMALL, num_envs=128)
    undisturbed = trained(1, 4, config)
    with Killer(most=2, pause=0.3) as killer:
        disturbed = trained(address, 4, config)
    assert killer.killed
    assert same(disturbed, undisturbed)
    learner = ActorLearner("black_lady", config, seed=5, workers=address)
    for _ in learner.learn(lambda: learner.updates / 4):
        if learner.updates == 2:
            nodes.remove_node(next(iter(nodes.worker_nodes)), allow_graceful=False)
            nodes.add_node(num_cpus=1)
    assert same(learner, undisturbed)
