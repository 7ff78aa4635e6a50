"""Forms of the results of an arena for reading: Markdown and CSV.

Functions that take a dict take the published form, `ArenaResult.to_dict`.
"""

from __future__ import annotations

import csv
import io
from itertools import permutations
from typing import Any

from hearts_agents.arena.results import ArenaResult, cells_of, labels_of
from hearts_agents.base import COST

PAIR_TITLES = {
    "margin": "Margin: own points minus the mean of the others",
    "won": "Matches won",
    "shot": "Moons shot",
}
"""Heading of a column that is tabulated by pairs -> title of the table."""


def to_markdown(result: ArenaResult) -> str:
    """The table of agents, and the tables of pairs if more than two agents met in pairs."""
    data = result.to_dict()
    lines = [f"{title_of(data)}. Points and margin per deal ± standard error; less is better.", ""]
    lines += _markdown_table(*result.to_table())
    for line in agent_lines(data["agents"]):
        lines += ["", line]
    for head, cells in pair_cells(data).items():
        lines += ["", f"{PAIR_TITLES[head]}, the agent of the row against that of the column:", ""]
        lines += _markdown_table(["agent", *cells], [[name, *row] for name, row in cells.items()])
    return "\n".join(lines) + "\n"


def title_of(result: dict[str, Any]) -> str:
    """One line that describes what was played."""
    many = f"{result['deals']:,} deals"
    if result["matches"] is not None:
        many = f"{result['matches']:,} matches of {result['deals_per_match']:.1f} deals"
    return f"{result['variant']}: {many}, {result['seatings']}, seed {result['seed']}"


def agent_lines(agents: list[dict[str, Any]]) -> list[str]:
    """A line for the spec of every program that gave itself a name, every network that was trained on other rules, what
    each agent spent, and every agent with substituted decisions.
    """
    named = [*zip(labels_of(agents), agents, strict=True)]
    called = [f"{label} is {agent['name']}" for label, agent in named if agent["called"]]
    trained = [f"{label} was trained on {agent['trained_on']}" for label, agent in named if agent["trained_on"]]
    used = [f"{label} used {_spent(agent['usage'])}" for label, agent in named if agent["usage"]]
    return (
        called
        + trained
        + used
        + [
            f"{label}: {sum(agent['faults'].values()):,} of {agent['decisions']:,} decisions were substituted: "
            f"{_reasons(agent['faults'])}"
            for label, agent in named
            if agent["faults"]
        ]
    )


def _spent(usage: dict[str, int]) -> str:
    counts = {name: count for name, count in usage.items() if name != COST}
    return _reasons(counts) + (f", cost {usage[COST] / 10**6:,.4f}" if COST in usage else "")


def _reasons(faults: dict[str, int]) -> str:
    return ", ".join(f"{reason} {count:,}" for reason, count in faults.items())


def pair_cells(result: dict[str, Any]) -> dict[str, dict[str, list[str]]]:
    """The tables of pairs: margins, the matches won if whole matches were played, and the moons if there were any.

    Args:
        result: the published form.

    Returns:
        Key of `PAIR_TITLES` -> label of an agent -> its text against every agent, in the same order. Empty unless each
        of more than two agents met each other one.
    """
    pairs, agents = result["pairs"], len(result["agents"])
    if agents < 3 or len(pairs) != agents * (agents - 1) or len({pair["rival"] for pair in pairs}) < 2:
        return {}  # the table of agents has the same numbers
    found = dict(zip(permutations(range(agents), 2), map(cells_of, pairs), strict=True))
    names = labels_of(result["agents"])
    measured = {head for cells in found.values() for head in cells}
    if not any(pair["moons_shot"] for pair in pairs):
        measured.remove("shot")
    return {
        head: {
            name: [found.get((agent, rival), {}).get(head, "") for rival in range(agents)]
            for agent, name in enumerate(names)
        }
        for head in PAIR_TITLES
        if head in measured
    }


def _markdown_table(headings: list[str], rows: list[list[str]]) -> list[str]:
    cells = [headings, ["---", *["---:"] * (len(headings) - 1)], *rows]
    return [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in cells]


def to_csv(result: ArenaResult) -> str:
    """One row per agent with unrounded numbers; cells of what was not measured are empty."""
    head = {"variant": result.variant, "deals": result.deals, "matches": result.matches, "seed": result.seed}
    rows = [head | {"seatings": result.seatings} | _flat(agent) for agent in result.to_dict()["agents"]]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _flat(agent: dict[str, Any]) -> dict[str, Any]:
    """An interval ``x_ci`` becomes ``x_low`` and ``x_high``; faults and usage become text."""
    found: dict[str, Any] = {}
    for key, value in agent.items():
        if key in ("faults", "usage"):
            found[key] = _reasons(value)
        elif key.endswith("_ci"):
            low, high = value or (None, None)
            found |= {f"{key[:-3]}_low": low, f"{key[:-3]}_high": high}
        else:
            found[key] = value
    return found
