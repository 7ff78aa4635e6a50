"""What was played in the games in progress, so that a checkpoint can restore them.

A game is kept as its seed and its actions, and restored by playing them again: every action is checked by the rules, so
whatever a file holds, the result is a game that can be played on.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hearts_env.compiled.game import Game
from hearts_env.kernel import batch
from hearts_env.kernel.records import STATE


class GameLog:
    """The actions of games in lockstep, each from the start of its match.

    Attributes:
        lengths: (n,) number of actions of each game.
    """

    def __init__(self, games: int) -> None:
        """Start with `games` games that have just begun."""
        self.lengths = np.zeros(games, np.int64)
        self._actions = np.zeros((games, 64), np.int16)
        self._all = np.arange(games)

    @property
    def actions(self) -> NDArray[np.int16]:
        """The actions of all games, one game after another."""
        return self._actions[np.arange(self._actions.shape[1]) < self.lengths[:, None]]

    def add(self, actions: NDArray[np.int64], ended: NDArray[np.bool_]) -> None:
        """Add an action of every game, (n,), and begin anew where a match has ended with it."""
        if self.lengths.max() == self._actions.shape[1]:
            self._actions = np.concatenate([self._actions, np.zeros_like(self._actions)], axis=1)
        self._actions[self._all, self.lengths] = actions
        self.lengths += 1
        self.lengths[ended] = 0

    def load(self, lengths: NDArray[np.int64], actions: NDArray[np.int16]) -> None:
        """Replace the log by another one of as many games; `actions` are those of all games, in order."""
        width = max(64, int(lengths.max()))
        self.lengths = lengths.copy()
        self._actions = np.zeros((len(lengths), width), np.int16)
        self._actions[np.arange(width) < lengths[:, None]] = actions

    def replay(self, game: Game, seeds: NDArray[np.uint64]) -> NDArray[np.void]:
        """The games, (n,) `STATE` records, given the seeds of their matches.

        Raises:
            ValueError: an illegal action, or a match that is over.
        """
        order = np.argsort(-self.lengths, kind="stable")
        lengths, states = self.lengths[order], np.zeros(len(order), STATE)
        batch.start_all(states, game.tables, seeds[order], 0, 0)
        for step in range(int(lengths[0])):
            playing = int(np.searchsorted(-lengths, -step))  # games with more than `step` actions come first
            chosen = self._actions[order[:playing], step].astype(np.int64)
            if batch.first_illegal(states, game.tables, np.arange(playing), chosen) >= 0:
                raise ValueError("the games in progress are not possible by the rules")
            batch.step_all(states[:playing], game.tables, chosen)
            if (states["seat"][:playing] < 0).any():
                raise ValueError("the games in progress include one that is over")
        found = np.empty_like(states)
        found[order] = states
        return found
