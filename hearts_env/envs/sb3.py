"""The learner's seat in many games as a `VecEnv` of Stable-Baselines3, with the masks that sb3-contrib requires."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from hearts_env.envs.learner import LearnerGames
from hearts_env.envs.outcome import Outcome
from hearts_env.ruleset.model import Rules


class LearnerVecEnv(VecEnv):
    """Many games, in each of which the learner has one seat; see `LearnerGames`.

    ``MaskablePPO("MlpPolicy", LearnerVecEnv("black_lady", 256, opponents="rule"))`` learns with masks. The observation
    at the end of an episode is ``infos[i]["terminal_observation"]``, the number of its last deal
    ``infos[i]["deal_number"]``, and ``infos[i]["outcome"]`` is what happened in it: the keys of `Outcome`, with arrays
    (seats,) and ``shooter`` a number. For self-play, ``set_opponents(FrozenPolicy(model))`` replaces the opponents by
    the model as it is.

    >>> from hearts_env.envs.sb3 import LearnerVecEnv
    >>> env = LearnerVecEnv("black_lady", 3, deals=1, first_deal=0)
    >>> _ = env.seed(7)
    >>> observations = env.reset()
    >>> for _ in range(16):  # three cards to pass and thirteen to play
    ...     observations, rewards, dones, infos = env.step(env.action_masks().argmax(axis=1))
    >>> dones, infos[0]["terminal_observation"].shape
    (array([ True,  True,  True]), (684,))

    Attributes:
        games: the games.
    """

    def __init__(self, variant: str | Rules = "black_lady", num_envs: int = 256, **options: Any) -> None:
        """Make the environment.

        Args:
            variant: rules or their text.
            num_envs: number of games.
            options: opponents, seat and the other options of `LearnerGames`, except for autoreset: in a `VecEnv` the
                next episode begins in the same step.

        Raises:
            ValueError: a bad option.
        """
        if "autoreset" in options:
            raise ValueError("autoreset cannot be chosen: in a VecEnv the next episode begins in the same step")
        self.games = LearnerGames(variant, num_envs, **options)
        super().__init__(self.games.num_envs, self.games.single_observation_space, self.games.single_action_space)

    def reset(self) -> NDArray[np.float32]:
        """Start all games again, from the seed and the options that `seed` and `set_options` have set."""
        self.games.reset(seed=self._seeds[0], options=list(self._options))
        self._reset_seeds()
        self._reset_options()
        return self.games.observations.copy()

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Keep the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Take the actions; errors as in `LearnerGames.step`."""
        games = self.games
        games.step(self._actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        rows, outcome = games.ended()
        arrays = dict(outcome) if rows.size else {}
        for place, game in enumerate(rows.tolist()):
            infos[game] = {
                "terminal_observation": games.final_observations[game].copy(),
                "deal_number": int(games.finals["deal_number"][game]),
                "TimeLimit.truncated": False,
                "outcome": {name: array[place] for name, array in arrays.items()},
            }
        for game, reason in games.illegal.items():
            infos[game]["illegal"] = reason
        return games.observations.copy(), games.rewards.copy(), games.terminated.copy(), infos

    def action_masks(self) -> NDArray[np.bool_]:
        """The learner's legal actions, (n, actions)."""
        return self.games.action_masks.astype(np.bool_)

    def hidden(self) -> NDArray[np.float32]:
        """The hands that the learner's seats do not see, for critics; see `LearnerGames.hidden`."""
        return self.games.hidden()

    @property
    def outcome(self) -> Outcome:
        """See `LearnerGames.outcome`."""
        return self.games.outcome

    def set_opponents(self, opponents: Any) -> None:
        """Replace the opponents; see `LearnerGames.set_opponents`."""
        self.games.set_opponents(opponents)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of the games, once for each."""
        if attr_name == "action_masks":
            return [None for _ in self._get_indices(indices)]  # it is there: `env_method` calls it
        value = None if attr_name == "render_mode" else getattr(self.games, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refused: the games share their attributes."""
        raise NotImplementedError(f"the games share their attributes; {attr_name} cannot be set for one of them")

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """`action_masks` or `hidden` of each game; the result of another method of the games, once for each."""
        if method_name in ("action_masks", "hidden"):
            return list(getattr(self, method_name)()[list(self._get_indices(indices))])
        result = getattr(self.games, method_name)(*method_args, **method_kwargs)
        return [result for _ in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """No game is wrapped."""
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """End the games; see `LearnerGames.close`."""
        self.games.close()


class FrozenPolicy:
    """A copy of a model's policy as it is now, to play against: a function of observations and masks.

    What it draws follows from the seed of the last `reset`, and not from torch's own state.
    """

    def __init__(self, model: Any, *, deterministic: bool = False) -> None:
        """Copy the policy.

        Args:
            model: a `MaskablePPO`, or another model whose policy predicts with ``action_masks``.
            deterministic: whether it plays its likeliest action instead of drawing one.
        """
        saved = io.BytesIO()
        model.policy.save(saved)
        saved.seek(0)
        self._policy = type(model.policy).load(saved, device="cpu")  # whose random numbers follow from the seed
        self._deterministic = deterministic
        self._policy.set_training_mode(False)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Restart its random choices."""
        self._random = torch.Generator().manual_seed(seed % 2**63).get_state()

    def __call__(self, observations: NDArray[np.float32], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """One action per row."""
        with torch.random.fork_rng():
            torch.set_rng_state(self._random)
            actions, _ = self._policy.predict(observations, action_masks=masks, deterministic=self._deterministic)
            self._random = torch.get_rng_state()
        chosen: NDArray[np.int64] = actions
        return chosen
