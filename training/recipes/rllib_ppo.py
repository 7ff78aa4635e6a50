"""PPO of RLlib's new API stack, with masks, against the `rule` agent: python rllib_ppo.py [ITERATIONS]."""

import sys
from typing import Any

import gymnasium
import numpy as np
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

ITERATIONS = int(sys.argv[1]) if len(sys.argv) > 1 else 100


class MaskInObservation(gymnasium.Wrapper[dict[str, Any], Any, Any, Any]):
    """Puts the mask where RLlib's module for action masks looks for it."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        mask = gymnasium.spaces.Box(0.0, 1.0, (int(env.action_space.n),), np.float32)
        self.observation_space = gymnasium.spaces.Dict({"action_mask": mask, "observations": env.observation_space})

    def reset(self, **options: Any) -> Any:
        """As in Gymnasium."""
        observation, info = self.env.reset(**options)
        return self._look(observation), info

    def step(self, action: Any) -> Any:
        """As in Gymnasium."""
        observation, *rest = self.env.step(action)
        return self._look(observation), *rest

    def _look(self, observation: Any) -> dict[str, Any]:
        mask = self.get_wrapper_attr("action_masks")().astype(np.float32)
        return {"action_mask": mask if mask.any() else mask + 1, "observations": observation}


def make(config: dict[str, Any]) -> Any:
    """One environment of a worker."""
    return MaskInObservation(gymnasium.make("hearts_env:Hearts/BlackLady-v0", disable_env_checker=True, **config))


register_env("hearts", make)
config = (
    PPOConfig()
    .environment("hearts", env_config={"opponents": "rule", "deals": 1, "reward": "relative"})
    .env_runners(num_env_runners=0, num_envs_per_env_runner=8)
    .training(train_batch_size_per_learner=2048, minibatch_size=512, num_epochs=2, gamma=1.0, lambda_=0.8, lr=5e-4)
    .rl_module(rl_module_spec=RLModuleSpec(ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [256, 256]}))
)
algorithm = config.build_algo()
for iteration in range(ITERATIONS):
    result = algorithm.train()["env_runners"]
    print(f"iteration {iteration}: {result['episode_return_mean']:.2f} per deal against rule")
algorithm.stop()
