"""The smallest layout of observations and actions that some games share: a part of that of all games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hearts_env.compiled.game import Game, compile_game
from hearts_env.ruleset.model import Rules
from hearts_env.seat.universal import Universal, dynamic_size, universal_actions, universal_layout, universal_of
from hearts_env.variants.registry import rules as read_rules


@dataclass(frozen=True, eq=False)
class SharedLayout:
    """What `shared_layout` returns, for ``layout=`` of the environments.

    Attributes:
        rules: texts of the games.
        columns: (columns,) int64, ascending: the column of `universal_layout` that each column is.
        numbers: (actions,) int64, ascending: the universal number of each action.
    """

    rules: tuple[str, ...]
    columns: NDArray[np.int64]
    numbers: NDArray[np.int64]

    @property
    def fields(self) -> dict[str, slice]:
        """Field of `universal_layout` -> its columns here; of fields that have any."""
        ends = {name: np.searchsorted(self.columns, field.columns.stop) for name, field in universal_layout().items()}
        starts = dict(zip(ends, [0, *ends.values()], strict=False))
        return {name: slice(int(starts[name]), int(end)) for name, end in ends.items() if end > starts[name]}

    @property
    def actions(self) -> tuple[str, ...]:
        """The universal name of every action."""
        return tuple(universal_actions()[number] for number in self.numbers)

    @property
    def dynamic(self) -> int:
        """Columns that change in a game; those of the rules follow them."""
        return int(np.searchsorted(self.columns, dynamic_size()))

    def fit(self, game: Game) -> Universal:
        """The place of a game in this layout, without counts. Raises ValueError if it needs more."""
        return _fit(self, game)


@lru_cache(maxsize=512)
def _fit(layout: SharedLayout, game: Game) -> Universal:
    whole, count = universal_of(game), int(game.tables["obs_size"])
    own, actions = whole.places[:count].astype(np.int64), whole.actions.astype(np.int64)
    if not (np.isin(own, layout.columns).all() and np.isin(actions, layout.numbers).all()):
        raise ValueError(f"{game.rules} needs columns or actions that the layout of {'; '.join(layout.rules)} lacks")
    places = np.searchsorted(layout.columns, own).astype(np.int16)
    here = np.searchsorted(layout.numbers, actions).astype(np.int16)
    rules = whole.statics[layout.columns[layout.dynamic :] - dynamic_size()]
    return Universal(places, here, whole.back[layout.numbers], rules)


def shared_layout(games: Sequence[str | Rules]) -> SharedLayout:
    """The smallest layout that some games share: the columns of their own observations, the numbers of the rules in
    which they differ, and their actions.

    >>> layout = shared_layout(["black_lady", "omnibus_hearts"])
    >>> len(layout.columns), len(layout.actions), layout.fields["hand"]
    (695, 54, slice(0, 52, None))

    Args:
        games: rules or their texts, one or more. Other games that need no more columns and actions fit as well.

    Raises:
        RulesError: unknown, misspelled or contradictory rules.
        ValueError: no rules.
    """
    if isinstance(games, str | Rules) or not games:
        raise ValueError(f"{games!r} is not possible; shared_layout takes a list of rules, one or more")
    compiled = [compile_game(read_rules(one)) for one in games]
    fits = [universal_of(game) for game in compiled]
    own = [fit.places[: int(game.tables["obs_size"])] for fit, game in zip(fits, compiled, strict=True)]
    statics = np.stack([fit.statics for fit in fits])
    told = dynamic_size() + np.flatnonzero((statics != statics[0]).any(0))
    columns = np.unique(np.concatenate([*own, told])).astype(np.int64)
    numbers = np.unique(np.concatenate([fit.actions for fit in fits])).astype(np.int64)
    return SharedLayout(tuple(str(game.rules) for game in compiled), columns, numbers)
