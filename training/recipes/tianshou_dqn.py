"""DQN of Tianshou 2, with masks, against the `rule` agent: python tianshou_dqn.py [EPOCHS]."""

import sys
from typing import Any

import gymnasium
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

EPOCHS = int(sys.argv[1]) if len(sys.argv) > 1 else 20


class MaskInObservation(gymnasium.Wrapper[dict[str, Any], Any, Any, Any]):
    """Puts the mask where Tianshou's policies look for it."""

    def reset(self, **options: Any) -> Any:
        """As in Gymnasium."""
        observation, info = self.env.reset(**options)
        return self._look(observation), info

    def step(self, action: Any) -> Any:
        """As in Gymnasium."""
        observation, *rest = self.env.step(action)
        return self._look(observation), *rest

    def _look(self, observation: Any) -> dict[str, Any]:
        mask = self.get_wrapper_attr("action_masks")() == 1
        return {"obs": observation, "mask": mask if mask.any() else ~mask}


def make() -> Any:
    """One game."""
    options = {"opponents": "rule", "deals": 1, "reward": "relative"}
    return MaskInObservation(gymnasium.make("hearts_env:Hearts/BlackLady-v0", disable_env_checker=True, **options))


games, tests = DummyVectorEnv([make] * 8), DummyVectorEnv([make] * 8)
space, actions = games.observation_space[0], games.action_space[0]
net = Net(state_shape=space.shape, action_shape=actions.n, hidden_sizes=[256, 256])
policy = DiscreteQLearningPolicy(model=net, action_space=actions, eps_training=0.1)
algorithm = DQN(policy=policy, optim=AdamOptimizerFactory(lr=5e-4), gamma=1.0, target_update_freq=500)
training = Collector[CollectStats](algorithm, games, VectorReplayBuffer(50_000, 8), exploration_noise=True)
result = algorithm.run_training(
    OffPolicyTrainerParams(
        training_collector=training,
        test_collector=Collector[CollectStats](algorithm, tests),
        max_epochs=EPOCHS,
        epoch_num_steps=2_000,
        collection_step_num_env_steps=64,
        update_step_num_gradient_steps_per_sample=0.25,
        batch_size=256,
        test_step_num_episodes=64,
        show_progress=False,
    )
)
print(f"best mean reward per deal against rule: {result.best_reward:.2f}")
