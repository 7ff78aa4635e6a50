"""Data sets of strangers: damaged or misplaced parts, and forgeries under honest digests, are refused in one line."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hearts_agents.files import UNSEALED, seal
from hearts_training.data.label import label
from hearts_training.data.labelled import LabelledDecisions
from hearts_training.data.parts import PART, encode_part
from hearts_training.data.record import record
from hearts_training.data.recorded import RecordedGames
from hearts_training.options import LabelOptions, RecordOptions
from tests.support.forged import forgeries, is_refused

GAMES = RecordOptions(agents=("random", "rule"), observations=True, seed=3)
GAME = "black_lady(ranks=[J,Q,K,A], passing.count=1)"
LABELS = LabelOptions(agent="pimc(worlds=1)", variant=GAME, players=("random", "rule"), explore=0.1, seed=3)
FIRST, SECOND = "part-000000.parquet", "part-000001.parquet"


@pytest.fixture(scope="module")
def sets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Two parts of games, one of labels, and one of other games."""
    home = tmp_path_factory.mktemp("sets")
    record(GAMES, home / "games", 2 * PART)
    record(RecordOptions(agents=("random",), observations=True, seed=4), home / "other", PART)
    label(LABELS, home / "labels", PART)
    return {path.name: path for path in home.iterdir()}


@pytest.fixture
def games(sets: dict[str, Path], tmp_path: Path) -> Path:
    """A copy of the games."""
    return Path(shutil.copytree(sets["games"], tmp_path / "games"))


def refused(read: Callable[[], object]) -> str:
    """The one line by which something is refused."""
    with pytest.raises(ValueError, match=r"\S") as found:
        read()
    assert "\n" not in str(found.value)
    return str(found.value)


def read_all(folder: Path) -> list[Any]:
    data = RecordedGames(folder)
    return [data.table(place) for place in range(len(data.files))]


def test_one_flipped_bit_anywhere_is_refused_by_readers_and_by_the_command_that_goes_on(games: Path) -> None:
    content = bytearray((games / FIRST).read_bytes())
    for place in np.linspace(0, len(content) - 1, 12).astype(int):
        content[place] ^= 4
        (games / FIRST).write_bytes(content)
        content[place] ^= 4
        for use in (lambda: read_all(games), lambda: len(RecordedGames(games)), lambda: record(GAMES, games, PART)):
            assert f"{FIRST} is broken" in refused(use)


def test_a_part_belongs_to_its_number_and_its_folder(games: Path, sets: dict[str, Path]) -> None:
    (games / FIRST).write_bytes((games / SECOND).read_bytes())
    assert f"{FIRST} is a copy of part 1" in refused(lambda: read_all(games))
    assert f"{FIRST} is a copy of part 1" in refused(lambda: record(GAMES, games, PART))
    (games / FIRST).write_bytes((sets["other"] / FIRST).read_bytes())
    assert f"{FIRST} is of another data set (agents=['random'], not ['random', 'rule'])" in refused(
        lambda: read_all(games)
    )
    shutil.copy(sets["games"] / FIRST, games / FIRST)
    shutil.copy(sets["games"] / FIRST, games / "part-000000 (copy).parquet")
    assert "is not named as a part is" in refused(lambda: read_all(games))


@pytest.mark.parametrize("what", ["pipe", "folder", "device", "lost link"])
def test_what_is_no_file_is_refused_and_not_waited_for(games: Path, what: str) -> None:
    for name in (FIRST, "games.json"):
        (games / name).unlink()
        if what == "pipe":
            os.mkfifo(games / name)
        elif what == "folder":
            (games / name).mkdir()
        else:
            (games / name).symlink_to("/dev/zero" if what == "device" else "nowhere")
        assert "\n" not in refused(lambda: read_all(games))
        assert "\n" not in refused(lambda: record(GAMES, games, 2 * PART))


def changed(table: pa.Table, name: str, change: Callable[[list[Any]], Any]) -> pa.Table:
    """A table with another column."""
    values = table[name].to_pylist()
    change(values)
    place, field = table.schema.get_field_index(name), table.schema.field(name)
    return table.set_column(place, field, pa.array(values, field.type))


def put(place: int, value: Any) -> Callable[[list[Any]], Any]:
    return lambda values: values.__setitem__(place, value)


FORGED: list[tuple[str, str, Callable[[pa.Table], pa.Table]]] = [
    ("labels", "columns are not those of its format: hands", lambda t: t.drop_columns(["hands"])),
    ("labels", "columns are not those of its format: more", lambda t: t.append_column("more", t["step"])),
    ("labels", "its format: step", lambda t: t.set_column(7, "step", t["step"].cast(pa.int64()))),
    ("labels", "has no rows", lambda t: t.slice(0, 0)),
    ("labels", "values has values that are missing", lambda t: changed(t, "values", lambda v: put(0, np.nan)(v[0]))),
    ("labels", "errors has values that are missing", lambda t: changed(t, "errors", lambda v: put(0, np.inf)(v[5]))),
    ("labels", "its deals are not those of its number", lambda t: changed(t, "deal", put(-1, 256))),
    ("labels", "a decision is outside its deal", lambda t: changed(t, "step", put(3, 999))),
    ("labels", "an action is not of these rules", lambda t: changed(t, "choice", put(3, 255))),
    ("labels", "differ in length", lambda t: changed(t, "worlds", lambda v: v[0].append(1))),
    ("labels", "other legal actions", lambda t: changed(t, "legal", lambda v: put(0, v[0][1])(v[0]))),
    ("games", "rewards has values that are missing", lambda t: changed(t, "rewards", lambda v: put(0, np.nan)(v[0]))),
    ("games", "has not its 256 deals", lambda t: t.slice(0, 100)),
    ("games", "actions and seats differ in number", lambda t: changed(t, "seats", put(0, b""))),
    ("games", "points has not an entry for each seat", lambda t: changed(t, "points", lambda v: v[0].pop())),
    ("games", "is not of these rules", lambda t: changed(t, "actions", lambda v: put(0, b"\xff" * len(v[0]))(v))),
    ("games", "record again: its deals are not those that its seed deals", lambda t: changed(t, "seed", put(0, 1))),
]


@pytest.mark.parametrize(("kind", "message", "change"), FORGED)
def test_forged_parts_are_refused(
    sets: dict[str, Path], tmp_path: Path, kind: str, message: str, change: Callable[[pa.Table], pa.Table]
) -> None:
    folder = Path(shutil.copytree(sets[kind], tmp_path / kind))
    data: Any = (LabelledDecisions if kind == "labels" else RecordedGames)(folder)
    table = change(pq.read_table(folder / FIRST).replace_schema_metadata())
    (folder / FIRST).write_bytes(encode_part(table, 0, data.description))
    assert message in refused(lambda: data.table(0) if kind == "games" else data.read(0))


@pytest.mark.parametrize("kind", ["labels", "games"])
def test_forged_descriptions_are_refused_or_have_another_meaning(
    sets: dict[str, Path], tmp_path: Path, kind: str
) -> None:
    folder = Path(shutil.copytree(sets[kind], tmp_path / kind))
    data = LabelledDecisions(folder) if kind == "labels" else RecordedGames(folder)
    content, harmless = (
        data.table(0).slice(0, 2).combine_chunks(),
        ("run", "seed", "version", "digests", "agent", "players", "explore", "others"),
    )
    for what, forged in forgeries({**data.description, "run": data.run}, 60):
        text = json.dumps({"sha256": UNSEALED, **forged})
        (folder / data.kind.file).write_bytes(seal(text.encode()))
        forged.pop("run", None)
        (folder / FIRST).write_bytes(encode_part(content, 0, forged))
        kept = is_refused(what, lambda: type(data)(folder).rows())
        assert kept or what.startswith(tuple(f"('{name}'" for name in harmless)), what
