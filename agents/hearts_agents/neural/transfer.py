"""A network of one game in another: what both games see and do keeps its weights."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from hearts_agents.neural.forward import Floats
from hearts_env.compiled.game import Game
from hearts_env.kernel.columns import BLOCKS
from hearts_env.kernel.counts import BLOCKS as COUNTS
from hearts_env.kernel.counts import SEAT_BLOCKS, SUITS
from hearts_env.seat.universal import own_columns

Name = tuple[str, ...]


def input_names(game: Game) -> list[Name]:
    """The name of every column of a network's input: its block, and the card, way to pass or number on each axis.

    >>> from hearts_env import Match
    >>> names = input_names(Match("omnibus_hearts").game)
    >>> names[0], names[572], names[-1]
    (('hand', '2C'), ('scoring_taken', '0', 'JD'), ('winner', '3'))
    """
    cards, ways = game.deck.kinds, [option.text for option in game.options]
    labels: dict[str | int, Sequence[str]] = {"kinds": cards, "scoring_count": cards, "options": ways}
    names: list[Name] = []
    for place, index in own_columns(game):
        axes = zip(BLOCKS[place].shape, index, strict=True)
        names.append((BLOCKS[place].name, *(labels[axis][at] if axis in labels else str(at) for axis, at in axes)))
    names += [*product(COUNTS, cards), *product(("own", "unseen"), map(str, range(SUITS)))]
    return [*names, *product(SEAT_BLOCKS, map(str, range(game.seats)))]


def transfer(weights: Mapping[str, Floats], before: Game, game: Game) -> dict[str, Floats]:
    """The weights of a policy of the game `before` as those of one of `game`: inputs, actions and cards of the same
    name keep their weights, those of the others are 0. The policy must read the counts beside the observation; its
    inputs may end before those that were added after it was trained.
    """
    inputs = weights["body.0.weight"].shape[1]
    columns, actions, kinds = (
        (input_names(before)[:inputs], input_names(game)),
        (before.actions, game.actions),
        (before.deck.kinds, game.deck.kinds),
    )
    moved = dict(weights)
    for name, axis, (old, new) in (
        ("body.0.weight", 1, columns),
        ("head.weight", 0, actions),
        ("head.bias", 0, actions),
        ("own", 1, kinds),
    ):
        if name in weights:
            moved[name] = _renamed(weights[name], axis, old, new)
    return moved


def _renamed(values: Floats, axis: int, before: Sequence[Hashable], after: Sequence[Hashable]) -> Floats:
    """The values of the names `after` along an axis whose names are `before`; 0 for a name that is new."""
    places = {name: place for place, name in enumerate(before)}
    found: NDArray[np.int64] = np.array([places.get(name, len(before)) for name in after], np.int64)
    nothing = np.zeros_like(values.take([0], axis))
    return np.concatenate([values, nothing], axis).take(found, axis)
