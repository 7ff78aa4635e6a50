"""A quick measure of a policy while it trains: one seat of it against random players."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from hearts_agents.neural import PolicyNet
from hearts_env.envs.vector import VectorEnv


@dataclass(frozen=True)
class Margin:
    """Own points minus the mean of the other seats, per deal: below 0 is better than the others.

    Attributes:
        mean: over all deals.
        error: its standard error.
    """

    mean: float
    error: float


class RandomOpponents:
    """Plays a policy against random players, always the same deals and the same noise."""

    def __init__(self, variant: str, *, games: int = 512, deals: int = 4, seed: int = 0) -> None:
        """Prepare `games` of up to `deals` deals each; the learner's seat turns from game to game."""
        self.deals, self.seed = deals, seed
        self._env = VectorEnv(variant, games, reward="relative", deals=deals, autoreset=False)
        self._seat = np.arange(games) % self._env.game.seats

    def margin(self, policy: PolicyNet, device: torch.device) -> Margin:
        """The margin of the policy's most probable actions."""
        env, rng = self._env, np.random.default_rng(self.seed)
        env.reset(seed=self.seed)
        margins = np.zeros(env.num_envs)
        while (env.seats >= 0).any():
            actions = env.sample_actions(rng)
            turn = np.flatnonzero(env.seats == self._seat)
            if turn.size:
                actions[turn] = self._choose(policy, turn, device)
            env.step(actions)
            margins -= env.rewards[np.arange(env.num_envs), self._seat]
        played = env.states["deal_number"] + 1
        error = (margins / self.deals).std() / env.num_envs**0.5
        return Margin(float(margins.sum() / played.sum()), float(error))

    def _choose(self, policy: PolicyNet, games: NDArray[np.int64], device: torch.device) -> NDArray[np.int64]:
        observations, masks = (
            torch.from_numpy(rows[games]).to(device) for rows in (self._env.observations, self._env.action_masks)
        )
        with torch.inference_mode():
            actions: NDArray[np.int64] = policy(observations, masks).argmax(1).cpu().numpy()
        return actions
