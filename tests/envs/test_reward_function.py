"""Reward functions: what they see, when they are called, and that every environment pays what they return."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest

import hearts_env as he
from hearts_env.envs.gym import LearnerEnv
from hearts_env.envs.learner import LearnerGames
from hearts_env.envs.outcome import Outcome
from hearts_env.envs.reward_function import Moment
from hearts_env.kernel.records import Phase
from tests.envs.doors import DOORS

Story = Iterator[list[float]]


def points(before: Moment, after: Moment) -> Any:
    """What ``reward="points", timing="trick"`` pays in games of penalties."""
    return before.points - after.points


def batch(make: Callable[..., Any], **options: Any) -> Story:
    env = make(**options)
    env.reset(seed=2)
    rng = np.random.default_rng(0)
    for step in range(230):
        games = rng.permutation(6)[:4] if step % 5 == 1 and isinstance(env, he.VectorEnv) else None
        actions = env.sample_actions(rng)
        yield (env.step(actions)[1] if games is None else env.step(actions[games], games=games)[1]).ravel().tolist()


def learner(make: Callable[..., Any], **options: Any) -> Story:
    door = make("black_lady", 6, opponents="random", seat="rotating", **options)
    door.reset(2)
    rng = np.random.default_rng(0)
    for step in range(100):
        masks = door.games.action_masks
        actions = (rng.random(masks.shape) * masks).argmax(axis=1)
        if step == 30:
            actions[2] = masks[2].argmin()
        yield np.asarray(door.step(actions).rewards).tolist()


def next_step(**options: Any) -> Story:
    games = LearnerGames("black_lady", 6, autoreset="next_step", **options)
    games.reset(seed=2)
    for _ in range(100):
        games.step(games.action_masks.argmax(axis=1))
        yield games.rewards.tolist()


def pettingzoo(make: Callable[..., Any], **options: Any) -> Story:
    env = make("black_lady", **options)
    env.reset(seed=2)
    while env.agents:
        yield [*env.rewards.values(), env.last()[1]]
        done = env.terminations[env.agent_selection]
        env.step(None if done else int(env.action_mask(env.agent_selection).argmax()))


def gymnasium(**options: Any) -> Story:
    env = LearnerEnv("black_lady", seat=2, **options)
    _, info = env.reset(seed=2)
    over = False
    while not over:
        _, reward, over, _, info = env.step(info["action_mask"].argmax())
        yield [reward]


def words(opponents: Any, **options: Any) -> Story:
    env = he.text_env("black_lady", opponents=opponents, tries=0, forfeit="play", **options)
    env.reset(seed=2)
    over, count = False, 0
    while not over:
        count += 1
        _, reward, over, _, info = env.step("[QQ]" if count == 9 else f"[{env.view().legal()[0]}]")
        yield [reward, *info["rewards"]]


STORIES: dict[str, Callable[..., Story]] = {
    "vector": partial(batch, partial(he.vector_env, "black_lady", 6)),
    "resting": partial(batch, partial(he.vector_env, "black_lady", 6, autoreset=False)),
    "mixed": partial(batch, partial(he.mixed_env, ["black_lady", "hearts(players=5)"], 6)),
    "raw_env": partial(pettingzoo, he.raw_env),
    "env": partial(pettingzoo, he.env),
    "gymnasium": gymnasium,
    "next_step": next_step,
    "words": partial(words, None),
    "words among others": partial(words, "rule"),
    **{make.__name__: partial(learner, make) for make in DOORS},
}


@pytest.mark.parametrize("name", STORIES)
def test_a_function_of_the_points_pays_as_the_named_reward_does(name: str) -> None:
    """In episodes of two deals, step by step."""
    named = list(STORIES[name](deals=2, reward="points", timing="trick"))
    paid = list(STORIES[name](deals=2, reward=points))
    assert paid == named
    assert any(map(any, named))


@pytest.mark.usefixtures("threads_for_few_games")
def test_a_function_sees_deals_from_their_start_to_their_end() -> None:
    calls = []
    text = "black_lady(players=5, remainder=kitty, kitty_award=one_per_trick, hand_size=8, cycle=[hold])"

    def watch(before: Moment, after: Moment) -> Any:
        calls.append((before, after))
        return after.attempted

    env = he.vector_env(text, 60, deals=2, threads=2, reward=watch)
    env.reset(seed=4)
    shown = np.zeros(60, bool)
    for step in range(95):
        if step == 20:
            env.restore(env.save())
        *_, paid, ended, _, infos = env.step_with(["shooter"] * 5)
        before, after = calls[-1]
        assert (paid == after.attempted).all()
        assert (after.ended == ended).all()
        same_deal = after.phase != Phase.OVER
        assert (after.tricks.sum(axis=1) - before.tricks.sum(axis=1) <= 1).all()
        assert (after.tricks.sum(axis=1)[after.phase == Phase.OVER] == 8).all()
        assert (before.tricks.sum(axis=1) <= 7 + (before.phase == Phase.MOON)).all()
        states = env.states[same_deal]
        assert (after.attempted[same_deal] == Outcome((env.game,), states)["attempted"]).all()
        assert (after.points[same_deal] == states["points"][:, :5, 0]).all()
        kinds = np.arange(len(env.game.deck.kinds), dtype=np.uint64)
        for record, look in zip(env.finals[ended], after.taken[ended], strict=True):
            assert (look == (record["taken"][:5, :1] >> kinds & np.uint64(1))).all()
        for name in ("points", "attempted", "tricks", "shooter") if ended.any() else ():
            assert (getattr(after, name)[ended] == infos["outcome"][name][ended]).all()
        shown |= ended
    assert len(calls) == 95
    assert shown.all()
    assert any(after.attempted.any() for _, after in calls)


def test_what_a_function_may_not_do_is_refused_in_one_line() -> None:
    for name, value in (("timing", "deal"), ("team_rewards", False)):
        with pytest.raises(ValueError, match=rf"^{name}={value} is not for reward functions; leave it out$"):
            he.env("black_lady", reward=points, **{name: value})
    with pytest.raises(ValueError, match=r"^reward='7' is not one of"):
        he.vector_env("black_lady", 2, reward=7)
    with pytest.raises(ValueError, match=r"^reward=py:a\.py:paid must be the function itself"):
        he.vector_env("black_lady", 2, reward="py:a.py:paid")
    wrong: list[tuple[Any, str]] = [
        (np.zeros((2, 3)), r"reward returned float64 of shape \(2, 3\); it must return numbers of shape \(2, 4\)"),
        (None, "reward returned None; it must return"),
        (np.zeros((2, 4), complex), "reward returned complex128 of shape"),
        ([[0, 0, 0, np.nan], [0, 0, 0, 0]], "reward returned nan for game 0, seat 3; rewards are finite"),
    ]
    for value, message in wrong:
        env = he.vector_env("black_lady", 2, reward=lambda before, after, value=value: value)
        env.reset(seed=1)
        with pytest.raises(ValueError, match=f"^{message}"):
            env.step(env.action_masks.argmax(axis=1))
    env = he.vector_env("black_lady", 2, reward=lambda before, after: after.points == np.zeros((2, 3)) + after.points)
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r"^reward failed in <lambda>, line \d+: ValueError: operands could not"):
        env.step(env.action_masks.argmax(axis=1))
