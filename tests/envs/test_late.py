"""Where rewards go: what usual loops credit, and that `late_rewards` makes them credit everything."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import hearts_env as he
from lab.credited import rows, share, tianshou_rows, tutorial, until_all_done

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # its tests import a game in a way it has deprecated
    from pettingzoo.test import api_test, seed_test

WRONG = [tutorial, tianshou_rows, rows]
GAMES: list[tuple[str, dict[str, Any]]] = [
    ("black_lady", {"deals": 1}),
    ("black_lady", {"deals": 3, "timing": "trick"}),
    ("gong_zhu", {"deals": 2, "reward": "relative"}),
    ("partnership_hearts", {"deals": 1, "reward": "win", "team_rewards": True}),
    ("complex_hearts", {"deals": 2, "reward": "vector"}),
    ("cancellation_hearts(players=11)", {"deals": 2, "timing": "trick"}),
]


@pytest.mark.parametrize("loop", WRONG)
def test_usual_loops_lose_most_of_the_points(loop: Any) -> None:
    assert 0.1 < share(loop, late=False, deals=40) < 0.4


@pytest.mark.parametrize("loop", [*WRONG, until_all_done])
@pytest.mark.parametrize(("rules", "options"), GAMES)
def test_with_late_rewards_every_seat_is_credited_with_all_it_earned(
    loop: Any, rules: str, options: dict[str, Any]
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
        env.step(int(rng.choice(observation["action_mask"].nonzero()[0])))
        assert not any(env.rewards[other] for other in env.agents if other != agent)
    assert len(set(closing)) == 3
    assert all(env.terminations.values())
    assert not any(env.truncations.values())


def test_pettingzoo_finds_nothing_wrong() -> None:
    api_test(he.late_rewards(he.env("black_lady", deals=1)), num_cycles=300)
    seed_test(lambda: he.late_rewards(he.env("black_lady", deals=1)), num_cycles=100)
