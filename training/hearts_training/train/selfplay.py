"""The tables of one game, where one network plays in every seat, a teacher in its place, or other agents in some."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from hearts_agents.address import load
from hearts_agents.base import Agent
from hearts_agents.neural import ILLEGAL
from hearts_agents.registry import make_agent
from hearts_env.checks import MOST
from hearts_env.envs.mixture import shares_of
from hearts_env.envs.reward_function import Function
from hearts_env.envs.vector import VectorEnv
from hearts_env.kernel.batch import encode_all, take_views
from hearts_env.kernel.bits import advance, mix
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import STATE, Array, Mask, Phase, Tables
from hearts_env.kernel.steps import random_action, start_match, step
from hearts_env.ruleset.derived import check_end
from hearts_env.ruleset.model import Rules
from hearts_env.ruleset.syntax import weighted
from hearts_env.seat.view import Views
from hearts_training.optimisers import DivergedError
from hearts_training.train.config import Config
from hearts_training.train.match_critic import MatchCritic
from hearts_training.train.memory import experience_rows
from hearts_training.train.networks import Networks
from hearts_training.train.rollout import Experience, Floats, Rows

OVER = Phase.OVER.value
MOST_BEFORE = 7
"""Deals of a match that are played at random, at most, before the first one that is learned from."""
LEAST_GAP = 0.1
"""The least divisor in `SelfPlay.behind`: if ``random`` is less far behind ``rule``, margins say little of strength."""


@dataclass(frozen=True)
class TrainingGame:
    """A game to train on.

    Attributes:
        rules: its rules.
        scale: factor from points to rewards.
        gap: the margin of ``random`` among copies of ``rule``, as a reward; 0 where it is not known.
        seed: of sampled rules; -1 of others.
    """

    rules: Rules
    scale: float
    gap: float = 0.0
    seed: int = -1


def own_reward(spec: str) -> tuple[Function, str]:
    """The function that ``py:...`` names, and the digest of its file. Raises ValueError if there is none."""
    found, digest = load(spec.removeprefix("py:"))
    if not callable(found):
        raise ValueError(f"reward={spec} is no function of the games before and after a step")
    return found, digest


@jit
def play_on(states: Array, t: Tables, deals: Rows, rng: Mask) -> None:
    """Play matches at random until so many deals of each are finished; one that ends is followed by a new one."""
    for i in range(states.shape[0]):
        s = states[i]
        while s.deal_number < deals[i]:
            rng = advance(rng)
            step(s, t, random_action(s, t, mix(rng)))
            if s.phase == OVER:
                start_match(s, t, mix(rng), 0, 0)
                break


def turns(weights: Sequence[float], count: int) -> Rows:
    """The place of the opponent at each of `count` tables, in proportion to weights, and its number of earlier tables.

    >>> turns([2, 1], 6)
    array([[0, 1, 0, 0, 1, 0],
           [0, 0, 1, 2, 1, 3]])
    """
    shares, given = shares_of(weights), np.zeros(len(weights), np.int64)
    found = np.zeros((2, count), np.int64)
    for table in range(count):
        place = np.argmax(shares * (table + 1) - given)
        found[:, table] = place, given[place]
        given[place] += 1
    return found


def draw_actions(log_probs: Tensor, generator: torch.Generator) -> Tensor:
    """An action of each row of log-probabilities, (n, actions); never one whose probability is 0.

    One random number a row is inverted: noise for each action, as in `torch.multinomial`, costs three times as much.

    >>> draw_actions(torch.tensor([[-1e9, 0.0], [0.0, -1e9]]), torch.Generator().manual_seed(1))
    tensor([1, 0])
    """
    shares = torch.softmax(log_probs, 1).double().cumsum(1)  # rounded to double, a share of the whole stays below it
    chosen = torch.rand((len(shares), 1), dtype=torch.float64, device=shares.device, generator=generator)
    found = torch.searchsorted(shares, chosen * shares[:, -1:], right=True).squeeze(1)
    return found.clamp(max=shares.shape[1] - 1)  # no number is below a share that is not finite


class SelfPlay:
    """The tables of one game, and what has been decided there and not been learned from yet.

    Attributes:
        game: the game.
        env: the tables.
        experience: the decisions.
        heads: the networks that play; they follow the learner where they are not made from the rules.
        match_critic: pays the chance to win the match; None where points are paid.
        generator: the source of random choices.
        teacher, opponents: agents that are imitated, and that are played against.
        imitating: whether the teacher plays all seats.
        deals, decisions: deals finished and moves made here.
    """

    def __init__(
        self,
        game: TrainingGame,
        networks: Networks,
        config: Config,
        *,
        seed: int,
        device: torch.device,
        played_on: bool = False,
    ) -> None:
        """Start a match at every table; `played_on` first plays some of its deals at random, so that totals differ."""
        self.game, self.config, self.device = game, config, device
        reward: str | Function = "win" if config.objective == "match" else "relative"
        if config.reward:
            reward = own_reward(config.reward)[0]
        if reward == "win":
            check_end(game.rules, "use objective=points")
        most = MOST if game.rules.end.endless else None
        threads = torch.get_num_threads()
        self.env = env = VectorEnv(game.rules, config.num_envs, threads=threads, reward=reward, deals=most)
        seeds = np.random.SeedSequence(seed).generate_state(3)
        env.reset(seed=int(seeds[0]))
        if played_on:
            deals = np.random.default_rng([seed, 1]).integers(0, MOST_BEFORE + 1, env.num_envs)
            play_on(env.states, env.game.tables, deals, np.uint64(seed))
            encode_all(env.states, env.game.tables, env.observations, env.action_masks)
        self.experience = Experience(env, experience_rows(env.game, config), device)
        self.match_critic = MatchCritic(env, int(seeds[1]), device) if config.objective == "match" else None
        self.generator = torch.Generator(device).manual_seed(int(seeds[2]))
        with torch.no_grad():
            (self.heads,) = networks.heads([(env.game, self.experience.inputs)])
        self.deals = self.decisions = 0
        self.imitating = False
        self.teacher = make_agent(config.teacher)
        self._parts = weighted(";".join(config.opponents))
        self.opponents = [make_agent(spec) for spec, _ in self._parts]
        self._masks = torch.from_numpy(env.action_masks)
        self._views = np.zeros(env.num_envs, STATE)
        self._earned, self._ended = np.zeros((env.num_envs, env.game.seats)), np.zeros(env.num_envs)
        self._assign_opponents()

    def _assign_opponents(self) -> None:
        """Assign opponents to tables and seats: one holds all seats except one, or except those of one team."""
        tables, teams = np.arange(self.env.num_envs), np.array(self.env.game.teams)
        with_opponent = tables < self.config.opponent_games * self.env.num_envs
        dealt = turns([weight for _, weight in self._parts], self.env.num_envs)
        own_team = dealt[1] % (teams.max() + 1)
        self._opponent = np.where(with_opponent, dealt[0], -1)
        self._opponent_seats = with_opponent[:, None] & (own_team[:, None] != teams)

    def collect(self, *, imitating: bool) -> None:
        """Play on until a deal has ended at every table; the teacher plays all seats if it is to be imitated."""
        if self.imitating != imitating:
            self.experience.keep(np.empty(0, np.int64))  # the teacher's moves do not mix with the policy's
        self.imitating = imitating
        left = np.ones(self.env.num_envs, np.bool_)
        with torch.inference_mode():
            while left.any():
                left &= ~self._step()

    def _step(self) -> NDArray[np.bool_]:
        """Play an action at every table; returns where a deal has ended with it."""
        env = self.env
        actions = env.action_masks.argmax(1)
        choices = env.action_masks.sum(1) > 1
        if not self.imitating:
            of_opponents = choices & self._opponent_seats[np.arange(env.num_envs), env.seats]
            for index, opponent in enumerate(self.opponents):
                tables = np.flatnonzero(of_opponents & (self._opponent == index))
                if tables.size:
                    actions[tables] = self._actions_of(opponent, tables)
            choices &= ~of_opponents
        tables = np.flatnonzero(choices)
        if tables.size:
            actions[tables] = self._choose(tables)
        return self._play(actions)

    def _choose(self, tables: Rows) -> Rows:
        experience = self.experience
        new = experience.extend(tables, self.env.seats[tables])
        experience.inputs.write(new, self.env, tables)
        experience.masks[new] = self._masks[torch.from_numpy(tables)].to(self.device, torch.bool)
        if self.imitating:
            actions = self._actions_of(self.teacher, tables)
            experience.actions[new] = torch.from_numpy(actions).to(self.device)
            experience.log_probs[new] = 0
            return actions
        rows = torch.arange(new.start, new.stop, device=self.device)
        log_probs = self.log_probs(self.heads.logits(rows), rows)
        sampled = draw_actions(log_probs, self.generator)
        experience.actions[new] = sampled
        experience.log_probs[new] = log_probs.gather(1, sampled[:, None]).squeeze(1)
        chosen: Rows = sampled.cpu().numpy()
        if not self.env.action_masks[tables, chosen].all():
            raise DivergedError("training diverged: the policy's logits are not finite")
        return chosen

    def log_probs(self, logits: Tensor, rows: Tensor) -> Tensor:
        """Log-probabilities of all actions in some stored decisions, (n, actions), given the logits there."""
        return torch.log_softmax(logits.masked_fill(~self.experience.masks[rows], ILLEGAL), 1)

    def _actions_of(self, agent: Agent, tables: Rows) -> Rows:
        take_views(self.env.states, self.env.game.table, tables, self._views)
        return agent.act_batch(Views(self.env.game, self._views[: len(tables)], check=False))

    def _play(self, actions: Rows) -> NDArray[np.bool_]:
        """Play an action at every table; rewards go to those who earned them. Returns where a deal has ended."""
        env = self.env
        self.decisions += env.num_envs
        deal_number = env.states["deal_number"].copy()
        env.step(actions)
        ended: NDArray[np.bool_] = env.terminated | (env.states["deal_number"] != deal_number)
        if self.config.reward or ended.any():  # the named rewards are paid at the end of a deal
            rewards = self._rewards(ended)
            self._earned += rewards
            self._ended += ended
            self.experience.credit(rewards)
            self.experience.close(ended)
            self.deals += int(ended.sum())
        return ended

    def _rewards(self, ended: NDArray[np.bool_]) -> Floats:
        """The rewards of every seat for a step, (tables, seats), given the tables whose deal has ended in it."""
        if self.match_critic is not None:
            return self.match_critic.pay(self.env, ended)
        rewards: Floats = self.env.rewards * np.float32(self.game.scale)
        return rewards

    def behind(self) -> float:
        """The policy's distance behind its opponents at the tables where it meets some, as a share of the distance of
        ``random`` behind ``rule``; from -1 (it is ahead) to 1, and NaN where it meets none.
        """
        with_opponents = self._opponent_seats.any(axis=1)
        if not with_opponents.any():
            return math.nan
        own = np.where(self._opponent_seats, 0, self._earned).sum(axis=1) / (~self._opponent_seats).sum(axis=1)
        margin = -(own / self._ended)[with_opponents].mean()
        return float(np.clip(margin / max(self.game.gap, LEAST_GAP), -1, 1))
