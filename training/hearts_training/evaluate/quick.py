"""A quick measure of a policy while it trains: alone, or as one team, among players of one kind, as in the arena."""

from __future__ import annotations

from dataclasses import dataclass

from hearts_agents.arena.stats import Mean, mean_of
from hearts_agents.arena.tables import MEASURES, TimedAgent, units_of
from hearts_agents.base import Agent
from hearts_agents.registry import make_agent
from hearts_env.ruleset.enums import MoonMode
from hearts_env.ruleset.model import Rules
from hearts_training.evaluate.sides import Sides

RIVALS = ("random", "rule")
"""The opponents of a learning curve."""
_MARGIN, *_MOONS = (MEASURES.index(name) for name in ("margin", "attempted", "shot"))


@dataclass(frozen=True)
class Evaluation:
    """The result of a policy against opponents of one kind.

    Attributes:
        margin: own points minus the mean of the opponents, per deal; negative is better.
        attempted: share of the deals in which it attempted the moon, as the arena counts attempts; None where the rules
            have no moon.
        shot: share of the deals in which it shot the moon; None where the rules have no moon.
    """

    margin: Mean
    attempted: float | None
    shot: float | None


def evaluate(rules: Rules, agent: Agent, rival: str, tables: int = 2048) -> Evaluation:
    """Play about `tables` tables: always the same deals, each with the agent in every seat, or as every team, in turn.

    >>> import hearts_env as he
    >>> found = evaluate(he.rules("black_lady"), make_agent("rule"), "random", tables=256)
    >>> found.margin.value < -5, found.attempted < 0.05
    (True, True)
    """
    sides = Sides.of(rules)
    sides = sides._replace(chunk=max(2, tables // len(sides.lineups)))
    batch = sides.tables(TimedAgent(agent), make_agent(rival), 0)
    sums, own = batch.play(), batch.lineups == 0
    margins = (own * sums[_MARGIN]).sum(axis=1) / own.sum(axis=1) / units_of(sides.game)["margin"]
    margin = mean_of(margins.reshape(sides.chunk, -1).mean(axis=1))
    if rules.moon.mode is MoonMode.NONE:
        return Evaluation(margin, None, None)
    return Evaluation(margin, *(own * sums[_MOONS]).max(axis=2).mean(axis=1).tolist())
