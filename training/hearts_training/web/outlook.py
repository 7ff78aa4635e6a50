"""The expected end of a deal: worlds that agree with what a seat knows, played out by an agent in all seats."""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_agents.base import Agent
from hearts_env.envs.outcome import Outcome
from hearts_env.seat.view import View
from hearts_env.seat.worlds import sample_worlds

WORLDS = 64


def outlook(view: View, agent: Agent, seed: int) -> dict[str, Any]:
    """Points of the deal and moons, by seat, over `WORLDS` worlds of a view that an agent plays out.

    >>> import hearts_env as he
    >>> from hearts_agents import make_agent
    >>> match = he.Match("black_lady(cycle=[hold])", seed=7)
    >>> found = outlook(match.view(0), make_agent("rule"), 1)
    >>> sum(found["points"]) >= 26, found["error"] > 0, all(0 <= share <= 1 for share in found["moons"])
    (True, True, True)

    Returns:
        Per seat: mean ``points`` (of complex points the magnitude) and the share of the worlds in which it shoots the
        moon, ``moons``; and ``error``, the largest standard error of the points.
    """
    from hearts_agents.search.lockstep import play_out_all

    worlds = sample_worlds(view, WORLDS, seed).records
    worlds["deal_limit"] = view.deal_number + 1
    play_out_all(view.game, worlds, agent)
    ends = Outcome((view.game,), worlds)
    points = np.abs(ends["points"]) if view.game.gaussian else ends["points"]
    moons = (ends["shooter"][:, None] == np.arange(view.game.seats)).mean(axis=0)
    error = points.std(axis=0).max() / np.sqrt(WORLDS)
    return {"points": points.mean(axis=0).tolist(), "moons": moons.tolist(), "error": float(error)}
