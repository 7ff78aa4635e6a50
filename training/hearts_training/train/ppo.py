"""The targets and the loss of proximal policy optimisation; see `learner`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from hearts_env.kernel.jit import jit
from hearts_training.optimisers import probabilities
from hearts_training.train.rollout import END, Floats, Rows
from hearts_training.train.selfplay import SelfPlay


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
    for i in range(next_row.shape[0] - 1, -1, -1):
        j = next_row[i]
        ready[i] = j == END or (j >= 0 and ready[j])
        ahead = values[j] + gae_lambda * advantages[j] if j >= 0 else 0.0
        advantages[i] = rewards[i] + ahead - values[i]


class Targets(NamedTuple):
    """The targets of an update: one entry per stored decision of a game, on the learner's device."""

    advantages: Tensor
    """Normalised over the decisions that are ready."""
    returns: Tensor
    ready: NDArray[np.bool_]
    """True if the deal has ended."""
    explained_variance: float
    """1 - Var(returns - values) / Var(returns) of the decisions that are ready; 0 where the returns do not vary."""

    @staticmethod
    def of(play: SelfPlay) -> Targets:
        """The targets of the decisions stored in a game."""
        n, experience = play.experience.count, play.experience
        with torch.inference_mode():
            parts = torch.arange(n, device=play.device).split(8192)
            values = torch.cat([play.heads.values(part) for part in parts]).cpu().numpy()
        advantages, ready = np.empty(n, np.float32), np.empty(n, np.bool_)
        rewards, next_row, decay = experience.rewards[:n], experience.next_row[:n], np.float32(play.config.gae_lambda)
        generalized_advantages(next_row, rewards, values, decay, advantages, ready)
        returns, explained_variance = advantages + values, 0.0
        if ready.any():
            with np.errstate(all="ignore"):  # `check_finite` reports what is not finite
                variance = returns[ready].var()
                explained_variance = float(1 - advantages[ready].var() / variance) if variance > 0 else 0.0
                advantages = (advantages - advantages[ready].mean()) / (advantages[ready].std() + 1e-8)
        on_device = [torch.from_numpy(array).to(play.device) for array in (advantages, returns)]
        return Targets(on_device[0], on_device[1], ready, explained_variance)


class Part(NamedTuple):
    """The decisions of one game in a gradient step."""

    play: SelfPlay
    targets: Targets
    rows: Tensor


def policy_loss(part: Part, log_probs: Tensor, entropy_weight: float) -> tuple[Tensor, ...]:
    """PPO's clipped loss with the entropy bonus, or that of imitation; the entropy; the approximate Kullback-Leibler
    divergence from the policy that played, and the fraction that is clipped, both 0 in imitation.
    """
    play, rows = part.play, part.rows
    new = log_probs.gather(1, play.experience.actions[rows][:, None]).squeeze(1)
    entropy = -(probabilities(log_probs) * log_probs).sum(1).mean()
    if play.imitating:
        zero = torch.zeros_like(entropy)
        return -new.mean(), entropy, zero, zero
    clip, advantages = play.config.clip, part.targets.advantages[rows]
    log_ratio = new - play.experience.log_probs[rows]
    ratio = log_ratio.exp()
    surrogate = torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages).mean()
    approx_kl = (ratio - 1 - log_ratio).mean()  # low variance: http://joschu.net/blog/kl-approx.html
    clip_fraction = ((ratio - 1).abs() > clip).float().mean()
    return -surrogate - entropy_weight * entropy, entropy, approx_kl, clip_fraction


@torch.no_grad()
def follow(follower: nn.Module, net: nn.Module, share: float) -> None:
    """Move the weights of a network a share of the way to those of another one."""
    for own, parameter in zip(follower.parameters(), net.parameters(), strict=True):
        own.lerp_(parameter, share)
