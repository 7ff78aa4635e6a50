"""PPO in plain torch that learns from every seat: `python all_seats_ppo.py`. The recipe to start from.

One network plays all four seats of `he.vector_env`, so that each deal is four trajectories. The critic also sees the
hands that the seat does not; the policy never does. The end is an arena table and a folder that `net:FOLDER` plays.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import tyro
from torch import Tensor, nn
from torch.distributions import Categorical
from torch.utils.tensorboard import SummaryWriter

import hearts_env as he
from hearts_agents.arena import run_arena
from hearts_agents.arena.report import to_markdown
from hearts_agents.neural import PolicyNet, network_inputs, save_policy
from hearts_env.envs.trajectories import seat_advantages


@dataclass
class Args:
    """Every option and hyper-parameter."""

    variant: str = "black_lady"  # rules, as in `hearts rules`
    deals: int = 4096  # to learn from: about a minute on an idle core
    out: str = "runs/all_seats_ppo"  # folder for the network, the checkpoint and TensorBoard's log
    resume: bool = False  # go on from the checkpoint in that folder
    seed: int = 1  # of deals, weights and choices
    threads: int = 1  # of torch
    measure_every: int = 1024  # deals between two measurements of the margin against random players
    arena_deals: int = 200  # of the arena at the end
    games: int = 128  # deals played at once, and learned from in one update
    width: int = 256  # of both hidden layers, of policy and critic
    learning_rate: float = 1e-3  # Adam's
    epochs: int = 2  # passes over the decisions of an update
    batch: int = 1024  # decisions per gradient step
    gae_lambda: float = 0.8  # 0 looks one decision ahead, 1 waits for the end of the deal; there is no discount
    clip: float = 0.2  # how far the probability ratio may leave 1
    entropy: float = 0.02  # weight of the entropy bonus
    max_grad_norm: float = 0.5  # norm to which gradients are clipped


def look(env: he.VectorEnv) -> tuple[Tensor, Tensor, Tensor]:
    """The policy's inputs, the legal actions and the hidden hands of the seats to act, where deals go on."""
    inputs, masks = network_inputs(env.views())  # a view has what its seat may know; `env.states` shows all hands
    return torch.from_numpy(inputs), torch.from_numpy(masks), torch.from_numpy(env.hidden()[env.seats >= 0])


def play(env: he.VectorEnv, seed: int, actor: PolicyNet, critic: nn.Module) -> dict[str, Tensor]:
    """Play one deal in each game. Returns one row for each decision, with its advantage and return."""
    env.reset(seed=seed)
    steps, seats, rewards, values, ended = [], [], [], [], []
    while (live := env.seats >= 0).any():  # deals have different lengths: nothing is passed in a hold deal
        seats.append(env.seats.astype(np.int64))  # a copy: the arrays of `env` change in place
        inputs, masks, hidden = look(env)
        with torch.no_grad():
            choice = Categorical(logits=actor(inputs, masks))
            actions, value = choice.sample(), critic(torch.cat([inputs, hidden], 1))[:, 0]
        steps.append((inputs, masks, hidden, actions, choice.log_prob(actions), value))
        chosen, estimates = np.zeros(env.num_envs, np.int64), np.zeros(env.num_envs, np.float32)
        chosen[live], estimates[live] = actions.numpy(), value.numpy()
        env.step(chosen)
        values.append(estimates)
        ended.append(env.terminated.copy())
        rewards.append(env.rewards * env.game.tables["point_scale"])  # (games, seats), of the order of 1
    batch = map(np.stack, (rewards, seats, values, ended))
    advantages = seat_advantages(*batch, decay=args.gae_lambda)[np.stack(seats) >= 0].astype(np.float32)
    names = ("inputs", "masks", "hidden", "actions", "log_probs", "values")
    rows = {name: torch.cat(parts) for name, parts in zip(names, zip(*steps, strict=True), strict=True)}
    return rows | {"advantages": torch.from_numpy(advantages), "returns": rows["values"] + torch.from_numpy(advantages)}


def learn(rows: dict[str, Tensor], actor: PolicyNet, critic: nn.Module, optimizer: torch.optim.Optimizer) -> float:
    """One update of PPO. Returns the mean entropy."""
    entropies = []
    for picked in torch.randperm(len(rows["actions"])).repeat(args.epochs).split(args.batch):
        batch = {name: row[picked] for name, row in rows.items()}
        choice = Categorical(logits=actor(batch["inputs"], batch["masks"]))
        ratio = (choice.log_prob(batch["actions"]) - batch["log_probs"]).exp()
        gain = (batch["advantages"] - batch["advantages"].mean()) / (batch["advantages"].std() + 1e-8)
        policy_loss = -torch.min(ratio * gain, ratio.clamp(1 - args.clip, 1 + args.clip) * gain).mean()
        values = critic(torch.cat([batch["inputs"], batch["hidden"]], 1))[:, 0]
        value_loss = (values - batch["returns"]).square().mean()
        entropies.append(choice.entropy().mean().item())
        optimizer.zero_grad()
        (policy_loss + value_loss - args.entropy * choice.entropy().mean()).backward()
        for net in (actor, critic):
            nn.utils.clip_grad_norm_(net.parameters(), args.max_grad_norm)
        optimizer.step()
    return float(np.mean(entropies))


def measure(actor: PolicyNet, deals: int, log: SummaryWriter) -> None:
    """Save the policy, and log its margin against random players."""
    save_policy(args.out, actor, args.variant, {"deals": deals})
    result = run_arena([f"net:{args.out}", "random"], args.variant, deals=50).agents[0]
    log.add_scalar("margin_against_random", result.margin, deals)
    print(f"{deals} deals: {result.margin:+.2f} ± {result.margin_se:.2f} points a deal against random", flush=True)


def main() -> None:
    """Train, measure and save."""
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    env = he.vector_env(args.variant, args.games, deals=1, reward="relative", autoreset=False)
    env.reset(seed=args.seed)
    inputs, masks, hidden = (rows.shape[1] for rows in look(env))
    actor, width = PolicyNet(inputs, masks, (args.width, args.width)), args.width
    layers = nn.Linear(inputs + hidden, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
    critic = nn.Sequential(*layers, nn.Linear(width, 1))
    optimizer = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=args.learning_rate)
    parts, checkpoint = {"actor": actor, "critic": critic, "optimizer": optimizer}, Path(args.out) / "checkpoint.pt"
    saved = torch.load(checkpoint, weights_only=True) if args.resume else {}
    for name in saved.keys() & parts.keys():
        parts[name].load_state_dict(saved[name])
    deals, log = saved.get("deals", 0), SummaryWriter(args.out)
    goal = deals + args.deals
    while deals < goal:
        if deals % args.measure_every < args.games:
            measure(actor, deals, log)
        log.add_scalar("entropy", learn(play(env, args.seed + deals, actor, critic), actor, critic, optimizer), deals)
        deals += args.games
    measure(actor, deals, log)
    torch.save({"deals": deals} | {name: part.state_dict() for name, part in parts.items()}, checkpoint)
    log.close()
    print(to_markdown(run_arena([f"net:{args.out}", "rule", "random"], args.variant, deals=args.arena_deals)))


if __name__ == "__main__":
    args = tyro.cli(Args)
    main()
