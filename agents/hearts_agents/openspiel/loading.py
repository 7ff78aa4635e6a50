"""OpenSpiel's module and game."""

from __future__ import annotations

from functools import cache
from typing import Any

from hearts_agents.openspiel.parameters import parameters_of
from hearts_env.ruleset.model import Rules


def load_pyspiel() -> Any:
    """The module `pyspiel`. If it is missing, raises ValueError with the command that installs it."""
    try:
        import pyspiel
    except ImportError:
        raise ValueError("OpenSpiel is not installed; install it with: pip install 'hearts-env[openspiel]'") from None
    return pyspiel


@cache
def load_hearts(rules: Rules) -> Any:
    """OpenSpiel's game (`pyspiel.Game`) of these rules.

    Raises ValueError if OpenSpiel is not installed or cannot play by these rules.
    """
    return load_pyspiel().load_game("hearts", parameters_of(rules))
