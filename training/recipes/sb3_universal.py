"""An entry of the benchmark by MaskablePPO of sb3-contrib: `python sb3_universal.py SECONDS SPLIT`.

It learns for so many seconds of CPU time among copies of `rule` from 16 training rules at once, in the layout that is
the same for all games, and plays any rules.
"""

import sys
from functools import partial
from time import process_time

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor
from torch import nn

import hearts_env as he
from hearts_agents import Agent
from hearts_agents.registry import register
from hearts_env.benchmark.splits import SplitRule, split
from hearts_env.envs.gym import LearnerEnv
from hearts_env.envs.universal import UniversalForm
from hearts_training.cli import main

ENVS = 8  # of each rule


def learner(line: SplitRule) -> gymnasium.Env:
    """A learner in seat 0 among copies of `rule`; a deal pays in standard deviations of a deal."""
    env = LearnerEnv(line.rules, layout="universal", opponents="rule", deals=1, reward="relative")
    return gymnasium.wrappers.TransformReward(env, lambda reward: reward / line.random["sd"])


class Budget(BaseCallback):
    """Stops after so many seconds of CPU time."""

    def _on_step(self) -> bool:
        return process_time() - began < float(sys.argv[1])


began = process_time()
envs = VecMonitor(DummyVecEnv([partial(learner, line) for line in split("train_0:16") for _ in range(ENVS)]))
model = MaskablePPO(
    "MlpPolicy",
    envs,
    learning_rate=5e-4,
    n_steps=64,
    batch_size=1024,
    n_epochs=2,
    gamma=1.0,
    gae_lambda=0.95,
    ent_coef=0.01,
    policy_kwargs={"net_arch": [256, 256], "activation_fn": nn.ReLU},
    seed=0,
    device="cpu",
    verbose=1,
)
model.learn(10**9, Budget())


class Sb3Universal(Agent):
    """Plays the most probable action."""

    def act_batch(self, views: he.Views) -> np.ndarray:
        """One action for each view."""
        form, (own, masks) = UniversalForm(views.game), views.observations()
        rows = form.rows(views.records, views.records["seat"], own, masks)
        with torch.no_grad():
            body = model.policy.mlp_extractor.policy_net
            logits = model.policy.action_net(body(torch.from_numpy(rows))).numpy()
        return form.own(np.where(form.masks(masks) > 0, logits, -np.inf).argmax(1))


register("sb3_universal", Sb3Universal, "MaskablePPO over rules")
declared = ["--met-reference", "--training-hours", f"{float(sys.argv[1]) / 3600:.2f}"]
sys.exit(
    main(
        ["benchmark", "sb3_universal", "--split", sys.argv[2], *declared, "--out", f"runs/sb3_universal-{sys.argv[2]}"]
    )
)
