"""Files that only their user can read: the tables with their hands and the key, and the page that opens a browser."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path

MEMORY = ":memory:"
"""SQLite's name for a database without a file."""
BESIDE = ("", "-wal", "-shm", "-journal")
"""Names that SQLite adds to that of a database; it gives new ones of them the mode of the database."""

PAGE = '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={0}"><a href="{0}">Hearts</a>'


def check_own(file: Path) -> None:
    """Refuse, untouched, a file that may not hold the tables, and one beside it that SQLite or the lock would use.

    Raises:
        ValueError: in one line, if one is no regular file, belongs to another user or has a second name: by that name
            another server would open it with a lock of its own.
    """
    if str(file) == MEMORY:
        return
    real = file.resolve()
    for path in (*(real.with_name(real.name + end) for end in BESIDE), real.with_name(f".{real.name}.lock")):
        with _refusing(path):
            fault = _fault(path)
        if fault is not None:
            raise _refusal(path, fault)


def _fault(path: Path) -> str | None:
    """What is wrong with a file, which is not opened; None if there is none or it is an own one."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(found.st_mode):
        return "it is no regular file"
    if hasattr(os, "geteuid") and found.st_uid != os.geteuid():
        return f"it belongs to {_name(path, found.st_uid)}"
    return f"it has {found.st_nlink} names, hard links" if found.st_nlink > 1 else None


def _name(path: Path, user: int) -> str:
    try:
        return path.owner()
    except KeyError:
        return f"user {user}"


def make_private(file: Path) -> None:
    """Make a database's file, or take the rights of others from one that is there, and from those beside it.

    Raises:
        ValueError: in one line, if that cannot be done: then others can read it; and as `check_own`.
    """
    if str(file) == MEMORY:
        return
    check_own(file)
    real = file.resolve()
    with _refusing(file):
        if not real.exists():
            os.close(os.open(real, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        os.close(os.open(real, os.O_RDWR))
        for end in BESIDE:
            _close(real.with_name(real.name + end))


def _close(file: Path) -> None:
    if file.exists() and stat.S_IMODE(file.stat().st_mode) & 0o077:
        file.chmod(0o600)


@contextmanager
def _refusing(file: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _refusal(file, error.strerror or type(error).__name__) from None


def _refusal(file: Path, reason: str) -> ValueError:
    return ValueError(f"{file} cannot hold the tables ({reason}); name another --file of your own")


@contextmanager
def leading_to(link: str, beside: Path) -> Iterator[str]:
    """The address of a page that leads to a link, beside a file: other users see how a browser is started.

    It is beside the file since some browsers may not read the folder of temporary files. It goes away in the end.
    """
    page = beside.resolve().with_name(f"{beside.name}-open.html")
    page.unlink(missing_ok=True)
    try:
        with open(os.open(page, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as made:
            made.write(PAGE.format(escape(link)))
        yield page.as_uri()
    finally:
        page.unlink(missing_ok=True)
