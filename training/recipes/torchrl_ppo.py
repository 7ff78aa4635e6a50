"""PPO with TorchRL's parts, against the `rule` agent: `python torchrl_ppo.py --steps 200000`.

The critic reads the key "hidden" too, the hands that the learner does not see; the policy never does.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import tyro
from tensordict.nn import TensorDictModule
from torch import Tensor, nn
from torch.distributions import Categorical
from torch.utils.tensorboard import SummaryWriter
from torchrl.modules import ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from hearts_agents.arena import run_arena
from hearts_agents.arena.report import to_markdown
from hearts_agents.neural import PolicyNet, save_policy
from hearts_env.envs.torchrl import LearnerTorchEnv


@dataclass
class Args:
    """Every option and hyper-parameter."""

    variant: str = "black_lady"  # rules, as in `hearts rules`
    opponents: str = "rule"  # who plays the other seats; "rule; random" draws one for every episode
    steps: int = 1_000_000  # decisions of the learner
    out: str = "runs/torchrl_ppo"  # folder for the network, the checkpoint and TensorBoard's log
    resume: bool = False  # go on from the checkpoint in that folder
    seed: int = 1  # of deals, weights and choices
    arena_deals: int = 200  # of the arena at the end
    games: int = 256  # played at once
    rows: int = 16  # decisions of each game between two updates
    width: int = 256  # of both hidden layers, of policy and critic
    learning_rate: float = 1e-3  # Adam's
    epochs: int = 2  # passes over the decisions of an update
    batch: int = 1024  # decisions per gradient step
    gae_lambda: float = 0.9  # 0 looks one decision ahead, 1 waits for the end of the deal; there is no discount
    clip: float = 0.2  # how far the probability ratio may leave 1
    entropy: float = 0.01  # weight of the entropy bonus


class Critic(nn.Module):
    """The value of a position of which all hands are known."""

    def __init__(self, inputs: int, width: int) -> None:
        super().__init__()
        layers = nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1)
        self.layers = nn.Sequential(*layers)

    def forward(self, observation: Tensor, hidden: Tensor) -> Tensor:
        """(..., 1)."""
        return self.layers(torch.cat([observation, hidden], -1))


args = tyro.cli(Args)
torch.manual_seed(args.seed)
env = LearnerTorchEnv(args.variant, args.games, opponents=args.opponents, deals=1, reward="relative", timing="trick")
env.set_seed(args.seed)
columns, hidden = (env.observation_spec[key].shape[-1] for key in ("observation", "hidden"))
net = PolicyNet(columns, env.action_spec.space.n, (args.width, args.width))  # its logits are masked
actor = ProbabilisticActor(
    TensorDictModule(net, in_keys=["observation", "action_mask"], out_keys=["logits"]),
    in_keys=["logits"],
    distribution_class=Categorical,
    return_log_prob=True,
)
critic = ValueOperator(Critic(columns + hidden, args.width), in_keys=["observation", "hidden"])
advantages = GAE(gamma=1.0, lmbda=args.gae_lambda, value_network=critic)
losses = ClipPPOLoss(
    actor, critic, clip_epsilon=args.clip, entropy_coeff=args.entropy, normalize_advantage=True, loss_critic_type="l2"
)
optimizer = torch.optim.Adam(losses.parameters(), lr=args.learning_rate)
scale = float(env.games.game.tables["point_scale"])  # rewards of the order of 1
parts, checkpoint = {"losses": losses, "optimizer": optimizer}, Path(args.out) / "checkpoint.pt"
if args.resume:
    saved = torch.load(checkpoint, weights_only=True)
    for name, part in parts.items():
        part.load_state_dict(saved[name])

log, steps, data = SummaryWriter(args.out), 0, env.reset()
while steps < args.steps:
    rows, shot, stopped = [], [], []
    with torch.no_grad():
        for _ in range(args.rows):
            row, data = env.step_and_maybe_reset(actor(data))
            rows.append(row)
            if (done := row["next", "done"][:, 0].numpy()).any():
                shot.extend(env.outcome["shooter"][done] == 0)  # the learner's seat
                stopped.extend(env.outcome["stopped"][done, 0])
        rollout = torch.stack(rows, 1)  # (games, rows)
        paid = rollout["next", "reward"].sum() / rollout["next", "done"].sum()
        rollout["next", "reward"] *= scale
        advantages(rollout)
    for picked in torch.randperm(rollout.numel()).repeat(args.epochs).split(args.batch):
        found = losses(rollout.reshape(-1)[picked])
        optimizer.zero_grad()
        (found["loss_objective"] + found["loss_critic"] + found["loss_entropy"]).backward()
        optimizer.step()
    steps += rollout.numel()
    log.add_scalar("points_per_deal", paid, steps)
    log.add_scalar("moons_shot", np.mean(shot), steps)
    log.add_scalar("moons_stopped", np.mean(stopped), steps)
    print(f"{steps} steps: {paid:+.2f} per deal against {args.opponents}", flush=True)
log.close()
save_policy(args.out, net, args.variant)
torch.save({name: part.state_dict() for name, part in parts.items()}, checkpoint)
print(to_markdown(run_arena([f"net:{args.out}", "rule", "random"], args.variant, deals=args.arena_deals)))
