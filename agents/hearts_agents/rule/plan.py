"""What the rule agent works out once per game, from the compiled tables alone: no card is known here by its name."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_env.kernel.records import KINDS, MoonRule
from hearts_env.tables import Game

USUAL_TOTAL = 26.0
DEAR_SHARE, DEAR_RATIO = 0.2, 2.5
REWARDED = (MoonRule.OLD, MoonRule.NEW, MoonRule.CHOICE, MoonRule.NEW_IF_OLD_LOSES)

PLAN = np.dtype(
    [
        ("value", "f8", KINDS),
        ("order", "u1", KINDS),
        ("count", "i8"),
        ("penalty", "u8"),
        ("bonus", "u8"),
        ("dear", "u8"),
        ("moon", "u8"),
        ("pack", "u8"),
        ("gain", "f8"),
        ("stake", "f8"),
        ("no_tricks", "f8"),
    ],
    align=True,
)
"""A game as the rule agent sees it.

`value` are points scaled so that the pack's penalties sum to 26; `order` lists the `count` penalty kinds, dearest
first. Masks: `penalty` (positive), `bonus` (negative), `dear` (worth far more than most), `moon` (the penalties of the
moon set), `pack` (all kinds). `gain` is the award for the moon, 0 if there is none or it does not pay, `stake` the
points of its cards, `no_tricks` the points for winning no trick.
"""

Plan = Any
"""A `PLAN` record."""


@lru_cache(maxsize=64)
def plan_of(game: Game) -> NDArray[Any]:
    """The `PLAN` record of a game, as an array of shape (1,)."""
    t, plans = game.tables, np.zeros(1, PLAN)
    plan, values = plans[0], np.zeros(KINDS)
    values[: len(game.deck.kinds)] = t["values"][: len(game.deck.kinds), 0]
    penalties = [kind for kind in np.argsort(-values, kind="stable") if values[kind] > 0]
    total = sum(values[kind] * game.deck.copies[game.deck.kinds[kind]] for kind in penalties)
    scale = USUAL_TOTAL / total if total else 1.0
    plan["value"] = values * scale
    plan["order"][: len(penalties)], plan["count"] = penalties, len(penalties)
    plan["penalty"], plan["bonus"] = _mask(penalties), _mask(np.flatnonzero(values < 0))
    usual = float(np.median(values[penalties])) if penalties else 0.0
    plan["dear"] = _mask(k for k in penalties if values[k] >= min(DEAR_RATIO * usual, DEAR_SHARE * total))
    plan["pack"] = _mask(range(len(game.deck.kinds)))
    _moon(plan, t, scale)
    plan["no_tricks"] = float(t["no_tricks"]) * scale
    plans.flags.writeable = False
    return plans


def _moon(plan: Any, t: Any, scale: float) -> None:
    moon = int(t["moon_set"][0]) & int(plan["penalty"])
    plan["moon"] = moon
    plan["stake"] = sum(float(plan["value"][kind]) for kind in range(KINDS) if moon >> kind & 1)
    if int(t["moon_rule"]) in REWARDED and plan["stake"] > 0:
        plan["gain"] = float(t["moon_amount"]) * scale


def _mask(kinds: Any) -> int:
    return sum(1 << int(kind) for kind in kinds)
