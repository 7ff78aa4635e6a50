"""Data sets on disk: a folder with a description in JSON and one Parquet file for every `PART` deals.

A part depends on the description and its number only, so that parts may be written in any order, by any number of
processes, and an interrupted command goes on with those that are missing. Every file is whole or absent.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from hearts_agents.files import write_file
from hearts_agents.workers import Workers, spread
from hearts_training.run_folder import hold_folder

PART = 256
"""Deals per file."""
MOST_DEALS = 100_000_000

Description = dict[str, Any]
MakePart = Callable[[int], pa.Table]
"""Makes a part from its number."""


@dataclass(frozen=True)
class Kind:
    """A kind of data set.

    Attributes:
        holds: what it holds, in a word; its description is the file ``<holds>.json``.
        command: the command that writes it.
        format: identifies the columns.
    """

    holds: str
    command: str
    format: str

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
    """Write a data set of at least `deals` deals, a whole number of parts; parts that are there are kept.

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
        ValueError: a number out of range, a folder that holds something else, or one that another command writes to.
        OSError: a file cannot be written, a process died, or a cluster failed.
    """
    check_deals(deals)
    out.mkdir(parents=True, exist_ok=True)
    with hold_folder(out):
        for draft in out.glob(".*.draft"):  # of a process that was killed while it wrote
            draft.unlink()
        _describe(kind, out, description)
        numbers = range(-(-deals // PART))
        missing = [number for number in numbers if not part_file(out, number).is_file()]
        done = len(numbers) - len(missing)
        progress(done * PART)
        agents = tuple(description["digests"])
        with closing(spread(partial(_encoder, make), missing, workers, agents)) as parts:
            for number, content in parts:
                write_file(part_file(out, number), content)
                done += 1
                progress(done * PART)
    return done * PART


def check_deals(deals: int) -> None:
    """Raise ValueError for a number of deals that is out of range."""
    if not 1 <= deals <= MOST_DEALS:
        raise ValueError(f"deals={deals} must be from 1 to {MOST_DEALS}")


def part_file(folder: Path, number: int) -> Path:
    """The file of a part."""
    return folder / f"part-{number:06d}.parquet"


def part_files(folder: Path) -> list[Path]:
    """The files of all parts, in order."""
    return sorted(folder.glob("part-*.parquet"))


def _encoder(make: Callable[[], MakePart]) -> Callable[[int], tuple[int, bytes]]:
    part = make()

    def encode(number: int) -> tuple[int, bytes]:
        buffer = io.BytesIO()
        pq.write_table(part(number), buffer, compression="zstd")
        return number, buffer.getvalue()

    return encode


def read_part(file: Path) -> pa.Table:
    """The content of a part. Raises ValueError if the file is broken."""
    with _naming(file):
        return pq.read_table(file)


def count_rows(file: Path) -> int:
    """Number of rows in a part. Raises ValueError if the file is broken."""
    with _naming(file):
        return int(pq.read_metadata(file).num_rows)


@contextmanager
def _naming(file: Path) -> Iterator[None]:
    """Turn the errors of a broken file into a ValueError that names it."""
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        raise ValueError(f"{file} is broken: {error}") from None


def _describe(kind: Kind, out: Path, description: Description) -> None:
    """Write the description of a data set, or check the one that is there. Raises ValueError if it is another."""
    file = out / kind.file
    wanted = {**description, "format": kind.format, "deals_per_part": PART}
    if file.is_file():
        if read_description(kind, out) != wanted:
            raise ValueError(f"{out} holds {kind.holds} of another command ({file}); name another folder")
        return
    if any(path.name != ".lock" for path in out.iterdir()):
        raise ValueError(f"{out} is not empty and holds no {kind.file}; name another folder")
    write_file(file, (json.dumps(wanted, indent=2) + "\n").encode())


def read_description(kind: Kind, folder: Path) -> Description:
    """The description of a data set. Raises ValueError if there is none, or it is broken or of another format."""
    file = folder / kind.file
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ValueError(f"{folder} holds no {kind.file}; name a folder that {kind.command} wrote") from None
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{file} is broken: {error}") from None
    if not isinstance(found, dict) or found.get("format") != kind.format:
        raise ValueError(f"{file} does not have the format {kind.format}; name a folder that {kind.command} wrote")
    return found
