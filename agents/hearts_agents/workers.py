"""Work in one process, in several or on a Ray cluster: chunks of an arena, parts of data sets, games to train on.

The results do not depend on who works. Processes are spawned, and they end with the process that started them, however
it ends; `hearts_agents.cluster` has the other workers.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from hearts_agents.cluster import Submit, check_address, cluster

MOST_PROCESSES = 1024
MOST_WAITING = 10_000
"""Items handed to workers and not finished."""
_SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of Linux

_Result = TypeVar("_Result")

Workers = int | str
"""The number of processes on this machine, or the address of a Ray cluster (see `hearts_agents.cluster`)."""


def spread(
    make: Callable[[], Callable[[int], _Result]],
    items: Iterable[int],
    workers: Workers,
    agents: Sequence[str] = (),
) -> Generator[_Result, None, None]:
    """Do the work for every item and yield each result as it is finished.

    Args:
        make: called once in every process that works; returns the function that does the work for an item. It is
            pickled, as are items and results.
        items: whole numbers, such as the first deal of every chunk.
        workers: who works. With 1, the work is done in this process, in the order of the items.
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
        with cluster(make, workers, agents) as submit:
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


def check_processes(processes: int) -> None:
    """Raise ValueError for an impossible number of processes."""
    if not 1 <= processes <= MOST_PROCESSES:
        raise ValueError(f"processes={processes} must be from 1 to {MOST_PROCESSES}")


def check_workers(workers: Workers) -> None:
    """Raise ValueError for an impossible number of processes, or an address at which nobody listens."""
    if isinstance(workers, int):
        check_processes(workers)
    else:
        check_address(workers)


def check_sendable(name: str, value: Any) -> None:
    """Raise ValueError for an agent that cannot be sent to another process."""
    try:
        pickle.dumps(value)
    except Exception as error:  # pickling calls the agent's own code
        reason = " ".join(str(error).split())
        raise ValueError(
            f"agent {name} cannot be sent to another process ({reason}); use processes=1 or name it by its spec"
        ) from None


@contextmanager
def pool(make: Callable[[], Callable[..., Any]], processes: int) -> Iterator[ProcessPoolExecutor]:
    """A pool for `work`. Its processes end at once when the block is left by Ctrl-C or an error, and with this process.

    Args:
        make: called once in every process; returns the function that does the work for an item.
        processes: number of processes.
    """
    others = set(active_children())
    workers = ProcessPoolExecutor(processes, get_context("spawn"), _prepare, (make,))
    try:
        yield workers
    except BaseException:
        for child in set(active_children()) - others:
            child.kill()
        raise
    finally:
        workers.shutdown(cancel_futures=True)


@dataclass
class _Worker:
    """How this process makes its work, and the work itself from the first item on."""

    make: Callable[[], Callable[..., Any]] | None = None
    work: Callable[..., Any] | None = None


_worker = _Worker()


def _prepare(make: Callable[[], Callable[..., Any]]) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):  # both are for the parent process, which ends this one
        signal.signal(number, lambda *_: None)  # not SIG_IGN, which the programs it starts would inherit
    _end_with_parent()
    _worker.make = make


def _end_with_parent() -> None:
    """See to it that this process ends when its parent ends, even by SIGKILL."""
    parent = parent_process()
    assert parent is not None
    Thread(target=_await_end, args=(parent.sentinel,), daemon=True).start()  # ends at once if it has ended already
    if sys.platform == "linux":  # at once, even inside compiled code, which no thread interrupts
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)


def _await_end(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


def work(item: Any, *shared: Any) -> Any:
    """Do the work for an item, in a process of a `pool`."""
    if _worker.work is None:
        assert _worker.make is not None
        _worker.work = _worker.make()
    return _worker.work(item, *shared)
