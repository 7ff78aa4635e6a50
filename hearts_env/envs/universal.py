"""Observations and actions of one game in the layout that all games share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hearts_env.compiled.game import Game
from hearts_env.kernel.counts import encode_counts
from hearts_env.play.universal import dynamic_size, universal_actions, universal_layout, universal_of
from hearts_env.ruleset.limits import KINDS, SEATS

Floats = NDArray[np.float32]


class UniversalForm:
    """How a game's rows and actions become universal ones.

    Attributes:
        actions: number of actions.
        hidden: numbers of the hidden hands: ten seats of 64 kinds.
    """

    def __init__(self, game: Game) -> None:
        self._game, self._fit = game, universal_of(game)
        self._columns = int(game.tables["obs_size"])
        self.actions, self.hidden = len(universal_actions()), (SEATS - 1) * KINDS

    @property
    def bounds(self) -> tuple[Floats, Floats]:
        """Lowest and highest value of every column."""
        fields = universal_layout().values()
        sizes = [field.columns.stop - field.columns.start for field in fields]
        low, high = (np.repeat([getattr(field, end) for field in fields], sizes) for end in ("low", "high"))
        return low.astype(np.float32), high.astype(np.float32)

    def own(self, action: int) -> int:
        """The game's action, given its universal number; -1 if it has none."""
        return int(self._fit.back[action])

    def mask(self, own: NDArray[np.int8]) -> NDArray[np.int8]:
        """A mask of universal actions, given that of the game's."""
        found = np.zeros(self.actions, np.int8)
        found[self._fit.actions] = own
        return found

    def row(self, states: NDArray[np.void], seat: int, own: Floats, mask: NDArray[np.int8]) -> Floats:
        """A universal observation, given that of the game, and the game's mask of the seat to act."""
        places, found = self._fit.places, np.zeros(universal_layout()["rules"].columns.stop, np.float32)
        found[places[: self._columns]] = own
        counts = np.zeros(len(places) - self._columns, np.float32)
        encode_counts(states[0], self._game.tables, seat, counts)
        found[places[self._columns :]] = counts
        if seat == states[0]["seat"]:
            kinds = len(self._game.deck.kinds)
            first = universal_layout()["legal"].columns.start
            found[first : first + kinds] = mask[:kinds]
        found[dynamic_size() :] = self._fit.statics
        return found

    def hidden_row(self, own: Floats) -> Floats:
        """The hidden hands, padded to ten seats of 64 kinds."""
        kinds = len(self._game.deck.kinds)
        found = np.zeros((SEATS - 1, KINDS), np.float32)
        found[: self._game.seats - 1, :kinds] = own.reshape(-1, kinds)
        return found.ravel()
