"""Compiled code is cached on disk, and an edited kernel never answers with what its old sources said."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock, Timeout

import hearts_env
from hearts_env.kernel.cache import ONCE, compiling
from tests.support.modules import MODULES, source_of

ROOT = Path(hearts_env.__file__).parents[1]

PROGRAM = """
import json
import hearts_env as he
from hearts_env.kernel.tricks import winning_place
from elsewhere.outer import answer

result = {"winner": he.trick_winner("black_lady", ["3C", "2C", "KC", "AD"]), "answer": int(answer(5))}
for counted in ("cache_hits", "cache_misses"):
    result[counted] = [sum(getattr(entry.stats, counted).values()) for entry in (winning_place, answer)]
print(json.dumps(result))
"""
TINY = """
import sys
from elsewhere.outer import answer

print("ready", flush=True)
sys.stdin.readline()
assert answer(5) == 10
print(sum(answer.stats.cache_misses.values()))
"""
OUTER = """
from elsewhere.inner import increased
from hearts_env.kernel.bits import nth
from hearts_env.kernel.jit import jit

@jit
def answer(mask):
    return increased(nth(mask, 0))
"""
INNER = """
from hearts_env.kernel.jit import jit

@jit
def increased(number):
    return number + 10
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package, beside another package with compiled code of its own."""
    shutil.copytree(ROOT / "hearts_env", tmp_path / "hearts_env", ignore=shutil.ignore_patterns("__pycache__"))
    other = tmp_path / "elsewhere"
    other.mkdir()
    for name, text in (("__init__", ""), ("outer", OUTER), ("inner", INNER)):
        (other / f"{name}.py").write_text(text, encoding="utf-8")
    return tmp_path


def started(copy: Path, program: str, **changes: str) -> subprocess.Popen[str]:
    """A process of its own that runs a program."""
    inherited = {name: value for name, value in os.environ.items() if name != "HEARTS_QUIET"}
    environment = inherited | {
        "PYTHONPATH": str(copy),
        "PYTHONDONTWRITEBYTECODE": "1",  # or an edit within a second could be hidden by Python itself
        "NUMBA_CACHE_DIR": str(copy / "cache"),
    }
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", program]
    return subprocess.Popen(
        command, cwd=copy, env=environment | changes, stdin=pipe, stdout=pipe, stderr=pipe, text=True
    )


def run(copy: Path) -> dict[str, Any]:
    """What the program says in a process of its own."""
    process = started(copy, PROGRAM)
    output, complaint = process.communicate()
    assert not process.returncode, complaint
    result: dict[str, Any] = json.loads(output)
    return result


def compiled(*processes: subprocess.Popen[str]) -> tuple[list[int], list[str]]:
    """How often each process compiled when all were let go at once, and what each wrote to stderr."""
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    ends = [process.communicate() for process in processes]
    assert not any(process.returncode for process in processes), ends
    return [int(output) for output, _ in ends], [complaint for _, complaint in ends]


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{path.name} has changed; the test must edit another line"
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.exhaustive
def test_an_edited_callee_in_another_file_is_compiled_anew(copy: Path) -> None:
    assert run(copy) == {"winner": 2, "answer": 10, "cache_hits": [0, 0], "cache_misses": [1, 1]}
    assert run(copy) == {"winner": 2, "answer": 10, "cache_hits": [1, 1], "cache_misses": [0, 0]}  # a cache that works

    edit(copy / "elsewhere" / "inner.py", "number + 10", "number + 20")
    assert run(copy) == {"winner": 2, "answer": 20, "cache_hits": [1, 0], "cache_misses": [0, 1]}

    lowest_wins = "builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))"
    edit(copy / "hearts_env" / "kernel" / "bits.py", "builder.sub(ir.Constant(ir.IntType(64), 63), zeros)", lowest_wins)
    edit(copy / "hearts_env" / "kernel" / "bits.py", "    return kind\n", "    return kind + 1\n")
    assert run(copy) == {"winner": 1, "answer": 21, "cache_hits": [0, 0], "cache_misses": [1, 1]}


@pytest.mark.exhaustive
@pytest.mark.release
def test_processes_that_start_or_find_damage_at_once_compile_once(copy: Path) -> None:
    for _ in range(2):
        counts, _ = compiled(*(started(copy, TINY) for _ in range(3)))
        assert sorted(counts) == [0, 0, 1]
        flip(*files(copy, "entry"))


def test_other_entries_are_compiled_meanwhile(tmp_path: Path) -> None:
    with compiling("one", tmp_path, ONCE, 20):
        with pytest.raises(Timeout):
            FileLock(tmp_path / "one.lock").acquire(timeout=0)
        with compiling("other", tmp_path, ONCE, 20):
            assert {path.name for path in tmp_path.glob("*.lock")} == {"one.lock", "other.lock"}


@pytest.mark.exhaustive
def test_a_cache_that_cannot_be_written_to_is_named(copy: Path) -> None:
    file = copy / "elsewhere" / "outer.py"
    (count,), (line,) = compiled(started(copy, TINY, NUMBA_CACHE_DIR=str(file)))
    assert count == 1
    assert line.count("\n") == 1
    assert re.search(rf"at every start because {re.escape(str(file))}\S* cannot be written to", line)


def files(copy: Path, kind: str) -> list[Path]:
    return sorted((copy / "cache").rglob(f"*.{kind}"))


def flip(*paths: Path) -> None:
    for path in paths:
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)


@pytest.mark.exhaustive
@pytest.mark.release
def test_damaged_code_is_compiled_again_in_one_line(copy: Path) -> None:
    assert compiled(started(copy, TINY))[0] == [1]
    flip(*files(copy, "entry"), *files(copy, "part"))
    (count,), (line,) = compiled(started(copy, TINY))
    (entry,) = files(copy, "entry")
    assert (count, line) == (1, f"hearts: compiling answer, again because {entry} is damaged\n")
    assert compiled(started(copy, TINY)) == ([0], [""])


PLAINLY = "import hearts_env.kernel.dispatch as dispatch; dispatch.KNOWN = set()\n"
"""What a program begins with to be compiled as with a release of Numba that is not known."""
DEALS = """
import random
import hearts_env as he

for rules in ("gong_zhu", "cancellation_hearts"):
    match, rng = he.Match(rules, seed=3), random.Random(3)
    while not match.over and match.deal_number < 2:
        match.play(rng.choice(match.legal()))
    print(match.record())
batch = he.vector_env("omnibus_hearts", 64)
batch.reset(seed=1)
for _ in range(100):
    batch.step(batch.action_masks.argmax(axis=1))
print(batch.observations.sum(), batch.observations.max())
"""


@pytest.mark.exhaustive
@pytest.mark.release
def test_both_ways_of_compiling_play_the_same(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exec(DEALS, {})
    ours = capsys.readouterr().out
    assert ours.count("\n") > 60
    theirs, complaint = started(copy, PLAINLY + DEALS).communicate()
    assert theirs == ours, complaint


def test_compiled_code_calls_into_its_own_package_and_the_kernel_only() -> None:
    """Those are the sources whose edits a cache folder's name reflects."""
    imports = {name: set(re.findall(r"^ *(?:from|import) ([\w.]+)", source_of(name), re.MULTILINE)) for name in MODULES}
    compiled = {name for name in MODULES if "hearts_env.kernel.jit" in imports[name]}
    assert {"hearts_env.kernel.steps", "hearts_env.envs.rewards"} <= compiled
    astray = {
        (name, source)
        for name in compiled
        for source in imports[name] & compiled
        if not source.startswith("hearts_env.kernel.")
        and (name.startswith("hearts_env.kernel.") or source.partition(".")[0] != name.partition(".")[0])
    }
    assert not astray
