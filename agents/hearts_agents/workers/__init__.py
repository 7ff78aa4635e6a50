"""Work in this process, in several or on a Ray cluster: chunks of an arena, parts of data sets, games to train on.

The results do not depend on the number or kind of workers. `processes` works on this machine, `cluster` on others.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from queue import SimpleQueue
from typing import Any, TypeVar

from hearts_agents.workers.cluster import ClusterError, Submit, check_address, ray_cluster
from hearts_agents.workers.processes import pool, work

__all__ = [
    "ClusterError",
    "Submit",
    "Workers",
    "check_sendable",
    "check_workers",
    "pool",
    "spread",
    "submitting",
    "work",
]

MOST_PROCESSES = 1024
MOST_WAITING = 10_000
"""Items handed to workers and not finished."""

_Result = TypeVar("_Result")

Workers = int | str
"""The number of processes on this machine, or the address of a Ray cluster (see `hearts_agents.workers.cluster`)."""


def spread(
    make: Callable[[], Callable[[int], _Result]],
    items: Iterable[int],
    workers: Workers,
    agents: Sequence[str] = (),
) -> Generator[_Result, None, None]:
    """Do the work for every item and yield each result as it is finished.

    >>> list(spread(lambda: abs, [1, -2], workers=1))
    [1, 2]

    Args:
        make: called once in every process that works; returns the function that does the work for an item. It is
            pickled, as are items and results.
        items: whole numbers, such as the first deal of every chunk.
        workers: the workers. With 1, the work is done in this process, in the order of the items.
        agents: specs of agents that take part; a worker of a cluster must have the same weights of them.

    Raises:
        ChildProcessError: a process died.
        ValueError: a bad address, or a worker of a cluster that was refused.
        ClusterError: a cluster that failed; an OSError.
    """
    left = list(items)
    if workers == 1 or not left:
        yield from map(make(), left) if left else ()
        return
    processes = min(workers, max(2, len(left))) if isinstance(workers, int) else workers
    with submitting(make, processes, agents) as submit:
        # futures report themselves: `wait` holds the locks of all of them, and Ctrl-C there would leave them locked
        done, rest = SimpleQueue[Future[_Result]](), iter(left)
        for item in islice(rest, MOST_WAITING):
            submit(item).add_done_callback(done.put)
        for _ in left:
            future = done.get()
            for item in islice(rest, 1):
                submit(item).add_done_callback(done.put)
            yield future.result()


@contextmanager
def submitting(
    make: Callable[[], Callable[..., Any]], workers: Workers, agents: Sequence[str] = ()
) -> Iterator[Submit]:
    """A function that hands items to workers; arguments and errors are those of `spread`.

    With one worker the work is done at once, in this process. What has not been finished when the block is left is
    dropped.
    """
    check_workers(workers)
    if workers == 1:
        own = make()
        yield lambda item, *shared: _finished(own(item, *shared))
    elif isinstance(workers, str):
        with ray_cluster(make, workers, agents) as submit:
            yield submit
    else:
        try:
            with pool(make, workers) as executor:
                yield lambda item, *shared: executor.submit(work, item, *shared)
        except BrokenProcessPool:
            raise ChildProcessError("a worker process died, perhaps for lack of memory; use fewer processes") from None


def _finished(result: Any) -> Future[Any]:
    future = Future[Any]()
    future.set_result(result)
    return future


def check_workers(workers: Workers) -> None:
    """Raise ValueError for an impossible number of processes, or an address at which nobody listens."""
    if isinstance(workers, str):
        check_address(workers)
    elif not 1 <= workers <= MOST_PROCESSES:
        raise ValueError(f"processes={workers} must be from 1 to {MOST_PROCESSES}")


def check_sendable(name: str, value: Any) -> None:
    """Raise ValueError for an agent that cannot be sent to another process."""
    try:
        pickle.dumps(value)
    except Exception as error:  # pickling calls the agent's own code
        reason = " ".join(str(error).split())
        raise ValueError(
            f"agent {name} cannot be sent to another process ({reason}); use processes=1 or name it by its spec"
        ) from None
