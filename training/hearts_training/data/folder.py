"""Folders of data sets: a description in JSON, and the parts.

A part depends on the description and its number only, so that parts may be written in any order, by any number of
processes, and an interrupted command goes on with those that are missing. Every file is whole or absent.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from hearts_agents.files import UNSEALED, has_seal, is_sealed, read_file, seal, write_file
from hearts_agents.workers import Workers, spread
from hearts_env.variants.registry import rules as read_rules
from hearts_training.data.parts import (
    PART,
    Description,
    check_part,
    encode_part,
    part_file,
    part_files,
    unsealed,
)
from hearts_training.provenance import Entry, add_entry, entry
from hearts_training.train.run_folder import hold_folder

MOST_DEALS = 100_000_000
MakePart = Callable[[int], pa.Table]
"""Makes a part from its number."""


@dataclass(frozen=True)
class Kind:
    """A kind of data set.

    Attributes:
        holds: what it holds, in a word; its description is the file ``<holds>.json``.
        command: the command that writes it.
        format: identifies the columns.
        fields: name and type of everything in the description that is an option of the command.
    """

    holds: str
    command: str
    format: str
    fields: Mapping[str, type | tuple[type, ...]]

    @property
    def file(self) -> str:
        """Name of the description."""
        return f"{self.holds}.json"


def write_parts(
    kind: Kind,
    out: Path,
    description: Description,
    make: Callable[[], MakePart],
    deals: int,
    workers: Workers,
    progress: Callable[[int], None],
) -> int:
    """Write a data set of at least `deals` deals, a whole number of parts; parts that are there are checked and kept.

    Args:
        kind: its kind.
        out: its folder.
        description: what it holds; a folder that exists must have the same one.
        make: called once in every process; it is pickled.
        deals: number of deals in all, 1 or more.
        workers: who makes the parts; they are written here.
        progress: called with the number of deals that are finished.

    Returns:
        The number of deals asked for that are in the folder, rounded up to whole parts.

    Raises:
        ValueError: a number out of range, a folder that holds something else or a broken part, or one that another
            command writes to.
        OSError: a file cannot be written, a process died, or a cluster failed.
    """
    check_deals(deals)
    out.mkdir(parents=True, exist_ok=True)
    holds = {**description, "format": kind.format, "deals_per_part": PART}
    with hold_folder(out):
        remove_drafts(out)
        run = _kept_run(kind, out, holds)
        files = part_files(out)
        for file in files:
            check_part(file, holds)
        numbers = range(-(-deals // PART))
        missing = [number for number in numbers if part_file(out, number) not in files]
        if missing:
            options = {name: description[name] for name in kind.fields}
            write_description(kind, out, holds, add_entry(run, entry(options, description["seed"])))
        done = len(numbers) - len(missing)
        progress(done * PART)
        agents = tuple(description["digests"])
        with closing(spread(partial(_encoder, make, holds), missing, workers, agents)) as parts:
            for number, content in parts:
                write_file(part_file(out, number), content)
                done += 1
                progress(done * PART)
    return done * PART


def remove_drafts(folder: Path) -> None:
    """Remove what a process left that was killed while it wrote."""
    for draft in folder.glob(".*.draft"):
        draft.unlink()


def check_deals(deals: int) -> None:
    """Raise ValueError for a number of deals that is out of range."""
    if not 1 <= deals <= MOST_DEALS:
        raise ValueError(f"deals={deals} must be from 1 to {MOST_DEALS}")


def _encoder(make: Callable[[], MakePart], holds: Description) -> Callable[[int], tuple[int, bytes]]:
    part = make()
    return lambda number: (number, encode_part(part(number), number, holds))


def _kept_run(kind: Kind, out: Path, holds: Description) -> list[Entry]:
    """Who has worked on a folder so far. Raises ValueError if it holds anything else than this data set."""
    if (out / kind.file).exists():
        found, run = read_description(kind, out)
        if found != holds:
            raise ValueError(f"{out} holds {kind.holds} of another command ({out / kind.file}); name another folder")
        return run
    if any(path.name != ".lock" for path in out.iterdir()):
        raise ValueError(f"{out} is not empty and holds no {kind.file}; name another folder")
    return []


def write_description(kind: Kind, folder: Path, holds: Description, run: list[Entry]) -> None:
    """Write the description of a data set: what it holds, and, under ``run``, how it came to be."""
    text = json.dumps({"sha256": UNSEALED, **holds, "run": run}, indent=2) + "\n"
    write_file(folder / kind.file, seal(text.encode()))


def open_folder(kind: Kind, folder: Path) -> tuple[Description, list[Entry], list[Path]]:
    """What a data set holds, how it came to be, and the files of its parts.

    Raises ValueError if there is none, it is broken or of another format, or it has no parts.
    """
    holds, run = read_description(kind, folder)
    files = part_files(folder)
    if not files:
        raise ValueError(f"{folder} holds no part, such as {part_file(folder, 0).name}; write some with {kind.command}")
    return holds, run, files


def read_description(kind: Kind, folder: Path, *, sealed: bool = True) -> tuple[Description, list[Entry]]:
    """What a data set holds, and how it came to be.

    Raises ValueError if there is none, or it is broken or of another format; or has no digest, if it must be `sealed`.
    """
    file = folder / kind.file
    try:
        content = read_file(file)
        found = json.loads(content)
    except (FileNotFoundError, NotADirectoryError):
        raise ValueError(f"{folder} holds no {kind.file}; name a folder that {kind.command} wrote") from None
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{file} is broken: {error}") from None
    if not isinstance(found, dict) or found.get("format") != kind.format:
        raise ValueError(f"{file} does not have the format {kind.format}; name a folder that {kind.command} wrote")
    if has_seal(content) and not is_sealed(content):
        raise ValueError(f"{file} is broken: its digest is not that of its content; restore it from a copy")
    if sealed and not has_seal(content):
        raise unsealed(file)
    found.pop("sha256", None)
    run = found.pop("run", [])
    _check_fields(kind, file, found, run)
    return found, run


def _check_fields(kind: Kind, file: Path, found: Description, run: Any) -> None:
    wanted = {**kind.fields, "digests": dict, "version": str, "deals_per_part": int}
    for name, needed in wanted.items():
        value = found.get(name)
        if not isinstance(value, needed) or (needed is not bool and isinstance(value, bool)):
            raise ValueError(f"{file} is broken: {name}={value!r} is not possible")
        if isinstance(value, list) and not all(isinstance(one, str) for one in value):
            raise ValueError(f"{file} is broken: {name}={value!r} is not possible")
    if found["deals_per_part"] != PART or not isinstance(run, list):
        raise ValueError(f"{file} is broken: its parts have {found['deals_per_part']} deals, not {PART}")
    try:
        read_rules(found["variant"])
    except ValueError as error:
        raise ValueError(f"{file} is broken: {error}") from None
