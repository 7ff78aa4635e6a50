"""PPO of RLlib's new API stack, with masks, against the `rule` agent: `python rllib_ppo.py --iterations 100`.

The critic also reads the hands that the learner does not see; the policy never does. RLlib's own checkpoint holds
pickles: load only your own.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
import tyro
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.tune.registry import register_env
from tensorboardX import SummaryWriter
from torch import nn

from hearts_agents.arena import run_arena
from hearts_agents.arena.report import to_markdown
from hearts_agents.neural import PolicyNet, save_policy


@dataclass
class Args:
    """Every option and hyper-parameter."""

    opponents: str = "rule"  # who plays the other seats; "rule; random" draws one for every episode
    iterations: int = 100  # updates
    out: str = "runs/rllib_ppo"  # folder for the network, the checkpoint and TensorBoard's log
    resume: bool = False  # go on from the checkpoint in that folder
    seed: int = 1  # of deals, weights and choices
    arena_deals: int = 200  # of the arena at the end
    games: int = 8  # played at once, one by one
    rows: int = 2048  # decisions of an update
    width: int = 256  # of both hidden layers, of policy and critic
    learning_rate: float = 5e-4  # Adam's
    epochs: int = 4  # passes over the decisions of an update
    batch: int = 512  # decisions per gradient step
    gae_lambda: float = 0.9  # 0 looks one decision ahead, 1 waits for the end of the deal
    entropy: float = 0.01  # weight of the entropy bonus


class Seen(gymnasium.ObservationWrapper[Any, Any, Any]):
    """Beside the observation, its mask, and the hidden hands for the critic."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        env.reset(seed=args.seed)  # so that there are hands
        boxes = {name: gymnasium.spaces.Box(0, 2, row.shape) for name, row in self._more().items()}
        self.observation_space = gymnasium.spaces.Dict({"observation": env.observation_space, **boxes})

    def _more(self) -> dict[str, Any]:
        return {"mask": self.unwrapped.action_masks().astype(np.float32), "hidden": self.unwrapped.hidden()}

    def observation(self, observation: Any) -> dict[str, Any]:
        """As in Gymnasium."""
        return {"observation": observation, **self._more()}


class Module(TorchRLModule, ValueFunctionAPI):
    """A policy that `net:FOLDER` can play, and a critic."""

    def setup(self) -> None:
        """As in RLlib."""
        sizes, width = {name: space.shape[0] for name, space in self.observation_space.items()}, args.width
        self.actor = PolicyNet(sizes["observation"], int(self.action_space.n), (width, width))
        layers = nn.Linear(sizes["observation"] + sizes["hidden"], width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        self.critic = nn.Sequential(*layers, nn.Linear(width, 1))

    def _forward(self, batch: Any, **_: Any) -> dict[str, Any]:
        seen = batch[Columns.OBS]
        return {Columns.ACTION_DIST_INPUTS: self.actor(seen["observation"], seen["mask"])}

    def compute_values(self, batch: Any, embeddings: Any = None) -> Any:
        """As in RLlib."""
        seen = batch[Columns.OBS]
        return self.critic(torch.cat([seen["observation"], seen["hidden"]], -1))[:, 0]


def log_moons(*, episode: Any, metrics_logger: Any, **_: Any) -> None:
    """As RLlib's callback `on_episode_end`: whether the learner shot the moon, or tried to and was stopped."""
    outcome = episode.get_infos(-1)["outcome"]
    metrics_logger.log_value("moons_shot", float(outcome["shooter"] == 0))
    metrics_logger.log_value("moons_stopped", float(outcome["stopped"][0]))


args = tyro.cli(Args)
folder = Path(args.out).absolute()
options = {"opponents": args.opponents, "deals": 1, "reward": "relative", "timing": "trick"}
register_env(
    "hearts", lambda config: Seen(gymnasium.make("hearts_env:Hearts/BlackLady-v0", disable_env_checker=True, **config))
)
config = (
    PPOConfig()
    .environment("hearts", env_config=options)
    .env_runners(num_env_runners=0, num_envs_per_env_runner=args.games)
    .training(
        train_batch_size_per_learner=args.rows,
        minibatch_size=args.batch,
        num_epochs=args.epochs,
        gamma=1.0,
        lambda_=args.gae_lambda,
        lr=args.learning_rate,
        entropy_coeff=args.entropy,
        vf_loss_coeff=0.005,  # rewards are points, so that the critic's loss is large
        vf_clip_param=1000.0,
        grad_clip=0.5,
    )
    .rl_module(rl_module_spec=RLModuleSpec(Module))
    .callbacks(on_episode_end=log_moons)
    .debugging(seed=args.seed)
)
algorithm, log = config.build_algo(), SummaryWriter(args.out)
if args.resume:
    algorithm.restore_from_path(folder / "checkpoint")
for _ in range(args.iterations):
    result = algorithm.train()
    paid, iteration = result["env_runners"]["episode_return_mean"], result["training_iteration"]
    log.add_scalar("points_per_deal", paid, iteration)
    for name in ("moons_shot", "moons_stopped"):
        log.add_scalar(name, result["env_runners"][name], iteration)
    print(f"iteration {iteration}: {paid:+.2f} per deal against {args.opponents}", flush=True)
log.close()
save_policy(folder, algorithm.get_module().actor, "black_lady")
algorithm.save_to_path(folder / "checkpoint")
algorithm.stop()
print(to_markdown(run_arena([f"net:{folder}", "rule", "random"], deals=args.arena_deals)))
