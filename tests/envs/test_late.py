"""Where rewards go: what usual loops credit, and that `late_rewards` makes them credit everything."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import hearts_env as he

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # its tests import a game in a way it has deprecated
    from pettingzoo.test import api_test, seed_test

Loop = Callable[[Any, np.random.Generator], dict[str, Any]]
"""Plays one episode of an environment that was reset and returns what it credits to each agent."""


def after_each_step(reward: Callable[[Any, Any], float]) -> Loop:
    """A loop with one row per step; `reward` is what it reads, after a step, for the agent that has just acted."""

    def loop(env: Any, rng: np.random.Generator) -> dict[str, Any]:
        credited, over = dict.fromkeys(env.possible_agents, 0.0), False
        while not over:
            agent = env.agent_selection
            env.step(legal(env.observe(agent), rng))
            credited[agent] = credited[agent] + reward(env, agent)
            over = env.terminations[agent] or env.truncations[agent]
        return credited

    return loop


def until_all_done(env: Any, rng: np.random.Generator) -> dict[str, Any]:
    """The reward of `last` for the agent's own row before, until every agent is done: the right loop."""
    credited = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        credited[agent] = credited[agent] + reward
        env.step(None if terminated or truncated else legal(observation, rng))
    return credited


def legal(observation: dict[str, Any], rng: np.random.Generator) -> int:
    return int(rng.choice(observation["action_mask"].nonzero()[0]))


WRONG = {
    "PettingZoo's tutorial": after_each_step(lambda env, agent: env._cumulative_rewards[agent]),
    "Tianshou": after_each_step(lambda env, agent: env.rewards.get(agent, 0)),
    "CleanRL": after_each_step(lambda env, agent: env.rewards[agent]),
}
"""Usual loops."""
GAMES: list[tuple[str, dict[str, Any]]] = [
    ("black_lady", {"deals": 1}),
    ("black_lady", {"deals": 3, "timing": "trick"}),
    ("gong_zhu", {"deals": 2, "reward": "relative"}),
    ("partnership_hearts", {"deals": 1, "reward": "win", "team_rewards": True}),
    ("complex_hearts", {"deals": 2, "reward": "vector"}),
    ("cancellation_hearts(players=11)", {"deals": 2, "timing": "trick"}),
]


@pytest.mark.parametrize("loop", WRONG.values(), ids=WRONG)
def test_usual_loops_lose_most_of_the_points(loop: Loop) -> None:
    env, rng = he.env("black_lady", deals=1), np.random.default_rng(0)
    earned = credited = 0.0
    for deal in range(40):
        env.reset(seed=deal)
        got = loop(env, rng)
        paid = dict(zip(env.possible_agents, -env.record["totals"][:, 0].astype(float), strict=False))
        earned += sum(map(abs, paid.values()))
        credited += sum(abs(paid[seat]) - abs(paid[seat] - got[seat]) for seat in paid)
    assert 0.1 < credited / earned < 0.4


@pytest.mark.parametrize("loop", [*WRONG.values(), until_all_done], ids=[*WRONG, "the right loop"])
@pytest.mark.parametrize(("rules", "options"), GAMES)
def test_with_late_rewards_every_seat_is_credited_with_all_it_earned(
    loop: Loop, rules: str, options: dict[str, Any]
) -> None:
    bare, late = he.env(rules, **options), he.late_rewards(he.env(rules, **options))
    for env in (bare, late):
        env.reset(seed=3)
    wanted, credited = until_all_done(bare, np.random.default_rng(3)), loop(late, np.random.default_rng(3))
    assert all(np.allclose(credited[agent], wanted[agent], atol=1e-4) for agent in wanted)


def test_rewards_come_in_the_seats_own_steps_only_and_the_episode_ends_for_all_at_once() -> None:
    env, rng = he.late_rewards(he.env("black_lady", deals=2)), np.random.default_rng(3)
    env.reset(seed=3)
    closing = []
    while not any(env.terminations.values()):
        agent = env.agent_selection
        observation, _, _, _, info = env.last()
        assert (observation["action_mask"] == info["action_mask"]).all()
        over = env.env.terminations[agent]
        if over:
            closing.append(agent)
            assert observation["action_mask"].nonzero()[0].tolist() == [0]
            assert (observation["observation"] == env.view(agent).observation()).all()
        env.step(legal(observation, rng))
        assert not any(env.rewards[other] for other in env.agents if other != agent)
    assert len(set(closing)) == 3
    assert all(env.terminations.values())
    assert not any(env.truncations.values())


def test_pettingzoo_finds_nothing_wrong() -> None:
    api_test(he.late_rewards(he.env("black_lady", deals=1)), num_cycles=300)
    seed_test(lambda: he.late_rewards(he.env("black_lady", deals=1)), num_cycles=100)
