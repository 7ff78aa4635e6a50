"""What the tests of training share."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from hearts_training.progress import Status
    from hearts_training.train.run import TrainResult


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Let torch use one thread, and restore its number of threads afterwards."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def no_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the plot of a run, which only takes time."""
    from hearts_training.train import run

    monkeypatch.setattr(run, "draw_curve", lambda *_: b"")


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[TrainResult, list[Status]]:
    """A run that has ended, and what it reported; nobody may write to its folder."""
    from tests.training.runs import run

    seen: list[Status] = []
    return run(tmp_path_factory.mktemp("finished") / "run", seen.append, deals=30), seen


@pytest.fixture
def folder(finished: tuple[TrainResult, list[Status]], tmp_path: Path) -> Path:
    """A copy of the folder of that run."""
    return Path(shutil.copytree(finished[0].folder, tmp_path / "run"))
