"""Checks of the arguments that callers pass in: whole numbers, flags and arrays. They are made once, where arguments
come in; compiled code trusts its arguments.

Numbers are never rounded, cut or wrapped: a value that is not a whole number, or is out of range, is refused in one
line.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from hearts_env.ruleset.syntax import brief

MOST = 1_000_000
"""The most games, deals or worlds that one call takes."""
MAX_SEED = 2**64
FLAGS = (bool, np.bool_)
MOST_REAL = float(np.finfo(np.float64).max)


def whole(name: str, value: Any, low: int | None = None, high: int | None = None) -> int:
    """A whole number as Python's int: an int, a NumPy integer or anything else that `operator.index` takes.

    >>> whole("deals", 3, low=1)
    3
    >>> whole("deals", 3.0, low=1)
    Traceback (most recent call last):
    ValueError: deals=3.0 is not a whole number

    Raises:
        ValueError: it is a flag, a float or no number, or it is below `low` or above `high`.
    """
    number = index(value)
    if number is None:
        raise ValueError(f"{name}={brief(value)} is not a whole number")
    if low is not None and number < low:
        raise ValueError(f"{name}={brief(number)} must be at least {low}")
    if high is not None and number > high:
        raise ValueError(f"{name}={brief(number)} must be at most {high}")
    return number


def index(value: Any) -> int | None:
    """The whole number that a value is; None if it is a flag or no whole number."""
    if isinstance(value, FLAGS):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def number(name: str, value: Any) -> float:
    """A real number as Python's float. Raises ValueError for a flag, NaN, infinity and everything else."""
    real = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if not real or not -MOST_REAL <= value <= MOST_REAL:
        raise ValueError(f"{name}={brief(value)} is not possible; it is a finite number")
    return float(value)


def seed_of(value: Any) -> int:
    """A seed as Python's int. Raises ValueError unless it is a whole number that fits in 64 bits."""
    seed = whole("seed", value)
    if not 0 <= seed < MAX_SEED:
        raise ValueError(f"seed={brief(seed)} is out of range; seeds are whole numbers from 0 to 2**64 - 1")
    return seed


def seat_of(name: str, value: Any, seats: int) -> int:
    """A seat as Python's int. Raises ValueError unless it is one of `seats` seats."""
    seat = whole(name, value)
    if not 0 <= seat < seats:
        raise ValueError(f"{name}={brief(seat)} is not a seat; seats are 0 to {seats - 1}")
    return seat


def flag(name: str, value: Any) -> bool:
    """A flag as Python's bool. Raises ValueError unless it is True or False; 1 and "no" are refused."""
    if not isinstance(value, FLAGS):
        raise ValueError(f"{name}={brief(value)} is not possible; it is True or False")
    return bool(value)


def listed(name: str, values: Any) -> list[Any]:
    """The items of a list, a tuple or another iterable. Raises ValueError for text, and for what is not iterable.

    >>> listed("cards", ("QS", "2H"))
    ['QS', '2H']
    >>> listed("cards", "QS")
    Traceback (most recent call last):
    ValueError: cards=QS is not possible; it is a list
    """
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise ValueError(f"{name}={brief(values)} is not possible; it is a list")
    return list(values)


def whole_array(
    name: str, values: Any, shape: tuple[int, ...], low: int | None = None, high: int | None = None
) -> NDArray[np.int64]:
    """An array of whole numbers, or what NumPy makes one, as contiguous int64; a copy where that is needed.

    Raises:
        ValueError: another shape, floats, flags or objects, a number that does not fit in 64 bits, or one that is below
            `low` or above `high`.
    """
    try:
        given = np.asarray(values)
    except (ValueError, TypeError, OverflowError):
        raise ValueError(f"{name}={brief(values)} is not an array of whole numbers") from None
    if given.shape != shape:
        raise ValueError(f"{name} have shape {given.shape}; {shape} is needed")
    if given.dtype.kind not in "iu":
        raise ValueError(f"{name} are of type {given.dtype}; whole numbers are needed")
    if high is None and given.dtype.kind == "u":
        high = np.iinfo(np.int64).max
    if given.size and low is not None:
        whole(name, given.min(), low)
    if given.size and high is not None:
        whole(name, given.max(), None, high)
    return np.ascontiguousarray(given, np.int64)


def array_of(name: str, array: Any, dtype: DTypeLike, shape: tuple[int | None, ...]) -> NDArray[Any]:
    """An array that compiled code may read and write: contiguous, aligned and writeable; a copy where it is not.

    Args:
        name: as the caller knows it.
        array: the array.
        dtype: the type it must have.
        shape: the shape it must have; None stands for any length.

    Raises:
        ValueError: no array, or one of another type or shape.
    """
    wanted = np.dtype(dtype)
    kind = "STATE records" if wanted.names else str(wanted)
    if not isinstance(array, np.ndarray) or array.dtype != wanted:
        given = array.dtype if isinstance(array, np.ndarray) else type(array).__name__
        raise ValueError(f"{name} must be an array of {kind}, not {brief(given)}")
    if array.ndim != len(shape) or any(n not in (None, m) for n, m in zip(shape, array.shape, strict=True)):
        sizes = ", ".join("n" if n is None else str(n) for n in shape)
        raise ValueError(f"{name} has shape {array.shape}; ({sizes}{',' * (len(shape) == 1)}) is needed")
    found: NDArray[Any] = array if array.flags.carray else np.array(array, order="C")
    return found


def output(name: str, array: Any, dtype: DTypeLike, shape: tuple[int, ...]) -> NDArray[Any]:
    """An array to write a result to. Raises ValueError as `array_of` does, and where only a copy could be written."""
    checked = array_of(name, array, dtype, shape)
    if not array.flags.carray:
        raise ValueError(f"{name} must be contiguous and writeable")
    return checked
