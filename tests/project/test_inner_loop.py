"""`pytest -m "not exhaustive"` passes through every room of the house."""

from __future__ import annotations

from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]


def folder(item: pytest.Item) -> str:
    return item.path.relative_to(TESTS).parts[0]


def test_every_folder_has_tests_that_are_not_exhaustive(request: pytest.FixtureRequest) -> None:
    everything = request.session.items  # of what was asked for: a folder, a file or all
    quick = {folder(item) for item in everything if item.get_closest_marker("exhaustive") is None}
    assert quick == {folder(item) for item in everything}
