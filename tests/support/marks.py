"""Which cases of a test belong to the quick half."""

from collections.abc import Iterable
from typing import Any

import pytest


def few(cases: Iterable[Any], quick: int = 2) -> list[Any]:
    """The cases of a test, spread evenly: so many are in the quick half, and the others are exhaustive."""
    every = list(cases)
    kept = every[:: -(-len(every) // quick)]
    return [case if case in kept else marked(case) for case in every]


def marked(case: Any) -> Any:
    """A case, exhaustive."""
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.exhaustive)
