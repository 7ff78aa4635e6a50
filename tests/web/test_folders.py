"""Folders that a server shows: games that an arena kept, and a training run."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from hearts_agents.arena import KeptGames, run_arena
from hearts_agents.weights import FOLDER
from hearts_training.web.database import Database
from hearts_training.web.options import ServerOptions
from hearts_training.web.server import Server
from tests.support.web import Site, receive, running
from tests.web.test_accessible import check

SCREENS = [(390, 844), (1440, 900)]
POINT = {"entropy": 1.5, "attempted": 0.1, "shot": 0.05, "errors": {"random": 0.2, "rule": 0.3}, "unseen": None}


@pytest.fixture(scope="module")
def lost(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of an arena."""
    kept = KeptGames(folder := tmp_path_factory.mktemp("games") / "lost")
    run_arena(["rule(shoot=0.9)", "random"], deals=3, seed=1, kept=kept)
    kept.write()
    return folder


@pytest.fixture
def trained(tmp_path: Path) -> Path:
    """A folder such as a run leaves behind, of three evaluations."""
    margins = [{"random": -number, "rule": 9.0 - number} for number in range(3)]
    curve = [POINT | {"deals": 1000 * number, "margins": one} for number, one in enumerate(margins)]
    for number in (7, 12):
        (tmp_path / "run" / f"checkpoint-{number:08d}").mkdir(parents=True)
        state = {"rules": "black_lady", "curve": curve[: number // 4]}
        (tmp_path / "run" / f"checkpoint-{number:08d}" / "state.json").write_text(json.dumps(state))
    for name in ("checkpoints/0", "checkpoints/2"):
        shutil.copytree(FOLDER / "black_lady", tmp_path / "run" / name)
    shutil.copytree(FOLDER / "black_lady", tmp_path / "run", dirs_exist_ok=True)
    return tmp_path / "run"


def opened(site: Site, key: str) -> str:
    return str(site.request("/api/games", {"key": key})[1]["study"])


def test_games_are_listed_beside_the_same_cards_and_studied(lost: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(lost, tmp_path / "lost")
    with running(tmp_path / "tables.sqlite3", folder=folder) as site:
        assert site.server.link.partition("?")[0].endswith("/records")
        rows = site.request("/api/games")[1]["rows"]
        assert [row["deal"] for row in rows] == [deal for deal in (1, 2, 3) for _ in range(8)]
        for one in rows:
            twin = rows[one["twin"]]
            assert (twin["deal"], twin["seat"]) == (one["deal"], one["seat"])
            assert sorted(map(str.__eq__, one["players"], twin["players"])) == [False] * 4
        row = rows[9]
        link = opened(site, row["key"])
        assert opened(site, row["key"]) == link
        with site.sit(link) as socket:
            page = receive(socket, "study")
            assert (page["names"], page["seat"]) == (row["players"], row["seat"])
            assert page["deals"][str(row["number"] + 1)] == row["points"]
        database = Database(site.server.options.file)
        for at, one in enumerate(page["decisions"]):  # each costs half a point
            values = [
                {"action": "none", "cost": 0.0, "error": 0.1},
                {"action": one["action"], "cost": 0.5, "error": 0.1},
            ]
            database.add_value(row["key"], "pimc", at, values)
        database.set_advisers(row["key"], ["pimc"])
        database.close()
        costs = [one["cost"] for one in site.request("/api/games")[1]["rows"]]
        assert costs == [None] * 9 + [8.0] + [None] * 14  # 3 cards passed and 13 played
        assert site.request("/api/games", {"key": "none"})[1]["error"].startswith("there is no such game")
        (folder / "games.jsonl").write_text((lost / "games.jsonl").read_text().replace("hands", "hand", 1))
        status, refused = site.request("/api/games")
        assert (status, refused["error"].startswith("line 1: there is no key 'hand'")) == (400, True)
        assert site.request("/api/run")[0] == 400


def test_a_run_is_read_as_it_stands(trained: Path, tmp_path: Path) -> None:
    with running(tmp_path / "tables.sqlite3", folder=trained) as site:
        found = site.request("/api/run")[1]
        assert [point["deals"] for point in found["curve"]] == [0, 1000, 2000]
        assert (found["variant"], found["over"], list(found["agents"])) == ("black_lady", False, ["0", "2", "now"])
        assert site.open("black_lady", [found["agents"]["2"], *["rule"] * 3])["watch"]
        (trained / "result.json").write_text("{}")
        assert site.request("/api/run")[1]["over"]
        os.utime(trained / "result.json", (0, 0))  # a run that was resumed
        assert not site.request("/api/run")[1]["over"]
        (trained / "checkpoint-00000012" / "state.json").write_text("{}")
        status, refused = site.request("/api/run")
        assert (status, "state.json cannot be read" in refused["error"]) == (400, True)
        assert site.request("/api/games")[0] == 400


def test_a_folder_that_cannot_be_shown_is_refused(lost: Path, tmp_path: Path) -> None:
    for folder, host, words in ((tmp_path, "127.0.0.1", "holds neither games"), (lost, "0.0.0.0", "this machine only")):
        with pytest.raises(ValueError, match=words):
            Server(ServerOptions(host, 0, tmp_path / "tables.sqlite3", folder=folder))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.exhaustive
def test_a_list_leads_to_a_study_and_to_two_boards(page: Any, lost: Path, tmp_path: Path) -> None:
    with running(tmp_path / "tables.sqlite3", folder=lost) as site:
        page.goto(site.at("/records"))
        page.wait_for_selector("#games-kept")
        cells = page.locator("#games-kept td:nth-child(2)").all_text_contents()
        margins = [float(cell.replace("−", "-")) for cell in cells]
        assert (margins, len(margins)) == (sorted(margins, reverse=True), 24)
        check(page, SCREENS)
        page.select_option("#order", "moons")
        page.select_option("#player", "random")
        assert page.locator("#games-kept tbody tr").count() == 12
        page.locator("#games-kept td:nth-child(3) a").first.click()
        page.wait_for_selector(".study-pair section >> nth=1")
        page.click("#first-difference")
        check(page, SCREENS)
        chosen = page.locator(".study-pair section > .small").all_text_contents()
        assert chosen[0] != chosen[1]
        page.click(".study-pair section a >> nth=0")
        page.wait_for_selector(".valued .chosen")
        page.goto(site.at("/records"))
        page.locator("#games-kept td:nth-child(1) a").first.click()
        page.wait_for_selector("h3:has-text('(you)')")


@pytest.mark.exhaustive
def test_the_networks_of_a_run_play_each_other(page: Any, trained: Path, tmp_path: Path) -> None:
    with running(tmp_path / "tables.sqlite3", folder=trained) as site:
        page.goto(site.at("/run"))
        page.wait_for_selector("#evaluations")
        assert page.locator("#evaluations tbody tr").count() == 3
        assert page.locator(".charts svg").count() == 3
        check(page, SCREENS)
        page.select_option("#two", "2")
        page.click("#watch-run .main")
        page.wait_for_selector(".seat [title$='checkpoints/0'], .seat h3:has-text('checkpoints/0')")
        for state in trained.glob("checkpoint-*/state.json"):
            state.write_text(json.dumps({"rules": "black_lady", "curve": []}))
        page.goto(site.at("/run"))
        page.wait_for_selector("#none")
