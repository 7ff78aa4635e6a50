"""Tree search over information sets (single-observer ISMCTS: Cowling, Powley & Whitehouse 2012).

Every iteration draws a world, follows the tree through the actions that are legal in it, adds one action to the tree
and plays the rest by the policy. A node represents the public events since the root, so all worlds share it. How often
its action was available, not how often its parent was visited, counts in the confidence bound (UCB1: Auer et al. 2002).
Below the root the policy's action comes first and others follow as visits grow (progressive widening: Couetoux et al.
2011).

ISMCTS suffers from strategy fusion: a node shared by all worlds learns one reply for all hidden hands. To limit it, the
action that the policy takes with the hand of the current world is `prior_bonus` points ahead of the others, and the
root's most visited action is played only if it beats the default action by more than `min_z` standard errors. Every
seat plays for its own margin. Passes of others are hidden, so in the pass the tree ends with the searcher's own picks.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_agents.rule.choose import choose
from hearts_agents.search.determinization import draw_worlds
from hearts_agents.search.endgame import play_out
from hearts_agents.search.players import seat_players
from hearts_agents.search.rollout import first_action, is_random, margin_of
from hearts_agents.search.root import action_without_search, begin
from hearts_agents.search.workspace import PATH, TRIAL, SearchWorkspace
from hearts_env.kernel.bits import INT64, ONE, advance, below, bit, lowest, mix, nth, popcount
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import legal
from hearts_env.kernel.records import Array, Mask, Phase, State, Tables
from hearts_env.kernel.steps import step

PASS, OVER = Phase.PASS.value, Phase.OVER.value
WIDENING = 0.3
"""A node below the root has room for 1 + WIDENING * sqrt(visits) children."""
NOTHING = np.uint64(0)

NODE = np.dtype(
    [
        ("action", "i2"),
        ("mover", "i2"),  # the seat that takes the action
        ("child", "i4"),  # the first child; 0: none
        ("sibling", "i4"),  # the next child of the parent; 0: none
        ("visits", "i4"),  # how often the action was taken
        ("offered", "i4"),  # how often it was available
        ("cost", "f8"),  # sum of the mover's margins
        ("square", "f8"),  # sum of their squares
    ],
    align=True,
)
"""An action in the tree. Node 0 is the root."""

Node = Any
"""A `NODE` record."""


@jit
def search_trees(
    views: Array, t: Tables, words: Array, ws: SearchWorkspace, worlds: Array, nodes: Array, actions: Array
) -> None:
    """Write the best action of every view; `worlds` has one record, `nodes` one more than there are iterations."""
    for i in range(views.shape[0]):
        actions[i] = action_without_search(views[i], t, ws)
        if actions[i] >= 0:
            continue
        plant(ws, nodes)
        if begin(views[i], t, ws, words[i]):
            grow(views[i], t, ws, worlds, nodes, nodes.shape[0] - 1)
            actions[i] = decide(nodes, ws, INT64(ws.default_action))
        else:
            actions[i] = ws.default_action


@jit
def plant(ws: SearchWorkspace, nodes: Array) -> None:
    nodes[0].child = 0
    ws.nodes = 1


@jit
def grow(view: State, t: Tables, ws: SearchWorkspace, worlds: Array, nodes: Array, iterations: int) -> None:
    for _ in range(iterations):
        draw_worlds(view, t, ws, worlds)
        ws.states[TRIAL] = worlds[0]
        rng = mix(ws.word ^ np.uint64(ws.tried))
        seat_players(view, t, ws, INT64(ws.tried))
        length = descend(view, t, ws, ws.states[TRIAL], nodes, rng)
        play_out(ws.states[TRIAL], t, view.totals, ws, rng)
        for place in range(length):
            node = nodes[ws.path[place]]
            node.visits += 1
            margin = margin_of(t, INT64(node.mover), ws.costs)
            node.cost += margin
            node.square += margin * margin
        ws.tried += 1


@jit
def descend(view: State, t: Tables, ws: SearchWorkspace, s: State, nodes: Array, rng: Mask) -> int:
    """Follow the tree in a world and add one action to it. Returns the length of the path."""
    node, length = 0, 0
    scale = ws.policies[0].game_values.scale
    width, bonus = ws.exploration / scale, ws.prior_bonus / scale
    while s.phase != OVER and length < PATH:
        if view.phase == PASS and (s.phase != PASS or s.seat != view.seat):
            break
        left = legal(s, t)
        first = first_action(s, t)
        if left & (left - ONE) == 0 and s.seat == view.seat:  # forced in every world
            step(s, t, lowest(left) + first)
            continue
        player = ws.players[s.seat]
        prior = NOTHING if is_random(ws.epsilons[player]) else bit(choose(s, t, ws.policies[player]) - first)
        node, left = select(nodes, node, left, first, prior, width, bonus if node else 0.0)
        if left:
            rng = advance(rng)
            action = lowest(left & prior) if left & prior else nth(left, below(mix(rng), popcount(left)))
            node = add_child(ws, nodes, node, action + first, INT64(s.seat))
        ws.path[length] = node
        length += 1
        step(s, t, INT64(nodes[node].action))
        if left:
            break
    return length


@jit
def select(
    nodes: Array, node: int, left: Mask, first: int, prior: Mask, width: float, bonus: float
) -> tuple[int, Mask]:
    """Select the child to follow, or the node itself if it is to get a child.

    The child with the lowest confidence bound is followed; the bound of the policy's action `prior` (0: none) is
    `bonus` lower. Also returns the mask of the actions that one is to be added from (0: none): at the root every legal
    action without a child; below, `prior` at once and others as visits grow.
    """
    best, least, tried = node, np.inf, 0
    child = INT64(nodes[node].child)
    while child:
        place = INT64(nodes[child].action) - first
        if 0 <= place < 64 and left & bit(place):
            left &= ~bit(place)
            tried += 1
            nodes[child].offered += 1
            visits = max(nodes[child].visits, 1)
            bound = nodes[child].cost / visits - width * np.sqrt(np.log(np.float64(nodes[child].offered)) / visits)
            if prior & bit(place):
                bound -= bonus
            if bound < least:
                best, least = child, bound
        child = INT64(nodes[child].sibling)
    if node and tried and not left & prior and tried >= 1.0 + WIDENING * np.sqrt(np.float64(nodes[node].visits)):
        left = NOTHING
    return node if left else best, left


@jit
def add_child(ws: SearchWorkspace, nodes: Array, node: int, action: int, mover: int) -> int:
    new = INT64(ws.nodes)
    ws.nodes += 1
    child = nodes[new]
    child.action, child.mover, child.child = action, mover, 0
    child.visits, child.offered, child.cost, child.square = 0, 1, 0.0, 0.0
    child.sibling = nodes[node].child
    nodes[node].child = new
    return new


@jit
def decide(nodes: Array, ws: SearchWorkspace, default: int) -> int:
    """The most visited action of the root if it is better than the default action by `min_z` of its own standard
    errors, else that.
    """
    best, own = most_visited(nodes), INT64(nodes[0].child)
    while own and nodes[own].action != default:
        own = INT64(nodes[own].sibling)
    if not own or own == best:
        return INT64(nodes[best].action)
    gain = nodes[own].cost / nodes[own].visits - nodes[best].cost / nodes[best].visits
    return INT64(nodes[best].action) if gain >= ws.min_z * standard_error(nodes[best]) else default


@jit
def most_visited(nodes: Array) -> int:
    """The most visited child of the root; of two visited equally often the one of lower cost."""
    child = INT64(nodes[0].child)
    best = child
    while child:
        more = nodes[child].visits - nodes[best].visits
        if more > 0 or (more == 0 and nodes[child].cost < nodes[best].cost):
            best = child
        child = INT64(nodes[child].sibling)
    return best


@jit
def standard_error(node: Node) -> float:
    mean = node.cost / node.visits
    return np.sqrt(max(node.square / node.visits - mean * mean, 0.0) / max(node.visits - 1, 1))
