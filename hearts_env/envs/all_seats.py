"""Agents at the tables of a batch in which every seat acts: honest views, their actions, and steps with them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_env.compiled.game import Game
from hearts_env.envs.opponents import Player, key_of
from hearts_env.envs.starts import Lifecycle
from hearts_env.envs.universal import UniversalForm
from hearts_env.kernel.batch import take_views
from hearts_env.kernel.records import STATE
from hearts_env.ruleset.syntax import brief
from hearts_env.seat.view import Views
from hearts_env.table.seeds import agent_seed


def views_in(game: Game, states: NDArray[Any], places: NDArray[np.int64]) -> Views:
    """What each seat to act may know in the records `places`, in that order."""
    seen = np.empty(len(places), STATE)
    take_views(states, game.table, places, seen)
    return Views(game, seen, check=False)


class AllSeats(Lifecycle, ABC):
    """The part that `VectorEnv` and `MixedEnv` share: agents choose actions from what their seats may know."""

    num_envs: int
    _most_seats: int
    _agent_seed = 0

    def __init__(self) -> None:
        self._players: dict[str, Player] = {}

    @abstractmethod
    def _tables_in_play(self) -> Iterator[tuple[NDArray[np.int64], Views, UniversalForm | None]]:
        """For each game in play: its places, the views there, and the form of its actions where it is universal."""

    @abstractmethod
    def step(self, actions: NDArray[Any]) -> Any:
        """Take one action in every game."""

    def act(self, agent: Any) -> NDArray[np.int64]:
        """The action that an agent chooses in every game, from what the seat to act may know.

        >>> import hearts_env as he
        >>> env = he.vector_env("black_lady(cycle=[hold])", 3)
        >>> observations, infos = env.reset(seed=7)
        >>> [env.game.actions[action] for action in env.act("rule")]
        ['2C', '2C', '2C']

        Args:
            agent: whatever ``opponents=`` takes for one player: a spec string, an object with ``act_batch(views)`` or
                ``act(view)``, a function of views, or one of (observations, masks) in the layout of this environment.
                A spec string is made once; `reset` with a seed restarts its random choices.

        Returns:
            (num_envs,) actions of this environment; 0 where a game is over.

        Raises:
            IllegalActionError: the agent chooses an illegal action; the message names game, player and rule.
            ValueError: no agent, an answer that is not a whole number for each view, or a call before `reset`.
        """
        self._check_started("act")
        return self._chosen([agent] * self._most_seats)

    def step_with(self, agents: Sequence[Any]) -> Any:
        """Take the step that agents choose.

        >>> import hearts_env as he
        >>> env = he.vector_env("black_lady", 100, deals=1, autoreset=False)
        >>> observations, infos = env.reset(seed=7)
        >>> while (env.seats >= 0).any():
        ...     observations, rewards, terminated, truncated, infos = env.step_with(["rule", None, None, None])
        >>> env.finals["points"][:, 0, 0].mean() < env.finals["points"][:, 1, 0].mean()
        np.True_

        Args:
            agents: ``agents[s]`` holds seat s, as in `act`; None plays uniformly at random. As many as seats, in a
                `MixedEnv` as many as the largest table has.

        Returns:
            What `step` returns.

        Raises:
            IllegalActionError, ValueError: as `act`, or a wrong number of agents. No game is changed.
        """
        self._check_started("step_with")
        if isinstance(agents, str) or not isinstance(agents, Sequence) or len(agents) != self._most_seats:
            raise ValueError(
                f"agents={brief(agents)} is not possible; it is a list with one for each of the "
                f"{self._most_seats} seats"
            )
        return self.step(self._chosen(agents))

    def _chosen(self, agents: Sequence[Any]) -> NDArray[np.int64]:
        players = {key_of(agent): self._player(agent) for agent in agents}
        holders = [list(players).index(key_of(agent)) for agent in agents]
        actions = np.zeros(self.num_envs, np.int64)
        for places, views, form in self._tables_in_play():
            held = np.array(holders)[views.records["seat"]]
            for index, player in enumerate(players.values()):
                if (rows := np.flatnonzero(held == index)).size:
                    own = views if rows.size == len(views) else Views(views.game, views.records[rows], check=False)
                    chosen = player.act_in(own, places[rows], form)
                    actions[places[rows]] = chosen if form is None else form.numbers(chosen)
        return actions

    def _player(self, agent: Any) -> Player:
        if not isinstance(agent, str | None):
            return Player(agent)
        key = agent or ""
        if key not in self._players:
            self._players[key] = Player(agent)
            self._players[key].reset(agent_seed(self._agent_seed, len(self._players)))
        return self._players[key]

    def _seed_agents(self, seed: int) -> None:
        self._agent_seed = seed
        for place, player in enumerate(self._players.values(), 1):
            player.reset(agent_seed(seed, place))
