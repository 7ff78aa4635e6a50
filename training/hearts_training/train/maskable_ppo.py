"""MaskablePPO of sb3-contrib in self-play, on any variant: the example of how to train with Stable-Baselines3.

The environment is `LearnerVecEnv`: the learner sits in one seat of every game, a seat further in every match, and the
others are played inside `step`, by snapshots of the learner itself (``self``) and by agents such as ``rule``. The
rewards that others' moves bring are part of the learner's own step, and only legal actions are sampled.

An update begins with new matches and a seed of its own, so that weights, moments and the number of updates are all that
a checkpoint needs. Learning ends an episode with the deal: the next deal does not depend on it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.utils import set_random_seed
from stable_baselines3.common.vec_env import VecEnvWrapper
from stable_baselines3.common.vec_env.base_vec_env import VecEnvObs, VecEnvStepReturn
from torch import Tensor

from hearts_agents.neural.sb3 import actor_of, best_actions, save_sb3
from hearts_env.envs.opponents import Mixture
from hearts_env.envs.sb3 import LearnerVecEnv
from hearts_env.play.view import Views
from hearts_training.provenance import Entry
from hearts_training.train.config import MaskablePPOConfig
from hearts_training.train.learner import DivergedError, set_counters
from hearts_training.train.ppo import anneal
from hearts_training.train.tensors import MOMENTS

SELF = "self"
FIGURES = {
    "train/policy_gradient_loss": "policy_loss",
    "train/value_loss": "value_loss",
    "train/approx_kl": "approx_kl",
    "train/clip_fraction": "clip_fraction",
    "train/explained_variance": "explained_variance",
}
"""What Stable-Baselines3 calls the figures of the log, and what `PPO` calls them."""


class DealEpisodes(VecEnvWrapper):
    """Ends an episode with every deal, without a reset of the match, and counts deals; rewards are scaled."""

    def __init__(self, venv: LearnerVecEnv) -> None:
        super().__init__(venv)
        self.games, self.deals = venv.games, 0
        self._scale = np.float32(self.games.game.tables["point_scale"])

    def reset(self) -> VecEnvObs:
        """New matches."""
        return self.venv.reset()

    def step_wait(self) -> VecEnvStepReturn:
        """A step; `done` where a deal has ended."""
        before = self.games.states["deal_number"].copy()
        observations, rewards, dones, infos = self.venv.step_wait()
        dones = dones | (self.games.states["deal_number"] != before)
        self.deals += int(dones.sum())
        return observations, rewards * self._scale, dones, infos


class MaskablePPOLearner:
    """Games, the model, and the snapshot that it plays against.

    Attributes:
        config: as given.
        env: the games.
        model: Stable-Baselines3's.
        deals, decisions, updates: how many there were; decisions are those of the learner.
    """

    agent = "sb3"
    imitating = False
    counters: tuple[str, ...] = ("deals", "decisions", "updates")

    def __init__(self, rules: str, config: MaskablePPOConfig, *, seed: int, device: str = "cpu") -> None:
        """Make games and model. The seed fixes deals, weights and choices."""
        self.config, self._seed = config, seed
        self.deals = self.decisions = self.updates = 0
        self._rate = config.learning_rate
        games = LearnerVecEnv(rules, config.num_envs, seat="rotating", reward="relative", timing=config.timing)
        games.games.set_opponents(Mixture(*(self._snapshot if name == SELF else name for name in config.opponents)))
        self.env = DealEpisodes(games)
        self.game = games.games.game
        self.model = MaskablePPO(
            "MlpPolicy",
            self.env,
            learning_rate=lambda _: self._rate,
            n_steps=config.rollout_steps,
            batch_size=config.minibatch,
            n_epochs=config.epochs,
            gamma=1.0,
            gae_lambda=config.gae_lambda,
            clip_range=config.clip,
            max_grad_norm=config.max_grad_norm,
            policy_kwargs={"net_arch": list(config.hidden), "activation_fn": torch.nn.ReLU},
            device=device,
            seed=seed % 2**32,
        )
        self.model.set_logger(Logger(folder=None, output_formats=[]))

    def _snapshot(self, observations: NDArray[Any], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """The learner as an opponent: samples from the policy as it was when the update began."""
        actions, _ = self.model.predict(observations, action_masks=masks)
        found: NDArray[np.int64] = actions
        return found

    def learn(self, progress: Callable[[], float]) -> Generator[dict[str, float], None, None]:
        """Collect and update until `progress()`, the fraction of the budget used, is 1; yields figures for the log."""
        while (fraction := progress()) < 1:
            yield self.update(fraction)

    def update(self, progress: float) -> dict[str, float]:
        """Play `rollout_steps` decisions in every game and learn from them, at a fraction `progress` of the budget.

        Raises:
            DivergedError: a figure or a weight is not finite afterwards.
            ValueError: no deal has ended. Every rollout begins with new matches, so none ever would.
        """
        config, steps = self.config, self.config.rollout_steps * self.config.num_envs
        self._rate = anneal(config.learning_rate, config.final_learning_rate, progress)
        self.model.ent_coef = anneal(config.entropy, config.final_entropy, progress)
        seed = int(np.random.SeedSequence([self._seed, self.updates]).generate_state(1)[0])
        set_random_seed(seed)
        self.env.seed(seed)
        try:
            self.model.learn(steps)  # begins with a reset
        except ValueError:  # torch refuses logits that are not finite
            self._check_finite({})
            raise
        if not self.env.deals:
            raise ValueError(f"rollout_steps={config.rollout_steps} is shorter than a deal of {self.game.rules}")
        self.deals, self.env.deals = self.deals + self.env.deals, 0
        self.decisions += steps
        self.updates += 1
        logged = self.model.logger.name_to_value
        figures = {name: float(logged[theirs]) for theirs, name in FIGURES.items()}
        figures["entropy"] = -float(logged["train/entropy_loss"])
        self._check_finite(figures)
        return figures

    def _check_finite(self, figures: Mapping[str, float]) -> None:
        for name, value in figures.items():
            if not np.isfinite(value) and name != "explained_variance":  # nan where the returns do not vary
                raise DivergedError(f"training diverged: {name} is {value}")
        if not all(bool(parameter.isfinite().all()) for parameter in self.model.policy.parameters()):
            raise DivergedError("training diverged: weights are not finite")

    def act_batch(self, views: Views) -> NDArray[np.int64]:
        """The most probable action in every view."""
        return best_actions(actor_of(self.model.policy, self.game)[0], views)

    def save_agent(self, folder: Path, run: Sequence[Entry] = ()) -> None:
        """Write the actor, ``sb3:FOLDER``."""
        save_sb3(folder, self.model.policy, self.game.rules, {"deals": self.deals}, run=run)

    def tensors(self) -> dict[str, Tensor]:
        """Weights and Adam's moments, by name, on the CPU."""
        found = dict(self.model.policy.state_dict())
        for place, state in self.model.policy.optimizer.state_dict()["state"].items():
            found |= {f"adam.{place}.{name}": torch.as_tensor(value) for name, value in state.items()}
        return {name: tensor.detach().cpu().contiguous() for name, tensor in found.items()}

    def restore(self, tensors: dict[str, Tensor], counters: Mapping[str, Any]) -> None:
        """Go back to where `tensors` and the counters were saved; errors as in `Learner.restore`."""
        if not all(bool(tensor.isfinite().all()) for tensor in tensors.values()):
            raise ValueError("there are numbers that are not finite")
        policy, moments = self.model.policy, {name for name in tensors if name.startswith("adam.")}
        policy.load_state_dict({name: tensor for name, tensor in tensors.items() if name not in moments})
        if moments:  # none before the first update
            like: dict[int, Tensor] = dict(enumerate(policy.parameters()))
            state = {place: {moment: tensors[f"adam.{place}.{moment}"] for moment in MOMENTS} for place in like}
            _check_moments(state, like)
            groups = policy.optimizer.state_dict()["param_groups"]
            policy.optimizer.load_state_dict({"state": state, "param_groups": groups})
        set_counters(self, counters)


def _check_moments(state: dict[int, dict[str, Tensor]], like: dict[int, Tensor]) -> None:
    for place, parameter in like.items():
        step, mean, square = (state[place][moment] for moment in MOMENTS)
        if mean.shape != parameter.shape or square.shape != parameter.shape or step.shape != ():
            raise ValueError(f"adam.{place} does not have the shape of its parameter")
        if step < 0 or (square < 0).any():
            raise ValueError(f"adam.{place} is below 0")
