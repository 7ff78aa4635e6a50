"""The learner's seat in many games as a batched `EnvBase` of TorchRL."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from tensordict import TensorDict, TensorDictBase
from torchrl.data import Binary, Bounded, Categorical, Composite, Unbounded
from torchrl.envs import EnvBase

from hearts_env.envs.learner import LearnerGames
from hearts_env.envs.outcome import Outcome
from hearts_env.ruleset.model import Rules


class LearnerTorchEnv(EnvBase):
    """Many games, in each of which the learner has one seat; see `LearnerGames`.

    Tensordicts of batch size (n,) hold ``observation`` float32 (n, columns), ``action_mask`` bool (n, actions), which a
    `MaskedCategorical` takes as it is, and ``hidden`` float32, the hands that the learner does not see
    (`LearnerGames.hidden`), for critics and never for policies. Random actions of rollouts obey the mask. TorchRL's
    `RandomPolicy`, the default of its collectors, does not, because it keeps a copy of the action spec: give collectors
    ``env.rand_action``.

    Games whose episode is over wait for a reset, which may be of some games only (``_reset``); collectors and rollouts
    do that by themselves.

    >>> from hearts_env.envs.torchrl import LearnerTorchEnv
    >>> env = LearnerTorchEnv("rickety_kate", 3, deals=1, first_deal=0)
    >>> rollout = env.rollout(16)  # three cards to pass and thirteen to play; no moon, so no choice after the deal
    >>> rollout.shape, rollout["next", "done"][:, -1, 0].tolist()
    (torch.Size([3, 16]), [True, True, True])

    Attributes:
        games: the games; ``games.outcome`` says what happened in the last episode that ended in each place.
    """

    def __init__(
        self, variant: str | Rules = "black_lady", num_envs: int = 256, *, device: Any = None, **options: Any
    ) -> None:
        """Make the environment.

        Args:
            variant: rules or their text.
            num_envs: number of games.
            device: where the tensors go; the games are played on the CPU.
            options: opponents, seat and the other options of `LearnerGames`, except for autoreset: TorchRL resets.

        Raises:
            ValueError: a bad option.
        """
        if "autoreset" in options:
            raise ValueError("autoreset cannot be chosen: TorchRL resets the games whose episode is over")
        self.games = LearnerGames(variant, num_envs, autoreset="disabled", **options)
        self._begun = False
        self._next_seed: int | None = None
        n, space = self.games.num_envs, self.games.single_observation_space
        super().__init__(device=device, batch_size=torch.Size([n]))
        low, high = (torch.as_tensor(bound).expand(n, -1) for bound in (space.low, space.high))
        actions = self.games.action_masks.shape[1]
        self.observation_spec = Composite(
            observation=Bounded(low, high, dtype=torch.float32, device=self.device),
            hidden=Bounded(
                0.0, float(self.games.game.tables["copies"]), self.games.hidden_shape, self.device, torch.float32
            ),
            action_mask=Binary(actions, shape=(n, actions), dtype=torch.bool, device=self.device),
            shape=(n,),
        )
        self.action_spec = Categorical(actions, shape=(n,), device=self.device)
        self.reward_spec = Unbounded((n, 1), device=self.device)

    def _reset(self, tensordict: TensorDictBase | None = None, **options: Any) -> TensorDictBase:
        chosen = None if tensordict is None or not self._begun else tensordict.get("_reset", None)
        games = None if chosen is None else chosen.reshape(-1).cpu().numpy()
        self.games.reset(seed=self._next_seed, games=games, **options)
        self._begun, self._next_seed = True, None
        return self._look()

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        self.games.step(tensordict["action"].cpu().numpy())
        over = torch.as_tensor(self.games.over.copy()[:, None])
        seen = self._look()
        seen.update({"reward": self.games.rewards.copy()[:, None], "done": over, "terminated": over.clone()})
        return seen

    def _look(self) -> TensorDictBase:
        mask = torch.as_tensor(self.games.action_masks.astype(np.bool_), device=self.device)
        self.action_spec.update_mask(mask)
        observation = torch.as_tensor(self.games.observations.copy(), device=self.device)
        hidden = torch.as_tensor(self.games.hidden(), device=self.device)
        seen = {"observation": observation, "action_mask": mask, "hidden": hidden}
        return TensorDict(seen, self.batch_size, device=self.device)

    def _set_seed(self, seed: int | None) -> None:
        self._next_seed = seed

    @property
    def outcome(self) -> Outcome:
        """See `LearnerGames.outcome`: the rows of games that are ``done`` are valid."""
        return self.games.outcome

    def set_opponents(self, opponents: Any) -> None:
        """Replace the opponents; see `LearnerGames.set_opponents`."""
        self.games.set_opponents(opponents)

    def close(self, *, raise_if_closed: bool = True) -> None:
        """End the games; see `LearnerGames.close`."""
        super().close(raise_if_closed=raise_if_closed)
        self.games.close()
