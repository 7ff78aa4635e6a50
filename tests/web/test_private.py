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
from hearts_training.web.database import SCHEMA, Chair, Database
from hearts_training.web.gate import ServerOptions
from hearts_training.web.private import leading_to
from tests.support.web import Visit

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes")
CHAIRS = [Chair("rule", "rule")] * 4


@pytest.fixture
def careless() -> Iterator[None]:
    """A user whose files everybody may write."""
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, str]:
    return {path.name: oct(stat.S_IMODE(path.stat().st_mode)) for path in folder.iterdir() if ".lock" not in path.name}


@pytest.mark.usefixtures("careless")
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


@pytest.mark.usefixtures("careless")
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
            assert database.study("one") == ("text", "", {})
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


@pytest.mark.usefixtures("careless")
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


@pytest.mark.usefixtures("careless")
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT])
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
