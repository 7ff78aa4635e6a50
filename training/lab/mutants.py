"""Mutants: small faults that are put into the code one by one, to find out which of them the tests notice.

From a checkout, in an environment with the extra `dev`:

    python training/lab/mutants.py draw --count 34 --seed 1        # writes training/lab/mutants.json, the list
    python training/lab/mutants.py run --out killed.jsonl -- pytest -q -x -n 2

`run` copies the checkout, puts each mutant of the list into the copy and runs the command there; a command that fails
has killed the mutant. It goes on where it stopped. A mutant is a line and what it becomes, found again by its text
where files have moved; one whose line has changed is reported and left out.
"""

from __future__ import annotations

import ast
import json
import os
import random
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import tyro

ROOT = Path(__file__).parents[2]
LIST = Path(__file__).with_suffix(".json")
ROOMS = {
    "hearts_env/kernel": 12,
    "hearts_env/ruleset": 6,
    "hearts_env/seat": 4,
    "hearts_env/table": 2,
    "agents/hearts_agents/rule": 4,
    "agents/hearts_agents/search": 3,
    "agents/hearts_agents/arena": 3,
}
"""Folders, and how many of 34 mutants each gets."""
SWAPS: dict[type[ast.AST], str] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "+",
    ast.BitAnd: "|",
    ast.BitOr: "&",
    ast.And: "or",
    ast.Or: "and",
}
SIGNS = {"<=", "<", ">=", ">", "==", "!=", "+", "-", "*", "&", "|", "and", "or"}


def mutants_of(path: Path) -> Iterator[dict[str, object]]:
    """Every mutant of a file: an operator that becomes another, or a small whole number that grows by one."""
    lines = path.read_text().split("\n")
    for function in ast.walk(ast.parse("\n".join(lines))):
        if isinstance(function, ast.FunctionDef):
            for node in (inner for statement in function.body for inner in ast.walk(statement)):
                found = _change(node, lines)
                if found is not None:
                    line, start, end, new = found
                    old = lines[line]
                    mutant = old[:start] + new + old[end:]
                    yield {"file": str(path.relative_to(ROOT)), "line": line + 1, "old": old, "new": mutant}


def _change(node: ast.AST, lines: list[str]) -> tuple[int, int, int, str] | None:
    if isinstance(node, ast.Constant) and type(node.value) is int and 0 <= node.value < 100:
        return node.lineno - 1, node.col_offset, node.end_col_offset or 0, str(node.value + 1)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return _between(node.left, node.comparators[0], node.ops[0], lines)
    if isinstance(node, ast.BinOp):
        return _between(node.left, node.right, node.op, lines)
    if isinstance(node, ast.BoolOp):
        return _between(node.values[0], node.values[1], node.op, lines)
    return None


def _between(left: ast.expr, right: ast.expr, operator: ast.AST, lines: list[str]) -> tuple[int, int, int, str] | None:
    """The operator between two operands of one line."""
    new, line = SWAPS.get(type(operator)), (left.end_lineno or 0) - 1
    if new is None or right.lineno - 1 != line:
        return None
    start, end = left.end_col_offset or 0, right.col_offset
    old = lines[line][start:end].strip(" ()")
    if old not in SIGNS:
        return None
    place = lines[line].index(old, start)
    return line, place, place + len(old), new


def draw(count: int = 34, seed: int = 1) -> None:
    """Write a list of mutants, divided among the rooms, each of another line.

    Args:
        count: how many.
        seed: of the draw.
    """
    rng, drawn = random.Random(seed), []
    for room, share in ROOMS.items():
        found = [one for path in sorted((ROOT / room).rglob("*.py")) for one in mutants_of(path)]
        rng.shuffle(found)
        lines: dict[object, dict[str, object]] = {}
        for one in found:
            lines.setdefault((one["file"], one["line"]), one)
        drawn += list(lines.values())[: round(share * count / sum(ROOMS.values()))]
    LIST.write_text(json.dumps([{"number": number, **one} for number, one in enumerate(drawn)], indent=1) + "\n")


def place_of(tree: Path, mutant: dict[str, object]) -> Path:
    """The file of a mutant in a tree. Raises ValueError where its line is not found in exactly one file."""
    named = tree / str(mutant["file"])
    lines = str(mutant["old"])
    files = [named] if named.is_file() else []
    if not files or lines not in files[0].read_text().split("\n"):
        files = [
            path for path in tree.rglob("*.py") if "tests" not in path.parts and lines in path.read_text().split("\n")
        ]
    if len(files) != 1:
        raise ValueError(f"mutant {mutant['number']}: {mutant['file']}:{mutant['line']} is found in {len(files)} files")
    return files[0]


def put(tree: Path, mutant: dict[str, object]) -> tuple[Path, str]:
    """Put a mutant into a tree; returns the file and what it was."""
    path = place_of(tree, mutant)
    text = path.read_text()
    lines = text.split("\n")
    places = [number for number, line in enumerate(lines) if line == mutant["old"]]
    nearest = min(places, key=lambda number: abs(number + 1 - int(str(mutant["line"]))))
    lines[nearest] = str(mutant["new"])
    path.write_text("\n".join(lines))
    return path, text


def run(command: tyro.conf.Positional[tuple[str, ...]], out: Path) -> None:
    """Run a command on every mutant of the list, and report those whose line is gone.

    Args:
        command: the command, after --.
        out: the results, a line for each; a mutant that has one is left out.
    """
    done = {json.loads(line)["number"] for line in out.read_text().splitlines()} if out.exists() else set()
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", "runs"))
        # The packages of the copy, whatever is installed.
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(str(tree / part) for part in (".", "agents", "training"))}
        for mutant in json.loads(LIST.read_text()):
            if mutant["number"] in done or mutant.get("equivalent"):
                continue
            try:
                path, text = put(tree, mutant)
            except ValueError as gone:
                print(gone, flush=True)
                continue
            start = time.monotonic()
            ended = subprocess.run(command, cwd=tree, env=env, capture_output=True, text=True, check=False)
            path.write_text(text)
            failed = [line for line in ended.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
            result = {
                "number": mutant["number"],
                "killed": ended.returncode != 0,
                "seconds": round(time.monotonic() - start),
            }
            with out.open("a") as file:
                file.write(json.dumps({**result, "by": failed[:1]}) + "\n")
            print(result, failed[:1], flush=True)


if __name__ == "__main__":
    tyro.extras.subcommand_cli_from_dict({"draw": draw, "run": run}, description=__doc__)
