"""Ctrl-C and SIGTERM: as a request to save and stop, or as KeyboardInterrupt at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any


class Interrupt:
    """A context in which the first Ctrl-C or SIGTERM only sets `requested`; the second raises KeyboardInterrupt."""

    SIGNALS = (signal.SIGINT, signal.SIGTERM)

    def __init__(self) -> None:
        self.requested = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Interrupt:
        if threading.current_thread() is threading.main_thread():
            self._before = {number: signal.signal(number, self._note) for number in self.SIGNALS}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.requested:
            raise KeyboardInterrupt
        self.requested = True


@contextmanager
def interrupts() -> Iterator[Callable[[], None]]:
    """Let SIGTERM do what Ctrl-C does: raise KeyboardInterrupt in the main thread.

    Yields:
        A function to call now and then: it raises KeyboardInterrupt if one was lost. Python ignores what is raised
        while an object is deleted, as compilers do all the time, and imports turn it into errors of their own.
    """
    if threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return
    received = []

    def receive(number: int, frame: FrameType | None) -> None:
        received.append(number)
        raise KeyboardInterrupt

    def check() -> None:
        if received:
            raise KeyboardInterrupt

    numbers = [number for number in Interrupt.SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, receive) for number in numbers}
    try:
        yield check
    except Exception:
        check()
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
