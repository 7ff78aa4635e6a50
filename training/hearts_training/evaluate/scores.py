"""Scores over many rules: aggregates with intervals, differences of two entries, performance profiles.

The aggregate is the interquartile mean, profiles are shares of the rules above a score (Agarwal et al. 2021, Deep
Reinforcement Learning at the Edge of the Statistical Precipice, arXiv:2108.13264). Entries play the same rules, so
rules are drawn again as whole columns, and trainings as whole rows: intervals from cells drawn one by one are too
narrow. A rule that is drawn again brings the noise of its deals along, so deals are not drawn a second time within it,
which would count their noise twice (Davison and Hinkley 1997, Bootstrap Methods and their Application, section 3.8).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.stats import t, trim_mean

from hearts_agents.arena.pictures import written
from hearts_training.evaluate.benchmark import RuleScore
from hearts_training.evaluate.sides import Played

RESAMPLES = 2000
"""Of the bootstrap."""
LEVEL = 0.95
_COVERS = {
    "trainings": "It covers other trainings, of which there are {}.",
    "rules": "It covers other rules of the kind, of which there are {1}, and other deals.",
    "deals": "It covers other deals of this rule.",
}
Floats = NDArray[np.float64]
Statistic = Callable[[Floats], Floats]
"""(..., entries, rules) scores -> (...) a number of each table."""


def interquartile(values: Floats) -> Floats:
    """(..., entries, rules) scores -> (...) the mean of the middle half of each table.

    >>> interquartile(np.array([[0.0, 1.0, 2.0, 99.0]])).item()
    1.5
    """
    found: Floats = trim_mean(values.reshape(*values.shape[:-2], -1), 0.25, axis=-1)
    return found


def summarize(*entries: Sequence[RuleScore]) -> dict[str, Any]:
    """The aggregates over the rules that have a score.

    Args:
        *entries: scores under the same rules; several are trainings of one method.

    Returns:
        ``score``, the interquartile mean, with ``score_ci``, its 95% interval, and what that ``covers``;
        ``standard_errors`` from each source alone, where that of the rules has the noise of their deals in it;
        ``mean``; ``p20``, the 20th percentile, and ``p20_bias``, how far the noise of the deals moves it, estimated by
        adding as much noise again; ``above``, the share of rules in which the agent is ahead of the reference.

    Raises:
        ValueError: entries of different rules, or no rule has a score.
    """
    if len({tuple(one.digest for one in entry) for entry in entries}) > 1:
        raise ValueError("the entries are not of the same rules; name folders of one split")
    known = [place for place, one in enumerate(entries[0]) if one.score is not None]
    if not known:
        raise ValueError("rule is not clearly ahead of random under any of these rules, so there is no score")
    values, errors = (
        np.array([[getattr(entry[place], name) for place in known] for entry in entries], np.float64)
        for name in ("score", "error")
    )
    noisy = values + errors * np.random.default_rng(0).standard_normal((RESAMPLES, *values.shape))
    spreads = {"deals": float(interquartile(noisy).std())}
    if len(known) > 1:
        spreads["rules"] = spread(values, interquartile, 1)
    if len(entries) > 1:
        spreads["trainings"] = spread(values, interquartile, 0)
    covered: list[str] = [name for name in ("trainings", "rules") if name in spreads]
    covered = covered or ["deals"]
    p20 = float(np.quantile(values, 0.2))
    score = float(interquartile(values))
    return {
        "score": score,
        "score_ci": interval(score, {name: spreads[name] for name in covered}, values.shape),
        "covers": " ".join(_COVERS[name].format(*values.shape) for name in covered),
        "standard_errors": spreads,
        "mean": float(values.mean()),
        "p20": p20,
        "p20_bias": float(np.quantile(noisy, 0.2, axis=(1, 2)).mean()) - p20,
        "above": float((values > 1).mean()),
    }


def spread(values: Floats, statistic: Statistic, axis: int) -> float:
    """The standard error of a statistic of (entries, rules) by a bootstrap that draws whole entries (axis 0) or whole
    rules (axis 1), corrected for the number of them.
    """
    size = values.shape[axis]
    places = np.random.default_rng(0).integers(0, size, (RESAMPLES, size))
    drawn = np.moveaxis(np.take(values, places, axis), axis, 0)
    return float(statistic(drawn).std()) * math.sqrt(size / max(size - 1, 1))


def interval(value: float, spreads: Mapping[str, float], shape: tuple[int, ...]) -> list[float]:
    """A 95% interval around a statistic of (entries, rules): Student's t for each source, added in quadrature."""
    sizes = {"trainings": shape[0], "rules": shape[1], "deals": math.inf}
    half = math.hypot(*(t.ppf((1 + LEVEL) / 2, sizes[name] - 1) * error for name, error in spreads.items()))
    return [value - half, value + half]


def compare(one: Sequence[tuple[RuleScore, Played]], other: Sequence[tuple[RuleScore, Played]]) -> dict[str, Any]:
    """The difference of two entries, the first minus the second, paired deal by deal.

    Args:
        one: the score under every rule and what was played.
        other: the same of the second; of each rule the deals that both have played count.

    Returns:
        ``difference`` of the interquartile means with ``difference_ci`` over rules and deals, of a single rule over
        deals; ``mean`` of the differences with ``mean_ci``, and ``mean_se``, its standard error over deals alone, for
        these rules; ``above``, the share of rules in which the first is ahead; ``rules``: of each the ``difference``
        and its ``error``.

    Raises:
        ValueError: entries of different rules.
    """
    if [score.digest for score, _ in one] != [score.digest for score, _ in other]:
        raise ValueError("the two entries are not of the same rules; name folders of one split")
    rules: list[dict[str, Any]] = []
    values: list[list[float]] = []
    for (score, first), (_, second) in zip(one, other, strict=True):
        if score.score is not None:
            deals = min(len(first.margins), len(second.margins))
            paired = [-played.margins[:deals].mean(axis=1) / score.random for played in (first, second)]
            difference = paired[0] - paired[1]
            error = float(difference.std(ddof=1)) / math.sqrt(deals)
            rules.append({"digest": score.digest, "difference": float(difference.mean()), "error": error})
            values.append([float(1 + half.mean()) for half in paired])
    table = np.array(values).T

    def between(scores: Floats) -> Floats:
        return interquartile(scores[..., :1, :]) - interquartile(scores[..., 1:, :])

    def mean(scores: Floats) -> Floats:
        found: Floats = (scores[..., 0, :] - scores[..., 1, :]).mean(axis=-1)
        return found

    mean_se = math.hypot(*(rule["error"] for rule in rules)) / len(rules)
    found: dict[str, Any] = {"mean_se": mean_se}
    for name, statistic in (("difference", between), ("mean", mean)):
        found[name] = float(statistic(table))
        spreads = {"rules": spread(table, statistic, 1)} if len(rules) > 1 else {"deals": mean_se}
        found[f"{name}_ci"] = interval(found[name], spreads, table.shape)
    return found | {"above": float((table[0] > table[1]).mean()), "rules": rules}


def draw_profiles(entries: Mapping[str, Sequence[Sequence[RuleScore]]], form: str = "png") -> bytes:
    """A picture of performance profiles: the share of the rules with more than a score, for every score.

    Args:
        entries: name -> scores, of several trainings or of one; the band has two standard errors over rules.
        form: ``png`` or ``svg``.
    """
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.subplots()
    for name, trainings in entries.items():
        rows = [[score.score for score in one if score.score is not None] for one in trainings]
        line = axes.ecdf(np.ravel(rows), complementary=True, label=name)
        scores, share = np.asarray(line.get_xdata(), float), np.asarray(line.get_ydata(), float)
        error = 2 * np.sqrt(share * (1 - share) / len(rows[0]))
        axes.fill_between(scores, share - error, share + error, step="pre", color=line.get_color(), alpha=0.2, lw=0)
    axes.axvline(0, color="gray", linestyle=":")
    axes.axvline(1, color="gray", linestyle="--")
    axes.set(xlabel="score (random 0, the reference 1)", ylabel="share of the rules above it", ylim=(0, 1))
    axes.legend()
    return written(figure, form)
