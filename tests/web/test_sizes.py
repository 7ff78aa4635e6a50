"""Work whose size a page or the file chooses: it never stands in the way of other tables."""

import asyncio
import json
import pickle
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

import hearts_env as he
from hearts_env.table.match import Match
from hearts_training.web import course, records
from hearts_training.web.records import LongError, replayed
from hearts_training.web.walk import STEP, Walk
from tests.support.games import positions
from tests.support.marks import few
from tests.support.web import Site, bare, receive, running

ENDLESS = "black_lady(end.target=1000000)"
DEAL = 4 * 13 + 4 * 3
"""Actions of a deal of `ENDLESS`."""
MOST = 4_000
"""The limit of these tests."""


@pytest.fixture(autouse=True)
def limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lower the limit, which is at 20,000."""
    for module in (course, records):
        monkeypatch.setattr(module, "MOST_ACTIONS", MOST)


@pytest.fixture(scope="module")
def longest() -> str:
    """A record with as many actions as one may have, played by the first legal action."""
    match = Match(ENDLESS, seed=7)
    for _ in range(MOST):
        match.play(match.legal()[0])
    return match.record()


def is_loop() -> bool:
    """Whether an event loop runs in this thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def forbid(monkeypatch: pytest.MonkeyPatch, name: str, faults: list[str]) -> None:
    """Note when a method of `Match` is called in an event loop."""
    before: Callable[..., Any] = getattr(Match, name)

    def noted(*arguments: Any) -> Any:
        if is_loop():
            faults.append(name)
        return before(*arguments)

    monkeypatch.setattr(Match, name, staticmethod(noted) if name == "replay" else noted)


def test_the_longest_record_is_read_beside_the_event_loop(
    site: Site, longest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = site.open("black_lady(cycle=[hold])", ["person"] * 4)["links"][0]
    faults, plays = list[str](), list[str]()
    with site.sit(quick) as other:
        for name in ("replay", "after", "record"):
            forbid(monkeypatch, name, faults)
        status, made = site.request("/api/studies", {"record": longest})
        assert (status, made["actions"]) == (200, MOST)
        with site.sit(made["study"]) as socket:
            assert receive(socket, "study")["record"] == longest
            forbid(monkeypatch, "play", plays)
            for _ in range(4):
                socket.send(json.dumps({"do": "position", "at": MOST - 1}))
            assert all(receive(socket, "position")["deal"] > 60 for _ in range(4))
            assert len(plays) <= 4 * (STEP + DEAL)
            other.send('{"do": "belief"}')
            receive(other, "belief")
        order = {"record": longest, "at": MOST - 1, "seats": ["person"] * 4}
        table = site.request("/api/tables", order)[1]["links"][0]
        with site.sit(table) as socket:
            assert receive(socket, "table")["deal"] > 60
        assert site.request("/api/tables")[0] == 200
    assert faults == []


def test_a_table_ends_with_the_longest_match(site: Site, longest: str) -> None:
    order = {"record": longest, "at": MOST - 1, "seats": ["rule"] * 4, "pace": 0.0}
    table = site.request("/api/tables", order)[1]["watch"]
    with site.sit(table) as socket:
        while (state := receive(socket, "table"))["trouble"] is None:
            pass
        assert (state["at"], state["trouble"]) == (1, course.FULL)
        record = site.request(f"/api{bare(table)}/record")[1].decode()
    assert sum(len(deal.actions) for deal in Match.replay(record).log) == MOST


def test_a_longer_record_is_refused_before_it_is_played(
    site: Site, longest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    longer = longest.replace("\nend:", 16_001 * "\nseat 0 chooses moon:self" + "\nend:")
    line = "the record has 20,001 actions; a match here has at most 20,000"  # of the server's workers
    monkeypatch.setattr(Match, "replay", None)
    with pytest.raises(LongError, match="20,001 actions; a match here has at most 4,000"):
        replayed(longer)
    for path, order in (("/api/studies", {}), ("/api/tables", {"seats": ["person"] * 4})):
        assert site.request(path, {"record": longer} | order) == (400, {"error": line})


@pytest.mark.parametrize("name", few([*he.VARIANTS][::3], 4))
def test_the_actions_of_a_record_are_counted(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match = next(match for match in positions(name, 3) if match.over)
    count = sum(len(deal.actions) for deal in match.log)
    monkeypatch.setattr("hearts_training.web.records.MOST_ACTIONS", count)
    assert replayed(match.record()) == match
    monkeypatch.setattr("hearts_training.web.records.MOST_ACTIONS", count - 1)
    with pytest.raises(LongError, match=f"has {count:,} actions"):
        replayed(match.record())


def test_a_long_table_of_the_file_is_refused_by_its_length(tmp_path: Path) -> None:
    with running(tmp_path / "tables.sqlite3") as site:
        table = site.open(ENDLESS, ["rule"] * 4)
        with closing(sqlite3.connect(site.server.options.file)) as db, db:
            rows = [(table["key"], place, 0, "2C", 0.0) for place in range(MOST + 1)]
            db.executemany("INSERT INTO actions VALUES (?, ?, ?, ?, ?)", rows)
        with pytest.raises(ConnectionClosed) as closed, site.sit(table["watch"]) as socket:
            receive(socket, "table")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.reason == "the record has 4,001 actions; a match here has at most 4,000"


@pytest.mark.parametrize("name", few([*he.VARIANTS][1::3], 2))
def test_a_walk_goes_back_to_every_place(name: str) -> None:
    match = next(match for match in positions(name, 5) if match.over)
    actions = [action for deal in match.log for _, action in deal.actions]
    walk = pickle.loads(pickle.dumps(Walk.along(match.after(0), actions)))
    for count in (*range(0, len(actions), 191), len(actions)):
        there = walk.after(count)
        assert there == match.after(count)
        assert (there.state == match.after(count).state).all()
    for count in sorted(range(0, len(actions), 191), reverse=True):
        walk.cut(count)
        again = Walk.along(match.after(0), actions[:count])
        assert (walk.match, walk.actions, walk.trick_points) == (again.match, again.actions, again.trick_points)
        assert (walk.deal and walk.deal.points) == (again.deal and again.deal.points)


def test_a_match_that_was_set_goes_back_to_its_start() -> None:
    hands = [[rank + suit for rank in "23456789TJQKA"] for suit in "CDHS"]
    start = Match.from_hands(ENDLESS, hands, totals=[90, 40, 0, 12], played=["2C", "3D"])
    walk = Walk(start)
    while len(walk.actions) < 3 * DEAL:
        walk.step(walk.match.legal()[0])
    assert walk.after(0) == start
    walk.cut(0)
    assert walk.match == start


def test_an_export_holds_every_action_of_finished_tables(tmp_path: Path) -> None:
    from io import BytesIO

    from pyarrow import parquet

    with running(tmp_path / "tables of #1.sqlite3") as site:
        table = site.open("black_lady(cycle=[hold], max_deals=1, moon.mode=old)", ["rule"] * 4)
        with site.sit(table["watch"]) as socket:
            while not receive(socket, "table")["over"]:
                pass
        assert parquet.read_table(BytesIO(site.request("/api/export.parquet")[1])).num_rows == 52
