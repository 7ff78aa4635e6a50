"""Make the splits of the benchmark from `hearts_env.sample_rules`: `python training/lab/splits.py OUT`.

It takes some 25 minutes on two cores, says how far it is, and goes on from the files that an interrupted run has left
in OUT. The same command gives the same files, byte for byte; `hearts_env/benchmark/v1` is what it gave.

A draw is kept if `rule` beats `random` by 20 standard errors, in at most 10,000 deals, and by a fifth of the standard
deviation of a deal: elsewhere a score between the two would be noise. `dropped.json` counts those that were not.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import count
from pathlib import Path
from typing import NamedTuple

import numpy as np
import tyro

import hearts_env as he
from hearts_agents import make_agent
from hearts_agents.files import write_file
from hearts_env.benchmark import splits
from hearts_env.benchmark.digest import rules_digest
from hearts_env.benchmark.domain import (
    DEVELOPMENT_PAIRS,
    MECHANISMS,
    PAIRS,
    PLAYERS,
    VALUES,
    Membership,
    of_deals,
    split_of,
)
from hearts_env.benchmark.splits import SIZES, TRAINING, SplitRule, to_line
from hearts_training.evaluate.sides import CHUNK, Sides

FIRST = 10**9
"""Seeds of draws for training are below this, those of the benchmark from here on."""
APART = 10**8
"""Between the first seeds of two streams."""
EACH = {"B": 8, "C": 8, "D": 26, "E": 18, "V": 8}
"""Rules for every value, pair, mechanism or number of players."""
MATCHES = 32
ERRORS, SHARE, MOST = 20, 0.2, 10_000
MEMBERS, LAST = 8, 64
"""Each member of a pair occurs in so many rules of every training set of 256; the last ones are picked for that."""
AT_ONCE = 256
"""Draws examined together."""
DROPPED = "dropped.json"
NONE = Membership("")
PIMC = "pimc(worlds=32)"


class Draw(NamedTuple):
    """The rules of a seed, as text, and what they are; a kind without a split is for none."""

    seed: int
    text: str
    kind: Membership
    digest: str


def draw(seed: int) -> Draw:
    """The draw of a seed, for single deals."""
    return examine(of_deals(he.sample_rules(seed)), seed)


def draw_match(seed: int) -> Draw:
    """The draw of a seed with the end of its match; one that may be trained on is for the split of matches."""
    found = examine(he.sample_rules(seed), seed)
    return found._replace(kind=Membership("matches") if found.kind == Membership("train") else NONE)


def examine(rules: he.Rules, seed: int) -> Draw:
    """Some rules as a draw."""
    kind = split_of(rules)
    return Draw(seed, str(rules), kind, rules_digest(of_deals(rules))) if kind else Draw(seed, str(rules), NONE, "")


def measure(draw: Draw) -> SplitRule | None:
    """A draw as a line of its split; None if `random` does not lose clearly enough."""
    sides, random, rule = Sides.of(he.rules(draw.text)), make_agent("random"), make_agent("rule")
    sd = sides.spread()
    parts: list[float] = []
    kept = False
    while not kept and len(parts) < MOST:
        parts += sides.margins(random, rule, len(parts) // CHUNK).mean(axis=1).tolist()
        mean, error = float(np.mean(parts)), float(np.std(parts, ddof=1)) / math.sqrt(len(parts))
        kept = mean >= max(ERRORS * error, SHARE * sd) and sd > 0
        if mean + 4 * error < SHARE * sd:
            break
    if not kept and draw.kind.split != "P":
        return None
    golden = sides.golden(rule)
    played = {"dealt": golden.dealt, "rule": golden.played}
    if draw.kind.split not in ("train", "P"):
        played["pimc"] = sides.golden(make_agent(PIMC), 1).played
    measured = {"margin": round(mean, 4), "error": round(error, 4), "deals": len(parts), "sd": round(sd, 4)}
    return SplitRule(draw.text, draw.digest, draw.kind.why, draw.seed, measured, played)


class Maker:
    """Draws that are examined and measured by two processes, and what has been taken so far."""

    def __init__(self, out: Path, pool: ProcessPoolExecutor) -> None:
        self.out, self.pool = out, pool
        self.taken: set[str] = set()
        self.dropped: Counter[str] = Counter()
        if (out / DROPPED).exists():
            self.dropped.update(json.loads((out / DROPPED).read_text()))

    def draws(self, stream: int, draw: Callable[[int], Draw]) -> Iterator[list[Draw]]:
        """Draws of consecutive seeds, `AT_ONCE` at a time."""
        for start in count(FIRST + stream * APART, AT_ONCE):
            yield list(self.pool.map(draw, range(start, start + AT_ONCE), chunksize=8))

    def keep(self, draws: list[Draw], wanted: Callable[[Draw], bool]) -> Iterator[tuple[Draw, SplitRule]]:
        """Those of some draws that are wanted, new and kept, in order."""
        new = [draw for draw in draws if draw.kind != NONE and draw.digest not in self.taken and wanted(draw)]
        for draw, line in zip(new, self.pool.map(measure, new, chunksize=4), strict=True):
            if draw.digest in self.taken or not wanted(draw):
                continue  # by now
            if line is None:
                self.dropped[" ".join(draw.kind)] += 1
                continue
            self.taken.add(draw.digest)
            yield draw, line

    def write(self, name: str, lines: list[SplitRule]) -> None:
        """Write the file of a split."""
        write_file(self.out / DROPPED, (json.dumps(self.dropped, indent=1, sort_keys=True) + "\n").encode())
        write_file(self.out / f"{name}.jsonl", "".join(f"{to_line(line)}\n" for line in lines).encode())
        print(f"{name}: {len(lines)} rules", flush=True)

    def done(self, *names: str) -> bool:
        """Whether files are there; what is in them counts as taken."""
        paths = [self.out / f"{name}.jsonl" for name in names]
        if not all(path.exists() for path in paths):
            return False
        for path in paths:
            self.taken.update(json.loads(line)["digest"] for line in path.read_text().splitlines())
        return True

    def presets(self) -> None:
        """P: the variants of version 1 with their usual number of players."""
        rules = {line.why: of_deals(he.rules(line.why)) for line in splits.split("P")}
        named = [Draw(0, str(one), Membership("P", name), rules_digest(one)) for name, one in rules.items()]
        self.write("P", [line._replace(seed=None) for line in self.pool.map(measure, named) if line])

    def tests(self) -> None:
        """B, C, D, E and V: so many rules for everything that they hold back."""
        whys = {"B": map(str, VALUES), "D": MECHANISMS, "E": (f"{n} players" for n in range(2, 12) if n not in PLAYERS)}
        for split, pairs in (("C", PAIRS), ("V", DEVELOPMENT_PAIRS)):
            whys[split] = [f"{one} + {other}" for one, other in pairs]
        left = {Membership(split, why): EACH[split] for split, names in whys.items() for why in names}
        found: dict[str, list[SplitRule]] = {split: [] for split in EACH}
        for draws in self.draws(0, draw):
            for one, line in self.keep(draws, lambda draw: left.get(draw.kind, 0) > 0):
                left[one.kind] -= 1
                found[one.kind.split].append(line)
            print(f"tests: {sum(left.values())} rules missing after seed {draws[-1].seed}", flush=True)
            if not any(left.values()):
                break
        for split, lines in found.items():
            self.write(split, sorted(lines, key=lambda line: (line.why, line.seed)))

    def matches(self) -> None:
        """Whole matches of rules like those of training."""
        lines: list[SplitRule] = []
        for draws in self.draws(1, draw_match):
            for _, line in self.keep(draws, lambda draw: len(lines) < MATCHES):
                lines.append(line)
            if len(lines) == MATCHES:
                break
        self.write("matches", lines)

    def chain(self, name: str, stream: int) -> None:
        """A training set. Its last rules bring what is to be held apart to `MEMBERS` rules each."""
        members = {trait for pair in (*PAIRS, *DEVELOPMENT_PAIRS) for trait in pair}
        lines: list[SplitRule] = []
        held: Counter[object] = Counter()

        def wanted(draw: Draw) -> bool:
            short = [trait for trait in members if held[trait] < MEMBERS]
            rare = len(lines) < SIZES[-1] - LAST or not short
            return draw.kind == Membership("train") and (rare or any(trait.of(he.rules(draw.text)) for trait in short))

        for draws in self.draws(stream, draw):
            for one, line in self.keep(draws, lambda draw: len(lines) < SIZES[-1] and wanted(draw)):
                lines.append(line)
                held.update(trait for trait in members if trait.of(he.rules(one.text)))
            if len(lines) == SIZES[-1]:
                break
        assert all(held[trait] >= MEMBERS for trait in members)
        self.write(name, lines)


def main(out: Path, /) -> None:
    """Make what is missing in a folder."""
    out.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(2) as pool:
        maker = Maker(out, pool)
        if not maker.done("P"):
            maker.presets()
            maker.done("P")
        if not maker.done(*EACH):
            maker.tests()
        if not maker.done("matches"):
            maker.matches()
        for stream, name in enumerate(TRAINING, 2):
            if not maker.done(name):
                maker.chain(name, stream)


if __name__ == "__main__":
    tyro.cli(main, description=__doc__)
