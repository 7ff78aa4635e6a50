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
from uuid import uuid4

import llvmlite
import numba
from numba.core.registry import cpu_target
from numba.core.serialize import dumps

LOCK = "compiling.lock"
QUIET = "HEARTS_QUIET"
"""Set this environment variable to hide the message."""


class Store:
    """A function's compiled signatures, one file each.

    Numba's own cache depends on the time stamp of one source file; here the folder's name identifies all sources. Code
    that cannot be saved is compiled at every start, and `compiling` reports it.
    """

    def __init__(
        self, folder: Path, function: Any, kind: str, reduce: Callable[..., Any], rebuild: Callable[..., Any]
    ) -> None:
        """`reduce` makes a result of Numba's compiler a tuple to pickle, `rebuild` the tuple a result again."""
        self.folder = folder
        self._function, self._kind, self._reduce, self._rebuild = function, kind, reduce, rebuild

    @property
    def cache_path(self) -> str:
        """The folder, for Numba's `stats`."""
        return str(self.folder)

    def has(self, signature: Any) -> bool:
        """Whether a signature is on disk."""
        return os.path.exists(self._path(signature))  # False too where it may not be looked for

    def load_overload(self, signature: Any, target: Any) -> Any:
        """A signature's code, None if it is not on disk."""
        target.refresh()
        try:
            saved = pickle.loads(self._path(signature).read_bytes())
        except OSError:
            return None
        return self._rebuild(target, *saved)

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep a signature's code."""
        if result.library.has_dynamic_globals:  # addresses in this process
            return
        path = self._path(signature)
        unfinished = path.with_suffix(f".{uuid4().hex}")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            unfinished.write_bytes(dumps(self._reduce(result)))
            unfinished.replace(path)
        except OSError:
            with suppress(OSError):
                unfinished.unlink()

    def _path(self, signature: Any) -> Path:
        code = self._function.__code__
        key = hashlib.sha256(repr((_machine(), signature, code.co_firstlineno, code.co_code)).encode())
        name = f"{self._function.__module__.rpartition('.')[2]}.{self._function.__qualname__}"
        return self.folder / f"{name.replace('<', '').replace('>', '')}.{key.hexdigest()[:16]}.{self._kind}"


@cache
def _machine() -> tuple[Any, ...]:
    """What else compiled code depends on."""
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


@contextmanager
def compiling(name: str, folder: Path) -> Iterator[None]:
    """Compile an entry while other processes wait for it, and say so."""
    from filelock import FileLock, Timeout

    what = f"compiling {name}" if any(folder.glob("*.entry")) else "compiling, about 20 s"
    with one_message, ExitStack() as held:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(folder / LOCK)
            held.callback(lock.release)
            with suppress(NotImplementedError):  # a file system without locks
                try:
                    lock.acquire(timeout=0)
                except Timeout:
                    one_message.show("another process is compiling, waiting for it")
                    lock.acquire()
            one_message.show(f"{what}, once per version")
        except OSError:
            one_message.show(f"{what}, at every start because {folder} cannot be written to")
        yield
