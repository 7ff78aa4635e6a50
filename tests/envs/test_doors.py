"""The learner's seat in many games behind the interfaces of Gymnasium, Stable-Baselines3 and TorchRL."""

import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from hearts_env.envs.gym_vector import LearnerVectorEnv
from hearts_env.seat.view import view_of
from tests.envs.doors import DOORS, Games, TorchRL

ID = "Hearts/BlackLady-v0"


def allowed(masks: NDArray[Any], rng: np.random.Generator) -> NDArray[np.int64]:
    """Uniformly random allowed actions."""
    assert (masks.sum(axis=1) > 0).all(), "a mask of nothing"
    return np.asarray((rng.random(masks.shape) * masks).argmax(axis=1))


# All


@pytest.mark.parametrize("opponents", [None, "rule"])
@pytest.mark.parametrize("make", DOORS)
def test_every_point_is_paid(make: type[Games], opponents: str | None) -> None:
    door = make("omnibus_hearts", 12, opponents=opponents, deals=2, seat="rotating")
    rng, kept = np.random.default_rng(3), door.reset(3)
    paid, ends = np.zeros(12), 0
    for _ in range(120):
        before, actions = kept.copy(), allowed(door.games.action_masks, rng)
        result = door.step(actions)
        assert make is Games or (kept == before).all(), "observations are copies: a replay buffer may keep them"
        assert (result.observations == door.games.observations).all()
        paid += result.rewards
        assert (paid == door.due)[result.ended].all()
        paid[result.ended], ends, kept = 0, ends + result.ended.sum(), result.observations
    assert ends > 24
    cut = -door.games.states["totals"][np.arange(12), door.games.seats, 0]
    assert (paid == cut).all(), "episodes that are cut"


@pytest.mark.parametrize("make", DOORS)
def test_critics_get_the_hands_that_the_learner_does_not_see(make: type[Games]) -> None:
    for rules in ("likha", "heartsette(direction=-1)", "incredu_hearts"):
        door = make(rules, 3, seat="rotating", deals=1)
        with pytest.raises(ValueError, match="call reset before hidden"):
            door.games.hidden()
        rng, game, _ = np.random.default_rng(1), door.games.game, door.reset(1)
        for _ in range(20):
            hidden = door.hidden()
            assert hidden.dtype == np.float32
            for place, seat in enumerate(door.games.seats):
                others = [(int(seat) + step) % game.seats for step in range(1, game.seats)]
                hands = [view_of(game, door.games.states[place : place + 1], other).hand for other in others]
                counts = [[hand.count(kind) for kind in game.deck.kinds] for hand in hands]
                assert hidden[place].tolist() == np.ravel(counts).tolist()
            door.step(allowed(door.games.action_masks, rng))
        assert (hidden != door.hidden()).any(), "each call returns an array of its own"


@pytest.mark.parametrize("make", DOORS)
def test_an_illegal_action_ends_the_episode(make: type[Games]) -> None:
    door = make("black_lady", 2, deals=1)
    door.reset(1)
    masks = door.games.action_masks
    result = door.step(np.array([masks[0].argmax(), masks[1].argmin()]))
    assert (result.rewards.tolist(), result.ended.tolist()) == ([0, -53], [False, True])
    assert make is TorchRL or list(result.illegal) == [1]
    assert make is TorchRL or result.illegal[1].startswith("seat 0 does not hold")


@pytest.mark.parametrize("make", DOORS)
def test_the_seed_fixes_the_games(make: type[Games]) -> None:
    door = make("black_lady", 3, opponents="random; rule", deals=1)

    def story(seed: int) -> list[bytes]:
        firsts = [door.reset(seed).tobytes()]
        firsts += [door.step(door.games.action_masks.argmax(axis=1)).observations.tobytes() for _ in range(20)]
        return [*firsts, door.reset().tobytes()]

    assert story(5) == story(5) != story(6)


@pytest.mark.parametrize("make", DOORS)
def test_a_closed_door_takes_no_step(make: type[Games]) -> None:
    door = make("black_lady", 3, deals=1)
    door.reset(1)
    saved, actions = door.games.save(), door.games.action_masks.argmax(axis=1)
    for _ in range(2):
        door.env.close()
    games = door.games
    for call in (games.reset, games.save, lambda: games.step(actions), lambda: games.restore(saved)):
        with pytest.raises(ValueError, match=r"^\w+ is not possible: the environment is closed; make another one$"):
            call()


# Gymnasium


def shapes(infos: dict[str, Any]) -> dict[str, Any]:
    """Key -> type and shape, and whatever can be compared."""
    return {
        key: shapes(value)
        if isinstance(value, dict)
        else (value.dtype, value.shape, [getattr(one, "shape", None) for one in value])
        for key, value in infos.items()
    }


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_gymnasium_ends_episodes_as_its_own_vector_environments_do(mode: AutoresetMode) -> None:
    """Beside `SyncVectorEnv` of `LearnerEnv`: the same keys, types and shapes, also of an illegal action."""
    options: dict[str, Any] = {"num_envs": 2, "deals": 1, "first_deal": 0}
    ours = gymnasium.make_vec(ID, autoreset_mode=mode, **options)
    theirs = gymnasium.make_vec(ID, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode}, **options)
    assert isinstance(ours, LearnerVectorEnv)
    rng = np.random.default_rng(0)
    story: list[list[Any]] = []
    for envs in (ours, theirs):
        _, infos = envs.reset(seed=1)
        seen: list[Any] = [shapes(infos)]
        for step in range(20):
            masks = np.maximum(infos["action_mask"], (infos["action_mask"].sum(axis=1) == 0)[:, None])
            actions = allowed(masks, rng)
            actions[1] = masks[1].argmin() if step == 18 else actions[1]
            *arrays, infos = envs.step(actions)
            seen.append([[(array.shape, array.dtype) for array in arrays], arrays[2].tolist(), shapes(infos)])
        story.append(seen)
    assert story[0] == story[1]


def test_gymnasium_shows_the_last_observation_of_an_episode_and_its_wrappers_work() -> None:
    envs = gymnasium.make_vec(ID, num_envs=3, deals=1, first_deal=0, autoreset_mode="SameStep")
    wrapped = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    assert isinstance(envs, LearnerVectorEnv)
    _, infos = wrapped.reset(seed=1)
    for _ in range(16):
        assert "final_obs" not in infos
        observations, _, ends, _, infos = wrapped.step(infos["action_mask"].argmax(axis=1))
    assert ends.all()
    assert (np.stack(infos["final_obs"]) == envs.games.final_observations).all()
    assert (observations != envs.games.final_observations).any(axis=1).all()
    assert infos["episode"]["l"].tolist() == [16] * 3
    assert (infos["episode"]["r"] == -envs.games.finals["totals"][:, 0, 0]).all()


# Stable-Baselines3


def test_stable_baselines_tells_how_an_episode_ended() -> None:
    sb3 = pytest.importorskip("hearts_env.envs.sb3")
    from stable_baselines3.common.vec_env import VecMonitor

    venv = sb3.LearnerVecEnv("omnibus_hearts", 6, deals=1, first_deal=0)
    env: Any = VecMonitor(venv)
    env.seed(1)  # in a few deals of a thousand the learner shoots the moon and has one decision more
    env.reset()
    dones = np.zeros(6, bool)
    while not dones.any():
        masks = np.stack(env.env_method("action_masks"))
        observations, _, dones, infos = env.step(masks.argmax(axis=1))
    for game, info in enumerate(infos):
        assert info["TimeLimit.truncated"] is False
        final = view_of(venv.games.game, venv.games.finals[game : game + 1], 0)
        assert (info["terminal_observation"] == final.observation()).all()
        assert (info["terminal_observation"] != observations[game]).any()
        assert info["episode"]["r"] == -venv.games.finals["totals"][game, 0, 0]
    assert not any("terminal_observation" in info for info in env.step(venv.action_masks().argmax(axis=1))[3])


def test_stable_baselines_asks_for_masks_and_attributes() -> None:
    env = pytest.importorskip("hearts_env.envs.sb3").LearnerVecEnv("black_lady", 3, deals=1)
    masking = pytest.importorskip("sb3_contrib.common.maskable.utils")
    env.reset()
    assert masking.is_masking_supported(env)
    assert (masking.get_action_masks(env) == env.games.action_masks).all()
    assert (env.env_method("action_masks", indices=[2])[0] == env.games.action_masks[2]).all()
    assert (env.env_method("hidden", indices=[2])[0] == env.hidden()[2]).all()
    assert env.get_attr("render_mode") == [None] * 3
    assert env.get_attr("num_envs", indices=1) == [3]
    assert not env.has_attr("no_such_attribute")
    assert env.env_is_wrapped(gymnasium.Wrapper) == [False] * 3
    with pytest.raises(NotImplementedError, match="share their attributes"):
        env.set_attr("seat", 1)


def test_maskable_ppo_learns_and_plays_itself() -> None:
    sb3 = pytest.importorskip("hearts_env.envs.sb3")
    contrib = pytest.importorskip("sb3_contrib")
    env = sb3.LearnerVecEnv("black_lady", 8, opponents="random", deals=1, seat="rotating")
    model = contrib.MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=64, n_epochs=1, seed=1, device="cpu")
    snapshot = sb3.FrozenPolicy(model)
    env.set_opponents(snapshot)
    before = [weights.clone() for weights in snapshot._policy.state_dict().values()]
    model.learn(128)
    after = list(snapshot._policy.state_dict().values())
    assert all((old == new).all() for old, new in zip(before, after, strict=True)), "a snapshot learns no more"
    assert any((old != new).any() for old, new in zip(after, model.policy.state_dict().values(), strict=True))
    again = pickle.loads(pickle.dumps(env.games))
    again.step(again.action_masks.argmax(axis=1))
    seen = []
    for _ in range(2):
        env.seed(7)
        env.reset()
        for _ in range(5):
            env.step(env.action_masks().argmax(axis=1))
        seen.append(env.games.observations.tobytes())
    assert seen[0] == seen[1], "the same seed, the same opponents"


# TorchRL


def test_torchrl_finds_nothing_wrong() -> None:
    torchrl = pytest.importorskip("hearts_env.envs.torchrl")
    from torchrl.envs import check_env_specs

    check_env_specs(torchrl.LearnerTorchEnv("black_lady", 4, opponents="random", deals=1))


@pytest.mark.filterwarnings("ignore:Creating .*WeightUpdater:DeprecationWarning")  # TorchRL's own collector does
def test_torchrl_collects_legal_actions_over_ends_of_episodes_from_opponents_that_were_replaced() -> None:
    torchrl = pytest.importorskip("hearts_env.envs.torchrl")
    from torchrl.collectors import Collector

    asked = []

    def lowest(observations: NDArray[np.float32], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        asked.append(len(masks))
        return np.asarray(masks.argmax(axis=1))

    env = torchrl.LearnerTorchEnv("black_lady", 6, deals=1)
    env.set_opponents(lowest)
    collector = Collector(env, env.rand_action, frames_per_batch=6 * 40, total_frames=6 * 80)
    for data in collector:
        assert data.shape == (6, 40)
        assert data["next", "done"].sum() == data["next", "terminated"].sum() >= 12
        assert data["action_mask"].gather(-1, data["action"][..., None]).all()
    collector.shutdown()
    assert asked
