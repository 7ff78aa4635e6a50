"""Files that a program executes: loaded only if they are whole and no other user can have written them.

Code on disk is pickled, and whoever can write a pickle decides what its reader does. Ownership and mode keep others
from writing it; the digest in front of the code is no signature, it shows that the file is the one that was written.
"""

from __future__ import annotations

import hashlib
import os
import stat
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

_OWNED = hasattr(os, "geteuid")
"""True if the system has owners and modes to check; Windows keeps other users out of the user's cache folder."""


def whole(path: Path) -> bytes | str:
    """The content of a file written by `write_whole`, or why it is not loaded: "damaged", or who can have written it.

    Raises:
        OSError: there is no such file, or it cannot be opened.
    """
    with open(path, "rb", opener=_open_at_once) as file:
        status = os.fstat(file.fileno())
        if others := writers(status):
            return others
        data = file.read() if stat.S_ISREG(status.st_mode) else b""
    content = data[hashlib.sha256().digest_size :]
    return content if content and data.startswith(_digest(path, content)) else "is damaged"


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # opening a pipe would wait for its writer


def writers(status: os.stat_result) -> str:
    """The users who can have written a file or a folder besides its user, its group and root; empty if there are none.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     writers(os.stat(folder))
    ''
    """
    if _OWNED and status.st_uid not in (os.geteuid(), 0):
        return "belongs to another user"
    return "can be written by everybody" if _OWNED and status.st_mode & stat.S_IWOTH else ""


def write_whole(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, its digest first; OSError if it cannot be written."""
    draft = path.with_suffix(f".{uuid4().hex}")
    try:
        # The umask may take bits from this mode; it cannot let everybody write.
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o644)
        with open(handle, "wb") as file:
            file.write(_digest(path, content) + content)
        draft.replace(path)
    except BaseException:  # including Ctrl-C
        with suppress(OSError):
            draft.unlink()
        raise


def _digest(path: Path, content: bytes) -> bytes:
    """Of the content and of where it belongs, so that no other entry can take its place."""
    return hashlib.sha256(f"{path.parent.name}/{path.name}\0".encode() + content).digest()


def make_folder(folder: Path) -> None:
    """Make a folder, and those it lies in, that only their user can use.

    Those of root can be read by all: who builds a container compiles as root for its users.

    Raises:
        OSError: it cannot be made.
    """
    mode = 0o755 if _OWNED and os.geteuid() == 0 else 0o700
    for level in (*reversed(folder.parents), folder):
        level.mkdir(mode, exist_ok=True)
