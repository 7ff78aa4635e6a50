"""Objects and functions of anybody's behind the methods of an agent."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_agents.base import Agent
from hearts_env.envs.opponents import Player
from hearts_env.seat.view import View, Views

KEPT = ("stateful", "external", "tables_at_once", "trained_on")
"""Attributes of an `Agent` that an object of one's own may have."""
OPTIONAL = ("action_values", "probabilities", "notice", "on_deal_end")
"""Methods that it may have."""


class OwnAgent(Agent):
    """An object or function of anybody's as an agent: whatever ``opponents=`` takes for one player."""

    def __init__(self, source: Any) -> None:
        """Raises ValueError for what cannot play."""
        self.player = Player(source)
        for name in KEPT:
            setattr(self, name, getattr(source, name, getattr(Agent, name)))
        for name in OPTIONAL:
            if callable(method := getattr(source, name, None)):
                setattr(self, name, method)

    def reset(self, seed: int) -> None:
        """Restart its random choices, if it has a method ``reset(seed)``."""
        self.player.reset(seed)

    def act(self, view: View) -> int | str:
        """Its action."""
        action: int | str = self.player.act(view)
        return action

    def act_batch(self, views: Views) -> NDArray[np.int64]:
        """Its actions, (n,)."""
        return self.player.act_batch(views)
