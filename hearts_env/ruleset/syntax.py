"""The text of rules: ``name(field=value, ...)`` with numbers, words, ``[lists]`` and ``{maps: 1}`` as values.

A Gaussian integer is written ``13``, ``13i`` or ``-26+10i``; in Python it is an int, or a complex if it is not real.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from types import UnionType
from typing import Any, get_args, get_origin

from hearts_env.ruleset.enums import Duplicates

_OPEN, _CLOSE = "([{", ")]}"
_GAUSSIAN = re.compile(r"(?P<re>[+-]?\d+(?![\dij]))?(?:(?P<im>[+-]?\d*)[ij])?")
_CALL = re.compile(r"\s*(?P<name>[^()=\s][^()=]*?)\s*(?:\((?P<body>.*)\))?\s*", re.DOTALL)


def split(text: str, separator: str = ",") -> list[str]:
    """The parts of `text` between separators that stand outside all brackets; blank parts are dropped."""
    parts, depth, start = [], 0, 0
    for place, char in enumerate(text):
        depth += (char in _OPEN) - (char in _CLOSE)
        if depth < 0:
            break
        if char == separator and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    if depth != 0:
        raise ValueError(f"the brackets of {text!r} do not match")
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def parse_call(text: str) -> tuple[str, dict[str, str]]:
    """``name(a=1, b=[x,y])`` -> name and its arguments as text.

    Raises ValueError if the text has another form or gives an argument twice.
    """
    match = _CALL.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not of the form name or name(field=value, ...)")
    arguments: dict[str, str] = {}
    for part in split(match["body"] or ""):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not key or not value:
            raise ValueError(f"{part!r} is not of the form field=value")
        if key in arguments:
            raise ValueError(f"{key} is given twice in {text!r}")
        arguments[key] = value
    return match["name"], arguments


def write_value(value: Any) -> str:
    """A field's value as text that `read_value` reads back."""
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple) and value and isinstance(value[0], tuple):
        return "{" + ",".join(f"{key}:{write_value(worth)}" for key, worth in value) + "}"
    if isinstance(value, tuple):
        return "[" + ",".join(value) + "]"
    return write_gaussian(value) if isinstance(value, complex) else str(value)


def write_gaussian(value: int | complex) -> str:
    """A Gaussian integer as text, such as ``-26+10i``, ``13i`` or ``7``."""
    re_part, im_part = int(value.real), int(value.imag)
    if not im_part:
        return str(re_part)
    return f"{re_part or ''}{f'{im_part:+d}' if re_part else im_part}i"


def read_gaussian(value: Any) -> int | complex:
    """A Gaussian integer from text or a number: an int, or a complex if it is not real.

    Raises ValueError if it is something else.
    """
    if isinstance(value, str):
        found = _GAUSSIAN.fullmatch(value.replace(" ", ""))
        if found is None or not found[0]:
            raise ValueError(value)
        re_part, im_part = int(found["re"] or 0), _coefficient(found["im"])
    elif isinstance(value, bool) or value != complex(int(value.real), int(value.imag)):
        raise ValueError(value)
    else:
        re_part, im_part = int(value.real), int(value.imag)
    return complex(re_part, im_part) if im_part else re_part


def _coefficient(text: str | None) -> int:
    """What stands before an i: nothing and a sign alone count as 1."""
    return 0 if text is None else int(text + "1" if text in ("", "+", "-") else text)


def read_value(path: str, kind: Any, value: Any) -> Any:
    """`value` (text or Python) as the type `kind` of the field at `path`.

    Raises ValueError naming the field, the value and what would be right.
    """
    options = get_args(kind) if isinstance(kind, UnionType) else ()
    if type(None) in options:
        if value is None or (isinstance(value, str) and value.lower() == "none"):
            return None
        kind = int | complex if complex in options else options[0]
    try:
        return _read(kind, value)
    except (ValueError, TypeError, AttributeError):
        raise ValueError(f"{path}={value} is not possible; {path} is {_describe(kind)}") from None


def _read(kind: Any, value: Any) -> Any:
    if get_origin(kind) is tuple:
        return _read_sequence(get_args(kind)[0], value)
    if isinstance(kind, UnionType):
        return read_gaussian(value)
    if kind is bool:
        return {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}[
            _known(str(value).lower(), ("true", "yes", "on", "false", "no", "off"))
        ]
    if kind is int:
        if isinstance(value, bool | float):
            raise TypeError
        return int(value)
    return kind(value.strip() if isinstance(value, str) else value)


def _known(word: str, words: tuple[str, ...]) -> str:
    if word not in words:
        raise ValueError(word)
    return word


def _read_sequence(item: Any, value: Any) -> tuple[Any, ...]:
    pairs = get_origin(item) is tuple
    if isinstance(value, str):
        inner = value[1:-1] if value[:1] in _OPEN else value
        value = [tuple(split(part, ":")) if pairs else part for part in split(inner)]
    elif isinstance(value, Mapping):
        value = list(value.items())
    if not pairs:
        return tuple(_read(item, one) for one in value)
    first, second = get_args(item)
    return tuple((_read(first, key), _read(second, worth)) for key, worth in value)


_EXAMPLES = {
    (int, int): "{100:-50}",
    (str, int): "{H:1,QS:13}",
    (str, int | complex): "{H:1,QS:13i}",
    (str, str): "{AH:H,QS:QS}",
    (str, Duplicates): "{QS:last}",
}
"""What a map looks like, by the types of its keys and values."""


def _describe(kind: Any) -> str:
    if get_origin(kind) is tuple:
        item = get_args(kind)[0]
        if get_origin(item) is tuple:
            return f"a map such as {_EXAMPLES[get_args(item)]}"
        return "a list such as [a,b]"
    if kind is bool:
        return "true or false"
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return "one of " + ", ".join(kind)
    if isinstance(kind, UnionType):
        return "a whole number or a Gaussian integer such as 13i"
    return "a whole number" if kind is int else "a word"
