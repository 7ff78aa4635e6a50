"""PPO from top to bottom in one file, in CleanRL's manner, against the `rule` agent: `python cleanrl_ppo.py`.

The critic also sees the hands that the learner does not (`envs.hidden()`); the policy never does.
"""

from dataclasses import dataclass
from pathlib import Path

import gymnasium
import torch
import tyro
from torch import Tensor, nn
from torch.distributions import Categorical
from torch.utils.tensorboard import SummaryWriter

from hearts_agents.arena import run_arena
from hearts_agents.arena.report import to_markdown
from hearts_agents.neural import PolicyNet, save_policy


@dataclass
class Args:
    """Every option and hyper-parameter."""

    opponents: str = "rule"  # who plays the other seats; "rule; random" draws one for every episode
    steps: int = 1_000_000  # decisions of the learner
    out: str = "runs/cleanrl_ppo"  # folder for the network, the checkpoint and TensorBoard's log
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


args = tyro.cli(Args)
torch.manual_seed(args.seed)
# SameStep: the observation after the end is the first one of the next episode, and `dones` marks where it begins
options = {"opponents": args.opponents, "deals": 1, "reward": "relative", "timing": "trick"}
envs = gymnasium.make_vec("hearts_env:Hearts/BlackLady-v0", args.games, autoreset_mode="SameStep", **options)
observation, info = envs.reset(seed=args.seed)
columns, width = observation.shape[1], args.width
actor = PolicyNet(columns, int(envs.single_action_space.n), (width, width))  # its logits are masked
layers = nn.Linear(columns + envs.hidden().shape[1], width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
critic = nn.Sequential(*layers, nn.Linear(width, 1))
optimizer = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=args.learning_rate)
parts, checkpoint = {"actor": actor, "critic": critic, "optimizer": optimizer}, Path(args.out) / "checkpoint.pt"
if args.resume:
    saved = torch.load(checkpoint, weights_only=True)
    for name, part in parts.items():
        part.load_state_dict(saved[name])


def look() -> tuple[Tensor, Tensor, Tensor]:
    """The inputs of the policy, the legal actions, and the inputs of the critic."""
    row, mask, hidden = (torch.from_numpy(part) for part in (observation, info["action_mask"], envs.hidden()))
    return row, mask, torch.cat([row, hidden], 1)


log, steps = SummaryWriter(args.out), 0
while steps < args.steps:
    rollout, rewards, dones, values = [], [], [], []
    with torch.no_grad():
        for _ in range(args.rows):
            row, mask, state = look()
            choice = Categorical(logits=actor(row, mask))
            action = choice.sample()
            rollout.append((row, mask, state, action, choice.log_prob(action)))
            values.append(critic(state)[:, 0])
            observation, reward, terminated, _, info = envs.step(action.numpy())
            rewards.append(torch.from_numpy(reward).float() / 26)  # of the order of 1
            dones.append(torch.from_numpy(terminated).float())
        values.append(critic(look()[2])[:, 0])
    advantage, advantages = torch.zeros(args.games), []
    for t in reversed(range(args.rows)):
        going_on = 1 - dones[t]
        advantage = rewards[t] + going_on * (values[t + 1] + args.gae_lambda * advantage) - values[t]
        advantages.insert(0, advantage)
    gains, old_values = torch.cat(advantages), torch.cat(values[:-1])
    rows, masks, states, taken, log_probs = (torch.cat(part) for part in zip(*rollout, strict=True))
    for batch in torch.randperm(len(gains)).repeat(args.epochs).split(args.batch):
        choice, gain = Categorical(logits=actor(rows[batch], masks[batch])), gains[batch]
        ratio = (choice.log_prob(taken[batch]) - log_probs[batch]).exp()
        gain = (gain - gain.mean()) / (gain.std() + 1e-8)
        policy_loss = -torch.min(ratio * gain, ratio.clamp(1 - args.clip, 1 + args.clip) * gain).mean()
        value_loss = (critic(states[batch])[:, 0] - gains[batch] - old_values[batch]).square().mean()
        optimizer.zero_grad()
        (policy_loss + value_loss - args.entropy * choice.entropy().mean()).backward()
        optimizer.step()
    steps += len(gains)
    if ended := torch.stack(dones).sum():
        paid = 26 * torch.stack(rewards).sum() / ended
        log.add_scalar("points_per_deal", paid, steps)
        print(f"{steps} steps: {paid:+.2f} per deal against {args.opponents}", flush=True)
log.close()
save_policy(args.out, actor, "black_lady")
torch.save({name: part.state_dict() for name, part in parts.items()}, checkpoint)
print(to_markdown(run_arena([f"net:{args.out}", "rule", "random"], deals=args.arena_deals)))
