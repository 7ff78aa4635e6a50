"""Games in which one network passes and plays in every seat, a teacher in its place, or other agents in some seats."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from hearts_agents.base import Agent
from hearts_agents.neural import ILLEGAL, PolicyNet
from hearts_agents.registry import make_agent
from hearts_env.envs.vector import VectorEnv
from hearts_env.kernel.batch import take_views
from hearts_env.kernel.records import STATE
from hearts_env.seat.view import Views
from hearts_training.precision import autocast
from hearts_training.train.config import PPOConfig
from hearts_training.train.learner import DivergedError
from hearts_training.train.match_critic import MatchCritic
from hearts_training.train.memory import experience_rows
from hearts_training.train.rollout import Experience, Floats, Rows
from hearts_training.train.sparse import by_column

COUNTED = ("deals", "decisions", "choices")
"""Names of the attributes in which `SelfPlay` counts."""


class SelfPlay:
    """Games, the policy that plays them, and decisions that have not been learned from yet.

    Attributes:
        env, config, device: as given.
        experience: decisions not learned from yet.
        policy: the network.
        match_critic: pays the chance to win the match; None where points are paid.
        generator: the source of random choices.
        teacher, opponents: agents that are imitated, and that are played against.
        imitating: whether the teacher plays all seats.
        deals, decisions, choices: how many there were; choices are the decisions that were not forced.
    """

    def __init__(self, env: VectorEnv, config: PPOConfig, *, seed: int, device: str | torch.device = "cpu") -> None:
        """Start all games. The seed fixes deals, weights and choices.

        `env` must have ``reward="relative"``, or ``reward="win"`` if the objective is the match.
        """
        self.env, self.config, self.device = env, config, torch.device(device)
        seeds = np.random.SeedSequence(seed).generate_state(3)
        env.reset(seed=int(seeds[0]))
        self.experience = Experience(env, experience_rows(env.game, config), self.device)
        self.match_critic: MatchCritic | None = None
        with torch.random.fork_rng():
            torch.manual_seed(int(seeds[1]))
            self.add_networks()
        self.generator = torch.Generator(self.device).manual_seed(int(seeds[2]))
        self.deals = self.decisions = self.choices = 0
        self.imitating = False
        self.teacher = make_agent(config.teacher)
        self.opponents = [make_agent(spec) for spec in config.opponents]
        self._masks = torch.from_numpy(env.action_masks)
        self._reward_scale = np.float32(env.game.tables["point_scale"])
        self._views = np.zeros(env.num_envs, STATE)
        self._assign_opponents()

    def add_networks(self) -> None:
        """Make the policy."""
        self.policy = self.make_policy()

    def make_policy(self) -> PolicyNet:
        """A policy of the configuration's sizes."""
        kinds = len(self.env.game.deck.kinds) if self.config.own_counts else 0
        sizes = self.experience.inputs.input_size, self.env.action_masks.shape[1]
        policy = PolicyNet(*sizes, self.config.hidden, kinds)
        by_column(policy.body[0])
        return policy.to(self.device)

    def _assign_opponents(self) -> None:
        """Assign opponents to games and seats: an opponent holds all seats except one, or except those of one team."""
        games, teams, count = np.arange(self.env.num_envs), np.array(self.env.game.teams), len(self.opponents)
        with_opponent = games < self.config.opponent_games * self.env.num_envs
        own_team = games // count % (teams.max() + 1)
        self._opponent = np.where(with_opponent, games % count, -1)
        self._opponent_seats = with_opponent[:, None] & (own_team[:, None] != teams)

    def collect(self, progress: float) -> None:
        """Play `rollout_steps` moves in every game, or more until a deal has ended in some game.

        The teacher plays all seats while `progress`, the fraction of the budget used, is below `imitation`.
        """
        imitating = progress < self.config.imitation
        if self.imitating != imitating:
            self.experience.keep(np.empty(0, np.int64))  # the teacher's moves do not mix with the policy's
        self.imitating = imitating
        steps, deals = 0, self.deals
        with torch.inference_mode():
            while steps < self.config.rollout_steps or self.deals == deals:
                self._step()
                steps += 1

    def _step(self) -> None:
        env = self.env
        actions = env.action_masks.argmax(1)
        choices = env.action_masks.sum(1) > 1
        if not self.imitating:
            of_opponents = choices & self._opponent_seats[np.arange(env.num_envs), env.seats]
            for index, opponent in enumerate(self.opponents):
                games = np.flatnonzero(of_opponents & (self._opponent == index))
                if games.size:
                    actions[games] = self._actions_of(opponent, games)
            choices &= ~of_opponents
        games = np.flatnonzero(choices)
        if games.size:
            actions[games] = self._choose(games)
        self._play(actions, len(games))

    def _choose(self, games: Rows) -> Rows:
        experience = self.experience
        new = experience.extend(games, self.env.seats[games])
        experience.inputs.write(new, self.env, games)
        experience.masks[new] = self._masks[torch.from_numpy(games)].to(self.device, torch.bool)
        if self.imitating:
            actions = self._actions_of(self.teacher, games)
            experience.actions[new] = torch.from_numpy(actions).to(self.device)
            experience.log_probs[new] = 0
            return actions
        log_probs = self.log_probs_of(torch.arange(new.start, new.stop, device=self.device))
        sampled = self.sample(log_probs)
        experience.actions[new] = sampled
        experience.log_probs[new] = log_probs.gather(1, sampled[:, None]).squeeze(1)
        chosen: Rows = sampled.cpu().numpy()
        if not self.env.action_masks[games, chosen].all():
            raise DivergedError("training diverged: the policy's logits are not finite")
        return chosen

    def sample(self, log_probs: Tensor) -> Tensor:
        """An action of each row of log-probabilities, (n,)."""
        noise = torch.empty_like(log_probs).exponential_(generator=self.generator)
        return (log_probs - noise.log()).argmax(1)  # the Gumbel-max trick

    def _actions_of(self, agent: Agent, games: Rows) -> Rows:
        take_views(self.env.states, self.env.game.tables, games, self._views)
        return agent.act_batch(Views(self.env.game, self._views[: len(games)], check=False))

    def _play(self, actions: Rows, choices: int) -> None:
        """Play an action in every game, of which `choices` were not forced; rewards go to those who earned them."""
        env = self.env
        self.choices += choices
        self.decisions += env.num_envs
        deal_number = env.states["deal_number"].copy()
        env.step(actions)
        ended = env.terminated | (env.states["deal_number"] != deal_number)
        rewards = self._earned(ended)
        if rewards.any():
            self.experience.credit(rewards)
        self.experience.close(ended)
        self.deals += int(ended.sum())

    def _earned(self, ended: NDArray[np.bool_]) -> Floats:
        """The rewards of every seat for the last step, (games, seats), given the games whose deal has ended with it."""
        if self.match_critic is not None:
            return self.match_critic.pay(self.env, ended)
        rewards: Floats = self.env.rewards * self._reward_scale
        return rewards

    def autocast(self) -> torch.autocast:
        """The precision in which networks run."""
        return autocast(self.device.type, enabled=self.config.bfloat16)

    def log_probs_of(self, rows: Tensor, net: PolicyNet | None = None) -> Tensor:
        """Log-probabilities of all actions in some stored decisions, (n, actions) float32, by the policy or `net`."""
        net = net or self.policy
        counts = None if net.own is None else self.experience.inputs.card_counts(rows)
        with self.autocast():
            logits = net.logits(net.body[1:](self.experience.inputs.product(net.body[0], rows)), counts)
        return torch.log_softmax(logits.masked_fill(~self.experience.masks[rows], ILLEGAL), 1)
