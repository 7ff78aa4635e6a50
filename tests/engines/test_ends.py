"""Nothing outlives an arena: not its workers, not its bots, however it ends."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.marks import rare

BOT = Path(__file__).parent / "bots" / "bad.py"
STAYS = f"exec(command={sys.executable} -I -S {BOT} 'stays for ever', time_ms=10000)"
PROC = Path("/proc")
pytestmark = pytest.mark.skipif(not PROC.is_dir(), reason="needs /proc to find processes by their environment")


def marked(mark: str) -> dict[int, str]:
    """The living processes whose environment has a mark: number -> command."""
    found = {}
    for folder in PROC.iterdir():
        if folder.name.isdigit():
            try:
                if mark.encode() in (folder / "environ").read_bytes():
                    found[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:  # it has ended, or belongs to somebody else
                continue
    return found


def wait_for(condition: Callable[[], bool], seconds: float) -> bool:
    until = time.monotonic() + seconds
    while not (met := condition()) and time.monotonic() < until:
        time.sleep(0.05)
    return met


def running(mark: str, part: str) -> int:
    return sum(part in command for command in marked(mark).values())


def chunks(save: Path) -> int:
    return len(json.loads(save.read_text())["parts"]) if save.is_file() else 0


@pytest.mark.parametrize(("processes", "number"), rare([(1, signal.SIGTERM), (2, signal.SIGKILL)], 1))
def test_nothing_outlives_an_arena(processes: int, number: signal.Signals, tmp_path: Path) -> None:
    mark, save = f"HEARTS_TEST_MARK={tmp_path}", tmp_path / "arena.save"
    command = [sys.executable, "-m", "hearts_training", "arena", STAYS, "random", "--deals", "100000"]
    with subprocess.Popen(
        [*command, "--processes", str(processes), "--save", str(save)],
        env=os.environ | {"HEARTS_TEST_MARK": str(tmp_path)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
    ) as arena:
        try:
            assert wait_for(lambda: running(mark, "bad.py") >= 4 * processes, 100)
            assert wait_for(lambda: chunks(save) > 0, 100)
            arena.send_signal(number)
            _, errors = arena.communicate(timeout=30)
            assert wait_for(lambda: not marked(mark), 5), f"still there: {marked(mark)}"
        finally:
            for process in marked(mark):
                os.kill(process, signal.SIGKILL)
    if number is signal.SIGTERM:
        assert arena.returncode == 130
        assert errors.splitlines()[-1].endswith(f"the same command with --save {save} continues")
        assert chunks(save) > 0


@pytest.mark.exhaustive
def test_workers_end_while_they_are_busy_in_compiled_code(tmp_path: Path) -> None:
    """Code that does not release the interpreter: no thread of the worker runs."""
    if sys.platform != "linux":
        pytest.skip("needs the parent-death signal of Linux")
    script = tmp_path / "busy.py"
    script.write_text(
        "import re\n"
        "from hearts_agents import Agent\n"
        "from hearts_agents.arena import run_arena\n"
        "class Busy(Agent):\n"
        "    def act(self, view):\n"
        f"        open({str(tmp_path / 'begun')!r}, 'w').close()\n"
        "        re.match('(a+)+b', 'a' * 60)\n"
        "if __name__ == '__main__':\n"
        "    import hearts_agents.arena.play as play\n"
        "    play.Player.warm_up = lambda player: None\n"
        "    run_arena([Busy()], deals=100, tables_at_once=4, processes=2)\n"
    )
    mark = f"HEARTS_TEST_MARK={tmp_path}"
    with subprocess.Popen([sys.executable, str(script)], env=os.environ | {"HEARTS_TEST_MARK": str(tmp_path)}) as arena:
        try:
            assert wait_for((tmp_path / "begun").exists, 100)
            time.sleep(0.5)
            arena.kill()
            arena.wait()
            assert wait_for(lambda: not marked(mark), 5), f"still there: {marked(mark)}"
        finally:
            for process in marked(mark):
                os.kill(process, signal.SIGKILL)
