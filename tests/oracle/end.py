"""Who stands where, and whether the match is over: targets, numbers of deals, chips, lives, ties, moons that extend."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hearts_env.ruleset.model import Rules
from tests.oracle.rules import Points, gaussian, team_mates


@dataclass
class Sheet:
    """The score sheet between two deals.

    Attributes:
        totals: per seat; the chips in a game of chips.
        deal_number: finished deals before the one that is scored.
        lives: lives left per seat, empty in a game without.
        lasted: per seat, the deals after which it still had a life.
        pool: chips in the pool.
        tie_pending: whether the match should have ended before and goes on only because the best total was shared.
        moon_extension: whether a moon has put off the end.
        winner: who has won the match by a moon.
    """

    totals: list[Points]
    deal_number: int = 0
    lives: list[int] = field(default_factory=list)
    lasted: list[int] = field(default_factory=list)
    pool: int = 0
    tie_pending: bool = False
    moon_extension: bool = False
    winner: int | None = None


def first_sheet(rules: Rules, totals: Sequence[Points] | None = None, deal_number: int = 0) -> Sheet:
    """The sheet before a deal of a match in which nobody has lost a life."""
    seats = rules.table.players
    start = list(totals) if totals is not None else [rules.score.chips or 0] * seats
    if gaussian(rules):
        start = [complex(total) for total in start]
    lives = [] if rules.end.lives is None else [rules.end.lives] * seats
    return Sheet(start, deal_number, lives, [0] * len(lives))


# Standing


def account(rules: Rules, total: Points) -> int:
    """A total as one number of which less is better."""
    if total == rules.end.exact_wins:
        return -(10**15)
    if rules.score.chips is not None or rules.score.better == "high":
        return int(-total)
    if rules.score.better == "magnitude":
        return squared(total)
    if rules.score.better == "real" and reached(rules, [total]):
        return 10**15 + squared(total)  # who is at the target has lost, the farther the worse
    return int(total.real)


def squared(number: Points) -> int:
    """The square of the absolute value."""
    whole = complex(number)
    return int(whole.real) ** 2 + int(whole.imag) ** 2


def standing(rules: Rules, totals: Sequence[Points], seat: int) -> tuple[int, ...]:
    """How a seat, or its team, stands by points; less is better."""
    accounts = [account(rules, totals[member]) for member in team_mates(rules, seat)]
    if rules.table.team_scoring == "individual":
        return (max(accounts), sum(accounts))
    return (sum(accounts),)


def _key(rules: Rules, sheet: Sheet, seat: int) -> Any:
    if sheet.winner in team_mates(rules, seat):
        return (-math.inf,)
    points = standing(rules, sheet.totals, seat)
    if not sheet.lives:
        return points
    if sheet.lives[seat]:
        return (0, 0, points)
    return (1, -sheet.lasted[seat] if rules.end.lives_out == "eliminate" else 0, points)


def oracle_ranking(rules: Rules, sheet: Sheet) -> list[int]:
    """Place of every seat: 1 plus the number of seats that stand better."""
    keys = [_key(rules, sheet, seat) for seat in range(rules.table.players)]
    return [1 + sum(other < key for other in keys) for key in keys]


def somebody_is_ahead(rules: Rules, sheet: Sheet, shooter: int) -> bool:
    """Whether anybody who is not in the shooter's team stands better than the shooter."""
    places = oracle_ranking(rules, sheet)
    return any(place < places[shooter] for seat, place in enumerate(places) if seat not in team_mates(rules, shooter))


def best_is_shared(rules: Rules, sheet: Sheet) -> bool:
    """Whether the first place belongs to more than one seat or team."""
    first = [seat for seat, place in enumerate(oracle_ranking(rules, sheet)) if place == 1]
    return any(seat not in team_mates(rules, first[0]) for seat in first)


# The end


def reached(rules: Rules, totals: Sequence[Points]) -> bool:
    """Whether a seat's or a team's total has come to the target or to the lower one."""
    end, counted = rules.end, list(totals)
    if end.exact_wins in totals:
        return True
    if rules.table.teams and rules.table.team_scoring == "sum":
        counted = [sum(totals[member] for member in team_mates(rules, seat)) for seat in range(len(totals))]
    strict = end.target_cmp == "gt"
    if end.target is not None:
        goal = end.target
        if gaussian(rules):
            goal, counted = goal**2, [squared(total) for total in counted]
        if any(total > goal or (total == goal and not strict) for total in counted):
            return True
    low = end.lower_target
    return low is not None and any(total < low or (total == low and not strict) for total in counted)


def lives_are_out(rules: Rules, lives: Sequence[int]) -> bool:
    """Whether lost lives end the match."""
    if rules.end.lives_out == "eliminate":
        return bool(lives) and sum(life > 0 for life in lives) <= 1
    return rules.end.lives_out == "end" and 0 in lives


def ends_by_itself(rules: Rules, sheet: Sheet, shot: bool | None = None) -> bool:
    """Whether the match should end after a deal, ties aside.

    `shot`: whether the moon was shot in it; only asked once a moon has put off the end.
    """
    if rules.end.max_deals is not None and sheet.deal_number + 1 >= rules.end.max_deals:
        return True
    if rules.score.chips is not None and min(sheet.totals) <= 0:
        return True
    if lives_are_out(rules, sheet.lives):
        return True
    if sheet.moon_extension:
        return shot is (rules.moon.extends == "until_next_moon")
    return reached(rules, sheet.totals)


def match_over(rules: Rules, sheet: Sheet, shot: bool | None = None) -> bool:
    """Whether the match is over after a deal; with tie=continue a shared best total keeps it going."""
    if sheet.winner is not None or (rules.end.lives_out == "end" and lives_are_out(rules, sheet.lives)):
        return True
    if rules.score.chips is not None and min(sheet.totals) <= 0:
        return True
    if rules.end.tie == "continue" and best_is_shared(rules, sheet):
        return False
    return sheet.tie_pending or ends_by_itself(rules, sheet, shot)


def puts_off_the_end(rules: Rules, sheet: Sheet, shooter: int) -> bool:
    """Whether a moon for which the others were charged makes a match go on that would be over."""
    if rules.moon.extends == "off" or sheet.moon_extension or lives_are_out(rules, sheet.lives):
        return False
    return match_over(rules, sheet) and somebody_is_ahead(rules, sheet, shooter)


def put_off(sheet: Sheet) -> Sheet:
    """The sheet of a match that a moon keeps going."""
    return replace(sheet, moon_extension=True, tie_pending=False)


def lose_lives(rules: Rules, sheet: Sheet, points: Sequence[Points]) -> Sheet:
    """The sheet after a dear deal has cost lives."""
    lives = [
        life - 1 if life and score >= rules.end.life_threshold else life
        for life, score in zip(sheet.lives, points, strict=bool(sheet.lives))
    ]
    lasted = [old + (life > 0) for old, life in zip(sheet.lasted, lives, strict=True)]
    return replace(sheet, lives=lives, lasted=lasted)


def with_exact_hits(rules: Rules, totals: Sequence[Points]) -> list[Points]:
    """The totals after every exact hit has been taken."""
    hits = dict(rules.end.exact)
    return [total + hits.get(total, 0) for total in totals]


def after_deal(
    rules: Rules, sheet: Sheet, points: Sequence[Points], shooter: int | None, way: str | None
) -> tuple[Sheet, bool, bool]:
    """What a scored deal means for the match.

    Args:
        rules: the rules.
        sheet: the sheet with the totals after the deal, exact hits taken.
        points: the points of the deal, per seat.
        shooter: who shot the moon, or None.
        way: how the moon was scored, "others" if the others were charged.

    Returns:
        The sheet with lives lost and the end put off, whether the match is over, and whether it should end, ties aside.
    """
    sheet = lose_lives(rules, sheet, points)
    if rules.moon.mode == "wins":
        sheet = replace(sheet, winner=shooter)
    shot: bool | None = shooter is not None
    if shooter is not None and way == "others" and puts_off_the_end(rules, sheet, shooter):
        sheet, shot = put_off(sheet), None
    return sheet, match_over(rules, sheet, shot), ends_by_itself(rules, sheet, shot)
