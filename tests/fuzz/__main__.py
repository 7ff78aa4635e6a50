"""Attack the suite: ``python -m tests.fuzz ATTACK --minutes M``.

Cases are drawn from a seed, so that every failure can be repeated; each is printed, and appended to a file, with the
command that repeats it. Ctrl-C ends a campaign and prints what it has done.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

from rich.console import Console

from tests.fuzz.attack import NAMES, Attack, Case, attack_named, corpus
from tests.fuzz.campaign import Tally, campaign

MINUTES = 5.0


def main() -> int:
    """Run the command; 1 if something broke."""
    arguments = _parser().parse_args()
    os.environ.setdefault("HEARTS_QUIET", "1")
    attack = attack_named(arguments.attack)
    tally = Tally(attack.name, arguments.seed)
    terminal = Console(stderr=True, highlight=False, markup=False)
    tallies = campaign(
        attack,
        seed=arguments.seed,
        minutes=arguments.minutes,
        processes=arguments.processes,
        cases=_cases(attack, arguments),
        most=arguments.cases,
        out=arguments.out,
    )
    with closing(tallies), terminal.status(f"{attack.name} ...") as status:
        try:
            for tally in tallies:
                status.update(tally.line())
        except KeyboardInterrupt:
            print("interrupted")
    _report(tally)
    return int(bool(tally.failures))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Attack the suite with random cases.")
    parser.add_argument("attack", choices=NAMES)
    parser.add_argument("--minutes", type=float, default=MINUTES, help=f"how long to go on ({MINUTES:g})")
    parser.add_argument("--cases", type=int, metavar="N", help="end after so many cases")
    parser.add_argument("--seed", type=int, default=0, help="fixes the cases (0)")
    parser.add_argument("--processes", type=int, default=1, help="processes that check cases (1)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="append a line of JSON for every failure to this file")
    one = parser.add_mutually_exclusive_group()
    one.add_argument("--number", type=int, metavar="N", help="only case N of the seed")
    one.add_argument("--case", metavar="JSON", help="only this case, as a failure reports it")
    one.add_argument("--corpus", action="store_true", help="only the cases of past failures")
    return parser


def _cases(attack: Attack, arguments: argparse.Namespace) -> list[Case] | None:
    if arguments.number is not None:
        return [attack.case(arguments.seed, arguments.number)]
    if arguments.case is not None:
        return [json.loads(arguments.case)]
    return [entry["case"] for entry in corpus(attack.name)] if arguments.corpus else None


def _report(tally: Tally) -> None:
    """Print the counts, and every kind of failure with the command that repeats its first case."""
    kinds = Counter(found["failure"] for found in tally.failures)
    for failure, number in kinds.most_common():
        first = next(found for found in tally.failures if found["failure"] == failure)
        print(f"{number} x {failure}\n    {first['repeat']}")
    print(tally.line())


if __name__ == "__main__":
    sys.exit(main())
