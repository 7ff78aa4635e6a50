"""Files written whole or not at all, and files that carry their own digest."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import secrets
import stat
from pathlib import Path

_DESCRIPTORS = ("/dev/fd/", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/proc/")
"""Names of open files, which may be regular: whoever opened such a file keeps writing to it, not to its replacement."""
UNSEALED = "0" * 64
"""The text in place of the digest in the content given to `seal`."""
_SEAL = re.compile(rb'"sha256": ?"([0-9a-f]{64})"')


def write_file(path: str | Path, content: bytes) -> None:
    """Write a file whole or not at all: to a temporary file beside it, which then replaces it.

    A symbolic link is followed: its target is replaced, the link stays. An existing file keeps its mode; a new one gets
    the mode that the umask allows. Devices, pipes and other files that are not regular are written directly.

    Args:
        path: the file; its folder must exist.
        content: what the file will hold.

    Raises:
        OSError: the file, which it names, cannot be written; one that existed is unchanged.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_file(f"{folder}/note.txt", b"spades")
    ...     Path(folder, "note.txt").read_bytes()
    b'spades'
    """
    mode = _mode(path)
    try:
        if _is_replaced(path, mode):
            _replace(os.path.realpath(path), content, None if mode is None else stat.S_IMODE(mode))
        else:
            with open(path, "wb") as file:
                file.write(content)
    except OSError as error:
        if error.errno is not None:  # a full disk does not say where, and otherwise it is a draft
            error.filename, error.filename2 = str(path), None
        raise


def read_file(path: str | Path) -> bytes:
    """The content of a regular file. A pipe would be waited for, and a device has no end.

    Raises:
        OSError: it cannot be read, or is a folder, a pipe or a device.

    >>> read_file("/dev/zero")
    Traceback (most recent call last):
        ...
    OSError: [Errno 22] not a regular file: '/dev/zero'
    """
    wait_for_nobody = getattr(os, "O_NONBLOCK", 0)
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | wait_for_nobody)) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        return file.read()


def check_writable(path: str | Path) -> None:
    """Raise ValueError, in one line, if `write_file` could not write a file; nothing is written.

    >>> check_writable("/dev/null")
    """
    try:
        mode = _mode(path)
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {error.strerror}") from None
    if mode is not None and stat.S_ISDIR(mode):
        raise ValueError(f"{path} is a folder; name a file in it")
    if not _is_replaced(path, mode):
        if not os.access(path, os.W_OK):
            raise ValueError(f"{path} cannot be written: permission denied")
        return
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK | os.X_OK):
        raise ValueError(f"{path} cannot be written: {folder} is not a folder that can be written to")


def _mode(path: str | Path) -> int | None:
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


def _is_replaced(path: str | Path, mode: int | None) -> bool:
    """True if a file is replaced by a new one; a file that is not regular is written to instead."""
    return not os.path.abspath(path).startswith(_DESCRIPTORS) and (mode is None or stat.S_ISREG(mode))


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


def seal(content: bytes) -> bytes:
    """A JSON, safetensors or Parquet file with its digest filled in: the SHA-256 of the whole file as it was before.

    Args:
        content: the file, with `UNSEALED` as the value of its first ``"sha256"``.

    >>> is_sealed(seal(b'{"sha256": "' + UNSEALED.encode() + b'"}'))
    True
    """
    found = _SEAL.search(content)
    assert found is not None
    return content[: found.start(1)] + hashlib.sha256(content).hexdigest().encode() + content[found.end(1) :]


def is_sealed(content: bytes) -> bool:
    """True if a file is byte for byte what `seal` returned."""
    found = _SEAL.search(content)
    if found is None:
        return False
    blank = content[: found.start(1)] + UNSEALED.encode() + content[found.end(1) :]
    return hashlib.sha256(blank).hexdigest().encode() == found[1]
