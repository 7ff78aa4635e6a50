"""Runs that end in any way, and what a folder may make a resumed run do."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hearts_agents import make_agent
from hearts_agents.files import UNSEALED, seal
from hearts_agents.neural import NetAgent
from hearts_training.train import checkpoint as store
from hearts_training.train.options import TrainOptions
from hearts_training.train.run import Run
from hearts_training.train.run_folder import hold_folder
from hearts_training.train.start import train
from tests.training.test_training import QUICK, run, silent

pytestmark = pytest.mark.usefixtures("one_thread", "no_figures")
SMALL: dict[str, Any] = {**QUICK, "evaluation_games": 4}


def resume(folder: Path, **changes: Any) -> Any:
    return train(TrainOptions(resume=folder, **{**SMALL, **changes}), silent)


def change_state(folder: Path, **changes: Any) -> None:
    """Edit the state of a checkpoint and make its digest fit."""
    path = store.find_checkpoint(folder) / store.STATE_FILE
    state = json.loads(path.read_bytes())
    path.write_bytes(seal(json.dumps({**state, **changes, "sha256": UNSEALED}).encode()))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that has ended."""
    folder = tmp_path_factory.mktemp("finished") / "run"
    run(folder, deals=30, evaluation_games=4)
    return folder


@pytest.fixture
def folder(finished: Path, tmp_path: Path) -> Path:
    """A copy of that folder."""
    return Path(shutil.copytree(finished, tmp_path / "run"))


# --- a file starts no program ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["exec:touch {}", "exec(command=touch {})", " exec : touch {}", "exec(touch {})"])
def test_a_program_that_only_a_file_names_is_not_started(folder: Path, tmp_path: Path, spec: str) -> None:
    mark = tmp_path / "mark"
    config = store.load_state(store.find_checkpoint(folder))["config"]
    teacher = spec.format(mark)
    change_state(folder, config=config | {"teacher": teacher, "imitation": 1.0})
    with pytest.raises(ValueError, match=r"names a program as teacher .* add --set 'teacher=") as error:
        resume(folder, deals=5)
    assert "\n" not in str(error.value)
    assert not mark.exists()


def test_a_program_that_the_command_names_as_well_is_started(folder: Path, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    config = store.load_state(store.find_checkpoint(folder))["config"]
    change_state(folder, config=config | {"teacher": f"exec:touch {mark}", "imitation": 1.0})
    for other in ("rule", "exec:true"):
        with pytest.raises(ValueError, match=f"teacher={other} cannot be changed when a run is resumed"):
            resume(folder, deals=5, hyper_parameters={"teacher": other})
    assert not mark.exists()
    with pytest.raises(ValueError, match="it ended with exit code 0 before it was ready"):
        resume(folder, deals=5, hyper_parameters={"teacher": f"exec:touch {mark}"})
    assert mark.exists()


@pytest.mark.parametrize("teacher", [["rule", "exec:touch mark"], {"exec": "touch mark"}, None, 1, "", "ruel"])
def test_a_teacher_of_another_form_is_refused(folder: Path, teacher: Any) -> None:
    config = store.load_state(store.find_checkpoint(folder))["config"]
    change_state(folder, config=config | {"teacher": teacher})
    with pytest.raises(ValueError, match=r"teacher|the closest is rule") as error:
        resume(folder, deals=5)
    assert "\n" not in str(error.value)


# --- every end --------------------------------------------------------------------------------------------------------


def test_the_first_checkpoint_is_there_before_the_first_update(tmp_path: Path) -> None:
    found: list[str] = []

    def stop(status: Any) -> None:
        found.extend(path.name for path in (tmp_path / "out").iterdir())
        raise MemoryError

    with pytest.raises(MemoryError):
        run(tmp_path / "out", stop, deals=30, evaluation_games=4)
    assert {"checkpoint-00000000", "policy.json", "policy.safetensors"} <= set(found)
    run(tmp_path / "whole", deals=30, evaluation_games=4)
    assert resume(tmp_path / "out").curve == json.loads((tmp_path / "whole" / "result.json").read_bytes())["curve"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_saves_and_stops(tmp_path: Path, number: int) -> None:
    result = run(tmp_path / "out", lambda status: os.kill(os.getpid(), number), deals=10**6, evaluation_games=4)
    assert result.interrupted
    assert store.load_state(store.find_checkpoint(tmp_path / "out"))["counters"]["deals"] == result.deals > 0
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


def test_a_run_without_its_result_is_finished(folder: Path) -> None:
    before = json.loads((folder / "result.json").read_bytes())
    with pytest.raises(ValueError, match="has used its budget; give minutes or deals"):
        resume(folder)
    for stale in (
        None,
        b"{",
        json.dumps(before | {"deals": 1}).encode(),
        json.dumps(before | {"interrupted": True}).encode(),
    ):
        (folder / "result.json").unlink()
        if stale is not None:
            (folder / "result.json").write_bytes(stale)
        result = resume(folder)
        assert (result.deals, result.curve, result.interrupted) == (before["deals"], before["curve"], False)
        assert json.loads((folder / "result.json").read_bytes())["curve"] == before["curve"]


def test_a_new_budget_is_saved_at_once(folder: Path) -> None:
    def stop(status: Any) -> None:
        raise MemoryError

    with pytest.raises(MemoryError):
        train(TrainOptions(resume=folder, deals=1000, **SMALL), stop)
    state = store.load_state(store.find_checkpoint(folder))
    assert state["budget"]["deals"] == state["counters"]["deals"] + 1000


def test_a_folder_in_use_is_refused(folder: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.name != ".lock"}
    with hold_folder(folder):
        for options in (
            TrainOptions(resume=folder, deals=5),
            TrainOptions(resume=store.find_checkpoint(folder), deals=5),
        ):
            with pytest.raises(ValueError, match="is in use by another run; wait") as error:
                train(options, silent)
            assert "\n" not in str(error.value)
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.name != ".lock"} == before
    resume(folder, deals=5)
    resume(folder, deals=5)


@pytest.mark.parametrize("step", ["fsync", "mkdir"])
def test_a_full_disk_ends_a_run_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    def fill(status: Any) -> bool:
        monkeypatch.setattr(os, step, full)
        return True

    folder = tmp_path / "out"
    with pytest.raises(OSError, match=r"cannot be written \(No space left on device\); its last checkpoint") as error:
        run(folder, fill, deals=30, evaluation_games=4)
    assert "\n" not in str(error.value)
    monkeypatch.undo()
    assert [path.name for path in folder.glob("*checkpoint*")] == ["checkpoint-00000000"]
    assert not resume(folder).interrupted


def test_a_folder_that_vanishes_ends_a_run_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"the folder .*out has vanished"):
        run(tmp_path / "out", lambda status: shutil.rmtree(tmp_path / "out"), deals=10**6, checkpoint_minutes=1e-9)


CHILD = """
import os, sys
from pathlib import Path
from hearts_training.train.options import TrainOptions
from hearts_training.train.start import train

limit = int(sys.argv[3])
def killed(function):
    def counted(*arguments, **options):
        global limit
        limit -= 1
        if limit == 0:
            os.kill(os.getpid(), 9)
        return function(*arguments, **options)
    return counted
for name in ("fsync", "replace", "rename", "mkdir", "rmdir", "unlink"):
    setattr(os, name, killed(getattr(os, name)))
options = {"resume": Path(sys.argv[2])} if sys.argv[1] == "resume" else {"out": Path(sys.argv[2]), "deals": 30}
hyper = {"num_envs": 16, "rollout_steps": 40, "hidden": [16], "critic_hidden": [16], "minibatch": 128}
if sys.argv[1] == "new":
    options["hyper_parameters"] = hyper
train(
    TrainOptions(
        **options, threads=1, evaluations=4, evaluation_games=4, arena_deals=0, checkpoint_minutes=1e-9
    ),
    lambda status: None,
)
"""


@pytest.mark.exhaustive
@pytest.mark.parametrize("calls", [9, 40])
def test_a_run_killed_at_any_moment_resumes_to_the_same_curve(tmp_path: Path, calls: int) -> None:
    """The process kills itself at one of its writes, again and again."""

    def child(*arguments: object) -> int:
        words = [sys.executable, "-c", CHILD, *map(str, arguments)]
        return subprocess.run(words, check=False).returncode

    folder = tmp_path / "killed"
    run(tmp_path / "whole", deals=30, evaluations=4, evaluation_games=4)
    assert child("new", folder, calls) == -signal.SIGKILL
    if any(folder.glob("checkpoint-*")):
        child("resume", folder, calls + 14)
        assert child("resume", folder, 10**9) in (0, 1)  # 1 if it had ended
    else:
        assert child("new", folder, 10**9) == 0
    result, whole = (json.loads((path / "result.json").read_bytes()) for path in (folder, tmp_path / "whole"))
    assert result["curve"] == whole["curve"]
    one, other = (store.find_checkpoint(path) / store.TENSORS for path in (folder, tmp_path / "whole"))
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize("updates", [1, 3])
def test_an_interrupted_run_ends_as_one_that_was_not(updates: int, tmp_path: Path) -> None:
    left = updates

    def stop(status: Any) -> bool:
        nonlocal left
        left -= 1
        return left == 0

    whole = run(tmp_path / "whole", deals=60, evaluation_games=4)
    assert run(tmp_path / "parts", stop, deals=60, evaluation_games=4).interrupted
    parts = resume(tmp_path / "parts")
    assert parts.curve == whole.curve
    files = [tmp_path / name / "policy.safetensors" for name in ("whole", "parts")]
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_copied_checkpoint_goes_on_where_it_was_resumed_last(folder: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(store.find_checkpoint(folder), tmp_path / "backup"))
    first = resume(copy, deals=60).deals
    assert resume(copy, deals=8).deals >= first + 8


def test_a_longer_run_is_evaluated_on_its_way(folder: Path) -> None:
    curve = resume(folder, deals=200, evaluations=8).curve
    assert len(curve) > 5
    assert curve[-1]["deals"] > curve[-2]["deals"] > 60


def test_a_signal_in_the_final_table_interrupts_no_training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: Run) -> None:
        os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(Run, "_arena", interrupted)
    assert not run(tmp_path / "run", deals=8, arena_deals=2, evaluation_games=4).interrupted


def test_a_folder_may_have_the_name_of_a_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    trained = make_agent(run(Path("./black_lady"), deals=8, evaluation_games=4).agent)
    assert isinstance(trained, NetAgent)
    assert trained.info.hidden == (16,)
