"""The learner's seat in many games as a `gymnasium.vector.VectorEnv`, which `gymnasium.make_vec` makes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from hearts_env.envs.learner import LearnerGames
from hearts_env.envs.outcome import Outcome
from hearts_env.ruleset.model import Rules

Observations = NDArray[np.float32]
MODES = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}


class LearnerVectorEnv(VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """Many games, in each of which the learner has one seat; see `LearnerGames`.

    ``infos["action_mask"]`` (n, actions) int8 has the legal actions, and `action_masks` returns it. It is never all 0:
    where an episode is over, every action is allowed and ignored. ``infos["deal_number"]`` (n,) has the numbers of the
    deals. ``infos["illegal"]`` names card, seat and rule where
    the learner's action ended the episode because it was illegal, and ``infos["outcome"]`` (`Outcome`) has arrays with
    a row per game, valid where ``infos["_outcome"]`` is set: where an episode has just ended. Under ``SAME_STEP``,
    ``infos["final_obs"]`` and ``infos["final_info"]``, with ``illegal`` and ``outcome`` in it, belong to the episode
    that ended, as in Gymnasium's own vector environments.

    >>> import gymnasium
    >>> envs = gymnasium.make_vec("hearts_env:Hearts/BlackLady-v0", num_envs=3, deals=1, first_deal=0)
    >>> observations, infos = envs.reset(seed=7)
    >>> for _ in range(16):  # three cards to pass and thirteen to play
    ...     actions = infos["action_mask"].argmax(axis=1)
    ...     observations, rewards, terminations, truncations, infos = envs.step(actions)
    >>> observations.shape, terminations.all()
    ((3, 684), np.True_)
    """

    def __init__(
        self,
        variant: str | Rules = "black_lady",
        num_envs: int = 1,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Make the environment.

        Args:
            variant: rules or their text.
            num_envs: number of games.
            autoreset_mode: when the next episode begins: ``AutoresetMode.NEXT_STEP``, ``SAME_STEP`` or ``DISABLED``,
                or their values ``NextStep``, ``SameStep`` and ``Disabled``.
            render_mode: None; `gymnasium.make` renders.
            options: opponents, seat and the other options of `LearnerGames`.

        Raises:
            ValueError: a bad option.
        """
        if render_mode is not None:
            raise ValueError(f"render_mode={render_mode!r} is not possible for many games; gymnasium.make renders one")
        mode = AutoresetMode(autoreset_mode)
        self.games = LearnerGames(variant, num_envs, autoreset=MODES[mode], **options)
        self.num_envs = self.games.num_envs
        self.metadata = {"autoreset_mode": mode, "render_modes": []}
        self.single_observation_space = self.games.single_observation_space
        self.single_action_space = self.games.single_action_space
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self,
        *,
        seed: int | Sequence[int] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observations, dict[str, Any]]:
        """Start episodes in all games, or in those that ``options["reset_mask"]`` (n,) sets.

        `seed` and the other options and errors are those of `LearnerGames.reset`; all games begin from one position.
        """
        given = dict(options or {})
        games = given.pop("reset_mask", None)
        self.games.reset(seed=seed, options=given, games=games)
        return self.games.observations.copy(), self._infos()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observations, NDArray[Any], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Take the learner's actions, (n,); errors as in `LearnerGames.step`."""
        games = self.games
        games.step(actions)
        ended = games.terminated.copy()
        same_step = games.autoreset == "same_step" and ended.any()
        infos = self._infos() | (self._final() if same_step else self._reports())
        return games.observations.copy(), games.rewards.astype(np.float64), ended, np.zeros_like(ended), infos

    def close_extras(self, **kwargs: Any) -> None:
        """End the games; see `LearnerGames.close`."""
        self.games.close()

    def _infos(self) -> dict[str, Any]:
        every = np.ones(self.num_envs, np.bool_)
        deals = self.games.states["deal_number"].astype(np.int64)
        return {"action_mask": self.action_masks(), "_action_mask": every, "deal_number": deals, "_deal_number": every}

    def _final(self) -> dict[str, Any]:
        ended, masks = self.games.terminated.copy(), np.zeros_like(self.games.action_masks)
        masks[ended] = 1
        final = np.full(self.num_envs, None, object)
        for game in np.flatnonzero(ended):
            final[game] = self.games.final_observations[game].copy()
        deals = ended * self.games.finals["deal_number"].astype(np.int64)
        final_info = {"action_mask": masks, "_action_mask": ended, "deal_number": deals, "_deal_number": ended}
        final_info |= self._reports()
        return {"final_obs": final, "_final_obs": ended, "final_info": final_info, "_final_info": ended}

    def _reports(self) -> dict[str, Any]:
        """Why actions were illegal, and the outcome of the episodes that ended in the last step."""
        rows, outcome = self.games.ended()
        if not rows.size:
            return {}
        ended, found = self.games.terminated, dict[str, Any]()
        for name, array in outcome.items():
            found[name] = np.zeros((self.num_envs, *array.shape[1:]), array.dtype)
            found[name][rows], found[f"_{name}"] = array, ended.copy()
        return {"outcome": found, "_outcome": ended.copy()} | self._illegal()

    def _illegal(self) -> dict[str, Any]:
        if not self.games.illegal:
            return {}
        why, where = np.full(self.num_envs, None, object), np.zeros(self.num_envs, np.bool_)
        for game, reason in self.games.illegal.items():
            why[game], where[game] = reason, True
        return {"illegal": why, "_illegal": where}

    def action_masks(self) -> NDArray[np.int8]:
        """The learner's legal actions, (n, actions), as 0 or 1."""
        return self.games.action_masks.copy()

    @property
    def outcome(self) -> Outcome:
        """See `LearnerGames.outcome`."""
        return self.games.outcome

    def hidden(self) -> NDArray[np.float32]:
        """The hands that the learner's seats do not see, for critics; see `LearnerGames.hidden`."""
        return self.games.hidden()
