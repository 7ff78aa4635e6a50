"""What the tests of training share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


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
    """Leave out the plot and the speed of a run, which only take time."""
    from hearts_training.train import run

    monkeypatch.setattr(run, "network_only", lambda ppo: 1.0)
    monkeypatch.setattr(run, "draw_curve", lambda *_: b"")
