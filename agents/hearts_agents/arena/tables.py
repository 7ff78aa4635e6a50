"""Playing many tables in lockstep, each decision of a kind of agent in one batch."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_agents.arena.results import Clock
from hearts_agents.base import Agent
from hearts_env.kernel.records import STATE, Phase
from hearts_env.refusals import why_illegal
from hearts_env.tables import Game
from hearts_env.view import Views


def deal_tables(game: Game, seeds: NDArray[np.uint64], first: int) -> NDArray[Any]:
    """One `STATE` record per seed: deal number `first` + i of the arena.

    Deals follow the pass cycle as those of a match do, with totals of 0.
    """
    from hearts_agents.arena.kernel import deal_all

    t = game.tables
    cycle = min(int(t["entries"]), int(t["max_deals"]) or int(t["entries"]))
    states = np.zeros(len(seeds), STATE)
    deal_all(states, t, seeds, (first + np.arange(len(seeds))) % cycle)
    return states


def play_tables(
    game: Game,
    agents: Sequence[Agent],
    states: NDArray[Any],
    lineups: NDArray[np.int64],
    clocks: Sequence[Clock],
    deals: NDArray[np.int64],
) -> None:
    """Play every table to its end.

    Args:
        game: the compiled rules.
        agents: the agents.
        states: (n,) `STATE` records, played in place.
        lineups: (n, seats) index of the agent in each seat.
        clocks: one per agent; time and decisions are added.
        deals: (n,) number of the deal at each table, for messages.

    Raises:
        ValueError: an agent chose an illegal action; the message names agent, deal, trick, seat, card and rule.
    """
    from hearts_env.kernel.batch import step_all, take_views

    actions = np.zeros(len(states), np.int64)
    views = np.zeros(len(states), STATE)
    while (live := np.flatnonzero(states["phase"] != Phase.OVER)).size:
        to_act = lineups[live, states["seat"][live]]
        for index in np.unique(to_act):
            rows = live[to_act == index]
            seen = views[: len(rows)]
            take_views(states, game.tables, rows, seen)
            actions[rows] = _ask(agents[index], Views(game, seen), clocks[index], deals[rows])
        step_all(states, game.tables, actions)


def _ask(agent: Agent, views: Views, clock: Clock, deals: NDArray[np.int64]) -> NDArray[np.int64]:
    from hearts_env.kernel.batch import first_illegal

    start = perf_counter()
    chosen = np.asarray(agent.act_batch(views))
    clock.seconds += perf_counter() - start
    clock.decisions += len(views)
    if chosen.shape != (len(views),) or chosen.dtype.kind not in "iu":
        raise ValueError(
            f"agent {agent.name} answered {len(views)} views with {chosen.dtype} of shape {chosen.shape}; "
            f"integers of shape {(len(views),)} are needed"
        )
    chosen = np.ascontiguousarray(chosen, np.int64)
    bad = int(first_illegal(views.records, views.game.tables, chosen))
    if bad >= 0:
        record = views.records[bad]
        place = f"deal {deals[bad]}, trick {int(record['trick_number']) + 1}"
        raise ValueError(f"agent {agent.name}, {place}: {why_illegal(views.game, record, int(chosen[bad]))}")
    return chosen
