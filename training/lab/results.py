"""Results of the scripts: lines in a file, one for each measurement."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from filelock import FileLock

from hearts_agents.files import write_file

Line = dict[str, Any]


def read_lines(file: Path) -> list[Line]:
    """The lines of a file; none if there is no file."""
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []


def add_lines(file: Path, *lines: Line) -> None:
    """Add lines to a file, which is created if it does not exist; it is written whole or not at all."""
    file.parent.mkdir(exist_ok=True)
    with FileLock(file.with_name(f".{file.name}.lock")):  # others may measure at the same time
        write_file(file, "".join(json.dumps(line) + "\n" for line in [*read_lines(file), *lines]).encode())
