"""The declaration of a field of the rules, from which its bounds, its column in the compiled tables, what networks read
and what tests change are derived.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, NamedTuple, TypeVar

MOST = 1_000_000
"""Largest number in a field, unless its declaration has another."""
Value = TypeVar("Value")


class Declaration(NamedTuple):
    """A field of the rules, besides its type, default and meaning.

    Attributes:
        game: a game in which the field matters.
        change: another value there.
        shows: the attribute of `Match` that shows the difference first; "refusal" if the game has no other value.
        least, most: bounds of every number in the field.
        pays: the points that a seat can score by the field in a deal, as multiples of its value; empty if it pays none,
            or if `derived.point_bounds` counts them.
    """

    game: str
    change: Any
    shows: str
    least: int
    most: int
    pays: tuple[int, ...]

    @property
    def can_be_zero(self) -> bool:
        """True if 0 is within the bounds."""
        return self.least <= 0 <= self.most


def rule(
    default: Value,
    game: str,
    change: Any,
    shows: str,
    *,
    least: int = -MOST,
    most: int = MOST,
    pays: tuple[int, ...] = (),
) -> Value:
    """Declare a field of a group of rules: its default, and the values of its `Declaration`."""
    return field(default=default, metadata={"declaration": Declaration(game, change, shows, least, most, pays)})
