"""MaskablePPO of sb3-contrib: what it learns from, that it learns, and runs like those of PPO."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from hearts_agents.arena import run_arena
from hearts_training.train import checkpoint as store
from hearts_training.train.config import MaskablePPOConfig
from hearts_training.train.learner import DivergedError
from hearts_training.train.maskable_ppo import MaskablePPOLearner
from tests.training.runs import resume, run

pytestmark = pytest.mark.usefixtures("one_thread", "no_figures")
TINY: dict[str, Any] = {"num_envs": 8, "rollout_steps": 16, "hidden": (16,), "minibatch": 64, "epochs": 1}


def maskable(variant: str = "black_lady", **changes: Any) -> MaskablePPOLearner:
    return MaskablePPOLearner(variant, MaskablePPOConfig(**(TINY | {"rollout_steps": 32} | changes)), seed=0)


def test_a_rollout_is_not_shorter_than_a_deal() -> None:
    with pytest.raises(ValueError, match="rollout_steps=4 is shorter than a deal of black_lady"):
        maskable(rollout_steps=4).update(0.0)


@pytest.mark.parametrize("timing", ["deal", "trick"])
def test_an_episode_is_a_deal_and_its_rewards_are_the_learners(timing: str) -> None:
    learner = maskable(opponents=("random",), timing=timing)
    env, games = learner.env, learner.env.games
    env.seed(3)
    env.reset()
    earned, rng = np.zeros(8), np.random.default_rng(0)
    for _ in range(200):
        seats, before = games.seats.copy(), games.states["totals"][np.arange(8), games.seats, 0].copy()
        masks = np.stack(env.env_method("action_masks"))
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        number = games.states["deal_number"].copy()
        _, rewards, dones, _ = env.step(actions)
        earned += rewards
        for game in np.flatnonzero(dones):
            ended = games.finals if games.terminated[game] else games.states
            assert games.terminated[game] or games.states["deal_number"][game] == number[game] + 1
            points = ended["scored"][game, :4, 0].astype(float)
            own = points[seats[game]]
            relative = (points.sum() - own) / 3 - own
            assert earned[game] == pytest.approx(relative * games.game.tables["point_scale"], abs=1e-5)
            earned[game] = 0
            assert before[game] >= 0
    assert env.deals > 8 * 10


def test_it_learns_against_its_snapshots() -> None:
    learner = maskable(num_envs=32, rollout_steps=48, hidden=(32,), epochs=3, learning_rate=3e-3, opponents=("self",))
    figures = [learner.update(0.0) for _ in range(5)]
    assert figures[-1]["explained_variance"] > figures[0]["explained_variance"]
    assert figures[-1]["entropy"] < figures[0]["entropy"]
    assert learner.decisions == 5 * 48 * 32
    assert learner.updates == 5
    assert learner.deals >= 5 * 32 * 2


def test_figures_that_are_not_finite_end_the_training() -> None:
    learner = maskable()
    learner.update(0.0)
    with torch.no_grad():
        learner.model.policy.value_net.bias[0] = float("nan")
    with pytest.raises(DivergedError, match="training diverged"):
        learner.update(0.0)


def test_a_run_leaves_an_agent_and_is_resumed_exactly(tmp_path: Path) -> None:
    options: dict[str, Any] = {"algorithm": "maskable-ppo", "deals": 40, "hyper_parameters": TINY}
    whole = run(tmp_path / "whole", **options)
    assert run(tmp_path / "parts", lambda status: status.progress > 0.4, **options).interrupted
    parts = resume(tmp_path / "parts")
    assert (parts.algorithm, parts.curve) == ("maskable-ppo", whole.curve)
    found, other = (store.find_checkpoint(tmp_path / name) for name in ("whole", "parts"))
    assert found.name == other.name
    assert (found / store.TENSORS).read_bytes() == (other / store.TENSORS).read_bytes()
    assert whole.agent == f"sb3:{tmp_path / 'whole'}"
    assert [agent.name for agent in run_arena([whole.agent, "random"], deals=8).agents] == [whole.agent, "random"]
    written = json.loads((tmp_path / "whole" / "result.json").read_text())
    assert (written["algorithm"], written["network_only_per_second"]) == ("maskable-ppo", None)
    assert whole.curve[-1]["deals"] == whole.deals >= 40
    with pytest.raises(ValueError, match=r"was trained by maskable-ppo, not ppo; leave the algorithm out"):
        resume(tmp_path / "whole", algorithm="ppo", deals=1)
    with pytest.raises(ValueError, match=r"clip=0.5 cannot be changed"):
        resume(tmp_path / "whole", deals=1, hyper_parameters={"clip": 0.5})
