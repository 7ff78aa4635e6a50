"""An external program within limits: it cannot block this process, and it ends with it (see `guard`)."""

from __future__ import annotations

import contextlib
import os
import select
import shlex
import shutil
import signal
import subprocess
import weakref
from collections.abc import Mapping
from hashlib import sha256
from time import monotonic
from typing import IO

from hearts_agents.engines import guard
from hearts_agents.engines.messages import LINE_LIMIT, Bye, write_line
from hearts_agents.files import read_file

FLOOD_LIMIT = 1 << 20
"""The most bytes that a program may write between two requests, or leave unread."""
PATIENCE = 0.3
"""Seconds after `bye` in which a program may end by itself."""
MOST_MS = 3_600_000
"""The longest time limit: an hour."""


class FaultError(Exception):
    """A failure of a program.

    Attributes:
        kind: late, died, nonsense or illegal; see `ExecAgent`. Or refused, at the start.
        deadly: whether the program is of no further use.
        reason: why it refused, or what is wrong with its answer; may be empty.
    """

    def __init__(self, kind: str, *, deadly: bool = False, reason: str = "") -> None:
        super().__init__(kind)
        self.kind, self.deadly, self.reason = kind, deadly, reason


def check_time(agent: str, name: str, milliseconds: int) -> None:
    """Raise ValueError for a time limit that is out of range."""
    if not 1 <= milliseconds <= MOST_MS:
        raise ValueError(f"{agent}: {name}={milliseconds} is not possible; it is from 1 to {MOST_MS}")


def split_command(command: str) -> list[str]:
    """Split a command into the program and its arguments as a shell does; no shell runs.

    Raises:
        ValueError: the command cannot be split, or the program does not exist.

    >>> split_command("python3 bot.py 'two words'")
    ['python3', 'bot.py', 'two words']
    """
    if os.name != "posix":
        raise ValueError("external programs can play on Linux and macOS only")
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"{command!r} is not a command: {str(error).lower()}") from None
    if not words:
        raise ValueError("name a command, such as exec:python3 bot.py")
    if shutil.which(words[0]) is None:
        raise ValueError(f"there is no program {words[0]!r}; give a path or a name in PATH")
    return words


def digest_of_files(words: list[str]) -> str:
    """SHA-256 of the files that a command names: those among its arguments, such as a script, or else the program."""
    named = [word for word in words[1:] if os.path.isfile(word)] or [shutil.which(words[0]) or words[0]]
    return sha256(b"".join(sha256(read_file(file)).digest() for file in named)).hexdigest()


class Program:
    """A running program that exchanges lines with deadlines. It is ended when this object is deleted."""

    def __init__(self, words: list[str], show_errors: bool = False) -> None:
        """Start it in a session of its own; its standard error is shown or discarded.

        Raises:
            ValueError: the program cannot be started.
        """
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=None if show_errors else subprocess.DEVNULL,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise ValueError(f"exec: {words[0]} cannot be started: {error.strerror}") from None
        guard.protect(self._process.pid)
        self._stdin, self._stdout = _pipes(self._process)
        self._unsent, self._received = bytearray(), bytearray()
        self._flood = 0
        self._end = weakref.finalize(self, _leave, self._process, self._unsent, os.getpid())

    def send(self, *messages: Mapping[str, object]) -> None:
        """Send messages without waiting; bytes that the pipe does not take are sent with the next messages.

        Raises:
            FaultError: the program has ended, or leaves too much unread.
        """
        for message in messages:
            self._unsent += write_line(message)
        if len(self._unsent) > FLOOD_LIMIT:
            raise FaultError("late", deadly=True)
        self._write()

    def request(self, *messages: Mapping[str, object]) -> None:
        """Send messages, the last of which needs an answer; errors as in `send`."""
        self._flood = len(self._received)
        self.send(*messages)

    def line(self, deadline: float) -> bytes:
        """Wait for the next line until `monotonic()` is `deadline`.

        Raises:
            FaultError: late, died, or nonsense if it writes too much.
        """
        while (end := self._received.find(b"\n")) < 0:
            if len(self._received) > LINE_LIMIT:
                raise FaultError("nonsense", deadly=True)
            self._wait(deadline)
        found = bytes(self._received[:end])
        del self._received[: end + 1]
        return found

    def exit_code(self) -> int | None:
        """Its exit code; None if it does not end within `PATIENCE`."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(PATIENCE)
        return None

    def close(self) -> None:
        """Send `bye`, then end the program and everything it started."""
        self._end()

    def kill(self) -> None:
        """End the program and everything it started at once."""
        self._unsent += b"?"  # no bye
        self._end()

    def _wait(self, deadline: float) -> None:
        left = deadline - monotonic()
        if left <= 0:
            raise FaultError("late")
        pipes = select.poll()
        pipes.register(self._stdout, select.POLLIN)
        if self._unsent:
            pipes.register(self._stdin, select.POLLOUT)
        ready = dict(pipes.poll(1000 * left))
        if self._stdin in ready:
            self._write()
        if self._stdout in ready:
            self._read()

    def _write(self) -> None:
        try:
            del self._unsent[: os.write(self._stdin, self._unsent[:LINE_LIMIT])]
        except BlockingIOError:
            pass
        except OSError:  # its end of the pipe is closed
            raise FaultError("died", deadly=True) from None

    def _read(self) -> None:
        try:
            data = os.read(self._stdout, LINE_LIMIT)
        except BlockingIOError:
            return
        if not data:
            raise FaultError("died", deadly=True)
        self._received += data
        self._flood += len(data)
        if self._flood > FLOOD_LIMIT:
            raise FaultError("nonsense", deadly=True)


def _pipes(process: subprocess.Popen[bytes]) -> tuple[int, int]:
    numbers = [pipe.fileno() for pipe in _open_pipes(process)]
    for number in numbers:
        os.set_blocking(number, False)
    return numbers[0], numbers[1]


def _open_pipes(process: subprocess.Popen[bytes]) -> list[IO[bytes]]:
    return [pipe for pipe in (process.stdin, process.stdout) if pipe is not None]


def _leave(process: subprocess.Popen[bytes], unsent: bytearray, owner: int) -> None:
    """Let a program that has read everything end by itself, then kill its session and close the pipes."""
    if os.getpid() != owner:  # a fork of this process must not end its programs
        return
    stdin, stdout = _open_pipes(process)
    with contextlib.suppress(OSError):
        if not unsent:
            os.write(stdin.fileno(), write_line(Bye(type="bye")))
    stdin.close()
    if not unsent:
        _await_end(stdout)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    guard.release(process.pid)
    process.wait()
    stdout.close()


def _await_end(stdout: IO[bytes]) -> None:
    """Wait up to `PATIENCE` until a program has closed its output."""
    deadline = monotonic() + PATIENCE
    pipes = select.poll()
    pipes.register(stdout, select.POLLIN)
    while (left := deadline - monotonic()) > 0 and pipes.poll(1000 * left):
        if not os.read(stdout.fileno(), LINE_LIMIT):
            return
