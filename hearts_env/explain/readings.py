"""Summary and readings of a variant, without the sentences that a change of its fields may have made false."""

from __future__ import annotations

from collections.abc import Iterable

from hearts_env.ruleset.model import Rules, Variant


def summary_fields(variant: Variant) -> frozenset[str]:
    """The paths of the fields that a variant's summary is about."""
    by_players = (path for changes in variant.by_players.values() for path in changes)
    return frozenset((*variant.about, *variant.delta, *by_players))


def summary_lines(rules: Rules) -> list[str]:
    """The variant's summary, if no field it is about was changed."""
    variant = rules.variant
    return [variant.summary] if _unchanged(rules, summary_fields(variant)) else []


def reading_lines(rules: Rules) -> list[str]:
    """The variant's readings, without those that are about a changed field."""
    return [reading.text for reading in rules.variant.readings if _unchanged(rules, reading.about)]


def _unchanged(rules: Rules, about: Iterable[str]) -> bool:
    return rules.changes().keys().isdisjoint(about)
