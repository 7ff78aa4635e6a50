"""The part of a page of rules that is written by hand: a variant's summary, names, readings and source.

A game whose rules were changed is another game: its page names the changes in place of the summary, leaves out the
readings about them, and names the game to which the other readings and the source belong.
"""

from __future__ import annotations

from hearts_env.ruleset.model import Rules
from hearts_env.ruleset.syntax import write_value


def opening_lines(rules: Rules) -> list[str]:
    """Lines that introduce the game: the variant's summary, or the variant and the changes.

    >>> import hearts_env as he
    >>> opening_lines(he.rules("spot_hearts(card_values={H:1})"))
    ['Spot Hearts, changed: score.card_values={H:1}.']
    """
    variant = rules.variant
    if changes := rules.changes():
        fields = ", ".join(f"{path}={write_value(value)}" for path, value in changes.items())
        return [f"{variant.title}, changed: {fields}."]
    return [variant.summary]


def closing_sections(rules: Rules) -> dict[str, list[str]]:
    """The variant's readings, without those that are about a changed field, its source and other names, by headings."""
    variant, changes = rules.variant, rules.changes()
    readings = [reading.text for reading in variant.readings if changes.keys().isdisjoint(reading.about)]
    unchanged = f" of {variant.title}, unchanged" if changes else ""
    names = ", ".join(alias.replace("_", " ") for alias in variant.aliases if not changes)
    closing = {f"Readings{unchanged}": readings, f"Source{unchanged}": [variant.source + "."]}
    return closing | {"Other names": [f"{names}."] if names else []}
