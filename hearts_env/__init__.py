"""Hearts and its variants as reinforcement-learning environments.

``import hearts_env as he``: `he.rules`, `he.VARIANTS`, `he.Match`, `he.score_deal`, `he.legal_plays`, `he.trick_winner`,
`he.observation_layout`, and the faces `he.env`, `he.raw_env`, `he.vector_env`. Importing the package compiles nothing; Numba and the
frameworks are imported where they are first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from hearts_env.match import Match
from hearts_env.observation import observation_layout
from hearts_env.rules import Rules, Variant
from hearts_env.scorekeeping import DealScore, legal_plays, score_deal, trick_winner
from hearts_env.variants import VARIANTS, rules
from hearts_env.view import View, Views

if TYPE_CHECKING:
    from hearts_env.faces.vector import VectorEnv, vector_env

__version__ = "0.1.0"

_LAZY = {
    "VectorEnv": "hearts_env.faces.vector",
    "vector_env": "hearts_env.faces.vector",
}

__all__ = [
    "VARIANTS",
    "DealScore",
    "Match",
    "Rules",
    "Variant",
    "VectorEnv",
    "View",
    "Views",
    "legal_plays",
    "observation_layout",
    "rules",
    "score_deal",
    "trick_winner",
    "vector_env",
]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
