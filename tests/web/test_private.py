"""What other users of a machine can read: files, and how a browser is started."""

from __future__ import annotations

import os
import signal
import sqlite3
import stat
import subprocess
import sys
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing
from pathlib import Path
from urllib.request import url2pathname

import pytest

from hearts_env.table.match import Match
from hearts_training.cli import main
from hearts_training.web import serving
from hearts_training.web.database import Chair, Database
from hearts_training.web.options import ServerOptions
from hearts_training.web.private import leading_to
from hearts_training.web.schema import SCHEMA
from hearts_training.web.server import Server
from tests.support.marks import marked
from tests.support.web import Visit

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes"),
    pytest.mark.usefixtures("careless"),
]
CHAIRS = [Chair("rule", "rule")] * 4


@pytest.fixture
def careless() -> Iterator[None]:
    """A user whose files everybody may write."""
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, str]:
    return {path.name: oct(stat.S_IMODE(path.stat().st_mode)) for path in folder.iterdir() if ".lock" not in path.name}


def test_only_its_user_reads_the_file_of_tables(tmp_path: Path) -> None:
    with closing(Database(tmp_path / "tables")) as database:
        database.add_table(Match("black_lady", 7), CHAIRS, 0.0)
        assert modes(tmp_path) == {"tables": "0o600", "tables-wal": "0o600", "tables-shm": "0o600"}


def older(file: Path) -> sqlite3.Connection:
    """A file of version 2, opened, as a server that was killed has left it."""
    db = sqlite3.connect(file, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.executescript(SCHEMA)
    db.execute("DROP TABLE settings")
    db.execute("PRAGMA user_version = 2")
    return db


def test_a_file_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    with closing(older(tmp_path / "tables")):
        assert modes(tmp_path) == {"tables": "0o644", "tables-wal": "0o644", "tables-shm": "0o644"}
        with closing(Database(tmp_path / "tables")):
            assert modes(tmp_path) == {"tables": "0o600", "tables-wal": "0o600", "tables-shm": "0o600"}


def test_a_file_of_an_older_version_gets_its_key(tmp_path: Path) -> None:
    file = tmp_path / "tables"
    with closing(older(file)) as db:
        db.execute("INSERT INTO studies (key, message) VALUES ('one', 'text')")
    keys = set()
    for _ in range(2):
        with closing(Database(file)) as database:
            assert database.study("one") == ("text", [], [])
            keys.add(database.key())
    assert [len(key) for key in keys] == [16]


def test_a_file_that_cannot_be_closed_to_others_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, mode: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    (tmp_path / "tables").touch()
    (tmp_path / "tables").chmod(0o644)
    monkeypatch.setattr(Path, "chmod", refuse)
    with pytest.raises(ValueError, match=r"tables cannot hold the tables \(Operation not permitted\); name another"):
        Database(tmp_path / "tables")


@pytest.mark.parametrize("name", [".", "nowhere/tables"])
def test_a_file_that_cannot_be_made_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="cannot hold the tables"):
        Database(tmp_path / name)


def foreign(file: Path, version: int = 0, *, living: bool = False) -> sqlite3.Connection:
    """Another program's database; `living`: what it holds is in the file beside it still."""
    db = sqlite3.connect(file, isolation_level=None)
    if living:
        db.execute("PRAGMA journal_mode = WAL")
    db.executescript(f"CREATE TABLE notes (text TEXT); PRAGMA user_version = {version}")
    return db


def stands(file: Path) -> tuple[object, ...]:
    """All that a refusal leaves as it is: what is in the folder, and the file's mode, time and content."""
    found = file.stat()
    return modes(file.parent), found.st_mode, found.st_mtime_ns, file.read_bytes()


def refused(file: Path) -> str:
    """The line by which a file is refused, by the server and by the database."""
    lines = set()
    for make in (lambda: Server(ServerOptions(file=file)), lambda: Database(file)):
        with pytest.raises(ValueError) as caught:  # noqa: PT011
            make()
        lines.add(str(caught.value))
    (line,) = lines
    assert "\n" not in line
    return line


@pytest.mark.parametrize("text", ["one", "hearts " * 500])
def test_a_text_is_refused_and_stays_as_it_is(tmp_path: Path, text: str) -> None:
    (tmp_path / "notes.txt").write_text(text)
    before = stands(tmp_path / "notes.txt")
    assert "file is not a database" in refused(tmp_path / "notes.txt")
    assert stands(tmp_path / "notes.txt") == before


@pytest.mark.parametrize("version", [0, 2, 3, 7])
@pytest.mark.parametrize("living", [False, True])
def test_a_database_of_another_program_is_refused_and_stays_as_it_is(
    tmp_path: Path, version: int, *, living: bool
) -> None:
    with closing(foreign(tmp_path / "notes", version, living=living)):
        before = stands(tmp_path / "notes")
        assert "another program; name another --file" in refused(tmp_path / "notes")
        assert stands(tmp_path / "notes") == before


@pytest.mark.parametrize("version", [1, 99])
def test_a_file_of_another_version_is_refused_and_stays_as_it_is(tmp_path: Path, version: int) -> None:
    with closing(older(tmp_path / "tables")) as db:
        db.execute(f"PRAGMA user_version = {version}")
    before = stands(tmp_path / "tables")
    assert "was written by another version of the suite" in refused(tmp_path / "tables")
    assert stands(tmp_path / "tables") == before


def test_what_is_no_regular_file_is_refused_and_stays_as_it_is(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    before = modes(tmp_path)
    for name in ("pipe", "link", "."):
        assert "cannot hold the tables (it is no regular file); name another --file" in refused(tmp_path / name)
    assert modes(tmp_path) == before


@pytest.mark.parametrize("end", ["-wal", "-shm"])
def test_a_link_beside_the_file_is_refused(tmp_path: Path, end: str) -> None:
    (tmp_path / "mine").touch(0o644)
    (tmp_path / f"tables{end}").symlink_to(tmp_path / "mine")
    assert f"tables{end} cannot hold the tables (it is no regular file)" in refused(tmp_path / "tables")
    assert stat.S_IMODE((tmp_path / "mine").stat().st_mode) == 0o644


def test_a_file_is_closed_to_others_by_whatever_link_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "tables")
    for _ in range(2):
        with closing(Database(tmp_path / "link")):
            assert set(modes(tmp_path).values()) == {"0o600"}
        (tmp_path / "tables").chmod(0o644)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize("name", ["tables", "tables-wal", "tables-shm", ".tables.lock"])
def test_a_file_of_another_user_is_refused_and_stays_as_it_is(tmp_path: Path, name: str) -> None:
    import fcntl

    planted = tmp_path / name
    planted.touch()
    planted.chmod(0o666)
    os.chown(planted, 65534, -1)
    with planted.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        line = refused(tmp_path / "tables")
    assert line == f"{planted} cannot hold the tables (it belongs to nobody); name another --file of your own"
    assert (stat.S_IMODE(planted.stat().st_mode), planted.stat().st_uid) == (0o666, 65534)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_user_without_a_name_is_called_by_their_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tables").touch()
    user = (tmp_path / "tables").stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: user + 1)
    assert "it belongs to " in refused(tmp_path / "tables")
    monkeypatch.setattr(Path, "owner", lambda self: dict[int, str]()[user])
    assert f"it belongs to user {user}" in refused(tmp_path / "tables")


def test_a_file_with_two_names_is_refused(tmp_path: Path) -> None:
    """By its second name a second server would open it."""
    with closing(Database(tmp_path / "tables")):
        (tmp_path / "second").hardlink_to(tmp_path / "tables")
        assert "second cannot hold the tables (it has 2 names, hard links)" in refused(tmp_path / "second")


def test_a_browser_is_started_without_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every user sees the arguments of every process."""
    opened, link = list[str](), "http://127.0.0.1:1/?key=secret"

    def open_page(address: str) -> None:
        opened.append(address)
        page = Path(url2pathname(address.removeprefix("file://")))
        assert f'url={link}"' in page.read_text(encoding="utf-8")
        assert modes(tmp_path) == {"tables-open.html": "0o600"}

    monkeypatch.setattr(webbrowser, "open", open_page)

    def serve(options: ServerOptions, ready: Callable[[str], AbstractContextManager[object]]) -> None:
        with ready(link):
            pass

    monkeypatch.setattr(serving, "serve", serve)
    assert main(["web", "--file", str(tmp_path / "tables")]) == 0
    assert [address.startswith("file://") and "secret" not in address for address in opened] == [True]
    assert modes(tmp_path) == {}


def test_the_page_that_leads_to_a_link_replaces_one_that_was_left(tmp_path: Path) -> None:
    (tmp_path / "tables-open.html").symlink_to(tmp_path / "other")
    with leading_to("http://one/?a=1&b=2", tmp_path / "tables"):
        assert "?a=1&amp;b=2" in (tmp_path / "tables-open.html").read_text(encoding="utf-8")
    assert modes(tmp_path) == {}


@pytest.mark.parametrize("end", [signal.SIGTERM, marked(signal.SIGINT, pytest.mark.release)])
def test_a_server_that_is_ended_leaves_only_the_file_of_tables(tmp_path: Path, end: signal.Signals) -> None:
    file = tmp_path / "tables"
    command = [sys.executable, "-m", "hearts_training", "web", "--port", "0", "--file", str(file)]
    environment = os.environ | {"BROWSER": "true %s"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        link = process.stdout.readline().split()[2]
        visit = Visit(*link.removeprefix("http://").split("/?key="))
        assert visit.request("/api/menu")[0] == 200  # it runs
        found = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
        process.send_signal(end)
    assert set(found) == {"tables", "tables-wal", "tables-shm", "tables-open.html", ".tables.lock"}
    assert set(found.values()) == {0o600}
    assert [path.name for path in tmp_path.iterdir()] == ["tables"]
