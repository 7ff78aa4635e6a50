"""The values of actions: those of a search, or of any agent that has ``action_values(views)``."""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_agents.base import Agent
from hearts_agents.search.agents import ActionValues, EndgameAgent, Estimate
from hearts_env.seat.view import View, Views


def has_values(agent: Agent) -> bool:
    """True if an agent values every action."""
    return callable(getattr(agent, "action_values", None)) and not isinstance(agent, EndgameAgent)


def values_of(agent: Any, views: Views) -> ActionValues:
    """What an agent makes of every legal action.

    Its ``action_values(views)`` returns `ActionValues`, as a search does, or the values alone: (n, actions), expected
    margins of the seat in points, of which illegal actions are not read. These have no errors, and count as one world.

    Raises:
        ValueError: an array of another shape, or a legal action whose value is not finite.
    """
    found = agent.action_values(views)
    if isinstance(found, ActionValues):
        return found
    legal, values = views.observations()[1] != 0, np.asarray(found, np.float32)
    if values.shape != legal.shape or not np.isfinite(values[legal]).all():
        raise ValueError(f"{agent.name}: action_values returned no finite number for each of {legal.shape} actions")
    values, several = np.where(legal, values, np.float32(np.inf)), legal & (legal.sum(1, keepdims=True) > 1)
    kept, errors = np.where(several, values, np.float32(np.nan)), np.where(several, np.float32(0), np.float32(np.nan))
    return ActionValues(values.argmin(1), kept, errors, several.astype(np.int32))


def estimates(agent: Any, view: View) -> list[Estimate]:
    """What an agent makes of the legal actions of a view, the best first: by ``explain``, or by ``action_values``."""
    if hasattr(agent, "explain"):
        found: list[Estimate] = agent.explain(view)
        return found
    values = values_of(agent, Views.of(view))
    margins, errors = (np.nan_to_num(part[0].astype(float)).tolist() for part in (values.values, values.errors))
    best = sorted(view.legal_ids(), key=lambda one: (margins[one], one != values.actions[0]))  # unsearched: its choice
    names = view.game.actions
    return [Estimate(names[one], margins[one], 0.0, 0.0, errors[one], int(values.worlds[0, one])) for one in best]
