"""Data sets to damage: two parts of labels or of games in ``set``, and a part of another data set in ``other``."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

PARTS = ["part-000000.parquet", "part-000001.parquet"]
SETS = {"labels": "labels.json", "games": "games.json"}
"""Kind of data set -> its description."""


def files_of(kind: str) -> list[str]:
    """The files of a data set that are damaged."""
    return [f"set/{name}" for name in (*PARTS, SETS[kind])]


def make(kind: str, folder: Path) -> None:
    """Write both data sets."""
    _write(kind, folder / "set", 3, len(PARTS))
    _write(kind, folder / "other", 4, 1)


def _write(kind: str, out: Path, seed: int, parts: int) -> int:
    """Write a data set, or go on with it."""
    from hearts_training.data.label import label
    from hearts_training.data.record import record
    from hearts_training.train.options import LabelOptions, RecordOptions

    if kind == "labels":
        options = LabelOptions(agent="pimc(worlds=1)", players=("rule", "random"), explore=0.1, seed=seed)
        return label(options, out, 256 * parts)
    agents = RecordOptions(agents=("rule", "random"), explore=0.1, seed=seed)
    return record(agents, out, 256 * parts)


def read(kind: str, folder: Path) -> Any:
    """What a reader makes of every part."""
    _demand_parts(folder)
    return [_digest(part) for part in (_labels if kind == "labels" else _games)(folder / "set")]


def resume(kind: str, folder: Path) -> Any:
    """What the command that wrote it leaves behind when it goes on."""
    _demand_parts(folder)
    done = _write(kind, folder / "set", 3, len(PARTS))
    return done, [_digest([(folder / "set" / name).read_bytes()]) for name in PARTS]


def _demand_parts(folder: Path) -> None:
    """A part that was removed is no damage: a reader reads the others, and the command makes it again."""
    for name in PARTS:
        if not (folder / "set" / name).exists():
            raise ValueError(f"{name} is absent")


def _labels(folder: Path) -> Iterable[Iterable[Any]]:
    from hearts_training.data.labelled import LabelledDecisions

    data = LabelledDecisions(folder)
    for place in range(len(data.files)):
        found = data.read(place)
        yield [getattr(found, field.name).numpy().tobytes() for field in dataclasses.fields(found)]


def _games(folder: Path) -> Iterable[Iterable[Any]]:
    from hearts_training.data.recorded import RecordedGames

    data = RecordedGames(folder)
    for place in range(len(data.files)):
        rows = data.table(place).to_pylist()
        found = data.replay(place)
        games = [repr((game.hands, game.kitty, game.actions, game.points)) for game in data.games(place)]
        yield [repr(rows).encode(), "".join(games).encode(), found.observations.tobytes(), found.rewards.tobytes()]


def _digest(parts: Iterable[bytes]) -> str:
    found = hashlib.sha256()
    for part in parts:
        found.update(part)
    return found.hexdigest()


def doors(kind: str) -> tuple[Callable[[Path], None], Callable[[Path], Any], Callable[[Path], Any]]:
    """What makes, reads and resumes data sets of a kind."""
    return partial(make, kind), partial(read, kind), partial(resume, kind)
