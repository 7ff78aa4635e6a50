"""What pages show beside the tables: studies, beliefs and results."""

import json
from pathlib import Path

import pytest

import hearts_env as he
from hearts_agents.arena import run_arena
from hearts_env.table.match import Match
from hearts_training.web.database import Chair, Database
from hearts_training.web.levels import levels
from tests.support.marks import few
from tests.support.web import Site, receive, running


@pytest.mark.parametrize("rules", ["gong_zhu(max_deals=1)", "math_team_hearts(max_deals=1)"])
def test_a_margin_is_lower_for_the_better_where_the_highest_total_wins(tmp_path: Path, rules: str) -> None:
    match, database = Match(rules, seed=7), Database(tmp_path / "tables.sqlite3")
    while not match.over:
        match.play(match.legal()[0])
    chairs = [Chair(None, f"person {seat}") for seat in range(match.rules.players)]
    database.finish(database.add_table(Match(rules, seed=7), chairs, 0.0), match, chairs)
    margins = {row["name"]: row["margin"] for row in database.summary()["results"]}
    database.close()
    assert sorted(margins, key=margins.__getitem__)[0] == f"person {match.ranking.index(1)}"
    assert sum(margins.values()) == pytest.approx(0)
    assert max(margins.values()) > 0


def test_a_study_keeps_the_names_of_the_table(site: Site) -> None:
    record = Match("black_lady", 7).record()
    names = ["Ann", "rule", "Bob", "rule"]
    for more, listed, seat in [
        ({}, ["seat 0", "seat 1", "seat 2", "seat 3"], None),
        ({"names": names, "seat": 2}, names, 2),
    ]:
        made = site.request("/api/studies", {"record": record} | more)[1]
        with site.sit(made["study"]) as socket:
            page = receive(socket, "study")
            assert (page["names"], page["seat"]) == (listed, seat)
    for wrong in ({"names": names[:3]}, {"seat": 4}, {"seat": -1}, {"names": [*names[:3], "x" * 1000]}):
        status, refused = site.request("/api/studies", {"record": record} | wrong)
        assert (status, "\n" in refused["error"]) == (400, False)


def test_a_match_of_a_file_of_games_is_studied(site: Site, tmp_path: Path) -> None:
    match = Match("black_lady", 7)
    while len(match.deal_points) < 2:
        match.play(match.legal()[0])
    match.players = ("Ann", "Deep", "Bob", "Deep")
    he.write_games(tmp_path / "games.jsonl", [match])
    text = (tmp_path / "games.jsonl").read_text()
    with site.sit(site.request("/api/studies", {"record": text})[1]["study"]) as socket:
        page = receive(socket, "study")
    assert page["names"] == ["Ann", "Deep", "Bob", "Deep"]
    assert [one["action"] for one in page["decisions"]] == [name for deal in match.log for _, name in deal.actions]
    assert Match.replay(page["record"]).deal_points == match.deal_points
    for wrong, words in ((text + text, "4 matches"), (text.replace("2C", "2D", 1), "line 1: 2D occurs 2 times")):
        status, refused = site.request("/api/studies", {"record": wrong.replace('"match": 0, ', "")})
        assert (status, words in refused["error"]) == (400, True)


def test_a_study_survives_its_server(tmp_path: Path) -> None:
    file, record = tmp_path / "tables.sqlite3", Match("black_lady", 7).record()
    with running(file) as site:
        study = site.request("/api/studies", {"record": record, "seat": 2})[1]["study"]
    with running(file) as site, site.sit(study) as socket:
        assert receive(socket, "study")["seat"] == 2


@pytest.mark.parametrize("name", few(["black_lady", "gong_zhu", "cancellation_hearts"], 1, daily=1))
def test_an_easy_opponent_loses_to_a_normal_one_and_beats_chance(name: str) -> None:
    easy, normal = (level.spec for level in levels(he.rules(name))[:2])
    weak = run_arena([easy, normal], name, deals=200, seed=1).agents[0]
    random = run_arena([easy, "random"], name, deals=200, seed=1).agents[0]
    assert weak.margin > weak.margin_se
    assert random.margin < -5 * random.margin_se


def test_advisers_stand_beside_each_other_and_are_kept(tmp_path: Path) -> None:
    match, file = Match("black_lady(cycle=[hold])", 7), tmp_path / "tables.sqlite3"
    for _ in range(8):
        match.play(match.legal()[0])
    with running(file) as site:
        study = site.request("/api/studies", {"record": match.record()})[1]["study"]
        with site.sit(study) as socket:
            assert [one["trick"] for one in receive(socket, "study")["decisions"]] == [1] * 4 + [2] * 4
            for agent in ("net:hearts", "pimc(worlds=2)", "pimc(worlds=3)"):
                socket.send(json.dumps({"do": "analyse", "agent": f" {agent}"}))
                assert receive(socket, "adviser")["agent"] == agent
                receive(socket, "done")
            socket.send(json.dumps({"do": "analyse", "agent": "pimc(worlds=4)"}))
            assert receive(socket, "error")["line"] == "3 advisers are shown; remove one of them first"
            socket.send(json.dumps({"do": "outlook", "deal": 1, "seat": 0}))
            for at in (0, 4):  # the places at which tricks begin
                found = receive(socket, "outlook")
                assert (found["at"], len(found["points"]), len(found["moons"])) == (at, 4, 4)
                assert sum(found["points"]) >= 26
            socket.send(json.dumps({"do": "belief", "at": 6, "seat": 0}))
            exact, weighed = receive(socket, "belief")["cards"], receive(socket, "weighed")
            assert list(exact) == list(weighed["cards"])
            assert 1 <= weighed["worlds"] <= 512
            held = [sum(shares[seat] for shares in weighed["cards"].values()) for seat in range(4)]
            assert held == pytest.approx([0, 11, 11, 12], abs=0.05)  # seat 0 holds the rest
            socket.send(json.dumps({"do": "outlook", "deal": 1, "seat": 4}))
            assert receive(socket, "error")["line"].startswith("seat=4")
            socket.send(json.dumps({"do": "dismiss", "agent": "pimc(worlds=3)"}))
            receive(socket, "dismissed")
    with running(file) as site, site.sit(study) as socket:
        advisers = receive(socket, "study")["advisers"]
        assert [one["agent"] for one in advisers] == ["net:hearts", "pimc(worlds=2)"]
        assert (advisers[0]["costs"], len(advisers[0]["values"])) == ({}, len(advisers[1]["costs"]))
        socket.send(json.dumps({"do": "analyse", "agent": "pimc(worlds=3)"}))
        assert len(receive(socket, "adviser")["values"]) == len(advisers[0]["values"])  # known from before
        socket.send(json.dumps({"do": "deepen", "at": 99}))
        assert receive(socket, "error")["line"] == "there is no decision at=99"
