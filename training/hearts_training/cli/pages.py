"""`hearts variants` and `hearts rules`: the variants and their rules."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

from hearts_env.ruleset.model import Variant
from hearts_env.variants.known import find_known
from hearts_env.variants.registry import VARIANTS
from hearts_env.variants.registry import rules as read_rules
from hearts_training.cli.command import Command, console, write_json
from hearts_training.options import UNSET


@dataclass(frozen=True)
class Variants(Command):
    """List the variants of Hearts.

    Wherever a variant is expected, fields of its rules can be changed in brackets: "black_lady(players=5,
    moon.mode=old)". `hearts rules NAME` explains a variant.

    Examples:
      hearts variants
      hearts variants --json
    """

    json: Annotated[bool, UNSET] = False
    """Print JSON instead of a table."""

    def run(self) -> int:
        """Print the list."""
        if self.json:
            write_json(Path("-"), [variant_data(variant) for variant in VARIANTS.values()])
            return 0
        from rich.table import Table

        table = Table("variant", "players", "summary", box=None, padding=(0, 2, 0, 0))
        for variant in VARIANTS.values():
            table.add_row(variant.name, players_words(variant.players), variant.summary)
        console().print(table)
        return 0


def players_words(players: tuple[int, ...]) -> str:
    """Numbers of players in short.

    >>> players_words((3, 4, 5, 6)), players_words((3, 4, 6))
    ('3-6', '3, 4, 6')
    """
    first, last = players[0], players[-1]
    if len(players) > 2 and players == tuple(range(first, last + 1)):
        return f"{first}-{last}"
    return ", ".join(map(str, players))


def variant_data(variant: Variant) -> dict[str, Any]:
    """A variant as plain data.

    `changes` are its differences from Basic Hearts, `changes_by_players` further ones for certain numbers of players.
    """
    return {
        "name": variant.name,
        "title": variant.title,
        "aliases": list(variant.aliases),
        "players": list(variant.players),
        "summary": variant.summary,
        "changes": dict(variant.delta),
        "changes_by_players": {str(players): dict(changes) for players, changes in variant.by_players.items()},
        "readings": [reading.text for reading in variant.readings],
        "source": variant.source,
        "version": variant.version,
    }


@dataclass(frozen=True)
class RulesPage(Command):
    """Explain the rules of a variant.

    The page is generated from the rules that are played, so the two cannot disagree.

    Examples:
      hearts rules black_lady
      hearts rules "black_lady(players=5, moon.mode=old)"
      hearts rules queens --json
      hearts rules microsoft
    """

    name: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="NAME")]
    """The variant, optionally with changes to its rules in brackets; or a place where people play, such as bicycle."""
    json: Annotated[bool, UNSET] = False
    """Print all fields and the page as JSON."""

    def run(self) -> int:
        """Print the page."""
        from hearts_env.explain.page import rules_page

        known = find_known(self.name)
        rules = read_rules((known and known.rules) or self.name)
        if self.json:
            data = {
                "variant": variant_data(rules.variant),
                "rules": str(rules),
                "players": rules.players,
                "fields": rules.flat(),
                "page": rules_page(rules),
            }
            write_json(Path("-"), data)
            return 0
        if known is not None:
            print(f"{known.title}: {known.rules}\nNot said: {known.missing or 'nothing'}. Source: {known.source}.\n")
        terminal = console()
        if terminal.is_terminal:
            from rich.markdown import Markdown

            terminal.print(
                Markdown(rules_page(rules).replace("*", r"\*"))
            )  # the * of a pass such as left*4 is no emphasis
        else:
            print(rules_page(rules), end="")
        return 0
