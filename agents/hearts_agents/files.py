"""Files written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from pathlib import Path

_DESCRIPTORS = ("/dev/fd/", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/proc/")
"""Names of open files, which may be regular: whoever opened such a file keeps writing to it, not to its replacement."""


def write_file(path: str | Path, content: bytes) -> None:
    """Write a file whole or not at all: to a temporary file beside it, which then replaces it.

    A symbolic link is followed: its target is replaced, the link stays. An existing file keeps its mode; a new one gets
    the mode that the umask allows. Devices, pipes and other files that are not regular are written directly.

    Args:
        path: the file; its folder must exist.
        content: what the file will hold.

    Raises:
        OSError: the file cannot be written; one that existed is unchanged.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_file(f"{folder}/note.txt", b"spades")
    ...     Path(folder, "note.txt").read_bytes()
    b'spades'
    """
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        mode = None
    if os.path.abspath(path).startswith(_DESCRIPTORS) or not (mode is None or stat.S_ISREG(mode)):
        with open(path, "wb") as file:
            file.write(content)
        return
    _replace(os.path.realpath(path), content, None if mode is None else stat.S_IMODE(mode))


def _replace(target: str, content: bytes, mode: int | None) -> None:
    draft = os.path.join(os.path.dirname(target), f".{secrets.token_hex(8)}.draft")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if mode is None else mode & 0o600)
    try:
        with open(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(handle)
        if mode is not None:
            os.chmod(draft, mode)
        os.replace(draft, target)
    except BaseException:  # including Ctrl-C
        with contextlib.suppress(FileNotFoundError):
            os.unlink(draft)
        raise
