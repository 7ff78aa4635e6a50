"""`pytest -m "not exhaustive"` passes through every room of the house."""

import pytest


def test_every_folder_has_tests_that_are_not_exhaustive(request: pytest.FixtureRequest) -> None:
    everything = request.session.items  # of what was asked for: a folder, a file or all
    quick = {item.path.parent for item in everything if item.get_closest_marker("exhaustive") is None}
    assert quick == {item.path.parent for item in everything}
