"""The learner's seat in many games behind the interfaces of Gymnasium, Stable-Baselines3 and TorchRL."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

import hearts_env as he
from hearts_env.envs.gym_vector import LearnerVectorEnv

OPPONENTS = [None, "rule"]


def allowed(masks: NDArray[Any], rng: np.random.Generator) -> NDArray[np.int64]:
    """Uniformly random allowed actions."""
    assert (masks.sum(axis=1) > 0).all(), "a mask of nothing"
    return np.asarray((rng.random(masks.shape) * masks).argmax(axis=1))


def points(games: Any) -> NDArray[np.int64]:
    """What seat 0 has scored by the totals of the games that ended in the last step; 0 for the others."""
    return np.asarray(games.finals["totals"][:, 0, 0] * games.terminated)


# Gymnasium


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("opponents", OPPONENTS)
def test_gymnasium_is_paid_every_point(opponents: str | None, mode: AutoresetMode) -> None:
    envs = gymnasium.make_vec("Hearts/OmnibusHearts-v0", num_envs=12, opponents=opponents, deals=2, autoreset_mode=mode)
    assert isinstance(envs, LearnerVectorEnv)
    assert envs.metadata["autoreset_mode"] is mode
    _, infos = envs.reset(seed=3)
    rng = np.random.default_rng(3)
    paid = due = 0.0
    for _ in range(150):
        before = envs.games.over.copy()
        observations, rewards, ends, cut, infos = envs.step(allowed(infos["action_mask"], rng))
        assert envs.observation_space.contains(observations)
        assert not cut.any()
        assert not rewards[before].any()
        paid, due = paid + rewards.sum(), due - points(envs.games).sum()
        if mode is AutoresetMode.DISABLED and ends.any():
            observations, infos = envs.reset(options={"reset_mask": ends})
    assert due
    assert paid == due - envs.games.states["totals"][~envs.games.over, 0, 0].sum(), "with the episodes that are cut"


def test_gymnasium_finds_the_fast_path_in_a_fresh_name() -> None:
    envs = gymnasium.make_vec("hearts_env:Hearts/Queens-v0", num_envs=3, deals=1, seat=2)
    assert isinstance(envs, LearnerVectorEnv)
    assert envs.spec is not None
    assert envs.observation_space.shape == (3, int(envs.games.game.tables["obs_size"]))
    envs.reset(seed=1)
    assert envs.games.seats.tolist() == [2] * 3
    envs.close()


def test_gymnasium_ends_episodes_as_its_own_vector_environments_do() -> None:
    """Beside `SyncVectorEnv` of `LearnerEnv`: the same keys, types and shapes, in every autoreset mode."""
    for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
        ours = gymnasium.make_vec("Hearts/BlackLady-v0", num_envs=2, deals=1, first_deal=0, autoreset_mode=mode)
        theirs = gymnasium.make_vec(
            "Hearts/BlackLady-v0",
            num_envs=2,
            deals=1,
            first_deal=0,
            vectorization_mode="sync",
            vector_kwargs={"autoreset_mode": mode},
        )
        rng = np.random.default_rng(0)
        story: list[list[Any]] = []
        for envs in (ours, theirs):
            _, infos = envs.reset(seed=1)
            seen: list[Any] = [shapes(infos)]
            for _ in range(17):
                masks = np.maximum(infos["action_mask"], (infos["action_mask"].sum(axis=1) == 0)[:, None])
                *arrays, infos = envs.step(allowed(masks, rng))
                seen.append([[(array.shape, array.dtype) for array in arrays], arrays[2].tolist(), shapes(infos)])
            story.append(seen)
        assert story[0] == story[1]


def shapes(infos: dict[str, Any]) -> dict[str, Any]:
    """Key -> type and shape, and whatever can be compared."""
    return {
        key: shapes(value)
        if isinstance(value, dict)
        else (value.dtype, value.shape, [getattr(one, "shape", None) for one in value])
        for key, value in infos.items()
    }


def test_gymnasium_shows_the_last_observation_of_an_episode() -> None:
    envs = gymnasium.make_vec("Hearts/BlackLady-v0", num_envs=3, deals=1, first_deal=0, autoreset_mode="SameStep")
    _, infos = envs.reset(seed=1)
    for _ in range(16):
        assert "final_obs" not in infos
        observations, _, ends, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
    assert ends.all()
    for now, last in zip(observations, infos["final_obs"], strict=True):
        assert envs.single_observation_space.contains(last)
        assert (now != last).any()


def test_gymnasium_is_told_why_an_action_is_illegal() -> None:
    for mode in AutoresetMode:
        envs = gymnasium.make_vec("Hearts/BlackLady-v0", num_envs=2, deals=1, autoreset_mode=mode)
        _, infos = envs.reset(seed=1)
        actions = infos["action_mask"].argmax(axis=1)
        actions[1] = infos["action_mask"][1].argmin()
        _, rewards, ends, _, infos = envs.step(actions)
        assert (rewards.tolist(), ends.tolist()) == ([0, -53], [False, True])
        told = infos["final_info"] if mode is AutoresetMode.SAME_STEP else infos
        assert told["_illegal"].tolist() == [False, True]
        assert told["illegal"][0] is None
        assert told["illegal"][1].startswith("seat 0 does not hold")


def test_gymnasium_wrappers_work() -> None:
    envs = gymnasium.make_vec("Hearts/BlackLady-v0", num_envs=4, deals=1, first_deal=0)
    wrapped = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    _, infos = wrapped.reset(seed=1)
    for _ in range(16):
        *_, infos = wrapped.step(infos["action_mask"].argmax(axis=1))
    assert infos["episode"]["l"].tolist() == [16] * 4
    assert isinstance(envs, LearnerVectorEnv)
    assert (infos["episode"]["r"] == -envs.games.finals["totals"][:, 0, 0]).all()


def test_gymnasium_refuses_what_it_cannot_do() -> None:
    with pytest.raises(ValueError, match="render_mode"):
        gymnasium.make_vec("Hearts/BlackLady-v0", num_envs=2, render_mode="ansi")
    with pytest.raises(ValueError, match="is not a valid AutoresetMode"):
        gymnasium.make_vec("Hearts/BlackLady-v0", num_envs=2, autoreset_mode="never")


# Stable-Baselines3


@pytest.mark.parametrize("opponents", OPPONENTS)
def test_stable_baselines_is_paid_every_point(opponents: str | None) -> None:
    sb3 = pytest.importorskip("hearts_env.envs.sb3")
    from stable_baselines3.common.vec_env import VecMonitor

    venv = sb3.LearnerVecEnv("omnibus_hearts", 12, opponents=opponents, deals=2)
    env = VecMonitor(venv)
    env.seed(3)
    observations: Any = env.reset()
    rng = np.random.default_rng(3)
    paid = due = recorded = 0.0
    dones: Any
    for _ in range(150):
        before = observations.copy()
        kept = observations
        observations, rewards, dones, infos = env.step(allowed(np.stack(env.env_method("action_masks")), rng))
        assert (kept == before).all(), "observations are copies: a replay buffer may keep them"
        paid, due = paid + rewards.sum(), due - points(venv.games).sum()
        for game in np.flatnonzero(dones):
            assert infos[game]["TimeLimit.truncated"] is False
            assert (infos[game]["terminal_observation"] == venv.games.final_observations[game]).all()
            assert (infos[game]["terminal_observation"] != observations[game]).any()
            recorded += infos[game]["episode"]["r"]
        assert not any("terminal_observation" in infos[game] for game in np.flatnonzero(~dones))
    assert due
    assert recorded == due
    assert paid == due - venv.games.states["totals"][:, 0, 0].sum(), "with the episodes that are cut"


def test_stable_baselines_seeds_and_options() -> None:
    sb3 = pytest.importorskip("hearts_env.envs.sb3")
    env = sb3.LearnerVecEnv("black_lady", 3)
    env.seed(5)
    first = env.reset()
    assert (env.reset() != first).any()
    env.seed(5)
    env.set_options([{}, {"totals": [90, 0, 0, 0]}, {}])
    again = env.reset()
    assert (again[[0, 2]] == first[[0, 2]]).all()
    assert env.games.states["totals"][:, 0, 0].tolist() == [0, 90, 0]
    assert (env.reset() != first).any()
    assert env.games.states["totals"][:, 0, 0].tolist() == [0, 0, 0]


def test_stable_baselines_asks_for_masks_and_attributes() -> None:
    sb3 = pytest.importorskip("hearts_env.envs.sb3")
    masking = pytest.importorskip("sb3_contrib.common.maskable.utils")
    env = sb3.LearnerVecEnv("black_lady", 3, deals=1)
    env.reset()
    assert masking.is_masking_supported(env)
    assert (masking.get_action_masks(env) == env.games.action_masks).all()
    assert (env.env_method("action_masks", indices=[2])[0] == env.games.action_masks[2]).all()
    assert env.get_attr("render_mode") == [None] * 3
    assert env.get_attr("num_envs", indices=1) == [3]
    assert not env.has_attr("no_such_attribute")
    assert env.env_is_wrapped(gymnasium.Wrapper) == [False] * 3
    with pytest.raises(NotImplementedError, match="share their attributes"):
        env.set_attr("seat", 1)
    with pytest.raises(ValueError, match="autoreset cannot be chosen"):
        sb3.LearnerVecEnv("black_lady", 3, autoreset="next_step")
    env.close()


def test_an_illegal_action_reaches_stable_baselines() -> None:
    sb3 = pytest.importorskip("hearts_env.envs.sb3")
    env = sb3.LearnerVecEnv("black_lady", 2, deals=1)
    env.reset()
    masks = env.action_masks()
    _, rewards, dones, infos = env.step(np.array([masks[0].argmax(), masks[1].argmin()]))
    assert (rewards.tolist(), dones.tolist()) == ([0, -53], [False, True])
    assert "illegal" not in infos[0]
    assert infos[1]["illegal"].startswith("seat 0 does not hold")


def test_maskable_ppo_learns_and_plays_itself() -> None:
    sb3 = pytest.importorskip("hearts_env.envs.sb3")
    contrib = pytest.importorskip("sb3_contrib")
    env = sb3.LearnerVecEnv("black_lady", 8, opponents="random", deals=1, seat="rotating")
    model = contrib.MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=64, n_epochs=1, seed=1, device="cpu")
    model.learn(128)
    snapshot = sb3.FrozenPolicy(model)
    env.set_opponents(snapshot)
    kept = snapshot(env.games.observations, env.games.action_masks)
    before = [weights.clone() for weights in snapshot._policy.state_dict().values()]
    model.learn(256, reset_num_timesteps=False)
    assert kept.shape == (8,)
    after = list(snapshot._policy.state_dict().values())
    assert all((old == new).all() for old, new in zip(before, after, strict=True)), "a snapshot learns no more"
    assert any((old != new).any() for old, new in zip(after, model.policy.state_dict().values(), strict=True))
    again = pickle.loads(pickle.dumps(env.games))
    again.step(again.action_masks.argmax(axis=1))


# TorchRL


@pytest.mark.parametrize("opponents", OPPONENTS)
def test_torchrl_is_paid_every_point(opponents: str | None) -> None:
    torchrl = pytest.importorskip("hearts_env.envs.torchrl")
    env = torchrl.LearnerTorchEnv("omnibus_hearts", 12, opponents=opponents, deals=2)
    env.set_seed(3)
    env.reset()
    ended: list[float] = []
    kept = env.games.step

    def step(actions: NDArray[np.int64]) -> None:
        kept(actions)
        ended.append(-float(points(env.games).sum()))

    env.games.step = step
    rollout = env.rollout(150, break_when_any_done=False)
    assert sum(ended)
    cut = env.games.states["totals"][~env.games.over, 0, 0].sum()
    assert rollout["next", "reward"].sum() == sum(ended) - cut, "with the episodes that are cut"
    assert rollout["action_mask"].gather(-1, rollout["action"][..., None]).all(), "random actions obey the masks"
    assert rollout["action_mask"].any(dim=-1).all()
    assert rollout["next", "done"].sum() == rollout["next", "terminated"].sum() > 12


def test_torchrl_finds_nothing_wrong() -> None:
    torchrl = pytest.importorskip("hearts_env.envs.torchrl")
    from torchrl.envs import check_env_specs

    check_env_specs(torchrl.LearnerTorchEnv("black_lady", 4, opponents="random", deals=1))


def test_torchrl_resets_some_games() -> None:
    torchrl = pytest.importorskip("hearts_env.envs.torchrl")
    import torch

    env = torchrl.LearnerTorchEnv("black_lady", 3, deals=1, seat="rotating")
    env.set_seed(3)
    start = env.reset()
    assert env.games.seats.tolist() == [0, 1, 2]
    some = start.clone()
    some["_reset"] = torch.tensor([[False], [True], [False]])
    again = env.reset(some)
    assert env.games.seats.tolist() == [0, 2, 2]
    assert (again["observation"] == start["observation"]).all(dim=1).tolist() == [True, False, True]
    env.set_seed(3)
    assert (env.reset()["observation"] == start["observation"]).all()


@pytest.mark.filterwarnings("ignore:Creating .*WeightUpdater:DeprecationWarning")  # TorchRL's own collector does
def test_torchrl_collects_over_ends_of_episodes() -> None:
    torchrl = pytest.importorskip("hearts_env.envs.torchrl")
    from torchrl.collectors import Collector

    env = torchrl.LearnerTorchEnv("black_lady", 6, opponents="rule", deals=1)
    collector = Collector(env, env.rand_action, frames_per_batch=6 * 40, total_frames=6 * 80)
    for data in collector:
        assert data.shape == (6, 40)
        assert data["next", "done"].sum() == data["next", "terminated"].sum() >= 12
        assert data["action_mask"].gather(-1, data["action"][..., None]).all()
    collector.shutdown()


def test_torchrl_replaces_opponents_and_refuses_another_autoreset() -> None:
    torchrl = pytest.importorskip("hearts_env.envs.torchrl")
    asked = []

    def lowest(observations: NDArray[np.float32], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        asked.append(len(masks))
        return np.asarray(masks.argmax(axis=1))

    env = torchrl.LearnerTorchEnv("black_lady", 3, deals=1)
    env.set_opponents(lowest)
    env.rollout(5)
    assert asked
    with pytest.raises(ValueError, match="autoreset cannot be chosen"):
        torchrl.LearnerTorchEnv("black_lady", 3, autoreset="same_step")


# All


def test_doors_of_every_variant() -> None:
    for name in he.VARIANTS:
        envs = LearnerVectorEnv(name, 2, deals=1)
        _, infos = envs.reset(seed=1)
        other = copy.deepcopy(envs)
        for _ in range(12):
            actions = infos["action_mask"].argmax(axis=1)
            observations, *_, infos = envs.step(actions)
            assert envs.observation_space.contains(observations)
            assert (other.step(actions)[0] == observations).all()


@pytest.mark.parametrize(
    ("module", "name"), [("gym_vector", "LearnerVectorEnv"), ("sb3", "LearnerVecEnv"), ("torchrl", "LearnerTorchEnv")]
)
def test_a_closed_door_takes_no_step(module: str, name: str) -> None:
    env = getattr(pytest.importorskip(f"hearts_env.envs.{module}"), name)("black_lady", 3, deals=1)
    env.reset()
    env.close()
    for call in (env.reset, lambda: env.games.step(env.games.action_masks.argmax(axis=1))):
        with pytest.raises(ValueError, match="the environment is closed"):
            call()
