"""A disk that is full under a running server: one line, and memory and file stay equal."""

import json
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from hearts_env.table.match import Match
from hearts_training.web import table as table_module
from hearts_training.web.database import Chair, Database, FileError
from tests.support.web import Site, finished, receive, running

RULES = "black_lady(cycle=[hold], max_deals=1)"
FULL = "cannot be written: database or disk is full"


class Disk(sqlite3.Connection):
    """A connection to a file on a disk that may be full."""

    full = False

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        """Do it, unless it is a write that the disk has no room for."""
        if Disk.full and not statement.startswith(("SELECT", "PRAGMA", "BEGIN", "ROLLBACK")):
            raise sqlite3.OperationalError("database or disk is full")
        return super().execute(statement, *values)


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A server on such a disk."""
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Disk))
    monkeypatch.setattr(table_module, "RETRY", 0.1)
    monkeypatch.setattr(Disk, "full", False)
    with running(tmp_path / "tables.sqlite3") as site:
        yield site
        Disk.full = False


def test_requests_are_refused_in_one_line(disk: Site, caplog: pytest.LogCaptureFixture) -> None:
    open_, study = {"rules": RULES, "seats": ["rule"] * 4}, {"record": finished(RULES, 7).record()}
    watch = disk.open(RULES, ["rule"] * 4, pace=10.0)["watch"]
    Disk.full = True
    for path, body in (("/api/tables", open_), ("/api/studies", study)):
        status, answer = disk.request(path, body)
        assert (status, FULL in answer["error"], "\n" in answer["error"]) == (400, True, False)
    status, answer = disk.request(f"/api{watch.partition('?')[0]}/record")
    assert (status, FULL in answer["error"]) == (500, True)
    Disk.full = False
    assert disk.request("/api/tables", open_)[0] == 200
    assert "Traceback" not in caplog.text


def test_an_action_that_is_not_written_is_not_taken(disk: Site, caplog: pytest.LogCaptureFixture) -> None:
    with disk.sit(disk.open(RULES, ["person"] * 4)["links"][0]) as socket:
        receive(socket, "table")
    links = _links(disk)
    turn = disk.match(links[0]).seat or 0
    with disk.sit(links[turn]) as socket:
        state = receive(socket, "table")
        act = json.dumps({"do": "act", "actions": state["legal"][:1], "at": 0})
        Disk.full = True
        for request in (act, '{"do": "name", "name": "Ann"}', '{"do": "pace", "seconds": 3}', '{"do": "hint"}'):
            socket.send(request)
            assert FULL in receive(socket, "error")["line"]
        assert len(disk.match(links[0]).log[0].actions) == 0
        Disk.full = False
        socket.send('{"do": "pause", "on": true}')
        while not (state := receive(socket, "table"))["paused"]:
            pass
        assert (state["at"], state["pace"], state["named"]) == (0, 0.0, False)
        socket.send(act)
        while receive(socket, "table")["at"] != 1:
            pass
        assert len(disk.match(links[0]).log[0].actions) == 1
    assert "Traceback" not in caplog.text


def _links(disk: Site) -> list[str]:
    """The places of the only table."""
    with closing(Database(disk.server.options.file)) as database:
        (key,) = {row["key"] for row in database._rows("SELECT key FROM tables")}
        return [f"/table/{key}/{chair.token}" for chair in database.table(key).chairs]


def test_agents_go_on_and_the_match_is_counted_once_there_is_room(disk: Site, caplog: pytest.LogCaptureFixture) -> None:
    link = disk.open(RULES, ["rule"] * 4, pace=0.02)["watch"]
    with disk.sit(link) as socket:
        while receive(socket, "table")["at"] < 3:
            pass
        Disk.full = True
        while not (state := receive(socket, "table"))["trouble"]:
            pass
        assert FULL in state["trouble"]
        assert len(disk.match(link).log[0].actions) == state["at"]
        Disk.full = False
        while receive(socket, "table")["at"] < 52:
            pass
    end = monotonic() + 10
    with closing(sqlite3.connect(disk.server.options.file)) as db:
        while db.execute("SELECT COUNT(*) FROM results").fetchone() != (4,):  # perhaps it is tried again
            assert monotonic() < end
            sleep(0.05)
    assert not [record for record in caplog.records if record.exc_info and record.levelno >= logging.ERROR]


def test_a_file_that_may_not_grow(tmp_path: Path) -> None:
    """SQLite's own error, in the middle of what is written at once."""
    with closing(Database(tmp_path / "tables")) as database:
        start, chairs = Match(RULES, 7), [Chair("rule", "rule")] * 4
        key = database.add_table(start, chairs, 0.0)
        for place in range(400):
            database.add_action(key, place, 0, "2C")
        pages = database._db.execute("PRAGMA page_count").fetchone()[0]
        database._db.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(FileError, match=f"tables {FULL}"):
            database.set_aside(key, 1)
        with pytest.raises(FileError, match=f"tables {FULL}"):
            database.add_study("one", "x" * 100_000)
        assert len(database.actions(key)) == 400
        database._db.execute(f"PRAGMA max_page_count = {100 * pages}")
        database.set_aside(key, 1)
        assert len(database.actions(key)) == 1
