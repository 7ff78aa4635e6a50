"""OpenSpiel's Hearts in terms of `Rules`: every parameter of the one as changes to the `openspiel` variant."""

from __future__ import annotations

from typing import Any

import hearts_env as he

DEFAULTS = {
    "pass_cards": True,
    "no_pts_on_first_trick": True,
    "can_lead_any_club": False,
    "jd_bonus": False,
    "avoid_all_tricks_bonus": False,
    "must_break_hearts": True,
    "qs_breaks_hearts": True,
    "can_lead_hearts_instead_of_qs": False,
}
"""OpenSpiel's parameters and their defaults."""

PLAY_FLAGS = (
    "no_pts_on_first_trick",
    "can_lead_any_club",
    "must_break_hearts",
    "qs_breaks_hearts",
    "can_lead_hearts_instead_of_qs",
)
OTHER_FLAGS = ("pass_cards", "jd_bonus", "avoid_all_tricks_bonus")

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


def openspiel_rules(**parameters: bool) -> he.Rules:
    """The rules that OpenSpiel's Hearts plays by under these parameters."""
    changes: dict[str, Any] = {}
    for flag, value in (DEFAULTS | parameters).items():
        changes |= _CHANGES.get((flag, value), {})
    return he.rules("openspiel").replace(**changes)
