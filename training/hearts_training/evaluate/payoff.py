"""The empirical game of a population of agents: its payoff matrix, an equilibrium, alpha-rank, ratings, and errors.

Entry (i, j) of the matrix is the margin of one agent i among copies of agent j. In the game of this matrix one player
picks the lone agent and the others share a pick: a symmetric equilibrium is a mixture x among whose copies, which draw
together, no agent has a smaller margin than x itself. `hearts exploit` and mixtures at tables play the same game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from hearts_agents.arena.pictures import draw_map, plain_text, written
from hearts_agents.arena.run import Execution, run_arena
from hearts_agents.base import Agent
from hearts_env.checks import whole
from hearts_env.ruleset.model import Rules

Matrix = NDArray[np.float64]
RESAMPLES = 300
"""Resamples of the deals by which intervals are estimated."""
NOISE = 0.01
"""Share of the steps of alpha-rank that go against selection, so that its distribution is unique."""
_PRIOR = 0.5  # deals won by either side before the first, so that Elo numbers are finite


def run_payoff(
    agents: Sequence[str | Agent],
    variant: str | Rules = "black_lady",
    deals: int = 1000,
    seed: int = 0,
    resamples: int = RESAMPLES,
    **execution: Unpack[Execution],
) -> dict[str, Any]:
    """Play every pair of agents in the same deals, and analyse the game of their margins.

    Args:
        agents: two or more agents or specs.
        variant: rules or their text.
        deals: deals, each played by every ordered pair with the first agent alone in every seat; 2 or more.
        seed: fixes deals, choices and resamples.
        resamples: resamples of the deals, all pairs together, 1 or more.
        **execution: as in `hearts_agents.arena.run.run_arena`.

    Returns:
        JSON values: ``variant``, ``deals``, ``seed``; ``margins`` and ``margins_se``, (n, n), points a deal, lower is
        better; ``mixture``, the equilibrium as a spec string, ``value``, its margin among its own copies, and
        ``value_ci``; of each of the ``agents`` ``name``, ``digest``, ``trained_on``, its shares ``nash`` and
        ``alpha_rank`` with 95% intervals ``nash_ci`` and ``alpha_rank_ci``, its margin ``among_nash``, ``elo``, and
        ``rating`` and ``rating_sigma`` (of openskill; None if it is not installed), ``moons_shot``,
        ``moons_conceded`` and ``ms_per_decision``, as in the arena.

    Raises:
        ValueError: as in `run_arena`, or fewer than two agents or deals.

    >>> found = run_payoff(["rule", "random"], "trio_hearts", deals=200, seed=1)
    >>> found["mixture"], found["margins"][0][1] < 0, found["agents"][0]["nash_ci"]
    ('1*rule', True, [1.0, 1.0])
    """
    n = len(agents)
    if n < 2:
        raise ValueError(f"a payoff matrix takes two agents or more, not {n}")
    if whole("deals", deals) < 2:
        raise ValueError(f"deals={deals} must be at least 2")
    result = run_arena(agents, variant, deals, seed, "round-robin", **execution)
    played, errors = np.zeros((result.units, n, n)), np.zeros((n, n))
    apart = ~np.eye(n, dtype=np.bool_)
    played[:, apart] = result.pair_margins.T
    errors[apart] = [pair.margin_se for pair in result.pairs]
    margins: Matrix = played.mean(axis=0)
    nash, ranks = symmetric_equilibrium(margins), alpha_rank(margins)
    rng, again = np.random.default_rng(seed), []
    for _ in range(whole("resamples", resamples, 1)):
        drawn = played[rng.integers(len(played), size=len(played))].mean(axis=0)
        mixed = symmetric_equilibrium(drawn)
        again.append([*mixed, *alpha_rank(drawn), mixed @ drawn @ mixed])
    low, high = np.quantile(again, [0.025, 0.975], axis=0).tolist()
    spans = [[*ends] for ends in zip(low, high, strict=True)]
    elo = elo_of(((played < 0) + 0.5 * (played == 0)).sum(axis=0) * apart)
    return {
        "variant": result.variant,
        "deals": result.deals,
        "seed": result.seed,
        "margins": margins.tolist(),
        "margins_se": errors.tolist(),
        "mixture": "; ".join(
            f"{share:.4g}*{one.name}" for share, one in zip(nash, result.agents, strict=True) if share > 0
        ),
        "value": float(nash @ margins @ nash),
        "value_ci": spans[-1],
        "agents": [
            {
                "name": one.name,
                "digest": one.digest,
                "trained_on": one.trained_on,
                "nash": float(nash[place]),
                "nash_ci": spans[place],
                "alpha_rank": float(ranks[place]),
                "alpha_rank_ci": spans[n + place],
                "among_nash": float(margins[place] @ nash),
                "elo": float(elo[place]),
                "rating": one.rating,
                **{
                    name: getattr(one, name)
                    for name in ("rating_sigma", "moons_shot", "moons_conceded", "ms_per_decision")
                },
            }
            for place, one in enumerate(result.agents)
        ],
    }


def symmetric_equilibrium(costs: Matrix) -> Matrix:
    """A mixture x (n,) with ``costs @ x >= x @ costs @ x`` in every row, by Lemke's algorithm.

    With costs above 0 it solves the linear complementarity problem z >= 0, costs @ z >= 1, z @ (costs @ z - 1) = 0,
    which the algorithm does for every such matrix (it is strictly copositive); x is z over its sum. There may be other
    equilibria.

    Source: Cottle, Pang and Stone, The Linear Complementarity Problem, algorithm 4.4.5 and theorem 4.4.12.

    >>> rock_paper_scissors = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]])
    >>> symmetric_equilibrium(rock_paper_scissors).round(3)
    array([0.333, 0.333, 0.333])
    """
    n = len(costs)
    cover = 1 + np.arange(n) / n
    table = np.column_stack([np.eye(n), costs.min() - 1 - costs, -cover, -np.ones(n)])
    basis, entering, row = [*range(n)], 2 * n, 0  # columns: slacks, z, the artificial variable, the right-hand side
    while True:
        table[row] /= table[row, entering]
        others = np.arange(n) != row
        table[others] -= np.outer(table[others, entering], table[row])
        leaving, basis[row] = basis[row], entering
        if leaving == 2 * n:
            break
        entering = (leaving + n) % (2 * n)
        column = table[:, entering]
        row = min(
            np.flatnonzero(column > 1e-10).tolist(),
            key=lambda one: (table[one, [-1, *range(n)]] / column[one]).tolist(),
        )  # the lexicographic rule, which cannot cycle
    z = np.zeros(2 * n)
    z[basis] = np.maximum(table[:, -1], 0)
    found: Matrix = z[n:] / z[n:].sum()
    return found


def alpha_rank(costs: Matrix, noise: float = NOISE) -> Matrix:
    """The share of time (n,) that a population spends with each strategy, in the limit of strong selection.

    A mutant, each equally likely, takes over a population if it costs less among it than the reverse.

    Source: Omidshafiei et al., alpha-Rank: Multi-Agent Evaluation by Evolution, Scientific Reports 9, 2019; a single
    population with `noise` in place of a finite alpha.

    >>> alpha_rank(np.array([[0, -1], [1, 0]])).round(3)
    array([0.99, 0.01])
    """
    n = len(costs)
    takes_over = np.where(costs == costs.T, 0.5, np.where(costs > costs.T, 1 - noise, noise))
    steps = takes_over / (n - 1) * ~np.eye(n, dtype=np.bool_)
    steps += np.diag(1 - steps.sum(axis=1))
    balance = np.vstack([(steps.T - np.eye(n))[1:], np.ones(n)])
    found: Matrix = np.linalg.solve(balance, np.eye(n)[-1])
    return found


def elo_of(won: Matrix) -> Matrix:
    """Elo numbers (n,) with mean 0 from wins (n, n) of rows over columns, by maximum likelihood.

    Source: Hunter, MM Algorithms for Generalized Bradley-Terry Models, Annals of Statistics 32, 2004.

    >>> elo_of(np.array([[0, 100], [10, 0]])).round()
    array([ 196., -196.])
    """
    won = won + _PRIOR * ~np.eye(len(won), dtype=np.bool_)
    strength, met = np.ones(len(won)), won + won.T
    for _ in range(1000):
        strength = won.sum(axis=1) / (met / (strength[:, None] + strength)).sum(axis=1)
        strength /= np.exp(np.log(strength).mean())
    found: Matrix = 400 * np.log10(strength)
    return found


def draw_payoff(found: dict[str, Any], form: str) -> bytes:
    """A picture of what `run_payoff` returned: the margins, and the shares; `form` is ``png`` or ``svg``."""
    from matplotlib.figure import Figure

    names = [plain_text(agent["name"]) for agent in found["agents"]]
    n, margins = len(names), np.array(found["margins"])
    np.fill_diagonal(margins, np.nan)
    figure = Figure(figsize=(5 + n, 2 + 0.6 * n), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=[2, 1])
    draw_map(left, names, margins)
    left.set_title("margin of the row among copies of the column")
    for shift, key in ((-0.2, "nash"), (0.2, "alpha_rank")):
        shares = np.array([agent[key] for agent in found["agents"]])
        ends = np.array([agent[f"{key}_ci"] for agent in found["agents"]]).T
        widths = np.maximum([shares - ends[0], ends[1] - shares], 0)
        right.barh(np.arange(n) + shift, shares, 0.4, xerr=widths, label=key)
    right.set(xlim=(0, 1.05), title="shares")
    right.legend()
    return written(figure, form)
