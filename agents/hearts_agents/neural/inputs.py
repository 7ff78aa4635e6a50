"""What a network reads: the observation of the seat to act, and counts derived from it."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_env.compiled.game import Game
from hearts_env.play.observation import observation_layout

VERSION = 1
"""Changes whenever the meaning of a column of the counts changes."""


def counts_size(game: Game) -> int:
    """Columns of the counts; `hearts_agents.neural.counts` describes them."""
    from hearts_agents.neural.counts import BLOCKS, SUITS

    return len(BLOCKS) * len(game.deck.kinds) + 2 * SUITS


def input_size(game: Game) -> int:
    """Columns of a network's input.

    >>> from hearts_env import Match
    >>> input_size(Match("black_lady").game)
    1006
    """
    return int(game.tables["obs_size"]) + counts_size(game)


def network_inputs(game: Game, records: NDArray[Any]) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
    """Inputs, float32 (n, columns), and action masks, int8 (n, actions), of the seats to act.

    Args:
        game: the compiled rules.
        records: (n,) `STATE` records, of views or of games.
    """
    from hearts_agents.neural.counts import encode_inputs_all

    inputs = np.empty((len(records), input_size(game)), np.float32)
    masks = np.empty((len(records), len(game.actions)), np.int8)
    encode_inputs_all(records, game.tables, inputs, masks)
    return inputs, masks


def fingerprint(game: Game) -> str:
    """16 hexadecimal digits that identify the rules, the columns of a network's input and its actions."""
    layout = [
        (name, field.columns, field.unit, field.meaning) for name, field in observation_layout(game.rules).items()
    ]
    return hashlib.sha256(repr((VERSION, str(game.rules), layout, game.actions)).encode()).hexdigest()[:16]
