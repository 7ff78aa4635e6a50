"""Worker processes, the queue before them, and time limits in which the seconds of compiling do not count."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, MutableSequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import partial
from multiprocessing import get_context
from multiprocessing.sharedctypes import RawArray
from threading import Lock
from time import monotonic
from typing import Any

from hearts_agents.workers import pool, work
from hearts_env.kernel import cache

Job = Callable[[], Any]
"""The task of a worker: a function of a module with its arguments, as `functools.partial` holds them."""


class Clock:
    """The seconds that processes have spent compiling. Each process has two cells: since when it compiles, 0 if it does
    not; and the sum of the times before.

    >>> clock = Clock([0.0, 0.0])
    >>> clock.mark(0, True)
    >>> clock.is_running, clock.seconds() < 60
    (True, True)
    """

    def __init__(self, cells: MutableSequence[float]) -> None:
        self.cells = cells

    @property
    def is_running(self) -> bool:
        """True while a process is compiling."""
        return any(self.cells[::2])

    def seconds(self) -> float:
        """The seconds so far."""
        now = monotonic()  # the same clock in every process of a machine
        return sum(self.cells[1::2]) + sum(now - since for since in self.cells[::2] if since)

    def mark(self, place: int, begins: bool) -> None:
        """Begin or end a time of compiling of a process."""
        if begins:
            self.cells[2 * place] = monotonic()
        else:
            self.cells[2 * place + 1] += monotonic() - self.cells[2 * place]
            self.cells[2 * place] = 0.0

    def watch(self, place: int = 0) -> None:
        """Count what this process compiles from now on. Several threads may do so at a time."""
        lock, depth = Lock(), 0

        def watcher(begins: bool) -> None:
            nonlocal depth
            with lock:
                depth += 1 if begins else -1
                if depth == begins:  # the first that begins, or the last that ends
                    self.mark(place, begins)

        cache.watchers.append(watcher)


async def limited(answer: asyncio.Future[Any], patience: float, clock: Clock) -> Any:
    """The result of a future. Raises TimeoutError after `patience` seconds in which nothing was compiled."""
    begun, before = monotonic(), clock.seconds()
    while True:
        left = patience - (monotonic() - begun) + (clock.seconds() - before)
        if left <= 0:
            raise TimeoutError
        if (await asyncio.wait([answer], timeout=max(left, 0.01)))[0]:
            return answer.result()


class Lane:
    """Worker processes and the queue before them."""

    def __init__(self, processes: int, warm_up: Job, *, stops: bool = True) -> None:
        """`warm_up` is the first thing that new workers do, without a limit.

        `stops`: whether a worker is stopped when nobody waits for its answer any more; otherwise it goes on.
        """
        self._processes, self._warm_up, self._stops = processes, warm_up, stops
        self._free = asyncio.Semaphore(processes)
        self._context: Any = None
        self._pool: ProcessPoolExecutor | None = None
        self._warming: asyncio.Future[Any] | None = None
        self.clock = Clock([])

    def _workers(self) -> ProcessPoolExecutor:
        """The worker processes, which are started when first needed."""
        if self._pool is None:
            self.clock, number = Clock(RawArray("d", 2 * self._processes)), get_context("spawn").Value("i", 0)
            self._context = pool(partial(_worker, self.clock.cells, number), self._processes)
            self._pool = self._context.__enter__()
            first = [self._run(self._pool, self._warm_up) for _ in range(self._processes)]
            self._warming = asyncio.gather(*first, return_exceptions=True)
        return self._pool

    async def warm(self) -> None:
        """Start the workers, and wait until they are ready. Who stops waiting does not stop them."""
        self._workers()
        if self._warming is not None:
            await asyncio.shield(self._warming)

    def stop(self, workers: ProcessPoolExecutor | None = None) -> None:
        """End the worker processes, whatever they do; none that have been started since `workers`."""
        if self._pool is not None and workers in (None, self._pool):
            context, self._pool = self._context, None
            with suppress(KeyboardInterrupt):
                context.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)

    async def ask(self, job: Job, patience: float) -> Any:
        """The result of a job. Raises TimeoutError if it takes longer than `patience`, in s, and what the job raises.

        Who came first is answered first. No time is counted while a job waits or something is compiled.
        """
        deaths = 0
        async with self._free:
            while deaths < 2:
                await self.warm()
                workers = self._workers()
                try:
                    return await self._answer(workers, job, patience)
                except BrokenProcessPool:  # stopped because of another job, or killed: ask again
                    deaths += workers is self._pool
                    self.stop(workers)
        raise ValueError("the worker process died twice, perhaps for lack of memory")

    async def _answer(self, workers: ProcessPoolExecutor, job: Job, patience: float) -> Any:
        answer = self._run(workers, job)
        try:
            return await limited(answer, patience, self.clock)
        except asyncio.CancelledError:  # nobody waits for it any more
            if self._stops:
                self._stop_when_compiled(workers)
            raise
        except TimeoutError:
            self.stop(workers)
            raise

    def _run(self, workers: ProcessPoolExecutor, job: Job) -> asyncio.Future[Any]:
        answer = asyncio.get_running_loop().run_in_executor(workers, work, job)
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())  # perhaps nobody asks any more
        return answer

    def _stop_when_compiled(self, workers: ProcessPoolExecutor) -> None:
        """End the workers; not while they compile, or the next who asks would have to begin again."""
        if self.clock.is_running:
            asyncio.get_running_loop().call_later(0.1, self._stop_when_compiled, workers)
        else:
            self.stop(workers)


def _worker(cells: MutableSequence[float], number: Any) -> Callable[[Job], Any]:
    """The work of a process, whose compiling is counted in cells of its own."""
    with number.get_lock():
        place = number.value
        number.value += 1
    Clock(cells).watch(place)
    return _do


def _do(job: Job) -> Any:
    return job()
