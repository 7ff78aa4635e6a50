"""Text records of matches: written for people to read, parsed strictly, replayed and checked against themselves.

A record states where the match began and every action; hands of later deals, winners of tricks, points and totals
follow from those and stand there for the reader. Reading plays the actions again, writes the record of that game and
compares the two line by line, so a record that says anything else than what happened is refused::

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

A first deal that was set by hand says so (``deal 3, dealer 0, set after the pass, leader 1``) and is followed by the
line ``totals before 20 31 4 23``. A kitty has a line after the hands, ``kitty 3C 9D``; Gaussian integers are written
``-26+10i``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import zip_longest

from hearts_env.compiled.game import Game
from hearts_env.play.match import DealLog, Match
from hearts_env.play.score import trick_winner
from hearts_env.ruleset.model import BLACK_LADY, Rules
from hearts_env.ruleset.syntax import read_gaussian, write_gaussian
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
_TOLD = re.compile(rf"passing \S+|kitty \S+(?: \S+)*|(?:points|totals) {_NUMBERS}|end: .*")

Line = tuple[int, str]


def write_match(match: Match) -> str:
    """The record of a match, finished or not."""
    return "\n".join(_record_lines(match)) + "\n"


def _record_lines(match: Match) -> Iterator[str]:
    yield f"{_SUBJECT} {VERSION}"
    yield f"rules {_rules_text(match.rules)}"
    yield f"seed {match.seed}"
    replayed, is_set = _restart(match)
    for place, deal in enumerate(match.log):
        yield ""
        yield from _start_lines(deal, is_set and place == 0)
        yield from _deal_lines(replayed, deal)
    yield ""
    if match.over:
        yield f"end: over, places {_row(match.ranking)}"
    else:
        yield f"end: unfinished, seat {match.seat} to decide, phase {match.phase}"


def _rules_text(rules: Rules) -> str:
    """The rules as text that can be read back: of a variant that is not registered, its difference to Basic Hearts."""
    try:
        if read_rules(str(rules)) == rules:
            return str(rules)
    except ValueError:
        pass
    return str(replace(rules, variant=BLACK_LADY))


def _restart(match: Match) -> tuple[Match, bool]:
    """The match as it began, and whether that was set by hand."""
    dealt, first = Match(match.rules, match.seed), match.log[0]
    if dealt.log[0] == replace(first, actions=[], points=None):
        return dealt, False
    return _set(match.rules, match.seed, first), True


def _set(rules: Rules, seed: int, deal: DealLog) -> Match:
    return Match.from_hands(
        rules,
        deal.hands,
        leader=deal.leader,
        totals=deal.totals,
        deal_number=deal.number,
        passing=deal.passing,
        dealer=deal.dealer,
        seed=seed,
        kitty=deal.kitty,
    )


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


def _deal_lines(replayed: Match, deal: DealLog) -> Iterator[str]:
    """Play a deal's actions in `replayed`, which stands at its start, and tell them."""
    if replayed.direction is not None:
        yield f"passing {replayed.direction}"
    cards: list[str] = []
    seats: list[int] = []
    start, trick = "", 0
    for seat, action in deal.actions:
        phase = replayed.phase
        replayed.play(action)
        if phase == "suit":
            cards.append(action)
            continue
        if phase not in ("pass", "play"):
            yield f"seat {seat} chooses {action}"
            continue
        if not cards:
            trick += phase == "play"
            start = f"trick {trick}: seat {seat} leads" if phase == "play" else f"seat {seat} passes"
        cards.append(action)
        seats.append(seat)
        if _line_ends(replayed, phase, seat):
            yield f"{start} {' '.join(cards)}" + (_taker(replayed.game, cards, seats) if phase == "play" else "")
            cards, seats = [], []
    if cards:
        yield f"{start} {' '.join(cards)}"
    if deal.points is not None:
        yield f"points {_row(deal.points)}"
        yield f"totals {_row(replayed.totals)}"


def _line_ends(replayed: Match, phase: str, seat: int) -> bool:
    """Whether the card just passed or played was the last one of its seat's pass or of its trick."""
    if phase == "play":
        return not replayed.trick
    return replayed.phase != "pass" or replayed.seat != seat


def _taker(game: Game, cards: list[str], seats: list[int]) -> str:
    place = trick_winner(game.rules, cards)
    return "; nobody wins it" if place is None else f"; seat {seats[place]} takes it"


def _row(numbers: Iterable[int | complex]) -> str:
    return " ".join(map(write_gaussian, numbers))


def read_match(text: str) -> Match:
    """The match a record tells, played again.

    Raises:
        ValueError: the text is no such record, is torn or of another version, an action is illegal, or a line says
            something else than the replay gives; one line that names the line's number.
    """
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    _check_first(lines)
    match, rest = _read_start(lines)
    for place, (number, line) in enumerate(rest, len(lines) - len(rest)):
        _read_actions(match, lines[:place], number, line)
    _compare(match, lines, None)
    return match


def _check_first(lines: list[Line]) -> None:
    number, line = lines[0] if lines else (1, "")
    subject, _, version = line.partition(" ")
    if subject != _SUBJECT:
        raise ValueError(f"line {number}: this is no record of a match; its first line must be '{_SUBJECT} {VERSION}'")
    if version != str(VERSION):
        raise ValueError(f"line {number}: the record is of version {version or '?'}; version {VERSION} is needed")


@contextmanager
def _at(number: int) -> Iterator[None]:
    """Say the line in errors raised inside."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"line {number}: {error}") from None


class _Reader:
    """The lines of a record after its first, taken one by one."""

    def __init__(self, lines: list[Line]) -> None:
        (self.number, _), *self.rest = lines

    def take(self, pattern: str | re.Pattern[str], wanted: str) -> re.Match[str]:
        """The next line, which must have the form. Raises ValueError naming the line and the form."""
        if not self.rest:
            raise ValueError(f"line {self.number + 1}: the record breaks off here; next should come {wanted}")
        (self.number, line), *self.rest = self.rest
        found = re.fullmatch(pattern, line)
        if found is None:
            raise ValueError(f"line {self.number}: {line!r} should be {wanted}")
        return found


def _read_start(lines: list[Line]) -> tuple[Match, list[Line]]:
    """The match at its beginning, and the lines after its first hands."""
    reader = _Reader(lines)
    text = reader.take(r"rules (.+)", "the rules, such as 'rules black_lady'")[1]
    with _at(reader.number):
        rules = read_rules(text)
    seed = int(reader.take(r"seed (\d{1,20})", "the seed, such as 'seed 7'")[1])
    with _at(reader.number):
        match = Match(rules, seed)
    header = reader.take(_DEAL, "the first deal, such as 'deal 1, dealer 0'")
    if not header["when"]:
        return match, reader.rest
    return _read_position(match, header, reader), reader.rest


def _read_position(dealt: Match, header: re.Match[str], reader: _Reader) -> Match:
    number = reader.number
    totals = reader.take(_TOTALS, "the totals, such as 'totals before 0 0 0 0'")["totals"]
    hands = [
        reader.take(_HAND, f"the hand, such as 'seat {seat} holds 2C ...'")["cards"].split()
        for seat in range(dealt.rules.players)
    ]
    kitty = reader.take(_KITTY, "the kitty, such as 'kitty 3C 9D'")["cards"].split() if dealt.kitty else []
    deal = DealLog(
        number=int(header["number"]) - 1,
        dealer=int(header["dealer"]),
        leader=None if header["leader"] is None else int(header["leader"]),
        totals=[read_gaussian(total) for total in totals.split()],
        hands=hands,
        passing=header["when"] == "before",
        kitty=kitty,
    )
    with _at(number):
        return _set(dealt.rules, dealt.seed, deal)


def _read_actions(match: Match, before: list[Line], number: int, line: str) -> None:
    """Take the actions a line tells, if it tells any; `before` are the lines before it."""
    told = _ACTIONS.fullmatch(line)
    if told is None:
        if not any(form.fullmatch(line) for form in (_DEAL, _HAND, _TOLD)):
            raise ValueError(f"line {number}: {line!r} is no line of a record; the record may be torn")
        return
    for action in told["actions"].split():
        try:
            match.play(action)
        except ValueError as error:
            _compare(match, before, len(before))  # the cause may be an earlier line
            raise ValueError(f"line {number}: {error}") from None


def _compare(match: Match, lines: list[Line], limit: int | None) -> None:
    """Raise ValueError naming the first line that the match's own record tells differently, up to `limit` lines.

    The rules and the seed may be spelled in any way that reads the same.
    """
    told = [line for line in _record_lines(match) if line]
    pairs = list(zip_longest(lines, told))[3:limit]
    for line, wanted in pairs:
        if line is None:
            raise ValueError(f"line {lines[-1][0] + 1}: the record breaks off here; next should come {wanted!r}")
        if wanted is None:
            raise ValueError(f"line {line[0]}: {line[1]!r} stands after the end of the record")
        if line[1] != wanted:
            raise ValueError(f"line {line[0]}: {line[1]!r} does not agree with the game, which gives {wanted!r}")
