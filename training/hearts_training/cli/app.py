"""`main`: reads the command line with tyro, runs a command, and turns every failure into one line.

Exit codes: 0 done, 2 a bad argument, 130 Ctrl-C. Only what a command needs is imported, so that help and lists come at
once.
"""

from __future__ import annotations

import codecs
import inspect
import os
import re
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr
from difflib import get_close_matches
from functools import reduce
from io import StringIO, TextIOWrapper
from operator import or_
from typing import Annotated, Any

import tyro

from hearts_training.cli.arena import Agents, Arena
from hearts_training.cli.bench import Bench
from hearts_training.cli.command import Command
from hearts_training.cli.engine import Engine
from hearts_training.cli.pages import RulesPage, Variants
from hearts_training.cli.play import Play
from hearts_training.cli.replay import Replay
from hearts_training.cli.train import Train
from hearts_training.cli.tune import Tune

COMMANDS: dict[str, type[Command]] = {
    "variants": Variants,
    "rules": RulesPage,
    "play": Play,
    "train": Train,
    "tune": Tune,
    "arena": Arena,
    "agents": Agents,
    "engine": Engine,
    "bench": Bench,
    "replay": Replay,
}
DESCRIPTION = """Hearts and its variants: rules, play at the terminal, training by self-play, and the arena.

Examples:
  hearts play                            sit down with three rule-based players
  hearts train --minutes 2               train a network by self-play
  hearts arena net:runs/NAME rule        compare it with the rule-based player
  hearts rules "black_lady(players=5)"   read the rules of a game

Each command explains itself: hearts COMMAND --help."""
_CONFIG = (tyro.conf.FlagCreatePairsOff, tyro.conf.DisallowNone)
_LETTERS = {"♣": "C", "♦": "D", "♥": "H", "♠": "S", "·": "-", "±": "+-", "─": "-"}
_NUMBERS = {"INT": "a whole number", "FLOAT": "a number"}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the `hearts` command.

    Args:
        argv: the arguments after the command's name; by default those of the process.

    Returns:
        The exit code.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    _spell_out_symbols()
    try:
        return parse(arguments).run()
    except SystemExit as leaving:  # after --help
        return leaving.code if isinstance(leaving.code, int) else 0
    except KeyboardInterrupt as stop:
        return _fail(str(stop) or "interrupted", 130)
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ValueError, OSError) as error:
        return _fail(str(error), 2)
    except ModuleNotFoundError as error:
        return _fail(f"{error.name} is not installed; pip install 'hearts-env[training]' brings it", 2)


def _spell_out_symbols() -> None:
    """Let a terminal without Unicode show suits as letters, and question marks for what has none."""
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
    """The command that a command line asks for.

    Raises:
        ValueError: a bad command line, in one line.
        SystemExit: help was asked for, and printed.
    """
    word = arguments[0] if arguments else ""
    if word in COMMANDS:
        kind = COMMANDS[word]
        return _read(kind, f"hearts {word}", inspect.cleandoc(kind.__doc__ or ""), arguments[1:])
    if not word:
        raise ValueError(f"name a command: {', '.join(COMMANDS)} (hearts --help explains them)")
    if not word.startswith("-"):
        close = get_close_matches(word, COMMANDS, n=1, cutoff=0)[0]
        raise ValueError(f"there is no command {word!r}; the closest is {close} (hearts --help lists all)")
    return _read(_any_command(), "hearts", DESCRIPTION, arguments)


def _any_command() -> Any:
    """The union of all commands, each under its name and first line."""
    choices = []
    for name, kind in COMMANDS.items():
        summary = (kind.__doc__ or "").partition("\n")[0]
        choices.append(Annotated[kind, tyro.conf.subcommand(name, description=summary)])
    return reduce(or_, choices)


def _read(kind: Any, program: str, description: str, arguments: list[str]) -> Command:
    complaint = StringIO()
    try:
        with redirect_stderr(complaint):
            command: Command = tyro.cli(kind, prog=program, description=description, args=arguments, config=_CONFIG)
    except SystemExit as leaving:
        if not leaving.code:
            raise
        raise ValueError(one_line(complaint.getvalue(), program)) from None
    return command


def one_line(complaint: str, program: str) -> str:
    """What tyro says in a frame, in one line: what is wrong, what may have been meant, where help is."""
    sections: list[list[str]] = [[]]
    for line in complaint.splitlines()[1:-1]:
        text = line.strip("│ ")
        if text.strip("─-"):
            sections[-1].append(text)
        elif sections[-1]:  # a rule or a blank line ends a section
            sections.append([])
    if sections[0][0].startswith("Missing from"):
        return f"{sections[0][1]} is missing ({program} --help)"
    what, hint = " ".join(sections[0]), " ".join(line for section in sections[1:] for line in section)
    value = re.match(r"Error parsing (--\S+): .*?'([^']*)'\]?", what)
    option = re.search(r"(--[\w-]+) (\S+)", hint)
    if value and option:
        return (
            f"{value[1]} {value[2]} is not possible; it takes {_NUMBERS.get(option[2], option[2])} ({program} --help)"
        )
    meant = f"; perhaps {option[1]} was meant" if option and "nrecognized" in what else ""
    return f"{what.rstrip('.')}{meant} ({program} --help)"
