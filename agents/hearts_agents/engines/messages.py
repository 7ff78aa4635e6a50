"""Messages between the arena and a program: JSON objects, one per line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from hearts_env.compiled.game import Game
from hearts_env.ruleset.syntax import read_gaussian, write_gaussian

PROTOCOL = 1
"""The version that `hello` and `ready` name."""
LINE_LIMIT = 1 << 16
"""The longest line, in bytes."""

Message = dict[str, Any]
"""An object of JSON with a ``type``."""


def write_line(message: Message) -> bytes:
    """A message as a line of UTF-8."""
    return json.dumps(message, ensure_ascii=False).encode() + b"\n"


def read_line(line: bytes) -> Message:
    """The message on a line.

    Raises:
        ValueError: it is no JSON object with a ``type``, or too long.
    """
    if len(line) > LINE_LIMIT:
        raise ValueError(f"a message of {len(line)} bytes is too long; at most {LINE_LIMIT} are possible")
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError(f"{_shorten(line)} is not a line of JSON in UTF-8") from None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise ValueError(f'{_shorten(line)} is not a JSON object with a type, such as {{"type": "bye"}}')
    return message


def _shorten(line: bytes) -> str:
    text = line.strip().decode(errors="replace")
    return repr(text if len(text) <= 60 else f"{text[:60]}...")


def number(message: Message, key: str, low: int, high: int = 2**63 - 1) -> int:
    """A whole number of a message.

    Raises:
        ValueError: it is missing, of another kind or out of range.
    """
    value = message.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise _wrong(message, key, f"a whole number from {low} to {high}")
    return value


def flag(message: Message, key: str) -> bool:
    """True or false; ValueError as in `number`."""
    value = message.get(key)
    if not isinstance(value, bool):
        raise _wrong(message, key, "true or false")
    return value


def word(message: Message, key: str) -> str:
    """Text; ValueError as in `number`."""
    value = message.get(key)
    if not isinstance(value, str):
        raise _wrong(message, key, "text")
    return value


def words(message: Message, key: str) -> list[str]:
    """A list of texts; ValueError as in `number`."""
    value = message.get(key)
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise _wrong(message, key, "a list of texts")
    return value


def kinds(message: Message, game: Game, key: str = "cards") -> list[int]:
    """Kinds of a list of cards, written as in the list of actions; ValueError as in `number`."""
    return [kind_of(message, game, key, name) for name in words(message, key)]


def kind_of(message: Message, game: Game, key: str, name: str) -> int:
    """The kind of a card that stands in a field of a message; ValueError as in `number`."""
    if name not in game.deck.ids:
        raise _wrong(message, key, f"cards of {game.rules}, such as {game.deck.kinds[0]}")
    return game.deck.ids[name]


def per_seat(message: Message, game: Game, key: str, low: int, high: int) -> list[int]:
    """One whole number per seat; ValueError as in `number`."""
    value = message.get(key)
    if not isinstance(value, list) or len(value) != game.seats:
        raise _wrong(message, key, f"a list of {game.seats} whole numbers")
    return [number({"type": message["type"], key: one}, key, low, high) for one in value]


def write_scores(scores: Iterable[int | complex]) -> list[int | str]:
    """Points or totals: whole numbers as they are, Gaussian integers as text such as ``13i``."""
    return [write_gaussian(one) if isinstance(one, complex) else one for one in scores]


def scores(message: Message, game: Game, key: str) -> list[tuple[int, int]]:
    """Real and imaginary part of a score per seat; ValueError as in `number`."""
    value = message.get(key)
    if not isinstance(value, list) or len(value) != game.seats:
        raise _wrong(message, key, f"a list of {game.seats} scores")
    try:
        read = [complex(read_gaussian(one)) for one in value]
    except (ValueError, TypeError, AttributeError, OverflowError):
        raise _wrong(message, key, "a list of whole numbers or Gaussian integers such as 13i") from None
    parts = [(int(one.real), int(one.imag)) for one in read]
    if any(not -(2**30) <= part <= 2**30 for pair in parts for part in pair):
        raise _wrong(message, key, "a list of scores of at most 9 digits")
    return parts


def _wrong(message: Message, key: str, needed: str) -> ValueError:
    if key not in message:
        return ValueError(f"the message {message['type']} lacks {key}; it is {needed}")
    text = repr(message[key])
    shown = text if len(text) <= 60 else f"{text[:60]}..."
    return ValueError(f"the message {message['type']}: {key}={shown} is not possible; it is {needed}")
