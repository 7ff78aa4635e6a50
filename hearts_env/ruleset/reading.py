"""Sentences about a variant for its rules page, each with the fields it is about."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Reading:
    """A sentence about a variant for its rules page: a choice made where the sources are silent or disagree.

    Attributes:
        text: the sentence.
        about: the fields it is about, as ``group.field``. The page of a changed game leaves the sentence out if one of
            them was changed.
    """

    text: str
    about: tuple[str, ...]


# Fields that sentences often depend on together, for `Reading.about`.
POINTS = (
    "score.better",
    "score.card_values",
    "score.negations",
    "score.multipliers",
    "score.sweeps",
    "score.chips",
)
"""Fields that decide the points of cards."""

PACK = (
    "deck.packs",
    "deck.ranks",
    "deck.added",
    "deck.removed",
    "deck.remainder",
    "deck.removal_order",
    "deck.hand_size",
    "deck.kitty_award",
)
"""Fields that decide which cards there are and how many each player holds."""

MOON = (
    "moon.mode",
    "moon.scope",
    "moon.cards",
    "moon.least",
    "moon.amount",
    "moon.requires_sun",
    "moon.sun_amount",
    "moon.clean_slate",
    "moon.punish",
)
"""Fields that decide the needs and the effects of a moon."""
