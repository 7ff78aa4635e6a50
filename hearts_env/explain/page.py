"""A page of rules for card players, written from the `Rules` value itself, so that it cannot drift from the play.

Every field that differs from Basic Hearts is listed by name as well, whether or not it matters.
"""

from __future__ import annotations

import textwrap

from hearts_env.explain.moon import moon_lines
from hearts_env.explain.play import play_lines
from hearts_env.explain.score import end_lines, scoring_lines
from hearts_env.explain.table import announcement_lines, pack_lines, pass_lines
from hearts_env.ruleset import derived
from hearts_env.ruleset.model import BLACK_LADY, Rules
from hearts_env.ruleset.syntax import write_value
from hearts_env.variants.registry import rules as read_rules

WIDTH = 88


def explain(rules: Rules | str) -> str:
    """The rules as a page of text, ``## `` before each section, lines of at most 88 columns."""
    value = read_rules(rules)
    deck = derived.build_deck(value)
    sections: list[tuple[str, list[str]]] = [
        ("Players and pack", pack_lines(value, deck)),
        ("Pass", pass_lines(value)),
        ("Before play", announcement_lines(value, deck)),
        ("Play", play_lines(value, deck)),
        ("Scoring", scoring_lines(value, deck)),
        ("Shooting the moon", moon_lines(value, deck)),
        ("End of the match", end_lines(value)),
        ("Differences from Basic Hearts", _differences(value)),
        ("Readings", list(value.variant.readings)),
        ("Source", [value.variant.source + "."]),
    ]
    head = [f"# {value}", "", *textwrap.wrap(value.variant.summary, WIDTH)]  # the title is text that parses: one line
    if value.variant.aliases:
        head += textwrap.wrap(f"Also typed: {', '.join(value.variant.aliases)}.", WIDTH)
    pages = ["\n".join(head)]
    pages += ["\n".join([f"## {title}", *map(_item, lines)]) for title, lines in sections if lines]
    return "\n\n".join(pages) + "\n"


def _item(line: str) -> str:
    return textwrap.fill(line, WIDTH, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)


def _differences(rules: Rules) -> list[str]:
    basic = BLACK_LADY.standard(rules.players)
    return [
        f"{path} = {write_value(value)}, not {write_value(basic[path])}"
        for path, value in rules.flat().items()
        if value != basic[path]
    ]
