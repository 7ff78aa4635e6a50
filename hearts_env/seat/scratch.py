"""Room for the sampler of worlds to work in."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_env.kernel.records import STATE


def scratch_records() -> tuple[NDArray[Any], NDArray[Any]]:
    """Scratch space of the sampler: a `HIDDEN` record and a `STATE` record, each as an array of one."""
    from hearts_env.kernel.deduce.constraints import HIDDEN

    hidden = np.zeros(1, HIDDEN)
    hidden["choose"] = _binomials()
    return hidden, np.zeros(1, STATE)


@cache
def _binomials() -> NDArray[np.float64]:
    from hearts_env.kernel.deduce.constraints import HIDDEN

    rows, columns = HIDDEN["choose"].shape
    table = np.zeros((rows, columns))
    table[:, 0] = 1
    for n in range(1, rows):
        table[n, 1:] = table[n - 1, 1:] + table[n - 1, :-1]
    return table
