"""Folders of data sets: a description in JSON, and the parts.

A part depends on the description and its number only, so that parts may be written in any order, by any number of
processes, and an interrupted command goes on with those that are missing. Every file is whole or absent.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa

from hearts_agents.files import UNSEALED, is_sealed, read_file, seal, write_file
from hearts_agents.workers import Workers, check_workers, spread
from hearts_env.compiled.game import compile_game
from hearts_env.variants.registry import rules as read_rules
from hearts_training.data import croissant
from hearts_training.data.parts import (
    PART,
    Description,
    check_part,
    count_rows,
    encode_part,
    part_file,
    part_files,
    read_part,
)
from hearts_training.folders import hold, make_folder
from hearts_training.provenance import Provenance, add_entry, entry

MOST_DEALS = 100_000_000


@dataclass(frozen=True)
class DataFormat:
    """A kind of data set.

    Attributes:
        holds: what it holds, in a word; its description is the file ``<holds>.json``.
        verb: the command that writes it, without ``hearts``.
        format: identifies the columns.
        options: some options of the command, as the description holds them; they fix the types.
        columns: the columns of a part, from the description.
        added: options that data sets of earlier releases lack, with their values in these.
    """

    holds: str
    verb: str
    format: str
    options: Description
    columns: Callable[[Description], pa.Schema]
    added: Description = field(default_factory=dict)

    @property
    def file(self) -> str:
        """Name of the description."""
        return f"{self.holds}.json"

    @property
    def command(self) -> str:
        """The command that writes it."""
        return f"hearts {self.verb}"


class Maker(Protocol):
    """Makes the parts of a data set."""

    def part(self, number: int) -> pa.Table:
        """The part of a number, which depends on nothing else."""

    def description(self) -> Description:
        """The content of the data set: the options of the command, `digests` of its agents, and `version`."""


def write_parts(
    kind: DataFormat,
    make: Callable[[], Maker],
    out: Path,
    deals: int,
    workers: Workers,
    progress: Callable[[int], None],
) -> int:
    """Write a data set of at least `deals` deals, a whole number of parts; parts that are there are checked and kept.

    Args:
        kind: its kind.
        make: called here and once in every process; it is pickled.
        out: its folder; one that exists must hold the same data set.
        deals: number of deals in all, 1 or more.
        workers: the number of processes that make the parts, or the address of a Ray cluster; they are written here.
        progress: called with the number of deals that are finished.

    Returns:
        The number of deals in the folder, a whole number of parts.

    Raises:
        ValueError: bad options, a number out of range, a folder that holds something else or a broken part, or one that
            another command writes to.
        OSError: a file cannot be written, a process died, or a cluster failed.
    """
    if not 1 <= deals <= MOST_DEALS:
        raise ValueError(f"deals={deals} must be from 1 to {MOST_DEALS}")
    check_workers(workers)
    holds = {**make().description(), "format": kind.format, "deals_per_part": PART}
    if out.is_dir():
        _kept_run(kind, out, holds)  # before anything is written to a folder of something else
    make_folder(out)
    with hold(out):
        remove_drafts(out)
        run = _kept_run(kind, out, holds)
        files = part_files(out)
        for file in files:
            check_part(file, holds)
        numbers = range(-(-deals // PART))
        missing = [number for number in numbers if part_file(out, number) not in files]
        run = add_entry(run, entry({name: holds[name] for name in kind.options}, holds["seed"]))
        described = False
        done = len(numbers) - len(missing)
        progress(done * PART)
        with closing(spread(partial(_encoder, make, holds), missing, workers, tuple(holds["digests"]))) as parts:
            for number, content in parts:
                if not described:  # an agent that refuses the game leaves no data set without parts
                    write_description(kind, out, holds, run)
                    described = True
                write_file(part_file(out, number), content)
                done += 1
                progress(done * PART)
    return len(part_files(out)) * PART


def remove_drafts(folder: Path) -> None:
    """Remove the drafts of processes that were killed while they wrote."""
    for draft in folder.glob(".*.draft"):
        draft.unlink()


def _encoder(make: Callable[[], Maker], holds: Description) -> Callable[[int], tuple[int, bytes]]:
    maker = make()
    return lambda number: (number, encode_part(maker.part(number), number, holds))


def _kept_run(kind: DataFormat, out: Path, holds: Description) -> list[Provenance]:
    """The provenance of a folder so far. Raises ValueError if it holds anything else than this data set."""
    if (out / kind.file).exists():
        found, run = read_description(kind, out)
        if found == holds:
            return run
        if part_files(out):
            raise ValueError(f"{out} holds {kind.holds} of another command ({out / kind.file}); name another folder")
        return []
    if any(path.name != ".lock" for path in out.iterdir()):
        raise ValueError(f"{out} is not empty and holds no {kind.file}; name another folder")
    return []


def write_description(kind: DataFormat, folder: Path, holds: Description, run: list[Provenance]) -> None:
    """Write the description of a data set: what it holds, and, under ``run``, how it came to be; and for catalogues
    what it holds in the form of Croissant.
    """
    text = json.dumps({"sha256": UNSEALED, **holds, "run": run}, indent=2) + "\n"
    content = seal(text.encode())
    write_file(folder / kind.file, content)
    write_file(folder / croissant.FILE, croissant.croissant(kind.holds, holds, content, kind.columns(holds)))


def read_json(file: Path, command: str) -> tuple[bytes, Any]:
    """The content of a JSON file that a command wrote, as bytes and as the value that it encodes.

    Raises ValueError, in one line, if there is none or it cannot be read.
    """
    try:
        content = read_file(file)
        return content, json.loads(content)
    except (FileNotFoundError, NotADirectoryError):
        raise ValueError(f"{file.parent} holds no {file.name}; name a folder that {command} wrote") from None
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{file} is broken: {' '.join(str(error).split())}") from None


def read_description(kind: DataFormat, folder: Path) -> tuple[Description, list[Provenance]]:
    """The content and the provenance of a data set.

    Raises ValueError if there is none, or it is broken or of another format.
    """
    file = folder / kind.file
    content, found = read_json(file, kind.command)
    if not isinstance(found, dict) or found.get("format") != kind.format:
        raise ValueError(f"{file} does not have the format {kind.format}; name a folder that {kind.command} wrote")
    if not is_sealed(content):
        raise ValueError(f"{file} is broken: its digest is not that of its content; restore it from a copy")
    found.pop("sha256")
    run = found.pop("run", None)
    found = {**kind.added, **found}
    _check_fields(kind, file, found, run)
    return found, run


def _check_fields(kind: DataFormat, file: Path, found: Description, run: Any) -> None:
    for name, like in {**kind.options, "digests": {}, "version": "", "deals_per_part": PART}.items():
        value, types = found.get(name), (int, float) if isinstance(like, float) else (type(like),)
        texts = not isinstance(value, list) or all(isinstance(one, str) for one in value)
        if type(value) not in types or not texts or (type(value) is int and value < 0):
            raise ValueError(f"{file} is broken: {name}={value!r} is not possible")
    if found["deals_per_part"] != PART:
        raise ValueError(f"{file} is broken: its parts have {found['deals_per_part']} deals, not {PART}")
    if not isinstance(run, list):
        raise ValueError(f"{file} is broken: run is no list")
    try:
        read_rules(found["variant"])
    except ValueError as error:
        raise ValueError(f"{file} is broken: {error}") from None


class DataSet:
    """A data set to read.

    Attributes:
        folder: its folder.
        description: what it holds, as in its description: agents, rules, options.
        run: how it came to be, an entry for each command that worked on it.
        game: the compiled rules.
        files: the parts, each of `hearts_training.data.parts.PART` deals.
    """

    kind: DataFormat

    def __init__(self, folder: str | Path) -> None:
        """Open a data set. Raises ValueError if the folder holds none, an empty one, or one of another format."""
        self.folder = Path(folder)
        self.description, self.run = read_description(self.kind, self.folder)
        self.files = part_files(self.folder)
        if not self.files:
            first, command = part_file(self.folder, 0).name, self.kind.command
            raise ValueError(f"{folder} holds no part, such as {first}; write some with {command}")
        self.game = compile_game(read_rules(self.description["variant"]))
        self.schema = self.kind.columns(self.description)

    def table(self, place: int) -> pa.Table:
        """All columns of one part. Raises ValueError if the file is broken."""
        return read_part(self.files[place], self.description, self.schema)

    def rows(self) -> int:
        """Number of rows in all parts. Every file is checked; raises ValueError if one is broken."""
        return sum(count_rows(file, self.description) for file in self.files)

    @contextmanager
    def fitting(self, place: int) -> Iterator[None]:
        """Add the name of a part, and what to do, to the error for deals that do not fit the rules."""
        try:
            yield
        except ValueError as error:
            raise ValueError(f"{self.files[place]} does not fit its rules; {self.kind.verb} again: {error}") from None
