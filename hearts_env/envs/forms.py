"""Layouts that are chosen: one that some games share, and columns that a function makes of views."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_env.compiled.game import Game
from hearts_env.envs.all_seats import views_in
from hearts_env.envs.options import LAYOUTS, one_of
from hearts_env.envs.universal import Floats, UniversalForm
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import Array
from hearts_env.ruleset.syntax import brief
from hearts_env.seat.shared import SharedLayout
from hearts_env.seat.universal import layout_version, universal_actions, universal_layout
from hearts_env.seat.view import Views
from hearts_env.table.match import Match

Layout = str | SharedLayout
Features = Callable[[Views], Any]


class SharedForm(UniversalForm):
    """Conversion of a game's rows and actions to those of a `SharedLayout`."""

    def __init__(self, game: Game, layout: SharedLayout) -> None:
        """Raises ValueError for a game that needs more than the layout has."""
        super().__init__(game)
        self._layout, self._fit, self.actions = layout, layout.fit(game), len(layout.numbers)

    @property
    def bounds(self) -> tuple[Floats, Floats]:
        """Lowest and highest value of every column."""
        low, high = super().bounds
        return low[self._layout.columns], high[self._layout.columns]

    def rows(self, states: NDArray[np.void], seats: Any, own: Floats, masks: NDArray[np.int8]) -> Floats:
        """Observations in the layout, (n, columns), given those of the game."""
        found = np.zeros((len(own), len(self._layout.columns)), np.float32)
        found[:, self._fit.places], found[:, self._layout.dynamic :] = own, self._fit.statics
        return found

    def with_all_legal(self, rows: Floats) -> Floats:
        """The same: no column says what is legal."""
        return rows

    def why_not(self, number: int) -> str:
        """The message for a number that is none of the game's actions."""
        return f"action {universal_actions()[self._layout.numbers[number]]} is none of {self._game.rules}"


class FeatureForm(UniversalForm):
    """Columns that a function makes of views, and the actions of the game or of another form."""

    def __init__(self, game: Game, features: Features, inner: UniversalForm | None = None) -> None:
        """Raises ValueError for a function that does not return numbers of a view's columns."""
        if not callable(features):
            raise ValueError(f"features={brief(features)} is not possible; it is a function of views")
        self._game, self._features, self._inner = game, features, inner
        self.actions = len(game.actions) if inner is None else inner.actions
        self.hidden = (game.seats - 1) * len(game.deck.kinds) if inner is None else inner.hidden
        match, self._columns = Match(game.rules, seed=0), -1
        self._columns = self.of(Views.of(match.view(match.seat or 0))).shape[1]

    def of(self, views: Views) -> Floats:
        """The columns of views, float32 (n, columns). Raises ValueError for another shape."""
        found = np.asarray(self._features(views), np.float32)
        if found.ndim != 2 or len(found) != len(views) or self._columns not in (-1, found.shape[1]):
            columns = "columns" if self._columns < 0 else self._columns
            raise ValueError(f"features returned shape {found.shape}; it must be ({len(views)}, {columns})")
        return found

    @property
    def bounds(self) -> tuple[Floats, Floats]:
        """Any number."""
        return np.full(self._columns, -np.inf, np.float32), np.full(self._columns, np.inf, np.float32)

    def rows(self, states: NDArray[Any], seats: Any, own: Floats, masks: NDArray[np.int8]) -> Floats:
        """The columns of a seat of each game, (n, columns); 0 where it is not to act."""
        found = np.zeros((len(states), self._columns), np.float32)
        places = np.flatnonzero((states["seat"] == np.asarray(seats)) & (states["seat"] >= 0))
        if places.size:
            found[places] = self.of(views_in(self._game, states, places))
        return found

    def own(self, numbers: Any) -> NDArray[np.int64]:
        """The game's actions."""
        return np.asarray(numbers, np.int64) if self._inner is None else self._inner.own(numbers)

    def numbers(self, own: Any) -> NDArray[np.int64]:
        """The numbers of the game's actions."""
        return np.asarray(own, np.int64) if self._inner is None else self._inner.numbers(own)

    def masks(self, own: NDArray[np.int8]) -> NDArray[np.int8]:
        """Masks of actions, given those of the game's."""
        return own.copy() if self._inner is None else self._inner.masks(own)

    def with_all_legal(self, rows: Floats) -> Floats:
        """The same."""
        return rows

    def hidden_rows(self, own: Floats) -> Floats:
        """The hidden hands."""
        return own if self._inner is None else self._inner.hidden_rows(own)

    def why_not(self, number: int) -> str:
        """The message for a number that is none of the game's actions."""
        assert self._inner is not None
        return self._inner.why_not(number)


def check_layout(layout: Any, choices: tuple[str, ...] = LAYOUTS) -> None:
    """Raise ValueError, naming the closest, for what is no layout."""
    if not isinstance(layout, SharedLayout):
        one_of("layout", layout, choices)


def form_of(game: Game, layout: Layout, features: Features | None = None) -> UniversalForm | None:
    """The form of observations and actions; None for the game's own. Raises ValueError for options that do not fit."""
    check_layout(layout)
    form: UniversalForm | None = None
    if isinstance(layout, SharedLayout):
        form = SharedForm(game, layout)
    elif layout != "variant":
        form = UniversalForm(game, layout_version(layout))
    return form if features is None else FeatureForm(game, features, form)


@jit
def encode_part(columns: Array, values: Array, sizes: Array, kept: Array, out: Array) -> None:
    """Write the entries of sparse rows whose columns are kept: `kept` has the new place of a column, or -1."""
    for i in range(sizes.shape[0]):
        out[i, :] = 0
        for entry in range(sizes[i]):
            place = kept[columns[i, entry]]
            if place >= 0:
                out[i, place] = values[i, entry]


def kept_columns(layout: SharedLayout) -> NDArray[np.int16]:
    """The place in a layout of every universal column, or -1."""
    found = np.full(universal_layout()["rules"].columns.stop, -1, np.int16)
    found[layout.columns] = np.arange(len(layout.columns))
    return found
