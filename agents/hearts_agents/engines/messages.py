"""Messages between the arena and a program: JSON objects, one per line, with a type for each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Literal, NotRequired, TypedDict

from hearts_env.ruleset.syntax import write_gaussian

PROTOCOL = 1
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
    """A new series begins: restart random choices. A deal under way is void."""

    type: Literal["reset"]
    seed: int  # 0 to 2**63 - 1


class Standing(TypedDict, total=False):
    """What stands from earlier deals; a field is left out where it has its initial value."""

    lives: list[int]  # per seat
    lost_at: list[int]  # per seat: the deal after which it lost its last life, -1 for none
    streak: list[int]  # per seat: consecutive deals in which it took every moon card
    pool: int  # chips
    due: int  # 1 if the match goes on only because of a tie
    extended: int  # 1 if the match goes on only because of a moon
    deal_limit: int  # number of deals after which play stops whatever the rules say


class Deal(Standing):
    """A deal begins."""

    type: Literal["deal"]
    number: int  # deals finished before
    dealer: int
    hand: list[str]  # the cards dealt to the program
    totals: list[Score]  # per seat
    entry: int | None  # place in the pass cycle; None in a deal that was set up after the pass
    direction: str | None  # such as left or hold; None if the dealer will choose
    leader: int | None  # the seat that leads, if the rules of the match name it
    kitty: int  # number of cards laid aside


class Direction(TypedDict):
    """The dealer has chosen how to pass."""

    type: Literal["direction"]
    seat: int
    direction: str


class Pass(TypedDict):
    """Cards that the program's seat has put aside."""

    type: Literal["pass"]
    cards: list[str]
    to: list[int | None]  # who receives each card; None for the pool


Receive = TypedDict(
    "Receive",
    {
        "type": Literal["receive"],
        "cards": list[str],
        "from": list[int | None],  # who passed each card; None for the pool
    },
)
"""Every seat has passed: the cards that the program's seat receives."""


class Expose(TypedDict):
    """Cards shown before play."""

    type: Literal["expose"]
    seat: int
    cards: list[str]


class Pledge(TypedDict):
    """A seat pledges to take no heart, or declines."""

    type: Literal["pledge"]
    seat: int
    pledge: bool


class Lead(TypedDict):
    """Play begins."""

    type: Literal["lead"]
    seat: int
    free: bool  # whether any card may open although the rules name one


class Play(TypedDict):
    """A card is played, those of the program included."""

    type: Literal["play"]
    seat: int
    card: str


class Call(TypedDict):
    """The suit to follow to the joker just led."""

    type: Literal["call"]
    seat: int
    suit: str


class Trick(TypedDict):
    """A trick is over."""

    type: Literal["trick"]
    winner: int | None  # None for a dead trick, which goes to the winner of the next
    cards: list[str]  # in play order


class Kitty(TypedDict):
    """Cards of the kitty that the program's seat took; after the last trick, those that others took."""

    type: Literal["kitty"]
    seat: int
    cards: list[str]


class Moon(TypedDict):
    """The choice of the shooter of the moon."""

    type: Literal["moon"]
    seat: int
    choice: str  # self or others


class Totals(TypedDict):
    """Totals including this deal, before an exact hit is decided."""

    type: Literal["totals"]
    totals: list[Score]  # per seat


class Act(TypedDict):
    """The program's seat is to decide; the answer is `Action`."""

    type: Literal["act"]
    id: int  # counts up
    phase: str
    legal: list[str]  # names of the legal actions, at least one
    time_ms: int


class DealScore(TypedDict):
    """A deal is over."""

    type: Literal["score"]
    points: list[Score]  # per seat
    totals: list[Score]  # per seat, including this deal
    shooter: int | None  # who shot the moon


class Bye(TypedDict):
    """The program is to end itself."""

    type: Literal["bye"]


Event = (
    Deal | Direction | Pass | Receive | Expose | Pledge | Lead | Play | Call | Trick | Kitty | Moon | Totals | DealScore
)
"""Something that happened in a deal, as one seat may know it."""


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
    action: str  # one of its legal names


Message = Hello | Reset | Event | Act | Bye | Ready | Refuse | Action

Unchecked = Mapping[str, object]
"""A JSON object with a ``type``, as it came over the wire: its fields may be missing or wrong."""


# --- lines -----------------------------------------------------------------------------------------------------------


def write_line(message: Mapping[str, object]) -> bytes:
    """A message as a line of UTF-8.

    >>> write_line({"type": "play", "seat": 2, "card": "QS"}).decode().rstrip()
    '{"type": "play", "seat": 2, "card": "QS"}'
    """
    return json.dumps(message, ensure_ascii=False).encode() + b"\n"


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


def write_scores(scores: Iterable[int | complex]) -> list[Score]:
    """Points or totals as they are written in messages.

    >>> write_scores([26, 13j])
    [26, '13i']
    """
    return [write_gaussian(one) if isinstance(one, complex) else one for one in scores]
