"""Check a command line against the fields of a command, to report a mistake in one line.

tyro parses the command line and prints the help pages, but reports mistakes only as text in a frame. `check` therefore
runs first.
"""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Sequence
from difflib import get_close_matches
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import tyro

NUMBERS = {int: "a whole number", float: "a number"}


@dataclasses.dataclass(frozen=True)
class Parameter:
    """A field of a command, as it appears on the command line.

    Attributes:
        name: ``--arena-deals``, or ``FILE`` for a positional argument.
        kind: type of a value; bool for a flag, which takes no value.
        choices: the possible values; empty if every value of the type is possible.
        many: whether it takes any number of values.
        positional: whether it is identified by its place, without a name.
        required: whether it has no default.
    """

    name: str
    kind: type
    choices: tuple[str, ...] = ()
    many: bool = False
    positional: bool = False
    required: bool = False

    def check(self, text: str) -> None:
        """Raise ValueError if `text` is not a value of this parameter."""
        if self.choices and text not in self.choices:
            close = get_close_matches(text, self.choices, n=1, cutoff=0)[0]
            known = ", ".join(self.choices)
            raise ValueError(f"{self.name} {text} is not possible; the closest is {close} (known: {known})")
        if self.kind in NUMBERS:
            try:
                self.kind(text)
            except ValueError:
                raise ValueError(f"{self.name} {text} is not possible; it takes {NUMBERS[self.kind]}") from None


def parameters(command: type) -> list[Parameter]:
    """The parameters of a command, in the order of its fields.

    >>> from hearts_training.cli.replay import Replay
    >>> parameters(Replay)[0].name
    'FILE'
    """
    hints = get_type_hints(command, include_extras=True)
    fields = [field for field in dataclasses.fields(command) if not _is_fixed(hints[field.name])]
    return [_parameter(field, hints[field.name]) for field in fields]


def _is_fixed(hint: Any) -> bool:
    return get_origin(hint) is Annotated and tyro.conf.Fixed in get_args(hint)


def _parameter(field: dataclasses.Field[Any], hint: Any) -> Parameter:
    marks: tuple[Any, ...] = ()
    if get_origin(hint) is Annotated:
        hint, *rest = get_args(hint)
        marks = tuple(rest)
    positional = tyro.conf.Positional in marks
    many = get_origin(hint) is tuple
    kinds = [kind for kind in get_args(hint) if kind not in (NoneType, ...)] or [hint]
    literal = next((kind for kind in (hint, *kinds) if get_origin(kind) is Literal), None)
    choices = tuple(map(str, get_args(literal))) if literal is not None else ()
    return Parameter(
        name=field.name.upper() if positional else f"--{field.name.replace('_', '-')}",
        kind=str if choices else kinds[0],
        choices=choices,
        many=many,
        positional=positional,
        required=field.default is dataclasses.MISSING and not many,
    )


def check(command: type, arguments: Sequence[str]) -> None:
    """Raise ValueError, in one line, for the first argument that the command does not accept.

    >>> from hearts_training.cli.replay import Replay
    >>> check(Replay, ["match.txt", "--analyze"])
    Traceback (most recent call last):
        ...
    ValueError: there is no option --analyze; the closest is --analyse
    """
    known = parameters(command)
    options = {one.name: one for one in known if not one.positional}
    places = deque(one for one in known if one.positional)
    words = deque(arguments)
    while words:
        word = words.popleft()
        if not _is_option(word):
            if not places:
                raise ValueError(f"{word} is one argument too many")
            place = places.popleft()
            for value in [word, *(_take(place, words) if place.many else [])]:
                place.check(value)
            continue
        name, equals, text = word.partition("=")
        option = _find(name, options)
        for value in [text] if equals else _take(option, words):
            if option.kind is bool:
                raise ValueError(f"{word} is not possible; {option.name} takes no value")
            option.check(value)
    for missing in places:
        if missing.required:
            raise ValueError(f"{missing.name} is missing")


def _is_option(word: str) -> bool:
    """True if a word is an option and not a value such as ``-`` or ``-1``."""
    return word.startswith("--") or (word[:1] == "-" and word[1:2].isalpha())


def _find(name: str, options: dict[str, Parameter]) -> Parameter:
    spelled = name.replace("_", "-")
    if spelled not in options:
        close = get_close_matches(spelled, options, n=1, cutoff=0)
        hint = f"the closest is {close[0]}" if close else "this command has none"
        raise ValueError(f"there is no option {name}; {hint}")
    return options[spelled]


def _take(option: Parameter, words: deque[str]) -> list[str]:
    """Remove the values of an option from the words that follow it."""
    values: list[str] = []
    while option.kind is not bool and words and not _is_option(words[0]) and (option.many or not values):
        values.append(words.popleft())
    if not values and not option.positional and option.kind is not bool:
        raise ValueError(f"{option.name} is given without a value{_kind_words(option)}")
    return values


def _kind_words(option: Parameter) -> str:
    what = ", ".join(option.choices) or NUMBERS.get(option.kind)
    return f"; it takes {what}" if what else ""
