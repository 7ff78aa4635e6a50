"""Making folders, and locking them, so that one process at a time writes there. Imports no torch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

OTHERWISE = "name another out folder"


def new_folder(out: Path | None, variant: str) -> Path:
    """Make the folder of a new run, by default the next one in ``runs`` that bears the game's name and a number. Raises
    ValueError as `make_empty`.
    """
    folder = out or _next_folder(re.sub(r"[^\w.-]+", "_", variant).strip("_")[:24])
    again = f"name another out folder, or continue its run with --resume {folder}"
    make_empty(folder, again if any(folder.glob("checkpoint-*")) else OTHERWISE)
    return folder


def _next_folder(name: str) -> Path:
    for number in count(1):
        try:
            (folder := Path("runs") / f"{name}-{number}").mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError:
            pass  # `make_empty` says what is wrong
        return folder
    raise AssertionError


def make_folder(folder: Path) -> None:
    """Make a folder if there is none. Raises ValueError, in one line, if it cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".probe"
        probe.touch()
        probe.unlink()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ValueError(f"{folder} cannot be written ({reason}); {OTHERWISE}") from None


def make_empty(folder: Path, otherwise: str = OTHERWISE) -> None:
    """Make a folder; one that a run left behind before its first checkpoint was complete counts as empty.

    Raises:
        ValueError: in one line, if it is not empty (`otherwise` ends the message) or cannot be written.
    """
    there = folder.iterdir() if folder.is_dir() else ()
    if not all(path.name == ".lock" or path.name.startswith(".checkpoint-") for path in there):
        raise ValueError(f"{folder} is not empty; {otherwise}")
    make_folder(folder)


@contextmanager
def hold(
    path: Path, by: str = "another run; wait until that one has ended", *, private: bool = False
) -> Iterator[None]:
    """Keep other runs from writing to a folder, or to a file; the lock ends with the process at the latest.

    Args:
        path: the folder or file.
        by: who else may hold it, and what to do then, for the message.
        private: whether only this user can hold it. Whoever can read a lock can hold it, and so keep others waiting.

    Raises:
        ValueError: in one line, if it is in use or cannot be written.
    """
    from filelock import FileLock, Timeout

    real = path.resolve()  # by whatever link it is named
    beside = None if path.is_dir() else real.with_name(f".{real.name}.lock")
    where = beside or path / ".lock"
    lock = FileLock(where, mode=0o600) if private else FileLock(where)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise ValueError(f"{path} is in use by {by}") from None
    except OSError as error:
        raise ValueError(f"{path} cannot be written ({error.strerror or type(error).__name__})") from None
    try:
        yield
    finally:
        if beside is not None:
            beside.unlink(missing_ok=True)
        elif path.is_dir() and [one.name for one in path.iterdir()] == [".lock"]:
            (path / ".lock").unlink()  # nothing was made
        lock.release()
