"""Tree search over information sets (single-observer ISMCTS: Cowling, Powley & Whitehouse 2012).

Every iteration draws a world, follows the tree through the actions that are legal in it, adds one action to the tree
and plays the rest by the policy. A node is what everybody saw since the root, so it is shared by all worlds; how often
an action was available, not how often its parent was visited, says how well it is explored. Below the root the policy's
action comes first and others follow as visits grow (progressive widening: Couetoux et al. 2011).

What is best for the others depends on their hands, and the tree knows only what is best on average over hands. So an
action that the policy would take with the hand of the world at hand is ahead of the others by so many points (`trust`);
and the root's most visited action is played only if it beats the policy's own by more than `doubt` standard errors.
Every seat plays for its own margin. Passes of others are hidden, so the tree ends with the searcher's own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hearts_agents.rule.choose import choose
from hearts_agents.search.endgame import play_out
from hearts_agents.search.pimc import first_guess, is_left_to_policy
from hearts_agents.search.rollout import first_action, is_blind, margin_of
from hearts_agents.search.workspace import PATH, TRIAL, Bench, draw_worlds
from hearts_env.kernel.bits import INT64, ONE, advance, below, bit, lowest, mix, nth, popcount
from hearts_env.kernel.deduce.counting import prepare
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import legal
from hearts_env.kernel.records import Array, Mask, Phase, State, Tables
from hearts_env.kernel.steps import step

PASS, MOON, EXACT, OVER = Phase.PASS.value, Phase.MOON.value, Phase.EXACT.value, Phase.OVER.value
_PATH = PATH
WIDEN = 0.3
NOTHING = np.uint64(0)

NODE = np.dtype(
    [
        ("action", "i2"),
        ("mover", "i2"),
        ("child", "i4"),
        ("sibling", "i4"),
        ("visits", "i4"),
        ("offered", "i4"),
        ("cost", "f8"),
        ("square", "f8"),
    ],
    align=True,
)
"""An action in the tree: its `mover`, its first `child` and next `sibling` (0: none), how often it was taken and was
there to be taken, and the sums of its mover's margins and of their squares. Node 0 is the root.
"""

Node = Any
"""A `NODE` record."""


@jit
def search_trees(
    views: Array,
    t: Tables,
    words: Array,
    count: int,
    b: Bench,
    states: Array,
    worlds: Array,
    nodes: Array,
    actions: Array,
) -> None:
    """Write what `count` iterations find best in every view; `worlds` is one record, `nodes` one more than `count`."""
    for i in range(views.shape[0]):
        if views[i].phase == OVER:
            continue
        if views[i].phase == MOON or views[i].phase == EXACT:
            actions[i] = choose(views[i], t, b.mind)
            continue
        actions[i] = first_guess(views[i], t, b)
        if is_left_to_policy(views[i], t, b):
            continue
        plant(b, nodes)
        if prepare(views[i], t, INT64(views[i].seat), b.hidden, states[1]):
            grow(views[i], t, words[i], 0, count, b, states, worlds, nodes)
            actions[i] = decide(nodes, b, INT64(actions[i]))


@jit
def plant(b: Bench, nodes: Array) -> None:
    """Begin a tree."""
    nodes[0].child = 0
    b.nodes = 1


@jit
def grow(
    view: State, t: Tables, word: Mask, first: int, count: int, b: Bench, states: Array, worlds: Array, nodes: Array
) -> None:
    """Iterations number `first` and following."""
    for number in range(first, first + count):
        draw_worlds(view, t, word, number, b, states, worlds)
        states[TRIAL] = worlds[0]
        rng = mix(word ^ np.uint64(number))
        length = descend(view, t, b, states[TRIAL], nodes, rng)
        play_out(states[TRIAL], t, view.totals, b, states, rng)
        for place in range(length):
            node = nodes[b.path[place]]
            node.visits += 1
            margin = margin_of(t, INT64(node.mover), b.costs)
            node.cost += margin
            node.square += margin * margin


@jit
def descend(view: State, t: Tables, b: Bench, s: State, nodes: Array, rng: Mask) -> int:
    """Follow the tree and add one action to it. Returns the length of the path."""
    node, length = 0, 0
    width, trust = b.explore / b.mind.plan.scale, b.trust / b.mind.plan.scale
    while s.phase != OVER and length < _PATH:
        if view.phase == PASS and (s.phase != PASS or s.seat != view.seat):
            break
        left = legal(s, t)
        first = first_action(s, t)
        if left & (left - ONE) == 0 and s.seat == view.seat:  # in every world alike
            step(s, t, lowest(left) + first)
            continue
        usual = NOTHING if is_blind(b.slips) else bit(choose(s, t, b.mind) - first)
        node, left = select(nodes, node, left, first, usual, width, trust if node else 0.0)
        if left:
            rng = advance(rng)
            action = lowest(left & usual) if left & usual else nth(left, below(mix(rng), popcount(left)))
            node = add_child(b, nodes, node, action + first, INT64(s.seat))
        b.path[length] = node
        length += 1
        step(s, t, INT64(nodes[node].action))
        if left:
            break
    return length


@jit
def select(
    nodes: Array, node: int, left: Mask, first: int, usual: Mask, width: float, trust: float
) -> tuple[int, Mask]:
    """The child to follow, by its lower confidence bound, `trust` less for the policy's action `usual` (0: none); or
    the node itself, and the legal actions that have no child yet if one of them is to get it. All get one at the
    root; below, `usual` at once, and others the more often a node was visited (progressive widening).
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
            if usual & bit(place):
                bound -= trust
            if bound < least:
                best, least = child, bound
        child = INT64(nodes[child].sibling)
    if node and tried and not left & usual and tried >= 1.0 + WIDEN * np.sqrt(np.float64(nodes[node].visits)):
        left = NOTHING
    return node if left else best, left


@jit
def add_child(b: Bench, nodes: Array, node: int, action: int, mover: int) -> int:
    """Put an action under a node. Returns its node."""
    new = INT64(b.nodes)
    b.nodes += 1
    child = nodes[new]
    child.action, child.mover, child.child = action, mover, 0
    child.visits, child.offered, child.cost, child.square = 0, 1, 0.0, 0.0
    child.sibling = nodes[node].child
    nodes[node].child = new
    return new


@jit
def decide(nodes: Array, b: Bench, usual: int) -> int:
    """The action of the root that was taken most, if it is clearly better than the policy's own, `usual`."""
    best, own = most_visited(nodes), INT64(nodes[0].child)
    while own and nodes[own].action != usual:
        own = INT64(nodes[own].sibling)
    if not own or own == best:
        return INT64(nodes[best].action)
    gain = nodes[own].cost / nodes[own].visits - nodes[best].cost / nodes[best].visits
    return INT64(nodes[best].action) if gain >= b.doubt * standard_error(nodes[best]) else usual


@jit
def most_visited(nodes: Array) -> int:
    """The node below the root that was visited most; the cheaper one of two that were visited equally often."""
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
    """That of the mean margin of a node."""
    mean = node.cost / node.visits
    return np.sqrt(max(node.square / node.visits - mean * mean, 0.0) / max(node.visits - 1, 1))
