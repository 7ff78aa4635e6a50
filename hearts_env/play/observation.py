"""The published layout of observations: named fields of the float32 row that the kernel writes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hearts_env.checks import array_of
from hearts_env.compiled.game import Game, compile_game
from hearts_env.kernel.records import COMMON_PHASES
from hearts_env.ruleset.enums import Duplicates, MoonSign
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
def layout_of(game: Game) -> dict[str, Field]:  # noqa: PLR0912 - a branch a rule
    """The layout of a compiled game."""
    t, seats, kinds = game.tables, game.seats, len(game.deck.kinds)
    copies, lanes = float(t["copies"]), int(t["lanes"])
    most = float(np.finfo(np.float32).max)
    rules = game.rules
    fewest, greatest = (points * float(t["point_scale"]) for points in game.point_bounds)
    point_unit, total_unit = (f"{round(1 / float(t[scale]))} points" for scale in ("point_scale", "total_scale"))
    rows: list[tuple[str, tuple[int, ...], float, float, str, str]] = [
        ("hand", (kinds,), 0, copies, "card", "own cards"),
        ("passed", (lanes, kinds), 0, copies, "card", "cards passed, per move of the pass"),
        ("received", (lanes, kinds), 0, copies, "card", "cards received, per move of the pass"),
        ("played", (seats, kinds), 0, copies, "card", "cards played in this deal, by seat"),
        ("trick", (seats, kinds), 0, copies, "card", "cards played to the current trick, by seat"),
        ("scoring_taken", (seats, int(t["scoring_count"])), 0, copies, "card", "scoring cards taken, by seat"),
        ("voids", (seats, 4), 0, 1, "flag", "suits (C D H S) a seat has been shown to lack"),
        ("tricks_won", (seats,), 0, 1, f"{game.hand_size} tricks", "tricks won in this deal"),
        (
            "points",
            (seats,),
            fewest,
            greatest,
            point_unit,
            "points of the cards taken in this deal",
        ),
        ("totals", (seats,), -most, most, total_unit, "totals before this deal"),
        ("leader", (seats,), 0, 1, "flag", "who leads the current trick"),
        ("dealer", (seats,), 0, 1, "flag", "who dealt"),
        ("led_suit", (4,), 0, 1, "flag", "suit led (C D H S)"),
        ("phase", (len(COMMON_PHASES),), 0, 1, "flag", ", ".join(phase.name.lower() for phase in COMMON_PHASES)),
        ("direction", (len(game.options),), 0, 1, "flag", "how this deal is passed, in the order of Game.options"),
        ("broken", (1,), 0, 1, "flag", "whether hearts are broken"),
        ("trick_number", (1,), 0, 1, f"{game.hand_size} tricks", "tricks played"),
        ("deal_number", (1,), 0, most, "16 deals", "deals finished"),
    ]
    if game.gaussian:
        rows += [
            ("points_im", (seats,), fewest, greatest, point_unit, "imaginary part of points"),
            ("totals_im", (seats,), -most, most, total_unit, "imaginary part of totals"),
        ]
    if t["exposures"]:
        rows.append(("exposed", (seats, kinds), 0, 1, "flag", "cards shown before play, by seat"))
    if t["score_pledge"]:
        rows.append(("pledges", (2, seats), 0, 1, "flag", "who has pledged to take no heart, who has declined to"))
    if t["score_chips"]:
        rows.append(("pool", (1,), 0, most, total_unit, "chips in the pool"))
    if t["end_lives"]:
        rows.append(("lives", (seats,), 0, 1, f"{rules.end.lives} lives", "lives left"))
    if rules.trick.duplicates is Duplicates.CANCEL:
        rows.append(("rolled", (kinds,), 0, copies, "card", "cards of dead tricks that wait for the next winner"))
    if t["kitty_size"]:
        rows += [
            ("kitty", (kinds,), 0, copies, "card", "cards of the kitty that this seat took"),
            ("kitty_taken", (seats,), 0, 1, f"{t['kitty_size']} cards", "cards of the kitty each seat took"),
        ]
    if t["moon_extends"]:
        rows.append(("extended", (1,), 0, 1, "flag", "whether a moon keeps the match going"))
    if t["refusals"]:
        rows += [
            ("refusing", (1,), 0, 1, "flag", "whether the decision is to refuse a card"),
            ("handed_back", (seats, kinds), 0, 1, "flag", "cards that came back because they were refused, by seat"),
        ]
    if rules.moon.sign is MoonSign.CHOSEN:
        rows += [
            ("sign_for", (seats,), 0, 1, "flag", "for whom the shooter chooses a sign now"),
            ("signs", (2, seats), 0, 1, "flag", "who is charged the award with sign plus, who with sign minus"),
        ]
    layout: dict[str, Field] = {}
    start = 0
    for name, shape, low, high, unit, meaning in rows:
        size = int(np.prod(shape))
        layout[name] = Field(slice(start, start + size), shape, low, high, unit, meaning)
        start += size
    return layout


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
