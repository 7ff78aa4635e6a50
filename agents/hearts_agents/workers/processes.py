"""Work in processes of this machine. They are spawned, and they end with the process that started them."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import parent_process
from multiprocessing.connection import wait
from multiprocessing.context import SpawnContext
from threading import Thread
from typing import Any

from hearts_agents.base import UnreadRules

_SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of Linux


@contextmanager
def pool(make: Callable[[], Callable[..., Any]], processes: int) -> Iterator[ProcessPoolExecutor]:
    """A pool for `work`. Its processes end at once when the block is left by Ctrl-C or an error, and with this process.

    Args:
        make: called once in every process; returns the function that does the work for an item.
        processes: number of processes.
    """
    context = _Context()
    workers = ProcessPoolExecutor(processes, context, _prepare, (make,))
    try:
        yield workers
    except BaseException:
        for process in context.made:
            if process.pid is not None:  # it was started
                process.kill()
        raise
    finally:
        workers.shutdown(cancel_futures=True)


class _Context(SpawnContext):
    """Records the processes that are made through it; an executor has no public list of them."""

    def __init__(self) -> None:
        super().__init__()
        self.made: list[Any] = []

    def Process(self, *args: Any, **kwargs: Any) -> Any:  # type: ignore[override]  # noqa: N802 - a class there
        process = super().Process(*args, **kwargs)
        self.made.append(process)
        return process


@dataclass
class _Worker:
    """The function that makes the work of this process, and the work itself from the first item on."""

    make: Callable[[], Callable[..., Any]] | None = None
    work: Callable[..., Any] | None = None


_worker = _Worker()


def work(item: Any, *shared: Any) -> Any:
    """Do the work for an item, in a process of a `pool`."""
    if _worker.work is None:
        assert _worker.make is not None
        _worker.work = _worker.make()
    return _worker.work(item, *shared)


def _prepare(make: Callable[[], Callable[..., Any]]) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):  # both are for the parent process, which ends this one
        signal.signal(number, lambda *_: None)  # not SIG_IGN, which the programs it starts would inherit
    _end_with_parent()
    warnings.simplefilter("ignore", UnreadRules)  # the process that starts the workers reports it
    _worker.make = make


def _end_with_parent() -> None:
    """Make sure that this process ends when its parent ends, even by SIGKILL."""
    parent = parent_process()
    assert parent is not None
    Thread(target=_await_end, args=(parent.sentinel,), daemon=True).start()  # ends at once if it has ended already
    if sys.platform == "linux":  # at once, even inside compiled code, which no thread interrupts
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)


def _await_end(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
