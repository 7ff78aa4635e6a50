"""Tables over the wire: playing, taking back, hints, studies, results, and everything a page should not send."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pyarrow import parquet
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

import hearts_env as he
from hearts_agents.search import PimcAgent
from hearts_env.seat.view import View
from hearts_env.table.match import Match
from hearts_training.evaluate.analysis import decisions
from hearts_training.web.database import Database
from hearts_training.web.players import Players
from hearts_training.web.tables import Tables
from tests.support.web import Site, Visit, apart, bare, receive, running

QUICK = "black_lady(cycle=[hold], max_deals=1)"


def act(socket: ClientConnection, state: dict[str, Any], *actions: str) -> dict[str, Any]:
    """Take actions and return the state in which it is one's turn again, or the match is over."""
    socket.send(json.dumps({"do": "act", "actions": actions or state["legal"][:1], "at": state["at"]}))
    while True:
        after = receive(socket, "table")
        if after["at"] > state["at"] and (after["over"] or after["turn"] == after["seat"]):
            return after


def own_turn(socket: ClientConnection) -> dict[str, Any]:
    while True:
        state = receive(socket, "table")
        if state["turn"] == state["seat"] or state["over"]:
            return state


def play_through(site: Site, rules: str, **more: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    table = site.open(rules, ["person Ann", *["rule"] * (he.rules(rules).players - 1)], **more)
    with site.sit(table["links"][0]) as socket:
        state = own_turn(socket)
        while not state["over"]:
            state = act(socket, state)
    return table, state


@pytest.mark.parametrize("rules", [QUICK, "complex_hearts(max_deals=2)", "gong_zhu(max_deals=1)", "partnership_hearts"])
def test_a_match_is_played_to_its_end_and_counted(site: Site, rules: str) -> None:
    table, state = play_through(site, rules)
    match = Match.replay(site.request(f"/api{bare(table['links'][0])}/record")[1].decode())
    assert match.over
    assert state["ranking"] == match.ranking
    kept = site.request("/api/results")[1]
    assert any(row["name"] == "Ann" and row["variant"] == match.rules.variant.name for row in kept["results"])
    assert {row["name"] for row in kept["ratings"] if row["variant"] == match.rules.variant.name} >= {"Ann", "Solid"}


def test_a_decision_is_taken_back(site: Site) -> None:
    table = site.open("black_lady", ["person", "rule", "rule", "rule"], seed=7)
    with site.sit(table["links"][0]) as socket:
        first = own_turn(socket)
        then = act(socket, first, *first["legal"][:3])
        assert then["phase"] == "play" or then["at"] > 3
        socket.send('{"do": "undo"}')
        while (back := own_turn(socket))["at"] != 2:
            pass
        assert back["passed"] == first["legal"][:2]
        assert sorted(back["hand"] + back["passed"]) == sorted(first["hand"])


def test_hints_beliefs_and_refusals(site: Site) -> None:
    table = site.open("black_lady(cycle=[hold])", ["person", "rule", "rule", "rule"], seed=7)
    with site.sit(table["links"][0]) as socket:
        state = own_turn(socket)
        socket.send('{"do": "hint", "agent": "pimc(worlds=8)"}')
        values = receive(socket, "hint")["values"]
        assert {value["action"] for value in values} == set(state["legal"])
        assert [value["cost"] for value in values] == sorted(value["cost"] for value in values)
        socket.send('{"do": "belief"}')
        cards = receive(socket, "belief")["cards"]
        assert not set(cards) & set(state["hand"])
        assert all(sum(shares) == pytest.approx(1, abs=0.01) and shares[0] == 0 for shares in cards.values())
        for agent, line in [
            ("rule", "explains nothing"),
            ("exec:true", "allow-programs"),
            ("ruel", "the closest is rule"),
            ("pimc(worlds=1000000)", "at most 10,000"),
            ("pimc(worlds=1_000_000)", "at most 10,000"),
            ("pimc(worlds=+1000000)", "at most 10,000"),
        ]:
            socket.send(json.dumps({"do": "hint", "agent": agent}))
            assert line in receive(socket, "error")["line"]
        illegal = next(card for card in state["hand"] if card not in state["legal"])
        socket.send(json.dumps({"do": "act", "actions": [illegal], "at": state["at"]}))
        assert receive(socket, "error")["line"] == "Follow suit: clubs were led."
        socket.send(json.dumps({"do": "act", "actions": state["legal"][:1], "at": state["at"] + 1}))
        assert "changed meanwhile" in receive(socket, "error")["line"]


def test_several_people_sit_at_one_table(site: Site) -> None:
    table = site.open(QUICK, ["person Ann", "person Bob", "rule", "rule"], seed=2)
    with site.sit(table["links"][0]) as ann, site.sit(table["links"][1]) as bob:
        last = {0: receive(ann, "table"), 1: receive(bob, "table")}
        while not last[0]["over"]:
            turn = last[0]["turn"]
            if turn in (0, 1) and last[turn]["at"] == last[0]["at"]:
                state, socket = last[turn], (ann, bob)[turn]
                socket.send(json.dumps({"do": "act", "actions": state["legal"][:1], "at": state["at"]}))
            before = last[0]["at"]
            while last[0]["at"] == before:
                last[0] = receive(ann, "table")
            while last[1]["at"] < last[0]["at"]:
                last[1] = receive(bob, "table")
        ann.send('{"do": "undo"}')
        assert "other people" in receive(ann, "error")["line"]


@pytest.mark.parametrize(("persons", "may"), [(0, True), (1, True), (2, False)])
def test_a_page_knows_whether_it_may_have_the_record(site: Site, persons: int, may: bool) -> None:
    table = site.open("black_lady", ["person"] * persons + ["rule"] * (4 - persons))
    link = table["watch"] or table["links"][0]
    with site.sit(link) as socket:
        assert receive(socket, "table")["may_record"] == may
    assert site.request(f"/api{bare(link)}/record")[0] == (200 if may else 403)


def check_verdict(match: Match, values: dict[int, Any], verdict: list[Any]) -> None:
    """Each seat lost what its choices cost, and its mistakes cost more than two standard errors."""
    seats = {at: seat for at, (seat, _) in enumerate(match.log[0].actions)}
    chosen = {
        at: next(one for one in found if one["action"] == match.log[0].actions[at][1]) for at, found in values.items()
    }
    for seat, lost in enumerate(verdict):
        own = {at: value for at, value in chosen.items() if seats[at] == seat}
        assert (lost["passing"], lost["play"]) == (0, pytest.approx(sum(one["cost"] for one in own.values())))
        assert lost["mistakes"] == [at for at, one in own.items() if one["cost"] > 2 * one["error"]]


def test_a_record_is_studied_and_played_on(site: Site) -> None:
    match = Match("black_lady(cycle=[hold])", 7)
    for _ in range(20):
        match.play(match.legal()[0])
    status, made = site.request("/api/studies", {"record": match.record()})
    assert (status, made["actions"]) == (200, 20)
    with site.sit(made["study"]) as socket:
        page = receive(socket, "study")
        assert [decision["action"] for decision in page["decisions"]] == [action for _, action in match.log[0].actions]
        socket.send('{"do": "position", "at": 5}')
        assert receive(socket, "position")["hands"] == match.after(5).hands
        socket.send('{"do": "position", "at": 21}')
        assert "beyond the record" in receive(socket, "error")["line"]
        socket.send('{"do": "analyse", "agent": "pimc(worlds=4)"}')
        values: dict[int, Any] = {}
        costs: dict[int, float] = {}
        verdict: list[Any] = []
        while (message := json.loads(socket.recv(timeout=60)))["is"] != "done":
            if message["is"] == "value":
                values[message["at"]], costs[message["at"]] = message["values"], message["cost"]
                verdict = message["verdict"]
        now = {at: match.after(at) for at in range(20)}
        assert set(values) == {at for at in now if len(now[at].legal()) > 1}
        assert all({value["action"] for value in found} == set(now[at].legal()) for at, found in values.items())
        socket.send('{"do": "belief", "at": 5, "seat": 1}')
        assert receive(socket, "belief")["seat"] == 1
    terminal = {one.at: one for one in decisions(match, PimcAgent(worlds=4))}
    assert terminal.keys() == costs.keys()
    check_verdict(match, values, verdict)
    table_of_values = site.request(f"/api{bare(made['study'])}/values.csv")[1].decode()
    assert table_of_values.count("\n") == 1 + sum(map(len, values.values()))
    with site.sit(made["study"]) as socket:  # another page gets it all at once
        (adviser,) = receive(socket, "study")["advisers"]
        assert {int(at): cost for at, cost in adviser["costs"].items()} == costs
        assert adviser["verdict"] == verdict
    table = site.open("ignored", ["person", "rule", "rule", "rule"], record=match.record(), at=12)
    with site.sit(table["links"][0]) as socket:
        own_turn(socket)
    assert site.match(table["links"][0]).after(12) == match.after(12)


def test_finished_matches_are_exported_and_no_others(site: Site) -> None:
    running_one = site.open(QUICK, ["person", "rule", "rule", "rule"])
    with site.sit(running_one["links"][0]) as socket:
        act(socket, own_turn(socket))
    play_through(site, QUICK)
    rows = parquet.read_table(BytesIO(site.request("/api/export.parquet")[1])).to_pylist()
    assert len(rows) >= 52
    assert set(rows[0]) == {"key", "rules", "place", "seat", "action", "time"}
    assert running_one["key"] not in {row["key"] for row in rows}


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ({"rules": "black_ladi", "seats": ["rule"] * 4}, "closest"),
        ({"rules": "black_lady", "seats": ["rule"] * 3}, "has 4 seats, and 3 are filled"),
        ({"rules": "black_lady", "seats": ["rule", "ruel", "rule", "rule"]}, "the closest is rule"),
        ({"rules": "gong_zhu", "seats": ["person", "net:black_lady", "rule", "rule"]}, "black_lady"),
        ({"rules": "black_lady", "seats": ["exec:true"] * 4}, "--allow-programs"),
        ({"rules": "black_lady", "seats": ["rule"] * 4, "seed": -1}, "seed"),
        ({"rules": "black_lady", "seats": ["rule"] * 4, "pace": 1e9}, "pace"),
        ({"rules": "black_lady"}, "seats"),
        (b"{", "JSON"),
        (b"\xff", "JSON"),
    ],
)
def test_a_bad_request_is_answered_by_one_line(site: Site, body: Any, line: str) -> None:
    status, answer = site.request("/api/tables", body)
    assert status == 400
    assert line.lower() in answer["error"].lower()
    assert "\n" not in answer["error"]


# --- strangers ------------------------------------------------------------------------------------


def test_a_large_request_is_refused(site: Site) -> None:
    status, answer = site.request("/api/studies", {"record": "x" * (3 << 20)})
    assert (status, "at most" in answer["error"]) == (400, True)


# --- mutated messages -----------------------------------------------------------------------------

GOOD = [
    '{"do": "act", "actions": ["2C"], "at": 0}',
    '{"do": "hint", "agent": "pimc(worlds=1)"}',
    '{"do": "pace", "seconds": 0.5}',
    '{"do": "belief", "at": 1, "seat": 2}',
    '{"do": "pause", "on": false}',
]


def mutated(rng: Random) -> str:
    """A message with some characters dropped, doubled, replaced, or a value replaced."""
    text = rng.choice(GOOD)
    if rng.random() < 0.3:
        data = json.loads(text)
        values: list[Any] = [None, -1, 10**30, 1.5, "x" * 500, [], {}, True, "", [[]], ["2C"] * 40, "\u0000"]
        data[rng.choice([*data, "extra"])] = rng.choice(values)
        return json.dumps(data)
    for _ in range(rng.randint(1, 6)):
        place = rng.randrange(len(text) or 1)
        text = (
            text[:place]
            + rng.choice(["", text[place : place + 1] * 2, chr(rng.randrange(32, 0x500)), "}", '"'])
            + text[place + 1 :]
        )
    return text


@pytest.mark.parametrize("to_act", [False, True])
def test_mutated_messages_are_answered_by_one_line(site: Site, to_act: bool) -> None:
    """From the seat to act, which may lead the two of clubs, or from another, which may not."""
    rng = Random(1)
    quiet = site.open("black_lady(cycle=[hold])", ["person", "person", "person", "person"], seed=7)
    seat = site.match(quiet["links"][0]).seat or 0
    link = quiet["links"][seat if to_act else (seat + 1) % 4]
    with site.sit(link) as socket:
        receive(socket, "table")
        for _ in range(500):
            text = mutated(rng)
            socket.send(text)
            answer = json.loads(socket.recv(timeout=60))
            assert answer["is"] in ("error", "table", "belief", "hint"), text
            assert "\n" not in answer.get("line", "")
    actions = site.match(link).log[0].actions
    assert actions in ([], [(seat, "2C")] if to_act else [])


# --- kept -----------------------------------------------------------------------------------------


@pytest.mark.exhaustive
@pytest.mark.release
def test_a_killed_server_loses_nothing(tmp_path: Path) -> None:
    """It is killed in mid-match, twice; every action that a page has seen is there afterwards."""
    rng, file, link, seen = Random(4), tmp_path / "tables.sqlite3", "", 0
    command = [sys.executable, "-m", "hearts_training", "web", "--no-browser", "--port", "0", "--file", str(file)]
    for _ in range(2):
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
            try:
                assert process.stdout is not None
                site = Visit(*process.stdout.readline().split()[2].removeprefix("http://").split("/?key="))
                link = link or site.open("black_lady(target=5000)", ["person", "rule", "rule", "rule"])["links"][0]
                with site.sit(link) as socket:
                    state = own_turn(socket)
                    assert state["at"] >= seen
                    for _ in range(rng.randrange(1, 12)):
                        state = act(socket, state)
                    seen = state["at"]
                    socket.send(json.dumps({"do": "act", "actions": state["legal"][:1], "at": state["at"]}))
            finally:
                process.kill()
    with running(file) as last:
        assert sum(len(deal.actions) for deal in last.match(link).log) >= seen


def test_agents_are_tried_out_on_other_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hands = []

    async def act(self: Players, spec: str, view: View, place: Any, seed: int) -> str:
        hands.append(view.hand)
        return view.legal()[0]

    monkeypatch.setattr(Players, "act", act)
    match = Match("black_lady", seed=7)

    async def open_one() -> None:
        database, players = Database(tmp_path / "tables.sqlite3"), Players(1, programs=False)
        await Tables(database, players).open(match, ["rule"] * 4, 0.0)
        players.close()
        database.close()

    apart(open_one())
    assert hands
    assert match.view(match.seat or 0).hand not in hands


def test_a_table_whose_rules_are_not_known_is_named(many: Site) -> None:
    link = many.open("black_lady", ["person", "rule", "rule", "rule"])["links"][0]
    with sqlite3.connect(many.server.options.file) as db:
        db.execute("UPDATE tables SET rules = 'gone_lady', start = replace(start, 'black_lady', 'gone_lady')")
    with pytest.raises(ConnectionClosed) as closed, many.sit(link) as socket:
        receive(socket, "table")
    assert closed.value.rcvd is not None
    assert (closed.value.rcvd.code, closed.value.rcvd.reason.partition(";")[0]) == (
        4404,
        "its rules are not known here",
    )


@pytest.fixture
def many(tmp_path: Path) -> Iterator[Site]:
    with running(tmp_path / "tables.sqlite3") as one:
        yield one


def test_an_agent_that_takes_too_long_is_stopped(many: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hearts_training.web.players.HINT_PATIENCE", 0.1)
    link = many.open("black_lady", ["person", "rule", "rule", "rule"])["links"][0]
    with many.sit(link) as socket:
        own_turn(socket)
        socket.send('{"do": "hint", "agent": "pimc(worlds=10000)"}')
        assert "took longer than 0.1 s" in receive(socket, "error")["line"]
        monkeypatch.setattr("hearts_training.web.players.HINT_PATIENCE", 60)
        socket.send('{"do": "hint", "agent": "pimc(worlds=4)"}')
        assert receive(socket, "hint")["values"]


@pytest.mark.parametrize(
    ("failure", "logged"),
    [(ValueError("KH is lost"), "KH is lost"), (RuntimeError("KH is lost"), "KH is lost"), (None, "the two of clubs")],
)
def test_an_agent_that_fails_is_named_and_only_the_log_says_why(
    many: Site,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    failure: Exception | None,
    logged: str,
) -> None:
    def act(agent: Any, view: View, seed: int) -> str:
        if failure is not None:
            raise failure
        return view.hand[-1]  # not the two of clubs

    link = many.open(QUICK, ["person", "rule", "rule", "rule"], seed=7)["links"][0]
    monkeypatch.setattr("hearts_training.web.players.act_of", act)
    with many.sit(link) as socket:
        while (state := receive(socket, "table"))["trouble"] is None:
            pass
    assert state["trouble"] == "rule cannot go on; the server's log says why"
    assert (state["at"], state["trick"]) == (0, [])
    assert logged in caplog.text
