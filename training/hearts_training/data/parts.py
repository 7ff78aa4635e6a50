"""Parts of data sets: a Parquet file for every `PART` deals, sealed with its number and with what its data set holds.

The seal is the entry ``hearts`` of the file's metadata, which other readers of Parquet ignore. It is written with the
data, in one file, so that a part and its seal agree at any moment. A part that is damaged, or of another number or data
set, is refused before anything in it is read.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from hearts_agents.files import UNSEALED, is_sealed, read_file, seal

PART = 256
"""Deals per file."""
KEY = "hearts"
"""The entry of a file's metadata that holds its seal: ``sha256``, ``part`` and ``of``, what the data set holds."""

Description = dict[str, Any]
"""The content of a data set, as JSON values: those that `description` reads, without ``run``."""


def part_file(folder: Path, number: int) -> Path:
    """The file of a part."""
    return folder / f"part-{number:06d}.parquet"


def part_files(folder: Path) -> list[Path]:
    """The files of all parts, in order."""
    return sorted(folder.glob("part-*.parquet"))


def part_number(file: Path) -> int:
    """The number in a part's name. Raises ValueError for a name that no part has."""
    text = file.stem.removeprefix("part-")
    if not text.isdecimal() or file.name != part_file(file.parent, int(text)).name:
        raise ValueError(f"{file} is not named as a part is, such as {part_file(file.parent, 0).name}; move it away")
    return int(text)


def encode_part(table: pa.Table, number: int, holds: Description) -> bytes:
    """A part as a sealed file."""
    buffer = io.BytesIO()
    with pq.ParquetWriter(buffer, table.schema, compression="zstd") as writer:
        writer.write_table(table)
        writer.add_key_value_metadata({KEY: json.dumps({"sha256": UNSEALED, "part": number, "of": holds})})
    return seal(buffer.getvalue())


def check_part(file: Path, holds: Description) -> bytes:
    """The bytes of a part, checked: nothing but what was written, under its own number and in its own data set.

    Raises ValueError, in one line, if they are not.
    """
    number = part_number(file)
    try:
        content = read_file(file)
    except OSError as error:
        raise _broken(file, error.strerror or type(error).__name__) from None
    if not is_sealed(content):
        raise _broken(file, "its digest is not that of its content")
    with naming(file):
        claim = json.loads(pq.read_metadata(pa.BufferReader(content)).metadata[KEY.encode()])
        found, of = claim["part"], claim["of"]
    if of != holds:
        raise ValueError(f"{file} is of another data set ({_difference(of, holds)}); move it away")
    if found != number:
        raise ValueError(f"{file} is a copy of part {found}; delete it, and the command that wrote it makes its own")
    return content


def read_part(file: Path, holds: Description, schema: pa.Schema) -> pa.Table:
    """The content of a part.

    Raises:
        ValueError: in one line: it is not the part that it must be (see `check_part`), has no rows or other columns
            than `schema`, or a value is missing or not finite.
    """
    content = check_part(file, holds)
    with naming(file):
        # without threads: a thread of the pool that still runs when the process exits aborts it
        table = pq.read_table(pa.BufferReader(content), use_threads=False, pre_buffer=False)
        table.validate(full=True)
    columns, wanted = ({field.name: field.type for field in one} for one in (table.schema, schema))
    if columns != wanted or table.num_columns > len(wanted):
        other = [name for name in columns | wanted if columns.get(name) != wanted.get(name)]
        raise _broken(file, f"its columns are not those of its format: {', '.join(other) or 'one is there twice'}")
    if not table.num_rows:
        raise _broken(file, "it has no rows")
    for name in schema.names:
        if not _is_whole(table[name].combine_chunks()):
            raise _broken(file, f"its column {name} has values that are missing or not finite")
    return table.select(schema.names)


def count_rows(file: Path, holds: Description) -> int:
    """Number of rows in a part. Raises ValueError as `check_part` does."""
    content = check_part(file, holds)
    with naming(file):
        return int(pq.read_metadata(pa.BufferReader(content)).num_rows)


def _is_whole(values: pa.Array) -> bool:
    """True if no value is missing and every number is finite, in lists too."""
    if values.null_count:
        return False
    if isinstance(values, pa.DictionaryArray):
        return _is_whole(values.dictionary)
    if pa.types.is_nested(values.type):
        return _is_whole(values.flatten())
    return not pa.types.is_floating(values.type) or bool(np.isfinite(values.to_numpy(zero_copy_only=False)).all())


def _difference(found: Any, wanted: Description) -> str:
    found = found if isinstance(found, dict) else {}
    names = [name for name in (*wanted, *found) if found.get(name) != wanted.get(name)]
    return f"{names[0]}={found.get(names[0])}, not {wanted.get(names[0])}" if names else "a field is absent"


@contextmanager
def naming(file: Path) -> Iterator[None]:
    """Turn the errors of a broken file into a ValueError that names it."""
    try:
        yield
    except (pa.ArrowException, OSError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise _broken(file, " ".join(str(error).split())[:160]) from None


def _broken(file: Path, why: str) -> ValueError:
    return ValueError(f"{file} is broken: {why}; delete it, and the command that wrote it makes it again")
