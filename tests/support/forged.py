"""Forgeries: descriptions that somebody changed before computing their digests again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

REMOVED = object()
WRONG: tuple[Any, ...] = (
    *(REMOVED, None, True, 0, 1, -1, 1 << 16, 10**18, -(10**30), 1.5, 1e308, float("nan"), float("inf")),
    *("", "x", "exec:false", "9" * 400, [], [None], [[1]], [10**30], ["x", "x"], {}, {"x": []}),
)


def places_of(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places in a JSON value, as keys; of a list only its ends."""
    keys = value if isinstance(value, dict) else {0, len(value) - 1} if isinstance(value, list) and value else ()
    for key in keys:
        yield (*path, key)
        yield from places_of(value[key], (*path, key))


def forgeries(value: Any, most: int = 1000) -> Iterator[tuple[str, Any]]:
    """A JSON value with something wrong in one place, or nothing, and a description of it."""
    text, cases = json.dumps(value), [*product(places_of(value), WRONG)]
    for place, wrong in cases if len(cases) <= most else Random(1).sample(cases, most):
        holder = forged = json.loads(text)
        for key in place[:-1]:
            holder = holder[key]
        if wrong is REMOVED:
            del holder[place[-1]]
        elif type(holder[place[-1]]) is type(wrong) and holder[place[-1]] == wrong:
            continue
        else:
            holder[place[-1]] = wrong
        yield f"{place}: {'removed' if wrong is REMOVED else wrong}", forged


def is_refused(what: str, read: Callable[[], object]) -> bool:
    """True if reading raises ValueError, in one line; every other error fails the test."""
    try:
        read()
    except ValueError as error:
        line = str(error)
    except Exception as error:
        pytest.fail(f"{what}: {type(error).__name__}: {error}")
    else:
        return False
    assert line.strip(), what
    assert "\n" not in line, what
    return True
