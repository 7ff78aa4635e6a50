"""`main`: parse the command line, run a command, and report every failure in one line.

Exit codes: 0 success, 1 a result that does not count, 2 bad argument, 130 Ctrl-C or SIGTERM. A command imports only
what it needs, so that help pages and lists appear at once.
"""

from __future__ import annotations

import codecs
import inspect
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from difflib import get_close_matches
from functools import partial, reduce
from io import StringIO, TextIOWrapper
from operator import or_
from typing import Annotated, Any

import tyro

from hearts_agents.base import UnreadRules
from hearts_training.cli.advise import Advise
from hearts_training.cli.arena import Agents, Arena
from hearts_training.cli.bench import Bench
from hearts_training.cli.benchmark import Benchmark
from hearts_training.cli.cite import Cite
from hearts_training.cli.command import Command, fold
from hearts_training.cli.distil import Distil
from hearts_training.cli.engine import Engine
from hearts_training.cli.evaluate import Evaluate
from hearts_training.cli.exploit import Exploit
from hearts_training.cli.label import Label
from hearts_training.cli.pages import RulesPage, Variants
from hearts_training.cli.partners import Partners
from hearts_training.cli.payoff import Payoff
from hearts_training.cli.play import Play
from hearts_training.cli.record import Record
from hearts_training.cli.replay import Replay
from hearts_training.cli.train import Train
from hearts_training.cli.tune import Tune
from hearts_training.cli.web import Web

COMMANDS: dict[str, type[Command]] = {
    "variants": Variants,
    "rules": RulesPage,
    "play": Play,
    "advise": Advise,
    "web": Web,
    "train": Train,
    "tune": Tune,
    "label": Label,
    "record": Record,
    "distil": Distil,
    "arena": Arena,
    "evaluate": Evaluate,
    "benchmark": Benchmark,
    "exploit": Exploit,
    "partners": Partners,
    "payoff": Payoff,
    "agents": Agents,
    "engine": Engine,
    "bench": Bench,
    "replay": Replay,
    "cite": Cite,
}
DESCRIPTION = """Play Hearts and its variants, train agents by self-play, and compare them.

Examples:
  hearts play                            play against agents at the terminal
  hearts web                             the same in a browser, for every variant
  hearts train --minutes 2               train a network by self-play
  hearts arena net:runs/NAME rule        compare it with the rule-based agent
  hearts rules "black_lady(players=5)"   read the rules of a variant

For the options of a command: hearts COMMAND --help."""
_SHOW_WARNING = warnings.showwarning
_CONFIG = (tyro.conf.FlagCreatePairsOff, tyro.conf.DisallowNone)
_LETTERS = {"♣": "C", "♦": "D", "♥": "H", "♠": "S", "·": "-", "±": "+-", "─": "-"}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the `hearts` command.

    Args:
        argv: the arguments after the program's name; those of the process by default.

    Returns:
        The exit code.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    _open_closed_streams()
    _spell_out_symbols()
    warnings.showwarning = partial(_show_warning, set[str]())
    try:
        return _run(arguments)
    except KeyboardInterrupt as stop:
        return _fail(str(stop) or "interrupted", 130)
    except BrokenPipeError:  # the reader of our output closed it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ValueError, OSError) as error:
        return _fail(str(error), 2)
    except ModuleNotFoundError as error:
        return _fail(f"{error.name} is not installed; pip install 'hearts-env[training]' brings it", 2)


def _run(arguments: list[str]) -> int:
    try:
        code = parse(arguments).run()
    except SystemExit as leaving:  # after --help
        code = leaving.code if isinstance(leaving.code, int) else 0
    sys.stdout.flush()  # Python's own attempt, when it ends, reports a failure in several lines
    return code


def _show_warning(
    shown: set[str],
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    *where: Any,
    **more: Any,
) -> None:
    """Print what agents do not read in one line, as errors are, once: Python forgets when an import sets filters."""
    if issubclass(category, UnreadRules):
        if str(message) not in shown:
            print(f"hearts: {message}", file=sys.stderr)
        shown.add(str(message))
    else:
        _SHOW_WARNING(message, category, filename, lineno, *where, **more)


def _open_closed_streams() -> None:
    """Put the null device in place of standard streams that are closed: nothing is read, and what is written is lost.

    Otherwise the next file that is opened would become standard output.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, os.O_RDWR)
            if null != number:
                os.dup2(null, number)
                os.close(null)
            setattr(sys, name, open(number, "w" if number else "r", encoding="utf-8"))  # noqa: SIM115 - until we end


def _spell_out_symbols() -> None:
    """On a terminal without Unicode, write suits as letters and signs without a letter as question marks."""
    codecs.register_error("spell", _spell)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and "utf" not in stream.encoding.lower():
            stream.reconfigure(errors="spell")


def _spell(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_LETTERS.get(sign, "?") for sign in error.object[error.start : error.end]), error.end


def _fail(message: str, code: int) -> int:
    print(f"hearts: {' '.join(message.split())}", file=sys.stderr)
    return code


def parse(arguments: list[str]) -> Command:
    """The command that a command line requests.

    Raises:
        ValueError: a bad command line, in one line.
        SystemExit: help was requested and printed.
    """
    word = arguments[0] if arguments else ""
    if word in COMMANDS:
        kind = COMMANDS[word]
        return _read(kind, f"hearts {word}", inspect.cleandoc(kind.__doc__ or ""), arguments[1:])
    if not word:
        raise ValueError(f"name a command: {', '.join(COMMANDS)} (see hearts --help)")
    if not word.startswith("-"):
        close = get_close_matches(word, COMMANDS, n=1, cutoff=0)[0]
        raise ValueError(f"there is no command {word!r}; the closest is {close} (see hearts --help)")
    if not _for_tyro([word]):
        raise ValueError(f"there is no option {word} before a command (hearts --help)")
    return _read(_any_command(), "hearts", DESCRIPTION, arguments)


def _for_tyro(arguments: list[str]) -> bool:
    """True if help or shell completion is requested, which tyro prints."""
    return any(word in ("-h", "--help") or word.startswith("--tyro-") for word in arguments)


def _any_command() -> Any:
    choices = []
    for name, kind in COMMANDS.items():
        summary = (kind.__doc__ or "").partition("\n")[0]
        choices.append(Annotated[kind, tyro.conf.subcommand(name, description=summary)])
    return reduce(or_, choices)


def _read(kind: Any, program: str, description: str, arguments: list[str]) -> Command:
    told = StringIO()
    try:
        with redirect_stderr(told), _folding(arguments) if _for_tyro(arguments) else _wide():
            command: Command = tyro.cli(kind, prog=program, description=description, args=arguments, config=_CONFIG)
    except SystemExit as leaving:
        if not leaving.code:
            raise
        if isinstance(leaving.__context__, ValueError):  # of the class of options
            raise ValueError(str(leaving.__context__)) from None
        raise ValueError(f"{_mistake(told.getvalue())} ({program} --help)") from None
    return command


class _Page(StringIO):
    """A page for the terminal: it has its colours."""

    def isatty(self) -> bool:
        """True if standard output is a terminal."""
        return sys.__stdout__ is not None and sys.__stdout__.isatty()


@contextmanager
def _folding(arguments: list[str]) -> Iterator[None]:
    """Break the long lines of a help page between words; a script for a shell stays as it is."""
    page = _Page()
    try:
        with redirect_stdout(page):
            yield
    finally:
        text = page.getvalue().replace(f"{{{','.join(COMMANDS)}}}", "COMMAND ...")
        print(fold(text) if {"-h", "--help"} & {*arguments} else text)


@contextmanager
def _wide() -> Iterator[None]:
    """Let tyro print a mistake in one line of a frame, however long it is."""
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "100000"
    try:
        yield
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before


def _mistake(frame: str) -> str:
    """The mistake that tyro has printed in a frame: its first line, with the name that follows a colon, and the name
    that was perhaps meant.
    """
    lines = [line.strip("│ ") for line in frame.splitlines()[1:] if line.strip("│─╰╯- ")]
    meant = "Perhaps you meant:"
    mistake = f"{lines[0]} {lines[1]}" if lines[0].endswith(":") else lines[0]
    return f"{mistake}; perhaps you meant {lines[lines.index(meant) + 1]}" if meant in lines else mistake
