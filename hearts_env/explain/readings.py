"""Summary and readings of a variant, and what a change of its fields does to them."""

from __future__ import annotations

from collections.abc import Iterable

from hearts_env.ruleset.model import Rules, Variant
from hearts_env.ruleset.syntax import write_value


def summary_fields(variant: Variant) -> frozenset[str]:
    """The paths of the fields that a variant's summary is about."""
    by_players = (path for changes in variant.by_players.values() for path in changes)
    return frozenset((*variant.about, *variant.delta, *by_players))


def summary_lines(rules: Rules) -> list[str]:
    """The variant's summary, and the changes of fields that it is about.

    >>> import hearts_env as he
    >>> summary_lines(he.rules("rickety_kate(moon.mode=old)"))[0].partition("scores 26. ")[2]
    '(changed: moon.mode=old)'
    """
    about = summary_fields(rules.variant)
    changed = ", ".join(f"{path}={write_value(value)}" for path, value in rules.changes().items() if path in about)
    return [rules.variant.summary + (f" (changed: {changed})" if changed else "")]


def reading_lines(rules: Rules) -> list[str]:
    """The variant's readings, without those that are about a changed field."""
    return [reading.text for reading in rules.variant.readings if _unchanged(rules, reading.about)]


def _unchanged(rules: Rules, about: Iterable[str]) -> bool:
    return rules.changes().keys().isdisjoint(about)
