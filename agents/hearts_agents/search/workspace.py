"""What a search works with, in one record and a few records of tables, and the worlds that it draws."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_agents.rule.choose import choose
from hearts_agents.rule.weights import Weights
from hearts_agents.rule.workspace import MIND, new_mind
from hearts_agents.search.rollout import pick_again
from hearts_env.compiled.game import Game
from hearts_env.kernel.bits import INT64, ONE, mix
from hearts_env.kernel.deduce.constraints import HIDDEN, replay, rewind
from hearts_env.kernel.deduce.sampling import sample
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import legal
from hearts_env.kernel.records import STATE, Array, Mask, Phase, State, Tables
from hearts_env.play.worlds import scratch_records
from hearts_env.ruleset.limits import SEATS

PASS, PLAY, SUIT = Phase.PASS.value, Phase.PLAY.value, Phase.SUIT.value
ACTIONS = 128
SOLVABLE = 20
"""Most cards still to be played where a world is solved exactly: time grows with every card."""
TRIES = 20_000
"""Most actions that are tried to solve a world."""
DEEP = 48
"""Room for the actions of a line: those cards, and the calls, moons and exact hits between and after them."""
MEMORY = 1 << 12
PATH = 160
"""Most actions that an iteration of a tree search follows."""

BENCH = np.dtype(
    [
        ("mind", MIND),
        ("hidden", HIDDEN),
        ("slips", "f8"),
        ("doubt", "f8"),
        ("surprise", "f8"),
        ("explore", "f8"),
        ("trust", "f8"),
        ("exact", "i8"),
        ("searches_pass", "i8"),
        ("sums", "f8", (ACTIONS, 5)),
        ("weight", "f8"),
        ("squares", "f8"),
        ("fewest", "i8"),
        ("costs", "f8", SEATS),
        ("open", "u8", DEEP),
        ("best", "f8", (DEEP, SEATS)),
        ("least", "f8", DEEP),
        ("key", "u8", DEEP),
        ("keys", "u8", MEMORY),
        ("values", "f8", (MEMORY, SEATS)),
        ("nodes", "i8"),
        ("path", "i8", PATH),
    ],
    align=True,
)
"""Settings of a search and room to work.

`slips` is the chance that the rollout policy does anything else; `doubt` the number of standard errors by which an
action must beat the policy's own; `surprise` (0: off) the factor by which a world counts less for every card that the
policy would not have played in it; `explore` the width of a tree search in points, and `trust` what the policy's own
action is ahead by in it; `exact` the number of last tricks that are solved; `searches_pass` whether passes are
searched, not left to the policy.

`sums` has for every action the sums of its margins, of their differences to those of the policy's own action in the
same world, of the squares of these, of the squares of the margins, and of the weights of the worlds in which it was
tried; `weight` and `squares` are the sums of the weights of all worlds and of their squares; `fewest` the surprises of
a world that weighs 1 (-1: not known yet); `costs` what a deal has cost each seat. `nodes` and `path` belong to the tree
search, the rest to the exact one.
"""

Bench = Any
"""A `BENCH` record."""
TRIAL, SCRATCH, SPARE = 0, 1, 2
"""Places of the records to work with; those of the exact search follow from `SPARE` on."""


def new_bench(game: Game, weights: Weights, **settings: float) -> NDArray[Any]:
    """A `BENCH` record for a game, as an array of shape (1,); only one thread may use it at a time."""
    bench = np.zeros(1, BENCH)
    bench["mind"] = new_mind(game, weights)
    bench["hidden"] = scratch_records()[0]
    for name, value in settings.items():
        bench[name] = value
    return bench


def new_states(exact: int) -> NDArray[Any]:
    """The records of tables that a search works with."""
    return np.zeros(SPARE + (DEEP if exact else 1), STATE)


@jit
def draw_worlds(view: State, t: Tables, word: Mask, first: int, b: Bench, states: Array, worlds: Array) -> None:
    """Fill `worlds` with those number `first` and following of a view for which `b.hidden` is prepared.

    As long as nothing is known of the other hands, worlds come in groups in which every card goes once to (nearly)
    every holder. Each world is as likely as before, but their mean varies less.
    """
    me = INT64(view.seat)
    group = INT64(b.hidden.holders) if b.hidden.constrained == 0 else INT64(1)
    for place in range(worlds.shape[0]):
        number = first + place
        rng = mix(word ^ mix(np.uint64(number // max(group, 1))))
        b.hidden.rotation = number % max(group, 1)
        sample(view, t, me, rng, b.hidden, states[SCRATCH], worlds, place)
        worlds[place].deal_limit = view.deal_number + 1
        if view.phase == PASS:
            pick_again(worlds[place], t, me, b.mind, b.slips, rng)


@jit
def weigh(view: State, t: Tables, b: Bench, states: Array, worlds: Array, weights: Array) -> None:
    """Write how much each world counts: less for every card that the policy would not have played in it."""
    for place in range(worlds.shape[0]):
        weights[place] = 1.0
    if b.surprise <= 0.0 or (view.phase != PLAY and view.phase != SUIT):
        return
    fewest = 1 << 30
    for place in range(worlds.shape[0]):
        states[SCRATCH] = worlds[place]
        surprises = count_surprises(view, t, b, states[SCRATCH])
        weights[place] = surprises
        fewest = min(fewest, surprises)
    if b.fewest < 0:  # the first worlds of a search set the scale for those that follow
        b.fewest = fewest
    for place in range(worlds.shape[0]):
        weights[place] = b.surprise ** (weights[place] - b.fewest)


@jit
def count_surprises(view: State, t: Tables, b: Bench, w: State) -> int:
    """The number of cards that others played and the policy would not have played in a world; `w` is used up."""
    rewind(view, t, w)
    surprises = 0
    for ply in range(view.plies):
        w.seat = view.history_seat[ply]
        if w.seat != view.seat:
            cards = legal(w, t)
            if cards & (cards - ONE) and choose(w, t, b.mind) != view.history[ply]:
                surprises += 1
        replay(view, t, w, ply)
    return surprises
