"""The rule agent: it estimates the cost of every legal action from the compiled tables and takes the cheapest."""

from __future__ import annotations

from threading import get_ident
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_agents.base import Agent
from hearts_agents.rule.weights import Weights
from hearts_env.compiled.game import Game
from hearts_env.seat.view import Views

__all__ = ["RuleAgent", "Weights"]


class RuleAgent(Agent):
    """Plays every variant from its compiled tables, without randomness.

    It plays the legal card of least expected cost: the points that the card is likely to win in this trick, minus the
    danger of keeping it. It passes the most dangerous cards. It tries to shoot the moon with a hand that is likely to
    succeed, and breaks the moon of a seat that has taken every penalty so far.

    Attributes:
        weights: the weights of the cost.

    >>> import hearts_env as he
    >>> agent = RuleAgent(Weights(shoot=0.3))
    >>> match = he.Match("black_lady", seed=1)
    >>> view = match.view(match.seat)
    >>> agent.act(view) in view.legal_ids()
    True
    """

    def __init__(self, weights: Weights | None = None, name: str = "rule") -> None:
        self.weights, self.name = weights or Weights(), name
        self._prepared: tuple[Game, Weights, dict[int, NDArray[Any]]] | None = None

    def act_batch(self, views: Views) -> NDArray[np.int64]:
        """Choose one action per view, shape (n,); views of a finished match get 0."""
        from hearts_agents.rule.choose import choose_all

        actions = np.zeros(len(views), np.int64)
        choose_all(views.records, views.game.table, self._workspace(views.game), actions)
        return actions

    def _workspace(self, game: Game) -> NDArray[Any]:
        """The workspace of this thread, made once for a game: threads may share an agent."""
        prepared = self._prepared
        if prepared is None or prepared[0] is not game or prepared[1] is not self.weights:
            prepared = self._prepared = game, self.weights, {}
        workspaces, thread = prepared[2], get_ident()
        if thread not in workspaces:
            from hearts_agents.rule.workspace import new_workspace

            workspaces[thread] = new_workspace(game, self.weights)
        return workspaces[thread]
