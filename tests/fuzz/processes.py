"""Commands in processes of their own: how they end, how much memory they take, and what they leave running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from tests.fuzz.attack import BrokenError

TAG = "HEARTS_FUZZ_TAG"
LEAVING = 3.0
"""Seconds in which everything that a command has started must end after it."""


@dataclass(frozen=True)
class Ended:
    """How a command ended: exit code (minus the signal that ended it), output, and most memory in MiB."""

    code: int
    out: str
    errors: str
    memory: int


class Running:
    """A module run as a command in a session of its own; whatever it starts is known by a tag in its environment."""

    def __init__(self, arguments: list[str], folder: Path) -> None:
        self.tag, self.folder = uuid4().hex, folder
        environment = os.environ | {TAG: self.tag, "HEARTS_QUIET": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
        self._files = folder / f"{self.tag}.out", folder / f"{self.tag}.err"
        with self._files[0].open("wb") as out, self._files[1].open("wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", *arguments],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=errors,
                start_new_session=True,
            )

    def end(self, seconds: float) -> Ended:
        """Wait for its end. Raises BrokenError if it takes too long, or leaves processes behind."""
        until = time.monotonic() + seconds
        status, usage = 0, None
        while usage is None:
            done, status, used = os.wait4(self.process.pid, os.WNOHANG)
            if done:
                usage = used
                self.process.returncode = os.waitstatus_to_exitcode(status)
            elif time.monotonic() > until:
                self._end_all()
                raise BrokenError(f"the command does not end in {seconds:.0f} s")
            else:
                time.sleep(0.02)
        self._demand_none_left()
        out, errors = (file.read_text(encoding="utf-8", errors="replace") for file in self._files)
        return Ended(self.process.returncode, out, errors, usage.ru_maxrss // 1024)

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the command alone."""
        with suppress(ProcessLookupError):
            os.kill(self.process.pid, number)

    def _demand_none_left(self) -> None:
        until = time.monotonic() + LEAVING
        while (left := self.left()) and time.monotonic() < until:
            time.sleep(0.05)
        if left:
            names = sorted({_name(pid) for pid in left})
            self._end_all()
            raise BrokenError(f"{len(left)} processes are left: {', '.join(names)}")

    def _end_all(self) -> None:
        for pid in [*self.left(), self.process.pid]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(self.process.pid, 0)

    def left(self) -> list[int]:
        """The processes that this command has started, directly or not, and that still run."""
        tag = f"{TAG}={self.tag}".encode()
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if int(folder.name) != self.process.pid and tag in (folder / "environ").read_bytes():
                    found.append(int(folder.name))
        return found


def _name(pid: int) -> str:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return "one that has ended"
    return " ".join(Path(word.decode(errors="replace")).name for word in words[:4])


def demand_good_end(ended: Ended, what: str) -> None:
    """Raise BrokenError unless a command ended well, or with one line that says why not."""
    if "Traceback" in ended.errors or (ended.code and ended.errors.count("\n") != 1):
        raise BrokenError(f"{what} ends with exit code {ended.code} and {' '.join(ended.errors.split())[-300:]!r}")
