"""Runs: what they leave behind, how they end, how they are resumed, and what a checkpoint may hold."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
import torch
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from hearts_agents import make_agent
from hearts_agents.arena import run_arena
from hearts_agents.files import UNSEALED, seal
from hearts_agents.neural import PolicyNet, input_size, load_policy, save_policy
from hearts_agents.neural.rulesnet import RulesNet, save_general
from hearts_env.compiled.game import compile_game
from hearts_env.variants.registry import rules
from hearts_training import checkpoints, progress
from hearts_training.folders import hold
from hearts_training.interrupt import Interrupt
from hearts_training.optimisers import DivergedError
from hearts_training.progress import Status, progress_bar
from hearts_training.train.learner import Learner
from hearts_training.train.options import TrainOptions
from hearts_training.train.presets import DISTILLED_TEMPERATURE, FROM_NETWORK
from hearts_training.train.run import TrainResult
from hearts_training.train.start import run_training
from tests.training.runs import QUICK, TINY, resume, run, same_end, silent

pytestmark = pytest.mark.usefixtures("one_thread", "no_figures")
SHORT = "black_lady(target=30)"
FEW = {name: TINY[name] for name in ("num_envs", "critic_hidden", "minibatch")}


def change_state(folder: Path, **changes: Any) -> None:
    """Edit the state of a checkpoint and make its digest fit."""
    path = checkpoints.find_checkpoint(folder) / checkpoints.STATE_FILE
    state = json.loads(path.read_bytes())
    path.write_bytes(seal(json.dumps({**state, **changes, "sha256": UNSEALED}).encode()))


def test_some_ten_policies_of_a_run_are_kept_evenly_spaced(tmp_path: Path) -> None:
    for number in range(45):
        if policy := checkpoints.kept_policy(tmp_path, number):
            policy.mkdir(parents=True)
    assert sorted(int(path.name) for path in (tmp_path / "checkpoints").iterdir()) == list(range(0, 45, 8))


# --- what a run leaves behind ---------------------------------------------------------------------------------------


def test_a_run_leaves_everything_behind(finished: tuple[TrainResult, list[Status]]) -> None:
    result, seen = finished
    folder = result.folder
    names = {".lock", "checkpoints", "learning_curve.png", "policy.json", "policy.safetensors", "result.json"}
    names |= {"tensorboard"}
    assert {path.name for path in folder.iterdir()} == names | {checkpoints.find_checkpoint(folder).name}
    assert (folder / "learning_curve.png").read_bytes().startswith(b"\x89PNG")
    assert sorted(path.name for path in (folder / "checkpoints").iterdir()) == ["0", "1", "2"][: len(result.curve)]
    assert make_agent(f"net:{folder}/checkpoints/0").digest != make_agent(f"net:{folder}").digest
    point = result.curve[1]
    expected = {"moons_attempted": point["attempted"], "moons_shot": point["shot"]}
    expected |= {f"margin_against_{rival}": margin for rival, margin in point["margins"].items()}
    assert len(expected) == 4
    board = EventAccumulator(str(folder / "tensorboard")).Reload()
    for name, value in expected.items():
        first = board.Scalars(f"evaluation/{name}")[0]
        assert (first.step, first.value) == (point["deals"], pytest.approx(value))
    written = json.loads((folder / "result.json").read_text())
    assert written["decisions_per_second"] == result.decisions_per_second > 0
    assert (written["variant"], written["start"]) == ("black_lady", "")
    assert 0 < result.imitated < result.deals
    assert [point["deals"] for point in result.curve] == sorted({point["deals"] for point in result.curve})
    assert result.curve[-1]["deals"] == result.deals >= 30
    progress = [status.progress for status in seen]
    assert progress == sorted(progress)
    assert (progress[-1], seen[-1].seconds_left) == (1, 0)
    assert make_agent(result.agent).digest


def test_progress_in_a_log_is_a_line_a_minute(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter([0.0, 0.0, 59.0, 60.0, 60.0, 61.0, 61.0])
    monkeypatch.setattr(progress, "monotonic", lambda: next(clock))
    with progress_bar() as show:
        for share in (0.1, 0.4, 0.5, 1.0):
            show(Status(share, round(1000 * share), 1234.5, 90.0, 1.0, {"rule": -1.25, "random": -7.0}))
    assert capsys.readouterr().err.splitlines() == [
        " 10% 1:30 left  1,234 decisions/s  -1.2 v rule  -7.0 v random  100 deals",
        " 50% 1:30 left  1,234 decisions/s  -1.2 v rule  -7.0 v random  500 deals",
        "100% 1:30 left  1,234 decisions/s  -1.2 v rule  -7.0 v random  1,000 deals",
    ]


def test_a_run_uses_the_threads_it_is_given_whatever_the_process_uses(tmp_path: Path) -> None:
    for threads in (1, 2):
        torch.set_num_threads(threads)
        run(tmp_path / f"{threads}", deals=20)
    same_end(tmp_path / "1", tmp_path / "2")


def test_a_run_that_diverges_keeps_the_checkpoint_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    figures = Learner._figures

    def diverging(learner: Learner, *arguments: Any) -> Any:
        policy_loss, *rest = figures(learner, *arguments)
        return [policy_loss * float("nan" if learner.updates == 2 else 1), *rest]

    with monkeypatch.context() as patch:
        patch.setattr(Learner, "_figures", diverging)
        with pytest.raises(DivergedError, match=r"diverged: policy_loss is nan after \d+ deals; .* lower") as error:
            run(tmp_path / "out", deals=1000)
    assert "\n" not in str(error.value)
    assert run_training(TrainOptions(resume=tmp_path / "out", **QUICK), lambda status: True).deals > 0


def test_folders_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    for name, message in [("full", "not empty"), ("file", "cannot be written"), ("file/below", "cannot be written")]:
        with pytest.raises(ValueError, match=message):
            run(tmp_path / name, deals=1)
    with pytest.raises(ValueError, match="holds no checkpoint"):
        run_training(TrainOptions(resume=tmp_path / "full"), silent)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "full", "notes.txt"]


# --- how it begins --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("extra", "temperature"),
    [
        ({"distilled": {"options": {"start": ""}}}, DISTILLED_TEMPERATURE),
        ({"distilled": {"options": {"start": "black_lady"}}}, 1.0),
        ({"deals": 9}, 1.0),
    ],
)
def test_a_run_goes_on_from_a_network(tmp_path: Path, extra: dict[str, Any], temperature: float) -> None:
    game = compile_game(rules(SHORT))
    policy, start = PolicyNet(input_size(game), len(game.actions), (16, 16)), str(tmp_path / "mine")
    save_policy(tmp_path / "mine", policy, game.rules, extra, run=[{"options": {"holders": 2.0}}])
    options: dict[str, Any] = {"variant": SHORT, "deals": 1, "start": start}
    result = run(tmp_path / "run", **options, hyper_parameters={**FEW, "critic_first": 1.0})
    config = checkpoints.load_state(checkpoints.find_checkpoint(tmp_path / "run"))["config"]
    assert (result.start, config["start"], config["hidden"]) == (start, start, [16, 16])
    assert (config["start_temperature"], config["average"]) == (temperature, FROM_NETWORK["average"])
    trained = load_policy(tmp_path / "run")[0].state_dict()
    for name, value in policy.state_dict().items():  # only the critic has learned
        assert torch.allclose(trained[name] * (temperature if name.startswith("head") else 1), value), name
    with pytest.raises(ValueError, match=r"mine has the hidden layers 16,16; leave hidden out"):
        run(tmp_path / "other", **options, hyper_parameters={"hidden": (16,)})
    assert not (tmp_path / "other").exists()


def test_a_run_goes_on_from_the_layers_of_a_network_for_all_rules(tmp_path: Path) -> None:
    net = RulesNet(8, 1, 4)
    save_general(tmp_path / "mine", net)
    changes: dict[str, Any] = {"variant": SHORT, "hyper_parameters": FEW}
    run(tmp_path / "run", **changes, deals=30, start=str(tmp_path / "mine"))
    again = run(tmp_path / "parts", lambda status: True, **changes, deals=30, start=str(tmp_path / "mine"))  # stopped
    assert again.deals < 30
    with pytest.raises(ValueError, match="was trained with seed=0, not 7; leave the seed out"):
        resume(tmp_path / "parts", seed=7)
    resume(tmp_path / "parts")
    trained, parts = (load_policy(tmp_path / name)[0].state_dict() for name in ("run", "parts"))
    for name, value in net.policy(compile_game(rules(SHORT))).state_dict().items():
        assert torch.equal(trained[name], parts[name]), name
        assert 0 < (trained[name] - value).abs().max() < 0.1, name


# --- checkpoints ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        (checkpoints.TENSORS, b"", "digest"),
        (checkpoints.TENSORS, None, "No such file"),
        (checkpoints.STATE_FILE, b'{"format": "hearts-ch', "damaged"),
        (checkpoints.STATE_FILE, b"\xff\xfe", "damaged"),
        (checkpoints.STATE_FILE, b"[]", "not of a checkpoint of this package"),
        (
            checkpoints.STATE_FILE,
            b'{"format": "hearts-checkpoint", "version": 4}',
            "has format 4; this release reads format 5",
        ),
        (
            checkpoints.STATE_FILE,
            b'{"format": "hearts-checkpoint", "version": 5}',
            "its digest is not that of its",
        ),
    ],
)
def test_bad_checkpoints_are_one_clear_line(folder: Path, file: str, content: bytes | None, message: str) -> None:
    path = checkpoints.find_checkpoint(folder) / file
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ValueError, match=message) as caught:
        resume(folder, deals=1)
    assert "\n" not in str(caught.value)


def test_a_run_of_another_release_is_refused_by_the_name_that_differs(folder: Path) -> None:
    config = checkpoints.load_state(checkpoints.find_checkpoint(folder))["config"]
    change_state(folder, config={**config, "actors": 8})
    with pytest.raises(
        ValueError, match=r"\(its config has actors=8, and there is no hyper-parameter actors any more\)"
    ):
        resume(folder, deals=1)
    change_state(folder, config={name: value for name, value in config.items() if name != "clip"})
    with pytest.raises(ValueError, match=r"\(its config lacks clip\)"):
        resume(folder, deals=1)


# --- resuming -------------------------------------------------------------------------------------------------------


def stopping(updates: int) -> Any:
    """A report that stops a run after some updates."""
    left = iter([False] * (updates - 1) + [True])
    return lambda status: next(left)


@pytest.mark.parametrize("updates", [1, pytest.param(3, marks=pytest.mark.exhaustive)])
def test_an_interrupted_run_ends_and_is_measured_as_one_that_was_not(updates: int, tmp_path: Path) -> None:
    run(tmp_path / "whole", deals=60)
    assert run(tmp_path / "parts", stopping(updates), deals=60).interrupted
    resumed = run_training(TrainOptions(resume=tmp_path / "parts"), silent)
    assert (resumed.interrupted, resumed.arena, torch.get_num_threads()) == (False, {}, 1)
    same_end(tmp_path / "whole", tmp_path / "parts")


def test_a_stop_during_the_final_table_keeps_what_was_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt = Interrupt()

    def stopped(*arguments: Any, progress: Callable[[float], None], **options: Any) -> Any:
        def stop(share: float) -> None:
            interrupt.requested = True
            progress(share)

        return run_arena(*arguments, progress=stop, tables_at_once=8, **options)

    monkeypatch.setattr("hearts_agents.arena.run_arena", stopped)
    monkeypatch.setattr("hearts_training.train.start.postponed_interrupts", lambda: nullcontext(interrupt))
    seen: list[Status] = []
    result = run(tmp_path / "out", seen.append, deals=8, arena_deals=40)
    assert seen[0].table is None
    assert 0 < (seen[-1].table or 0) < 1
    assert (result.interrupted, result.table_interrupted) == (False, True)
    assert 0 < result.arena["deals"] < 40


def test_a_run_without_its_result_is_finished(folder: Path) -> None:
    before = json.loads((folder / "result.json").read_bytes())
    with pytest.raises(ValueError, match="has used its budget; give minutes or deals"):
        resume(folder)
    for stale in (None, b"{", json.dumps(before | {"interrupted": True}).encode()):
        (folder / "result.json").unlink()
        if stale is not None:
            (folder / "result.json").write_bytes(stale)
        result = resume(folder)
        assert (result.deals, result.curve, result.interrupted) == (before["deals"], before["curve"], False)
        assert json.loads((folder / "result.json").read_bytes())["curve"] == before["curve"]


def test_a_folder_in_use_is_refused(folder: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.name != ".lock"}
    with hold(folder):
        for options in (
            TrainOptions(resume=folder, deals=5),
            TrainOptions(resume=checkpoints.find_checkpoint(folder), deals=5),
        ):
            with pytest.raises(ValueError, match="is in use by another run; wait") as error:
                run_training(options, silent)
            assert "\n" not in str(error.value)
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.name != ".lock"} == before
    resume(folder, deals=5)
    resume(folder, deals=5)


def test_a_copy_of_a_checkpoint_under_another_name_stays_and_is_a_run_of_its_own(folder: Path) -> None:
    first = checkpoints.find_checkpoint(folder)
    copy = shutil.copytree(first, folder / "checkpoint-backup")
    assert checkpoints.find_checkpoint(folder) == first
    resume(folder, deals=50)
    later = checkpoints.find_checkpoint(folder)
    assert later.name > first.name
    result = resume(copy, deals=10)
    assert result.folder == copy
    assert checkpoints.find_checkpoint(copy).parent == copy
    assert checkpoints.find_checkpoint(folder) == later


# --- a file starts no program ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["exec:touch {}", "exec(command=touch {})", " exec : touch {}", "exec(touch {})"])
def test_a_program_that_only_a_file_names_is_not_started(folder: Path, tmp_path: Path, spec: str) -> None:
    mark = tmp_path / "mark"
    config = checkpoints.load_state(checkpoints.find_checkpoint(folder))["config"]
    teacher = spec.format(mark)
    change_state(folder, config=config | {"teacher": teacher, "imitation": 1.0})
    with pytest.raises(ValueError, match=r"names a program as teacher .* add --set 'teacher=") as error:
        resume(folder, deals=5)
    assert "\n" not in str(error.value)
    assert not mark.exists()


def test_a_run_goes_on_on_the_kind_of_device_it_began_on(folder: Path) -> None:
    change_state(folder, device="cuda")
    with pytest.raises(ValueError, match="can only continue on the kind of device it began on, cuda"):
        resume(folder, deals=5, device="cpu")


@pytest.mark.exhaustive
def test_only_deals_of_the_teacher_count_as_imitated(tmp_path: Path) -> None:
    tiny = {**TINY, "imitation": 0.5}
    first = run(tmp_path / "run", deals=80, hyper_parameters=tiny)
    second = resume(tmp_path / "run", deals=240)
    played = first.deals - first.imitated
    assert played >= 32
    assert second.imitated <= 160 + 8 - played  # imitation resumes until half of the longer budget is used


# --- every end ------------------------------------------------------------------------------------------------------


def test_the_first_checkpoint_is_there_before_the_first_update(tmp_path: Path) -> None:
    def stop(status: Any) -> None:
        raise MemoryError

    with pytest.raises(MemoryError):
        run(tmp_path / "out", stop, deals=8)
    found = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"checkpoint-00000000", "policy.json", "policy.safetensors"} <= found
    assert resume(tmp_path / "out").deals >= 8


@pytest.mark.parametrize("number", [pytest.param(signal.SIGINT, marks=pytest.mark.exhaustive), signal.SIGTERM])
def test_a_signal_saves_and_stops(tmp_path: Path, number: int) -> None:
    result = run(tmp_path / "out", lambda status: os.kill(os.getpid(), number), deals=10**6)
    assert result.interrupted
    assert (
        checkpoints.load_state(checkpoints.find_checkpoint(tmp_path / "out"))["counters"]["deals"] == result.deals > 0
    )
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


def full(*_: Any, **__: Any) -> None:
    """What writes to a full disk."""
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("step", ["fsync", pytest.param("mkdir", marks=pytest.mark.exhaustive)])
def test_a_full_disk_ends_a_run_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    def fill(status: Any) -> bool:
        monkeypatch.setattr(os, step, full)
        return True

    folder = tmp_path / "out"
    with pytest.raises(OSError, match=r"cannot be written \(No space left on device\); its last checkpoint") as error:
        run(folder, fill, deals=30)
    assert "\n" not in str(error.value)
    monkeypatch.undo()
    assert [path.name for path in folder.glob("*checkpoint-*")] == ["checkpoint-00000000"]
    assert not resume(folder).interrupted


def test_a_disk_that_is_full_before_the_first_checkpoint_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "out"
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=r"No space left on device\); it holds no checkpoint yet, so the run must be"):
        run(folder, deals=30)
    assert not list(folder.glob("*checkpoint*"))
    monkeypatch.undo()
    assert not run(folder, deals=30).interrupted


CHILD = """
import os, sys
from pathlib import Path
from hearts_training.train import run
from hearts_training.train.options import TrainOptions
from hearts_training.train.start import run_training

run.CHECKPOINT_SECONDS = 0.0
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
hyper = {"num_envs": 8, "hidden": [16], "critic_hidden": [16], "minibatch": 128}
if sys.argv[1] == "new":
    options["hyper_parameters"] = hyper
run_training(
    TrainOptions(
        **options, threads=1, evaluations=4, evaluation_games=4, arena_deals=0
    ),
    lambda status: None,
)
"""


@pytest.mark.release
@pytest.mark.exhaustive
@pytest.mark.parametrize("calls", [9, 40])
def test_a_run_killed_at_any_moment_resumes_to_the_same_curve(tmp_path: Path, calls: int) -> None:
    """The process kills itself at one of its writes, again and again."""

    def child(*arguments: object) -> int:
        words = [sys.executable, "-c", CHILD, *map(str, arguments)]
        return subprocess.run(words, check=False).returncode

    folder = tmp_path / "killed"
    run(tmp_path / "whole", deals=30, evaluations=4)
    assert child("new", folder, calls) == -signal.SIGKILL
    if any(folder.glob("checkpoint-*")):
        child("resume", folder, calls + 14)
        assert child("resume", folder, 10**9) in (0, 1)  # 1 if it had ended
    else:
        assert child("new", folder, 10**9) == 0
    same_end(folder, tmp_path / "whole")
