"""DQN of Tianshou 2, with masks, against the `rule` agent: `python tianshou_dqn.py --epochs 20`."""

from dataclasses import dataclass
from typing import Any

import gymnasium
import torch
import tyro
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils import TensorboardLogger
from torch import nn
from torch.utils.tensorboard import SummaryWriter

from hearts_agents.arena import run_arena
from hearts_agents.arena.report import to_markdown
from hearts_agents.neural import PolicyNet, save_policy


@dataclass
class Args:
    """Every option and hyper-parameter."""

    opponents: str = "rule"  # who plays the other seats; "rule; random" draws one for every episode
    epochs: int = 20  # of 2,000 steps
    out: str = "runs/tianshou_dqn"  # folder for the network and TensorBoard's log
    seed: int = 1  # of weights and choices
    arena_deals: int = 200  # of the arena at the end
    games: int = 8  # played at once, one by one
    width: int = 256  # of both hidden layers
    learning_rate: float = 5e-4  # Adam's
    explore: float = 0.1  # probability of a random action while learning
    memory: int = 50_000  # decisions in the replay buffer
    batch: int = 256  # decisions per gradient step
    gradients: float = 0.25  # gradient steps per decision
    target: int = 500  # gradient steps between two copies of the network to the target network


class Seen(gymnasium.ObservationWrapper[Any, Any, Any]):
    """Puts the mask where Tianshou's policies look for it."""

    def observation(self, observation: Any) -> dict[str, Any]:
        """As in Gymnasium."""
        mask = self.unwrapped.action_masks() == 1
        return {"obs": observation, "mask": mask if mask.any() else ~mask}


class Values(nn.Module):
    """The values of all actions, by the layers of a network that `net:FOLDER` can play: it takes the best legal one."""

    def __init__(self, net: PolicyNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[torch.Tensor, Any]:
        """As in Tianshou."""
        return self.net.head(self.net.body(torch.as_tensor(obs, dtype=torch.float32))), state


def make() -> Any:
    """One game."""
    options = {"opponents": args.opponents, "deals": 1, "reward": "relative", "timing": "trick"}
    return Seen(gymnasium.make("hearts_env:Hearts/BlackLady-v0", disable_env_checker=True, **options))


args = tyro.cli(Args)
torch.manual_seed(args.seed)
games, tests = DummyVectorEnv([make] * args.games), DummyVectorEnv([make] * args.games)
space, actions = make().env.observation_space, games.action_space[0]
net = PolicyNet(space.shape[0], int(actions.n), (args.width, args.width))
policy = DiscreteQLearningPolicy(model=Values(net), action_space=actions, eps_training=args.explore)
optimizer = AdamOptimizerFactory(lr=args.learning_rate)
algorithm = DQN(policy=policy, optim=optimizer, gamma=1.0, target_update_freq=args.target)
memory = VectorReplayBuffer(args.memory, args.games)
result = algorithm.run_training(
    OffPolicyTrainerParams(
        training_collector=Collector[CollectStats](algorithm, games, memory, exploration_noise=True),
        test_collector=Collector[CollectStats](algorithm, tests),
        max_epochs=args.epochs,
        epoch_num_steps=2_000,
        collection_step_num_env_steps=64,
        update_step_num_gradient_steps_per_sample=args.gradients,
        batch_size=args.batch,
        test_step_num_episodes=64,
        show_progress=False,
        logger=TensorboardLogger(SummaryWriter(args.out)),
    )
)
print(f"best mean reward per deal against {args.opponents}: {result.best_reward:.2f}")
save_policy(args.out, net, "black_lady")
print(to_markdown(run_arena([f"net:{args.out}", "rule", "random"], deals=args.arena_deals)))
