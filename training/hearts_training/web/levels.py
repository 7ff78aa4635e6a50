"""Opponents in words that a card player knows, and games by kind."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Any

from hearts_agents.weights import strongest_agent
from hearts_env.ruleset.model import Rules, Variant
from hearts_env.variants.known import KNOWN
from hearts_env.variants.registry import VARIANTS
from hearts_env.variants.registry import rules as read_rules

EASY = "rule(height=0, pass_height=0, duck=0)"
"""Knows the rules and what cards cost, but not that high cards win tricks, nor that others stay below them."""
NORMAL = "rule"
SEARCH = "pimc(worlds=64)"
"""The agent that gives hints and analyses records."""


@dataclass(frozen=True)
class Level:
    """An opponent to choose: its name, a line about it, and the spec of its agent."""

    name: str
    line: str
    spec: str


@lru_cache(maxsize=256)
def levels(rules: Rules) -> tuple[Level, ...]:
    """The opponents for some rules, the weakest first; the searcher, which takes its time, last.

    >>> import hearts_env as he
    >>> [(level.name, level.spec) for level in levels(he.rules("black_lady"))][1:3]
    [('Solid', 'rule'), ('Strong', 'net:black_lady')]
    """
    return (
        Level("Beginner", "knows the rules, not which cards win tricks", EASY),
        Level("Solid", "plays by sound rules of thumb", NORMAL),
        Level("Strong", "learned from many deals against itself", strongest_agent(rules)),
        Level("Searcher", "plays out imagined deals before each card", strongest_agent(rules, search=True)),
    )


def plain_name(spec: str, rules: Rules) -> str:
    """The name of an agent for players: that of its level, or its spec if it is none of the levels.

    >>> import hearts_env as he
    >>> [plain_name(spec, he.rules("heartsette")) for spec in ("rule", "net:hearts", "random")]
    ['Solid', 'Strong', 'random']
    """
    return next((level.name for level in levels(rules) if level.spec == spec), spec)


KINDS = ("Classic", "Other scores", "Two packs", "Teams", "Short games")


def kind_of(variant: Variant) -> str:
    """The kind of a game, by what its rules change of Basic Hearts.

    >>> [kind_of(VARIANTS[name]) for name in ("greek_hearts", "gong_zhu", "incredu_hearts", "likha", "trio_hearts")]
    ['Classic', 'Other scores', 'Two packs', 'Teams', 'Short games']
    """
    rules = variant.build()
    if rules.table.teams:
        return "Teams"
    if rules.end.max_deals == 1:
        return "Short games"
    if rules.deck.packs > 1:
        return "Two packs"
    return "Classic" if rules.score == read_rules("black_lady").score else "Other scores"


def known_games() -> list[dict[str, Any]]:
    """The rules that people know from elsewhere and that can be typed, as the form of a new table takes them.

    >>> [(one["title"], one["variant"], one["options"]) for one in known_games()][0]
    ('Microsoft Hearts', 'black_lady', 'moon.mode=old')
    """
    found = []
    for known in KNOWN.values():
        if known.rules is not None:
            rules, options = read_rules(known.rules), known.rules.partition("(")[2].removesuffix(")")
            named = {"title": known.title, "variant": rules.variant.name, "players": rules.players}
            found.append(named | {"options": options.removeprefix(f"players={rules.players}").lstrip(", ")})
    return found


def games() -> list[dict[str, Any]]:
    """Every game, kind after kind, each with a line about it.

    >>> first = games()[0]
    >>> first["kind"], first["title"], first["line"][:38]
    ('Classic', 'Hearts (Black Lady)', 'Basic Hearts: each heart costs 1 point')
    """
    found = sorted(VARIANTS.values(), key=lambda variant: KINDS.index(kind_of(variant)))
    return [
        {
            "kind": kind,
            "name": variant.name,
            "title": variant.title,
            "line": variant.summary.split(". ")[0].rstrip(".") + ".",
            "players": variant.players,
            "default": variant.default_players,
            "summary": variant.summary,
        }
        for kind, group in groupby(found, kind_of)
        for variant in group
    ]
