"""The rule agent: passes and plays by weighing expected costs that it derives from the compiled tables."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hearts_agents.base import Agent
from hearts_agents.rule.weights import Weights
from hearts_env.play.view import Views

__all__ = ["RuleAgent", "Weights"]


class RuleAgent(Agent):
    """Plays any variant from its tables, without randomness.

    Every legal card is priced: the points it is likely to win in this trick, less the danger of keeping it; the
    cheapest is played. The most dangerous cards are passed. It tries to shoot the moon with a hand that is likely to
    make it, and breaks the moon of a seat that has taken every penalty so far.

    Attributes:
        weights: what it weighs.
    """

    def __init__(self, weights: Weights | None = None, name: str = "rule") -> None:
        self.weights, self.name = weights or Weights(), name

    def act_batch(self, views: Views) -> NDArray[np.int64]:
        """One action per view; views of a finished match get 0."""
        from hearts_agents.rule.choose import choose_all
        from hearts_agents.rule.workspace import new_mind

        actions = np.zeros(len(views), np.int64)
        choose_all(views.records, views.game.tables, new_mind(views.game, self.weights)[0], actions)
        return actions
