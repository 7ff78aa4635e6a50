"""Files that two servers want, and tables in them whose actions are not whole."""

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from hearts_env.table.match import Match
from hearts_training.cli import main
from hearts_training.web.database import DamageError, Database
from hearts_training.web.options import ServerOptions
from hearts_training.web.records import kept_walk
from hearts_training.web.server import Server
from tests.support.web import Site, receive, running

RULES = "black_lady(cycle=[hold])"
USED = "is in use by another server; wait until it has ended, or name another --file"
PERSONS = ["person"] * 4


def test_a_second_server_on_a_file_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "tables.sqlite3"
    (tmp_path / "link").symlink_to(file)
    with running(file) as site:
        before = file.read_bytes()
        for name in (file, tmp_path / "link", tmp_path / "." / "tables.sqlite3"):
            with pytest.raises(ValueError, match=USED):
                Server(ServerOptions(file=name, new_key=True))
        assert main(["web", "--port", "0", "--no-browser", "--file", str(file)]) == 2
        assert capsys.readouterr().err.strip().count("\n") == 0
        assert (file.read_bytes(), site.request("/api/menu")[0]) == (before, 200)
    with running(file) as again:
        assert again.request("/api/menu")[0] == 200


@pytest.mark.exhaustive
def test_another_process_is_refused_until_the_server_is_killed(tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite3"
    command = [sys.executable, "-m", "hearts_training", "web", "--no-browser", "--port", "0", "--file", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            assert "?key=" in process.stdout.readline()
            with pytest.raises(ValueError, match=USED):
                Server(ServerOptions(file=file))
        finally:
            process.kill()
    with running(file) as site:
        assert site.request("/api/menu")[0] == 200


def test_a_file_that_is_refused_is_free_afterwards(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hearts " * 500)
    for _ in range(2):
        with pytest.raises(ValueError, match="file is not a database"):
            Server(ServerOptions(file=tmp_path / "text"))


# --- tables that are not whole --------------------------------------------------------------------


def first_actions(start: Match, count: int) -> list[tuple[int, str]]:
    """Legal actions from the first position, with their seats."""
    match, found = start.clone(), list[tuple[int, str]]()
    for _ in range(count):
        found.append((match.seat or 0, match.legal()[0]))
        match.play(found[-1][1])
    return found


def lose(places: range) -> Callable[[sqlite3.Connection], None]:
    def damage(db: sqlite3.Connection) -> None:
        db.executemany("DELETE FROM actions WHERE place = ?", [(place,) for place in places])

    return damage


def spoil(place: int, action: str) -> Callable[[sqlite3.Connection], None]:
    def damage(db: sqlite3.Connection) -> None:
        db.execute("UPDATE actions SET action = ? WHERE place = ?", (action, place))

    return damage


DAMAGE = [
    (lose(range(5, 20)), 5, "Actions 6 to 20 of this table are missing in the file; it goes on after action 5."),
    (lose(range(5, 6)), 5, "Action 6 of this table is missing in the file; it goes on after action 5."),
    (lose(range(1)), 0, "Action 1 of this table is missing in the file; it begins again."),
    (spoil(7, "2C"), 7, "Action 8 of this table is not legal in the file; it goes on after action 7."),
    (spoil(7, "nonsense"), 7, "Action 8 of this table is not legal in the file; it goes on after action 7."),
    (spoil(0, ""), 0, "Action 1 of this table is not legal in the file; it begins again."),
    (lose(range(0)), 24, None),
    (lose(range(20, 24)), 20, None),
]


@pytest.fixture
def damaged(tmp_path: Path, request: pytest.FixtureRequest) -> Any:
    """A file with a table of 24 actions, and what is then done to it; the table's link."""
    file = tmp_path / "tables.sqlite3"
    with running(file) as site:
        table = site.open(RULES, PERSONS)
    with closing(Database(file)) as database:
        start = Match.replay(database.table(table["key"]).start)
        for place, (seat, action) in enumerate(first_actions(start, 24)):
            database.add_action(table["key"], place, seat, action)
    with closing(sqlite3.connect(file)) as db, db:
        request.param(db)
    return file, table["links"][0]


SOME = [
    pytest.param(*row, marks=[pytest.mark.exhaustive] * (row[1] not in (0, 7))) for row in (*DAMAGE[:4], *DAMAGE[5:])
]
"""A gap at the beginning and an illegal action; the others are further cases."""


@pytest.mark.parametrize(("damaged", "whole", "notice"), SOME, indirect=["damaged"])
def test_a_table_goes_on_after_its_last_whole_action(damaged: Any, whole: int, notice: str | None) -> None:
    file, link = damaged
    with running(file) as site:
        links = seats_of(site, link)
        with site.sit(links[0]) as socket:
            state = receive(socket, "table")
            assert (state["at"], state["missing"], state["trouble"]) == (whole, notice, None)
        at = play(site, links, 25 - whole)  # over all places behind the damage
        assert at == 25
    with running(file) as site, site.sit(links[0]) as socket:
        state = receive(socket, "table")
        assert (state["at"], state["missing"]) == (25, None)


def seats_of(site: Site, link: str) -> list[str]:
    key = link.split("/")[2]
    with closing(Database(site.server.options.file)) as database:
        return [f"/table/{key}/{chair.token}" for chair in database.table(key).chairs]


def play(site: Site, links: list[str], count: int) -> int:
    """Play some actions, each by its own seat; how many the table has then."""
    at = 0
    for _ in range(count):
        turn = site.match(links[0]).seat or 0
        with site.sit(links[turn]) as socket:
            state = receive(socket, "table")
            socket.send(f'{{"do": "act", "actions": ["{state["legal"][-1]}"], "at": {state["at"]}}}')
            while (at := receive(socket, "table")["at"]) == state["at"]:
                pass
    return at


@pytest.mark.parametrize("damaged", [lose(range(5, 20)), spoil(7, "2C")], indirect=True)
def test_what_is_behind_a_gap_is_set_aside_and_the_match_not_rated(damaged: Any) -> None:
    file, link = damaged
    with closing(sqlite3.connect(file)) as db:
        before = db.execute("SELECT place, action FROM actions ORDER BY place").fetchall()
    with running(file) as site:
        whole = site.match(link).log[0].actions
        play(site, seats_of(site, link), 1)
        assert len(site.match(link).log[0].actions) <= len(whole) + 1
    with closing(sqlite3.connect(file)) as db:
        aside = db.execute("SELECT place, action FROM lost ORDER BY place").fetchall()
        kept = db.execute("SELECT place, action FROM actions ORDER BY place").fetchall()
        assert kept[:-1] + aside == before
        assert db.execute("SELECT helped FROM tables").fetchall() == [(1,)]


@pytest.mark.parametrize("damaged", [spoil(0, "JK")], indirect=True)
def test_a_damaged_table_is_listed(damaged: Any) -> None:
    file, link = damaged
    with running(file) as site:
        mine = f"hearts_browser_{site.port}=mine"
        with site.sit(link, mine) as socket:
            receive(socket, "table")
        listed = site.request("/api/tables", headers={"Cookie": f"{site.cookie}; {mine}"})[1]
    assert [(one["link"], one["deal"]) for one in listed] == [(link, 1)]


DAMAGED = "this table is damaged in the file"
TEXTS = [
    pytest.param("chairs", "{}", DAMAGED, marks=pytest.mark.exhaustive),
    pytest.param("chairs", "[]", DAMAGED, marks=pytest.mark.exhaustive),
    ("chairs", '[{"agent": 7}]', DAMAGED),
    ("start", "hearts-match 1\nrules black", DAMAGED),
    ("rules", "of_a_plug_in", None),
]


@pytest.mark.parametrize(("column", "text", "line"), TEXTS)
def test_a_table_whose_texts_are_damaged_says_so(tmp_path: Path, column: str, text: str, line: str | None) -> None:
    file, mine = tmp_path / "tables.sqlite3", ""
    with running(file) as site:
        link, whole = (site.open(RULES, PERSONS)["links"][0] for _ in range(2))
        mine = f"hearts_browser_{site.port}=mine"
        for one in (link, whole):
            with site.sit(one, mine) as socket:
                receive(socket, "table")
    with closing(sqlite3.connect(file)) as db, db:
        db.execute(f"UPDATE tables SET {column} = ? WHERE key = ?", (text, link.split("/")[2]))
    port = int(mine.rpartition("_")[2].partition("=")[0])
    with running(file, port=port) as site:
        with site.sit(link) as socket:
            if line is None:
                assert receive(socket, "table")["at"] == 0
            else:
                with pytest.raises(ConnectionClosed):
                    receive(socket, "table")
                assert (socket.close_code, socket.close_reason) == (4404, line)
        listed = site.request("/api/tables", headers={"Cookie": f"{site.cookie}; {mine}"})[1]
    assert [one["link"] for one in listed] == [whole]


def test_rules_that_are_not_known_are_not_called_damage() -> None:
    start = Match(RULES, 7).record()
    with pytest.raises(DamageError, match=DAMAGED):
        kept_walk(RULES, start.replace("seed 7", "seed"), [])
    with pytest.raises(ValueError, match="plug_in") as caught:
        kept_walk("of_a_plug_in", start.replace("rules black_lady(passing.cycle=[hold])", "rules of_a_plug_in"), [])
    assert not isinstance(caught.value, DamageError)


@pytest.mark.parametrize("text", ["", " ", "no key", "ключ" * 4])
def test_a_key_that_is_none_is_replaced(tmp_path: Path, text: str) -> None:
    with closing(Database(tmp_path / "tables")) as database:
        assert database.key() == database.key()
    with closing(sqlite3.connect(tmp_path / "tables")) as db, db:
        db.execute("UPDATE settings SET value = ?", (text,))
    with closing(Database(tmp_path / "tables")) as database:
        key = database.key()
        assert (len(key), key.isascii(), database.key()) == (16, True, key)


@pytest.mark.exhaustive
@pytest.mark.parametrize("damaged", [lose(range(5, 20))], indirect=True)
def test_the_page_of_a_damaged_table_says_what_is_missing(page: Any, damaged: Any) -> None:
    file, link = damaged
    with running(file) as site:
        page.goto(site.at(link))
        page.wait_for_selector("#missing:has-text('Actions 6 to 20 of this table are missing')")
