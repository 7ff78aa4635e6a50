"""An attack: how its cases are drawn and checked."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

Case = dict[str, Any]
"""One try, as JSON values: everything that is needed to repeat it."""
NAMES = ("play", "oracle", "rules", "files", "data", "bots", "kill", "api")
CORPUS = Path(__file__).parent / "corpus"


@dataclass(frozen=True)
class Attack:
    """A kind of attack.

    Attributes:
        name: its name, and that of its module.
        draw: random generator -> a case.
        check: case -> what to count; raises an exception, of one line, if something broke.
        seconds: how long a case may take before it counts as hanging.
        memory: the address space of the process that checks cases, in GiB; 0 for no limit.
    """

    name: str
    draw: Callable[[Random], Case]
    check: Callable[[Case], Counter[str]]
    seconds: float = 60.0
    memory: int = 0

    def case(self, seed: int, number: int) -> Case:
        """Case `number` of the series that a seed fixes."""
        return self.draw(Random(f"{self.name} {seed} {number}"))


class BrokenError(Exception):
    """Something that must never happen; the message is one line."""


def attack_named(name: str) -> Attack:
    """One of `NAMES`."""
    found: Attack = import_module(f"tests.fuzz.{name}").ATTACK
    return found


def corpus(name: str) -> list[Case]:
    """The cases of past failures: `note` and `case`."""
    file = CORPUS / f"{name}.json"
    found: list[Case] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
    return found


def refusal(error: Exception) -> str:
    """The message of an error that refuses bad input. Raises BrokenError unless it is one line."""
    text = str(error)
    if not text.strip() or "\n" in text.strip():
        raise BrokenError(f"{type(error).__name__} is refused in {len(text.splitlines())} lines: {text[:80]!r}")
    return text


def one_line(error: BaseException) -> str:
    """An exception as a line."""
    text = " ".join(str(error).split())[:500]
    return text if isinstance(error, BrokenError) else f"{type(error).__name__}: {text}"
