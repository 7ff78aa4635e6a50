"""The batched environment's whole state: copies, pickles, forks, saves, and steps and resets of some of its games."""

import copy
import multiprocessing
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import hearts_env as he
from tests.support.buffers import BUFFERS, everything

COPIES: dict[str, Callable[[he.VectorEnv], he.VectorEnv]] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "restore": lambda env: restored(env),  # noqa: PLW0108  # defined below
}


def restored(env: he.VectorEnv) -> he.VectorEnv:
    """Another environment in the same state."""
    other = made(env._slices.threads)
    other.restore(env.save())
    return other


def made(threads: int = 1, games: int = 6) -> he.VectorEnv:
    return he.vector_env("omnibus_hearts", games, deals=1, reward="points", tokens=True, threads=threads)


def play(env: he.VectorEnv, steps: int, seed: int = 0) -> list[dict[str, bytes]]:
    """Random steps, and everything after each."""
    rng = np.random.default_rng(seed)
    seen = []
    for _ in range(steps):
        env.step(env.sample_actions(rng))
        seen.append(everything(env))
    return seen


@pytest.mark.usefixtures("threads_for_few_games")
@pytest.mark.parametrize("way", COPIES)
def test_a_copy_goes_on_and_is_paid(way: str) -> None:
    env = made(threads=2)
    env.reset(seed=3)
    play(env, 40)
    other = COPIES[way](env)
    assert everything(other) == everything(env)
    ahead = play(other, 60, seed=1)
    assert ahead == play(env, 60, seed=1)
    assert any(np.frombuffer(one["rewards"], np.float32).any() for one in ahead)
    play(env, 1)
    assert everything(other) == ahead[-1], "the copy shares an array"


def played_on(env: he.VectorEnv, results: Any) -> None:
    results.put(play(env, 70)[-1]["states"])


@pytest.mark.usefixtures("threads_for_few_games")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # forking with threads is what is tested
def test_a_fork_goes_on_with_threads_of_its_own() -> None:
    context = multiprocessing.get_context("fork")
    env = made(threads=2)
    env.reset(seed=3)
    play(env, 5)
    results = context.SimpleQueue()
    child = context.Process(target=played_on, args=(env, results), daemon=True)
    child.start()
    child.join(timeout=60)
    assert child.exitcode == 0, "it hangs"
    assert results.get() == play(env, 70)[-1]["states"]


# Some games only


@pytest.mark.usefixtures("threads_for_few_games")
def test_steps_of_some_games_leave_the_others_alone() -> None:
    env, whole = made(threads=2), made()
    env.reset(seed=3)
    whole.reset(seed=3)
    rng = np.random.default_rng(2)
    paid, due = np.zeros((6, 4)), np.zeros((6, 4))
    for _ in range(80):
        actions = env.sample_actions(rng)
        first = rng.permutation(6)[: rng.integers(1, 6)]
        rest = ~np.isin(np.arange(6), first)
        before = {name: getattr(env, name)[rest].copy() for name in BUFFERS}
        paid += env.step(actions[first], games=first)[1]
        after = {name: getattr(env, name)[rest] for name in BUFFERS}
        assert not after.pop("rewards").any()
        assert not after.pop("terminated").any()
        assert all(array.tobytes() == before[name].tobytes() for name, array in after.items())
        paid += env.step(actions[rest], games=rest)[1]
        due += whole.step(actions)[1]
        assert env.states.tobytes() == whole.states.tobytes()
        assert env.observations.tobytes() == whole.observations.tobytes()
    assert (paid == due).all()
    assert paid.any()


def test_a_reset_of_some_games_leaves_the_others_alone() -> None:
    env, fresh = made(), made()
    env.reset(seed=3)
    play(env, 30)
    before = {name: getattr(env, name).copy() for name in BUFFERS}
    env.reset(seed=9, games=[4, 1])
    fresh.reset(seed=9)
    for name in BUFFERS:
        now = getattr(env, name)
        assert now[[0, 2, 3, 5]].tobytes() == before[name][[0, 2, 3, 5]].tobytes()
        if name != "finals":
            assert now[[4, 1]].tobytes() == getattr(fresh, name)[[4, 1]].tobytes()


def test_every_game_may_begin_from_a_seed_and_a_position_of_its_own() -> None:
    env = he.vector_env("black_lady", 3, deals=2, first_deal=0)
    hands = he.Match("black_lady", seed=5).hands
    options = [None, {"totals": [90, 40, 0, 12], "deal_number": 3}, {"hands": hands, "leader": 2, "dealer": 1}]
    env.reset(seed=[8, 8, 2**64 - 1], options=options)
    set_by_hand = he.Match.from_hands("black_lady", hands, leader=2, dealer=1, seed=2**64 - 1)
    matches = [he.Match("black_lady", seed=8), set_by_hand]
    assert env.states["seed"].tolist() == [8, 8, 2**64 - 1]
    for row, match in zip((0, 2), matches, strict=True):
        assert env.observations[row].tobytes() == match.view(int(env.seats[row])).observation().tobytes()
    assert env.states["totals"][1, :4, 0].tolist() == [90, 40, 0, 12]
    assert env.states["deal_limit"].tolist() == [2, 5, 2]
    rng = np.random.default_rng(0)
    ends = np.zeros(3, int)
    while ends.min() < 2:
        ends += env.step(env.sample_actions(rng))[2]
    assert (env.finals["deal_number"] < 2).all(), "an episode after one from a position has 2 deals again"
