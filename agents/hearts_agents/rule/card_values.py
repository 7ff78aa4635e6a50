"""The values of the cards, derived from the compiled tables once per game. No card is known by name."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_env.compiled.game import Game
from hearts_env.kernel.bits import ONE, lowest
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import Mask
from hearts_env.ruleset import derived
from hearts_env.ruleset.enums import MoonMode
from hearts_env.ruleset.limits import KINDS

STANDARD_TOTAL = 26.0
"""Sum of the penalties of the pack after scaling, as in Black Lady."""
DEAR_SHARE, DEAR_RATIO = 0.2, 2.5
"""A card is dear from this share of all penalties on, or this multiple of the median penalty if that is less."""
UNREWARDED = (MoonMode.NONE, MoonMode.FIXED_SELF)

CARD_VALUES = np.dtype(
    [
        # by kind
        ("value", "f8", KINDS),  # cost of a card; bonuses are negative, whichever scores win
        ("order", "u1", KINDS),  # the `count` penalty kinds, dearest first
        ("copies", "u1", KINDS),  # copies in the pack
        ("count", "i8"),
        # masks of kinds
        ("penalty", "u8"),  # value above 0
        ("bonus", "u8"),  # value below 0
        ("dear", "u8"),  # `dear_from` or more
        ("moon", "u8"),  # penalties of the moon set
        ("pack", "u8"),  # all kinds
        ("twice", "u8"),  # kinds of two or more copies
        # numbers of the game
        ("moon_gain", "f8"),  # the award for the moon; 0: there is none or it does not pay
        ("moon_points", "f8"),  # sum of the moon cards
        ("no_tricks", "f8"),  # the award for winning no trick
        ("scale", "f8"),  # factor from points of the game to values
        ("dear_from", "f8"),
        ("seat_share", "f8"),  # mean sum of the penalties that a seat takes
        ("fixed", "i8"),  # 0: a card's value depends on what its taker has; see `marginal_cost.update_values`
    ],
    align=True,
)
"""A game as the rule agent sees it, in points scaled so that the penalties of the pack sum to 26."""

CardValues = Any
"""A `CARD_VALUES` record."""


@lru_cache(maxsize=64)
def card_values_of(game: Game) -> NDArray[Any]:
    """Make the `CARD_VALUES` record of a game, as a read-only array of shape (1,)."""
    t, records, deck = game.tables, np.zeros(1, CARD_VALUES), game.deck
    record, values = records[0], np.zeros(KINDS)
    points = derived.card_points(game.rules, deck)
    values[: len(deck.kinds)] = [derived.badness(game.rules, points[name]) for name in deck.kinds]
    if t["score_chips"]:
        values = np.sign(values)
    penalties = [int(kind) for kind in np.argsort(-values, kind="stable") if values[kind] > 0]
    total = sum(values[kind] * deck.copies[deck.kinds[kind]] for kind in penalties)
    scale = STANDARD_TOTAL / total if total else 1.0
    record["value"], record["scale"] = values * scale, scale
    record["copies"][: len(deck.kinds)] = [deck.copies[name] for name in deck.kinds]
    record["order"][: len(penalties)], record["count"] = penalties, len(penalties)
    record["penalty"], record["bonus"] = _mask(penalties), _mask(np.flatnonzero(values < 0))
    median = float(np.median(values[penalties])) if penalties else 0.0
    dear_from = min(DEAR_RATIO * median, DEAR_SHARE * total)
    record["dear"], record["dear_from"] = _mask(k for k in penalties if values[k] >= dear_from), dear_from * scale
    record["pack"] = _mask(range(len(deck.kinds)))
    record["twice"] = _mask(kind for kind, name in enumerate(deck.kinds) if deck.copies[name] > 1)
    record["seat_share"] = total * scale / game.seats
    _fill_moon(record, game, scale)
    record["no_tricks"] = float(t["score_no_tricks"]) * scale * (-1 if game.rules.score.better == "high" else 1)
    record["fixed"] = _has_fixed_values(game)
    records.flags.writeable = False
    return records


def _fill_moon(record: Any, game: Game, scale: float) -> None:
    t = game.tables
    moon = int(t["moon_set"]) & int(record["penalty"])
    record["moon"] = moon
    points = (float(record["value"][kind] * record["copies"][kind]) for kind in range(KINDS) if moon >> kind & 1)
    record["moon_points"] = sum(points)
    if game.rules.moon.mode not in UNREWARDED and record["moon_points"] > 0:
        amount = float(abs(int(t["moon_amount"][0])) + abs(int(t["moon_amount"][1])))
        record["moon_gain"] = amount * scale


def _has_fixed_values(game: Game) -> bool:
    t = game.tables
    depends = t["score_no_hearts"] or t["score_pledge"] or t["score_chips"]
    return bool(game.rules.score.better in ("low", "high") and t["plain_score"] and not depends)


def _mask(kinds: Iterable[int]) -> int:
    return sum(1 << int(kind) for kind in kinds)


@jit
def sum_values(values: CardValues, cards: Mask) -> float:
    total = 0.0
    while cards:
        total += values.value[lowest(cards)]
        cards &= cards - ONE
    return total
