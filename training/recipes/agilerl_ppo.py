"""A population of AgileRL's PPO, against the `rule` agent: `python agilerl_ppo.py`.

Its members learn in turns; after each turn the best one stays, and winners of tournaments follow the others, with other
learning rates and entropy weights.
"""

from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
import torch
import tyro
from agilerl.algorithms import PPO
from agilerl.algorithms.core.registry import HyperparameterConfig, RLParameter
from agilerl.hpo.mutation import Mutations
from agilerl.hpo.tournament import TournamentSelection
from agilerl.rollouts import collect_rollouts
from agilerl.training.train_on_policy import train_on_policy
from torch import nn
from torch.utils.tensorboard import SummaryWriter

from hearts_agents.arena import run_arena
from hearts_agents.arena.report import to_markdown
from hearts_agents.neural import PolicyNet, save_policy


@dataclass
class Args:
    """Every option and hyper-parameter."""

    opponents: str = "rule"  # who plays the other seats; "rule; random" draws one for every episode
    steps: int = 200_000  # decisions of each member
    out: str = "runs/agilerl_ppo"  # folder for the network and TensorBoard's log
    seed: int = 1  # of weights, choices and mutations
    arena_deals: int = 200  # of the arena at the end
    members: int = 4  # of the population
    turn: int = 20_480  # decisions of a member between two tournaments
    games: int = 128  # played at once
    rows: int = 16  # decisions of each game between two updates
    width: int = 256  # of the first hidden layer; the second has half of it, the third a quarter
    learning_rate: float = 3e-3  # Adam's, at first
    entropy: float = 1e-3  # weight of the entropy bonus, at first
    epochs: int = 2  # passes over the decisions of an update
    batch: int = 256  # decisions per gradient step
    gae_lambda: float = 0.9  # 0 looks one decision ahead, 1 waits for the end of the deal; there is no discount


def as_policy(actor: nn.Module, columns: int, actions: int, width: int) -> PolicyNet:
    """The same layers as a network that `net:FOLDER` plays."""
    net = PolicyNet(columns, actions, (width, width // 2, width // 4))
    net.load_state_dict(dict(zip(net.state_dict(), actor.state_dict().values(), strict=True)))
    return net


def collect(agent: PPO, envs: Any, **last: Any) -> Any:
    """AgileRL's rollout, with advantages that end where deals end.

    Its row of `dones` says what ended with a step (2.7.1), and its advantages read it as what had ended before.
    """
    found, buffer = collect_rollouts(agent, envs, **last), agent.rollout_buffer
    _, observations, ended, *_ = found
    buffer.buffer["dones"][1:] = buffer.buffer["dones"][:-1].clone()
    with torch.no_grad():
        values = agent.critic(agent.preprocess_observation(observations)).squeeze(-1)
    buffer.compute_returns_and_advantages(values, ended)
    return found


args = tyro.cli(Args)
torch.manual_seed(args.seed)
np.random.seed(args.seed)  # noqa: NPY002  # tournaments draw from it
options = {"opponents": args.opponents, "deals": 1, "reward": "relative", "timing": "trick"}
envs = gymnasium.make_vec("hearts_env:Hearts/BlackLady-v0", args.games, autoreset_mode="SameStep", **options)
envs = gymnasium.wrappers.vector.TransformReward(envs, lambda reward: reward / 26)  # of the order of 1
envs.reset(seed=args.seed)
plain = {"layer_norm": False, "output_vanish": False}
layers = {"encoder_config": {"hidden_size": [args.width], "output_activation": "ReLU", **plain}}
layers |= {"latent_dim": args.width // 2, "max_latent_dim": args.width // 2}
layers |= {"head_config": {"hidden_size": [args.width // 4], **plain}}
searched = HyperparameterConfig(lr=RLParameter(min=5e-4, max=5e-3), ent_coef=RLParameter(min=3e-4, max=0.01))
population = [
    PPO(
        envs.single_observation_space,
        envs.single_action_space,
        index=index,
        hp_config=searched,
        net_config=layers,
        batch_size=args.batch,
        lr=args.learning_rate,
        learn_step=args.games * args.rows,
        gamma=1.0,
        gae_lambda=args.gae_lambda,
        ent_coef=args.entropy,
        update_epochs=args.epochs,
        num_envs=args.games,
        use_rollout_buffer=True,
    )
    for index in range(args.members)
]
members, fitnesses = train_on_policy(
    envs,
    "Hearts",
    "PPO",
    population,
    max_steps=args.steps,
    evo_steps=args.turn,
    eval_loop=4,
    tournament=TournamentSelection(2, elitism=True, population_size=args.members, eval_loop=1),
    mutation=Mutations(
        no_mutation=0.5, architecture=0, new_layer_prob=0, parameters=0, activation=0, rl_hp=0.5, rand_seed=args.seed
    ),
    verbose=False,
    collect_rollouts_fn=collect,
)
with SummaryWriter(args.out) as log:
    for turn, of_members in enumerate(fitnesses):
        log.add_scalar("points_per_deal", 26 * float(np.max(of_members)), (turn + 1) * args.turn)
best = max(members, key=lambda member: member.fitness[-1])
print(f"the best member: {26 * best.fitness[-1]:+.2f} per deal against {args.opponents}")
size, actions = envs.single_observation_space.shape[0], int(envs.single_action_space.n)
net, (rows, _) = as_policy(best.actor, size, actions, args.width), envs.reset(seed=args.seed + 1)
save_policy(args.out, net, "black_lady")
print(to_markdown(run_arena([f"net:{args.out}", "rule", "random"], deals=args.arena_deals)))
