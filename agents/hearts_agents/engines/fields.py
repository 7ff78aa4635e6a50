"""Fields of messages that came over the wire, checked one by one."""

from __future__ import annotations

from hearts_agents.engines.messages import Unchecked
from hearts_env.compiled.game import Game
from hearts_env.ruleset.syntax import read_gaussian


def number(message: Unchecked, key: str, low: int, high: int = 2**63 - 1) -> int:
    """The whole number in a field.

    Raises:
        ValueError: the field is missing, of another type or out of range.
    """
    value = message.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise _wrong(message, key, f"a whole number from {low} to {high}")
    return value


def flag(message: Unchecked, key: str) -> bool:
    """True or false; ValueError as in `number`."""
    value = message.get(key)
    if not isinstance(value, bool):
        raise _wrong(message, key, "true or false")
    return value


def word(message: Unchecked, key: str) -> str:
    """Text; ValueError as in `number`."""
    value = message.get(key)
    if not isinstance(value, str):
        raise _wrong(message, key, "text")
    return value


def words(message: Unchecked, key: str) -> list[str]:
    """A list of texts; ValueError as in `number`."""
    value = message.get(key)
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise _wrong(message, key, "a list of texts")
    return value


def kinds(message: Unchecked, game: Game, key: str = "cards") -> list[int]:
    """Kinds of a list of cards, written as in the list of actions; ValueError as in `number`."""
    return [kind_of(message, game, key, name) for name in words(message, key)]


def kind_of(message: Unchecked, game: Game, key: str, name: str) -> int:
    """The kind of a card named in a field of a message; ValueError as in `number`."""
    if name not in game.deck.ids:
        raise _wrong(message, key, f"cards of {game.rules}, such as {game.deck.kinds[0]}")
    return game.deck.ids[name]


def per_seat(message: Unchecked, game: Game, key: str, low: int, high: int) -> list[int]:
    """One whole number per seat; ValueError as in `number`."""
    value = message.get(key)
    if not isinstance(value, list) or len(value) != game.seats:
        raise _wrong(message, key, f"a list of {game.seats} whole numbers")
    return [number({"type": message["type"], key: one}, key, low, high) for one in value]


def scores(message: Unchecked, game: Game, key: str) -> list[tuple[int, int]]:
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


def _wrong(message: Unchecked, key: str, needed: str) -> ValueError:
    if key not in message:
        return ValueError(f"the message {message['type']} lacks {key}; it is {needed}")
    text = repr(message[key])
    shown = text if len(text) <= 60 else f"{text[:60]}..."
    return ValueError(f"the message {message['type']}: {key}={shown} is not possible; it is {needed}")
