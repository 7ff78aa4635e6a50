"""The input of a network: the observation of the seat to act, and counts derived from it."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

from hearts_env.compiled.game import Game
from hearts_env.seat.observation import observation_layout
from hearts_env.seat.view import Views

VERSION = 1
"""Changes whenever the meaning of a column of the counts changes; columns may be added behind the last."""


def counts_size(game: Game) -> int:
    """Columns of the counts; `hearts_env.kernel.counts` describes them."""
    from hearts_env.kernel.counts import BLOCKS, SEAT_BLOCKS, SUITS

    return len(BLOCKS) * len(game.deck.kinds) + 2 * SUITS + len(SEAT_BLOCKS) * game.seats


def first_input_size(game: Game) -> int:
    """Columns of the input of networks that were trained before the counts had blocks of seats, which come last."""
    from hearts_env.kernel.counts import SEAT_BLOCKS

    return input_size(game) - len(SEAT_BLOCKS) * game.seats


def input_size(game: Game) -> int:
    """Columns of a network's input.

    >>> from hearts_env import Match
    >>> input_size(Match("black_lady").game)
    1010
    """
    return int(game.tables["obs_size"]) + counts_size(game)


def network_inputs(views: Views) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
    """Inputs, float32 (n, columns), and action masks, int8 (n, actions), of the seats to act.

    >>> from hearts_env import Match
    >>> inputs, masks = network_inputs(Views.of(Match("black_lady", seed=7).view(0)))
    >>> inputs.shape, masks.shape
    ((1, 1010), (1, 54))
    """
    from hearts_env.kernel.counts import encode_inputs_all

    game = views.game
    inputs = np.empty((len(views), input_size(game)), np.float32)
    masks = np.empty((len(views), len(game.actions)), np.int8)
    encode_inputs_all(views.records, game.tables, inputs, masks)
    return inputs, masks


def fingerprint(game: Game) -> str:
    """16 hexadecimal digits that identify the rules, the columns of a network's input and its actions."""
    layout = [
        (name, field.columns, field.unit, field.meaning) for name, field in observation_layout(game.rules).items()
    ]
    return hashlib.sha256(repr((VERSION, str(game.rules), layout, game.actions)).encode()).hexdigest()[:16]
