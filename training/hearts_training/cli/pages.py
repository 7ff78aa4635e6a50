"""`hearts variants` and `hearts rules`: what can be played."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

from hearts_env.ruleset.model import Variant
from hearts_env.variants.registry import VARIANTS
from hearts_env.variants.registry import rules as read_rules
from hearts_training.cli.command import Command, console, write_json


@dataclass(frozen=True)
class Variants(Command):
    """List the variants of Hearts that can be played.

    Each name is a value of the rules, and any of its fields can be changed in brackets, wherever a variant is asked
    for: "black_lady(players=5, moon.mode=old)". `hearts rules NAME` explains one.

    Examples:
      hearts variants
      hearts variants --json
    """

    json: bool = False
    """Print JSON instead of a table."""

    def run(self) -> int:
        """Print the list."""
        if self.json:
            write_json(Path("-"), [variant_data(variant) for variant in VARIANTS.values()])
            return 0
        from rich.table import Table

        table = Table("variant, also called", "players", "in short", box=None, padding=(0, 2, 1, 0))
        for variant in VARIANTS.values():
            names = "\n".join([variant.name, *(f"  {alias}" for alias in variant.aliases)])
            table.add_row(names, players_words(variant.players), variant.summary)
        console().print(table)
        return 0


def players_words(players: tuple[int, ...]) -> str:
    """Numbers of players: ``3-6`` for a run, ``3, 4, 6`` otherwise."""
    first, last = players[0], players[-1]
    if len(players) > 2 and players == tuple(range(first, last + 1)):
        return f"{first}-{last}"
    return ", ".join(map(str, players))


def variant_data(variant: Variant) -> dict[str, Any]:
    """A variant as plain data; `changes` are its differences to Basic Hearts, `changes_by_players` those that it has
    besides with some numbers of players.
    """
    return {
        "name": variant.name,
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
    """Explain the rules of a game in words.

    The page is written from the same value that is played, so it cannot say anything else than what happens at the
    table.

    Examples:
      hearts rules black_lady
      hearts rules "black_lady(players=5, moon.mode=old)"
      hearts rules queens --json
    """

    name: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="NAME")]
    """A variant, with changes in brackets if you like."""
    json: bool = False
    """Print JSON: every field and the page."""

    def run(self) -> int:
        """Print the page."""
        from hearts_env.explain.page import explain

        rules = read_rules(self.name)
        if self.json:
            data = {
                "variant": variant_data(rules.variant),
                "rules": str(rules),
                "players": rules.players,
                "fields": rules.flat(),
                "page": explain(rules),
            }
            write_json(Path("-"), data)
            return 0
        terminal = console()
        if terminal.is_terminal:
            from rich.markdown import Markdown

            terminal.print(Markdown(explain(rules).replace("*", r"\*")))  # a pass such as left*4 is no emphasis
        else:
            print(explain(rules), end="")
        return 0
