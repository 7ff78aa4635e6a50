"""The seals of data sets: nothing is read that was not written, under its own number and in its own data set."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hearts_training.data.label import label
from hearts_training.data.labelled import LabelledDecisions
from hearts_training.data.parts import PART, encode_part
from hearts_training.data.record import record
from hearts_training.data.recorded import RecordedGames
from hearts_training.options import LabelOptions, RecordOptions

GAMES = RecordOptions(agents=("random", "rule"), observations=True, seed=3)
LABELS = LabelOptions(agent="pimc(worlds=1)", players=("random", "rule"), explore=0.1, seed=3)
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


@pytest.fixture
def labels(sets: dict[str, Path], tmp_path: Path) -> Path:
    """A copy of the labels."""
    return Path(shutil.copytree(sets["labels"], tmp_path / "labels"))


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
    for place in np.linspace(0, len(content) - 1, 40).astype(int):
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


BAD_LABELS: dict[str, Callable[[pa.Table], pa.Table]] = {
    "values has values that are missing or not finite": lambda t: changed(
        t, "values", lambda v: v[0].__setitem__(0, float("nan"))
    ),
    "errors has values that are missing or not finite": lambda t: changed(
        t, "errors", lambda v: v[5].__setitem__(0, float("inf"))
    ),
    "lacks the column hands": lambda t: t.drop_columns(["hands"]),
    "has no rows": lambda t: t.slice(0, 0),
    "step is of type int64, not int16": lambda t: t.set_column(
        t.schema.get_field_index("step"), "step", t["step"].cast(pa.int64())
    ),
    "has a column more": lambda t: t.append_column("more", t["step"]),
    "its deals are not those of its number": lambda t: changed(t, "deal", lambda v: v.__setitem__(-1, 256)),
    "a decision is outside its deal": lambda t: changed(t, "step", lambda v: v.__setitem__(3, 999)),
    "an action is not of these rules": lambda t: changed(t, "choice", lambda v: v.__setitem__(3, 255)),
    "differ in length": lambda t: changed(t, "worlds", lambda v: v[0].append(1)),
    "other legal actions": lambda t: changed(t, "legal", lambda v: v[0].__setitem__(0, v[0][1])),
}


@pytest.mark.parametrize("message", BAD_LABELS)
def test_labels_that_no_search_gives_are_refused_even_under_a_right_seal(labels: Path, message: str) -> None:
    data = LabelledDecisions(labels)
    table = BAD_LABELS[message](pq.read_table(labels / FIRST).replace_schema_metadata())
    (labels / FIRST).write_bytes(encode_part(table, 0, data.description))
    assert message in refused(lambda: data.read(0))


@pytest.mark.parametrize(
    ("message", "change"),
    [
        ("rewards has values that are missing", lambda t: changed(t, "rewards", lambda v: v[0].__setitem__(0, np.nan))),
        ("has not its 256 deals", lambda t: t.slice(0, 100)),
        ("actions and seats differ in number", lambda t: changed(t, "seats", lambda v: v.__setitem__(0, b""))),
        ("points has not an entry for each seat", lambda t: changed(t, "points", lambda v: v[0].pop())),
        ("is not of these rules", lambda t: changed(t, "actions", lambda v: v.__setitem__(0, b"\xff" * len(v[0])))),
        (
            "does not fit its rules; record again: its deals are not those that its seed deals",
            lambda t: changed(t, "seed", lambda v: v.__setitem__(0, 1)),
        ),
    ],
)
def test_games_that_were_never_played_are_refused_even_under_a_right_seal(
    games: Path, message: str, change: Callable[[pa.Table], pa.Table]
) -> None:
    data = RecordedGames(games)
    table = change(pq.read_table(games / FIRST).replace_schema_metadata())
    (games / FIRST).write_bytes(encode_part(table, 0, data.description))
    assert message in refused(lambda: data.table(0))
