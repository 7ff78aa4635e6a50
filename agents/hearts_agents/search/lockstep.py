"""Rollouts in lockstep: many worlds are played to the end of their deal at the same time, each ply in one batch.

As compiled code, the functions trust their arguments; the actions of agents are checked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_agents.base import Agent
from hearts_agents.search.rollout import OVER, margin_of, write_costs
from hearts_env.checks import whole_array
from hearts_env.compiled.game import Game
from hearts_env.errors import IllegalActionError
from hearts_env.kernel.batch import random_actions, step_all, take_views
from hearts_env.kernel.bits import INT64
from hearts_env.kernel.deduce.sampling import count_legal
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import STATE, Array, Tables
from hearts_env.seat.illegal import first_mistake
from hearts_env.seat.view import Views


def play_out_all(game: Game, tables: Array, agent: Agent) -> None:
    """Play every record, limited to its deal, to the end by the actions of an agent in all seats.

    Raises IllegalActionError, naming the agent and the rule, for an action that is not legal, and ValueError for an
    answer that is not a whole number for each view.
    """
    while (rows := np.flatnonzero(tables["phase"] != OVER)).size:
        views = np.empty(rows.size, STATE)
        take_views(tables, game.table, rows, views)
        chosen = np.zeros(len(tables), np.int64)
        chosen[rows] = _actions(game, views, agent)
        step_all(tables, game.table, chosen)


def try_actions(
    game: Game,
    play_out: Callable[[NDArray[Any]], None],
    worlds: Sequence[NDArray[Any]],
    options: Sequence[NDArray[np.int64]],
) -> list[NDArray[np.float64]]:
    """Take every action in every world of some decisions, and play all of it to the end of the deal.

    Args:
        game: the compiled rules.
        play_out: plays records to the end of their deal.
        worlds: of each decision, records limited to their deal.
        options: of each decision, the ids of its actions.

    Returns:
        (worlds, actions) of each decision: the margin of the seat to act.
    """
    pairs = [*zip(worlds, options, strict=True)]
    starts = np.concatenate([copy_records(drawn, np.repeat(np.arange(len(drawn)), len(few))) for drawn, few in pairs])
    ends, margins = copy_records(starts, np.arange(len(starts))), np.zeros(len(starts))
    taken = [np.tile(few, len(drawn)) for drawn, few in pairs]
    step_all(ends, game.table, np.concatenate(taken))
    play_out(ends)
    margins_all(starts, ends, game.tables, starts["seat"].astype(np.int64), np.zeros(game.seats), margins)
    parts = np.split(margins, np.cumsum([len(some) for some in taken])[:-1])
    return [part.reshape(-1, len(few)) for part, few in zip(parts, options, strict=True)]


def _actions(game: Game, views: NDArray[Any], agent: Agent) -> NDArray[np.int64]:
    """The agent's action in every view; it does not decide where only one action is legal."""
    actions, legal = np.zeros(len(views), np.int64), np.zeros(len(views), np.int64)
    random_actions(views, game.tables, np.uint64(0), actions)
    count_legal(views, game.tables, legal)
    rows = np.flatnonzero(legal > 1)
    if rows.size:
        answer = agent.act_batch(Views(game, copy_records(views, rows), check=False))
        actions[rows] = whole_array(f"the actions of {agent.name}", answer, rows.shape)
        if mistake := first_mistake(game, views, rows, actions[rows]):
            raise IllegalActionError(f"{agent.name}, in a rollout: {mistake[1]}")
    return actions


def copy_records(tables: Array, rows: Array) -> Array:
    """Records by their places, copied as bytes, which NumPy does faster than records."""
    cells = tables.view(np.uint8).reshape(len(tables), STATE.itemsize)
    return cells[rows].reshape(-1).view(STATE)


@jit
def margins_all(starts: Array, ends: Array, t: Tables, seats: Array, costs: Array, margins: Array) -> None:
    """Write the margin of seat `seats[i]` in each deal, from records before and after it; `costs` is to work in."""
    for i in range(ends.shape[0]):
        write_costs(ends[i], t, starts[i].totals, costs)
        margins[i] = margin_of(t, INT64(seats[i]), costs)
