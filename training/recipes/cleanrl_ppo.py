"""PPO in one file, in CleanRL's manner, against the `rule` agent: python cleanrl_ppo.py [STEPS]."""

import sys

import gymnasium
import torch
from torch import nn
from torch.distributions import Categorical

STEPS = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
GAMES, ROWS, EPOCHS, BATCH, LAMBDA, CLIP, ENTROPY = 256, 16, 2, 1024, 0.8, 0.2, 0.01

# SameStep: the observation after the end is the first one of the next episode, and `dones` marks where it begins
options = {"opponents": "rule", "deals": 1, "reward": "relative", "autoreset_mode": "SameStep"}
envs = gymnasium.make_vec("hearts_env:Hearts/BlackLady-v0", num_envs=GAMES, **options)
columns, actions = envs.single_observation_space.shape[0], int(envs.single_action_space.n)
actor = nn.Sequential(nn.Linear(columns, 256), nn.ReLU(), nn.Linear(256, actions))
critic = nn.Sequential(nn.Linear(columns, 256), nn.ReLU(), nn.Linear(256, 1))
optimizer = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=5e-4)


def policy(observation: torch.Tensor, mask: torch.Tensor) -> Categorical:
    """The distribution of legal actions."""
    return Categorical(logits=actor(observation).masked_fill(mask == 0, -1e9))


observation, info = envs.reset(seed=1)
for iteration in range(max(STEPS // (GAMES * ROWS), 1)):
    rollout, rewards, dones, values = [], [], [], []
    for _ in range(ROWS):
        row, mask = torch.from_numpy(observation), torch.from_numpy(info["action_mask"])
        with torch.no_grad():
            choice = policy(row, mask)
            action = choice.sample()
            values.append(critic(row)[:, 0])
        rollout.append((row, mask, action, choice.log_prob(action)))
        observation, reward, terminated, _, info = envs.step(action.numpy())
        rewards.append(torch.from_numpy(reward).float())
        dones.append(torch.from_numpy(terminated).float())
    with torch.no_grad():
        values.append(critic(torch.from_numpy(observation))[:, 0])
    advantage, advantages = torch.zeros(GAMES), []
    for t in reversed(range(ROWS)):
        going_on = 1 - dones[t]
        advantage = rewards[t] + going_on * (values[t + 1] + LAMBDA * advantage) - values[t]
        advantages.insert(0, advantage)
    gains, old_values = torch.cat(advantages), torch.cat(values[:-1])
    rows, masks, taken, old_log_probs = (torch.cat(parts) for parts in zip(*rollout, strict=True))
    for batch in torch.randperm(GAMES * ROWS).repeat(EPOCHS).split(BATCH):
        choice, gain = policy(rows[batch], masks[batch]), gains[batch]
        ratio = (choice.log_prob(taken[batch]) - old_log_probs[batch]).exp()
        gain = (gain - gain.mean()) / (gain.std() + 1e-8)
        policy_loss = -torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
        target = gains[batch] + old_values[batch]
        value_loss = (critic(rows[batch])[:, 0] - target).square().mean()
        loss = policy_loss + 0.5 * value_loss / target.var().clamp(1) - ENTROPY * choice.entropy().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    ended = torch.stack(dones).sum()
    if ended and iteration % 20 == 0:
        print(f"{(iteration + 1) * GAMES * ROWS} steps: {torch.stack(rewards).sum() / ended:.2f} per deal against rule")
