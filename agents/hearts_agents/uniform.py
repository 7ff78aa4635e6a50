"""`random`: every legal action is equally likely."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hearts_agents.base import Agent
from hearts_env.play.view import Views


class RandomAgent(Agent):
    """Plays uniformly at random.

    The random number is a hash of the seed and the view, not the next number of a stream. So play does not depend on
    the order in which tables are played, or on which are played together: replayed deals are comparable.
    """

    name = "random"

    def __init__(self) -> None:
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Restart from a seed, any whole number."""
        self._seed = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]

    def act_batch(self, views: Views) -> NDArray[np.int64]:
        """One legal action per view, shape (n,)."""
        from hearts_agents.uniform_kernel import draw_all

        actions = np.zeros(len(views), np.int64)
        draw_all(views.records, views.game.tables, self._seed, actions)
        return actions
