"""`random`: every legal action is equally likely. Agents whose random numbers depend on a seed and a view only."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_agents.base import Agent
from hearts_env.seat.view import Views


class SeededAgent(Agent):
    """An agent whose random numbers are hashes of a seed and a view, not the next numbers of a stream.

    So play does not depend on the order in which tables are played, or on which are played together: replayed deals are
    comparable.
    """

    def __init__(self) -> None:
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Restart from a seed, 0 or more."""
        self._seed = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]

    def _random_words(self, records: NDArray[Any]) -> NDArray[np.uint64]:
        from hearts_agents.uniform_kernel import view_words

        words = np.zeros(len(records), np.uint64)
        view_words(records, self._seed, words)
        return words


class RandomAgent(SeededAgent):
    """Plays uniformly at random."""

    name = "random"

    def act_batch(self, views: Views) -> NDArray[np.int64]:
        """One legal action per view, shape (n,)."""
        from hearts_agents.uniform_kernel import draw_all

        actions = np.zeros(len(views), np.int64)
        draw_all(views.records, views.game.tables, self._seed, actions)
        return actions
