"""The text of rules: ``name(field=value, ...)`` with numbers, words, ``[lists]`` and ``{maps: 1}`` as values.

A Gaussian integer is written ``13``, ``13i`` or ``-26+10i``; in Python it is an int, or a complex if it is not real.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Mapping
from enum import StrEnum
from types import UnionType
from typing import Any, get_args, get_origin

from hearts_env.errors import RulesError
from hearts_env.ruleset.enums import Duplicates, Locked

_OPEN, _CLOSE = "([{", ")]}"
_GAUSSIAN = re.compile(r"(?P<re>[+-]?\d+(?![\dij]))?(?:(?P<im>[+-]?\d*)[ij])?")
_LARGEST = 10**15
_WEIGHED = re.compile(r"([^*:(\[{]*)\*(.*)", re.DOTALL)
_SHOWN = 80
_LONGEST_TEXT, _LONGEST_WORD, _MOST_ENTRIES = 20_000, 1000, 256
"""Characters of rules and of one of their words, entries of a list or map: several times what any game needs."""


def brief(value: Any) -> str:
    """A value as it stands in an error message: one line, cut where it is long.

    >>> brief("  one   line "), brief(10**5000)
    ('one line', 'a number of many digits')
    """
    if isinstance(value, int) and abs(value) >= 10**_SHOWN:
        return "a number of many digits"
    try:
        text = " ".join(str(value).split())
    except ValueError:  # Python prints no number of more than 4,300 digits
        return f"a {type(value).__name__} that cannot be printed"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def split(text: str, separator: str = ",") -> list[str]:
    """The parts of `text` between separators outside all brackets, blank parts dropped.

    >>> split("players=5, card_values={H:1,QS:13}")
    ['players=5', 'card_values={H:1,QS:13}']

    Raises:
        ValueError: a bracket is not closed, or one is closed that was never opened.
    """
    parts, depth, start = [], 0, 0
    for place, char in enumerate(text):
        depth += (char in _OPEN) - (char in _CLOSE)
        if depth < 0:
            break
        if char == separator and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    if depth != 0:
        raise ValueError(f"the brackets of {brief(text)!r} do not match")
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def weighted(text: str) -> list[tuple[str, float]]:
    """The agents of a spec string and their weights: ``;`` separates those of a mixture, ``*`` follows a weight.

    >>> weighted("0.5*rule; 0.3*pimc(worlds=8); random")
    [('rule', 0.5), ('pimc(worlds=8)', 0.3), ('random', 1.0)]

    Raises:
        ValueError: no agent, a weight that is no finite number above 0, or brackets that do not match.
    """
    parts = [_weighted_part(part) for part in (split(text, ";") if ";" in text else [text.strip()])]
    if not parts or not text.strip():
        raise ValueError(f"{brief(text)!r} names no agent; write rule, or 0.7*rule; 0.3*random")
    return parts


def _weighted_part(text: str) -> tuple[str, float]:
    found = _WEIGHED.fullmatch(text)
    if found is None:
        return text, 1.0
    try:
        weight = float(found[1])
    except ValueError:
        weight = math.nan
    if not 0 < weight < math.inf or not found[2].strip():
        raise ValueError(f"{brief(text)!r} is no weight and agent; a weight is a number above 0, as in 0.5*rule")
    return found[2].strip(), weight


def parse_call(text: str) -> tuple[str, dict[str, str]]:
    """The name and the arguments, still as text, of ``name(field=value, ...)`` or ``name``.

    >>> parse_call("black_lady(players=5, cycle=[left,hold])")
    ('black_lady', {'players': '5', 'cycle': '[left,hold]'})

    Raises:
        ValueError: the text has another form or gives an argument twice.
    """
    if len(text) > _LONGEST_TEXT:
        raise ValueError(f"{brief(text)!r} has {len(text)} characters; at most {_LONGEST_TEXT} are possible")
    name, bracket, body = (part.strip() for part in text.partition("("))
    if not name or set(name) & set("=)") or (bracket and not body.endswith(")")):
        raise ValueError(f"{brief(text)!r} is not of the form name or name(field=value, ...)")
    arguments: dict[str, str] = {}
    for part in split(body[:-1]):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not key or not value:
            raise ValueError(f"{brief(part)!r} is not of the form field=value")
        if key in arguments:
            raise ValueError(f"{brief(key)} is given twice in {brief(text)!r}; keep one of them")
        arguments[key] = value
    return name, arguments


def write_value(value: Any) -> str:
    """The value of a field as text that `read_value` reads back.

    >>> write_value((("H", 1), ("QS", 13)))
    '{H:1,QS:13}'
    """
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple) and value and isinstance(value[0], tuple):
        return "{" + ",".join(f"{key}:{write_value(worth)}" for key, worth in value) + "}"
    if isinstance(value, tuple):
        return "[" + ",".join(value) + "]"
    return write_gaussian(value) if isinstance(value, complex) else str(value)


def write_gaussian(value: int | complex) -> str:
    """A Gaussian integer as text.

    >>> write_gaussian(-26 + 10j), write_gaussian(13j), write_gaussian(7)
    ('-26+10i', '13i', '7')
    """
    re_part, im_part = int(value.real), int(value.imag)
    if not im_part:
        return str(re_part)
    return f"{re_part or ''}{f'{im_part:+d}' if re_part else im_part}i"


def read_gaussian(value: Any) -> int | complex:
    """A Gaussian integer from text or a number: an int, or a complex if it is not real.

    >>> read_gaussian("-26+10i"), read_gaussian("i"), read_gaussian(7 + 0j)
    ((-26+10j), 1j, 7)

    Raises:
        ValueError: it is something else, or a part of it has more than 15 digits.
    """
    try:
        return _gaussian(value)
    except OverflowError as error:
        raise ValueError(str(error)) from None
    except TypeError:
        raise ValueError(f"{brief(value)} is not a Gaussian integer") from None


def _gaussian(value: Any) -> int | complex:
    if isinstance(value, str):
        found = _GAUSSIAN.fullmatch("".join(value.lower().split()))
        if found is None or not found[0]:
            raise ValueError(f"{brief(value)!r} is not a Gaussian integer")
        re_part, im_part = _whole(int(found["re"] or 0)), _whole(_coefficient(found["im"]))
    elif isinstance(value, complex):
        re_part, im_part = _whole(value.real), _whole(value.imag)
    else:
        re_part, im_part = _whole(_index(value)), 0
    return complex(re_part, im_part) if im_part else re_part


def _index(value: Any) -> int:
    """A whole number given in Python; a float is none, and neither is a flag."""
    if type(value).__name__ in ("bool", "bool_"):  # Python's and NumPy's, which is not imported for this
        raise TypeError(f"{value} is not a whole number")
    return operator.index(value)


def _whole(number: float) -> int:
    if abs(number) > _LARGEST:
        raise OverflowError("the number has more than 15 digits")
    if number != int(number):
        raise ValueError(f"{number} is not a whole number")
    return int(number)


def _coefficient(text: str | None) -> int:
    """The number before an ``i``; a sign alone or nothing counts as 1."""
    return 0 if text is None else int(text + "1" if text in ("", "+", "-") else text)


def read_value(path: str, kind: Any, value: Any) -> Any:
    """The value of the field at `path`, given as text or in Python, as the type `kind` of that field.

    >>> read_value("score.card_values", tuple[tuple[str, int], ...], "{H:1,QS:13}")
    (('H', 1), ('QS', 13))
    >>> read_value("end.target", int | None, "many")
    Traceback (most recent call last):
        ...
    hearts_env.errors.RulesError: end.target=many is not possible; end.target is a whole number or none

    Raises:
        RulesError: the value is not of that type; the message names the field, the value and what would be right.
    """
    options = get_args(kind) if isinstance(kind, UnionType) else ()
    inner = kind
    if type(None) in options:
        if value is None or (isinstance(value, str) and value.strip().lower() == "none"):
            return None
        inner = int | complex if complex in options else options[0]
    try:
        found = _read(inner, value)
        if isinstance(found, tuple) and len(found) > _MOST_ENTRIES:
            raise RulesError(f"{path} has {len(found)} entries; at most {_MOST_ENTRIES} are possible")
        return found
    except RulesError:
        raise
    except OverflowError:
        raise RulesError(f"{path}={brief(value)} is not possible; a number has at most 15 digits") from None
    except (ValueError, TypeError, AttributeError):
        wanted = _describe(inner) + (" or none" if inner is not kind else "")
        raise RulesError(f"{path}={brief(value)} is not possible; {path} is {wanted}") from None


def _read(kind: Any, value: Any) -> Any:
    if get_origin(kind) is tuple:
        return _read_sequence(get_args(kind)[0], value)
    if isinstance(kind, UnionType):
        return _gaussian(value)
    if kind is bool:
        return _read_bool(value)
    if kind is int:
        return _whole(int(value) if isinstance(value, str) else _index(value))
    if kind is str and isinstance(value, int | complex) and not isinstance(value, bool):
        return write_gaussian(value)
    if not isinstance(value, str) or len(value) > _LONGEST_WORD:
        raise TypeError
    return kind(value.strip())


_BOOLS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def _read_bool(value: Any) -> bool:
    word = str(value).strip().lower()
    if word not in _BOOLS:
        raise ValueError(word)
    return _BOOLS[word]


def _read_sequence(item: Any, value: Any) -> tuple[Any, ...]:
    pairs = get_origin(item) is tuple
    if isinstance(value, str):
        value = [tuple(split(part, ":")) if pairs else part for part in split(_without_brackets(value.strip()))]
    elif isinstance(value, Mapping):
        value = list(value.items())
    if not pairs:
        return tuple(_read(item, one) for one in value)
    first, second = get_args(item)
    return tuple((_read(first, key), _read(second, worth)) for key, worth in value)


def _without_brackets(text: str) -> str:
    if text[:1] not in tuple(_OPEN):
        return text
    if text[-1] != _CLOSE[_OPEN.index(text[0])]:
        raise ValueError(text)
    return text[1:-1]


_EXAMPLES = {
    (int, int): "{100:-50}",
    (str, int): "{H:1,QS:13}",
    (str, int | complex): "{H:1,QS:13i}",
    (str, str): "{AH:H,QS:QS}",
    (str, Duplicates): "{QS:last}",
    (str, Locked): "{QS:play}",
}
"""An example of a map for the types of its keys and values."""


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
