"""Files are written whole or not at all, and what is not a regular file is written through."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from hearts_agents.files import write_file


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


def test_nobody_else_can_read_a_private_file_while_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "private"
    path.touch(mode=0o600)
    seen: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda handle: seen.append(stat.S_IMODE(os.fstat(handle).st_mode)))
    write_file(path, b"secret")
    assert seen == [0o600]


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


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe, received = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write_file(pipe, b"through")
    reader.join(20)
    assert received == [b"through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert os.listdir(tmp_path) == ["pipe"]


def test_a_redirected_standard_output_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "out"
    code = "from hearts_agents.files import write_file; write_file('/dev/stdout', b'data')"
    with path.open("wb") as out:
        before = os.fstat(out.fileno())
        subprocess.run([sys.executable, "-c", code], stdout=out, check=True)
    assert os.path.samestat(path.stat(), before)
    assert path.read_bytes() == b"data"


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
    with pytest.raises(type(error)):
        write_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["file"]


def test_impossible_files_are_errors_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    for path in (tmp_path, tmp_path / "loop", tmp_path / "no folder" / "file"):
        with pytest.raises(OSError, match=r"\[Errno"):
            write_file(path, b"x")
    assert os.listdir(tmp_path) == ["loop"]
