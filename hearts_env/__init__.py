"""Hearts and its variants as reinforcement-learning environments.

``import hearts_env as he``: `he.rules`, `he.VARIANTS`, `he.Match`, `he.score_deal`, `he.legal_plays`,
`he.trick_winner`, `he.observation_layout`, and the faces `he.env`, `he.raw_env`, `he.vector_env`. Importing the package
compiles nothing; Numba and the frameworks are imported where they are first used.
"""

from __future__ import annotations

import importlib
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

from hearts_env.envs.registration import register_on_import
from hearts_env.play.match import Match
from hearts_env.play.observation import observation_layout
from hearts_env.play.score import DealScore, legal_plays, score_deal, trick_winner
from hearts_env.play.view import View, Views
from hearts_env.ruleset.model import Rules, Variant
from hearts_env.variants.registry import VARIANTS, rules

if TYPE_CHECKING:
    from hearts_env.envs.aec import env, raw_env
    from hearts_env.envs.vector import VectorEnv, vector_env

__version__ = "0.1.0"

_LAZY = {
    "env": "hearts_env.envs.aec",
    "raw_env": "hearts_env.envs.aec",
    "VectorEnv": "hearts_env.envs.vector",
    "vector_env": "hearts_env.envs.vector",
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
    "env",
    "legal_plays",
    "observation_layout",
    "raw_env",
    "rules",
    "score_deal",
    "trick_winner",
    "vector_env",
]

register_on_import()


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name]), name)
    variant, _, version = name.rpartition("_v")
    if variant in VARIANTS and version == str(VARIANTS[variant].version):
        return _environment_module(name, variant)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _environment_module(name: str, variant: str) -> ModuleType:
    """The module that PettingZoo users import, such as ``black_lady_v0``, with `env` and `raw_env` of one variant."""
    from hearts_env.envs import aec

    module = ModuleType(f"{__name__}.{name}", VARIANTS[variant].summary)
    module.env = partial(aec.env, variant)  # type: ignore[attr-defined]
    module.raw_env = partial(aec.raw_env, variant)  # type: ignore[attr-defined]
    globals()[name] = module
    return module
