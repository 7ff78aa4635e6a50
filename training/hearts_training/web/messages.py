"""The messages that a page may send: each is checked here, and a bad one is answered by one line."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from hearts_training.web.levels import SEARCH
from hearts_training.web.names import checked_name, checked_seat

MOST_BYTES = 1 << 20
"""Size of the largest request, a record with its match."""
MOST_PACE = 10.0
Word = Annotated[str, Field(min_length=1, max_length=40)]
Spec = Annotated[str, Field(min_length=1, max_length=200)]
Seat = Annotated[Spec, AfterValidator(checked_seat)]
Text = Annotated[str, Field(min_length=1, max_length=2000)]
Place = Annotated[int, Field(ge=0, le=1_000_000)]
Pace = Annotated[float, Field(ge=0, le=MOST_PACE, allow_inf_nan=False)]


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Act(_Message):
    """Take actions, one after the other; `at` is the number of actions that the page has seen."""

    do: Literal["act"]
    actions: Annotated[list[Word], Field(min_length=1, max_length=26)]
    at: Place


class Undo(_Message):
    """Take back one's last decision."""

    do: Literal["undo"]


class Hint(_Message):
    """Ask for an agent's opinion of every legal action."""

    do: Literal["hint"]
    agent: Spec = SEARCH


class Belief(_Message):
    """Ask who may hold which cards."""

    do: Literal["belief"]
    at: Place | None = None
    seat: Place | None = None


class SetName(_Message):
    """Name the person on the page's seat."""

    do: Literal["name"]
    name: Annotated[Word, AfterValidator(checked_name)]


class StandIn(_Message):
    """Let an agent play for a person who has left, until they come back."""

    do: Literal["stand in"]
    seat: Place


class Look(_Message):
    """Choose the seat from whose view somebody watches; None for all hands."""

    do: Literal["look"]
    seat: Place | None = None


class SetPace(_Message):
    """Seconds between the actions of agents."""

    do: Literal["pace"]
    seconds: Pace


class Pause(_Message):
    """Stop the agents, or let them go on."""

    do: Literal["pause"]
    on: bool


class Analyse(_Message):
    """Let an agent value every decision of a record, the one on the board first."""

    do: Literal["analyse"]
    agent: Spec = SEARCH
    at: Place = 0


class Stop(_Message):
    """Stop an analysis."""

    do: Literal["stop"]


class Dismiss(_Message):
    """Show an adviser no longer; its values are kept."""

    do: Literal["dismiss"]
    agent: Spec


class Deepen(_Message):
    """Search one decision of a record on many more worlds."""

    do: Literal["deepen"]
    at: Place


Line = Annotated[list[Word], Field(max_length=400)]


class Try(_Message):
    """Play a line from a position of a record; then an agent plays until the same seat is to act, or the deal ends."""

    do: Literal["try"]
    at: Place
    actions: Line
    agent: Spec = "rule"


class Note(_Message):
    """Keep a comment on a line from a position, or on the position itself; without a text, remove it."""

    do: Literal["note"]
    at: Place
    actions: Line
    agent: Spec = "rule"
    text: Annotated[str, Field(max_length=1000)] | None = None


class Outlook(_Message):
    """Let an agent, by default the strongest network, play out a deal from each of its tricks on, as a seat sees it."""

    do: Literal["outlook"]
    deal: Place
    seat: Place
    agent: Spec | None = None


class Position(_Message):
    """The position of a record after `at` actions."""

    do: Literal["position"]
    at: Place


class NewTable(_Message):
    """A table to open. A seat is an agent's spec, or ``person`` or ``person NAME``; without `hints`, none are given."""

    rules: Text = "black_lady"
    seats: Annotated[list[Seat], Field(min_length=2, max_length=11)]
    seed: Annotated[int, Field(ge=0, le=2**64 - 1)] | None = None
    pace: Pace = 0.7
    record: Annotated[str, Field(max_length=MOST_BYTES)] | None = None
    at: Place | None = None
    hints: bool = True


class NewStudy(_Message):
    """A record to study, who sat on its seats, and the seat of whoever studies it."""

    record: Annotated[str, Field(min_length=1, max_length=MOST_BYTES)]
    names: Annotated[list[Annotated[Spec, AfterValidator(checked_name)]], Field(max_length=11)] | None = None
    seat: Annotated[int, Field(ge=0, le=10)] | None = None


class OpenGame(_Message):
    """A game of the folder that is to be studied."""

    key: Word


class JoinTable(_Message):
    """An invitation that somebody has opened."""

    key: Word
    token: Word


class CheckRules(_Message):
    """Rules as they are typed."""

    rules: Text


class AskAdvice(_Message):
    """The lines that somebody beside a real table has typed."""

    rules: Text
    seat: Annotated[int, Field(ge=0, le=10)]
    lines: Annotated[list[Annotated[str, Field(max_length=300)]], Field(max_length=400)]


class CheckAgent(_Message):
    """The spec of an agent as it is typed."""

    agent: Spec


AnyAtTable = Act | Undo | Hint | Belief | SetName | StandIn | Look | SetPace | Pause
AtTable = TypeAdapter[AnyAtTable](Annotated[AnyAtTable, Field(discriminator="do")])
AnyOfStudy = Position | Analyse | Dismiss | Stop | Deepen | Belief | Outlook | Try | Note
AtStudy = TypeAdapter[AnyOfStudy](Annotated[AnyOfStudy, Field(discriminator="do")])


TAGS = {tag for kind in get_args(AnyAtTable | AnyOfStudy) for tag in get_args(kind.model_fields["do"].annotation)}
"""Kinds of messages, which pydantic puts before the place of an error."""


def one_line(error: ValidationError) -> str:
    """The first complaint of a validation, in one line.

    >>> try:
    ...     AtTable.validate_json('{"do": "act", "actions": [], "at": 0}')
    ... except ValidationError as error:
    ...     print(one_line(error))
    actions: List should have at least 1 item after validation, not 0
    """
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = first["loc"][1:] if len(first["loc"]) > 1 and first["loc"][0] in TAGS else first["loc"]
    place = ".".join(map(str, where))
    complaint = first["msg"].removeprefix("Value error, ")
    return f"{place}: {complaint}" if place else complaint
