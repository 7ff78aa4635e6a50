"""The plot of the learning curve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from hearts_agents.arena.pictures import written

Columns = dict[str, NDArray[np.float64]]


def draw_curve(points: Sequence[dict[str, Any]], title: str, imitated: int = 0) -> bytes:
    """A PNG with the margin against each opponent, a band of two standard errors, and the entropy, over deals.

    Where the rules have a moon, a further panel has the shares of the deals in which it was attempted and shot; where
    many games were trained on, another one has the score over rules never seen. A line marks where imitation, of the
    first `imitated` deals, ended.

    >>> point = {"deals": 0, "margins": {"rule": 8.5}, "errors": {"rule": 0.1}, "entropy": None}
    >>> point |= {"attempted": 0.2, "shot": 0.0, "unseen": None}
    >>> draw_curve([point, point | {"deals": 100, "entropy": 1.2}], "black_lady")[1:4]
    b'PNG'
    """
    names = ("deals", "entropy", "attempted", "shot")
    columns = {name: np.array([point[name] for point in points], float) for name in names}
    scores = np.array([point["unseen"] or (np.nan, np.nan) for point in points], float)
    with_moon, with_scores = not np.isnan(columns["shot"]).all(), not np.isnan(scores).all()
    more = int(with_moon) + int(with_scores)
    figure = Figure(figsize=(8, 5 + 2.5 * more), layout="constrained")
    panels = figure.subplots(1 + more, sharex=True, squeeze=False, height_ratios=[2] + [1] * more)[:, 0]
    _draw_margins(panels[0], points, columns)
    if with_moon:
        _draw_moons(panels[1], columns)
    if with_scores:
        _draw_scores(panels[-1], columns["deals"], *scores.T)
    if imitated:
        for panel in panels:
            panel.axvline(imitated, color="gray", linestyle=":", label="imitation ends")
    panels[0].legend()
    panels[0].set_title(title)
    panels[-1].set_xlabel("deals")
    return written(figure, "png")


def _draw_margins(axes: Axes, points: Sequence[dict[str, Any]], columns: Columns) -> None:
    deals = columns["deals"]
    for rival, color in zip(points[0]["margins"], ("tab:blue", "tab:red", "tab:brown"), strict=False):
        margin, error = (np.array([point[name][rival] for point in points]) for name in ("margins", "errors"))
        axes.fill_between(deals, margin - 2 * error, margin + 2 * error, color=color, alpha=0.2, linewidth=0)
        axes.plot(deals, margin, color=color, marker=".", label=f"one seat against {rival}")
    axes.axhline(0, color="gray", linewidth=0.8)
    axes.set_ylabel("own points minus the others' mean, per deal (lower is better)")
    other = axes.twinx()
    other.plot(deals, columns["entropy"], color="tab:orange", linewidth=1)
    other.set_ylabel("entropy of the policy (nats)", color="tab:orange")


def _draw_moons(axes: Axes, columns: Columns) -> None:
    for name, color in (("attempted", "tab:purple"), ("shot", "tab:green")):
        axes.plot(columns["deals"], 100 * columns[name], color=color, marker=".", label=f"moons {name}")
    axes.set_ylim(bottom=0)
    axes.set_ylabel("% of the deals")
    axes.legend()


def _draw_scores(
    axes: Axes, deals: NDArray[np.float64], score: NDArray[np.float64], error: NDArray[np.float64]
) -> None:
    axes.fill_between(deals, score - 2 * error, score + 2 * error, color="tab:cyan", alpha=0.3, linewidth=0)
    axes.plot(deals, score, color="tab:cyan", marker=".")
    axes.axhline(1, color="gray", linewidth=0.8)
    axes.set_ylabel("score over rules\nnever seen (1: rule)")
