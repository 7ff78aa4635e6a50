"""Files are written whole or not at all, and what is not a regular file is written through."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from hearts_agents.files import UNSEALED, check_writable, is_sealed, seal, write_file


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_file_is_created_with_the_mode_of_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_file(tmp_path / "new", b"one")
    finally:
        os.umask(before)
    assert (tmp_path / "new").read_bytes() == b"one"
    assert mode_of(tmp_path / "new") == 0o640
    assert os.listdir(tmp_path) == ["new"]


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o444, 0o000])
def test_an_existing_file_keeps_its_mode(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "old"
    path.write_bytes(b"a longer content than the next")
    path.chmod(mode)
    write_file(str(path), b"next")
    assert mode_of(path) == mode
    path.chmod(0o600)
    assert path.read_bytes() == b"next"
    assert os.listdir(tmp_path) == ["old"]


@pytest.mark.parametrize("name", ["file", "missing"])
def test_a_symbolic_link_stays_and_its_target_is_written(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "file").write_bytes(b"old")
    (folder / "step").symlink_to(name)
    link = tmp_path / "link"
    link.symlink_to("elsewhere/step")
    write_file(link, b"new")
    assert link.is_symlink()
    assert (folder / "step").is_symlink()
    assert (folder / name).read_bytes() == b"new"
    assert sorted(os.listdir(tmp_path)) == ["elsewhere", "link"]


def test_devices_stay_what_they_are(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(os.devnull)
    for path in (os.devnull, link):
        before = os.stat(path)
        write_file(path, b"lost")
        assert stat.S_ISCHR(os.stat(path).st_mode)
        assert os.path.samestat(os.stat(path), before)
    assert os.listdir(tmp_path) == ["link"]


@pytest.mark.parametrize("step", ["fsync", "replace", "chmod"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(type(error), match=r"No space left on device: '.*file'" if isinstance(error, OSError) else None):
        write_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["file"]


def test_a_file_that_can_be_written_passes(tmp_path: Path) -> None:
    (tmp_path / "old").touch()
    (tmp_path / "link").symlink_to("new")
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "new", tmp_path / "old", tmp_path / "link", tmp_path / "pipe", os.devnull, "/dev/stdout"):
        check_writable(path)
    assert sorted(os.listdir(tmp_path)) == ["link", "old", "pipe"]


def test_what_cannot_be_written_is_named_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to("loop")
    for path, message in [
        (tmp_path, "is a folder; name a file in it"),
        (tmp_path / "no folder" / "file", "is not a folder that can be written to"),
        (tmp_path / "file" / "below", "cannot be written: Not a directory"),
        (tmp_path / "loop", "cannot be written"),
    ]:
        with pytest.raises(ValueError, match=message) as error:
            check_writable(path)
        assert "\n" not in str(error.value)


def test_a_sealed_file_knows_every_change() -> None:
    whole = seal(b'{"a": 1, "sha256": "%s", "b": "sha256"}' % UNSEALED.encode())
    assert is_sealed(whole)
    for place in range(len(whole)):
        for bit in range(8):
            changed = bytearray(whole)
            changed[place] ^= 1 << bit
            assert not is_sealed(bytes(changed))
    assert not is_sealed(b"{}")
    assert not is_sealed(whole + b" ")
