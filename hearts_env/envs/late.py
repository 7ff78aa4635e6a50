"""Rewards that wait for their seat, for training loops that read a reward right after an action."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pettingzoo.utils import BaseWrapper

from hearts_env.envs.aec import HeartsEnv, Observation


class LateRewards(BaseWrapper[str, Observation, int]):
    """A PettingZoo environment that pays a seat only in the seat's own steps.

    Most rewards of a card game reach a seat while another one acts. Here they wait: the step of a seat pays all that
    the seat has earned since its step before. When the game is over, every other seat takes one more step, in the order
    of play, that pays what is left; its mask allows action 0 alone, which is ignored. Only the last of these steps ends
    the episode, for all seats at once. So both `rewards` right after a seat's step and `last` before its next one add
    up to all that it earned.

    Observations, masks, spaces and errors are those of the environment inside.
    """

    env: HeartsEnv

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """As in `HeartsEnv`."""
        self.env.reset(seed=seed, options=options)
        self.agents = list(self.env.agents)
        self._nothing: Any = 0 * self.env.rewards[self.agents[0]]
        self._earned = dict.fromkeys(self.agents, self._nothing)
        self._cumulative_rewards = dict.fromkeys(self.agents, self._nothing)
        self.rewards = dict.fromkeys(self.agents, self._nothing)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._closing: list[str] | None = None  # who takes one more step; None during the game
        self._skip_agent_selection = None
        self._look()

    def step(self, action: int | None) -> None:
        """Take an action for `agent_selection`; any action of the seat whose turn it is to be paid what is left."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if self._closing is None:
            self._play(agent, action)
        else:
            self._closing.remove(agent)
        self._pay(agent)
        if self._closing == []:
            self.terminations, self.truncations = dict(self.env.terminations), dict(self.env.truncations)
        self._look()

    def _play(self, agent: str, action: int | None) -> None:
        self.env.step(action)
        for seat, reward in self.env.rewards.items():
            self._earned[seat] = self._earned[seat] + reward
        if any(self.env.terminations.values()):
            place = self.agents.index(agent)
            self._closing = self.agents[place + 1 :] + self.agents[:place]

    def _pay(self, agent: str) -> None:
        self.rewards = dict.fromkeys(self.agents, self._nothing)
        self.rewards[agent] = self._cumulative_rewards[agent] = self._earned[agent]
        self._earned[agent] = self._nothing

    def _look(self) -> None:
        if not self._closing:
            self.agent_selection = self.env.agent_selection
        else:
            self.agent_selection = self._closing[0]
        self.infos = {agent: {"action_mask": self.action_mask(agent)} for agent in self.agents}

    def action_mask(self, agent: str) -> NDArray[np.int8]:
        """The legal actions of an agent as 0 or 1, int8 (actions,)."""
        mask = self.env.action_mask(agent)
        if self._closing and agent == self._closing[0]:
            mask[0] = 1
        return mask

    def observe(self, agent: str) -> Observation:
        """As in `HeartsEnv`, with the mask of `action_mask`."""
        return self.env.observe(agent) | {"action_mask": self.action_mask(agent)}


def late_rewards(env: HeartsEnv) -> LateRewards:
    """Wrap an environment so that each seat is paid in its own steps; see `LateRewards`.

    >>> import hearts_env as he
    >>> env = he.late_rewards(he.env("black_lady", deals=1))
    >>> env.reset(seed=7)
    >>> paid = dict.fromkeys(env.possible_agents, 0)
    >>> while not any(env.terminations.values()):  # the loop of many a tutorial, which loses three quarters without it
    ...     agent = env.agent_selection
    ...     env.step(env.observe(agent)["action_mask"].argmax())
    ...     paid[agent] += env.rewards[agent]
    >>> sum(paid.values())
    -26.0

    Raises:
        ValueError: it is not an environment of this package.
    """
    if not isinstance(env, HeartsEnv):
        raise ValueError(f"late_rewards takes an environment such as he.env(...), not a {type(env).__name__}")
    return LateRewards(env)
