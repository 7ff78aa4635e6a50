"""All that the rule agent's compiled functions work with, in one record."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_agents.rule.belief import NOTES
from hearts_agents.rule.card_values import PLAN, plan_of
from hearts_agents.rule.weights import WEIGHTS, Weights, pack
from hearts_env.compiled.game import Game

MIND = np.dtype([("plan", PLAN), ("now", PLAN), ("weights", WEIGHTS), ("notes", NOTES)], align=True)
"""What a game is worth (`plan`) and is worth now where that changes, the weights, and room for notes on a view."""

Mind = Any
"""A `MIND` record."""


def new_mind(game: Game, weights: Weights) -> NDArray[Any]:
    """A `MIND` record for a game, as an array of shape (1,); only one thread may use it at a time."""
    mind = np.zeros(1, MIND)
    mind["plan"] = mind["now"] = plan_of(game)
    mind["weights"] = pack(weights)
    return mind
