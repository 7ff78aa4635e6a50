"""Where episodes begin, how long they last, and whom they pay, through every door."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest

import hearts_env as he
from hearts_env.compiled.game import compile_game
from hearts_env.envs.gym import LearnerEnv
from hearts_env.envs.learner import LearnerGames
from hearts_env.envs.sb3 import LearnerVecEnv
from hearts_env.envs.torchrl import LearnerTorchEnv
from tests.support.games import COVERING

Deals = Iterator[int]
"""The numbers of the deals in which episodes begin, one after the other."""


def vector(variant: str, **options: Any) -> Deals:
    env = he.vector_env(variant, 16, **options)
    _, infos = env.reset(seed=3)
    yield from infos["deal_number"].tolist()
    while True:
        *_, infos = env.step(env.action_masks.argmax(axis=1))
        yield from infos["deal_number"][env.terminated].tolist()


def pettingzoo(variant: str, *, wrap: Callable[[Any], Any] = lambda env: env, **options: Any) -> Deals:
    env = wrap(he.env(variant, **options))
    env.reset(seed=3)
    while True:
        yield env.unwrapped.deal_number
        env.reset()


def late(variant: str, **options: Any) -> Deals:
    yield from pettingzoo(variant, wrap=he.late_rewards, **options)


def single(variant: str, **options: Any) -> Deals:
    env = LearnerEnv(variant, **options)
    _, info = env.reset(seed=3)
    while True:
        yield info["deal_number"]
        done = False
        while not done:
            _, _, done, _, info = env.step(int(env.action_masks().argmax()))
        _, info = env.reset()


def many(variant: str, **options: Any) -> Deals:
    envs = gymnasium.make_vec("hearts_env:Hearts/BlackLady-v0", num_envs=16, autoreset_mode="SameStep", **options)
    _, infos = envs.reset(seed=3)
    yield from infos["deal_number"].tolist()
    while True:
        _, _, ended, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
        yield from infos["deal_number"][ended].tolist()


def stable_baselines(variant: str, **options: Any) -> Deals:
    env = LearnerVecEnv(variant, 16, **options)
    env.seed(3)
    env.reset()
    while True:
        *_, infos = env.step(env.action_masks().argmax(axis=1))
        deals = options["deals"]
        yield from (info["deal_number"] - deals + 1 for info in infos if info)


def torchrl(variant: str, **options: Any) -> Deals:
    env = LearnerTorchEnv(variant, 16, **options)
    for seed in range(3, 100):
        env.set_seed(seed)
        env.reset()
        yield from env.games.states["deal_number"].tolist()


DOORS: dict[str, Callable[..., Deals]] = {
    door.__name__: door for door in (vector, pettingzoo, late, single, many, stable_baselines, torchrl)
}


def begins(door: str, count: int, variant: str = "black_lady", **options: Any) -> list[int]:
    numbers = DOORS[door](variant, **options)
    return [next(numbers) for _ in range(count)]


@pytest.mark.parametrize("door", DOORS)
def test_an_episode_shorter_than_a_match_begins_anywhere_in_the_pass_cycle(door: str) -> None:
    found = begins(door, 40, deals=1)
    assert set(found) == {0, 1, 2, 3}
    assert begins(door, 40, deals=1) == found
    assert set(begins(door, 20, deals=1, first_deal=2)) == {2}


@pytest.mark.parametrize("text", COVERING)
def test_short_episodes_have_all_their_deals(text: str) -> None:
    game = compile_game(he.rules(text))
    for deals in (1, 2):
        env = he.vector_env(text, 200, deals=deals)
        _, infos = env.reset(seed=5)
        first, most = infos["deal_number"], game.rules.end.max_deals
        assert first.min() == 0
        assert first.max() == max(0, min(game.pass_cycle, (most or 1000) - deals + 1) - 1)
        assert (env.states["deal_limit"] == first + deals).all()


@pytest.mark.parametrize("first_deal", [0, 2, 6])
def test_the_limit_counts_from_the_first_deal(first_deal: int) -> None:
    env = he.vector_env("black_lady", 4, deals=3, first_deal=first_deal)
    env.reset(seed=1)
    while not env.terminated.any():
        env.step(env.action_masks.argmax(axis=1))
    assert env.finals["deal_number"][env.terminated].tolist() == [first_deal + 2] * int(env.terminated.sum())
    assert (env.states["deal_number"][env.terminated] == first_deal).all()


def test_a_match_begins_with_its_first_deal() -> None:
    for options in ({}, {"max_deals": 3, "deals": 3}, {"max_deals": 3, "deals": 7}):
        assert not he.vector_env("black_lady", 50, **options).reset(seed=1)[1]["deal_number"].any()
    assert (he.vector_env("black_lady", 50, first_deal=2).reset(seed=1)[1]["deal_number"] == 2).all()


def test_the_pass_follows_the_deal() -> None:
    env = he.vector_env("black_lady", 64, deals=1)
    env.reset(seed=2)
    held = env.states["deal_number"] == 3
    assert held.any()
    assert (env.states["phase"][held] == he.Match("black_lady(cycle=hold)", seed=0)._record["phase"]).all()


def test_a_position_without_hands_follows_the_same_rule() -> None:
    hands = he.Match("black_lady", seed=1).hands
    totals, dealt = [10, 0, 0, 30], {"hands": hands}
    env = he.vector_env("black_lady", 40, deals=1)
    options: list[Any]
    for options, want in (
        ([{"totals": totals}] * 40, {0, 1, 2, 3}),
        ([{"totals": totals, "deal_number": 2}] * 40, {2}),
        ([dealt] * 40, {0}),
        ([dealt | {"deal_number": 5}] * 40, {5}),
    ):
        assert set(env.reset(seed=4, options=options)[1]["deal_number"].tolist()) == want
        assert (env.states["deal_limit"] == env.states["deal_number"] + 1).all()
    fixed = he.vector_env("black_lady", 1, deals=1, first_deal=1)
    assert fixed.reset(options=dealt)[1]["deal_number"] == 1
    assert fixed.reset(options={"totals": totals})[1]["deal_number"] == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"first_deal": -1}, "first_deal=-1"),
        ({"first_deal": 1.5}, "first_deal=1.5"),
        ({"first_deal": True}, "first_deal=True"),
        ({"first_deal": 4, "max_deals": 4}, "first_deal=4 is not possible.*the deals 0 to 3"),
    ],
)
def test_a_first_deal_that_cannot_be(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        he.vector_env("black_lady", **options)


# --- whom they pay ---------------------------------------------------------------------------------------------------

TEAMS = {
    "black_lady": False,
    "partnership_hearts": True,
    "likha": False,
    "likha(team_scoring=sum)": True,
    "partnership_hearts(team_scoring=individual)": False,
    "gong_zhu(teams=[0+2,1+3])": True,
}


@pytest.mark.parametrize(("text", "together"), TEAMS.items())
def test_partners_are_paid_for_what_decides_the_match(text: str, together: bool) -> None:
    """``table.team_scoring``: the sum of a team, or the total of one player."""

    def paid(**options: Any) -> Any:
        env = he.vector_env(text, 32, deals=1, reward="relative", autoreset=False, **options)
        env.reset(seed=6)
        total = np.zeros(env.rewards.shape)
        while (env.seats >= 0).any():
            total += env.step(env.action_masks.argmax(axis=1))[1]
        return total

    assert (paid() == paid(team_rewards=False)).all() != together
    if he.rules(text).table.teams:
        assert (paid() == paid(team_rewards=True)).all() == together
        assert (paid()[:, 0] == paid()[:, 2]).all() == together


def paid_by(door: str, text: str) -> float:
    """What the learner in seat 0 earns in a deal in which every seat plays its first legal action."""

    def first(observations: Any, masks: Any) -> Any:
        return masks.argmax(axis=1)

    options: dict[str, Any] = {"deals": 1, "first_deal": 0, "reward": "points", "opponents": first}
    if door == "pettingzoo":
        env = he.env(text, deals=1, first_deal=0)
        env.reset(seed=8, options={"hands": HANDS})
        paid = 0.0
        for agent in env.agent_iter():
            observation, reward, done, *_ = env.last()
            paid += reward if agent == "player_0" else 0
            env.step(None if done else int(observation["action_mask"].argmax()))
        return paid
    if door == "vector":
        many = he.vector_env(text, 1, deals=1, first_deal=0, autoreset=False)
        many.reset(seed=8, options={"hands": HANDS})
        paid = 0.0
        while many.seats[0] >= 0:
            paid += many.step(many.action_masks.argmax(axis=1))[1][0, 0]
        return paid
    if door == "single":
        one = LearnerEnv(text, **options)
        one.reset(seed=8, options={"hands": HANDS})
        paid, done = 0.0, False
        while not done:
            _, reward, done, *_ = one.step(int(one.action_masks().argmax()))
            paid += reward
        return paid
    games = LearnerGames(text, 1, autoreset="disabled", **options)
    games.reset(seed=8, options={"hands": HANDS})
    paid = 0.0
    while not games.over[0]:
        games.step(games.action_masks.argmax(axis=1))
        paid += games.rewards[0]
    return paid


HANDS = he.Match("partnership_hearts", seed=23).hands


def test_every_door_pays_the_team() -> None:
    """`LearnerGames` is inside the doors of Gymnasium's vectors, Stable-Baselines3 and TorchRL."""
    found = {door: paid_by(door, "partnership_hearts") for door in ("pettingzoo", "vector", "single", "games")}
    alone = {door: paid_by(door, "partnership_hearts(team_scoring=individual)") for door in found}
    assert len(set(found.values())) == len(set(alone.values())) == 1
    assert found != alone


def test_openspiel_pays_as_the_environments_do() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import hearts_env.envs.openspiel  # noqa: F401  # registers the games

    for text, together in (("partnership_hearts", True), ("likha", False)):
        game = pyspiel.load_game("hearts_env", {"variant": text, "reward": "points"})
        pairs = Counter[bool]()
        for seed in range(6):
            state, rng = game.new_initial_state(), np.random.default_rng(seed)
            while not state.is_terminal():
                state.apply_action(int(rng.choice(state.legal_actions())))
            pairs[state.returns()[0] == state.returns()[2]] += 1
        assert pairs[True] == 6 if together else pairs[False] > 0
