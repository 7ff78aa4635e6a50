"""The `hearts` command where a standard stream is closed, or nobody reads what it prints."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.marks import few, rare

LINES = {
    "play": "play --seed 1 --agents rule", "rules": "rules black_lady", "variants": "variants", "agents": "agents",
    "arena": "arena random --deals 2", "engine": "engine",
}  # fmt: skip
"""Command lines that end by themselves; of other commands, the help page is printed."""
CLOSED = ["<&-", ">&-", "2>&- </dev/null", "<&- >&- 2>&-"]
HEARTS = f"{sys.executable} -m hearts_training"


def shell(line: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", "-c", line], cwd=cwd, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("name", few([*LINES, "train"], 1, daily=1))
def test_a_closed_stream_is_like_one_that_nobody_holds(name: str, tmp_path: Path) -> None:
    for closed in CLOSED if name == "rules" else CLOSED[-1:] if name in LINES else [">&-"]:
        done = shell(f"exec {HEARTS} {LINES.get(name, f'{name} --help')} {closed}", tmp_path)
        assert done.returncode == 0, (closed, done.stderr)
        assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", rare(["play", "web"], 1))
def test_a_reader_may_leave(name: str, tmp_path: Path) -> None:
    line = f"{HEARTS} {LINES.get(name, f'{name} --help')} </dev/null | true; exit ${{PIPESTATUS[0]}}"
    done = shell(line, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_full_disk_is_reported_in_one_line(tmp_path: Path) -> None:
    for name in ("rules", "variants"):
        done = shell(f"{HEARTS} {LINES[name]} </dev/null >/dev/full", tmp_path)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert done.stderr.startswith("hearts: ")


@pytest.mark.exhaustive
def test_the_match_is_saved_where_nobody_reads_the_table(tmp_path: Path) -> None:
    shell(f"{HEARTS} {LINES['play']} --save match.txt <&- | true", tmp_path)
    shell(f"{HEARTS} {LINES['play']} --save other.txt <&- >&-", tmp_path)
    assert (tmp_path / "match.txt").read_text().startswith("hearts-match 1\n")
    assert (tmp_path / "other.txt").read_text() == (tmp_path / "match.txt").read_text()
