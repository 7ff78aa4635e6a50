"""The language of passes: ``left``, ``across*2``, ``left*4&across*5&right*4``, ``left|hold``, ``scatter``, ``pool``.

See `hearts_env.ruleset.fields.Passing` for what they mean.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from hearts_env.errors import RulesError
from hearts_env.ruleset.syntax import brief

_POOL = re.compile(r"pool(?:\*(?P<count>\d{1,9}))?")
_MOVE = re.compile(r"(?P<to>left|right|across|[+-]\d{1,9})(?:\*(?P<count>\d{1,9}))?")


@dataclass(frozen=True)
class Move:
    """`count` cards to the seat `offset` places on (1 = left, seats - 1 = right), or to the pool if that is 0."""

    offset: int
    count: int


@dataclass(frozen=True)
class PassOption:
    """One way to pass: its text and its moves; a hold has none."""

    text: str
    moves: tuple[Move, ...]


def pass_schedule(cycle: tuple[str, ...], seats: int, count: int) -> tuple[tuple[PassOption, ...], ...]:
    """The passes of a cycle: for each deal its options, of which the dealer chooses one.

    >>> for options in pass_schedule(("left", "hold|across*2"), seats=4, count=3):
    ...     print([(option.text, [(move.offset, move.count) for move in option.moves]) for option in options])
    [('left', [(1, 3)])]
    [('hold', []), ('across*2', [(2, 2)])]

    Args:
        cycle: one entry per deal, as in `passing.cycle`; empty for the usual cycle.
        seats: number of seats.
        count: cards in a move that names no count.

    Raises:
        RulesError: an entry is not a possible pass for that number of seats; the message names it and the reason.
    """
    return tuple(
        tuple(_option(text, seats, count) for text in entry.split("|")) for entry in cycle or default_cycle(seats)
    )


def default_cycle(seats: int) -> tuple[str, ...]:
    """The usual cycle, in which every seat passes to every other seat once and then holds.

    >>> default_cycle(4), default_cycle(5)
    (('left', 'right', 'across', 'hold'), ('left', 'right', '+2', '-2', 'hold'))

    Source: the general rule of IncreduHearts.
    """
    steps = [step for distance in range(1, (seats - 1) // 2 + 1) for step in (distance, -distance)]
    steps += [seats // 2] if seats % 2 == 0 else []
    return (*(_direction(step, seats) for step in steps), "hold")


def _direction(step: int, seats: int) -> str:
    names = {1: "left", -1: "right"} | ({seats // 2: "across"} if seats % 2 == 0 else {})
    return names.get(step, f"{step:+d}")


def _option(text: str, seats: int, count: int) -> PassOption:
    if text == "hold":
        return PassOption(text, ())
    if text == "scatter":
        return PassOption(text, tuple(Move(offset, 1) for offset in range(1, seats)))
    if pool := _POOL.fullmatch(text):
        return PassOption(text, (Move(0, _at_least_one(int(pool["count"] or count), text)),))
    moves = tuple(_move(part, text, seats, count) for part in text.split("&"))
    if len({move.offset for move in moves}) != len(moves):
        raise RulesError(f"the pass {brief(text)!r} names the same seat twice; give that move one count")
    return PassOption(text, moves)


def _move(part: str, text: str, seats: int, count: int) -> Move:
    match = _MOVE.fullmatch(part)
    if match is None:
        raise RulesError(
            f"{brief(part)!r} in the pass {brief(text)!r} is not a move; write hold, scatter, pool, left, right, "
            "across or a seat offset such as +2, with *count if it differs"
        )
    to, cards = match["to"], int(match["count"] or count)
    if to == "across" and seats % 2:
        raise RulesError(f"the pass {brief(text)!r} goes across, but {seats} players have nobody opposite")
    offset = {"left": 1, "right": -1, "across": seats // 2}[to] if to.isalpha() else int(to)
    if offset % seats == 0:
        raise RulesError(f"the pass {brief(text)!r} gives cards to oneself; use hold for no pass")
    return Move(offset % seats, _at_least_one(cards, text))


def _at_least_one(cards: int, text: str) -> int:
    if cards < 1:
        raise RulesError(f"the pass {brief(text)!r} moves no card; use hold for no pass")
    return cards
