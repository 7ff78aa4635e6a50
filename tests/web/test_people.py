"""Several people at one server: names, ratings, hints, and seats that are left."""

import json
from pathlib import Path

import pytest

from hearts_env.table.match import Match
from hearts_training.web.database import Chair, Database
from hearts_training.web.options import ServerOptions
from tests.support.web import Site, finished, receive, running

RULES = "black_lady(max_deals=1)"


def rated(folder: Path, chairs: list[Chair], helped: bool = False) -> set[tuple[str, int]]:
    """Who is rated, and whether they are persons, after a match."""
    database = Database(folder / "tables.sqlite3")
    key = database.add_table(Match(RULES, 7), chairs, 0.0)
    if helped:
        database.set_helped(key)
    database.finish(key, finished(RULES, 7), chairs)
    found = {(row["name"], row["person"]) for row in database.summary()["ratings"]}
    database.close()
    return found


def test_a_person_called_like_an_agent_has_a_rating_of_their_own(tmp_path: Path) -> None:
    rule = Chair("rule", "rule")
    assert rated(tmp_path, [Chair(None, "rule"), rule, rule, rule]) == {("rule", 0), ("rule", 1)}


@pytest.mark.parametrize(
    ("person", "helped"),
    [(Chair(None, ""), False), (Chair(None, "Ann"), True), (Chair(None, "Ann", "", "rule"), False)],
)
def test_no_match_is_rated_without_a_name_or_with_help(tmp_path: Path, person: Chair, helped: bool) -> None:
    assert rated(tmp_path, [person, *[Chair("rule", "rule")] * 3], helped) == set()


def test_a_table_without_hints_gives_none(site: Site) -> None:
    link = site.open(RULES, ["person Ann", "person Bob", "rule", "rule"], hints=False)["links"][0]
    with site.sit(link) as socket:
        assert receive(socket, "table")["hints"] is False
        for message in ({"do": "hint"}, {"do": "belief"}):
            socket.send(json.dumps(message))
            assert receive(socket, "error")["line"] == "this table was opened without hints"


def test_who_joins_gives_a_name_and_an_agent_plays_while_they_are_away(site: Site) -> None:
    links = site.open(f"{RULES[:-1]}, cycle=[hold])", ["person Ann", "person", "rule", "rule"], seed=3)["links"]
    with site.sit(links[0]) as ann:
        with site.sit(links[1]) as bob:
            assert receive(bob, "table")["named"] is False
            bob.send('{"do": "name", "name": "Bob"}')
            while (state := receive(ann, "table"))["names"][1] != "Bob":
                pass
            ann.send('{"do": "stand in", "seat": 1}')
            assert "somebody who has left" in receive(ann, "error")["line"]
        while not (state := receive(ann, "table"))["away"]:
            pass
        ann.send('{"do": "stand in", "seat": 1}')
        while state["turn"] != 0 or not state["stand_ins"][1]:
            state = receive(ann, "table")
        with site.sit(links[1]) as bob:
            assert receive(bob, "table")["stand_ins"] == [False] * 4


def test_one_link_gives_each_friend_the_next_free_seat(site: Site) -> None:
    def join(browser: str, path: str) -> tuple[int, str]:
        key, token = path.split("?", maxsplit=1)[0].split("/")[2:]
        cookie = {"Cookie": f"{site.cookie}; hearts_browser_{site.port}={browser}"}
        status, answer = site.request("/api/join", {"key": key, "token": token}, cookie)
        return status, answer.get("link") or answer["error"]

    table = site.open(RULES, ["person Ann", "rule", "person", "person"])
    own, _, *others = table["links"]
    with site.sit(own, cookie=f"hearts_browser_{site.port}=ann") as ann:
        receive(ann, "table")
        assert [join(one, table["invite"]) for one in ("bob", "cid", "bob")] == [
            (200, link) for link in (*others, others[0])
        ]
        assert join("dot", table["invite"]) == (400, "every seat of this table is taken")
        assert join("ann", table["invite"]) == (200, own)
        assert join("bob", own) == (400, "there is no such table")
    assert site.open(RULES, ["person Ann", "rule", "rule", "rule"])["invite"] is None


def test_a_link_names_an_address_that_others_can_open() -> None:
    assert ServerOptions("127.0.0.1").name == "127.0.0.1"
    assert ServerOptions("::1").name == "[::1]"
    assert ServerOptions("0.0.0.0").name not in ("0.0.0.0", "")


@pytest.mark.parametrize(("more", "ratings"), [({}, 2), ({"seed": 0}, 0)])
def test_a_match_with_a_typed_seed_is_not_rated(tmp_path: Path, more: dict[str, int], ratings: int) -> None:
    """Whoever types a seed can have seen its cards before."""
    with running(tmp_path / "tables.sqlite3") as site:
        link = site.open(f"{RULES[:-1]}, cycle=[hold])", ["person Ann", "rule", "rule", "rule"], **more)["links"][0]
        with site.sit(link) as socket:
            while not (state := receive(socket, "table"))["over"]:
                if state["turn"] == 0:
                    socket.send(json.dumps({"do": "act", "actions": state["legal"][:1], "at": state["at"]}))
        kept = site.request("/api/results")[1]
    assert (len(kept["ratings"]), len(kept["results"])) == (ratings, 1)
