"""A guard: a process that ends the programs of another process when that one is gone, even by SIGKILL.

It reads ``+TARGET`` and ``-TARGET`` lines from a pipe whose other end only the guarded process holds. At the end of the
pipe it kills every target that is left: a process, or for a negative number a process group, as `os.kill` does. It runs
this file alone, so it starts in about 10 ms.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress


class _Guard:
    """The guard of this process: the process that started it, and the pipe to it."""

    owner = -1
    pipe = -1


def protect(group: int) -> None:
    """Have a process group killed when this process ends."""
    if _Guard.owner != os.getpid():
        _start()
    try:
        os.write(_Guard.pipe, b"+%d\n" % -group)
    except BrokenPipeError:  # somebody killed the guard
        _start()
        os.write(_Guard.pipe, b"+%d\n" % -group)


def release(group: int) -> None:
    """Forget a process group that has ended."""
    if _Guard.owner == os.getpid():
        with suppress(BrokenPipeError):
            os.write(_Guard.pipe, b"-%d\n" % -group)


@contextmanager
def guarding(processes: Iterable[int]) -> Iterator[None]:
    """Have processes killed if this process ends within the block; a guard of their own lasts as long as the block."""
    guard, pipe = _spawn()
    try:
        os.write(pipe, b"".join(b"+%d\n" % process for process in processes))
        yield
    finally:
        with suppress(BrokenPipeError):
            os.write(pipe, b"".join(b"-%d\n" % process for process in processes))
        os.close(pipe)
        with suppress(ChildProcessError):
            os.waitpid(guard, 0)


def _start() -> None:
    _, _Guard.pipe = _spawn()
    _Guard.owner = os.getpid()


def _spawn() -> tuple[int, int]:
    """A new guard's process, and the pipe to it."""
    reader, writer = os.pipe()
    actions = [
        (os.POSIX_SPAWN_DUP2, reader, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    guard = os.posix_spawn(sys.executable, [sys.executable, "-I", "-S", __file__], os.environ, file_actions=actions)
    os.close(reader)
    return guard, writer


def _watch() -> None:
    os.setsid()  # Ctrl-C at the terminal is not for the guard
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    targets: set[int] = set()
    for line in sys.stdin.buffer:
        (targets.add if line.startswith(b"+") else targets.discard)(int(line[1:]))
    for target in targets:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(target, signal.SIGKILL)


if __name__ == "__main__":
    _watch()
