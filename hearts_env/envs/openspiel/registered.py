"""The game's entry in OpenSpiel's register; the game itself is imported when it is loaded."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

import pyspiel

from hearts_env.envs.openspiel.game_type import game_type


def load(params: Mapping[str, str] | None = None) -> Any:
    """The game with these parameters."""
    from hearts_env.envs.openspiel.game import HeartsGame

    return HeartsGame(params)


pyspiel.register_game(game_type(zero_sum=True), load)
# OpenSpiel lets go of it after the interpreter has ended, which aborts the process if nothing else holds it.
ctypes.pythonapi.Py_IncRef(ctypes.py_object(load))
