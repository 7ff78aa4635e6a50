"""Work on many games, divided among threads."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, TypeVar

from numpy.typing import NDArray

_T = TypeVar("_T")


class Slices:
    """Threads that share the rows of arrays.

    The caller is one of them. The others start when they are first needed, in each process anew: copies and unpickled
    objects start their own, and so does the child after a fork.

    >>> import numpy as np
    >>> slices = Slices(threads=2)
    >>> slices.each(lambda rows: rows.tolist(), np.arange(5))
    [[0, 1], [2, 3, 4]]
    >>> slices.close()
    """

    def __init__(self, threads: int) -> None:
        """Nothing is started yet."""
        self.threads = threads
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0

    def __reduce__(self) -> tuple[Any, ...]:
        return Slices, (self.threads,)

    def each(self, work: Callable[..., _T], *arrays: NDArray[Any], fewest: int = 1) -> list[_T]:
        """Call `work` with equal parts of all arrays, which are equally long. Returns the results in order.

        No part has less than `fewest` rows, unless it is the only one: waking a thread takes as long as some work.
        """
        count = len(arrays[0])
        parts = max(min(self.threads, count // fewest), 1)
        cuts = pairwise(count * part // parts for part in range(parts + 1))
        own, *others = [tuple(array[slice(*cut)] for array in arrays) for cut in cuts]
        running = [self._workers().submit(work, *part) for part in others]
        return [work(*own), *(future.result() for future in running)]

    def _workers(self) -> ThreadPoolExecutor:
        if self._pool is None or self._process != os.getpid():  # threads do not survive a fork
            self._pool, self._process = ThreadPoolExecutor(self.threads - 1), os.getpid()
        return self._pool

    def close(self) -> None:
        """Stop the threads; the next call of `each` starts others."""
        if self._pool is not None and self._process == os.getpid():
            self._pool.shutdown()
        self._pool = None
