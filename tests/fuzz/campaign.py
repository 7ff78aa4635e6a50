"""A campaign: numbered cases in child processes, which may crash or hang; counts, failures and progress."""

from __future__ import annotations

import json
import multiprocessing
import resource
import shlex
import signal
import time
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from tests.fuzz.attack import Attack, Case, attack_named, one_line

GIB = 1 << 30
START = 120.0
"""Seconds that a child process may take to start; it may have to compile."""


@dataclass
class Tally:
    """What a campaign has done so far.

    Attributes:
        attack: the attack.
        seed: what fixes the cases.
        cases: number of cases checked.
        counts: what the cases counted.
        failures: one dict per failure: attack, seed, number, failure, case, repeat.
        seconds: how long it has taken.
    """

    attack: str
    seed: int
    cases: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    failures: list[Case] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, number: int | None, case: Case, counts: Counter[str], failure: str | None, out: Path | None) -> None:
        """Count a case; append its failure, if it is one, to a file."""
        self.cases += 1
        self.counts += counts
        if failure is None:
            return
        repeat = f"--seed {self.seed} --number {number}" if number is not None else f"--case {shlex.quote(_json(case))}"
        found = {"attack": self.attack, "seed": self.seed, "number": number, "failure": failure, "case": case}
        self.failures.append(found | {"repeat": f"python -m tests.fuzz {self.attack} {repeat}"})
        if out is not None:
            with out.open("a", encoding="utf-8") as file:
                file.write(_json(self.failures[-1]) + "\n")

    def line(self) -> str:
        """The counts in one line."""
        counted = "".join(f", {number:,} {what}" for what, number in sorted(self.counts.items()))
        return f"{self.attack}: {self.cases:,} cases{counted}; {len(self.failures)} failures; {self.seconds:,.0f} s"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True)


def try_case(attack: Attack, case: Case) -> tuple[Counter[str], str | None]:
    """Check a case in this process: what it counted, and how it failed."""
    try:
        return attack.check(case), None
    except Exception as error:
        return Counter(), one_line(error)


def hunt(attack: Attack, cases: Iterable[Case]) -> Tally:
    """A campaign over a few cases in this process: for attacks that cannot crash it."""
    tally, began = Tally(attack.name, 0), time.monotonic()
    for case in cases:
        tally.add(None, case, *try_case(attack, case), None)
    tally.seconds = time.monotonic() - began
    return tally


def campaign(  # the loop over child processes; everything else is above
    attack: Attack,
    *,
    seed: int = 0,
    minutes: float = 1.0,
    processes: int = 1,
    cases: Iterable[Case] | None = None,
    most: int | None = None,
    out: Path | None = None,
) -> Generator[Tally, None, None]:
    """Check cases in child processes; yields the tally after every case, and ends them when it is closed.

    Args:
        attack: the attack.
        seed: fixes the cases.
        minutes: how long to go on.
        processes: number of child processes.
        cases: the cases to check, in place of drawn ones.
        most: the greatest number of drawn cases.
        out: a file to which a line of JSON is appended for every failure.
    """
    given = None if cases is None else list(cases)
    numbers = iter(range(len(given))) if given is not None else iter(range(most)) if most else count()
    tally, began = Tally(attack.name, seed), time.monotonic()
    children: list[_Child] = []
    try:
        while True:
            over = time.monotonic() - began > 60 * minutes
            children = [child for child in children if child.number is not None or not child.leave_if(over)]
            idle = [child for child in children if child.number is None]
            while not over and len(children) < processes and not idle:
                idle.append(_Child(attack))
                children += idle[-1:]
            for child in idle:
                number = None if over else next(numbers, None)
                if number is None:
                    child.leave_if(True)
                    children.remove(child)
                else:
                    child.begin(number, given[number] if given is not None else attack.case(seed, number))
            if not children:
                return
            wait([child.pipe for child in children], timeout=0.5)
            for child in children:
                for result in child.results():
                    number = child.number if given is None else None
                    child.number = None
                    tally.add(number, child.case, *result, out)
                    tally.seconds = time.monotonic() - began
                    yield tally
            children = [child for child in children if not child.ended]
    finally:
        for child in children:
            child.kill()


class _Child:
    """A process that checks one case after the other."""

    def __init__(self, attack: Attack) -> None:
        spawn = multiprocessing.get_context("spawn")
        self.attack = attack
        self.pipe, theirs = spawn.Pipe()
        self.process = spawn.Process(target=_work, args=(attack.name, theirs))
        self.process.start()
        theirs.close()
        self.number: int | None = None
        self.case: Case = {}
        self.fresh, self.ended, self.since = True, False, 0.0

    def begin(self, number: int, case: Case) -> None:
        """Let it check a case."""
        self.number, self.case, self.since = number, case, time.monotonic()
        with suppress(OSError):  # it has died; `results` notices
            self.pipe.send(case)

    def results(self) -> Iterator[tuple[Counter[str], str | None]]:
        """The result of the case under way, if there is one: its own, or that it crashed or hangs."""
        try:
            if self.pipe.poll():
                self.fresh = False
                yield self.pipe.recv()
                return
        except (EOFError, OSError):
            self.process.join()
            self.ended = True
            yield Counter(), _how_it_ended(self.process.exitcode)
            return
        limit = self.attack.seconds + START * self.fresh
        if time.monotonic() - self.since > limit:
            self.kill()
            yield Counter(), f"hangs for more than {limit:.0f} s"

    def leave_if(self, over: bool) -> bool:
        """Let it end."""
        if over:
            self.pipe.close()
            self.process.join()
            self.ended = True
        return over

    def kill(self) -> None:
        """End it at once."""
        self.process.kill()
        self.process.join()
        self.ended = True


def _how_it_ended(code: int | None) -> str:
    if code is not None and code < 0:
        return f"the process crashed: {signal.Signals(-code).name}"
    return f"the process ended with exit code {code}"


def _work(name: str, pipe: Connection) -> None:
    """Check the cases that come through the pipe, until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process of the terminal
    attack = attack_named(name)
    if attack.memory:
        resource.setrlimit(resource.RLIMIT_AS, (attack.memory * GIB, attack.memory * GIB))
    with suppress(EOFError, BrokenPipeError):
        while True:
            pipe.send(try_case(attack, pipe.recv()))
