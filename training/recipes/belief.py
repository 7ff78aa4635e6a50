"""Beliefs about hidden cards: `python belief.py`. Scored in nats a hidden card: the mean of -log p(true holder).

`--agent` plays all seats of `he.vector_env`. A network reads what the seat to act may know and corrects the exact
uniform posterior (`he.marginals`). On held-out deals its score stands beside that of the posterior itself, and of
worlds weighted by the agent's own policy. The network is saved as safetensors.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import tyro
from safetensors.torch import save_file
from torch import Tensor, nn

import hearts_env as he
from hearts_agents import make_agent


@dataclass
class Args:
    """Every option and hyper-parameter."""

    variant: str = "black_lady"  # rules with one pack
    agent: str = "rule"  # in all seats
    deals: int = 4096  # to learn from
    held_out: int = 128  # deals to score beliefs on
    out: str = "runs/belief"  # folder for the network
    seed: int = 1  # of deals, weights and worlds
    width: int = 256  # of both hidden layers
    epochs: int = 2  # passes over the decisions; with more, it learns deals by heart
    batch: int = 512  # decisions per gradient step
    learning_rate: float = 1e-3  # Adam's, falling to 0
    worlds: int = 256  # drawn for each of the decisions below
    judged: int = 300  # held-out decisions for which worlds are drawn


@dataclass
class Decisions:
    """Decisions in play; the other seats in order, the next one first."""

    views: list[he.View]
    observations: Tensor  # (n, columns)
    posterior: Tensor  # (n, seats - 1, kinds) logarithms of the exact uniform marginals
    hidden: Tensor  # (n, seats - 1, kinds) the true hands


def others(held: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """(n, seats, kinds) by absolute seat, without the observers and relative to them."""
    order = (seats[:, None] + np.arange(1, held.shape[1])) % held.shape[1]
    return np.take_along_axis(held, order[:, :, None], 1)


def play(args: Args, deals: int, seed: int) -> Decisions:
    """All decisions in play of some deals, one game for each."""
    env = he.vector_env(args.variant, deals, deals=1, autoreset=False)
    env.reset(seed=seed)
    views, observations, posterior, hidden = [], [], [], []
    kinds = len(env.game.deck.kinds)
    while (env.seats >= 0).any():
        rows = np.flatnonzero(env.seats >= 0)
        seen = env.views()
        playing = np.array([view.phase == "play" for view in seen])
        beliefs = others(he.marginals(seen), env.seats[rows].astype(int))
        views += [view for view, chosen in zip(seen, playing, strict=True) if chosen]
        observations.append(env.observations[rows][playing])
        posterior.append(np.log(beliefs[playing].clip(1e-9)).astype(np.float32))
        hidden.append(env.hidden()[rows][playing].reshape(-1, env.game.seats - 1, kinds))
        env.step(env.act(args.agent))
    return Decisions(views, *(torch.from_numpy(np.concatenate(part)) for part in (observations, posterior, hidden)))


def nats(log_belief: Tensor, hidden: Tensor) -> Tensor:
    """Nats a hidden card, given unnormalised logarithms of the probability that a seat holds a card."""
    return -(log_belief.log_softmax(1) * hidden).sum() / hidden.sum()


def fit(args: Args, data: Decisions) -> nn.Module:
    """A network whose output is added to the logarithms of the posterior."""
    torch.manual_seed(args.seed)
    columns, cells = data.observations.shape[1], data.hidden[0].numel()
    layers = [nn.Linear(columns, args.width), nn.ReLU(), nn.Linear(args.width, args.width), nn.ReLU()]
    net = nn.Sequential(*layers, nn.Linear(args.width, cells), nn.Unflatten(1, data.hidden.shape[1:]))
    optimiser = torch.optim.Adam(net.parameters(), lr=args.learning_rate)
    steps = args.epochs * (len(data.hidden) // args.batch + 1)
    schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.0, steps)
    for epoch in range(args.epochs):
        losses = []
        for rows in torch.randperm(len(data.hidden)).split(args.batch):
            loss = nats(data.posterior[rows] + net(data.observations[rows]), data.hidden[rows])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            losses.append(loss.item())
        print(f"epoch {epoch + 1}: {np.mean(losses):.4f} nats a card in training", flush=True)
    return net


def weighted(args: Args, data: Decisions, rows: np.ndarray) -> Tensor:
    """Logarithms of beliefs from worlds that are weighted by how the agent would have played in them."""
    policy, found = make_agent(args.agent).act_batch, []
    for row in rows:
        view = data.views[row]
        worlds = he.sample_worlds(view, args.worlds, seed=args.seed, policy=policy)
        held = np.zeros((1, view.game.seats, len(view.game.deck.kinds)))
        for world, weight in enumerate(worlds.weights):
            for seat, hand in enumerate(worlds.hands(world)):
                held[0, seat, [view.game.action(card) for card in hand]] += weight
        found.append(others(held, np.array([view.seat])))
    uniform = data.posterior[rows].exp()
    return (0.95 * torch.from_numpy(np.concatenate(found)).float() + 0.05 * uniform).log()  # no card is ruled out


def main(args: Args) -> None:
    """Train, score and save."""
    net = fit(args, play(args, args.deals, args.seed))
    held_out = play(args, args.held_out, args.seed + 1)
    rows = np.random.default_rng(args.seed).permutation(len(held_out.views))[: args.judged]
    with torch.no_grad():
        corrected = held_out.posterior + net(held_out.observations)
    beliefs = {"uniform posterior": held_out.posterior, "network": corrected}
    few = {name: belief[rows] for name, belief in beliefs.items()} | {"weighted worlds": weighted(args, held_out, rows)}
    print(f"\n| belief | all {len(corrected)} held-out decisions | {len(rows)} of them |\n| --- | --- | --- |")
    for name, belief in few.items():
        whole = f"{nats(beliefs[name], held_out.hidden):.3f}" if name in beliefs else ""
        print(f"| {name} | {whole} | {nats(belief, held_out.hidden[rows]):.3f} |")
    Path(args.out).mkdir(parents=True, exist_ok=True)
    save_file(net.state_dict(), Path(args.out) / "belief.safetensors")


if __name__ == "__main__":
    main(tyro.cli(Args))
