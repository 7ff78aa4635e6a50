"""Observations and actions of one game in the layout that all games share."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_env.compiled.game import Game
from hearts_env.kernel.counts import encode_card_counts_all
from hearts_env.ruleset.limits import KINDS, SEATS
from hearts_env.seat.universal import (
    dynamic_size,
    universal_actions,
    universal_layout,
    universal_of,
    universal_size,
)

Floats = NDArray[np.float32]


class UniversalForm:
    """Conversion of a game's rows and actions to universal ones.

    Attributes:
        actions: number of actions.
        hidden: numbers of the hidden hands: ten seats of 64 kinds.
    """

    def __init__(self, game: Game, version: int | None = None) -> None:
        """Raises ValueError for a version of the layout that lacks something that the game needs."""
        self._game, self._fit, self._version = game, universal_of(game, version), version
        self._columns = int(game.tables["obs_size"])
        self.actions, self.hidden = len(universal_actions(version)), (SEATS - 1) * KINDS

    @property
    def bounds(self) -> tuple[Floats, Floats]:
        """Lowest and highest value of every column."""
        fields = universal_layout(self._version).values()
        sizes = [field.columns.stop - field.columns.start for field in fields]
        low, high = (np.repeat([getattr(field, end) for field in fields], sizes) for end in ("low", "high"))
        return low.astype(np.float32), high.astype(np.float32)

    def own(self, numbers: Any) -> NDArray[np.int64]:
        """The game's actions, given universal numbers; -1 where it has none."""
        given = np.asarray(numbers, np.int64)
        there = (given >= 0) & (given < self.actions)
        return np.where(there, self._fit.back[given * there], -1).astype(np.int64)

    def numbers(self, own: Any) -> NDArray[np.int64]:
        """The universal numbers of the game's actions."""
        found: NDArray[np.int64] = self._fit.actions[own].astype(np.int64)
        return found

    def masks(self, own: NDArray[np.int8]) -> NDArray[np.int8]:
        """Masks of universal actions, (..., actions), given those of the game's."""
        found = np.zeros((*own.shape[:-1], self.actions), np.int8)
        found[..., self._fit.actions] = own
        return found

    def rows(self, states: NDArray[np.void], seats: Any, own: Floats, masks: NDArray[np.int8]) -> Floats:
        """Universal observations of a seat of each game, (n, columns), given those of the game, and the game's masks of
        the seats to act.
        """
        seats, places, kinds = np.asarray(seats, np.int64), self._fit.places, len(self._game.deck.kinds)
        found = np.zeros((len(states), universal_size(self._version)), np.float32)
        found[:, places[: self._columns]] = own
        counts = np.empty((len(states), len(places) - self._columns), np.float32)
        encode_card_counts_all(states, self._game.tables, seats, counts)
        found[:, places[self._columns :]] = counts
        first = universal_layout(self._version)["legal"].columns.start
        found[:, first : first + kinds] = masks[:, :kinds] * (states["seat"] == seats)[:, None]
        found[:, dynamic_size(self._version) :] = self._fit.statics
        return found

    def with_all_legal(self, rows: Floats) -> Floats:
        """Universal observations of episodes that are over, (..., columns): every card of the game is legal there."""
        first = universal_layout(self._version)["legal"].columns.start
        found = rows.copy()
        found[..., first : first + len(self._game.deck.kinds)] = 1
        return found

    def hidden_rows(self, own: Floats) -> Floats:
        """The hidden hands, (n, hidden), padded to ten seats of 64 kinds."""
        kinds = len(self._game.deck.kinds)
        found = np.zeros((len(own), SEATS - 1, KINDS), np.float32)
        found[:, : self._game.seats - 1, :kinds] = own.reshape(len(own), -1, kinds)
        return found.reshape(len(own), -1)

    def why_not(self, number: int) -> str:
        """The message for a number that is none of the game's actions."""
        return f"action {universal_actions(self._version)[number]} is none of {self._game.rules}"
