"""Common parts of all commands: the base class, the terminal, and writing of files."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from shutil import get_terminal_size
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, Protocol, TypeVar

import tyro

from hearts_env.ruleset.syntax import write_gaussian
from hearts_training.options import UNSET, File

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

    from hearts_agents.arena import KeptGames

_Options = TypeVar("_Options")
PICTURES = (".png", ".svg")
"""Endings of the names of pictures."""


class Command:
    """A command with its options. The docstring of a subclass is its help page, its first line the summary."""

    def run(self) -> int:
        """Run the command. Returns the exit code; raises ValueError, in one line, for a bad argument."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Reporting(Command):
    """A command that prints its result, or writes it as JSON."""

    json: File = None
    """Write JSON to this file; - writes it to standard output instead of the table."""

    def report(self, data: Any, *shown: RenderableType) -> None:
        """Write the data to the file of --json, and print the rest, unless that is standard output."""
        if str(self.json) != "-":
            console().print(*shown)  # first: a file may not be writable any more
        if self.json is not None:
            write_json(self.json, data)


@dataclass(frozen=True, kw_only=True)
class Keeping(Command):
    """A command that keeps games beside its result."""

    records: Annotated[Path | None, UNSET, tyro.conf.arg(metavar="FOLDER")] = None
    """Write the games of the first 1,000 deals, in every seating, to games.jsonl in this folder: `hearts web FOLDER`
    lists them."""
    keep: Annotated[str | None, UNSET, tyro.conf.arg(metavar="all|moons|worst:N|disagreement:N")] = None
    """The deals in --records instead: all, those with a moon, or the N in which the first agent did worst, or in which
    a seat's points differ most between seatings."""

    @contextmanager
    def keeping(self) -> Iterator[KeptGames | None]:
        """Choose games, and write them in the end or after Ctrl-C. Raises ValueError, first, if that is impossible."""
        from hearts_agents.arena import KeptGames

        if self.keep is not None and self.records is None:
            raise ValueError(f"--keep {self.keep} chooses what --records FOLDER holds; name the folder")
        kept = None if self.records is None else KeptGames(self.records, self.keep)
        try:
            yield kept
        except KeyboardInterrupt:
            if kept is not None:
                kept.write()
            raise
        if kept is not None:
            kept.write()


def console(*, errors: bool = False) -> Console:
    """A `rich` console on standard output, or on standard error."""
    from rich.console import Console

    terminal = Console(stderr=errors, highlight=False, markup=False, emoji=False)  # brackets in rules are no markup
    terminal.on_broken_pipe = _reader_left  # type: ignore[method-assign]  # its own ends the program with code 1
    return terminal


def _reader_left() -> NoReturn:
    raise BrokenPipeError


def fold(text: str, width: int | None = None) -> str:
    r"""Text whose lines are at most as wide as the terminal, broken between words; what is indented stays so.

    >>> print(fold("Type help:\n  save FILE  save the match", 20))
    Type help:
      save FILE  save
        the match
    """
    most = width or get_terminal_size().columns
    lines = map(str.rstrip, text.splitlines())
    return "\n".join(line if len(line) <= most else _folded(line, most) for line in lines)


def _folded(line: str, width: int) -> str:
    indent = " " * (len(line) - len(line.lstrip()))
    more = indent and f"{indent}  "
    return fill(line, width, subsequent_indent=more, break_long_words=False, break_on_hyphens=False)


WIDEST = 100
"""The columns of a table of results on a wide terminal."""


def results_table(
    heads: Iterable[str] = (),
    rows: Iterable[Iterable[str]] = (),
    *,
    title: str,
    caption: str,
    first: str,
    no_wrap: bool = False,
) -> Table:
    """A table of results, as wide as all others: `first` heads the first column, which takes the remaining width, and
    `heads` the others, which are aligned to the right and, with `no_wrap`, never broken.
    """
    from rich import box
    from rich.table import Table

    width, left = min(console().width, WIDEST), {"title_justify": "left", "caption_justify": "left"}
    table = Table(title=title, caption=caption, box=box.SIMPLE_HEAD, width=width, pad_edge=False, **left)  # type: ignore[arg-type]  # "left"
    table.add_column(first, overflow="fold", min_width=8, ratio=1)
    for head in heads:
        table.add_column(head, justify="right", overflow="fold", no_wrap=no_wrap)
    for row in rows:
        table.add_row(*row)
    return table


class Show(Protocol):
    """Moves a progress bar."""

    def __call__(self, completed: float, doing: str | None = None) -> None:
        """Show how much is completed, and what is being done. Raises a KeyboardInterrupt that other code swallowed."""


@contextmanager
def progress(doing: str, total: float = 1.0) -> Iterator[Show]:
    """Show a transient bar on standard error; standard output is for results only. SIGTERM does what Ctrl-C does."""
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    from hearts_training.interrupt import interrupts

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    terminal = console(errors=True)
    bar = Progress(*columns, console=terminal, transient=True, disable=not terminal.is_terminal)
    task = bar.add_task(doing, total=total)
    with interrupts() as check, bar:

        def show(completed: float, doing: str | None = None) -> None:
            check()
            bar.update(task, completed=completed, description=doing)

        yield show


def waiting(reason: str) -> AbstractContextManager[Any]:
    """Show a reason for waiting, if on a terminal: the first run compiles the kernel for about 20 s."""
    terminal = console(errors=True)
    return terminal.status(f"{reason} ...") if terminal.is_terminal else nullcontext()


def options_of(kind: type[_Options], command: _Options) -> _Options:
    """The options that a command holds beside its own fields."""
    return kind(**{field.name: getattr(command, field.name) for field in dataclasses.fields(kind)})  # type: ignore[arg-type]  # a dataclass


@contextmanager
def resumable(where: str = "from here") -> Iterator[None]:
    """Name, after Ctrl-C or SIGTERM, the command that continues."""
    try:
        yield
    except KeyboardInterrupt:
        saved = "interrupted; what is finished is saved"
        raise KeyboardInterrupt(f"{saved}, and the same command continues {where}") from None


def check_writable(target: Path | None, *, goes_on: bool = False) -> None:
    """Raise ValueError, before any work is done, if a file cannot be written, or if it is a sealed file of an entry, a
    network or a run and the command does not resume it (`goes_on`). None and ``-`` always pass.
    """
    if target is None or str(target) == "-":
        return
    from hearts_agents import files

    files.check_writable(target)
    if not goes_on and target.is_file() and files.is_sealed(files.read_file(target)):
        raise ValueError(f"{target} belongs to an entry, a network or a run; name another file")


def check_files(files: Mapping[str, Path | None], resumes: str = "") -> None:
    """Raise ValueError for one of the files of some options that cannot be written, or that two of them name.

    `resumes` is the option whose file the command resumes.
    """
    given = {name: file for name, file in files.items() if file is not None}
    for name, file in given.items():
        check_writable(file, goes_on=name == resumes)
        same = [other for other in given if given[other].resolve() == file.resolve()]
        if len(same) > 1:
            where = "to standard output" if str(file) == "-" else f"to {file}"
            raise ValueError(f"{name} and {same[1]} cannot both go {where}; name another file for one of them")


def check_picture(target: Path | None) -> None:
    """Raise ValueError unless ``--plot`` names a .png or .svg file; None passes."""
    if target is not None and target.suffix not in PICTURES:
        raise ValueError(f"--plot {target} must be a file that ends in {' or '.join(PICTURES)}")


def write_text(target: Path, text: str) -> None:
    """Write a file whole or not at all; ``-`` is standard output."""
    if str(target) == "-":
        sys.stdout.write(text)
        return
    from hearts_agents.files import write_file

    write_file(target, text.encode())


def write_json(target: Path, data: Any) -> None:
    """Write data as JSON, Gaussian integers as text such as ``13i``; ``-`` is standard output."""
    write_text(target, json.dumps(data, indent=2, ensure_ascii=False, default=_gaussian) + "\n")


def _gaussian(value: Any) -> str:
    if isinstance(value, complex):
        return write_gaussian(value)
    raise TypeError(f"{value!r} cannot be written as JSON")
