"""Which cases of a test are run always, which exhaustively, and which before a release alone."""

from collections.abc import Iterable
from typing import Any

import pytest


def few(cases: Iterable[Any], quick: int = 2, daily: int = 8) -> list[Any]:
    """The cases of a test, spread evenly: some are in the quick half, some exhaustive, the others for releases."""
    every = list(cases)
    kept = every[:: -(-len(every) // quick)]
    rest = iter(rare([case for case in every if case not in kept], daily))
    return [case if case in kept else next(rest) for case in every]


def rare(cases: Iterable[Any], daily: int) -> list[Any]:
    """Cases, all exhaustive: about so many, spread evenly, every day, the others for releases."""
    every = list(cases)
    step = -(-len(every) // daily)
    return [marked(case, *[pytest.mark.release] * (place % step != 0)) for place, case in enumerate(every)]


def marked(case: Any, *more: Any) -> Any:
    """A case, exhaustive, with more marks."""
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=[pytest.mark.exhaustive, *more])
