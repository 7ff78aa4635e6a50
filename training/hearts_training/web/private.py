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


def make_private(file: Path) -> None:
    """Make a database's file, or take the rights of others from one that is there, and from those beside it.

    Raises:
        ValueError: in one line, if that cannot be done: then others can read it.
    """
    if str(file) == MEMORY:
        return
    try:
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
        for end in BESIDE:
            _close(file.with_name(file.name + end))
    except OSError as error:
        raise ValueError(f"{file} cannot hold the tables ({error.strerror}); name another file of your own") from None


def _close(file: Path) -> None:
    """Take the rights of others from a file, if there is one."""
    if file.exists() and stat.S_IMODE(file.stat().st_mode) & 0o077:
        file.chmod(0o600)


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
