"""Arrays of callers: what enters compiled code has the right shape, type, layout and content, or is refused."""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hearts_agents
import hearts_env
from tests.support.arrays import ENTRIES

ROOT = Path(hearts_env.__file__).parents[1]
ARRAY = re.compile(r"NDArray|ndarray|ArrayLike")
ANY_LENGTH = {"one more", "too small", "flat", "no entries"}
NOT_COMPILED = {
    "NumPy only": "arena.play.Chunk.__init__ sums; arena.play.Chunk.__init__ costs; arena.stats.mean_of values; "
    "arena.stats.adjust margins; arena.stats.rate_agents costs; arena.stats.ControlVariate.__init__ features; "
    "arena.stats.ControlVariate.__init__ error; arena.tables.costs_of points; arena.tables.margins_of costs; "
    "search.network.best_action options; search.network.best_action margins; envs.starts.game_seeds rows; "
    "play.setup.set_hands record; play.setup.set_scores record; play.setup.order_kitty record",
    "as `LearnerGames.step`": "envs.gym_vector.LearnerVectorEnv.step actions; "
    "envs.sb3.LearnerVecEnv.step_async actions",
    "as `ranking_of`: writes what indexes itself": "envs.starts.set_position record; play.setup.set_start record",
    "made by compile_game": "compiled.game.Game.__init__ table",
    "a text": "arena.failure.AgentFailed.__init__ record",
    "whatever the work takes": "envs.slices.Slices.each arrays",
    "the check itself": "checks.array_of array; checks.output array",
}
"""Reason why arguments need no row in `ENTRIES` -> function and argument."""


@pytest.fixture(scope="module")
def trials() -> dict[str, dict[str, dict[str, Any]]]:
    """Entry -> kind of value -> what came of it, from a process that may crash."""
    command = [sys.executable, "-m", "tests.support.arrays"]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900, check=False)
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for line in map(json.loads, process.stdout.splitlines()):
        found.setdefault(line["entry"], {})[line["kind"]] = line
    assert process.returncode == 0, (process.stdout.splitlines()[-1], process.stderr[-500:])
    return found


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ENTRIES)
def test_a_wrong_array_is_refused_in_one_line(name: str, trials: dict[str, dict[str, dict[str, Any]]]) -> None:
    tried = trials[name]
    good = tried.pop("good")["result"]
    assert sum("error" in one for one in tried.values()) > 3
    for kind, one in tried.items():
        assert "odd" not in one, (kind, one)
        if "error" in one:
            assert "\n" not in one["error"], kind
            assert len(one["error"]) < 500, kind
            assert not kind.startswith("same") or "contiguous and writeable" in one["error"], (kind, one)
        elif kind not in ANY_LENGTH and kind != "bytes":  # bytes are whole numbers
            assert one["result"] == good, kind


def functions() -> Iterator[tuple[str, Any]]:
    """Every public function and method outside the kernel by its dotted name; compiled ones are objects of Numba's."""
    for package in (hearts_env, hearts_agents):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if found.name.startswith("hearts_env.kernel"):
                continue
            module = importlib.import_module(found.name)
            for name, thing in vars(module).items():
                if name.startswith("_") or getattr(thing, "__module__", None) != module.__name__:
                    continue
                path = f"{module.__name__.partition('.')[2]}.{name}"
                if inspect.isfunction(thing):
                    yield path, thing
                for method, one in vars(thing).items() if inspect.isclass(thing) else ():
                    plain = one.__func__ if isinstance(one, staticmethod | classmethod) else one
                    if inspect.isfunction(plain) and (not method.startswith("_") or method == "__init__"):
                        yield f"{path}.{method}", plain


def test_every_public_function_with_an_array_is_in_the_table() -> None:
    pytest.importorskip("torch")
    pytest.importorskip("pyspiel")
    needed = {
        f"{path} {parameter.name}"
        for path, function in functions()
        for parameter in inspect.signature(function).parameters.values()
        if ARRAY.search(str(parameter.annotation)) or parameter.name in ("record", "records", "states")
    }
    assert "envs.vector.VectorEnv.hidden out" in needed
    left_out = {name for names in NOT_COMPILED.values() for name in names.split("; ")}
    assert needed - ENTRIES.keys() - left_out == set()
    assert left_out - needed == {"checks.array_of array", "checks.output array"}
