"""Probabilities that a policy plays a seat: equal at first, then by Bayes' rule from the cards that the seat plays.

The hand that a seat chose from is hidden, so a policy's probability of a card is its mean over a few worlds.
"""

from __future__ import annotations

from hearts_agents.rule.choose import choose
from hearts_agents.search.determinization import draw_world
from hearts_agents.search.rollout import is_random
from hearts_agents.search.workspace import TRIAL, SearchWorkspace
from hearts_env.kernel.bits import INT64, popcount
from hearts_env.kernel.deduce.constraints import replay, rewind
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import legal
from hearts_env.kernel.records import Phase, State, Tables

PLAY, SUIT = Phase.PLAY.value, Phase.SUIT.value
WORLDS = 8
"""Worlds over which the probability of a card is averaged."""
SLIP = 0.2
"""Probability that any policy plays any legal card: it limits how much one card counts against a policy."""


@jit
def guess_players(view: State, t: Tables, ws: SearchWorkspace) -> None:
    """Write the probability that each policy plays each seat; the sampler must be prepared."""
    ws.chances[:] = 1.0 / ws.members
    if ws.members == 1 or (view.phase != PLAY and view.phase != SUIT):
        return
    ws.played[:] = 0.0
    for number in range(WORLDS):
        draw_world(view, t, ws, number, ws.states, TRIAL)
        add_evidence(view, t, ws, ws.states[TRIAL])
    for ply in range(view.plies):
        if t.team[view.history_seat[ply]] != t.team[view.seat]:
            multiply_chances(ws, INT64(view.history_seat[ply]), ply)


@jit
def add_evidence(view: State, t: Tables, ws: SearchWorkspace, world: State) -> None:
    """Add the probability of every card that opponents played, under every policy, in a world, which is used up."""
    rewind(view, t, world)
    for ply in range(view.plies):
        world.seat = view.history_seat[ply]
        if t.team[world.seat] != t.team[view.seat]:
            count = popcount(legal(world, t))
            for member in range(ws.members):
                ws.played[ply, member] += card_chance(world, t, ws, member, INT64(view.history[ply]), count)
        replay(view, t, world, ply)


@jit
def card_chance(world: State, t: Tables, ws: SearchWorkspace, member: int, card: int, count: int) -> float:
    """Probability that a policy plays a card, one of `count` legal ones."""
    slip = 1.0 - (1.0 - ws.epsilons[member]) * (1.0 - SLIP)
    if count == 1 or is_random(slip):
        return 1.0 / count
    return slip / count + (1.0 - slip if choose(world, t, ws.policies[member]) == card else 0.0)


@jit
def multiply_chances(ws: SearchWorkspace, seat: int, ply: int) -> None:
    """Multiply the probabilities of a seat by those of its card of a ply, and scale them to a sum of 1."""
    total = 0.0
    for member in range(ws.members):
        ws.chances[seat, member] *= ws.played[ply, member]
        total += ws.chances[seat, member]
    for member in range(ws.members):
        ws.chances[seat, member] /= total
