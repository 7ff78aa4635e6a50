"""Forms of the results of an arena for reading: Markdown, CSV and a picture.

Functions that take a dict take the published form, `ArenaResult.to_dict`.
"""

from __future__ import annotations

import csv
import io
import math
from typing import Any

from hearts_agents.arena.results import ArenaResult

PAIR_TITLES = {
    "margin": "Margin: own points minus the mean of the others",
    "won": "Matches won",
    "shot": "Moons shot",
}
"""What is shown of pairs -> its title."""


def to_markdown(result: ArenaResult) -> str:
    """The table of agents, and the tables of pairs if more than two agents met in pairs."""
    data = result.to_dict()
    lines = [f"{title_of(data)}. Points and margin per deal ± standard error; less is better.", ""]
    rows = [score_cells(agent) | other_cells(agent) for agent in data["agents"]]
    names = [agent["name"] for agent in data["agents"]]
    lines += _markdown_table(
        ["agent", *rows[0]], [[name, *row.values()] for name, row in zip(names, rows, strict=True)]
    )
    for line in agent_lines(data["agents"]):
        lines += ["", line]
    for measure, cells in pair_cells(data["pairs"]).items():
        lines += ["", f"{PAIR_TITLES[measure]}, the agent of the row against that of the column:", ""]
        lines += _markdown_table(["agent", *cells], [[name, *row] for name, row in cells.items()])
    return "\n".join(lines) + "\n"


def title_of(result: dict[str, Any]) -> str:
    """One line that describes what was played."""
    many = f"{result['deals']:,} deals"
    if result["matches"] is not None:
        many = f"{result['matches']:,} matches of {result['deals_per_match']:.1f} deals"
    return f"{result['variant']}: {many}, {result['seatings']}, seed {result['seed']}"


def score_cells(agent: dict[str, Any]) -> dict[str, str]:
    """Heading -> text of the points, margin and wins of an agent or a pair; what was not measured is left out."""
    cells = {
        "points": f"{agent['points']:.2f} ± {_error(agent['points_se'])}",
        "margin": f"{agent['margin']:+.2f} ± {_error(agent['margin_se'])}",
    }
    if agent.get("margin_adjusted") is not None:
        cells["adjusted"] = f"{agent['margin_adjusted']:+.2f} ± {_error(agent['margin_adjusted_se'])}"
        cells["removed"] = f"{agent['variance_removed']:.0%}"
    if agent["won"] is not None:
        cells["won"] = f"{agent['won']:.1%} ± {_error(agent['won_se'], '.1%')}"
    return cells


def other_cells(agent: dict[str, Any]) -> dict[str, str]:
    """Heading -> text of an agent's moons, queens, rating and time."""
    cells = {
        "shot": f"{agent['moons_shot']:.1%}",
        "attempted": f"{agent['moons_attempted']:.1%}",
        "conceded": f"{agent['moons_conceded']:.1%}",
        "queens": f"{agent['queens']:.2f}",
    }
    if agent["rating"] is not None:
        cells["rating"] = f"{agent['rating']:.1f}"
    return cells | {"ms/move": f"{agent['ms_per_decision']:.3f}"}


def agent_lines(agents: list[dict[str, Any]]) -> list[str]:
    """A line for every program that gave itself a name, and one for every agent with substituted decisions."""
    return [f"{agent['name']} calls itself {agent['called']}" for agent in agents if agent["called"]] + [
        f"{agent['name']}: {sum(agent['faults'].values()):,} of {agent['decisions']:,} decisions were substituted: "
        f"{_reasons(agent['faults'])}"
        for agent in agents
        if agent["faults"]
    ]


def _reasons(faults: dict[str, int]) -> str:
    return ", ".join(f"{reason} {count:,}" for reason, count in faults.items())


def pair_cells(pairs: list[dict[str, Any]]) -> dict[str, dict[str, list[str]]]:
    """Texts of the margins of pairs, the matches that they won if whole matches were played, and the moons, if any.

    Args:
        pairs: as `ArenaResult.to_dict` gives them.

    Returns:
        Key of `PAIR_TITLES` -> agent -> its text against every agent, in the same order. Empty unless more than two
        agents met in pairs.
    """
    names = list(dict.fromkeys(pair["name"] for pair in pairs))
    rivals = {pair["rival"] for pair in pairs}
    if len(names) < 3 or len(rivals) < 2:  # one opponent each: the table of agents has the same numbers
        return {}
    found = {(pair["name"], pair["rival"]): score_cells(pair) for pair in pairs}
    if any(pair["moons_shot"] for pair in pairs):
        for pair in pairs:
            found[pair["name"], pair["rival"]]["shot"] = f"{pair['moons_shot']:.1%}"
    measured = [measure for measure in PAIR_TITLES if all(measure in cells for cells in found.values())]
    return {
        measure: {name: [found.get((name, rival), {}).get(measure, "") for rival in names] for name in names}
        for measure in measured
    }


def _error(value: float | None, form: str = ".2f") -> str:
    return "?" if value is None or math.isnan(value) else format(value, form)


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
    """An interval ``x_ci`` becomes ``x_low`` and ``x_high``; faults become text."""
    found: dict[str, Any] = {}
    for key, value in agent.items():
        if key == "faults":
            found[key] = _reasons(value)
        elif key.endswith("_ci"):
            low, high = value or (None, None)
            found |= {f"{key[:-3]}_low": low, f"{key[:-3]}_high": high}
        else:
            found[key] = value
    return found


def draw_margins(result: ArenaResult, form: str) -> bytes:
    """A picture of every agent's margin with its 95 % confidence interval; `form` is ``png`` or ``svg``."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 1.4 + 0.5 * len(result.agents)), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    margins = [agent.margin for agent in result.agents]
    widths = [agent.margin_ci[1] - agent.margin for agent in result.agents]
    places = list(range(len(margins)))
    spans = None if any(map(math.isnan, widths)) else widths
    axes.errorbar(margins, places, xerr=spans, fmt="o", capsize=4)
    axes.axvline(0, color="grey", linewidth=0.8)
    axes.set_yticks(places, [_plain_text(agent.name) for agent in result.agents])
    axes.invert_yaxis()
    axes.margins(y=0.2)
    axes.set_xlabel("margin per deal with 95 % confidence interval (less is better)")
    axes.set_title(_plain_text(title_of(result.to_dict())), fontsize="medium")
    picture = io.BytesIO()
    with rc_context({"svg.hashsalt": "hearts"}):  # reproducible bytes
        figure.savefig(picture, format=form, dpi=150, metadata={"Date": None} if form == "svg" else None)
    return picture.getvalue()


def _plain_text(text: str) -> str:
    """Text that is short enough, and that matplotlib does not read as a formula."""
    return (text if len(text) <= 60 else f"{text[:57]}...").replace("$", r"\$")
