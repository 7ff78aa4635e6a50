"""What the rule agent works out once per game, from the compiled tables alone: no card is known here by its name."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_env.compiled.game import Game
from hearts_env.ruleset import derived
from hearts_env.ruleset.enums import MoonMode
from hearts_env.ruleset.limits import KINDS

USUAL_TOTAL = 26.0
DEAR_SHARE, DEAR_RATIO = 0.2, 2.5
REWARDED = (MoonMode.OLD, MoonMode.NEW, MoonMode.CHOICE, MoonMode.NEW_IF_OLD_LOSES, MoonMode.RESET_OR_DOUBLE)

PLAN = np.dtype(
    [
        ("value", "f8", KINDS),
        ("order", "u1", KINDS),
        ("copies", "u1", KINDS),
        ("count", "i8"),
        ("penalty", "u8"),
        ("bonus", "u8"),
        ("dear", "u8"),
        ("moon", "u8"),
        ("pack", "u8"),
        ("twice", "u8"),
        ("gain", "f8"),
        ("stake", "f8"),
        ("no_tricks", "f8"),
        ("scale", "f8"),
        ("dear_from", "f8"),
        ("share", "f8"),
        ("fixed", "i8"),
    ],
    align=True,
)
"""A game as the rule agent sees it.

`value` are costs scaled so that the pack's penalties sum to 26 (by `scale`), bonuses negative, whichever scores win;
`order` lists the `count` penalty kinds, dearest first, `copies` how often a kind is in the pack. Masks: `penalty`
(positive), `bonus` (negative), `dear` (worth far more than most, that is `dear_from` or more), `moon` (the penalties of
the moon set), `pack` (all kinds), `twice` (kinds of several copies). `gain` is the award for the moon, 0 if there is
none or it does not pay, `stake` the points of its cards, `no_tricks` the points for winning no trick, `share` a seat's
part of all penalties. If not `fixed`, what a card costs depends on what its taker has: see `account.revalue`.
"""

Plan = Any
"""A `PLAN` record."""


@lru_cache(maxsize=64)
def plan_of(game: Game) -> NDArray[Any]:
    """The `PLAN` record of a game, as an array of shape (1,)."""
    t, plans, deck = game.tables, np.zeros(1, PLAN), game.deck
    plan, values = plans[0], np.zeros(KINDS)
    points = derived.card_points(game.rules, deck)
    values[: len(deck.kinds)] = [derived.badness(game.rules, points[name]) for name in deck.kinds]
    if t["score_chips"]:
        values = np.sign(values)
    penalties = [kind for kind in np.argsort(-values, kind="stable") if values[kind] > 0]
    total = sum(values[kind] * deck.copies[deck.kinds[kind]] for kind in penalties)
    scale = USUAL_TOTAL / total if total else 1.0
    plan["value"], plan["scale"] = values * scale, scale
    plan["copies"][: len(deck.kinds)] = [deck.copies[name] for name in deck.kinds]
    plan["order"][: len(penalties)], plan["count"] = penalties, len(penalties)
    plan["penalty"], plan["bonus"] = _mask(penalties), _mask(np.flatnonzero(values < 0))
    usual = float(np.median(values[penalties])) if penalties else 0.0
    dear_from = min(DEAR_RATIO * usual, DEAR_SHARE * total)
    plan["dear"], plan["dear_from"] = _mask(k for k in penalties if values[k] >= dear_from), dear_from * scale
    plan["pack"] = _mask(range(len(deck.kinds)))
    plan["twice"] = _mask(kind for kind, name in enumerate(deck.kinds) if deck.copies[name] > 1)
    plan["share"] = total * scale / game.seats
    _moon(plan, game, scale)
    plan["no_tricks"] = float(t["score_no_tricks"]) * scale * (-1 if game.rules.score.better == "high" else 1)
    plain = (
        game.rules.score.better in ("low", "high")
        and t["plain_score"]
        and not (t["score_no_hearts"] or t["score_pledge"])
    )
    plan["fixed"] = bool(plain and not t["score_chips"])
    plans.flags.writeable = False
    return plans


def _moon(plan: Any, game: Game, scale: float) -> None:
    t = game.tables
    moon = int(t["moon_set"]) & int(plan["penalty"])
    plan["moon"] = moon
    plan["stake"] = sum(float(plan["value"][kind] * plan["copies"][kind]) for kind in range(KINDS) if moon >> kind & 1)
    if game.rules.moon.mode in REWARDED and plan["stake"] > 0:
        amount = float(abs(int(t["moon_amount"][0])) + abs(int(t["moon_amount"][1])))
        plan["gain"] = amount * scale


def _mask(kinds: Any) -> int:
    return sum(1 << int(kind) for kind in kinds)
