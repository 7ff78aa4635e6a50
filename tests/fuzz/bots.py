"""Hostile bots in the arena: it ends with a table or with one line, in bounded memory, and leaves no process."""

from __future__ import annotations

import json
import shlex
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random

from tests.fuzz.attack import Attack, BrokenError, Case
from tests.fuzz.hostile import WAYS
from tests.fuzz.processes import Running, demand_good_end

HERE = Path(__file__).parent
BAD = HERE.parent / "engines" / "bots" / "bad.py"
MISTAKES = (
    *("dies at once", "hangs at hello", "never reads", "speaks another version", "leaves politely", "is late"),
    *("dies in mid-game", "writes no end of a line", "writes no end of lines", "names a wrong id", "names no id"),
    *("names an illegal card", "names a number", "says another thing", "talks nonsense", "sends a list"),
)
RULES = ["black_lady", "black_lady(players=3)", "gong_zhu", "heartsette(players=3)", "spot_hearts"]
SECONDS, MEMORY = 90.0, 1024
"""The longest that an arena may take, and the most memory in MiB."""


def draw(rng: Random) -> Case:
    """A way to misbehave and the arena around it."""
    way = rng.choice([*WAYS, *MISTAKES])
    return {
        "way": way,
        "rules": rng.choice(RULES),
        "deals": rng.choice([1, 2]),
        "seed": rng.randrange(1000),
        "processes": rng.choice([1, 1, 1, 2]),
        "time_ms": rng.choice([60, 150]),
    }


def check(case: Case) -> Counter[str]:
    """Play an arena."""
    file = HERE / "hostile.py" if case["way"] in WAYS else BAD
    words = [sys.executable, "-I", "-S", str(file), case["way"]]
    bot = f"exec({shlex.join(words)}, time_ms={case['time_ms']}, start_ms=1500)"
    options = [f"--{name}={case[name]}" for name in ("deals", "seed", "processes")]
    with tempfile.TemporaryDirectory(prefix="hearts-fuzz-") as folder:
        words = ["hearts_training", "arena", bot, "random", f"--variant={case['rules']}", *options, "--json=-"]
        ended = Running(words, Path(folder)).end(SECONDS)
    demand_good_end(ended, "the arena")
    if ended.memory > MEMORY:
        raise BrokenError(f"the arena takes {ended.memory} MiB of memory")
    if ended.code == 0 and len(json.loads(ended.out)["agents"]) != 2:
        raise BrokenError("the arena ends without a table")
    return Counter({"tables" if ended.code == 0 else "lines": 1})


ATTACK = Attack("bots", draw, check, seconds=SECONDS + 30)
