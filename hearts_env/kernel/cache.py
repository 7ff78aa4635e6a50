"""Compiled code on disk, and what a user sees while there is none yet."""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import ContextDecorator, ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core.registry import cpu_target
from numba.core.serialize import dumps

from hearts_env.kernel.disk import make_folder, whole, write_whole, writers

QUIET = "HEARTS_QUIET"
"""Set this environment variable to hide the message."""
ONCE = "once per version"


class DiskCache:
    """A function's compiled signatures, one file each.

    Numba's own cache depends on the time stamp of one source file, and unpickles whatever it finds; here the folder's
    name identifies all sources, and only what `disk` finds whole and safe is loaded. Code that cannot be saved is
    compiled at every start, and `compiling` reports it.
    """

    def __init__(
        self, folder: Path, function: Any, kind: str, reduce: Callable[..., Any], rebuild: Callable[..., Any]
    ) -> None:
        """`reduce` makes a result of Numba's compiler a tuple to pickle, `rebuild` the tuple a result again."""
        self.folder = folder
        self._function, self._kind, self._reduce, self._rebuild = function, kind, reduce, rebuild
        self._found: dict[Any, bytes] = {}

    @property
    def cache_path(self) -> str:
        """The folder, for Numba's `stats`."""
        return str(self.folder)

    def lacks(self, signature: Any) -> str:
        """The occasion on which a signature must be compiled, and the reason; empty if `load_overload` will find its
        code.
        """
        found = self._read(signature)
        if isinstance(found, str):
            return found
        self._found[signature] = found
        return ""

    def load_overload(self, signature: Any, target: Any) -> Any:
        """A signature's code, None if it must be compiled."""
        found = self._found.pop(signature, None) or self._read(signature)
        if isinstance(found, str):
            return None
        target.refresh()
        return self._rebuild(target, *pickle.loads(found))

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep a signature's code."""
        if result.library.has_dynamic_globals:  # addresses in this process
            return
        with suppress(OSError):
            make_folder(self.folder)
            if not writers(self.folder.stat()):
                write_whole(self._path(signature), dumps(self._reduce(result)))

    def _read(self, signature: Any) -> bytes | str:
        """A signature's code, or when and why it must be compiled."""
        path = self._path(signature)
        try:
            if others := writers(self.folder.stat()):
                return f"at every start because {self.folder} {others}"
            found = whole(path)
        except IsADirectoryError:
            return f"at every start because {path} is a folder"
        except OSError:
            return ONCE
        return found if isinstance(found, bytes) else f"again because {path} {found}"

    def _path(self, signature: Any) -> Path:
        code = self._function.__code__
        key = hashlib.sha256(repr((_machine(), signature, code.co_firstlineno, code.co_code)).encode())
        name = f"{self._function.__module__.rpartition('.')[2]}.{self._function.__qualname__}"
        return self.folder / f"{name.replace('<', '').replace('>', '')}.{key.hexdigest()[:16]}.{self._kind}"


@cache
def _machine() -> tuple[Any, ...]:
    """Everything else that compiled code depends on."""
    machine = cpu_target.target_context.codegen().magic_tuple()
    return sys.version_info[:2], numba.__version__, llvmlite.__version__, machine


class Message(ContextDecorator):
    """One line on stderr: on a terminal as long as something is compiled, elsewhere once per process."""

    def __init__(self) -> None:
        """Nothing is shown until `show`."""
        self._depth = 0
        self._on_screen = self._written = False

    def show(self, text: str) -> None:
        """Show the line, unless one is on the screen or was written."""
        if self._on_screen or not sys.stderr or os.environ.get(QUIET):
            return
        if sys.stderr.isatty():
            self._on_screen = True
            print(f"hearts: {text} ...", end="", file=sys.stderr, flush=True)
        elif not self._written:
            self._written = True
            print(f"hearts: {text}", file=sys.stderr, flush=True)

    def __enter__(self) -> None:
        self._depth += 1

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if not self._depth and self._on_screen:
            self._on_screen = False
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


one_message = Message()
"""Decorates what compiles several functions in a row."""


watchers: list[Callable[[bool], None]] = []
"""Called with True whenever this process begins to compile an entry or to wait for its code, and with False at its end:
whoever limits the time of an answer does not count these seconds."""


@contextmanager
def _watched() -> Iterator[None]:
    for watcher in watchers:
        watcher(True)
    try:
        yield
    finally:
        for watcher in watchers:
            watcher(False)


@contextmanager
def compiling(name: str, folder: Path, lack: str, seconds: int) -> Iterator[None]:
    """Compile an entry while other processes that need it wait, and report that.

    Args:
        name: the entry.
        folder: the folder for its code.
        lack: the occasion on which it is compiled, and the reason.
        seconds: how long it takes to compile everything.
    """
    what = f"compiling {name}" if any(folder.glob("*.entry")) else f"compiling, about {seconds} s"
    with one_message, _watched(), ExitStack() as held:
        try:
            make_folder(folder)
            if not writers(folder.stat()):  # whoever else writes there could keep the lock
                _wait_for_others(folder / f"{name}.lock", held)
            one_message.show(f"{what}, {lack}")
        except OSError:
            one_message.show(f"{what}, at every start because {folder} cannot be written to")
        yield


def _wait_for_others(file: Path, held: ExitStack) -> None:
    """Take the lock of an entry, when no other process compiles it; others are compiled meanwhile."""
    from filelock import FileLock, Timeout

    lock = FileLock(file)
    held.callback(lock.release)
    with suppress(NotImplementedError):  # a file system without locks
        try:
            lock.acquire(timeout=0)
        except Timeout:
            one_message.show("another process is compiling, waiting for it")
            lock.acquire()
