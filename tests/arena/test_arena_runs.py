"""How the arena runs: several processes, saves, and what it writes."""

from __future__ import annotations

import csv
import io
import json
import os
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hearts_agents import Agent, make_agent
from hearts_agents.arena import AgentFailed, ArenaInterrupted, ArenaResult, run_arena
from hearts_agents.arena.report import draw_margins, to_csv, to_markdown
from hearts_agents.files import UNSEALED, seal
from hearts_env.play.match import Match
from hearts_env.play.view import Views


def untimed(result: ArenaResult) -> dict[str, Any]:
    data = result.to_dict()
    for agent in data["agents"]:
        del agent["ms_per_decision"]
    return data


class Stream(Agent):
    """Plays at random from a stream: what it does depends on what it was asked before."""

    name = "stream"

    def reset(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def __init__(self) -> None:
        self.reset(0)

    def act_batch(self, views: Views) -> np.ndarray:
        return np.array([self.rng.choice(view.legal_ids()) for view in views])


class Broken(Agent):
    """Fails at once."""

    name = "broken"

    def act_batch(self, views: Views) -> np.ndarray:
        raise LookupError("nothing there")


# --- several processes -----------------------------------------------------------------------------


@pytest.mark.exhaustive
def test_the_table_does_not_depend_on_the_number_of_processes() -> None:
    shares: list[float] = []
    arguments: dict[str, Any] = {"deals": 10, "seed": 4, "tables_at_once": 16}
    one = run_arena(["rule", Stream()], **arguments)
    two = run_arena(["rule", Stream()], **arguments, processes=2, progress=shares.append)
    assert untimed(two) == untimed(one)
    assert shares == [0.2, 0.4, 0.6, 0.8, 1.0]
    assert all(agent.ms_per_decision > 0 for agent in two.agents)


@pytest.mark.exhaustive
def test_processes_end_with_a_failure_or_an_interruption() -> None:
    def stop(share: float) -> None:
        raise KeyboardInterrupt

    others = set(active_children())
    with pytest.raises(ArenaInterrupted) as stopped:
        run_arena(["random"], deals=400, tables_at_once=4, processes=1, progress=stop)
    assert stopped.value.partial is not None
    with pytest.raises(ArenaInterrupted) as stopped:
        run_arena(["random"], deals=40, tables_at_once=4, processes=2, progress=stop)
    assert stopped.value.partial is not None
    assert stopped.value.partial.deals >= 1
    assert set(active_children()) == others


def test_an_agent_that_fails_in_another_process_is_told_as_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hearts_agents.arena.play.Player.warm_up", lambda player: None)  # so that it fails over there
    with pytest.raises(AgentFailed, match="agent broken, deal 0, seat 0, phase pass: it raised LookupError") as error:
        run_arena([Broken()], deals=2, processes=2)
    assert Match.replay(error.value.record).phase == "pass"


def test_agents_that_cannot_be_sent_are_refused() -> None:
    class Local(Agent):
        name = "local"

    with pytest.raises(ValueError, match="agent local cannot be sent to another process") as error:
        run_arena([Local()], processes=2)
    assert "\n" not in str(error.value)


class Dies(Agent):
    """Takes its process with it."""

    name = "dies"

    def act_batch(self, views: Views) -> np.ndarray:
        os._exit(1)


@pytest.mark.exhaustive
def test_a_process_that_dies_is_told() -> None:
    with pytest.raises(ChildProcessError, match="a worker process died, perhaps for lack of memory"):
        run_arena([Dies()], deals=2, processes=2)


# --- saves -----------------------------------------------------------------------------------------

COMMAND: dict[str, Any] = {"agents": ["rule", "random"], "deals": 10, "seed": 2, "tables_at_once": 16}


def interrupt_at(limit: float) -> Any:
    def stop(share: float) -> None:
        if share >= limit:
            raise KeyboardInterrupt

    return stop


@pytest.mark.parametrize("unit", ["deals", "matches"])
def test_an_interrupted_run_goes_on_to_the_same_table(unit: str, tmp_path: Path) -> None:
    command = {key: value for key, value in COMMAND.items() if key != "deals"}
    command |= {unit: 10, "variant": "black_lady(target=30)"}
    file = tmp_path / "arena.save"
    shares: list[float] = []
    with pytest.raises(ArenaInterrupted) as stopped:
        run_arena(**command, save=file, progress=interrupt_at(0.4))
    assert stopped.value.partial is not None
    assert stopped.value.partial.units == 4
    result = run_arena(**command, save=file, progress=shares.append)
    assert shares == [0.4, 0.6, 0.8, 1.0]
    assert untimed(result) == untimed(run_arena(**command))
    assert untimed(run_arena(**command, save=str(file), progress=shares.append)) == untimed(result)
    assert shares[4:] == [1.0]
    assert [one.name for one in tmp_path.iterdir()] == ["arena.save"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seed": 3}, "there seed is 2, here 3"),
        ({"agents": ["rule", "rule"]}, "there agents is rule random, here rule rule"),
        ({"deals": 12}, "there deals is 10, here 12"),
        ({"deals": None, "matches": 10}, "there matches is not given, here 10"),
        ({"variant": "queens"}, "there variant is black_lady, here queens"),
        ({"seatings": "all"}, "there seatings is one-vs-rest, here all"),
        ({"tables_at_once": 8}, "there chunk is 2, here 1"),
    ],
)
def test_a_save_of_another_command_is_refused(changes: dict[str, Any], message: str, tmp_path: Path) -> None:
    file = tmp_path / "arena.save"
    run_arena(**COMMAND, save=file)
    before = file.read_bytes()
    with pytest.raises(ValueError, match=f"is of another arena: {message}; name another file") as error:
        run_arena(**(COMMAND | changes), save=file)
    assert "\n" not in str(error.value)
    assert file.read_bytes() == before


def broken(change: str, data: dict[str, Any]) -> bytes:
    part = data["parts"][0]
    changes: dict[str, Any] = {
        "version": lambda: data.update(version=9),
        "package": lambda: data["command"].update(package="0.0.1"),
        "format": lambda: data.pop("format"),
        "command": lambda: data.update(command=[]),
        "missing": lambda: data.pop("parts"),
        "twice": lambda: data["parts"].append(part),
        "elsewhere": lambda: part.update(first=1),
        "shape": part["sums"].pop,
        "words": lambda: part.update(sums="none"),
        "agents": lambda: part.update(seconds=[1.0]),
    }
    changes[change]()
    return seal(json.dumps(data | {"sha256": UNSEALED}).encode())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("version", "is a save of version 9; version 2 is needed"),
        ("package", "there package is 0.0.1, here"),
        ("format", "is no save of an arena"),
        ("command", "there package is not given"),
        ("missing", "is a broken save"),
        ("twice", "is a broken save"),
        ("elsewhere", "is a broken save"),
        ("shape", "is a broken save"),
        ("words", "is a broken save"),
        ("agents", "is a broken save"),
    ],
)
def test_a_broken_save_is_refused(change: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "arena.save"
    run_arena(**COMMAND, save=file)
    file.write_bytes(broken(change, json.loads(file.read_text())))
    with pytest.raises(ValueError, match=message) as error:
        run_arena(**COMMAND, save=file)
    assert "\n" not in str(error.value)


def test_a_save_that_cannot_be_finished_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError("no space left")

    file = tmp_path / "arena.save"
    run_arena(**COMMAND, save=file)
    before = file.read_bytes()
    monkeypatch.setattr("os.replace", full)
    with pytest.raises(OSError, match="no space left"):
        run_arena(**COMMAND, save=file)
    assert [one.name for one in tmp_path.iterdir()] == ["arena.save"]
    assert file.read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[1, 2]", b'{"format"', b"[" * 100_000])
def test_what_is_no_save_is_refused_and_kept(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "arena.save"
    file.write_bytes(content)
    with pytest.raises(ValueError, match="is no save of an arena"):
        run_arena(**COMMAND, save=file)
    assert file.read_bytes() == content


# --- what is written -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def result() -> ArenaResult:
    return run_arena(["rule", "random", "rule(shoot=0.9)"], deals=20, luck=True)


def test_csv_has_a_row_for_every_agent(result: ArenaResult) -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(result))))
    assert [row["name"] for row in rows] == ["rule", "random", "rule(shoot=0.9)"]
    for row, agent in zip(rows, result.agents, strict=True):
        assert float(row["margin"]) == agent.margin
        assert (float(row["margin_low"]), float(row["margin_high"])) == agent.margin_ci
        assert (row["variant"], row["deals"], row["won"], row["matches"]) == ("black_lady", "20", "", "")
    single = next(csv.DictReader(io.StringIO(to_csv(run_arena(["random"], deals=1)))))
    assert (single["points_se"], single["points_low"]) == ("", "")


def test_markdown_has_the_tables(result: ArenaResult) -> None:
    lines = to_markdown(result).splitlines()
    assert lines[0].startswith("black_lady: 20 deals, one-vs-rest, seed 0.")
    tables = [line for line in lines if line.startswith("|")]
    assert len(tables) == 3 * (2 + 3)
    assert [len({line.count("|") for line in tables[at : at + 5]}) for at in (0, 5, 10)] == [1, 1, 1]
    pair = result.pairs[0]
    assert f"| rule |  | {pair.margin:+.2f} ± {pair.margin_se:.2f} |" in tables[7]
    assert to_markdown(run_arena(["rule", "random"], deals=2)).count("| agent ") == 1


def test_the_plot_is_a_picture(result: ArenaResult) -> None:
    assert draw_margins(result, "png").startswith(b"\x89PNG")
    picture = draw_margins(result, "svg")
    assert picture.startswith(b"<?xml")
    assert draw_margins(result, "svg") == picture
    single = run_arena([make_agent("random")], deals=1)  # without an interval
    assert draw_margins(single, "svg").startswith(b"<?xml")
