"""The batched face: games that rest, buffers that stay in place, threads, seeds, and rewards in time."""

import copy
from itertools import product
from typing import Any

import numpy as np
import pytest

import hearts_env as he
from hearts_env.kernel.records import STATE, Phase
from tests.journey.faces import sums
from tests.support.buffers import BUFFERS, everything


def test_without_autoreset_a_finished_game_rests() -> None:
    env = he.vector_env("openspiel", 8, autoreset=False)
    env.reset(seed=2)
    rng = np.random.default_rng(2)
    ends = np.zeros(8, int)
    for _ in range(80):
        resting = env.states["phase"] == Phase.OVER
        before = env.states[resting]
        actions = env.sample_actions(rng)
        actions[resting] = rng.integers(-9, 99)
        ends += env.step(actions)[2]
        assert all(np.array_equal(env.states[name][resting], before[name]) for name in STATE.names or ())
        assert not env.rewards[resting].any()
        assert not env.action_masks[env.states["phase"] == Phase.OVER].any()
        assert (env.seats[env.states["phase"] == Phase.OVER] == -1).all()
    assert ends.tolist() == [1] * 8


# Buffers, threads, seeds


def test_buffers_stay_where_they_are() -> None:
    torch = pytest.importorskip("torch")
    env = he.vector_env("black_lady", 16, tokens=True)
    wrapped = {name: torch.from_numpy(getattr(env, name)) for name in ("observations", "action_masks", "tokens")}
    where = {name: getattr(env, name).__array_interface__["data"][0] for name in BUFFERS}
    rng = np.random.default_rng(0)
    for _ in range(3):
        env.reset(seed=0)
        for _ in range(70):
            observations, rewards, terminated, _, infos = env.step(env.sample_actions(rng))
        assert observations is env.observations
        assert rewards is env.rewards
        assert terminated is env.terminated
        assert infos["action_mask"] is env.action_masks
        assert {name: getattr(env, name).__array_interface__["data"][0] for name in BUFFERS} == where
        for name, tensor in wrapped.items():
            buffer = getattr(env, name)
            assert tensor.data_ptr() == where[name]
            assert buffer.flags["C_CONTIGUOUS"]
            assert tensor.numpy().tobytes() == buffer.tobytes()
    assert [wrapped[name].dtype for name in wrapped] == [torch.float32, torch.int8, torch.int16]


@pytest.mark.usefixtures("threads_for_few_games")
@pytest.mark.parametrize(("games", "threads"), [(64, 2), (7, 3), (1, 2), (2, 5)])
def test_threads_change_nothing(games: int, threads: int) -> None:
    options: dict[str, Any] = {"tokens": True, "reward": "relative", "timing": "trick", "deals": 1}
    one, many = (he.vector_env("heartsette(players=5)", games, threads=count, **options) for count in (1, threads))
    one.reset(seed=3)
    many.reset(seed=3)
    rng = np.random.default_rng(3)
    for _ in range(150):
        actions = one.sample_actions(rng)
        one.step(actions)
        many.step(actions)
        assert everything(one) == everything(many)
    one.close()
    many.close()


def test_a_seed_fixes_everything_whatever_was_played_before() -> None:
    def story(env: he.VectorEnv, seed: int | None) -> list[dict[str, bytes]]:
        env.reset(seed=seed)
        rng, events = np.random.default_rng(0), []
        for _ in range(100):
            events.append(everything(env) | {"finals": b""})
            env.step(env.sample_actions(rng))
        return events

    env = he.vector_env("queens(schedule=random, cycle=[pool, scatter])", 6, tokens=True)
    first = story(env, 11)
    assert story(env, 11) == first == story(copy.deepcopy(env), 11)
    assert story(env, 12)[0] != first[0]
    again, fresh = he.vector_env("queens", 6), he.vector_env("queens", 6)
    assert fresh.reset()[0].tobytes() != again.reset()[0].tobytes()
    later = [[env.reset(seed=seed)[0].tobytes() for seed in (11, None, None)] for env in (again, fresh)]
    assert later[0] == later[1], "a seed fixes what later resets without one deal"
    assert len(set(later[0])) == 3


# Rewards


@pytest.mark.parametrize(("reward", "timing"), list(product(("points", "relative", "rank", "win"), ("deal", "trick"))))
def test_rewards_are_paid_in_time(reward: str, timing: str) -> None:
    env = he.vector_env("rickety_kate", 40, reward=reward, timing=timing, deals=3)
    env.reset(seed=7)
    rng = np.random.default_rng(7)
    seen = 0
    for _ in range(200):
        trick, deal = env.states["trick_number"].copy(), env.states["deal_number"].copy()
        points = env.states["points"][:, :4, 0].copy()
        env.step(env.sample_actions(rng))
        trick_ended = env.states["trick_number"] != trick
        deal_ended = (env.states["deal_number"] != deal) | env.terminated
        due = env.terminated if reward in ("rank", "win") else deal_ended if timing == "deal" else trick_ended
        assert not env.rewards[~due].any()
        seen += int(env.rewards[due].any(axis=1).sum())
        if reward == "points" and timing == "trick":
            inside = trick_ended & ~deal_ended
            gained = env.states["points"][:, :4, 0] - points
            assert (env.rewards[inside] == -gained[inside]).all()
    assert seen >= 40


def test_a_closed_environment_refuses_everything_in_one_line() -> None:
    env = he.vector_env("black_lady", 4096, threads=2)
    env.reset(seed=1)
    saved, actions = env.save(), env.action_masks.argmax(axis=1)
    env.step(actions)
    states = env.states.copy()
    for _ in range(2):
        env.close()
    given: dict[str, list[Any]] = {"step": [actions], "restore": [saved], "sample_actions": [np.random.default_rng(0)]}
    public = {name for name, value in vars(he.VectorEnv).items() if not name.startswith("_") and callable(value)}
    assert given.keys() | {"close"} < public
    for name in public - {"close"}:
        with pytest.raises(ValueError, match=f"^{name} is not possible: the environment is closed; make another one$"):
            getattr(env, name)(*given.get(name, []))
    with pytest.raises(ValueError, match="the environment is closed"):
        copy.deepcopy(env).step(actions)
    assert (env.states == states).all()
    assert not env._slices._pool


def test_rewards_of_whole_matches_add_up() -> None:
    for text in (
        "danger_hearts(lives=1)",
        "complex_hearts(score.better=real)",
        "black_lady(exact={26:-26}, target=40)",
    ):
        sums(text, deals=None)


def test_relative_rewards_late_in_a_match_are_rounded_once() -> None:
    env, paid = he.vector_env("black_lady", 32, reward="relative"), 0
    env.reset(seed=3)
    for _ in range(400):
        before = env.states["totals"][:, :4, 0].astype(np.int64)
        env.step(env.act("random"))
        points = env.states["totals"][:, :4, 0] - before
        rest = points.sum(axis=1, keepdims=True) - points
        goes_on = ~env.terminated
        assert np.array_equal(env.rewards[goes_on], (rest / 3 - points)[goes_on].astype(np.float32))
        paid += int((env.rewards[goes_on & (before.max(axis=1) > 30)] != 0).sum())
    assert paid > 100
