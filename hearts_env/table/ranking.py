"""Places of the seats by their totals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hearts_env.compiled.game import Game
from hearts_env.seat.view import check_type


def ranking_of(game: Game, record: Any) -> tuple[int, ...]:
    """Place of each seat, 1 is best, by its total, its team's total or its lives, as the rules decide.

    Equal seats share a place and the next one is skipped: 1 2 2 4.
    """
    from hearts_env.kernel.ranking import count_places

    check_type(record)
    return tuple(1 + int(count_places(record, game.tables, seat)[0]) for seat in range(game.seats))


def last_places(ranking: Sequence[int]) -> tuple[int, ...]:
    """The seats that share the last place."""
    return tuple(seat for seat, place in enumerate(ranking) if place == max(ranking))
