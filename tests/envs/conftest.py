"""What the tests of environments share."""

import pytest

from hearts_env.envs import vector


@pytest.fixture
def threads_for_few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let threads share even a handful of games."""
    monkeypatch.setattr(vector, "STEPPED", 1)
    monkeypatch.setattr(vector, "CHECKED", 1)
