"""Rollouts: the action of a policy in a world, and the cost of a deal to each seat."""

from __future__ import annotations

import numpy as np

from hearts_agents.rule.choose import choose
from hearts_agents.rule.workspace import Workspace
from hearts_env.kernel.bits import INT64, ONE, lowest, mix
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import legal
from hearts_env.kernel.ranking import MAGNITUDE
from hearts_env.kernel.records import Array, Mask, Phase, State, Tables
from hearts_env.kernel.steps import random_action

PASS, PLAY, OVER = Phase.PASS.value, Phase.PLAY.value, Phase.OVER.value
UNIT = 2.0**-53
"""Scale from 53 random bits to a number in [0, 1)."""


@jit
def first_action(s: State, t: Tables) -> int:
    """The action of bit 0 of `legal` in the current phase."""
    return INT64(0) if s.phase == PLAY or s.phase == PASS else INT64(t.kinds)


@jit
def is_random(epsilon: float) -> bool:
    """True if the policy always plays at random."""
    return epsilon >= 1.0


@jit
def policy_action(s: State, t: Tables, rule: Workspace, epsilon: float, rng: Mask) -> int:
    """The rollout policy's action: the rule agent's, or with probability `epsilon` any legal action."""
    if is_random(epsilon):
        return random_action(s, t, mix(rng))
    cards = legal(s, t)
    if cards & (cards - ONE) == 0:
        return lowest(cards) + first_action(s, t)
    if epsilon > 0.0 and np.float64(mix(~rng) >> np.uint64(11)) * UNIT < epsilon:
        return random_action(s, t, mix(rng))
    return choose(s, t, rule)


@jit
def cost_of(s: State, t: Tables, seat: int, before: Array) -> float:
    """Cost of the deal to a seat: the change of its total, or of its magnitude, since `before`; lower is better."""
    re, im = np.float64(s.totals[seat, 0]), np.float64(s.totals[seat, 1])
    old_re, old_im = np.float64(before[seat, 0]), np.float64(before[seat, 1])
    if t.score_better == MAGNITUDE:
        return np.hypot(re, im) - np.hypot(old_re, old_im)
    return t.cost_sign * (re - old_re)


@jit
def write_costs(s: State, t: Tables, before: Array, costs: Array) -> None:
    for seat in range(t.seats):
        costs[seat] = cost_of(s, t, seat, before)


@jit
def margin_of(t: Tables, seat: int, costs: Array) -> float:
    """The mean cost of a seat's team minus the mean cost of its opponents."""
    own, others = 0.0, 0.0
    for other in range(t.seats):
        if t.team[other] == t.team[seat]:
            own += costs[other]
        else:
            others += costs[other]
    return own / t.team_size - others / max(t.seats - t.team_size, 1)
