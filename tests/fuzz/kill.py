"""Trainings and arenas, killed at random moments and resumed: the result is the undisturbed one, to the byte."""

from __future__ import annotations

import json
import shlex
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz.attack import Attack, BrokenError, Case
from tests.fuzz.processes import Running, demand_good_end

SECONDS = 120.0
"""The longest that a command may take."""
BOT = shlex.join([sys.executable, "-I", "-S", str(Path(__file__).parent / "hostile.py"), "ignores-its-end"])
ARENAS = {
    "arena": ["hearts_training", "arena", "rule", "random", "--deals=2000"],
    "arena with 2 processes": ["hearts_training", "arena", "rule", "random", "--deals=2000", "--processes=2"],
    "arena with a bot": ["hearts_training", "arena", f"exec({BOT}, time_ms=20000)", "random", "--deals=100"],
}
TIMES = {"minutes", "decisions_per_second", "network_only_per_second", "folder", "ms_per_decision", "seconds", "run"}


def draw(rng: Random) -> Case:
    """What runs, and when it is killed how, as fractions of the time that it takes undisturbed."""
    return {
        "what": rng.choice(["train", "train", "arena", "arena with 2 processes", "arena with a bot"]),
        "seed": rng.randrange(2),
        "kills": [
            [round(rng.random(), 4), rng.choice(["KILL", "KILL", "TERM"])] for _ in range(rng.choice([1, 1, 2, 3]))
        ],
    }


def command(case: Case, folder: Path) -> list[str]:
    """The module, and its arguments, that begins or goes on in a folder."""
    if case["what"] != "train":
        return [*ARENAS[case["what"]], f"--seed={case['seed']}", "--save=arena.save", "--json=arena.json"]
    if not list((folder / "run").glob("checkpoint-*")):
        shutil.rmtree(folder / "run", ignore_errors=True)
    return ["tests.fuzz.training", str(case["seed"])]


def outcome(case: Case, folder: Path) -> Any:
    """What must be the same, however often it was killed."""
    if case["what"] != "train":
        return _untimed(json.loads((folder / "arena.json").read_text()))
    weights = (folder / "run" / "policy.safetensors").read_bytes().hex()
    return weights, _untimed(json.loads((folder / "run" / "result.json").read_text()))


def finished(case: Case, folder: Path) -> bool:
    """Whether the last file has been written."""
    return (folder / ("run/result.json" if case["what"] == "train" else "arena.json")).exists()


def _untimed(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _untimed(value) for key, value in data.items() if key not in TIMES}
    return [_untimed(value) for value in data] if isinstance(data, list) else data


@cache
def undisturbed(what: str, seed: int) -> tuple[Any, float]:
    """The outcome, and the seconds that it takes."""
    case = {"what": what, "seed": seed}
    with tempfile.TemporaryDirectory(prefix="hearts-fuzz-") as name:
        began = time.monotonic()
        ended = Running(command(case, Path(name)), Path(name)).end(SECONDS)
        if ended.code:
            raise BrokenError(f"undisturbed, it ends with {ended.errors!r}")
        return outcome(case, Path(name)), time.monotonic() - began


def check(case: Case) -> Counter[str]:
    """Kill, then let it end."""
    wanted, seconds = undisturbed(case["what"], case["seed"])
    counts = Counter[str]()
    with tempfile.TemporaryDirectory(prefix="hearts-fuzz-") as name:
        folder = Path(name)
        for moment, how in case["kills"]:
            if finished(case, folder):
                break
            running = Running(command(case, folder), folder)
            time.sleep(moment * seconds)
            running.send(signal.Signals[f"SIG{how}"])
            ended = running.end(SECONDS)
            counts[f"SIG{how}"] += 1
            if ended.code not in (0, 130, -signal.SIGKILL, -signal.SIGTERM):
                demand_good_end(ended, "what was stopped")
        if case["what"] != "train" or not _whole(case, folder):
            ended = Running(command(case, folder), folder).end(SECONDS)
            if ended.code:
                raise BrokenError(f"it does not go on: {' '.join(ended.errors.split())[-300:]}")
        if outcome(case, folder) != wanted:
            raise BrokenError("killed and resumed, the result is another one")
    return counts


def _whole(case: Case, folder: Path) -> bool:
    """Whether a training has written the result of its whole budget."""
    return finished(case, folder) and not json.loads((folder / "run" / "result.json").read_text())["interrupted"]


ATTACK = Attack("kill", draw, check, seconds=5 * SECONDS)
