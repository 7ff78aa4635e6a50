"""Ctrl-C, SIGTERM and a closed terminal: as a request to save and stop, or as KeyboardInterrupt at once.

Where the process ignores one of them, as under nohup, it stays ignored; outside the main thread no handler is changed.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


@contextmanager
def handled(handle: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Let a function handle `SIGNALS`."""
    numbers = [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    if threading.current_thread() is not threading.main_thread():
        numbers = []
    before = {number: signal.signal(number, handle) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@dataclass
class Interrupt:
    """A request to a run to save and stop."""

    requested: bool = False


@contextmanager
def postponed_interrupts() -> Iterator[Interrupt]:
    """Let the first of `SIGNALS` only set `requested`; the second raises KeyboardInterrupt."""
    interrupt = Interrupt()

    def receive(number: int, frame: FrameType | None) -> None:
        if interrupt.requested:
            raise KeyboardInterrupt
        interrupt.requested = True

    with handled(receive):
        yield interrupt


@contextmanager
def interrupts() -> Iterator[Callable[[], None]]:
    """Let `SIGNALS` do what Ctrl-C does: raise KeyboardInterrupt in the main thread.

    Yields:
        A function to call now and then: it raises KeyboardInterrupt if one was lost. Python ignores what is raised
        while an object is deleted, as compilers do all the time, and imports turn it into errors of their own.
    """
    received = []

    def receive(number: int, frame: FrameType | None) -> None:
        received.append(number)
        raise KeyboardInterrupt

    def check() -> None:
        if received:
            raise KeyboardInterrupt

    with handled(receive):
        try:
            yield check
        except Exception:
            check()
            raise
