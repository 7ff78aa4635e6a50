"""A result of the arena in words, as Markdown, as CSV and as a picture; JSON is `ArenaResult.to_json`.

Functions that take a dict take the published form, `ArenaResult.to_dict`.
"""

from __future__ import annotations

import csv
import io
import math
from typing import Any

from hearts_agents.arena.results import ArenaResult


def to_markdown(result: ArenaResult) -> str:
    """The table of agents, and that of pairs where more than two agents met in pairs."""
    data = result.to_dict()
    lines = [f"{title_of(data)}. Points and margin per deal ± standard error; less is better.", ""]
    rows = [score_cells(agent) | other_cells(agent) for agent in data["agents"]]
    names = [agent["name"] for agent in data["agents"]]
    lines += _markdown_table(
        ["agent", *rows[0]], [[name, *row.values()] for name, row in zip(names, rows, strict=True)]
    )
    for line in fault_lines(data["agents"]):
        lines += ["", line]
    pairs = pair_cells(data["pairs"])
    if pairs:
        lines += ["", "Margin of the agent of the row against that of the column:", ""]
        lines += _markdown_table(["agent", *pairs], [[name, *row] for name, row in pairs.items()])
    return "\n".join(lines) + "\n"


def title_of(result: dict[str, Any]) -> str:
    """What was played, in one line."""
    many = f"{result['deals']:,} deals"
    if result["matches"] is not None:
        many = f"{result['matches']:,} matches of {result['deals_per_match']:.1f} deals"
    return f"{result['variant']}: {many}, {result['seatings']}, seed {result['seed']}"


def score_cells(agent: dict[str, Any]) -> dict[str, str]:
    """Heading -> text of how well an agent did; what was not measured is left out."""
    cells = {
        "points": f"{agent['points']:.2f} ± {_error(agent['points_se'])}",
        "margin": f"{agent['margin']:+.2f} ± {_error(agent['margin_se'])}",
    }
    if agent["margin_adjusted"] is not None:
        cells["adjusted"] = f"{agent['margin_adjusted']:+.2f} ± {_error(agent['margin_adjusted_se'])}"
        cells["removed"] = f"{agent['variance_removed']:.0%}"
    if agent["won"] is not None:
        cells["won"] = f"{agent['won']:.1%}"
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


def fault_lines(agents: list[dict[str, Any]]) -> list[str]:
    """A line for every agent in whose place decisions were taken: how many, and why."""
    return [
        f"{agent['name']}: {sum(agent['faults'].values()):,} of {agent['decisions']:,} decisions were substituted: "
        f"{_reasons(agent['faults'])}"
        for agent in agents
        if agent["faults"]
    ]


def _reasons(faults: dict[str, int]) -> str:
    return ", ".join(f"{reason} {count:,}" for reason, count in faults.items())


def pair_cells(pairs: list[dict[str, Any]]) -> dict[str, list[str]]:
    """Agent -> its margin against every agent, in the same order; empty where no more than two met in pairs."""
    names = list(dict.fromkeys(pair["name"] for pair in pairs))
    rivals = {pair["rival"] for pair in pairs}
    if len(names) < 3 or len(rivals) < 2:  # one opponent each: the table of agents says it all
        return {}
    found = {(p["name"], p["rival"]): f"{p['margin']:+.2f} ± {_error(p['margin_se'])}" for p in pairs}
    return {name: [found.get((name, rival), "") for rival in names] for name in names}


def _error(value: float | None) -> str:
    return "?" if value is None or math.isnan(value) else f"{value:.2f}"


def _markdown_table(headings: list[str], rows: list[list[str]]) -> list[str]:
    cells = [headings, ["---", *["---:"] * (len(headings) - 1)], *rows]
    return [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in cells]


def to_csv(result: ArenaResult) -> str:
    """One row per agent, numbers in full; empty for what was not measured."""
    head = {"variant": result.variant, "deals": result.deals, "matches": result.matches, "seed": result.seed}
    rows = [head | {"seatings": result.seatings} | _flat(agent) for agent in result.to_dict()["agents"]]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _flat(agent: dict[str, Any]) -> dict[str, Any]:
    """An interval ``x_ci`` becomes ``x_low`` and ``x_high``, faults become text."""
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
    """A picture, ``png`` or ``svg``: the margin of every agent with its 95 % confidence interval."""
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
    with rc_context({"svg.hashsalt": "hearts"}):  # the same result gives the same file
        figure.savefig(picture, format=form, dpi=150, metadata={"Date": None} if form == "svg" else None)
    return picture.getvalue()


def _plain_text(text: str) -> str:
    """Text that matplotlib does not read as a formula, and that leaves room for the picture."""
    return (text if len(text) <= 60 else f"{text[:57]}...").replace("$", r"\$")
