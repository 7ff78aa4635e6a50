"""The record that the rule agent's compiled functions share: values of the cards, weights, and beliefs from a view."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_agents.rule.belief import BELIEF
from hearts_agents.rule.card_values import CARD_VALUES, card_values_of
from hearts_agents.rule.weights import WEIGHTS, Weights, pack
from hearts_env.compiled.game import Game

WORKSPACE = np.dtype(
    [
        ("game_values", CARD_VALUES),  # the cards' values at the start of a deal
        ("card_values", CARD_VALUES),  # their values at the current decision; the same in games with fixed values
        ("weights", WEIGHTS),
        ("belief", BELIEF),  # filled anew at every decision
    ],
    align=True,
)

Workspace = Any
"""A `WORKSPACE` record."""


def new_workspace(game: Game, weights: Weights) -> NDArray[Any]:
    """Make a `WORKSPACE` record for a game, as an array of shape (1,). Each thread needs one of its own."""
    workspace = np.zeros(1, WORKSPACE)
    workspace["game_values"] = workspace["card_values"] = card_values_of(game)
    workspace["weights"] = pack(weights)
    return workspace
