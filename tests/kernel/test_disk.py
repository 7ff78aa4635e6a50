"""What lies in place of compiled code is loaded only if it is whole and nobody else can have written it."""

import os
import stat
from pathlib import Path

import pytest

from hearts_env.kernel.disk import make_folder, whole, write_whole, writers

CONTENT = bytes(range(48))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file as it was written."""
    path = tmp_path / "one.entry"
    write_whole(path, CONTENT)
    return path


def test_a_file_holds_what_was_written(path: Path) -> None:
    assert whole(path) == CONTENT
    write_whole(path, CONTENT[::-1])
    assert whole(path) == CONTENT[::-1]
    assert os.listdir(path.parent) == [path.name]


def test_every_flipped_bit_cut_and_addition_is_noticed(path: Path) -> None:
    data = path.read_bytes()
    number, size = int.from_bytes(data), len(data)
    flipped = [(number ^ 1 << bit).to_bytes(size) for bit in range(8 * size)]
    for wrong in [*flipped, *(data[:length] for length in range(size)), data + b"\0", b"\0" + data, os.urandom(1000)]:
        path.write_bytes(wrong)
        assert whole(path) == "is damaged"


def test_a_file_does_not_stand_in_for_another(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.entry"
    other.write_bytes(path.read_bytes())
    assert whole(other) == "is damaged"
    (tmp_path / "earlier version").mkdir()
    (tmp_path / "earlier version" / path.name).write_bytes(path.read_bytes())
    assert whole(tmp_path / "earlier version" / path.name) == "is damaged"


def test_what_is_no_file_does_not_hang(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        whole(tmp_path)
    with pytest.raises(FileNotFoundError):
        whole(tmp_path / "nothing")
    os.mkfifo(tmp_path / "pipe")
    assert whole(tmp_path / "pipe") == "is damaged"
    write_whole(tmp_path / "pipe", CONTENT)
    assert whole(tmp_path / "pipe") == CONTENT


@pytest.mark.parametrize("umask", [0o000, 0o002, 0o022, 0o077], ids=oct)
@pytest.mark.parametrize(("user", "mode"), [(1234, 0o700), (0, 0o755)], ids=["user", "root"])
def test_what_is_made_can_be_written_by_its_owner_only(
    tmp_path: Path, umask: int, user: int, mode: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = os.umask(umask)
    try:
        with monkeypatch.context() as patch:
            patch.setattr(os, "geteuid", lambda: user)
            make_folder(tmp_path / "base" / "kernel")
        write_whole(tmp_path / "base" / "kernel" / "one.entry", CONTENT)
    finally:
        os.umask(before)
    assert whole(tmp_path / "base" / "kernel" / "one.entry") == CONTENT
    for made in tmp_path.rglob("*"):
        found = stat.S_IMODE(made.stat().st_mode)
        assert found == (mode if made.is_dir() else 0o644) & ~umask


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="a system without owners of files")
@pytest.mark.parametrize(
    ("owner", "mode", "others"),
    [
        ("user", 0o600, ""),
        ("user", 0o664, ""),
        ("user", 0o666, "can be written by everybody"),
        ("user", 0o602, "can be written by everybody"),
        ("root", 0o644, ""),
        ("root", 0o666, "can be written by everybody"),
        ("stranger", 0o600, "belongs to another user"),
        ("stranger", 0o666, "belongs to another user"),
    ],
)
def test_the_user_and_root_are_trusted(owner: str, mode: int, others: str) -> None:
    uid = {"user": os.geteuid(), "root": 0, "stranger": os.geteuid() + 1}[owner]
    assert writers(os.stat_result((stat.S_IFREG | mode, 0, 0, 1, uid, 0, 0, 0, 0, 0))) == others


def test_a_file_that_everybody_can_write_is_not_read(path: Path) -> None:
    path.chmod(0o666)
    assert whole(path) == "can be written by everybody"
