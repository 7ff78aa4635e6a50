"""One layout of observations and actions for every game, which includes its rules.

What a seat knows stands in the blocks of `hearts_env.kernel.columns` and in the counts of `hearts_env.kernel.counts`,
in rows for 64 kinds of cards, 11 seats, 10 moves of the pass and 32 ways to pass; behind it stand the rules
(`hearts_env.compiled.statics`). Cards are in the order of the pack, ways to pass in that of ``Game.options``; rows that
a game does not use hold 0. The name of the variant is nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hearts_env.cards import SUITS
from hearts_env.compiled.decisions import DECISIONS
from hearts_env.compiled.game import Game, compile_game
from hearts_env.compiled.names import names
from hearts_env.compiled.statics import WORDS, Answer, answers, statics_of
from hearts_env.kernel.columns import BLOCKS, CARD, FLAG
from hearts_env.kernel.counts import BLOCKS as COUNTS
from hearts_env.kernel.counts import SCALE
from hearts_env.kernel.records import MOVES
from hearts_env.ruleset.limits import KINDS, OPTIONS, SEATS
from hearts_env.ruleset.model import Rules
from hearts_env.seat.observation import Field
from hearts_env.variants.registry import rules as read_rules

MOST = float(np.finfo(np.float32).max)
SUIT_ROWS = len(SUITS) + 1
"""The four suits, and unsuited jokers."""
STATICS = {
    "card_rules": (KINDS,),
    "suit_rules": (SUIT_ROWS,),
    "seat_rules": (SEATS,),
    "option_rules": (OPTIONS,),
    "rules": tuple[int, ...](),
}
"""Field -> its rows, in the order of `Statics`."""
_SIZES = {
    "kinds": KINDS,
    "scoring_count": KINDS,
    "seats": SEATS,
    "options": OPTIONS,
    "lanes": MOVES,
}
SCALED = ("below", "above", "own_cards", "unseen_cards")
"""Fields that hold numbers of cards times `SCALE`."""


def layout_version(layout: str) -> int | None:
    """The version that an option ``layout=`` names: ``universal`` (the newest, None) or ``universal-1``."""
    return int(layout.removeprefix("universal-")) if layout.startswith("universal-") else None


@cache
def universal_layout(version: int | None = None) -> dict[str, Field]:
    """Field name -> `Field`, in column order, of observations under ``layout="universal"``: the same for every game.

    >>> layout = universal_layout(1)
    >>> layout["played"].shape, layout["card_rules"].shape
    ((11, 64), (64, 45))
    >>> universal_size(1)
    9140

    Args:
        version: of the layout. Version 1 never changes; columns for what is added to the rules belong to a later one.
            None for the newest, which is that of ``layout="universal"``.

    Raises:
        ValueError: there is no such version.
    """
    known = names(version)
    layout: dict[str, Field] = {}

    def add(name: str, shape: tuple[int, ...], low: float, high: float, unit: str, meaning: str) -> None:
        start = max((field.columns.stop for field in layout.values()), default=0)
        layout[name] = Field(slice(start, start + prod(shape)), shape, low, high, unit, meaning)

    for block in (block for block in BLOCKS if block.name in known.blocks):
        low, high = (0, 4) if block.unit == CARD else (0, 1) if block.unit == FLAG else (-MOST, MOST)
        unit = block.unit if block.unit in (CARD, FLAG) else "as the game's own layout has it"
        add(block.name, _shape(known.blocks[block.name]), low, high, unit, block.meaning)
    for name in known.counts:
        add(name, (KINDS,), 0, MOST, CARD, f"{name}: see hearts_env.kernel.counts")
    add("own_cards", (SUIT_ROWS,), 0, MOST, "6 cards", "own cards of each suit, unsuited jokers last")
    add("unseen_cards", (SUIT_ROWS,), 0, MOST, "6 cards", "unseen cards of each suit, unsuited jokers last")
    add("legal", (KINDS,), 0, 1, FLAG, "cards that may be played or passed now")
    for (name, rows), terms in zip(STATICS.items(), known.terms.values(), strict=True):
        add(name, (*rows, len(terms)), -MOST, MOST, "rules", ", ".join(terms))
    return layout


def _shape(sizes: Sequence[str | int]) -> tuple[int, ...]:
    return tuple(_SIZES[size] if isinstance(size, str) else size for size in sizes)


def universal_size(version: int | None = None) -> int:
    """Columns of an observation."""
    return int(universal_layout(version)["rules"].columns.stop)


def dynamic_size(version: int | None = None) -> int:
    """Columns that change in a game; those of the rules follow them."""
    return int(universal_layout(version)["card_rules"].columns.start)


@cache
def universal_actions(version: int | None = None) -> tuple[str, ...]:
    """The name of every action of a version: 64 cards, the same to expose and to refuse, 32 ways to pass, and the fixed
    answers; what has been added since version 1 follows.

    >>> len(universal_actions(1)), universal_actions(1)[3], universal_actions(1)[-1]
    (238, 'card 3', 'refuse:no')
    """
    found: list[str] = []
    for known in (names(1), names(version)):
        slots = [f"{verb} {slot}" for verb in known.verbs for slot in range(KINDS)]
        every = [*slots, *(f"direction {slot}" for slot in range(OPTIONS)), *known.answers]
        found += [name for name in every if name not in found]
    return tuple(found)


class Universal(NamedTuple):
    """The place of a game in the layout.

    Attributes:
        places: (columns,) universal column of each column of the game's own layout, then of each of its counts, int16.
        actions: (actions,) universal number of each action, int16.
        back: (universal actions,) action of each universal number, int16; -1 where the game has none.
        statics: (columns of the rules,) float32.
    """

    places: NDArray[np.int16]
    actions: NDArray[np.int16]
    back: NDArray[np.int16]
    statics: NDArray[np.float32]


@lru_cache(maxsize=512)
def universal_of(game: Game, version: int | None = None) -> Universal:
    """The place of a game in the layout.

    Raises:
        ValueError: the game needs a column or an action that the version lacks.
    """
    places, numbers = np.array(_places(game, version), np.int16), universal_actions(version)
    specials = [_action(one) for one in answers(game)]
    _check_there(game, [name for name in specials if name not in numbers], version)
    actions = np.array([*range(len(game.deck.kinds)), *map(numbers.index, specials)], np.int16)
    back = np.full(len(numbers), -1, np.int16)
    back[actions] = np.arange(len(actions))
    return Universal(places, actions, back, _statics(game, version))


def _check_there(game: Game, lacking: Sequence[str], version: int | None) -> None:
    """Raise ValueError, in one line, if a version lacks something that a game needs."""
    if lacking:
        raise ValueError(
            f"{game.rules} needs {', '.join(lacking[:3])}, which version {version} of the universal layout lacks; "
            'layout="universal" has it'
        )


@cache
def number_columns(version: int | None = None) -> NDArray[np.int16]:
    """Columns that count points, tricks and the like, and hold scaled numbers."""
    layout = universal_layout(version)
    counted = [block.name for block in BLOCKS if block.unit not in (CARD, FLAG)]
    found = [layout[name].columns for name in counted if name in layout]
    return np.concatenate([np.arange(part.start, part.stop) for part in found]).astype(np.int16)


@cache
def byte_codes(version: int | None = None) -> NDArray[np.int16]:
    """(columns that change,) place of each among `number_columns`; of others, minus what makes whole numbers of it."""
    layout, found = universal_layout(version), np.full(dynamic_size(version), -1, np.int16)
    for name in SCALED:
        found[layout[name].columns] = -round(1 / SCALE)
    found[number_columns(version)] = np.arange(len(number_columns(version)))
    return found


def byte_width(version: int | None = None) -> int:
    """Bytes of a row before its numbers: the columns that change, up to a whole number."""
    return -(-dynamic_size(version) // 4) * 4


def most_entries(game: Game, version: int | None = None) -> int:
    """An upper bound of the columns of an observation that are not 0, and one more: each card where it is and where it
    was passed, fields per seat, six counts for each own card, those of the suits, and legal cards.
    """
    t = game.tables
    passed = int(t["option_cards"].max())
    held = int(t["hand_size"]) + int(t["kitty_size"]) + passed
    most = 3 * int(t["deck_size"]) + 4 * passed + game.seats * (20 + int(t["scoring_count"])) + 8 * held + 64
    return min(most, len(universal_of(game, version).places) + KINDS) + 1


def number_units(game: Game, version: int | None = None) -> NDArray[np.float64]:
    """(number columns,) what makes whole numbers of a game's `number_columns`."""
    t, units, count = game.tables, np.ones(len(number_columns(version))), int(game.tables["numbers"])
    columns = universal_of(game, version).places[t["number_column"][:count]]
    units[byte_codes(version)[columns]] = 1 / t["number_scale"][:count]
    return units


def own_columns(game: Game) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Of each column of a game's own row, in order: its block, a place in `BLOCKS`, and what it is about: which kind of
    card, seat, way to pass and so on, along the axes of the block.
    """
    t, scoring = game.tables, int(game.tables["scoring"])
    slots: dict[str | int, Sequence[int]] = {
        "kinds": range(len(game.deck.kinds)),
        "scoring_count": [kind for kind in range(KINDS) if scoring >> kind & 1],
        "seats": range(game.seats),
        "options": range(int(t["options"])),
        "lanes": range(int(t["lanes"])),
    }
    for place, block in enumerate(BLOCKS):
        if t["column"][place] >= 0:
            axes = [slots[size] if isinstance(size, str) else range(size) for size in block.shape]
            yield from ((place, index) for index in product(*axes))


def _places(game: Game, version: int | None) -> list[int]:
    layout, kinds = universal_layout(version), len(game.deck.kinds)
    places, lacking = [], dict[str, None]()
    for place, index in own_columns(game):
        field = layout.get(BLOCKS[place].name)
        if field is None or any(at >= size for at, size in zip(index, field.shape, strict=True)):
            lacking[BLOCKS[place].name] = None
        else:
            places.append(field.columns.start + int(np.ravel_multi_index(index, field.shape)))
    _check_there(game, [*lacking, *(name for name in COUNTS if name not in layout)], version)
    for name in COUNTS:
        places += range(layout[name].columns.start, layout[name].columns.start + kinds)
    return [*places, *range(layout["own_cards"].columns.start, layout["unseen_cards"].columns.stop)]


def _action(answer: Answer) -> str:
    """The universal name of a special action."""
    phase = list(DECISIONS)[answer.phase]
    if answer.card >= 0:
        return f"{phase} {answer.card}"
    if answer.option >= 0:
        return f"direction {answer.option}"
    return f"{phase}:{SUITS[answer.suit] if answer.suit >= 0 else WORDS[answer.word]}"


def _statics(game: Game, version: int | None) -> NDArray[np.float32]:
    layout, found, lacking = universal_layout(version), [], []
    mine, wanted = names().terms, names(version).terms
    for (table, field), part in zip(zip(mine, STATICS, strict=True), statics_of(game), strict=True):
        lacking += [
            name for place, name in enumerate(mine[table]) if name not in wanted[table] and part[..., place].any()
        ]
        chosen = part[..., [mine[table].index(name) for name in wanted[table]]]
        padded = np.zeros(layout[field].shape, np.float32)
        padded[tuple(slice(size) for size in chosen.shape)] = chosen
        found.append(padded.ravel())
    _check_there(game, lacking, version)
    return np.concatenate(found)


def to_universal(
    action: int | NDArray[np.int64], variant: str | Rules = "black_lady", version: int | None = None
) -> NDArray[np.int64]:
    """The universal numbers of a game's actions, in a version of the layout.

    >>> import hearts_env as he
    >>> game = he.Match("black_lady").game
    >>> [universal_actions()[number] for number in to_universal(np.array([51, game.action("moon:others")]))]
    ['card 51', 'moon:others']

    Raises ValueError for a number that is no action of the game.
    """
    game = compile_game(read_rules(variant))
    given = _whole(action, len(game.actions), f"actions of {game.rules}")
    return universal_of(game, version).actions[given].astype(np.int64)


def from_universal(
    action: int | NDArray[np.int64], variant: str | Rules = "black_lady", version: int | None = None
) -> NDArray[np.int64]:
    """The game's actions, given their universal numbers in a version of the layout.

    >>> int(from_universal(to_universal(17, "likha"), "likha"))
    17

    Raises ValueError for a number that is no action of the game.
    """
    game = compile_game(read_rules(variant))
    given = _whole(action, len(universal_actions(version)), "universal actions")
    found = universal_of(game, version).back[given].astype(np.int64)
    if (found < 0).any():
        number = int(np.ravel(given)[np.argmax(np.ravel(found) < 0)])
        raise ValueError(f"action {number} ({universal_actions(version)[number]}) is none of {game.rules}")
    return found


def _whole(action: int | NDArray[np.int64], count: int, what: str) -> NDArray[np.int64]:
    given = np.asarray(action)
    if given.dtype.kind not in "iu" or ((given < 0) | (given >= count)).any():
        raise ValueError(f"{action} is not possible; {what} are numbers from 0 to {count - 1}")
    return given.astype(np.int64)
