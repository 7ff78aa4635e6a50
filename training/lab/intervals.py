"""How often the intervals of the benchmark cover the truth: `python training/lab/intervals.py [AGENT]`.

An agent plays many deals among `rule`, and the benchmark's summary is made of 200 parts of them. The interval over
deals must cover the mean of all parts: the same 16 rules of C, disjoint deals. The interval over rules and deals must
cover the score over all 128 rules of C: 32 of them are drawn for each part, and 25 of their deals.
"""

from __future__ import annotations

import numpy as np
import tyro
from numpy.typing import NDArray

import hearts_env as he
from hearts_agents.arena.tables import TimedAgent
from hearts_agents.registry import make_agent
from hearts_env.benchmark.splits import SplitRule, split
from hearts_training.evaluate.benchmark import score_rule
from hearts_training.evaluate.scores import summarize
from hearts_training.evaluate.sides import Played, Sides

PARTS, DEALS = 200, 25


def play(line: SplitRule, agent: str, chunks: int) -> list[Played]:
    """What an agent does under a rule, in parts of `DEALS` deals."""
    sides, player, rule = Sides.of(he.rules(line.rules)), TimedAgent(make_agent(agent)), make_agent("rule")
    played = sides.play(player, rule, 0)
    for chunk in range(1, chunks):
        played = played.and_then(sides.play(player, rule, chunk))
    pieces = [np.split(column, len(column) // DEALS) for column in played]
    return [Played(*piece) for piece in zip(*pieces, strict=True)]


def over_deals(agent: str) -> float:
    """The share of the intervals over deals that cover the mean of all parts."""
    lines = split("C:16")
    played = [play(line, agent, PARTS * DEALS // 250) for line in lines]
    found = [
        summarize([score_rule(line, one[part]) for line, one in zip(lines, played, strict=True)])
        for part in range(PARTS)
    ]
    scores = np.array([one["score"] for one in found])
    errors = np.array([one["standard_errors"]["deals"] for one in found])
    return covered(scores - 1.96 * errors, scores + 1.96 * errors, float(scores.mean()))


def over_rules(agent: str) -> float:
    """The share of the intervals over rules and deals that cover the score over all rules."""
    lines, random = split("C"), np.random.default_rng(0)
    scores = [[score_rule(line, part) for part in play(line, agent, 1)] for line in lines]
    drawn = [
        [(rule, random.integers(len(scores[rule]))) for rule in random.integers(len(lines), size=32)]
        for _ in range(PARTS)
    ]
    ends = np.array([summarize([scores[rule][part] for rule, part in one])["score_ci"] for one in drawn])
    truth = np.mean([summarize([one[part] for one in scores])["score"] for part in range(len(scores[0]))])
    return covered(ends[:, 0], ends[:, 1], float(truth))


def covered(low: NDArray[np.float64], high: NDArray[np.float64], truth: float) -> float:
    """The share of intervals that hold a number."""
    return float(((low <= truth) & (truth <= high)).mean())


def main(agent: tyro.conf.Positional[str] = "guard") -> None:
    """Print how many of the intervals cover the truth.

    Args:
        agent: who plays among `rule`.
    """
    shares = over_deals(agent), over_rules(agent)
    print(f"{agent}: over deals {shares[0]:.1%}, over rules and deals {shares[1]:.1%} of {PARTS} intervals")


if __name__ == "__main__":
    tyro.cli(main)
