"""What all tests share: which of them are exhaustive."""

from __future__ import annotations

from collections import defaultdict

import pytest

MANY, A_FEW = 16, 4
"""A test of more than MANY cases (games, seeds, options) has about A_FEW that are not exhaustive."""


@pytest.hookimpl(tryfirst=True)  # before -m selects by marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the cases as exhaustive that repeat a test over one game or seed after another."""
    cases: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        cases[item.nodeid.partition("[")[0]].append(item)
    for same in cases.values():
        if len(same) > MANY:
            kept = same[:: -(-len(same) // A_FEW)]
            for item in same:
                if item not in kept:
                    item.add_marker(pytest.mark.exhaustive)
