"""Saves of an arena: they resume to the same table; damaged or hostile ones are refused in one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hearts_agents.arena import ArenaInterrupted, run_arena
from hearts_agents.files import UNSEALED, seal
from tests.arena.test_arena_runs import COMMAND, untimed
from tests.support.forged import forgeries, is_refused


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, str]:
    """A finished save, and its table."""
    file = tmp_path_factory.mktemp("saves") / "arena.save"
    result = run_arena(**COMMAND, save=file)
    return file.read_bytes(), result.to_json()


@pytest.fixture
def file(saved: tuple[bytes, str], tmp_path: Path) -> Path:
    """A copy of it."""
    file = tmp_path / "arena.save"
    file.write_bytes(saved[0])
    return file


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
def test_a_save_of_another_command_is_refused(changes: dict[str, Any], message: str, file: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(ValueError, match=f"is of another arena: {message}; name another file") as error:
        run_arena(**(COMMAND | changes), save=file)
    assert "\n" not in str(error.value)
    assert file.read_bytes() == before


def sealed(data: dict[str, Any]) -> bytes:
    """A save with an honest digest."""
    return seal(json.dumps({"sha256": UNSEALED} | data).encode())


CHANGES: dict[str, Callable[[Any], object]] = {
    "is a save of version 9; version 2 is needed": lambda data: data.update(version=9),
    "there package is 0.0.1, here": lambda data: data["command"].update(package="0.0.1"),
    "there agents is exec:touch touched": lambda data: data["command"].update(agents=["exec:touch touched", "rule"]),
    "is a broken save": lambda data: data["parts"].append(data["parts"][0]),
}
NO_SAVES = b"", b"\xff\xfe", b"[1, 2]", b'{"format"', b"[" * 100_000


@pytest.mark.parametrize("change", [*CHANGES, *NO_SAVES])
def test_a_wrong_save_is_refused_and_kept(
    change: str | bytes, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    data = json.loads(file.read_bytes())
    data.pop("sha256")
    if isinstance(change, str):
        CHANGES[change](data)
    before = sealed(data) if isinstance(change, str) else change
    file.write_bytes(before)
    with pytest.raises(ValueError, match=change if isinstance(change, str) else "is no save of an arena") as error:
        run_arena(**COMMAND, save=file)
    assert "\n" not in str(error.value)
    assert file.read_bytes() == before
    assert [one.name for one in file.parent.iterdir()] == ["arena.save"], "a save starts no program"


def test_forgeries_are_refused_in_one_line_or_give_other_numbers(file: Path) -> None:
    data = json.loads(file.read_bytes())
    data.pop("sha256")
    for what, forged in forgeries(data, 400):
        file.write_bytes(sealed(forged))
        refused = is_refused(what, lambda: run_arena(**COMMAND | {"seed": None}, save=file).to_json())
        assert refused or what.startswith(("('run'", "('parts'", "('command', 'seed'")), what
        assert refused or "'first'" not in what, what


@pytest.mark.parametrize("place", [0.1, 0.5, 0.9])
def test_a_digit_that_changed_is_noticed(place: float, file: Path) -> None:
    content = bytearray(file.read_bytes())
    digit = next(at for at in range(int(place * len(content)), len(content)) if chr(content[at]).isdigit())
    content[digit] ^= 1
    file.write_bytes(content)
    with pytest.raises(ValueError, match=r"arena\.save") as error:
        run_arena(**COMMAND, save=file)
    assert "\n" not in str(error.value)


def test_a_save_that_cannot_be_finished_leaves_the_old_one(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError("no space left")

    before = file.read_bytes()
    monkeypatch.setattr("os.replace", full)
    with pytest.raises(OSError, match="no space left"):
        run_arena(**COMMAND, save=file)
    assert [one.name for one in file.parent.iterdir()] == ["arena.save"]
    assert file.read_bytes() == before


def test_without_a_seed_one_is_drawn_and_a_save_keeps_it(tmp_path: Path) -> None:
    command, file = COMMAND | {"seed": None}, tmp_path / "arena.save"
    with pytest.raises(ArenaInterrupted) as stopped:
        run_arena(**command, save=file, progress=interrupt_at(0))
    assert stopped.value.partial is not None
    whole = run_arena(**command, save=file)
    assert whole.seed == stopped.value.partial.seed == json.loads(file.read_text())["command"]["seed"]
    assert whole.agents[0].margin == run_arena(**command | {"seed": whole.seed}).agents[0].margin
    drawn = {run_arena(["random"], deals=1, seed=None).seed for _ in range(4)}
    assert len(drawn) == 4
    assert max(drawn).bit_length() > 50
    zero = tmp_path / "zero.save"
    run_arena(["random"], deals=1, save=zero)
    assert run_arena(["random"], deals=1, seed=None, save=zero).seed == 0
