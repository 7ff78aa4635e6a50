"""Games in which one network plays every seat, and what is stored of them: the half that PPO and DMC share."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from hearts_agents.neural import PolicyNet, network_inputs, save_policy
from hearts_env.envs.vector import VectorEnv
from hearts_env.play.view import Views
from hearts_training.provenance import Entry
from hearts_training.train.game_log import GameLog
from hearts_training.train.learner import DivergedError, set_counters
from hearts_training.train.rollout import Experience, Floats, Rows
from hearts_training.train.sparse import by_column
from hearts_training.train.tensors import from_tensors, to_tensors


class SelfPlay:
    """Games, decisions not learned from yet, and a network with an output per action.

    Attributes:
        env, device: as given.
        experience: decisions not learned from yet.
        game_log: what was played in the games in progress.
        policy: the network.
        learners: each network with its optimiser, by name.
        generator: the source of random choices.
        deals, decisions, choices, updates: how many there were; choices are the decisions that were not forced.
    """

    agent = "net"
    imitating = False
    counters: tuple[str, ...] = ("deals", "decisions", "choices", "updates")

    def __init__(self, env: VectorEnv, hidden: tuple[int, ...], rows: int, *, seed: int, device: str) -> None:
        """Start all games. `rows` decisions can be stored."""
        self.env, self.device = env, torch.device(device)
        seeds = np.random.SeedSequence(seed).generate_state(3)
        env.reset(seed=int(seeds[0]))
        self.game_log = GameLog(env.num_envs)
        self.experience = Experience(env, rows, self.device)
        self.learners: dict[str, tuple[nn.Module, torch.optim.Adam]] = {}
        with torch.random.fork_rng():
            torch.manual_seed(int(seeds[1]))
            self.policy = PolicyNet(self.experience.inputs.input_size, env.action_masks.shape[1], hidden)
            self.add_networks()
        self.generator = torch.Generator(self.device).manual_seed(int(seeds[2]))
        self.deals = self.decisions = self.choices = self.updates = 0
        self._masks = torch.from_numpy(env.action_masks)
        self._reward_scale = np.float32(env.game.tables["point_scale"])

    def add_networks(self) -> None:
        """Initialise the networks and put them into `learners`."""
        self.learners["policy"] = self.with_optimizer(self.policy)

    def with_optimizer(self, net: nn.Module) -> tuple[nn.Module, torch.optim.Adam]:
        """Initialise a network: orthogonal weights, zero biases, a last layer that is nearly uniform or zero."""
        layers = [layer for layer in net.modules() if isinstance(layer, nn.Linear)]
        for layer in layers:
            nn.init.orthogonal_(layer.weight, 0.01 if layer is layers[-1] else 2**0.5)
            nn.init.zeros_(layer.bias)
        by_column(layers[0])
        return net.to(self.device), torch.optim.Adam(net.parameters(), eps=1e-5, fused=True)

    def learn(self, progress: Callable[[], float]) -> Generator[dict[str, float], None, None]:
        """Collect and update until `progress()`, the fraction of the budget used, is 1; yields figures for the log."""
        while (fraction := progress()) < 1:
            self.collect(fraction)
            yield self.update(fraction)

    def collect(self, progress: float) -> None:
        """Play, at a fraction `progress` of the budget, and store the decisions."""
        raise NotImplementedError

    def update(self, progress: float) -> dict[str, float]:
        """Learn from the stored decisions whose deals have ended; returns figures for the log."""
        raise NotImplementedError

    # --- playing --------------------------------------------------------------------------------

    def store(self, games: Rows) -> slice:
        """Store what the seats to act in some games see and may do; returns the rows of the new decisions."""
        new = self.experience.extend(games, self.env.seats[games])
        self.experience.inputs.write(new, self.env, games)
        self.experience.masks[new] = self._masks[torch.from_numpy(games)].to(self.device, torch.bool)
        return new

    def checked(self, games: Rows, actions: Tensor) -> Rows:
        """The actions of a network in some games. Raises DivergedError if one is illegal."""
        chosen: Rows = actions.cpu().numpy()
        if not self.env.action_masks[games, chosen].all():
            raise DivergedError("training diverged: the policy's logits are not finite")
        return chosen

    def play(self, actions: Rows, choices: int) -> None:
        """Play an action in every game, of which `choices` were not forced; rewards go to those who earned them."""
        env = self.env
        self.choices += choices
        self.decisions += env.num_envs
        deal_number = env.states["deal_number"].copy()
        env.step(actions)
        self.game_log.add(actions, env.terminated)
        ended = env.terminated | (env.states["deal_number"] != deal_number)
        rewards = self.earned(ended)
        if rewards.any():
            self.experience.credit(rewards)
        self.experience.close(ended)
        self.deals += int(ended.sum())

    def earned(self, ended: NDArray[np.bool_]) -> Floats:
        """What every seat earned with the last step, (games, seats), given the games whose deal has ended with it."""
        rewards: Floats = self.env.rewards * self._reward_scale
        return rewards

    def outputs_of(self, rows: Tensor, net: PolicyNet | None = None) -> Tensor:
        """What the policy, or `net`, says of some stored decisions, (n, actions), in the precision it runs in."""
        net = net or self.policy
        first = self.experience.inputs.product(net.body[0], rows)
        outputs: Tensor = net.head(net.body[1:](first))
        return outputs

    def act_batch(self, views: Views) -> NDArray[np.int64]:
        """The most probable action in every view."""
        inputs, masks = (torch.from_numpy(rows).to(self.device) for rows in network_inputs(views))
        with torch.inference_mode():
            actions: NDArray[np.int64] = self.policy(inputs, masks).argmax(1).cpu().numpy()
        return actions

    # --- learning -------------------------------------------------------------------------------

    def set_learning_rate(self, rate: float) -> None:
        """Set the step size of all optimisers."""
        for _, optimizer in self.learners.values():
            for group in optimizer.param_groups:
                group["lr"] = rate

    def gradient_step(self, loss: Tensor, max_norm: float) -> None:
        """One step of every optimiser, with gradients clipped for each network."""
        for _, optimizer in self.learners.values():
            optimizer.zero_grad()
        loss.backward()
        for net, optimizer in self.learners.values():
            nn.utils.clip_grad_norm_(net.parameters(), max_norm)
            optimizer.step()  # a network without gradients stays as it is

    def check_finite(self, figures: Mapping[str, float]) -> None:
        """Raise DivergedError if a figure or a weight is not finite."""
        for name, value in figures.items():
            if not np.isfinite(value):
                raise DivergedError(f"training diverged: {name} is {value}")
        for name, (net, _) in self.learners.items():
            if not np.isfinite(float(sum(parameter.detach().abs().max() for parameter in net.parameters()))):
                raise DivergedError(f"training diverged: weights of the {name} are not finite")

    # --- files ----------------------------------------------------------------------------------

    def save_agent(self, folder: Path, run: Sequence[Entry] = ()) -> None:
        """Write the network, ``net:FOLDER``."""
        save_policy(folder, self.policy, self.env.game.rules, {"deals": self.deals}, run=run)

    def tensors(self) -> dict[str, Tensor]:
        """Networks, optimisers, games and stored decisions, by name, on the CPU."""
        return to_tensors(self)

    def restore(self, tensors: dict[str, Tensor], counters: Mapping[str, Any]) -> None:
        """Go back to where `tensors` and the counters were saved; errors as in `Learner.restore`."""
        from_tensors(self, tensors)
        set_counters(self, counters)
        if not self.experience.count <= self.choices <= self.decisions:
            raise ValueError("the counters of decisions are not possible")
