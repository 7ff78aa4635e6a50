"""Self-play PPO: one network passes and plays in every seat and learns from all of them.

Proximal policy optimisation (Schulman et al. 2017, arXiv:1707.06347) with generalised advantage estimation (Schulman et
al. 2016, arXiv:1506.02438). `PPO.learn` is the loop: `collect` plays, `update` learns. It differs from PPO for one
player in four points:

- A game is several trajectories, one per seat and deal, because the seat to act changes from step to step. A reward is
  credited to the last decision of the seat that earned it, whoever has just moved (see `Experience`).
- A trajectory is a whole deal and is never cut off, so no value stands in for its end: an update learns from the deals
  that have ended and keeps the decisions of the others for the next update.
- Forced moves are played but not stored.
- The critic sees all hands and is not needed after training; the policy sees what a player may know.

A run may begin with a policy that was trained before, and stay near it, or with imitation of a teacher; other agents
may be the opponents in a fraction of the games. The reward is the points of a deal, or the change of the chance to win
the match (see `MatchCritic`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from hearts_agents.base import Agent
from hearts_agents.neural import ILLEGAL, PolicyNet
from hearts_agents.neural.policy import hidden_layers
from hearts_agents.registry import make_agent
from hearts_env.envs.vector import VectorEnv
from hearts_env.kernel.batch import take_views
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import STATE
from hearts_env.play.view import Views
from hearts_training.train.config import PPOConfig
from hearts_training.train.match_critic import MatchCritic
from hearts_training.train.memory import experience_rows
from hearts_training.train.rollout import Floats, Rows, mark_ready
from hearts_training.train.selfplay import SelfPlay

MATCH_STEPS = 16
"""Gradient steps of the match critic in an update."""


def anneal(first: float, last: float, fraction: float) -> float:
    """The value at a fraction of the way from `first` to `last`; `fraction` is cut to 0 to 1.

    >>> anneal(4.0, 2.0, 0.5)
    3.0
    """
    return first + (last - first) * min(max(fraction, 0.0), 1.0)


@jit
def generalized_advantages(
    next_row: Rows,
    rewards: Floats,
    values: Floats,
    gae_lambda: np.float32,
    advantages: Floats,
    ready: NDArray[np.bool_],
) -> None:
    """Write the advantage of each decision to `advantages`, and to `ready` whether its deal has ended.

    All arrays have one entry per decision. ``next_row[i]`` is above `i`: see `Experience`.
    """
    mark_ready(next_row, ready)
    for i in range(next_row.shape[0] - 1, -1, -1):
        j = next_row[i]
        ahead = values[j] + gae_lambda * advantages[j] if j >= 0 else 0.0
        advantages[i] = rewards[i] + ahead - values[i]


def make_critic(inputs: int, widths: tuple[int, ...]) -> nn.Sequential:
    """A network that estimates a seat's return from its input and the hands it does not see, (n, 1)."""
    return nn.Sequential(*hidden_layers(inputs, widths), nn.Linear(widths[-1], 1))


class Targets(NamedTuple):
    """What an update learns from: one entry per stored decision, on the learner's device."""

    advantages: Tensor
    """Normalised over the decisions that are ready."""
    returns: Tensor
    ready: NDArray[np.bool_]
    """Whether the deal has ended."""
    explained_variance: float
    """1 - Var(returns - values) / Var(returns) of the decisions that are ready; 0 where the returns do not vary."""


class PPO(SelfPlay):
    """Games, networks and optimisers; `SelfPlay` has further attributes.

    Attributes:
        config: as given.
        policy, critic: the networks.
        anchor: the policy to stay near; None if there is none.
        match_critic: pays the chance to win the match; None where points are paid.
        teacher, opponents: agents that are imitated, and that are played against.
        imitating: whether the teacher plays all seats.
    """

    counters = (*SelfPlay.counters, "imitating")

    def __init__(self, env: VectorEnv, config: PPOConfig, *, seed: int, device: str = "cpu") -> None:
        """Start all games. The seed fixes deals, weights and choices.

        `env` must have ``reward="relative"``, or ``reward="win"`` if the objective is the match.
        """
        self.config = config
        super().__init__(env, config.hidden, experience_rows(env.game, config), seed=seed, device=device)
        self.teacher = make_agent(config.teacher)
        self.opponents = [make_agent(spec) for spec in config.opponents]
        self.imitating = False
        self._views = np.zeros(env.num_envs, STATE)
        self.assign_opponents(np.arange(env.num_envs), env.num_envs)

    def assign_opponents(self, games: Rows, total: int) -> None:
        """Decide in which games which opponent plays, and in which seats.

        Args:
            games: (num_envs,) numbers of the games of `env` among all games of the training.
            total: number of all games.
        """
        seats, count = self.env.game.seats, len(self.opponents)
        with_opponent = games < self.config.opponent_games * total
        own_seat = games // count % seats
        self._opponent = np.where(with_opponent, games % count, -1)
        self._opponent_seats = with_opponent[:, None] & (own_seat[:, None] != np.arange(seats))

    def add_networks(self) -> None:
        """Initialise policy and critic."""
        self.critic = make_critic(self.experience.inputs.width, self.config.critic_hidden)
        super().add_networks()
        self.learners["critic"] = self.with_optimizer(self.critic)
        self.match_critic, self.anchor = None, None
        if self.config.objective == "match":
            self.match_critic = MatchCritic(self.env)
            self.learners["match_critic"] = self.with_optimizer(self.match_critic.net)
        if self.config.anchor:
            self.anchor = PolicyNet(self.policy.inputs, self.policy.actions, self.policy.hidden)
            self.learners["anchor"] = self.with_optimizer(self.anchor.requires_grad_(False))

    def start_from(self, policy: PolicyNet, where: str) -> None:
        """Take over a policy, at the temperature of the configuration. Raises ValueError for other layers or inputs."""
        if policy.hidden != self.policy.hidden:
            layers = ",".join(map(str, policy.hidden))
            raise ValueError(f"{where} has the hidden layers {layers}; leave hidden out")
        if policy.inputs != self.policy.inputs:
            raise ValueError(f"{where} reads the observation alone; training needs the counts beside it")
        for net in filter(None, (self.policy, self.anchor)):
            net.load_state_dict(policy.state_dict())
            with torch.no_grad():
                for parameter in net.head.parameters():
                    parameter.div_(self.config.start_temperature)

    # --- playing --------------------------------------------------------------------------------

    def collect(self, progress: float) -> None:
        """Play `rollout_steps` moves in every game, or more until a deal has ended in some game.

        The teacher plays all seats while `progress`, the fraction of the budget used, is below `imitation`.
        """
        imitating = progress < self.config.imitation
        if self.imitating and not imitating:
            self.experience.keep(np.empty(0, np.int64))  # the teacher's moves are no sample of the policy
        self.imitating = imitating
        steps, deals = 0, self.deals
        with torch.inference_mode():
            while steps < self.config.rollout_steps or self.deals == deals:
                self._step()
                steps += 1

    def _step(self) -> None:
        env = self.env
        actions = env.action_masks.argmax(1)
        choices = env.action_masks.sum(1) > 1
        if not self.imitating:
            of_opponents = choices & self._opponent_seats[np.arange(env.num_envs), env.seats]
            for index, opponent in enumerate(self.opponents):
                games = np.flatnonzero(of_opponents & (self._opponent == index))
                if games.size:
                    actions[games] = self._actions_of(opponent, games)
            choices &= ~of_opponents
        games = np.flatnonzero(choices)
        if games.size:
            actions[games] = self._choose(games)
        self.play(actions, len(games))

    def _choose(self, games: Rows) -> Rows:
        """Choose a move in each of some games and store the decisions."""
        experience = self.experience
        new = self.store(games)
        if self.imitating:
            actions = self._actions_of(self.teacher, games)
            experience.actions[new] = torch.from_numpy(actions).to(self.device)
            experience.log_probs[new] = 0
            return actions
        log_probs = self.log_probs_of(torch.arange(new.start, new.stop, device=self.device))
        noise = torch.empty_like(log_probs).exponential_(generator=self.generator)
        sampled = (log_probs - noise.log()).argmax(1)  # the Gumbel-max trick
        experience.actions[new] = sampled
        experience.log_probs[new] = log_probs.gather(1, sampled[:, None]).squeeze(1)
        return self.checked(games, sampled)

    def _actions_of(self, agent: Agent, games: Rows) -> Rows:
        take_views(self.env.states, self.env.game.tables, games, self._views)
        return agent.act_batch(Views(self.env.game, self._views[: len(games)], check=False))

    def earned(self, ended: NDArray[np.bool_]) -> Floats:
        """As in `SelfPlay`; with a match critic, what it pays."""
        if self.match_critic is None:
            return super().earned(ended)
        return self.match_critic.pay(self.env, ended)

    def autocast(self) -> torch.autocast:
        """The precision in which networks run."""
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.config.bfloat16)

    def log_probs_of(self, rows: Tensor, net: PolicyNet | None = None) -> Tensor:
        """Log-probabilities of all actions in some stored decisions, (n, actions) float32, by the policy or `net`."""
        with self.autocast():
            logits = self.outputs_of(rows, net).float()
        return torch.log_softmax(logits.masked_fill(~self.experience.masks[rows], ILLEGAL), 1)

    def values_of(self, rows: Tensor) -> Tensor:
        """The critic's estimates of the return of some stored decisions, (n,) float32."""
        with self.autocast():
            first = self.experience.inputs.product(self.critic[0], rows)
            values: Tensor = self.critic[1:](first).float().squeeze(1)
        return values

    # --- learning -------------------------------------------------------------------------------

    def update(self, progress: float) -> dict[str, float]:
        """Learn from the deals that have ended, at a fraction `progress` of the budget.

        Returns:
            Means over the minibatches for the log: ``policy_loss``, ``value_loss``, ``entropy`` (nats), ``approx_kl``,
            ``clip_fraction`` and ``anchor_kl`` (0 during imitation); ``explained_variance``; and ``match_loss`` if
            the objective is the match.

        Raises:
            DivergedError: one of them, or a weight, is not finite afterwards.
        """
        config = self.config
        fraction = (progress - config.imitation) / max(1 - config.imitation, 1e-9)  # of self-play
        entropy_weight = anneal(config.entropy, config.final_entropy, fraction)
        rate = anneal(config.learning_rate, config.final_learning_rate, fraction)
        self.set_learning_rate(config.imitation_learning_rate if self.imitating else rate)
        targets = self._targets()
        rows = torch.from_numpy(np.flatnonzero(targets.ready)).to(self.device)
        names = ("policy_loss", "value_loss", "entropy", "approx_kl", "clip_fraction", "anchor_kl")
        sums, steps = torch.zeros(len(names), device=self.device), 0
        for batch in self._minibatches(rows):
            policy_loss, *figures = self._policy_loss(batch, targets.advantages[batch], entropy_weight)
            value_loss = (self.values_of(batch) - targets.returns[batch]).square().mean()
            loss = value_loss if progress < config.critic_first else policy_loss + value_loss
            self.gradient_step(loss, config.max_grad_norm)
            sums += torch.stack([policy_loss, value_loss, *figures]).detach()
            steps += 1
        self.experience.keep(np.flatnonzero(~targets.ready))
        self.updates += 1
        means = dict(zip(names, (sums / max(steps, 1)).tolist(), strict=True))
        means["explained_variance"] = targets.explained_variance
        if self.match_critic is not None:
            means["match_loss"] = self._learn_matches(self.match_critic)
        self.check_finite(means)
        return means

    def _targets(self) -> Targets:
        n = self.experience.count
        with torch.inference_mode():
            parts = torch.arange(n, device=self.device).split(8192)
            values = torch.cat([self.values_of(part) for part in parts]).cpu().numpy()
        advantages, ready = np.empty(n, np.float32), np.empty(n, np.bool_)
        rewards, next_row = self.experience.rewards[:n], self.experience.next_row[:n]
        generalized_advantages(next_row, rewards, values, np.float32(self.config.gae_lambda), advantages, ready)
        returns, explained_variance = advantages + values, 0.0
        if ready.any():
            with np.errstate(all="ignore"):  # `update` reports what is not finite
                variance = returns[ready].var()
                explained_variance = float(1 - advantages[ready].var() / variance) if variance > 0 else 0.0
                advantages = (advantages - advantages[ready].mean()) / (advantages[ready].std() + 1e-8)
        on_device = [torch.from_numpy(array).to(self.device) for array in (advantages, returns)]
        return Targets(on_device[0], on_device[1], ready, explained_variance)

    def _minibatches(self, rows: Tensor) -> Iterator[Tensor]:
        """Shuffled minibatches of rows, all of them once per epoch."""
        for _ in range(1 if self.imitating else self.config.epochs):
            order = torch.randperm(len(rows), generator=self.generator, device=self.device)
            yield from rows[order].split(self.config.minibatch)

    def _policy_loss(self, batch: Tensor, advantages: Tensor, entropy_weight: float) -> tuple[Tensor, ...]:
        """The loss, the mean entropy, and, 0 in imitation: the approximate KL divergence from the policy that played,
        the clip fraction, and the KL divergence from the anchor.
        """
        log_probs = self.log_probs_of(batch)
        new_log_probs = log_probs.gather(1, self.experience.actions[batch][:, None]).squeeze(1)
        entropy = -(log_probs.exp() * log_probs).sum(1).mean()
        if self.imitating:
            zero = torch.zeros_like(entropy)
            return -new_log_probs.mean(), entropy, zero, zero, zero
        clip = self.config.clip
        log_ratio = new_log_probs - self.experience.log_probs[batch]
        ratio = log_ratio.exp()
        surrogate = torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages).mean()
        approx_kl = (ratio - 1 - log_ratio).mean()  # low variance: http://joschu.net/blog/kl-approx.html
        clip_fraction = ((ratio - 1).abs() > clip).float().mean()
        anchor_kl = self._anchor_kl(batch, log_probs)
        loss = -surrogate - entropy_weight * entropy + self.config.anchor * anchor_kl
        return loss, entropy, approx_kl, clip_fraction, anchor_kl

    def _anchor_kl(self, batch: Tensor, log_probs: Tensor) -> Tensor:
        """The mean Kullback-Leibler divergence of the policy from the anchor."""
        if self.anchor is None:
            return torch.zeros((), device=self.device)
        with torch.no_grad():
            anchored = self.log_probs_of(batch, self.anchor)
        return (log_probs.exp() * (log_probs - anchored)).sum(1).mean()

    def _learn_matches(self, critic: MatchCritic) -> float:
        """Some gradient steps of the match critic; returns the mean loss."""
        losses = []
        for batch in critic.batches(MATCH_STEPS, self.config.minibatch, self.generator):
            loss = critic.loss(*batch)
            self.gradient_step(loss, self.config.max_grad_norm)
            losses.append(float(loss.detach()))
        return sum(losses) / max(len(losses), 1)

    # --- files ----------------------------------------------------------------------------------

    def tensors(self) -> dict[str, Tensor]:
        """As in `SelfPlay`, and the matches that the match critic remembers."""
        return super().tensors() | ({} if self.match_critic is None else self.match_critic.tensors())

    def restore(self, tensors: dict[str, Tensor], counters: Mapping[str, Any]) -> None:
        """As in `SelfPlay`."""
        rest = dict(tensors)
        if self.match_critic is not None:
            self.match_critic.restore(rest)
        super().restore(rest, counters)
