"""Distil a small network for rollouts from a large one: ``python training/lab/small.py black_lady``.

The large network plays itself, with some random cards; the small one learns its probabilities for cards in play, from
sparse columns (`hearts_agents.search.small`). It is written beside the large one, and `net+pimc(NAME, small=true)` uses
it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import numpy as np
import torch
import tyro
from numpy.typing import NDArray
from torch import Tensor, nn

import hearts_env as he
from hearts_agents.neural import NetAgent
from hearts_agents.search.distilled import LAYERS, save_small
from hearts_agents.search.small import columns_in_all, write_inputs
from hearts_agents.weights import folder_of
from hearts_env.compiled.game import Game
from hearts_env.kernel.records import Phase

UNITS = 6
"""Columns are stored in sixths, as bytes."""


@dataclass(frozen=True)
class Args:
    """The network and the budget."""

    net: tyro.conf.Positional[str]
    """The large network, a name or a folder."""
    out: Path | None = None
    """The folder to write to; that of the large network by default."""
    rounds: int = 150
    """Rounds of 1,024 deals."""
    minutes: float = 8.0
    """Training time."""
    width: int = 128
    """Of both hidden layers."""
    seed: int = 1
    """Of deals, slips and weights."""


def play(args: Args, agent: NetAgent) -> tuple[Game, list[NDArray[np.uint8]], list[NDArray[np.float16]]]:
    """Inputs, and the large network's probabilities, of decisions in play: three in five of those with a choice."""
    rng, inputs, shares = np.random.default_rng(args.seed), [], []
    for number in range(args.rounds):
        env = he.vector_env(agent.trained_on, 1024, deals=1, autoreset=False)
        env.reset(seed=args.seed * 100_000 + number)
        kinds = len(env.game.deck.kinds)
        while (playing := np.flatnonzero(env.seats >= 0)).size:
            views = env.views()
            found, masks = agent.shares(views), env.action_masks[playing]
            plays = (masks.sum(1) > 1) & (views.records["phase"] == Phase.PLAY)
            chosen = np.flatnonzero(plays & (rng.random(len(plays)) < 0.6))
            rows = np.zeros((len(chosen), columns_in_all(env.game.seats, kinds)), np.float32)
            write_inputs(views.records[chosen], env.game.tables, rows)
            inputs.append(np.rint(UNITS * rows).astype(np.uint8))
            legal = masks[chosen, :kinds]
            shares.append((found[chosen, :kinds].clip(1e-6) * legal).astype(np.float16))  # 0 means illegal
            actions = np.zeros(env.num_envs, np.int64)
            actions[playing] = choose(found, masks, rng)
            env.step(actions)
        print(f"round {number + 1} of {args.rounds}", end="\r", flush=True)
    return env.game, inputs, shares


def choose(shares: NDArray[np.float64], masks: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
    """The best action; in one of ten decisions a draw from the probabilities, in one of 25 any legal one."""
    kind = rng.random(len(shares))
    weights = np.where((kind < 0.04)[:, None], masks, shares)
    drawn = (weights.cumsum(1) > rng.random((len(weights), 1)) * weights.sum(1, keepdims=True)).argmax(1)
    found: NDArray[np.int64] = np.where(kind < 0.14, drawn, shares.argmax(1))
    return found


def fit(args: Args, inputs: NDArray[np.uint8], shares: NDArray[np.float16]) -> nn.Sequential:
    """Train the small network, and print its divergence from the large one on rows that are held out."""
    torch.manual_seed(args.seed)
    x, p, order = torch.from_numpy(inputs), torch.from_numpy(shares), torch.randperm(len(inputs))
    held_out, train = order[:20_000], order[20_000:]
    width, kinds = args.width, p.shape[1]
    net = nn.Sequential(nn.Linear(x.shape[1], width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
    net.append(nn.Linear(width, kinds))
    optimiser, begin, part = torch.optim.Adam(net.parameters()), monotonic(), 0.0
    while part < 1:
        for rows in train[torch.randperm(len(train))].split(1024):
            if (part := (monotonic() - begin) / 60 / args.minutes) >= 1:
                break
            optimiser.param_groups[0]["lr"] = 2.5e-3 * (1 - part) + 2e-5
            optimiser.zero_grad()
            divergence(net, x[rows], p[rows]).backward()
            optimiser.step()
        with torch.no_grad():
            print(f"{part:.0%}: {divergence(net, x[held_out], p[held_out]):.3f} nats", flush=True)
    return net


def divergence(net: nn.Module, inputs: Tensor, shares: Tensor) -> Tensor:
    """Mean Kullback-Leibler divergence over legal cards, in nats."""
    goal = shares.float()
    goal = goal / goal.sum(1, keepdim=True)
    logs = net(inputs.float() / UNITS).masked_fill(goal == 0, -1e9).log_softmax(1)
    found: Tensor = (goal * (goal.clamp_min(1e-9).log() - logs)).sum(1).mean()
    return found


def main(args: Args) -> None:
    """Play, train and save."""
    torch.set_num_threads(1)
    game, inputs, shares = play(args, NetAgent(args.net))
    net = fit(args, np.concatenate(inputs), np.concatenate(shares))
    parts = [part.detach().numpy() for part in net.parameters()]
    parts[0], parts[2] = parts[0].T, parts[2].T
    save_small(args.out or folder_of(args.net), game, dict(zip(LAYERS, parts, strict=True)))


if __name__ == "__main__":
    main(tyro.cli(Args))
