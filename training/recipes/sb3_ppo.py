"""MaskablePPO of sb3-contrib against the `rule` agent, then against copies of itself: python sb3_ppo.py [STEPS]."""

import sys

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy

from hearts_env.envs.sb3 import FrozenPolicy, LearnerVecEnv

STEPS = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000

env = LearnerVecEnv("black_lady", 256, opponents="rule", deals=1, reward="relative")
model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=1024, n_epochs=2, gae_lambda=0.8, device="cpu")
model.learn(STEPS // 2)
for _ in range(4):
    env.set_opponents(FrozenPolicy(model))
    model.learn(STEPS // 8, reset_num_timesteps=False)

against_rule = LearnerVecEnv("black_lady", 256, opponents="rule", deals=1, reward="relative")
mean, _ = evaluate_policy(model, against_rule, n_eval_episodes=512, warn=False)
print(f"mean reward per deal against rule: {mean:.2f}")
