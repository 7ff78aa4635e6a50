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

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from hearts_agents.neural import PolicyNet, network_inputs, save_policy
from hearts_agents.neural.policy import hidden_layers
from hearts_env.kernel.jit import jit
from hearts_env.seat.view import Views
from hearts_training.provenance import Provenance
from hearts_training.train.config import PPOConfig
from hearts_training.train.learner import DivergedError, set_counters
from hearts_training.train.match_critic import MatchCritic
from hearts_training.train.rollout import Floats, Rows, mark_ready
from hearts_training.train.selfplay import COUNTED, SelfPlay
from hearts_training.train.sparse import by_column
from hearts_training.train.tensors import Learners, from_tensors, to_tensors

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
    """The targets of an update: one entry per stored decision, on the learner's device."""

    advantages: Tensor
    """Normalised over the decisions that are ready."""
    returns: Tensor
    ready: NDArray[np.bool_]
    """True if the deal has ended."""
    explained_variance: float
    """1 - Var(returns - values) / Var(returns) of the decisions that are ready; 0 where the returns do not vary."""

    @staticmethod
    def of(game: SelfPlay, values_of: Callable[[Tensor], Tensor]) -> Targets:
        """The targets of the decisions stored in a game, whose values are estimated by `values_of` some rows."""
        n, experience = game.experience.count, game.experience
        with torch.inference_mode():
            parts = torch.arange(n, device=game.device).split(8192)
            values = torch.cat([values_of(part) for part in parts]).cpu().numpy()
        advantages, ready = np.empty(n, np.float32), np.empty(n, np.bool_)
        rewards, next_row, decay = experience.rewards[:n], experience.next_row[:n], np.float32(game.config.gae_lambda)
        generalized_advantages(next_row, rewards, values, decay, advantages, ready)
        returns, explained_variance = advantages + values, 0.0
        if ready.any():
            with np.errstate(all="ignore"):  # `update` reports what is not finite
                variance = returns[ready].var()
                explained_variance = float(1 - advantages[ready].var() / variance) if variance > 0 else 0.0
                advantages = (advantages - advantages[ready].mean()) / (advantages[ready].std() + 1e-8)
        on_device = [torch.from_numpy(array).to(game.device) for array in (advantages, returns)]
        return Targets(on_device[0], on_device[1], ready, explained_variance)


class PolicyLoss(NamedTuple):
    """The loss of a policy on a minibatch; the last two are 0 in imitation."""

    loss: Tensor
    """With the entropy bonus."""
    entropy: Tensor
    approx_kl: Tensor
    """Approximate Kullback-Leibler divergence from the policy that played."""
    clip_fraction: Tensor

    @staticmethod
    def of(game: SelfPlay, rows: Tensor, log_probs: Tensor, advantages: Tensor, entropy_weight: float) -> PolicyLoss:
        """PPO's clipped loss of some stored decisions of a game, or that of imitation."""
        new = log_probs.gather(1, game.experience.actions[rows][:, None]).squeeze(1)
        entropy = -(log_probs.exp() * log_probs).sum(1).mean()
        if game.imitating:
            zero = torch.zeros_like(entropy)
            return PolicyLoss(-new.mean(), entropy, zero, zero)
        clip = game.config.clip
        log_ratio = new - game.experience.log_probs[rows]
        ratio = log_ratio.exp()
        surrogate = torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages).mean()
        approx_kl = (ratio - 1 - log_ratio).mean()  # low variance: http://joschu.net/blog/kl-approx.html
        clip_fraction = ((ratio - 1).abs() > clip).float().mean()
        return PolicyLoss(-surrogate - entropy_weight * entropy, entropy, approx_kl, clip_fraction)


def begin_update(learners: Learners, config: PPOConfig, progress: float, *, imitating: bool) -> float:
    """Set the step size of all optimisers at a fraction of the budget; returns the weight of the entropy bonus."""
    fraction = (progress - config.imitation) / max(1 - config.imitation, 1e-9)  # of self-play
    rate = anneal(config.learning_rate, config.final_learning_rate, fraction)
    for _, optimizer in learners.values():
        set_rate(optimizer, config.imitation_learning_rate if imitating else rate)
    return anneal(config.entropy, config.final_entropy, fraction)


@torch.no_grad()
def follow(follower: nn.Module, net: nn.Module, share: float) -> None:
    """Move the weights of a network a share of the way to those of another one."""
    for own, parameter in zip(follower.parameters(), net.parameters(), strict=True):
        own.lerp_(parameter, share)


def set_rate(optimizer: torch.optim.Optimizer, rate: float) -> None:
    """Set the step size of an optimiser."""
    for group in optimizer.param_groups:
        group["lr"] = rate


def gradient_step(learners: Learners, loss: Tensor, max_norm: float) -> None:
    """One step of every optimiser, with gradients clipped for each network."""
    for _, optimizer in learners.values():
        optimizer.zero_grad()
    loss.backward()
    for net, optimizer in learners.values():
        nn.utils.clip_grad_norm_(net.parameters(), max_norm)
        optimizer.step()  # a network without gradients stays as it is


def check_finite(learners: Learners, figures: Mapping[str, float]) -> None:
    """Raise DivergedError if a figure or a weight is not finite."""
    for name, value in figures.items():
        if not np.isfinite(value):
            raise DivergedError(f"training diverged: {name} is {value}")
    for name, (net, _) in learners.items():
        if not np.isfinite(float(sum(parameter.detach().abs().max() for parameter in net.parameters()))):
            raise DivergedError(f"training diverged: weights of the {name} are not finite")


class PPO(SelfPlay):
    """Learns from its games; `SelfPlay` has further attributes.

    Attributes:
        critic: the network that estimates returns.
        anchor: the policy to stay near; None if there is none.
        averaged: the average of the policy's weights; None if there is none.
        learners: each network with its optimiser, by name.
        updates: calls of `update` so far.
    """

    counters: tuple[str, ...] = (*COUNTED, "updates", "imitating")

    def add_networks(self) -> None:
        """Make and initialise all networks, with their optimisers."""
        super().add_networks()
        self.updates = 0
        self.critic = make_critic(self.experience.inputs.width, self.config.critic_hidden)
        nets: dict[str, nn.Module] = {"policy": self.policy, "critic": self.critic}
        self.learners = {name: self._with_optimizer(net) for name, net in nets.items()}
        self.anchor: PolicyNet | None = None
        self.averaged: PolicyNet | None = None
        if self.config.objective == "match":
            self.match_critic = MatchCritic(self.env)
            self.learners["match_critic"] = self._with_optimizer(self.match_critic.net)
        if self.config.anchor:
            self.anchor = self._copy_of_policy("anchor")
        if self.config.average:
            self.averaged = self._copy_of_policy("averaged")

    def _copy_of_policy(self, name: str) -> PolicyNet:
        """A policy without gradients, which is saved with the learners."""
        copy = self.make_policy().requires_grad_(False)
        self.learners[name] = self._with_optimizer(copy)
        copy.load_state_dict(self.policy.state_dict())
        return copy

    def _with_optimizer(self, net: nn.Module) -> tuple[nn.Module, torch.optim.Adam]:
        """Initialise a network: orthogonal weights, zero biases, a last layer that is nearly uniform or zero."""
        layers = [layer for layer in net.modules() if isinstance(layer, nn.Linear)]
        for layer in layers:
            nn.init.orthogonal_(layer.weight, 0.01 if layer is layers[-1] else 2**0.5)
            nn.init.zeros_(layer.bias)
        by_column(layers[0])
        return net.to(self.device), torch.optim.Adam(net.parameters(), eps=1e-5, fused=True)

    def start_from(self, policy: PolicyNet, where: str) -> None:
        """Take over a policy, at the temperature of the configuration. Raises ValueError for other layers or inputs."""
        if policy.hidden != self.policy.hidden:
            layers = ",".join(map(str, policy.hidden))
            raise ValueError(f"{where} has the hidden layers {layers}; leave hidden out")
        if (policy.own is None) == self.config.own_counts:
            raise ValueError(f"{where} has {'no ' * (policy.own is None)}weights of own counts; leave own_counts out")
        if policy.inputs != self.policy.inputs:
            raise ValueError(f"{where} reads the observation alone; training needs the counts beside it")
        for net in filter(None, (self.policy, self.anchor, self.averaged)):
            net.load_state_dict(policy.state_dict())
            with torch.no_grad():
                for parameter in (*net.head.parameters(), *([] if net.own is None else [net.own])):
                    parameter.div_(self.config.start_temperature)

    def learn(self, progress: Callable[[], float]) -> Generator[dict[str, float], None, None]:
        """Collect and update until `progress()`, the fraction of the budget used, is 1; yields figures for the log."""
        while (fraction := progress()) < 1:
            self.collect(fraction)
            yield self.update(fraction)

    def update(self, progress: float) -> dict[str, float]:
        """Learn from the deals that have ended, at a fraction `progress` of the budget.

        Returns:
            Means over the minibatches for the log: ``policy_loss`` (with the weighted loss of the anchor),
            ``value_loss``, ``entropy`` (nats), ``approx_kl``, ``clip_fraction`` and ``anchor_kl`` (0 during imitation);
            ``explained_variance``; and ``match_loss`` if the objective is the match.

        Raises:
            DivergedError: one of them, or a weight, is not finite afterwards.
        """
        config = self.config
        entropy_weight = begin_update(self.learners, config, progress, imitating=self.imitating)
        targets = Targets.of(self, self.values_of)
        rows = torch.from_numpy(np.flatnonzero(targets.ready)).to(self.device)
        names = ["policy_loss", "value_loss", "entropy", "approx_kl", "clip_fraction", "anchor_kl"]
        sums, steps = torch.zeros(len(names), device=self.device), 0
        for batch in self._minibatches(rows):
            policy_loss, *figures = self._policy_loss(batch, targets.advantages[batch], entropy_weight)
            value_loss = (self.values_of(batch) - targets.returns[batch]).square().mean()
            loss = value_loss if progress < config.critic_first else policy_loss + value_loss
            gradient_step(self.learners, loss, config.max_grad_norm)
            sums += torch.stack([policy_loss, value_loss, *figures]).detach()
            steps += 1
        self.experience.keep(np.flatnonzero(~targets.ready))
        self.updates += 1
        if self.averaged is not None:
            follow(self.averaged, self.policy, 1.0 if self.imitating else config.average)
        means = dict(zip(names, (sums / max(steps, 1)).tolist(), strict=True))
        means["explained_variance"] = targets.explained_variance
        if self.match_critic is not None:
            means["match_loss"] = self._learn_matches(self.match_critic)
        check_finite(self.learners, means)
        return means

    def _minibatches(self, rows: Tensor) -> Iterator[Tensor]:
        for _ in range(1 if self.imitating else self.config.epochs):
            order = torch.randperm(len(rows), generator=self.generator, device=self.device)
            yield from rows[order].split(self.config.minibatch)

    def _policy_loss(self, batch: Tensor, advantages: Tensor, entropy_weight: float) -> tuple[Tensor, ...]:
        """`PolicyLoss`, with the loss of the anchor added to its loss and then appended."""
        log_probs = self.log_probs_of(batch)
        loss, *figures = PolicyLoss.of(self, batch, log_probs, advantages, entropy_weight)
        anchor_kl = self._anchor_kl(batch, log_probs)
        return loss + self.config.anchor * anchor_kl, *figures, anchor_kl

    def _anchor_kl(self, batch: Tensor, log_probs: Tensor) -> Tensor:
        if self.anchor is None or self.imitating:
            return torch.zeros((), device=self.device)
        with torch.no_grad():
            anchored = self.log_probs_of(batch, self.anchor)
        return (log_probs.exp() * (log_probs - anchored)).sum(1).mean()

    def _learn_matches(self, critic: MatchCritic) -> float:
        losses = []
        for batch in critic.batches(MATCH_STEPS, self.config.minibatch, self.generator):
            loss = critic.loss(*batch)
            gradient_step(self.learners, loss, self.config.max_grad_norm)
            losses.append(float(loss.detach()))
        return sum(losses) / max(len(losses), 1)

    def values_of(self, rows: Tensor) -> Tensor:
        """The critic's estimates of the return of some stored decisions, (n,) float32."""
        with self.autocast():
            first = self.experience.inputs.product(self.critic[0], rows)
            values: Tensor = self.critic[1:](first).float().squeeze(1)
        return values

    @property
    def agent(self) -> PolicyNet:
        """The policy that is evaluated and saved."""
        return self.policy if self.averaged is None else self.averaged

    def act_batch(self, views: Views) -> NDArray[np.int64]:
        """The most probable action in every view. Raises DivergedError for logits that are not finite."""
        inputs, masks = (torch.from_numpy(rows).to(self.device) for rows in network_inputs(views))
        with torch.inference_mode():
            logits = self.agent(inputs, masks)
        if not logits.isfinite().all():
            raise DivergedError("training diverged: the policy's logits are not finite")
        actions: NDArray[np.int64] = logits.argmax(1).cpu().numpy()
        return actions

    # --- files ----------------------------------------------------------------------------------

    def save_agent(self, folder: Path, run: Sequence[Provenance] = ()) -> None:
        """Write the network, ``net:FOLDER``."""
        save_policy(folder, self.agent, self.env.game.rules, {"deals": self.deals}, run=run)

    def tensors(self) -> dict[str, Tensor]:
        """Networks, optimisers, games, stored decisions and remembered matches, by name, on the CPU."""
        return to_tensors(self, self.learners) | ({} if self.match_critic is None else self.match_critic.tensors())

    def restore(self, tensors: dict[str, Tensor], counters: Mapping[str, Any]) -> None:
        """Go back to where `tensors` and the counters were saved; errors as in `Learner.restore`."""
        rest = dict(tensors)
        if self.match_critic is not None:
            self.match_critic.restore(rest)
        from_tensors(self, self.learners, rest)
        set_counters(self, counters)
        if not self.experience.count <= self.choices <= self.decisions:
            raise ValueError("the counters of decisions are not possible")
