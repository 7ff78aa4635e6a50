"""The decisions of a rollout: what was seen and chosen, what it earned, and which decision came next."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from hearts_env.envs.vector import VectorEnv
from hearts_training.train.sparse import SparseRows

END, OPEN = -1, -2
"""In place of a next row: the deal ended after this decision, or it is still being played."""
Rows = NDArray[np.int64]
Floats = NDArray[np.float32]


class Experience:
    """Decisions that have not been learned from yet, in the order they were stored, in preallocated rows.

    The seat to act changes from step to step, so the decisions of a game belong to several trajectories, one per seat
    and deal. `next_row` links each decision to the same seat's next one.

    Attributes:
        count: rows in use.
        inputs: network inputs: the observation, and the hidden hands for the critic.
        masks, actions, log_probs: (rows, ...) legal actions, the action taken and its log-probability when it was
            taken; tensors on the learner's device.
        rewards: (rows,) what the seat earned between this decision and its next one.
        next_row: (rows,) row of the same seat's next decision in the deal; END after the last one, OPEN while the next
            one has not been made.
        last_row: (games, seats) row of the seat's last decision so far in the deal, -1 before the first one.
    """

    def __init__(self, env: VectorEnv, rows: int, device: torch.device) -> None:
        """Allocate `rows` rows."""
        self.count = 0
        self.inputs = SparseRows(env, rows, device)
        self.masks = torch.empty((rows, env.action_masks.shape[1]), dtype=torch.bool, device=device)
        self.actions = torch.empty(rows, dtype=torch.int64, device=device)
        self.log_probs = torch.empty(rows, dtype=torch.float32, device=device)
        self.rewards = np.zeros(rows, np.float32)
        self.next_row = np.full(rows, OPEN, np.int64)
        self.last_row = np.full((env.num_envs, env.game.seats), -1, np.int64)

    @property
    def tensors(self) -> dict[str, Tensor]:
        """The tensors that hold one row per decision, by name."""
        return {**self.inputs.tensors, "masks": self.masks, "actions": self.actions, "log_probs": self.log_probs}

    def extend(self, games: Rows, seats: NDArray[np.int8]) -> slice:
        """Add a decision of one seat in each of some games, linked to the seat's previous one; returns the new rows."""
        new = slice(self.count, self.count + len(games))
        if new.stop > len(self.rewards):
            raise ValueError(f"{len(self.rewards)} rows are full")
        rows = np.arange(new.start, new.stop)
        previous = self.last_row[games, seats]
        self.next_row[previous[previous >= 0]] = rows[previous >= 0]
        self.last_row[games, seats] = rows
        self.rewards[new], self.next_row[new] = 0, OPEN
        self.count = new.stop
        return new

    def credit(self, rewards: Floats) -> None:
        """Add each seat's reward, (games, seats), to its last decision, whoever has just moved."""
        decided = self.last_row >= 0
        self.rewards[self.last_row[decided]] += rewards[decided]

    def close(self, ended: NDArray[np.bool_]) -> None:
        """End all trajectories of the games whose deal has ended, (games,)."""
        last = self.last_row[ended]
        self.next_row[last[last >= 0]] = END
        self.last_row[ended] = -1

    def keep(self, rows: Rows) -> None:
        """Keep only `rows` (ascending). No dropped row may have a kept one as its successor."""
        place = np.full(self.count + 1, -1, np.int64)
        place[rows] = np.arange(len(rows))
        where = torch.from_numpy(rows).to(self.actions.device)
        for tensor in self.tensors.values():
            tensor[: len(rows)] = tensor[where]
        self.rewards[: len(rows)] = self.rewards[rows]
        next_row = self.next_row[rows]
        self.next_row[: len(rows)] = np.where(next_row >= 0, place[next_row], next_row)
        self.last_row = np.where(self.last_row >= 0, place[self.last_row], -1)
        self.count = len(rows)
