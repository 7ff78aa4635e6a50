"""Recorded games: the same whoever writes them, played again as they were, and as data sets for other libraries."""

from __future__ import annotations

import hashlib
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hearts_env as he
from hearts_agents.registry import make_agent
from hearts_env import Match
from hearts_env.envs.gym import LearnerEnv
from hearts_training.cli import main
from hearts_training.data.distil import distil
from hearts_training.data.folder import write_description
from hearts_training.data.parts import PART, part_file
from hearts_training.data.record import record
from hearts_training.data.recorded import RecordedGames
from hearts_training.options import DistilOptions, RecordOptions
from tests.support.marks import few

SMALL = RecordOptions(agents=("rule", "random"), explore=0.1, observations=True, seed=3)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> RecordedGames:
    """A data set of two parts."""
    out = tmp_path_factory.mktemp("games") / "set"
    assert record(SMALL, out, PART + 1) == 2 * PART
    return RecordedGames(out)


def test_a_game_is_played_again_as_it_was(games: RecordedGames) -> None:
    assert len(games) == 2 * PART
    for number, game in enumerate(games):
        assert game.deal == number
        if number % 16 == 0:
            match = game.match()
            deal = match.log[0]
            assert tuple(deal.totals_after or ()) == game.totals
            assert tuple(deal.points or ()) == game.points
            assert [match.game.actions[action] for action in game.actions] == [name for _, name in deal.actions]
            assert [seat for seat, _ in deal.actions] == list(game.seats)
            assert Match.replay(match.record()) == match


@pytest.mark.exhaustive
def test_a_policy_imitates_what_was_played(games: RecordedGames, tmp_path: Path) -> None:
    options = DistilOptions(data=(games.folder,), hidden=(64,), epochs=2, batch=128, held_out=1, threads=1)
    result = distil(options, tmp_path / "policy")
    assert 0.1 < result.gains[-1] < result.best < 1
    view = Match("black_lady", seed=1).view(0)
    assert make_agent(f"net:{tmp_path / 'policy'}").act(view) in view.legal_ids()


def test_a_data_set_describes_itself_to_catalogues(games: RecordedGames) -> None:
    found = json.loads((games.folder / "croissant.json").read_text())
    description, parts = found["distribution"]
    content = (games.folder / description["contentUrl"]).read_bytes()
    assert description["sha256"] == hashlib.sha256(content).hexdigest()
    assert sorted(games.folder.glob(parts["includes"])) == games.files
    fields = found["recordSet"][0]["field"]
    assert [field["source"]["extract"]["column"] for field in fields] == games.schema.names
    kinds = {field["name"]: (field["dataType"], field.get("repeated", False)) for field in fields}
    assert (kinds["deal"], kinds["rewards"], kinds["hands"]) == (
        ("sc:Integer", False),
        ("sc:Float", True),
        ("sc:Text", False),
    )


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("default")
def test_mlcroissant_reads_a_data_set(games: RecordedGames) -> None:
    croissant = pytest.importorskip("mlcroissant")
    found = croissant.Dataset(jsonld=str(games.folder / "croissant.json"))
    assert not found.metadata.ctx.issues.errors
    record = next(iter(found.records("games")))
    assert (record["games/deal"], record["games/agents"][0]) in ((0, b"rule"), (0, b"random"))


def test_the_agents_named_are_those_that_played(games: RecordedGames) -> None:
    table = games.table(0)
    assert {agent for row in table["agents"].to_pylist() for agent in row} == {"rule", "random"}
    rule, same = make_agent("rule"), []
    for game in list(games.games(0))[:8]:
        for step, (seat, action) in enumerate(zip(game.seats, game.actions, strict=True)):
            if game.agents[seat] == "rule":
                same.append(rule.act(game.match(step).view(seat)) == action)
    assert 0.85 < np.mean(same) < 1  # explore=0.1 has replaced some, and every second seat is the random player's
    assert len(same) > 100


def test_what_a_seat_saw_and_earned(games: RecordedGames) -> None:
    found, table = games.replay(1, timing="trick"), games.table(1)
    game = next(games.games(1))
    for row in range(0, int(found.offsets[1]), 5):
        view = game.match(row).view(game.seats[row])
        assert np.array_equal(found.observations[row], view.observation())
        assert np.array_equal(found.masks[row], view.action_mask())
    deal = np.repeat(np.arange(PART), np.diff(found.offsets))
    for seat in range(4):
        own = found.seats == seat
        earned = np.bincount(deal[own], found.rewards[own], PART)
        assert np.array_equal(earned, [-row[seat] for row in table["points"].to_pylist()])
    assert np.count_nonzero(found.rewards) > np.count_nonzero(games.replay(1).rewards)  # some are paid within a deal


@pytest.mark.parametrize("variant", few(["math_team_hearts", *sorted(set(he.VARIANTS) - {"math_team_hearts"})]))
def test_every_variant_is_played_again(variant: str, tmp_path: Path) -> None:
    record(RecordOptions(agents=("random",), variant=variant, seed=1), tmp_path, 1)
    found = RecordedGames(tmp_path)
    for game in list(found)[:20]:
        assert tuple(game.match().log[0].totals_after or ()) == game.totals
    found.replay(0)


@pytest.mark.exhaustive
def test_processes_and_interruptions_leave_the_data_as_they_are(games: RecordedGames, tmp_path: Path) -> None:
    def stop(done: int) -> None:
        if done:
            raise KeyboardInterrupt

    out = tmp_path / "set"
    with pytest.raises(KeyboardInterrupt):
        record(SMALL, out, 2 * PART, progress=stop)
    assert len(list(out.glob("part-*"))) == 1
    part_file(out, 0).unlink()
    record(SMALL, out, 2 * PART, workers=2)
    for file in games.files:
        assert file.read_bytes() == (out / file.name).read_bytes()


@pytest.mark.exhaustive
def test_files_are_whole_after_sigkill_and_the_same_command_continues(games: RecordedGames, tmp_path: Path) -> None:
    out = tmp_path / "set"
    command = [sys.executable, "-m", "hearts_training", "record", "--agents", "rule", "random", "--explore", "0.1"]
    command += ["--observations", "--seed", "3", "--out", str(out), "--deals", str(50 * PART)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        while not part_file(out, 1).is_file():
            assert process.poll() is None
            time.sleep(0.1)
        process.send_signal(signal.SIGKILL)
    (out / ".0123456789abcdef.draft").write_bytes(b"half")
    assert record(SMALL, out, 2 * PART) == 2 * PART
    assert not list(out.glob(".*.draft"))
    for file in games.files:
        assert file.read_bytes() == (out / file.name).read_bytes()


def test_another_command_is_refused(games: RecordedGames, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="holds games of another command"):
        record(RecordOptions(seed=4), games.folder, 1)
    with pytest.raises(ValueError, match=r"holds no games.json; name a folder that hearts record wrote"):
        RecordedGames(tmp_path)
    (empty := tmp_path / "empty").mkdir()
    write_description(RecordedGames.kind, empty, games.description | {"seed": 4}, [])
    assert record(SMALL, empty, 1) == PART  # nothing was recorded by another command
    with pytest.raises(ValueError, match="agents is empty"):
        RecordOptions(agents=())
    with pytest.raises(ValueError, match="follows one table at a time; record with agents that do not"):
        record(RecordOptions(agents=("exec:true",)), tmp_path / "new", 1)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "games"
    assert main(["record", "--agents", "random", "--deals", "10", "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"256 deals are in {out}\n"
    assert RecordedGames(out).description["agents"] == ["random"]
    assert "observations" not in RecordedGames(out).table(0).column_names


# --- Minari ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def minari(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Minari with a folder of its own."""
    library = pytest.importorskip("minari")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    return library


def test_a_minari_episode_is_what_gymnasium_shows(games: RecordedGames, minari: Any) -> None:
    from hearts_training.data.minari import export

    names = export(games.folder, "hearts/mixed", deals=3)
    assert names == [f"hearts/mixed-seat{seat}-v0" for seat in range(4)]
    dataset = minari.load_dataset(names[1])
    assert dataset.total_episodes == 3
    recorded = list(games.games(0))[:3]
    recovered = dataset.recover_environment()
    assert isinstance(recovered.unwrapped, LearnerEnv)
    assert {recovered.reset(seed=seed)[1]["deal_number"] for seed in range(40)} == {0, 1, 2, 3}, "as the data's deals"
    for episode, game in zip(dataset, recorded, strict=True):
        assert episode.rewards.sum() == -float(game.points[1].real)
        assert episode.terminations.tolist() == [False] * (len(episode.actions) - 1) + [True]
        options = dataset.storage.get_episode_metadata([episode.id])
        env = LearnerEnv("black_lady", deals=1, seat=1, opponents=[Repeats(game, seat) for seat in (2, 3, 0)])
        observation, info = env.reset(seed=0, options=next(iter(options))["options"])
        for step, action in enumerate(episode.actions):
            assert np.array_equal(episode.observations[step], observation)
            assert np.array_equal(episode.infos["action_mask"][step], info["action_mask"])
            observation, reward, over, truncated, info = env.step(action)
            assert (reward, over, truncated) == (
                episode.rewards[step],
                episode.terminations[step],
                episode.truncations[step],
            )
        assert np.array_equal(episode.observations[-1], observation)
        assert not episode.infos["action_mask"][-1].any()


def test_a_kitty_is_dealt_again_as_it_lay(tmp_path: Path, minari: Any) -> None:
    from hearts_training.data.minari import _options

    rules = "heartsette(deck.kitty_award=one_per_trick)"
    record(RecordOptions(variant=rules, agents=("random",)), tmp_path / "kitty", PART)
    recorded = RecordedGames(tmp_path / "kitty")
    for game in list(recorded.games(0))[:3]:
        env = LearnerEnv(rules, deals=1)
        env.reset(seed=0, options=_options(game))
        assert [env._env.game.deck.kinds[kind] for kind in env.record["kitty"][: len(game.kitty)]] == [*game.kitty]


class Repeats:
    """Plays a seat as it was recorded."""

    def __init__(self, game: Any, seat: int) -> None:
        self._actions: Iterator[int] = iter([a for s, a in zip(game.seats, game.actions, strict=True) if s == seat])

    def act(self, view: he.View) -> int:
        return next(self._actions)
