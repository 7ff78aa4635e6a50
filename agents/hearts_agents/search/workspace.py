"""The record that the compiled functions of a search share: settings, the sums of a decision, and room to work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_agents.rule.workspace import WORKSPACE, new_workspace
from hearts_agents.search.policies import MEMBERS, RULE, Policy
from hearts_env.compiled.game import Game
from hearts_env.kernel.deduce.constraints import HIDDEN
from hearts_env.kernel.records import STATE
from hearts_env.ruleset.limits import CARDS, SEATS
from hearts_env.seat.scratch import scratch_records

ACTIONS = 128
SOLVABLE = 20
"""Most cards still to be played where a world is solved exactly: time grows with every card."""
TRIES = 20_000
"""Most actions that are tried to solve a world."""
DEEP = 48
"""Most actions of a line to the end: those cards, and the calls, moons and exact hits between and after them."""
MEMORY = 1 << 12
"""Positions between tricks that the endgame's table holds."""
PATH = 160
"""Most actions that an iteration of ISMCTS follows in the tree."""

TRIAL, SCRATCH, STACK = 0, 1, 2
"""Places in `states`: the world that is played on, the sampler's scratch record, the endgame's first node."""

MARGIN, DIFFERENCE, DIFFERENCE_SQUARE, MARGIN_SQUARE, WEIGHT, WEIGHT_SQUARE, WORLDS = range(7)
"""Columns of `sums`. A difference is the margin of an action minus that of the default action in the same world; the
last three are of the worlds in which the action was tried: the sums of their importance weights and of the squares of
these, and their number. The default action is tried in every world."""

SEARCH_WORKSPACE = np.dtype(
    [
        # the rollout policies: the first plays the searching team, the others may play any other seat
        ("members", "i8"),  # number of them
        ("policies", WORKSPACE, MEMBERS),  # each as the workspace of a rule agent
        ("epsilons", "f8", MEMBERS),  # probability that it plays any legal action instead
        ("hidden", HIDDEN),  # the sampler's knowledge of the hidden cards
        ("states", STATE, STACK + DEEP),  # tables to play on
        # settings
        ("min_z", "f8"),  # standard errors by which an action must beat the default action
        ("play_likelihood", "f8"),  # weight of a world per card that the policy would not have played; 0: off
        ("exploration", "f8"),  # ISMCTS: width of the confidence bounds, in points
        ("prior_bonus", "f8"),  # ISMCTS: points by which the policy's action is ahead below the root
        ("endgame_tricks", "i8"),  # number of last tricks that are solved
        ("searches_pass", "i8"),  # 0: passes are left to the policy
        # the decision
        ("word", "u8"),  # its random word
        ("default_action", "i8"),  # the policy's own action
        ("tried", "i8"),  # worlds drawn so far
        ("sums", "f8", (ACTIONS, WORLDS + 1)),  # weighted sums by action, in columns as above
        ("fewest_unlikely", "i8"),  # unlikely plays in a world of weight 1; -1: not known yet
        ("costs", "f8", SEATS),  # cost of the deal to each seat
        ("chances", "f8", (SEATS, MEMBERS)),  # probability that a seat is played by a policy
        ("played", "f8", (CARDS, MEMBERS)),  # by ply: probability of the card under a policy
        ("players", "i8", SEATS),  # the policy that plays each seat in the current world
        # the endgame's stack, by depth, and its table of positions
        ("untried", "u8", DEEP),
        ("best", "f8", (DEEP, SEATS)),  # costs of the best action so far
        ("least", "f8", DEEP),  # its margin for the seat to act
        ("key", "u8", DEEP),  # 0: not a position between tricks
        ("keys", "u8", MEMORY),
        ("values", "f8", (MEMORY, SEATS)),
        # the tree of ISMCTS
        ("nodes", "i8"),  # number of nodes
        ("path", "i8", PATH),  # nodes of the current iteration
    ],
    align=True,
)

SearchWorkspace = Any
"""A `SEARCH_WORKSPACE` record."""


def new_search_workspace(game: Game, policies: Sequence[Policy] = (RULE,), **settings: float) -> NDArray[Any]:
    """Make a `SEARCH_WORKSPACE` record for a game, as an array of shape (1,). Each thread needs one of its own.

    `policies` play the rollouts, at most `MEMBERS`; `settings` are the values of the record's settings; the others
    are 0.
    """
    workspace = np.zeros(1, SEARCH_WORKSPACE)
    workspace["members"] = len(policies)
    for member, policy in enumerate(policies):
        workspace["policies"][:, member] = new_workspace(game, policy.weights)
        workspace["epsilons"][:, member] = policy.epsilon
    workspace["hidden"] = scratch_records()[0]
    for name, value in settings.items():
        workspace[name] = value
    return workspace
