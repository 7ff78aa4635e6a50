"""What an illegal action pays: less than any legal episode, unless the user says what."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hearts_env as he
from hearts_env.envs.gym import LearnerEnv
from hearts_env.envs.illegal import worst_return
from hearts_env.envs.options import open_game
from tests.support.games import COVERING

GAMES = 64
EPISODES: list[dict[str, Any]] = [
    {"deals": 1},
    {"deals": 1, "reward": "relative"},
    {"deals": 3, "timing": "trick"},
    {},
    {"reward": "relative"},
    {"reward": "rank"},
    {"reward": "win"},
]


def offend(env: Any) -> None:
    """Take an illegal action."""
    env.step(int((env.last()[0]["action_mask"] == 0).argmax()))


def returns(rules: str, options: dict[str, Any]) -> Any:
    """The sum of the rewards of every seat in `GAMES` random episodes, (games, seats)."""
    env = he.vector_env(rules, GAMES, autoreset=False, **options)
    env.reset(seed=5)
    rng, total = np.random.default_rng(5), np.zeros(env.rewards.shape)
    while (env.seats >= 0).any():
        total += env.step(env.sample_actions(rng))[1]
    return total


@pytest.mark.parametrize("rules", COVERING)
def test_no_legal_episode_pays_less_than_the_bound(rules: str) -> None:
    for options in EPISODES:
        assert returns(rules, options).min() >= worst_return(*open_game(rules, options)), options


@pytest.mark.parametrize(
    ("rules", "options", "reward"),
    [
        ("black_lady", {"deals": 1}, -53),
        ("black_lady", {"deals": 1, "reward": "relative"}, -79),
        ("black_lady", {"deals": 2}, -105),
        ("black_lady", {"deals": 50}, -153),
        ("black_lady", {}, -153),
        ("black_lady(tie=continue)", {"deals": 50}, -2601),
        ("black_lady", {"reward": "rank"}, -2),
        ("black_lady", {"reward": "win"}, -1),
        ("big_moon", {}, -521),
        ("math_team_hearts", {}, -25),
        ("gong_zhu", {}, -1901),
        ("uk_black_lady", {"deals": 2}, -817),
        ("partnership_hearts", {"deals": 1, "team_rewards": True}, -105),
        ("black_lady", {"illegal_reward": 2.5}, 2.5),
    ],
)
def test_what_an_illegal_action_pays(rules: str, options: dict[str, Any], reward: float) -> None:
    env = he.env(rules, **options)
    env.reset(seed=1)
    offender = env.agent_selection
    offend(env)
    assert env.rewards == {agent: reward if agent == offender else 0 for agent in env.possible_agents}
    assert LearnerEnv(rules, **options)._env.illegal_reward == reward


@pytest.mark.parametrize(("rules", "reward"), [("black_lady", 53), ("gong_zhu", -901)])
def test_under_vector_rewards_it_has_the_sign_of_the_scores(rules: str, reward: float) -> None:
    env = he.env(rules, deals=1, reward="vector")
    env.reset(seed=1)
    offender = env.agent_selection
    offend(env)
    assert env.rewards[offender].tolist() == [reward, 0]
    assert env.rewards[offender].dtype == np.float32


@pytest.mark.parametrize("reward", ["low", float("nan"), float("inf"), True, 10**400])
def test_it_is_a_finite_number(reward: object) -> None:
    for make in (he.env, he.vector_env, LearnerEnv):
        with pytest.raises(ValueError, match=r"^illegal_reward=.* is not possible; it is a finite number$"):
            make("black_lady", illegal_reward=reward)
