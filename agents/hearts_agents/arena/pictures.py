"""The results of an arena as a picture: margins, agent against agent, and moons."""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hearts_agents.arena.report import pair_cells, title_of
from hearts_agents.arena.results import ArenaResult, labels_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Share = tuple[float, float | None]
"""A share, and its standard error."""
MOST = 60
"""The characters of a name in a picture."""


def draw_result(result: ArenaResult, form: str) -> bytes:
    """A picture of every agent's margin with its 95 % confidence interval, the best first, the moons that it shot and
    conceded, and, where more than two agents met in pairs, a map of their margins; `form` is ``png`` or ``svg``.
    """
    from matplotlib.figure import Figure

    data = result.to_dict()
    order = sorted(range(len(data["agents"])), key=lambda place: data["agents"][place]["margin"])
    names = [plain_text(labels_of(data["agents"])[place]) for place in order]
    agents, height = [data["agents"][place] for place in order], 1.4 + 0.5 * len(order)
    has_pairs = bool(pair_cells(data))
    figure = Figure(figsize=(12, height * (2 if has_pairs else 1)), layout="constrained")
    panels = figure.subplot_mosaic("AB;CC" if has_pairs else "AB")
    _draw_margins(panels["A"], names, agents)
    moons = {
        word: [(agent[f"moons_{word}"], agent[f"moons_{word}_se"]) for agent in agents] for word in ("shot", "conceded")
    }
    draw_shares(panels["B"], names, moons, "moons per deal")
    if has_pairs:
        _draw_pairs(panels["C"], names, order, data["pairs"])
    figure.suptitle(plain_text(title_of(data)), fontsize="medium")
    return written(figure, form)


def _draw_margins(axes: Axes, names: list[str], agents: list[dict[str, Any]]) -> None:
    margins = [agent["margin"] for agent in agents]
    spans = [math.nan if agent["margin_ci"] is None else agent["margin_ci"][1] - agent["margin"] for agent in agents]
    axes.errorbar(margins, range(len(names)), xerr=None if any(map(math.isnan, spans)) else spans, fmt="o", capsize=4)
    axes.axvline(0, color="grey", linewidth=0.8)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.margins(y=0.2)
    axes.set_xlabel("margin per deal with 95 % confidence interval (less is better)")


def _draw_pairs(axes: Axes, names: list[str], order: list[int], pairs: list[dict[str, Any]]) -> None:
    found = dict(zip(permutations(range(len(order)), 2), pairs, strict=True))
    margins = np.array([[found[a, b]["margin"] if a != b else np.nan for b in order] for a in order])
    draw_map(axes, names, margins)
    axes.set_yticks(range(len(names)), [f"{place} {name}" for place, name in enumerate(names, 1)])
    axes.set_xticks(range(len(names)), [f"against {place}" for place in range(1, len(names) + 1)])
    axes.set_title("margin, the row against the column", fontsize="medium")


def draw_map(axes: Axes, names: Sequence[str], margins: NDArray[np.float64]) -> None:
    """A map of the margins (n, n) of rows against columns, blue where the row is better; NaN is left out.

    Colours end at the margin that a fifth exceed, as random players would leave none to the others.
    """
    sizes = np.abs(margins[np.isfinite(margins)])
    most = float(np.quantile(sizes, 0.8)) or 1.0
    axes.imshow(margins, cmap="coolwarm", vmin=-most, vmax=most, aspect="auto")
    for (row, column), margin in np.ndenumerate(margins):
        if np.isfinite(margin):
            colour = "white" if abs(margin) > 0.7 * most else "black"
            axes.text(column, row, f"{margin:+.2f}", ha="center", va="center", fontsize="small", color=colour)
    axes.set_yticks(range(len(names)), names)
    axes.set_xticks(range(len(names)), names, rotation=25, ha="right")


def draw_shares(axes: Axes, names: Sequence[str], shares: Mapping[str, Sequence[Share]], label: str) -> None:
    """Bars in per cent with 95 % confidence intervals: a group for each name, a bar for each share of it."""
    width = 0.8 / len(shares)
    for place, (word, values) in enumerate(shares.items()):
        spans = [196 * (error or 0.0) for _, error in values]
        rows = [row + width * (place - (len(shares) - 1) / 2) for row in range(len(names))]
        axes.barh(rows, [100 * share for share, _ in values], width, xerr=spans, label=word)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_xlim(left=0)
    axes.set_xlabel(f"{label}, % with 95 % confidence interval")
    axes.legend()


def written(figure: Figure, form: str) -> bytes:
    """The bytes of a figure, the same every time."""
    from matplotlib import rc_context

    picture = io.BytesIO()
    with rc_context({"svg.hashsalt": "hearts"}):
        figure.savefig(picture, format=form, dpi=120, metadata={"Date": None} if form == "svg" else None)
    return picture.getvalue()


def plain_text(text: str) -> str:
    """Text that is short enough, and that matplotlib does not read as a formula."""
    return (text if len(text) <= MOST else f"{text[: MOST - 3]}...").replace("$", r"\$")
