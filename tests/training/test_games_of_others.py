"""Games of others in the commands: replayed, recorded as data, learned from, and their deals played by agents."""

import random
from pathlib import Path

import pytest

import hearts_env as he
from hearts_training.cli import main


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
