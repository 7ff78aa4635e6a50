"""Own rewards in training: `hearts train --set reward=py:FILE.py:NAME`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hearts_env.envs.trajectories import seat_rewards
from hearts_training.train.ppo import Targets
from tests.training.runs import TINY, play_of, resume, run, same_end, silent, tiny

pytestmark = pytest.mark.usefixtures("one_thread", "no_figures")
OWN = """
import numpy as np
from hearts_env.kernel.records import Phase


def points(before, after):
    return before.points - after.points


def shaped(before, after):
    return points(before, after) + potential(after) - potential(before)


def potential(moment):
    return np.where((moment.phase != Phase.OVER)[:, None], 3 * moment.tricks - moment.points, 0)


def late(before, after):
    points = -np.where((after.phase == Phase.OVER)[:, None], after.points, 0).astype(np.float64)
    return points - (points.sum(axis=1, keepdims=True) - points) / 3
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "own.py"
    path.write_text(OWN)
    return path


def returns(file: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any]:
    """The rewards and returns of the decisions of a round; the rewards belong to the last decisions of their seats."""
    play, steps = play_of(tiny(reward=f"py:{file}:{name}", gae_lambda=1.0)), []
    take = play._play

    def watch(actions: Any) -> Any:
        seats = np.where(play.env.action_masks.sum(axis=1) > 1, play.env.seats, -1)  # forced moves are no decisions
        ended = take(actions)
        steps.append((play.env.rewards / 26, seats, ended))
        return ended

    monkeypatch.setattr(play, "_play", watch)
    play.collect(imitating=False)
    rewards, seats, ended = map(np.stack, zip(*steps, strict=True))
    count = play.experience.count
    assert np.allclose(play.experience.rewards[:count], seat_rewards(rewards, seats, ended)[seats >= 0], atol=1e-6)
    targets = Targets.of(play)
    first = np.setdiff1d(np.flatnonzero(targets.ready), play.experience.next_row[:count])
    return play.experience.rewards[:count].copy(), targets.returns.numpy()[first] * 26


def test_rewards_at_every_step_belong_to_decisions_and_shaping_changes_no_return(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (plain, points), (dense, shaped) = (returns(file, name, monkeypatch) for name in ("points", "shaped"))
    assert (plain != dense).mean() > 0.2
    assert points.min() < -5
    assert np.allclose(points, shaped, atol=1e-3)


@pytest.mark.exhaustive
def test_a_run_with_the_points_as_a_function_is_the_run_without_it_and_is_resumed(file: Path, tmp_path: Path) -> None:
    own = {"reward": f"py:{file}:late"}
    run(tmp_path / "named", deals=40)
    assert run(tmp_path / "own", lambda status: True, deals=40, hyper_parameters={**TINY, **own}).interrupted
    with pytest.raises(ValueError, match=r"names a program as reward .* add --set '?reward=py:") as error:
        resume(tmp_path / "own")
    assert "\n" not in str(error.value)
    file.write_text(f"{OWN}# changed")
    with pytest.raises(ValueError, match=r"own.py:late is not what it was when the run in .* began"):
        resume(tmp_path / "own", hyper_parameters=own)
    file.write_text(OWN)
    resume(tmp_path / "own", hyper_parameters=own)
    same_end(tmp_path / "named", tmp_path / "own")


@pytest.mark.exhaustive
def test_dense_rewards_are_resumed_exactly(file: Path, tmp_path: Path) -> None:
    changes: dict[str, Any] = {"hyper_parameters": {**TINY, "reward": f"py:{file}:shaped"}}
    run(tmp_path / "whole", silent, deals=40, **changes)
    run(tmp_path / "parts", lambda status: True, deals=40, **changes)
    resume(tmp_path / "parts", hyper_parameters={"reward": f"py:{file}:shaped"})
    same_end(tmp_path / "whole", tmp_path / "parts")
