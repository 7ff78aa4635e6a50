"""An entry of the benchmark in plain torch: `python universal_entry.py SECONDS SPLIT` learns, and is scored.

It learns for so many seconds of CPU time by self-play from 64 training rules, in the layout that is the same for all
games, and plays any rules.
"""

import sys
from time import process_time

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import hearts_env as he
from hearts_agents import Agent
from hearts_agents.registry import register
from hearts_env.benchmark.splits import split
from hearts_env.envs.universal import UniversalForm
from hearts_training.cli import main

MOST = 160  # no row has more entries under these rules
torch.manual_seed(0)
first = nn.EmbeddingBag(he.universal_layout()["rules"].columns.stop, 256, mode="sum")  # a linear layer for sparse rows
nn.init.normal_(first.weight, std=0.05)
rest = nn.Sequential(nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 239))  # 238 logits and a value
adam = torch.optim.Adam([*first.parameters(), *rest.parameters()], 1e-3)
env = he.mixed_env([line.rules for line in split("train_0:64")], 512, deals=1, autoreset=False, observations="sparse")
games, rules = torch.from_numpy(env.games), torch.from_numpy(env.rules_rows)


def decide(columns: torch.Tensor, values: torch.Tensor, masks: torch.Tensor, game: torch.Tensor):
    """Distribution of the actions, and the value, of some decisions."""
    found = first(columns, per_sample_weights=values) + (rules @ first.weight[-rules.shape[1] :])[games[game]]
    return Categorical(logits=rest(found)[:, :-1].masked_fill(masks == 0, -1e9)), rest(found)[:, -1]


started = process_time()
while process_time() - started < float(sys.argv[1]):
    env.reset(seed=int(torch.randint(2**31, ())))
    steps, earned, actions = [], np.zeros((512, 11), np.float32), np.zeros(512, np.int64)
    while (live := np.flatnonzero(env.seats >= 0)).size:
        columns, values, counts = (part[live] for part in env.observations)
        used = np.arange(MOST) < counts[:, None]
        sparse = np.where(used, columns[:, :MOST], 0).astype(np.int64), np.where(used, values[:, :MOST], 0)
        seen = *sparse, env.action_masks[live], live
        with torch.no_grad():
            actions[live] = decide(*map(torch.from_numpy, seen))[0].sample().numpy()
        steps.append((*seen, actions[live], env.seats[live].astype(np.int64)))
        env.step(actions)
        earned += env.rewards
    *seen, played, seat = (torch.from_numpy(np.concatenate(part)) for part in zip(*steps, strict=True))
    paid = torch.from_numpy(earned)[seen[3], seat]  # each decision is credited with what its seat earned in the deal
    for kind in range(64):
        own = games[seen[3]] == kind
        paid[own] = (paid[own] - paid[own].mean()) / (paid[own].std() + 1e-6)
    for rows in torch.randperm(len(paid)).split(2048):
        choice, value = decide(*(part[rows] for part in seen))
        gain = choice.log_prob(played[rows]) * (paid[rows] - value.detach())
        loss = (value - paid[rows]).square().mean() / 2 - gain.mean() - 0.02 * choice.entropy().mean()
        adam.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_([*first.parameters(), *rest.parameters()], 1.0)
        adam.step()


class Universal(Agent):
    """Plays the most probable action."""

    def act_batch(self, views: he.Views) -> np.ndarray:
        """One action for each view."""
        form, (own, masks) = UniversalForm(views.game), views.observations()
        rows = form.rows(views.records, views.records["seat"], own, masks)
        used = np.flatnonzero(rows.any(axis=0))
        with torch.no_grad():
            logits = rest(torch.from_numpy(rows[:, used]) @ first.weight[used])[:, :-1].numpy()
        return form.own(np.where(form.masks(masks) > 0, logits, -np.inf).argmax(1))


register("universal", Universal, "a network for all games")
sys.exit(main(["benchmark", "universal", "--split", sys.argv[2], "--out", f"runs/universal_entry-{sys.argv[2]}"]))
