"""Text records of matches, for people to read: `write_record` writes one, `read_record` reads it.

A record states how the match began and lists every action. The hands that the seed deals later, the winners of tricks,
points and totals follow from those; they are there for the reader. `Match.replay` plays the actions, writes a record of
the result and refuses the text unless both agree line by line::

    hearts-match 1
    rules black_lady
    seed 7

    deal 1, dealer 2
    seat 0 holds 2C 5C 9C ...
    passing left
    seat 0 passes QS AS KS
    trick 1: seat 3 leads 2C 4C TC KC; seat 2 takes it
    seat 2 chooses moon:others
    points 26 26 0 26
    totals 26 26 0 26

    end: over, places 2 2 1 2

A deal that was set by hand is marked (``deal 3, dealer 0, set after the pass, leader 1``) and followed by the line
``totals before 20 31 4 23``. A kitty has a line after the hands, ``kitty 3C 9D``. Gaussian integers are written
``-26+10i``.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import groupby, zip_longest
from typing import NamedTuple

from hearts_env.checks import seed_of
from hearts_env.compiled.game import compile_game
from hearts_env.ruleset.model import BLACK_LADY, Rules
from hearts_env.ruleset.syntax import brief, read_gaussian, write_gaussian
from hearts_env.table.log import DealLog, DealStart
from hearts_env.table.score import trick_winner
from hearts_env.variants.registry import rules as read_rules

VERSION = 1
_SUBJECT = "hearts-match"
_DEAL = re.compile(
    r"deal (?P<number>\d{1,9}), dealer (?P<dealer>\d{1,2})"
    r"(?:, set (?P<when>before|after) the pass(?:, leader (?P<leader>\d{1,2}))?)?"
)
_NUMBER = r"-?\d{1,9}(?:i|[+-]\d{1,9}i)?"
_NUMBERS = rf"{_NUMBER}(?: {_NUMBER})*"
_TOTALS = re.compile(rf"totals before (?P<totals>{_NUMBERS})")
_HAND = re.compile(r"seat (?P<seat>\d+) holds (?P<cards>.+)")
_KITTY = re.compile(r"kitty (?P<cards>.+)")
_ACTIONS = re.compile(
    r"(?:trick \d+: )?seat (?P<seat>\d+) (?:passes|leads|chooses) (?P<actions>[^;]+)"
    r"(?:; (?:seat \d+ takes|nobody wins) it)?"
)
_OTHER_LINES = re.compile(rf"passing \S+|kitty \S+(?: \S+)*|(?:points|totals) {_NUMBERS}|end: .*")
_HEAD = 3
"""Lines before the first deal; rules and seed may be spelled in any way that reads the same."""


class Over(NamedTuple):
    """The end of a finished match."""

    places: Sequence[int]  # of each seat; 1 is best


class Unfinished(NamedTuple):
    """The point that an unfinished match has reached."""

    seat: int  # to decide next
    phase: str


Line = tuple[int, str]
"""A line of text and its number, 1 for the first."""


# Writing


def write_record(
    rules: Rules, seed: int, deals: Iterable[DealLog], are_set: Container[int], end: Over | Unfinished
) -> str:
    """The record of a match; `are_set` holds the numbers of the deals that were set by hand."""
    lines = [f"{_SUBJECT} {VERSION}", f"rules {rules_text(rules)}", f"seed {seed}"]
    for deal in deals:
        lines += ["", *_start_lines(deal, deal.number in are_set), *_deal_lines(rules, deal)]
    return "\n".join([*lines, "", _end_line(end)]) + "\n"


def _end_line(end: Over | Unfinished) -> str:
    if isinstance(end, Over):
        return f"end: over, places {_row(end.places)}"
    return f"end: unfinished, seat {end.seat} to decide, phase {end.phase}"


def rules_text(rules: Rules) -> str:
    """Text that can be read back; rules of a variant that is not registered are written as changes of Basic Hearts."""
    try:
        if read_rules(str(rules)) == rules:
            return str(rules)
    except ValueError:
        pass
    return str(replace(rules, variant=BLACK_LADY))


def _start_lines(deal: DealLog, is_set: bool) -> Iterator[str]:
    how = f", set {'before' if deal.passing else 'after'} the pass" if is_set else ""
    leader = f", leader {deal.leader}" if deal.leader is not None else ""
    yield f"deal {deal.number + 1}, dealer {deal.dealer}{how}{leader}"
    if is_set:
        yield f"totals before {_row(deal.totals)}"
    for seat, hand in enumerate(deal.hands):
        yield f"seat {seat} holds {' '.join(hand)}"
    if deal.kitty:
        yield f"kitty {' '.join(deal.kitty)}"


def _deal_lines(rules: Rules, deal: DealLog) -> Iterator[str]:
    chosen = deal.phases[:1] == ["direction"]  # then the dealer's choice has a line of its own
    if deal.passing and deal.direction is not None and not chosen:  # of a deal set after the pass it is its number's
        yield f"passing {deal.direction}"
    for _, places in groupby(range(len(deal.actions)), key=lambda place: _line_of(deal, place)):
        yield _action_line(rules, deal, list(places))
    if deal.points is not None:
        yield f"points {_row(deal.points)}"
        yield f"totals {_row(deal.totals_after or ())}"


def _line_of(deal: DealLog, place: int) -> tuple[str, int]:
    """Key of the line on which an action is written: a line holds a seat's pass, a trick or one other decision."""
    phase = deal.phases[place]
    if phase == "pass":
        return phase, deal.actions[place][0]
    return ("trick", _trick_of(deal, place)) if phase in ("play", "suit") else (phase, place)


def _trick_of(deal: DealLog, place: int) -> int:
    return bisect_right(deal.trick_ends, place)


def _action_line(rules: Rules, deal: DealLog, places: list[int]) -> str:
    first, phase = places[0], deal.phases[places[0]]
    seat, names = deal.actions[first][0], [deal.actions[place][1] for place in places]
    if phase == "pass":
        return f"seat {seat} passes {' '.join(names)}"
    if phase != "play":
        return f"seat {seat} chooses {' '.join(names)}"
    trick = _trick_of(deal, first)
    line = f"trick {trick + 1}: seat {seat} leads {' '.join(names)}"
    if trick == len(deal.trick_ends):
        return line  # unfinished
    seats = [deal.actions[place][0] for place in places if deal.phases[place] == "play"]
    winner = trick_winner(rules, names)
    return line + ("; nobody wins it" if winner is None else f"; seat {seats[winner]} takes it")


def _row(numbers: Iterable[int | complex]) -> str:
    return " ".join(map(write_gaussian, numbers))


# Reading


@dataclass(frozen=True)
class Record:
    """A record that was read: the start of the match, and the lines to play and to check.

    Attributes:
        rules: the rules.
        seed: the seed.
        start: the first deal if it was set by hand; None if the seed deals it.
        start_line: number of the line that begins the first deal.
        lines: every line that is not blank.
        head: number of `lines` up to the first deal's cards.
    """

    rules: Rules
    seed: int
    start: DealStart | None
    start_line: int
    lines: list[Line]
    head: int

    def events(self) -> Iterator[tuple[int, str | DealStart]]:
        """(line number, action, or the start of a later deal that was set) in order.

        Raises ValueError at the first line that cannot be part of a record.
        """
        reader = _Reader(self.lines, self.head)
        while reader.place < len(self.lines):
            line = reader.take(".+", "a line")[0]
            number, header, found = reader.number, _DEAL.fullmatch(line), _ACTIONS.fullmatch(line)
            if header is not None and header["when"]:
                yield number, _read_start(self.rules, header, reader)
            elif found is not None:
                yield from ((number, action) for action in found["actions"].split())
            elif not any(form.fullmatch(line) for form in (_DEAL, _HAND, _OTHER_LINES)):
                raise ValueError(f"line {number}: {line!r} is no line of a record; the record may be torn")

    def compare(self, written: str, before: int | None = None) -> None:
        """Compare with the record of the match as it was played.

        Args:
            written: that record.
            before: compare only lines with smaller numbers; None compares all, and the length.

        Raises:
            ValueError: the first line that differs, by its number.
        """
        limit = None if before is None else bisect_left(self.lines, (before,))
        wanted_lines = [line for line in written.splitlines() if line]
        for line, wanted in list(zip_longest(self.lines, wanted_lines))[_HEAD:limit]:
            if line is None:
                end = self.lines[-1][0] + 1
                raise ValueError(f"line {end}: the record breaks off here; next should come {wanted!r}")
            number, text = line
            if wanted is None:
                raise ValueError(f"line {number}: {text!r} stands after the end of the record")
            if text != wanted:
                raise ValueError(f"line {number}: {text!r} does not agree with the game, which gives {wanted!r}")


def read_record(text: str) -> Record:
    """Read the text of a record; `Match.replay` plays and checks it.

    >>> import hearts_env as he
    >>> from hearts_env.table.notation import read_record
    >>> match = he.Match("black_lady(cycle=[hold])", seed=7)
    >>> match.play("2C")
    >>> record = read_record(match.record())
    >>> record.seed, record.start, list(record.events())
    (7, None, [(11, '2C')])

    Raises:
        ValueError: the text is no record, or is one of another version, or its first lines are torn or name impossible
            rules; one line that begins with the line's number.
    """
    if not isinstance(text, str):
        raise ValueError(f"line 1: {brief(text)} is not the text of a record")
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    _check_first(lines)
    reader = _Reader(lines, 1)
    words = reader.take(r"rules (.+)", "the rules, such as 'rules black_lady'")[1]
    with at_line(reader.number):
        rules = read_rules(words)
    seed = int(reader.take(r"seed (\d{1,20})", "the seed, such as 'seed 7'")[1])
    with at_line(reader.number):
        seed_of(seed)
        compile_game(rules)
    header = reader.take(_DEAL, "the first deal, such as 'deal 1, dealer 0'")
    start_line = reader.number
    start = _read_start(rules, header, reader) if header["when"] else None
    return Record(rules, seed, start, start_line, lines, reader.place)


@contextmanager
def at_line(number: int) -> Iterator[None]:
    """Put the number of a line before the messages of errors raised inside."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"line {number}: {error}") from None


def _check_first(lines: list[Line]) -> None:
    number, line = lines[0] if lines else (1, "")
    subject, _, version = line.partition(" ")
    if subject != _SUBJECT:
        raise ValueError(f"line {number}: this is no record of a match; its first line must be '{_SUBJECT} {VERSION}'")
    if version != str(VERSION):
        raise ValueError(f"line {number}: the record is of version {version or '?'}; version {VERSION} is needed")


class _Reader:
    """The lines of a record from some place on, taken one by one."""

    def __init__(self, lines: list[Line], place: int) -> None:
        self.lines, self.place = lines, place

    @property
    def number(self) -> int:
        """Number of the line taken last."""
        return self.lines[self.place - 1][0]

    def take(self, pattern: str | re.Pattern[str], wanted: str) -> re.Match[str]:
        """The next line. Raises ValueError, naming the line and what is `wanted`, unless it matches the pattern."""
        if self.place == len(self.lines):
            raise ValueError(f"line {self.number + 1}: the record breaks off here; next should come {wanted}")
        self.place += 1
        line = self.lines[self.place - 1][1]
        found = re.fullmatch(pattern, line)
        if found is None:
            raise ValueError(f"line {self.number}: {line!r} should be {wanted}")
        return found


def _read_start(rules: Rules, header: re.Match[str], reader: _Reader) -> DealStart:
    totals = reader.take(_TOTALS, "the totals, such as 'totals before 0 0 0 0'")["totals"]
    hands = [
        reader.take(_HAND, f"the hand, such as 'seat {seat} holds 2C ...'")["cards"].split()
        for seat in range(rules.players)
    ]
    has_kitty = compile_game(rules).tables["kitty_size"]
    kitty = reader.take(_KITTY, "the kitty, such as 'kitty 3C 9D'")["cards"].split() if has_kitty else []
    return DealStart(
        hands=hands,
        leader=None if header["leader"] is None else int(header["leader"]),
        totals=[read_gaussian(total) for total in totals.split()],
        deal_number=int(header["number"]) - 1,
        passing=header["when"] == "before",
        dealer=int(header["dealer"]),
        kitty=kitty,
    )
