"""Observations of OpenSpiel: the row that the kernel encodes, and for perfect recall the order of the cards played."""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_env.compiled.game import Game
from hearts_env.envs.openspiel.position import Position
from hearts_env.kernel.observe import encode


class HeartsObserver:
    """The knowledge of one seat, as numbers and as text.

    Attributes:
        tensor: all columns, float32.
        dict: the same memory by name: ``observation`` (`hearts_env.observation_layout` names its columns) and, with
            perfect recall, ``order`` (cards of the pack, kinds): each card played, in order.
    """

    def __init__(self, game: Game, perfect_recall: bool) -> None:
        """Take the compiled rules and whether an information set is shown, or only the situation."""
        columns, cards, kinds = int(game.tables["obs_size"]), len(game.deck), len(game.deck.kinds)
        self._game, self._recall = game, perfect_recall
        self.tensor = np.zeros(columns + perfect_recall * cards * kinds, np.float32)
        self.dict = {"observation": self.tensor[:columns]}
        if perfect_recall:
            self.dict["order"] = self.tensor[columns:].reshape(cards, kinds)

    def set_from(self, state: Any, player: int) -> None:
        """Write what a player knows in a state."""
        position: Position = state.position
        self.tensor.fill(0)
        if position.states is None:
            return
        record = position.record
        encode(record, self._game.tables, player, self.dict["observation"])
        if self._recall:
            plies = int(record["plies"])
            self.dict["order"][np.arange(plies), record["history"][:plies]] = 1

    def string_from(self, state: Any, player: int) -> str:
        """The knowledge of a player in a state, as text."""
        position: Position = state.position
        return position.information(player) if self._recall else position.situation(player)
