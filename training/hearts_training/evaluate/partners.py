"""Cross-play: how agents do as partners of one another, against one fixed pair of opponents."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_agents.arena.stats import mean_of
from hearts_agents.arena.tables import MEASURES, TableBatch, TimedAgent, deal_numbers, units_of
from hearts_agents.registry import make_agent
from hearts_env.benchmark.digest import rules_digest
from hearts_env.compiled.game import compile_game
from hearts_env.variants.registry import rules as read_rules
from hearts_training.evaluate.sides import CHUNK, begin_chunk


def cross_play(
    agents: Sequence[str],
    variant: str = "partnership_hearts",
    deals: int = 1000,
    opponents: str = "rule",
    progress: Callable[[float], object] = lambda _: None,
) -> dict[str, Any]:
    """Play every ordered pair of agents as partners, in the same deals, as each team in turn.

    Args:
        agents: their specs, two or more.
        variant: rules with teams of two.
        deals: how many, rounded up to whole chunks of 250.
        opponents: spec of the agent that holds all other seats.
        progress: called with the fraction that is done.

    Returns:
        JSON values: ``margins``, of each agent in a team's first seat with each in its second, points a deal, lower is
        better, and ``margins_se``; ``self_play``, the mean of the agents with themselves, ``cross_play``, with others,
        and ``loss``, by how much the second is worse, with ``loss_se``, paired deal by deal.

    Raises:
        ValueError: fewer than two agents, or rules without teams of two.

    >>> found = cross_play(["rule", "random"], deals=250)
    >>> found["margins"][0][0] < found["margins"][0][1] < found["margins"][1][1]
    True
    """
    rules = read_rules(variant)
    game, digest = compile_game(rules), rules_digest(rules)
    teams = np.array(game.teams)
    if len(agents) < 2:
        raise ValueError(f"cross-play takes two agents or more, not {len(agents)}")
    if set(np.bincount(teams)) != {2}:
        raise ValueError(f"cross-play takes a game with teams of two, not {rules}")
    pairs, sides = list(product(range(len(agents)), repeat=2)), int(teams.max()) + 1
    lineups = np.full((len(pairs), sides, game.seats), len(agents))
    for team in range(sides):
        lineups[:, team, teams == team] = pairs
    players = [TimedAgent(make_agent(spec)) for spec in (*agents, opponents)]
    found: list[NDArray[np.float64]] = []
    chunks = math.ceil(deals / CHUNK)
    for chunk in range(chunks):
        progress(chunk / chunks)
        numbers, seeds = begin_chunk(digest, players, chunk)
        dealt = deal_numbers(game, seeds, numbers % game.pass_cycle)
        rows = len(pairs) * sides
        seated = np.tile(lineups.reshape(rows, game.seats), (CHUNK, 1))
        tables = TableBatch(game, players, np.repeat(dealt, rows), seated, np.repeat(numbers, rows))
        own = (seated < len(agents)) * tables.play()[MEASURES.index("margin")]
        found.append(own.sum(axis=1).reshape(CHUNK, len(pairs), sides).mean(axis=2) / 2 / units_of(game)["margin"])
    margins = np.concatenate(found)
    alike = np.array([one == other for one, other in pairs])
    self_play, cross = margins[:, alike].mean(axis=1), margins[:, ~alike].mean(axis=1)
    loss, means = mean_of(cross - self_play), [mean_of(column) for column in margins.T]
    square = len(agents), len(agents)
    return {
        "agents": list(agents),
        "variant": str(rules),
        "opponents": opponents,
        "deals": len(margins),
        "margins": np.reshape([mean.value for mean in means], square).tolist(),
        "margins_se": np.reshape([mean.error for mean in means], square).tolist(),
        "self_play": float(self_play.mean()),
        "cross_play": float(cross.mean()),
        "loss": loss.value,
        "loss_se": loss.error,
    }
