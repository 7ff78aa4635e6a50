"""The plot of the learning curve."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure


def draw_curve(points: Sequence[dict[str, Any]], title: str) -> bytes:
    """A PNG with the margin against random players, a band of two standard errors, and the entropy, over deals."""
    deals, margin, error, entropy = (
        np.array([point[name] for point in points], float) for name in ("deals", "margin", "error", "entropy")
    )
    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.subplots()
    axes.fill_between(deals, margin - 2 * error, margin + 2 * error, color="tab:blue", alpha=0.2, linewidth=0)
    axes.plot(deals, margin, color="tab:blue", marker=".")
    axes.axhline(0, color="gray", linewidth=0.8)
    axes.set(title=title, xlabel="deals", ylabel="own points minus the others' mean, per deal (lower is better)")
    other = axes.twinx()
    other.plot(deals, entropy, color="tab:orange", linewidth=1)
    other.set_ylabel("entropy of the policy (nats)", color="tab:orange")
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=120)
    return picture.getvalue()
