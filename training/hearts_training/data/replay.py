"""Recorded deals, played again: what every seat saw, could do, did and earned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_env.compiled.game import Game
from hearts_env.envs.vector import VectorEnv
from hearts_env.kernel.batch import write_holdings
from hearts_env.kernel.records import STATE, Phase


@dataclass(frozen=True)
class Replay:
    """All actions of some deals, deal after deal, in the order in which they were taken; n in all.

    Attributes:
        offsets: (deals + 1,) where the actions of each deal begin, and n.
        seats: (n,) int8, who took the action.
        observations: (n, columns) float32, what that seat saw before it.
        masks: (n, actions) int8, its legal actions.
        actions: (n,) int64, the action taken.
        states: (n,) `STATE` records before each action, hidden cards included.
        hidden: (n, seats, kinds) uint8, the cards that every seat held, by absolute seat; those that it had picked to
            pass are included, as in `he.marginals`.
        rewards: (n,) float32, what the seat earned from this action until its next one, or to the end of the deal.
            Rewards that are paid while others move are included, so that all add up to the points of the deal.
        ends: (deals,) `STATE` records at the end of each deal.
    """

    offsets: NDArray[np.int64]
    seats: NDArray[np.int8]
    observations: NDArray[np.float32]
    masks: NDArray[np.int8]
    actions: NDArray[np.int64]
    states: NDArray[Any]
    hidden: NDArray[np.uint8]
    rewards: NDArray[np.float32]
    ends: NDArray[Any]


def replay(
    game: Game, starts: NDArray[Any], logs: Sequence[bytes], *, reward: str = "points", timing: str = "deal"
) -> Replay:
    """Play deals again.

    Args:
        game: the compiled rules.
        starts: (deals,) `STATE` records at the start of each deal, whose match ends with it.
        logs: the ids of the actions of each deal, one byte each.
        reward: ``points`` or ``relative``, as in the environments.
        timing: when points are paid, after each ``deal`` or each ``trick``.

    Raises:
        ValueError: actions that are illegal, or that do not play a deal to its end.
    """
    lengths = np.array([len(log) for log in logs])
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    actions = np.frombuffer(b"".join(logs), np.uint8).astype(np.int64)
    env = _started(game, starts, reward, timing)
    found = Replay(
        offsets,
        np.zeros(len(actions), np.int8),
        np.zeros((len(actions), env.observations.shape[1]), np.float32),
        np.zeros((len(actions), env.action_masks.shape[1]), np.int8),
        actions,
        np.zeros(len(actions), STATE),
        np.zeros((len(actions), game.seats, len(game.deck.kinds)), np.uint8),
        np.zeros(len(actions), np.float32),
        env.states,
    )
    last = np.full((len(logs), game.seats), -1)  # row of each seat's last action so far
    for step in range(int(lengths.max(initial=0))):
        places = np.flatnonzero(step < lengths)
        if (env.seats[places] < 0).any():
            raise ValueError("there are actions after the end of a deal")
        rows = offsets[places] + step
        found.seats[rows], found.states[rows] = env.seats[places], env.states[places]
        found.observations[rows], found.masks[rows] = env.observations[places], env.action_masks[places]
        last[places, env.seats[places]] = rows
        env.step(actions[rows], places)
        earned = last >= 0
        np.add.at(found.rewards, last[earned], env.rewards[earned])
    if (env.states["phase"] != Phase.OVER).any():
        raise ValueError("the actions of a deal break off")
    write_holdings(found.states, game.tables, found.hidden)
    return found


def _started(game: Game, starts: NDArray[Any], reward: str, timing: str) -> VectorEnv:
    env = VectorEnv(game.rules, len(starts), autoreset=False, deals=1, reward=reward, timing=timing)
    env.reset(seed=0)
    env.restore(env.save() | {"states": starts})
    return env
