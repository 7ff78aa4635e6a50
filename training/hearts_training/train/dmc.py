"""Deep Monte Carlo: a network learns what every action earns, and plays the best one.

In the manner of DouZero (Zha et al. 2021, arXiv:2106.06135). All seats are played by one network that is shown what the
seat to act may know and estimates the return of each action: what the seat earns from there to the end of the deal. It
plays the action with the highest estimate, or, with probability epsilon, any legal one. An update fits the estimates of
the actions taken to the returns that followed, by least squares; nothing is bootstrapped. `DMC.learn` is the loop.

DouZero reads actions as inputs, because its game has thousands; here an action is one output of 54. Forced moves are
played but not stored, and no other agent is needed.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from hearts_agents.neural import ILLEGAL
from hearts_env.envs.vector import VectorEnv
from hearts_training.train.config import DMCConfig
from hearts_training.train.memory import experience_rows
from hearts_training.train.ppo import anneal, generalized_advantages
from hearts_training.train.rollout import Rows
from hearts_training.train.selfplay import SelfPlay


class DMC(SelfPlay):
    """Games, a network of action values and its optimiser; `SelfPlay` has further attributes.

    Attributes:
        config: as given.
    """

    def __init__(self, env: VectorEnv, config: DMCConfig, *, seed: int, device: str = "cpu") -> None:
        """Start all games. `env` must have ``reward="relative"``. The seed fixes deals, weights and choices."""
        self.config = config
        super().__init__(env, config.hidden, experience_rows(env.game, config), seed=seed, device=device)

    def collect(self, progress: float) -> None:
        """Play `rollout_steps` moves in every game, or more until a deal has ended in some game."""
        epsilon = anneal(self.config.epsilon, self.config.final_epsilon, progress)
        steps, deals = 0, self.deals
        with torch.inference_mode():
            while steps < self.config.rollout_steps or self.deals == deals:
                actions = self.env.action_masks.argmax(1)
                games = np.flatnonzero(self.env.action_masks.sum(1) > 1)
                if games.size:
                    actions[games] = self._choose(games, epsilon)
                self.play(actions, len(games))
                steps += 1

    def _choose(self, games: Rows, epsilon: float) -> Rows:
        """The best action in each of some games, or any legal one with probability `epsilon`; stores the decisions."""
        new = self.store(games)
        rows = torch.arange(new.start, new.stop, device=self.device)
        masks = self.experience.masks[rows]
        best = self.values_of(rows).masked_fill(~masks, ILLEGAL).argmax(1)
        noise = torch.rand(masks.shape, generator=self.generator, device=self.device)
        anything = noise.masked_fill(~masks, -1).argmax(1)
        explores = torch.rand(len(rows), generator=self.generator, device=self.device) < epsilon
        actions = torch.where(explores, anything, best)
        self.experience.actions[new] = actions
        self.experience.log_probs[new] = 0  # no probabilities are learned
        return self.checked(games, actions)

    def values_of(self, rows: Tensor) -> Tensor:
        """The estimated return of every action in some stored decisions, (n, actions) float32."""
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.config.bfloat16):
            return self.outputs_of(rows).float()

    def update(self, progress: float) -> dict[str, float]:
        """Learn from the deals that have ended, at a fraction `progress` of the budget.

        Returns:
            Figures for the log: ``value_loss``, the mean over the minibatches; ``entropy``, 0, since the policy is not
            random; and ``explained_variance`` of the returns by the estimates before the update.

        Raises:
            DivergedError: one of them, or a weight, is not finite afterwards.
        """
        config = self.config
        self.set_learning_rate(anneal(config.learning_rate, config.final_learning_rate, progress))
        returns, ready = self._returns()
        rows = torch.from_numpy(np.flatnonzero(ready)).to(self.device)
        explained_variance = self._explained_variance(rows, returns)
        total, steps = torch.zeros((), device=self.device), 0
        for _ in range(config.epochs):
            order = torch.randperm(len(rows), generator=self.generator, device=self.device)
            for batch in rows[order].split(config.minibatch):
                loss = (self._taken(batch) - returns[batch]).square().mean()
                self.gradient_step(loss, config.max_grad_norm)
                total += loss.detach()
                steps += 1
        self.experience.keep(np.flatnonzero(~ready))
        self.updates += 1
        mean = float(total / max(steps, 1))
        figures = {"value_loss": mean, "entropy": 0.0, "explained_variance": explained_variance}
        self.check_finite(figures)
        return figures

    def _taken(self, rows: Tensor) -> Tensor:
        """The estimates of the actions that were taken."""
        return self.values_of(rows).gather(1, self.experience.actions[rows][:, None]).squeeze(1)

    def _returns(self) -> tuple[Tensor, NDArray[np.bool_]]:
        """What each stored decision earned to the end of its deal, and whether that has ended, (n,)."""
        n = self.experience.count
        returns, ready = np.empty(n, np.float32), np.empty(n, np.bool_)
        rewards, next_row = self.experience.rewards[:n], self.experience.next_row[:n]
        generalized_advantages(next_row, rewards, np.zeros(n, np.float32), np.float32(1), returns, ready)
        return torch.from_numpy(returns).to(self.device), ready

    def _explained_variance(self, rows: Tensor, returns: Tensor) -> float:
        """1 - Var(returns - estimates) / Var(returns); 0 where the returns do not vary."""
        if len(rows) < 2:
            return 0.0
        with torch.inference_mode():
            found = torch.cat([self._taken(part) for part in rows.split(8192)])
        variance = returns[rows].var()
        return float(1 - (returns[rows] - found).var() / variance) if variance > 0 else 0.0
