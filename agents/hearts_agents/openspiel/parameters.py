"""OpenSpiel's module, and its Hearts as `Rules`: each parameter as changes to the `openspiel` variant."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import product
from types import MappingProxyType
from typing import Any

from hearts_agents.base import AgentRefused
from hearts_env.ruleset.model import Rules
from hearts_env.variants.registry import rules as read_rules

DEFAULTS: Mapping[str, bool] = MappingProxyType(
    {
        "pass_cards": True,
        "no_pts_on_first_trick": True,
        "can_lead_any_club": False,
        "jd_bonus": False,
        "avoid_all_tricks_bonus": False,
        "must_break_hearts": True,
        "qs_breaks_hearts": True,
        "can_lead_hearts_instead_of_qs": False,
    }
)
"""OpenSpiel's parameters and their defaults."""

_CHANGES: dict[tuple[str, bool], dict[str, Any]] = {
    ("pass_cards", False): {"passing.cycle": ["hold"]},
    ("no_pts_on_first_trick", False): {"play.first_trick_forbidden": []},
    ("can_lead_any_club", True): {"opening.card": "any_of_suit"},
    ("jd_bonus", True): {"score.card_values": {"H": 1, "QS": 13, "JD": -10}},
    ("avoid_all_tricks_bonus", True): {"score.no_tricks": -5},
    ("must_break_hearts", False): {"play.heart_lead": "free"},
    ("qs_breaks_hearts", False): {"play.break_by": "hearts"},
    ("can_lead_hearts_instead_of_qs", True): {"play.lead_exception": "hearts_plus_penalty"},
}


def openspiel_rules(**parameters: bool) -> Rules:
    """The rules of OpenSpiel's Hearts under these parameters; the others have OpenSpiel's defaults.

    Raises:
        ValueError: OpenSpiel has no such parameter.

    >>> openspiel_rules(pass_cards=False).passing.cycle
    ('hold',)
    """
    unknown = [name for name in parameters if name not in DEFAULTS]
    if unknown:
        raise ValueError(f"OpenSpiel's Hearts has no parameter {unknown[0]!r}; it has {', '.join(DEFAULTS)}")
    changes: dict[str, Any] = {}
    for flag, value in {**DEFAULTS, **parameters}.items():
        changes |= _CHANGES.get((flag, value), {})
    return read_rules("openspiel").replace(**changes)


def parameters_of(rules: Rules) -> dict[str, bool]:
    """OpenSpiel's parameters for these rules. Raises AgentRefused, a ValueError, if it cannot play by them."""
    found = _every_setting().get(rules)
    if found is None:
        raise AgentRefused(f"OpenSpiel cannot play {rules}; use openspiel, or rules of openspiel_rules(...)")
    return dict(found)


@cache
def _every_setting() -> dict[Rules, dict[str, bool]]:
    settings = [dict(zip(DEFAULTS, values, strict=True)) for values in product([False, True], repeat=len(DEFAULTS))]
    return {openspiel_rules(**setting): setting for setting in settings}


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
