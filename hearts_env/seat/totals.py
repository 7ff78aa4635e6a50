"""Totals as a caller gives them, one per seat."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from hearts_env.checks import MOST, index, listed, whole
from hearts_env.compiled.game import Game
from hearts_env.ruleset.syntax import brief, read_gaussian


def set_scores(game: Game, record: Any, totals: Sequence[Any] | None, deal_number: int) -> None:
    """Write totals and deal number into a record.

    Args:
        game: the compiled rules.
        record: the `STATE` record.
        totals: totals per seat; None for those at the start of a match (0, or the chips).
        deal_number: number of deals finished.

    Raises:
        ValueError: a wrong number of totals, or a number out of range.
    """
    given = [int(game.tables["score_chips"])] * game.seats if totals is None else per_seat(game, "totals", totals)
    numbers = [_total(game, number) for number in given]
    if None in numbers:
        kind = "Gaussian integers" if game.gaussian else "whole numbers"
        raise ValueError(f"totals={brief(given)} is not possible; totals are {kind} from {-MOST} to {MOST}")
    record["deal_number"] = whole("deal_number", deal_number, 0, MOST)
    record["totals"][: game.seats] = numbers


def _total(game: Game, number: Any) -> tuple[int, int] | None:
    """A total as its two parts; None if it is not possible. Gaussian integers are complex numbers or whole ones."""
    re, im = index(number), 0
    if re is None and game.gaussian and isinstance(number, complex):
        with suppress(ValueError):
            value = read_gaussian(number)
            re, im = int(value.real), int(value.imag)
    return None if re is None or max(abs(re), abs(im)) > MOST else (re, im)


def per_seat(game: Game, name: str, values: Sequence[Any]) -> list[Any]:
    """The values as a list. Raises ValueError unless there is one per seat."""
    given = listed(name, values)
    if len(given) != game.seats:
        raise ValueError(f"{name} has {len(given)} entries; {game.rules} needs {game.seats}, one per seat")
    return given
