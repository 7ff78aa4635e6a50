"""A network of one game as the start of a network for another: what both games see and do keeps its weights."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import product

import torch

from hearts_agents.neural.inputs import input_size
from hearts_agents.neural.policy import PolicyNet
from hearts_env.compiled.game import Game
from hearts_env.kernel.columns import BLOCKS
from hearts_env.kernel.counts import BLOCKS as COUNTS
from hearts_env.kernel.counts import SUITS
from hearts_env.play.universal import own_columns

Name = tuple[str, ...]


def input_names(game: Game) -> list[Name]:
    """The name of every column of a network's input: its block, and the card, way to pass or number on each axis.

    >>> from hearts_env import Match
    >>> names = input_names(Match("omnibus_hearts").game)
    >>> names[0], names[572], names[-1]
    (('hand', '2C'), ('scoring_taken', '0', 'JD'), ('unseen', '4'))
    """
    cards, ways = game.deck.kinds, [option.text for option in game.options]
    labels: dict[str | int, Sequence[str]] = {"kinds": cards, "scoring_count": cards, "options": ways}
    names: list[Name] = []
    for place, index in own_columns(game):
        axes = zip(BLOCKS[place].shape, index, strict=True)
        names.append((BLOCKS[place].name, *(labels[axis][at] if axis in labels else str(at) for axis, at in axes)))
    return [*names, *product(COUNTS, cards), *product(("own", "unseen"), map(str, range(SUITS)))]


def transfer(policy: PolicyNet, before: Game, game: Game) -> PolicyNet:
    """The policy of the game `before` as one of `game`: inputs, actions and cards of the same name keep their weights,
    the weights of the others are 0. `policy` must read the counts beside the observation.
    """
    own = 0 if policy.own is None else len(game.deck.kinds)
    moved = PolicyNet(input_size(game), len(game.actions), policy.hidden, own)
    columns = _common(input_names(before), input_names(game))
    actions = _common(before.actions, game.actions)
    weights = policy.state_dict()
    for name, axis, (old, new) in (
        ("body.0.weight", 1, columns),
        ("head.weight", 0, actions),
        ("head.bias", 0, actions),
        ("own", 1, _common(before.deck.kinds, game.deck.kinds)),
    ):
        if name in weights:
            target = torch.zeros_like(moved.state_dict()[name])
            weights[name] = target.index_copy(axis, new, weights[name].index_select(axis, old))
    moved.load_state_dict(weights)
    return moved


def _common(before: Sequence[Hashable], after: Sequence[Hashable]) -> tuple[torch.Tensor, torch.Tensor]:
    """Where the names that both lists have stand in the first and in the second."""
    places = {name: place for place, name in enumerate(before)}
    pairs = [(places[name], place) for place, name in enumerate(after) if name in places]
    old, new = torch.tensor(pairs, dtype=torch.int64).reshape(-1, 2).T
    return old, new
