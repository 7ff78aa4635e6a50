"""The PettingZoo environment against PettingZoo's own tests, its wrappers and the vectorised environment."""

from __future__ import annotations

import copy
import importlib
import pickle
import warnings
from itertools import product
from typing import Any

import numpy as np
import pettingzoo
import pytest

import hearts_env as he
from tests.support.aec_play import ASKING, ENVS, any_action, play_on
from tests.support.games import SEATS

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # its tests import a game in a way it has deprecated
    from pettingzoo.test import api_test, render_test, seed_test


# PettingZoo's own tests


@pytest.mark.parametrize(("variant", "players"), SEATS)
def test_api(variant: str, players: int, capsys: pytest.CaptureFixture[str]) -> None:
    for make_env in ENVS:
        api_test(make_env(variant, players=players), num_cycles=30)
    api_test(he.env(variant, players=players, deals=1, reward="relative", timing="trick", tokens=True), num_cycles=70)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("reward", ["points", "relative", "rank", "win"])
def test_api_of_short_episodes(reward: str) -> None:
    api_test(he.env(ASKING, reward=reward), num_cycles=400)
    api_test(he.raw_env("openspiel", reward=reward, timing="trick"), num_cycles=400)


@pytest.mark.parametrize(("variant", "players"), SEATS)
def test_seeds(variant: str, players: int) -> None:
    seed_test(lambda: he.env(variant, players=players, deals=1), num_cycles=20)


def test_seeds_of_the_bare_environment() -> None:
    seed_test(lambda: he.raw_env(ASKING, tokens=True), num_cycles=500)


@pytest.mark.parametrize("variant", he.VARIANTS)
def test_rendering(variant: str, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda render_mode: he.env(variant, render_mode=render_mode))
    assert "deal 1" in capsys.readouterr().out


# Names


@pytest.mark.parametrize("variant", he.VARIANTS)
def test_every_variant_has_a_module_and_a_registered_name(variant: str) -> None:
    name = f"{variant}_v{he.VARIANTS[variant].version}"
    module = getattr(he, name)
    assert getattr(he, name) is module
    for made in (module.env(), module.raw_env(), pettingzoo.make("aec", f"hearts/{name}")):
        assert made.unwrapped.metadata["name"] == name
        assert made.unwrapped.game.rules == he.rules(variant)
    players = he.VARIANTS[variant].players[-1]
    assert module.env(players=players, max_deals=12).game.rules == he.rules(
        f"{variant}(players={players}, max_deals=12)"
    )


def test_modules_are_imported_by_name() -> None:
    from hearts_env import black_lady_v0

    assert isinstance(black_lady_v0.env(), pettingzoo.AECEnv)
    assert importlib.import_module("hearts_env.black_lady_v0") is black_lady_v0
    names: dict[str, Any] = {}
    exec("from hearts_env.queens_v0 import env\nimport hearts_env.queens_v0 as module", names)
    assert names["env"]().metadata["name"] == "queens_v0"
    assert names["module"].__name__ == "hearts_env.queens_v0"
    with pytest.raises(AttributeError, match="parallel_env"):
        getattr(black_lady_v0, "parallel_env")  # noqa: B009  # type checkers know that it is not there
    with pytest.raises(ImportError):
        from hearts_env import black_lady_v99  # noqa: F401
    with pytest.raises(AttributeError, match="black_ladi_v0"):
        he.black_ladi_v0  # noqa: B018


# Rewards and observations


@pytest.mark.parametrize(
    ("reward", "timing"), list(product(["points", "relative", "rank", "win", "vector"], ["deal", "trick"]))
)
@pytest.mark.parametrize(
    "variant",
    [
        "omnibus_hearts(players=5)",
        ASKING,
        "cancellation_hearts(players=5)",
        "turbo_hearts",
        "heartsette(players=3)",
        "likha",
        "gong_zhu",
        "complex_hearts",
        "black_lady(players=5, chips=12, target=none, moon.mode=none)",
    ],
)
def test_the_same_play_means_the_same_as_in_the_vectorised_environment(variant: str, reward: str, timing: str) -> None:
    env = he.env(variant, reward=reward, timing=timing, deals=3)
    env.reset(seed=4)
    batch = he.vector_env(variant, 1, reward=reward, timing=timing, autoreset=False)
    batch.reset()
    batch.states[:] = env._states
    rng = np.random.default_rng(4)
    since: dict[str, Any] = dict.fromkeys(env.possible_agents, 0 * batch.rewards[0, 0])
    for agent in env.agent_iter():
        observation, earned, termination, truncation, info = env.last()
        assert observation is not None
        np.testing.assert_array_equal(earned, since[agent])
        assert (info["action_mask"] == observation["action_mask"]).all()
        assert not truncation
        action = any_action(env, rng)
        env.step(action)
        if action is None:
            assert termination
            continue
        batch.step(np.array([action]))
        since = {name: (0 * old if name == agent else old) + env.rewards[name] for name, old in since.items()}
        np.testing.assert_array_equal(list(env.rewards.values()), batch.rewards[0])
        seen = env.observe(env.agent_selection)
        assert seen["observation"].tobytes() == batch.observations[0].tobytes()
        assert seen["action_mask"].tobytes() == batch.action_masks[0].tobytes()
        assert all(env.terminations.values()) == bool(batch.terminated[0])
    assert env.agents == []


@pytest.mark.parametrize("variant", ["black_lady", ASKING, "uk_black_lady(players=10, cycle=[pool*2])", "gong_zhu"])
def test_all_seats_look_at_the_same_table(variant: str) -> None:
    env = he.env(variant, tokens=True)
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(90):
        for agent in env.agents:
            seen = env.observe(agent)
            assert seen["observation"].tobytes() == env.view(agent).observation().tobytes()
            assert seen["action_mask"].tobytes() == env.view(agent).action_mask().tobytes()
            assert env.observation_space(agent).contains(seen)
            assert env.infos[agent]["action_mask"].tobytes() == seen["action_mask"].tobytes()
            assert env.infos[agent]["action_mask"].dtype == np.int8
        assert env.state_space.contains(env.state())
        env.step(any_action(env, rng))


def test_observations_are_the_callers_to_keep() -> None:
    env = he.raw_env("black_lady", tokens=True)
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    kept, copies = [], []
    for _ in range(70):
        kept.append(env.last()[0])
        copies.append(copy.deepcopy(kept[-1]))
        env.step(any_action(env, rng))
    for old, told in zip(kept, copies, strict=True):
        assert old is not None
        assert told is not None
        for name, part in old.items():
            assert part.tobytes() == told[name].tobytes()


def test_spaces_are_the_same_objects_at_every_call() -> None:
    env = he.env("black_lady")
    for agent in env.possible_agents:
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
    assert env.action_space("player_0") is not env.action_space("player_1")


@pytest.mark.parametrize("make_env", ENVS)
@pytest.mark.parametrize("timing", ["deal", "trick"])
@pytest.mark.parametrize("variant", ["complex_hearts", "complex_hearts(score.better=real)", "gong_zhu", "black_lady"])
def test_vectors_are_the_totals_in_two_parts(variant: str, timing: str, make_env: Any) -> None:
    env = make_env(variant, reward="vector", timing=timing, deals=2)
    env.reset(seed=6)
    earned = {agent: np.zeros(2) for agent in env.possible_agents}
    rng = np.random.default_rng(6)
    for agent in env.agent_iter():
        reward = env.last()[1]
        assert isinstance(reward, np.ndarray)
        assert (reward.shape, reward.dtype) == ((2,), np.float32)
        assert env.reward_space(agent).contains(reward)
        earned[agent] += reward
        env.step(any_action(env, rng))
    assert [list(sums) for sums in earned.values()] == env._states["totals"][0, : env.game.seats].tolist()


def test_reward_spaces() -> None:
    for reward, parts in (("points", 1), ("win", 1), ("vector", 2)):
        env = he.env("complex_hearts", reward=reward)
        for agent in env.possible_agents:
            assert env.reward_space(agent).shape == (parts,)
            assert env.reward_space(agent).dtype == np.float32
    env = he.env("complex_hearts", reward="vector")
    env.reset(seed=1)
    assert env.reward_space("player_0").contains(env.last()[1])


# Copies


@pytest.mark.parametrize(("variant", "players"), SEATS)
def test_copies_at_every_table(variant: str, players: int) -> None:
    """A copy in the middle of an episode, another one played between its steps, goes on as the original does."""
    env, other = (he.env(variant, players=players, deals=1, tokens=True) for _ in range(2))
    env.reset(seed=7)
    other.reset(seed=8)
    play_on(env, 7, 30)
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    for seed in range(20):
        play_on(other, seed, 2)
        told = [play_on(one, seed, 2) for one in (env, *twins)]
        assert told[0] == told[1] == told[2]


@pytest.mark.parametrize("make_env", ENVS)
@pytest.mark.parametrize("steps", [0, 5, 40, 250, 2000])
def test_copies_play_on_alike_and_apart(make_env: Any, steps: int) -> None:
    env = make_env(ASKING, tokens=True)
    env.reset(seed=2)
    play_on(env, 2, steps)
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    state = env._states.tobytes()
    told = [play_on(twin, 3, 100) for twin in twins]
    assert env._states.tobytes() == state
    assert told[0] == told[1] == play_on(env, 3, 100)
    for one in (env, *twins):
        one.reset()  # the generator travels too
    assert play_on(env, 5, 30) == play_on(twins[0], 5, 30) == play_on(twins[1], 5, 30)


@pytest.mark.parametrize("make_env", ENVS)
def test_copies_before_reset(make_env: Any) -> None:
    for twin in (copy.deepcopy(make_env("queens")), pickle.loads(pickle.dumps(make_env("queens")))):
        twin.reset(seed=1)
        assert twin.agents
