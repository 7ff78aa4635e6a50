"""The published layout of observations: the blocks of `hearts_env.kernel.columns` that a game has."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import prod

import numpy as np
from numpy.typing import NDArray

from hearts_env.checks import array_of
from hearts_env.compiled.fill import shape_of
from hearts_env.compiled.game import Game, compile_game
from hearts_env.kernel.columns import BLOCKS, CARD, FLAG, Block
from hearts_env.ruleset.model import Rules
from hearts_env.variants.registry import rules as read_rules


@dataclass(frozen=True)
class Field:
    """A named part of an observation.

    Attributes:
        columns: its columns in the row.
        shape: shape of the field: ``row[columns].reshape(shape)``; seats are relative, 0 is the observer.
        low: least value.
        high: greatest value.
        unit: what a value of 1 stands for.
        meaning: one line.
    """

    columns: slice
    shape: tuple[int, ...]
    low: float
    high: float
    unit: str
    meaning: str


def observation_layout(variant: str | Rules = "black_lady") -> dict[str, Field]:
    """Field name -> `Field`, in column order, of a variant's observations.

    >>> import hearts_env as he
    >>> layout = he.observation_layout("black_lady")
    >>> layout["totals"].columns, layout["totals"].unit
    (slice(652, 656, None), '100 points')
    >>> row = he.Match("black_lady", seed=7).view(0).observation()
    >>> row[layout["hand"].columns].sum()  # cards held
    np.float32(13.0)

    Raises RulesError for rules that are unknown, misspelled or contradictory.
    """
    return layout_of(compile_game(read_rules(variant)))


@lru_cache(maxsize=256)
def layout_of(game: Game) -> dict[str, Field]:
    """The layout of a compiled game."""
    t, layout = game.tables, dict[str, Field]()
    for place, block in enumerate(BLOCKS):
        start = int(t["column"][place])
        if start >= 0:
            shape = shape_of(t, block)
            low, high, unit = _range_of(game, block)
            layout[block.name] = Field(slice(start, start + prod(shape)), shape, low, high, unit, block.meaning)
    return layout


def _range_of(game: Game, block: Block) -> tuple[float, float, str]:
    """Lowest and highest value of a block, and what a value of 1 stands for."""
    t, most = game.tables, float(np.finfo(np.float32).max)
    if block.unit == CARD:
        return 0, float(t["copies"]), CARD
    if block.unit == "points":
        low, high = (points * float(t["point_scale"]) for points in game.point_bounds)
        return low, high, f"{round(1 / float(t['point_scale']))} points"
    if block.unit == "totals":
        lowest = 0 if block.present == "score_chips" else -most
        return lowest, most, f"{round(1 / float(t['total_scale']))} points"
    units = {
        FLAG: FLAG,
        "tricks": f"{game.hand_size} tricks",
        "trick": f"{game.hand_size} tricks",
        "deals": "16 deals",
        "lives": f"{game.rules.end.lives} lives",
        "kitty": f"{t['kitty_size']} cards",
    }
    return 0, most if block.unit == "deals" else 1, units[block.unit]


def widen_observations(rows: NDArray[np.uint8], variant: str | Rules = "black_lady") -> NDArray[np.float32]:
    """Observations in bytes, as ``vector_env(..., observations="uint8")`` returns them, as float32: exactly equal.

    A row of bytes has the columns of `observation_layout`. Fields whose unit is ``card`` or ``flag`` have the values of
    the float32 row there. The columns of all other fields hold 0, and their numbers follow behind the last column, in
    the order of the columns: int32, the lowest byte first, in points, tricks, deals and so on, without the scale.

    Args:
        rows: uint8 (..., bytes).
        variant: the rules, such as ``env.game.rules``.

    Returns:
        float32 (..., columns), a new array.

    >>> import hearts_env as he
    >>> env = he.vector_env("black_lady", 2, observations="uint8")
    >>> rows, infos = env.reset(seed=7)
    >>> rows.dtype, rows.shape, he.widen_observations(rows).shape
    (dtype('uint8'), (2, 740), (2, 684))

    Raises:
        RulesError: rules that are unknown, misspelled or contradictory.
        ValueError: rows of another type or length.
    """
    t = compile_game(read_rules(variant)).tables
    shape = np.shape(rows)[:-1]
    rows = array_of("rows", rows, np.uint8, (*shape, int(t["byte_size"])))
    columns, count = int(t["obs_size"]), int(t["numbers"])
    wide = rows[..., :columns].astype(np.float32)
    numbers = np.ascontiguousarray(rows[..., columns:]).view("<i4").astype(np.float32)
    wide[..., t["number_column"][:count]] = numbers * t["number_scale"][:count]  # in float64, rounded once
    return wide


def observation_bounds(game: Game) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Lowest and highest value of every column, each of shape (columns,)."""
    fields = layout_of(game).values()
    low = np.concatenate([np.full(f.columns.stop - f.columns.start, f.low, np.float32) for f in fields])
    high = np.concatenate([np.full(f.columns.stop - f.columns.start, f.high, np.float32) for f in fields])
    return low, high


def token_shape(game: Game) -> tuple[int, int]:
    """Length of a row of tokens, and size of their vocabulary.

    A row lists the cards that a seat passed, received and saw played, in order, padded with 0. A token is
    1 + kinds * source + kind, where source is the relative seat that played the card, `seats` for a passed card and
    `seats` + 1 for a received one.

    >>> from hearts_env.compiled.game import compile_game
    >>> import hearts_env as he
    >>> token_shape(compile_game(he.rules("black_lady")))
    (58, 313)
    """
    passed = max(sum(move.count for move in option.moves) for option in game.options)
    return len(game.deck) + 2 * passed, 1 + len(game.deck.kinds) * (game.seats + 2)
