"""Several opponents, of which every episode draws one. Imports no compiler."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_env.ruleset.syntax import brief


class Mixture:
    """Opponents of which every episode draws one, for all other seats.

    >>> Mixture("rule", ["random", "rule", "rule"], weights=[0.7, 0.3])
    Mixture('rule', ['random', 'rule', 'rule'], weights=[0.7, 0.3])
    """

    def __init__(self, *opponents: Any, weights: Sequence[float] | None = None) -> None:
        """Make a mixture.

        Args:
            *opponents: each is what ``opponents=`` takes: a player for all seats, or a list with one for each.
            weights: numbers above 0, proportional to the probabilities; by default all are equal.

        Raises:
            ValueError: no opponents, or weights that do not fit them.
        """
        self.opponents, self.weights = opponents, [1.0] * len(opponents) if weights is None else [*weights]
        if not opponents:
            raise ValueError("a Mixture of opponents needs at least one")
        if len(self.weights) != len(opponents) or not all(0 < one < math.inf for one in self.weights):
            raise ValueError(f"weights={brief(weights)} must be {len(opponents)} finite numbers above 0")

    def __repr__(self) -> str:
        return f"Mixture({', '.join(map(repr, self.opponents))}, weights={self.weights})"


def shares_of(weights: Sequence[float]) -> NDArray[np.float64]:
    """Probabilities proportional to weights.

    >>> shares_of([3, 1])
    array([0.75, 0.25])
    """
    scaled = np.array(weights, np.float64) / max(weights)  # so that the sum is finite
    shares: NDArray[np.float64] = scaled / scaled.sum()
    return shares
