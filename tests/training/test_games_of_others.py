"""Games of others in the commands: replayed, recorded as data, learned from, and their deals played by agents."""

import json
import random
import re
from pathlib import Path

import numpy as np
import pytest

import hearts_env as he
from hearts_agents import make_agent
from hearts_agents.arena import GivenDeals, run_arena
from hearts_training.cli import main
from hearts_training.data.parts import encode_part
from hearts_training.data.recorded import RecordedGames
from tests.pages import ROOT


def played(rules: str, seed: int, deals: int = 1) -> he.Match:
    """A match of random players, the first two of a name."""
    match, rng = he.Match(rules, seed=seed), random.Random(seed)
    while not match.over and len(match.deal_points) < deals:
        match.play(rng.choice(match.legal()))
    match.players = ("Deep", "search", "Deep", "search")
    return match


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Two deals of a match, and two single deals."""
    path = tmp_path / "games.jsonl"
    he.write_games(path, [played("black_lady", 1, deals=2), played("black_lady", 2), played("black_lady", 3)])
    return path


def printed(capsys: pytest.CaptureFixture[str], *arguments: object, code: int = 0) -> str:
    found = main(list(map(str, arguments)))
    output = capsys.readouterr()
    assert found == code, output.err
    return output.out if code == 0 else output.err


def test_replay_lists_the_matches_and_shows_one(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = file.with_name("record.txt")
    record.write_text(played("black_lady", 4).record())
    assert printed(capsys, "replay", file, record).count("black_lady") == 4
    shown = printed(capsys, "replay", file, "--game", "1")
    assert shown.count("Deep") == 2
    assert "there are 3 matches; name one with --game, from 1 to 3" in printed(
        capsys, "replay", file, "--game", "4", code=2
    )
    file.write_text(file.read_text().replace('"2C"', '"2D"', 1))
    assert f"{file}, line 1: 2D occurs 2 times" in printed(capsys, "replay", file, code=2)


def test_record_writes_the_deals_of_files(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record, out = file.with_name("record.txt"), file.with_name("set")
    record.write_text(played("black_lady", 4, deals=3).record())
    assert "7 deals are in" in printed(capsys, "record", "--from", file, record, "--out", out, "--observations")
    games = RecordedGames(out)
    found = list(games)
    assert [game.is_set for game in found] == [True] * 4 + [False] * 3  # the seed of a record deals its cards
    assert found[0].agents == ("Deep", "search", "Deep", "search")
    assert [game.match().log[0].totals_after for game in found] == [list(game.totals) for game in found]
    assert found[5].totals_before == found[4].totals != (0, 0, 0, 0)
    replayed, table = games.replay(0), games.table(0)
    assert np.array_equal(np.concatenate(table["rewards"].to_numpy()), replayed.rewards)
    others = file.with_name("others.jsonl")
    he.write_games(others, [played("omnibus_hearts", 1)])
    for arguments, words in (
        (("--from", file, others), "has deals of omnibus_hearts, and a data set is of one game"),
        (("--from", file, "--deals", 7), "--from plays nothing"),
        (("--from", file), "of another command"),
    ):
        assert words in printed(capsys, "record", *arguments, "--out", out, code=2)


@pytest.mark.parametrize("variant", ["heartsette", "complex_hearts", "turbo_hearts", "openspiel"])
def test_deals_of_any_game_are_recorded(variant: str, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    he.write_games(file, [played(variant, seed) for seed in range(2)])
    printed(capsys, "record", "--from", file, "--out", file.with_name("set"))
    games = RecordedGames(file.with_name("set"))
    assert [game.match().log[0].points for game in games] == [list(game.points) for game in games]
    assert games.replay(0).offsets[-1] == sum(len(game.actions) for game in games)


def test_a_deal_that_its_seed_does_not_deal_is_refused(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = file.with_name("set")
    printed(capsys, "record", "--from", file, "--out", out)
    games = RecordedGames(out)
    table = games.table(0)
    claimed = table.set_column(table.schema.get_field_index("set"), table.schema.field("set"), [[False] * 4])
    games.files[0].write_bytes(encode_part(claimed, 0, games.description))
    with pytest.raises(ValueError, match="a deal is not the one that its seed deals"):
        games.replay(0)


def test_agents_play_the_deals_of_a_log(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deals = [deal for match in he.read_games(file) for deal in match.log if deal.points]
    twice = [*he.read_games(file), played("black_lady", 3)]  # the last deal once more, otherwise seated
    twice[-1].players = ("search", "Deep", "search", "Deep")
    he.write_games(file, twice)
    arena = ("arena", "rule", "random", "--deals-from", file, "--seatings", "two-vs-two", "--seed", "1")
    found = json.loads(printed(capsys, *arena, "--json", "-"))
    assert found["deals"] == 4
    margins = [(a + c - b - d) / 3 for a, b, c, d in (deal.points for deal in deals if deal.points)]
    margins[-1] = 0.0  # each player in every seat
    deep, search = found["log"]
    assert (deep["name"], deep["deals"], search["name"]) == ("Deep", 4, "search")
    assert deep["margin"] == pytest.approx(np.mean(margins)) == -search["margin"]
    assert deep["margin_se"] == pytest.approx(np.std(margins, ddof=1) / 2)
    rule = deep["agents"][0]
    assert rule["margin_difference"] == pytest.approx(found["agents"][0]["margin"] - deep["margin"])
    shown = printed(capsys, *arena, "--deals", "3", "--save", file.with_name("save"))
    assert "players of the log, 3 deals" in shown
    assert "is of another arena" in printed(capsys, *arena, "--save", file.with_name("save"), code=2)
    assert "leave out --matches" in printed(capsys, *arena, "--matches", "2", code=2)
    assert "is not the game of --deals-from" in printed(capsys, *arena, "--variant", "queens", code=2)


@pytest.mark.parametrize("variant", ["black_lady", "heartsette", "openspiel", "gong_zhu"])
def test_the_same_play_of_a_log_makes_no_difference(variant: str, file: Path) -> None:
    rule, matches = make_agent("rule"), [he.Match(variant, seed=seed) for seed in (1, 2)]
    for match in matches:
        while not match.deal_points:
            match.play(rule.act(match.view(match.seat or 0)))
    he.write_games(file, matches)
    given = GivenDeals.read([file])
    result = run_arena(["rule"], variant, given=given)
    [log] = given.compare(result.by_unit)
    assert log["name"] == "the log"
    assert log["points"] == result.agents[0].points
    assert (log["agents"][0]["points_difference"], log["agents"][0]["points_difference_se"]) == (0, 0)


def test_the_scripts_of_the_page_read_other_logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    monkeypatch.chdir(tmp_path)
    for code in re.findall("^```python\n(.*?)^```$", (ROOT / "docs/tutorials/logs.md").read_text(), re.M | re.S):
        exec(code, {})
    tables, rounds = (list(he.read_games(name)) for name in ("games.jsonl", "rounds.jsonl"))
    assert [match.players[0] for match in tables] == ["search", "Deep CFR"] * 2
    assert [match.log[0].direction for match in tables] == ["left", "left", "hold", "hold"]
    assert [(len(match.deal_points), match.players) for match in rounds] == [(2, ("Ann", "Bob", "Cid", "Dee"))]


def test_passes_are_compared_with_those_of_a_log(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match, agents = he.Match("black_lady", seed=5), [make_agent("rule"), make_agent("random")]
    while len(match.deal_points) < 3:
        match.play(agents[(match.seat or 0) % 2].act(match.view(match.seat or 0)))
    match.players = ("rule", "random", "rule", "random")
    he.write_games(file, [match])
    arguments = ("evaluate", "rule", "--deals-from", file)
    [found] = json.loads(printed(capsys, *arguments, "--json", "-"))["passing"]
    same, other = sorted(found["log"], key=lambda player: -player["share"])
    assert (same["player"], same["share"], same["error"]) == ("rule", 1, 0)
    assert other["share"] < 0.7
    assert "100.0%" in printed(capsys, *arguments)
    assert "--deals-from measures passing" in printed(capsys, *arguments, "--only", "moons", code=2)
