"""Small networks for rollouts, beside the large ones from which they were distilled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from hearts_agents.base import AgentRefused
from hearts_agents.files import read_file, write_file
from hearts_agents.neural.saved import digest_of
from hearts_agents.weights import SMALL, folder_of
from hearts_env.compiled.game import Game
from hearts_env.kernel.records import STATE
from hearts_env.seat.view import View

LAYERS = ("first", "first_bias", "second", "second_bias", "head", "head_bias")


class SmallNetwork:
    """A network of two hidden layers for cards in play, run by compiled code (`hearts_agents.search.small`).

    Attributes:
        kinds, seats: of the games that it plays.
        digest: of its weights.
    """

    def __init__(self, net: str | Path) -> None:
        """Load it from the folder of a network. Raises ValueError if there is none, or it is broken."""
        from hearts_agents.search.small import MOST, columns_in_all

        file = folder_of(net) / SMALL
        try:
            layers = load(read_file(file))
            parts = [np.asarray(layers[name], np.float32) for name in LAYERS]
            self.seats, self.kinds = (int(number) for number in layers["game"])
        except FileNotFoundError:
            raise ValueError(f"{folder_of(net).name} has no {SMALL}; leave small out") from None
        except (OSError, SafetensorError, KeyError, ValueError) as error:
            raise ValueError(f"{file} is broken: {' '.join(str(error).split())}") from None
        inputs, width = columns_in_all(self.seats, self.kinds), len(parts[1])
        shapes = [(inputs, width), (width,), (width, width), (width,), (self.kinds, width), (self.kinds,)]
        if (
            width < self.kinds
            or [part.shape for part in parts] != shapes
            or not all(np.isfinite(part).all() for part in parts)
        ):
            raise ValueError(f"{file} is broken: its layers do not fit together")
        self._network = (
            np.concatenate([part.ravel() for part in parts]),
            np.zeros((3, width), np.float32),
            np.zeros(1 + MOST, np.uint64),
        )
        self.digest = digest_of({name: layers[name] for name in LAYERS})

    def play_out(self, game: Game, tables: NDArray[Any]) -> None:
        """Play every record, limited to its deal, to the end. Raises AgentRefused for a game of another shape."""
        from hearts_agents.search.small import play_out

        self._check(game)
        play_out(tables, game.tables, *self._network)

    def weights(self, view: View, worlds: NDArray[Any], slip: float, behind: float) -> NDArray[np.float64]:
        """(n,) importance weights of worlds, sum 1: how likely the network is to have played the others' cards.

        Args:
            view: the view.
            worlds: (n,) records that agree with it.
            slip: probability that a seat plays any legal card.
            behind: worlds whose logarithm is so far below the best are given up.
        """
        from hearts_agents.search.small import weigh_worlds

        self._check(view.game)
        logs, limits, work = np.zeros(len(worlds)), np.array([slip, behind]), np.zeros(1, STATE)
        weigh_worlds(view.record, view.game.tables, worlds, limits, work, logs, *self._network)
        powers: NDArray[np.float64] = np.exp(logs - logs.max())
        shares: NDArray[np.float64] = powers / powers.sum()
        return shares

    def _check(self, game: Game) -> None:
        if (game.seats, len(game.deck.kinds)) != (self.seats, self.kinds):
            raise AgentRefused(f"{SMALL} plays games of {self.seats} seats and {self.kinds} kinds, not {game.rules}")


def save_small(folder: Path, game: Game, layers: dict[str, NDArray[np.float32]]) -> None:
    """Write a small network into the folder of the large one, in half precision."""
    halves = {name: np.ascontiguousarray(layers[name], np.float16) for name in LAYERS}
    write_file(folder / SMALL, save(halves | {"game": np.array([game.seats, len(game.deck.kinds)], np.int64)}))
