"""PPO with TorchRL's parts against the `rule` agent: python torchrl_ppo.py [STEPS]."""

import sys

import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from hearts_env.envs.torchrl import LearnerTorchEnv

STEPS = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
GAMES, ROWS, EPOCHS, BATCH = 256, 16, 2, 1024

env = LearnerTorchEnv("black_lady", GAMES, opponents="rule", deals=1, reward="relative")
columns, actions = env.observation_spec["observation"].shape[-1], env.action_spec.space.n
logits = nn.Sequential(nn.Linear(columns, 256), nn.ReLU(), nn.Linear(256, actions))
value = nn.Sequential(nn.Linear(columns, 256), nn.ReLU(), nn.Linear(256, 1))
actor = ProbabilisticActor(
    TensorDictModule(logits, in_keys=["observation"], out_keys=["logits"]),
    in_keys={"logits": "logits", "mask": "action_mask"},
    distribution_class=MaskedCategorical,
    return_log_prob=True,
)
critic = ValueOperator(value, in_keys=["observation"])
loss_module = ClipPPOLoss(actor, critic, entropy_coeff=0.01)
advantage = GAE(gamma=1.0, lmbda=0.8, value_network=critic)
optimizer = torch.optim.Adam(loss_module.parameters(), lr=5e-4)

state = env.reset()
for iteration in range(max(STEPS // (GAMES * ROWS), 1)):
    with torch.no_grad():
        rollout = env.rollout(ROWS, actor, auto_reset=False, tensordict=state, break_when_any_done=False)
        state = env.step_mdp(rollout[:, -1]) if not rollout["next", "done"][:, -1].any() else env.reset()
        advantage(rollout)
    for batch in torch.randperm(GAMES * ROWS).repeat(EPOCHS).split(BATCH):
        losses = loss_module(rollout.reshape(-1)[batch])
        loss = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    ended = rollout["next", "done"].sum()
    if ended and iteration % 20 == 0:
        paid = rollout["next", "reward"].sum() / ended
        print(f"{(iteration + 1) * GAMES * ROWS} steps: {paid:.2f} per deal against rule")
