"""A page of rules for card players, written from the `Rules` value, so that it always describes the game as played.

The page has three kinds of text:

* Sentences made from the fields, in `table`, `play`, `score` and `moon`. They follow every change of a rule.
* Sentences written by hand for a variant: its summary, names, readings and source. `readings` takes care that they are
  true of a changed game, too.
* The fields that differ from Basic Hearts, listed by name.

To add a sentence for a new field, put it into the function of its section (`pack_lines`, `pass_lines`,
`announcement_lines`, `play_lines`, `scoring_lines`, `moon_lines`, `end_lines`): a helper that takes the rules and
returns a list of lines, empty where the field does not matter, with the field's path in a comment, such as
``# play.heart_lead``, beside the sentence. The tests require the path in a comment, and that the page changes with the
field in the game that its declaration names. Nothing else is needed: the lines that depend on the number of players are
found by comparing pages.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain
from pathlib import Path

from hearts_env.explain.moon import moon_lines
from hearts_env.explain.play import play_lines
from hearts_env.explain.readings import closing_sections, opening_lines
from hearts_env.explain.score import end_lines, scoring_lines
from hearts_env.explain.table import announcement_lines, pack_lines, pass_lines
from hearts_env.explain.words import listing
from hearts_env.ruleset import derived
from hearts_env.ruleset.model import BLACK_LADY, Rules, field_types
from hearts_env.ruleset.syntax import write_value
from hearts_env.variants.registry import rules as read_rules

WIDTH = 88
_COMMENT = re.compile("#.*")


def rules_page(rules: Rules | str) -> str:
    """The rules in words, as a page of Markdown: a title, ``##`` before each section and ``-`` before each rule.

    The page is written from the values of the fields, so it is true of changed rules, too. Lines have at most 88
    columns, except the title, which is the canonical text of the rules; a longer value is broken after commas.

    >>> import hearts_env as he
    >>> page = he.rules_page("black_lady(moon.mode=old)")
    >>> print(page.partition("## Shooting the moon")[2].partition("##")[0].strip())
    - A player who takes all the penalty cards shoots the moon.
    - The award is 26.
    - Every other player scores +26 (old moon).
    - The shooter does not score the penalty cards of the moon; any other cards they took
      count as usual.
    - The other players also score the cards they took.

    Raises:
        ValueError: the text names no rules; see `hearts_env.rules`. Or a field is set that has no words yet, so that
            the page would be wrong.
    """
    value = read_rules(rules)
    check_words(value)
    rules_of_play, others = rule_sections(value), _with_other_numbers(value)
    sections = {
        "Players": _players(value, others),
        **rules_of_play,
        "Other numbers of players": _other_numbers(rules_of_play, others),
        "Differences from Basic Hearts": _differences(value),
        **closing_sections(value),
    }
    head = [f"# {value}", "", *(row for line in opening_lines(value) for row in _wrapped(line))]
    pages = ["\n".join(head)]
    pages += ["\n".join([f"## {title}", *map(_item, lines)]) for title, lines in sections.items() if lines]
    return "\n\n".join(pages) + "\n"


def check_words(rules: Rules) -> None:
    """Raise ValueError, in one line that names it, if a field is set that has no words yet."""
    basic = BLACK_LADY.standard(rules.players)
    for path, value in rules.flat().items():
        if value != basic[path] and path not in worded_fields():
            raise ValueError(f"{path}={write_value(value)} has no words yet, so no page of these rules would be true")


@cache
def worded_fields() -> frozenset[str]:
    """The fields that have words: each is named in a comment beside its sentence, in the modules of this package."""
    comments = " ".join(
        comment for file in Path(__file__).parent.glob("*.py") for comment in _COMMENT.findall(file.read_text("utf-8"))
    )
    return frozenset(path for path in field_types() if re.search(rf"\b{re.escape(path)}\b", comments))


def rule_sections(rules: Rules) -> dict[str, list[str]]:
    """The sections made from the fields alone."""
    deck = derived.build_deck(rules)
    return {
        "Pack and deal": pack_lines(rules, deck),
        "Pass": pass_lines(rules),
        "Before play": announcement_lines(rules, deck),
        "Play": play_lines(rules, deck),
        "Scoring": scoring_lines(rules, deck),
        "Shooting the moon": moon_lines(rules, deck),
        "End of the match": end_lines(rules),
    }


def _players(rules: Rules, others: Iterable[int]) -> list[str]:
    possible = sorted((rules.players, *others))
    if len(possible) == 1:
        lines = [f"{rules.players} players."]  # table.players
    else:
        runs = len(possible) > 2 and possible[-1] - possible[0] == len(possible) - 1
        numbers = f"{possible[0]} to {possible[-1]}" if runs else listing(map(str, possible), "or")
        lines = [f"{rules.players} players. The game is for {numbers}."]
    if rules.table.teams:  # table.teams
        members = [team.split("+") for team in rules.table.teams]
        teams = (f"seat{'s' * (len(seats) > 1)} {listing(seats)}" for seats in members)
        lines.append(f"Partners: {' against '.join(teams)}.")
    return lines


def _with_other_numbers(rules: Rules) -> dict[int, Rules]:
    """The same game with every other number of players for which it is possible."""
    found = {}
    for players in rules.variant.players:
        if players != rules.players:
            try:
                found[players] = rules.replace(players=players)
            except ValueError:  # the fields that were changed do not fit that number
                continue
    return found


def _other_numbers(here: Mapping[str, list[str]], others: Mapping[int, Rules]) -> list[str]:
    """For each other number of players the lines that differ from those here."""
    known, lines = set(chain.from_iterable(here.values())), []
    for players, rules in others.items():
        there = chain.from_iterable(rule_sections(rules).values())
        lines.append(f"{players} players: {' '.join(line for line in there if line not in known)}")
    return lines


def _item(line: str) -> str:
    return "\n".join(_wrapped(line, "- "))


def _wrapped(line: str, mark: str = "") -> list[str]:
    """A line in rows. A value that is too long for a row is broken after commas, so that it can be pasted back."""
    indent = " " * len(mark)
    words = (word if len(indent + word) <= WIDTH else word.replace(",", ", ") for word in line.split(" "))
    return textwrap.wrap(
        " ".join(words),
        WIDTH,
        initial_indent=mark,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _differences(rules: Rules) -> list[str]:
    basic = BLACK_LADY.standard(rules.players)
    return [
        f"{path} = {write_value(value)}, not {write_value(basic[path])}"
        for path, value in rules.flat().items()
        if value != basic[path]
    ]
