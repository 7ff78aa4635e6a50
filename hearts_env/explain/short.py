"""A short page of rules for readers who know Hearts: only what differs from Black Lady for four, section by section."""

from __future__ import annotations

from functools import cache

from hearts_env.explain.page import check_words, rule_sections
from hearts_env.explain.words import listing
from hearts_env.ruleset.model import Rules
from hearts_env.variants.registry import rules as read_rules

KNOWN = "black_lady"
OPENING = (
    "Hearts for four as most people know it: 13 cards each; three are passed left, right, across, then none; the two "
    "of clubs leads; no heart and no queen of spades to the first trick if avoidable; hearts are led once broken; "
    "each heart costs 1, the queen of spades 13; whoever takes all 26 shoots the moon and chooses between 26 off for "
    "themselves and 26 on for each other player; lowest total wins when somebody reaches 100"
)
"""`KNOWN` in one sentence."""


def short_page(rules: Rules | str) -> str:
    """The rules in words for a reader who knows Hearts: a sentence on Hearts for four, then every difference from it.

    A section of the full page (`hearts_env.rules_page`) that differs is given whole (`instead`), or by the rules that
    are new and those that do not hold (`also`, `not`), whichever is shorter. No rule is left out. Cards are written
    rank then suit: QS, TC.

    >>> print(short_page("black_lady(end.target=50)").partition("except for this:")[2].strip())
    - End of the match, instead: The match ends when, after a deal, a total is 50 or more. The lowest total wins. Players who share the lowest total share the win.

    Raises:
        ValueError: the text names no rules; see `hearts_env.rules`.
    """  # noqa: E501 - a line of the page is not wrapped
    value = read_rules(rules)
    check_words(value)
    differences = [*_table(value)]
    for title, lines in rule_sections(value).items():
        differences += _difference(title, _known()[title], lines)
    if not differences:
        return f"# {value}\n\n{OPENING}.\n"
    return (
        "\n".join([f"# {value}", "", f"{OPENING}; except for this:", "", *(f"- {line}" for line in differences)]) + "\n"
    )


@cache
def _known() -> dict[str, list[str]]:
    return rule_sections(read_rules(KNOWN))


def _table(rules: Rules) -> list[str]:
    lines = [f"{rules.players} players."] if rules.players != read_rules(KNOWN).players else []  # table.players
    if rules.table.teams:  # table.teams
        teams = (f"seats {listing(team.split('+'))}" for team in rules.table.teams)
        lines.append(f"Partners: {' against '.join(teams)}.")
    return lines


def _difference(title: str, known: list[str], lines: list[str]) -> list[str]:
    """The lines of a section that differ from the known ones; empty if none does."""
    new, gone = [line for line in lines if line not in known], [line for line in known if line not in lines]
    if not new and not gone:
        return []
    if not lines:
        return [f"No {title[0].lower()}{title[1:]}."]
    whole = f"{title}, instead: {' '.join(lines)}"
    parts = [f"{title}, also: {' '.join(new)}"] * bool(new) + [f"{title}, not: {' '.join(gone)}"] * bool(gone)
    return [whole] if len(whole.split()) < len(" ".join(parts).split()) else parts
