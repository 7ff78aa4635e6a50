"""Work with records whose size a page or the file chooses. Worker processes do it, and none has more actions than a
match that people play.
"""

from __future__ import annotations

import io
import re
import sqlite3
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from hearts_env.table.games import games_of, is_games
from hearts_env.table.log import DealLog
from hearts_env.table.match import Match
from hearts_env.variants.registry import rules as read_rules
from hearts_training.web.database import DAMAGED, DamageError, Database
from hearts_training.web.messages import NewStudy
from hearts_training.web.seen import Data, labels, seen_openly
from hearts_training.web.walk import Walk
from hearts_training.web.words import Names

MOST_ACTIONS = 20_000
"""Actions of the longest match. Of 40 matches of every game that is long, the longest had 6,552 (small_hearts)."""
_ACTIONS = re.compile(r"\b(?:passes|leads|chooses) ([^;\n]*)")


class LongError(ValueError):
    """A record with too many actions."""


def check_length(count: int) -> None:
    """Raise LongError for a match that is too long."""
    if count > MOST_ACTIONS:
        raise LongError(f"the record has {count:,} actions; a match here has at most {MOST_ACTIONS:,}")


def replayed(record: str) -> Match:
    """The match of a record, whose actions are counted before any is played. Raises ValueError, in one line."""
    check_length(sum(found.count(" ") + 1 for found in _ACTIONS.findall(record)))
    return Match.replay(record)


def as_record(message: NewStudy) -> NewStudy:
    """A request to study a record: itself, or of the one match in a file of games. Raises ValueError, in one line."""
    content = message.record.encode()
    if not is_games(content):
        return message
    check_length(content.count(b'"') // 4)  # a card has two signs, and stands in the hands and the plays
    matches = list(games_of(content.splitlines()))
    if len(matches) > 1:
        raise ValueError(f"there are {len(matches)} matches; send the lines of one")
    found = NewStudy(record=matches[0].record(), seat=message.seat)
    try:
        return NewStudy(record=found.record, seat=found.seat, names=list(matches[0].players) or None)
    except ValueError:  # names that cannot be shown
        return found


def start_of(record: str, at: int | None) -> tuple[Match, str]:
    """The match of a record after `at` actions, or at its end: the start of a table, and its record.

    Raises ValueError.
    """
    match = replayed(record)
    start = match if at is None else match.after(at)
    return start, start.record()


def walk_of(record: str, actions: Sequence[str]) -> Walk:
    """The match of a table as it stands: its start and the actions since. Raises ValueError."""
    start = replayed(record)
    check_length(sum(len(deal.actions) for deal in start.log) + len(actions))
    return Walk.along(start, actions)


def kept_walk(rules: str, start: str, actions: Sequence[str]) -> Walk:
    """The match of a table in the file, as `walk_of`. Raises DamageError if its rules are known here and its start is
    no match.
    """
    try:
        return walk_of(start, actions)
    except LongError:
        raise
    except ValueError:
        read_rules(rules)
        raise DamageError(DAMAGED) from None


@lru_cache(maxsize=64)
def progress_of(record: str, actions: tuple[str, ...]) -> Data:
    """The progress of a table: the name of its game, the number of its deal, and the totals. Raises ValueError."""
    match = walk_of(record, actions).match
    seen = seen_openly(match)
    return {"title": match.rules.variant.title, "deal": seen["deal"], "totals": seen["totals"]}


@dataclass(frozen=True)
class Studied:
    """A record as it is studied.

    Attributes:
        walk: its match, from the first position to the end.
        decisions: one per action: its deal, trick, seat, phase and name.
        labels: place of a special decision -> action -> what it means.
    """

    walk: Walk
    decisions: list[Data]
    labels: dict[int, dict[str, str]]


def studied(record: str, names: list[str] | None, seat: int | None) -> Studied:
    """A record with the names of its players, if they are known, and the seat of who studies it.

    Raises ValueError, in one line, if it is none, or if names and seat do not fit it.
    """
    match = replayed(record)
    seats = match.game.seats
    if len(names or range(seats)) != seats or (seat or 0) >= seats:
        raise ValueError(f"the record has {seats} seats; names and seat do not fit it")
    decisions: list[Data] = [
        {"deal": deal.number + 1, "trick": _trick(deal, place), "seat": seat, "phase": phase, "action": action}
        for deal in match.log
        for place, ((seat, action), phase) in enumerate(zip(deal.actions, deal.phases, strict=True))
    ]
    walk, meant = Walk(match.after(0)), dict[int, dict[str, str]]()
    known = Names(tuple(names)) if names else Names.plain(seats)
    for at, decision in enumerate(decisions):
        if ":" in decision["action"]:
            meant[at] = labels(walk.match, known)
        walk.step(decision["action"])
    return Studied(walk, decisions, meant)


def _trick(deal: DealLog, place: int) -> int:
    """The number of an action's trick, from 1; 0 for an action before or after the tricks."""
    return bisect_right(deal.trick_ends, place) + 1 if deal.phases[place] in ("play", "suit") else 0


class _Reader(Database):
    """The file of a server, which goes on writing it."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._db = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)


def kept_study(file: Path, key: str) -> tuple[NewStudy, Studied, list[str], list[tuple[str, int, Any]]]:
    """A study in a server's file: its message, its record, its advisers, and the values that are known.

    Raises KeyError if there is none, and ValueError if its record cannot be replayed.
    """
    reader = _Reader(file)
    try:
        text, advisers, values = reader.study(key)
    finally:
        reader.close()
    message = NewStudy.model_validate_json(text)
    return message, studied(message.record, message.names, message.seat), advisers, values


def parquet_of(file: Path) -> bytes:
    """Every action of every finished table in a server's file, as a Parquet file."""
    import pyarrow
    from pyarrow import parquet

    buffer, reader = io.BytesIO(), _Reader(file)
    try:
        parquet.write_table(pyarrow.Table.from_pylist(reader.rows()), buffer)
    finally:
        reader.close()
    return buffer.getvalue()
