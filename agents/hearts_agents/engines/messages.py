"""Messages between the arena and a program: JSON objects, one per line, with a type for each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict

PROTOCOL = 2
"""The version in `Hello` and `Ready`."""
LINE_LIMIT = 1 << 16
"""The longest line, in bytes."""

Score = int | str
"""Points or a total: a whole number, or a Gaussian integer as text such as ``13i``."""


# --- what a program receives -----------------------------------------------------------------------------------------


class PassMove(TypedDict):
    """Cards that go one way."""

    to: int | None  # number of seats to the left; None for the pool
    cards: int


class PassWay(TypedDict):
    """One way to pass."""

    direction: str
    moves: list[PassMove]  # none for a hold


class Hello(TypedDict):
    """The first message; the answer is `Ready` or `Refuse`."""

    type: Literal["hello"]
    protocol: int
    rules: str  # canonical text, complete
    fields: dict[str, object]  # every field of the rules, group.field -> value
    points: dict[str, Score]  # card -> points for taking it, before multipliers, moons and the like
    passes: list[list[PassWay]]  # per deal of the pass cycle: the ways to pass, of which the dealer chooses one
    players: int
    seat: int  # the program's own
    time_ms: int  # time limit of a decision
    actions: list[str]  # names of all actions of the game
    seed: NotRequired[int]  # 0 to 2**63 - 1


class Reset(TypedDict):
    """A new series begins: restart random choices."""

    type: Literal["reset"]
    seed: int  # 0 to 2**63 - 1


class Act(TypedDict):
    """The program's seat is to decide; the answer is `Action`."""

    type: Literal["act"]
    id: int  # counts up
    deal: int  # another number for every deal of every match
    picks: int  # number of cards to pick for the pass; 0 in other phases
    time_ms: int
    view: dict[str, Any]  # everything the seat sees, as `View.as_dict` writes it; `legal` has at least one name


class DealScore(TypedDict):
    """A deal is over."""

    type: Literal["score"]
    deal: int  # as in `Act`
    view: dict[str, Any]  # at the end of the deal, its points and the totals included


class Fault(TypedDict):
    """An answer was wrong; the first legal action was played instead."""

    type: Literal["fault"]
    id: int  # of the request
    kind: str  # nonsense or illegal
    reason: str  # one line


class Bye(TypedDict):
    """The program is to end itself."""

    type: Literal["bye"]


# --- what a program sends --------------------------------------------------------------------------------------------


class Ready(TypedDict):
    """The answer to `Hello`: the program plays."""

    type: Literal["ready"]
    protocol: int
    name: str


class Refuse(TypedDict):
    """The other answer to `Hello`: the program does not play these rules."""

    type: Literal["refuse"]
    reason: str


class Action(TypedDict):
    """The answer to `Act`."""

    type: Literal["action"]
    id: int  # of the request
    action: str | list[str]  # one of the legal names; or all cards to pick for the pass


Message = Hello | Reset | Act | DealScore | Fault | Bye | Ready | Refuse | Action

Unchecked = Mapping[str, object]
"""A JSON object with a ``type``, as it came over the wire: its fields may be missing or wrong."""


_ENCODER = json.JSONEncoder(ensure_ascii=False, check_circular=False)  # `dumps` makes a new one for each line


# --- lines -----------------------------------------------------------------------------------------------------------


def write_line(message: Mapping[str, object]) -> bytes:
    """A message as a line of UTF-8.

    >>> write_line({"type": "action", "id": 2, "action": "QS"}).decode().rstrip()
    '{"type": "action", "id": 2, "action": "QS"}'
    """
    return _ENCODER.encode(message).encode() + b"\n"


def read_line(line: bytes) -> Unchecked:
    """The message on a line.

    Raises:
        ValueError: the line is no JSON object with a ``type``, or too long.
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


def printable(text: object, most: int = 300) -> str:
    r"""Text from a program or a server for one line on a terminal; other values become empty.

    >>> printable("a\n\x1b[31mb"), printable(None)
    ('a [31mb', '')
    """
    line = " ".join(text.split()) if isinstance(text, str) else ""
    return "".join(sign for sign in line if sign.isprintable())[:most]
