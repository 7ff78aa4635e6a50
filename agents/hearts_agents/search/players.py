"""The policy that plays each seat in a world.

A search whose rollouts have one kind of opponent relies on meeting that kind. With several policies, every world draws
one for every other seat, with the probabilities that `evidence` computes.
"""

from __future__ import annotations

import numpy as np

from hearts_agents.search.rollout import UNIT, policy_action
from hearts_agents.search.workspace import SearchWorkspace
from hearts_env.kernel.bits import INT64, advance, mix
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import Mask, State, Tables

SALT = np.uint64(0x706C6179657273)
"""Keeps the draw of the players apart from that of the cards."""


@jit
def player_action(s: State, t: Tables, ws: SearchWorkspace, rng: Mask) -> int:
    player = ws.players[s.seat]
    return policy_action(s, t, ws.policies[player], ws.epsilons[player], rng)


@jit
def seat_players(view: State, t: Tables, ws: SearchWorkspace, number: int) -> None:
    """Draw the policy that plays each seat in world `number`; the first one plays the team of the seat to act."""
    if ws.members == 1:
        return
    rng = mix(ws.word ^ mix(SALT ^ np.uint64(number)))
    for seat in range(t.seats):
        rng = advance(rng)
        own = t.team[seat] == t.team[view.seat]
        ws.players[seat] = 0 if own else draw_player(ws, seat, np.float64(mix(rng) >> np.uint64(11)) * UNIT)


@jit
def draw_player(ws: SearchWorkspace, seat: int, uniform: float) -> int:
    """The policy at a point in [0, 1) of the cumulated probabilities of a seat."""
    for member in range(ws.members - 1):
        uniform -= ws.chances[seat, member]
        if uniform < 0.0:
            return member
    return INT64(ws.members - 1)
