"""Hearts and its variants as reinforcement-learning environments.

After ``import hearts_env as he``: `he.rules`, `he.sample_rules`, `he.rules_page`, `he.VARIANTS`, `he.register`,
`he.Match`, `he.read_games`, `he.write_games`, `he.score_deal`, `he.legal_plays`, `he.trick_winner` and
`he.observation_layout`; what one seat may know, `he.View`, `he.Views`, `he.view_of`, `he.sample_worlds` and
`he.marginals`; the
environments `he.env`, `he.raw_env`, `he.vector_env`, `he.mixed_env` and, in words, `he.text_env` and `he.questions`,
and `he.late_rewards`; the layouts of observations and actions that all games share, `he.universal_layout`, or some,
`he.shared_layout`; the exceptions `he.RulesError` and `he.IllegalActionError`.

>>> import hearts_env as he
>>> rules = he.rules("hearts(players=5, end.target=50)")
>>> str(rules), rules.replace(target=60).end.target
('black_lady(players=5, end.target=50)', 60)

Every variant has a module with an `env` of its own:

>>> from hearts_env import black_lady_v0
>>> env = black_lady_v0.env(deals=1)
>>> env.possible_agents
['player_0', 'player_1', 'player_2', 'player_3']

Importing the package compiles nothing; Numba and the frameworks are imported where they are first used.
"""

from __future__ import annotations

import importlib
import sys
from functools import partial
from types import ModuleType
from typing import Any

from hearts_env.envs.registration import register_on_import
from hearts_env.errors import IllegalActionError, RulesError
from hearts_env.ruleset.model import Rules, Variant
from hearts_env.seat.observation import observation_layout, widen_observations
from hearts_env.seat.view import View, Views, view_of
from hearts_env.table.games import read_games, write_games
from hearts_env.table.match import Match
from hearts_env.table.score import DealScore, legal_plays, score_deal, trick_winner
from hearts_env.variants.registry import VARIANTS, register, rules, watch
from hearts_env.variants.sample import sample_rules

__version__ = "0.1.0"

_LAZY = {
    "hearts_env.envs.aec": ("env", "raw_env"),
    "hearts_env.envs.late": ("late_rewards",),
    "hearts_env.envs.mixed": ("MixedEnv", "mixed_env"),
    "hearts_env.envs.questions": ("Questions", "questions"),
    "hearts_env.envs.text": ("TextEnv", "text_env"),
    "hearts_env.envs.vector": ("VectorEnv", "vector_env"),
    "hearts_env.explain.page": ("rules_page",),
    "hearts_env.seat.marginals": ("marginals",),
    "hearts_env.seat.shared": ("SharedLayout", "shared_layout"),
    "hearts_env.seat.universal": ("from_universal", "to_universal", "universal_actions", "universal_layout"),
    "hearts_env.seat.worlds": ("sample_worlds",),
}

__all__ = [
    "VARIANTS",
    "DealScore",
    "IllegalActionError",
    "Match",
    "Rules",
    "RulesError",
    "Variant",
    "View",
    "Views",
    "legal_plays",
    "observation_layout",
    "read_games",
    "register",
    "rules",
    "sample_rules",
    "score_deal",
    "trick_winner",
    "view_of",
    "widen_observations",
    "write_games",
]
__all__.extend(name for names in _LAZY.values() for name in names)

register_on_import()


def __getattr__(name: str) -> Any:
    for module, names in _LAZY.items():
        if name in names:
            return getattr(importlib.import_module(module), name)
    variant, _, version = name.rpartition("_v")
    if version.isdigit() and variant in VARIANTS and name in globals():  # looking it up has loaded the plug-in
        return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if isinstance(globals()[name], ModuleType) and "_v" in name)})


def _add_environment_module(variant: Variant) -> None:
    """Add the module that PettingZoo users import, such as ``black_lady_v0``, with `env` and `raw_env` of a variant."""
    name = f"{variant.name}_v{variant.version}"
    module = ModuleType(f"{__name__}.{name}", variant.summary)

    def attribute(asked: str) -> Any:
        if asked not in ("env", "raw_env"):
            raise AttributeError(f"module {module.__name__!r} has no attribute {asked!r}")
        return partial(__getattr__(asked), variant.name)

    module.__getattr__ = attribute  # type: ignore[method-assign]  # PettingZoo is imported where it is used
    module.__all__ = ["env", "raw_env"]  # type: ignore[attr-defined]
    sys.modules[module.__name__] = module  # so that `from hearts_env.black_lady_v0 import env` finds it
    globals()[name] = module


watch(_add_environment_module)
