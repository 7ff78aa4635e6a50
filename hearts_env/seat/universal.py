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
from hearts_env.compiled.statics import TERMS, WORDS, Answer, answers, statics_of
from hearts_env.kernel.columns import BLOCKS, CARD, FLAG, Block
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
_FIXED = {
    "expose": ("done",),
    "pledge": ("yes", "no"),
    "suit": SUITS,
    "moon": ("self", "others"),
    "sign": ("plus", "minus"),
    "exact": ("yes", "no"),
    "refuse": ("no",),
}
"""Answers with an action of their own; others name a card or a way to pass."""
SCALED = ("below", "above", "own_cards", "unseen_cards")
"""Fields that hold numbers of cards times `SCALE`."""


@cache
def universal_layout() -> dict[str, Field]:
    """Field name -> `Field`, in column order, of observations under ``layout="universal"``: the same for every game.

    >>> layout = universal_layout()
    >>> layout["played"].shape, layout["card_rules"].shape
    ((11, 64), (64, 45))
    >>> universal_size()
    9140
    """
    layout: dict[str, Field] = {}

    def add(name: str, shape: tuple[int, ...], low: float, high: float, unit: str, meaning: str) -> None:
        start = max((field.columns.stop for field in layout.values()), default=0)
        layout[name] = Field(slice(start, start + prod(shape)), shape, low, high, unit, meaning)

    for block in BLOCKS:
        low, high = (0, 4) if block.unit == CARD else (0, 1) if block.unit == FLAG else (-MOST, MOST)
        unit = block.unit if block.unit in (CARD, FLAG) else "as the game's own layout has it"
        add(block.name, _shape(block), low, high, unit, block.meaning)
    for name in COUNTS:
        add(name, (KINDS,), 0, MOST, CARD, f"{name}: see hearts_env.kernel.counts")
    add("own_cards", (SUIT_ROWS,), 0, MOST, "6 cards", "own cards of each suit, unsuited jokers last")
    add("unseen_cards", (SUIT_ROWS,), 0, MOST, "6 cards", "unseen cards of each suit, unsuited jokers last")
    add("legal", (KINDS,), 0, 1, FLAG, "cards that may be played or passed now")
    for (name, rows), terms in zip(STATICS.items(), TERMS, strict=True):
        add(name, (*rows, len(terms)), -MOST, MOST, "rules", ", ".join(terms))
    return layout


def _shape(block: Block) -> tuple[int, ...]:
    return tuple(_SIZES[size] if isinstance(size, str) else size for size in block.shape)


def universal_size() -> int:
    """Columns of an observation."""
    return int(universal_layout()["rules"].columns.stop)


def dynamic_size() -> int:
    """Columns that change in a game; those of the rules follow them."""
    return int(universal_layout()["card_rules"].columns.start)


@cache
def universal_actions() -> tuple[str, ...]:
    """The name of every action: 64 cards, the same to expose and to refuse, 32 ways to pass, and the fixed answers.

    >>> len(universal_actions()), universal_actions()[3], universal_actions()[-1]
    (238, 'card 3', 'refuse:no')
    """
    names = [f"{verb} {slot}" for verb in ("card", "expose", "refuse") for slot in range(KINDS)]
    names += [f"direction {slot}" for slot in range(OPTIONS)]
    return (*names, *(f"{phase}:{word}" for phase, words in _FIXED.items() for word in words))


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
def universal_of(game: Game) -> Universal:
    """The place of a game in the layout."""
    places = np.array(_places(game), np.int16)
    actions = np.array([*range(len(game.deck.kinds)), *(_action(one) for one in answers(game))], np.int16)
    back = np.full(len(universal_actions()), -1, np.int16)
    back[actions] = np.arange(len(actions))
    return Universal(places, actions, back, _statics(game))


@cache
def number_columns() -> NDArray[np.int16]:
    """Columns that count points, tricks and the like, and hold scaled numbers."""
    layout = universal_layout()
    found = [layout[block.name].columns for block in BLOCKS if block.unit not in (CARD, FLAG)]
    return np.concatenate([np.arange(part.start, part.stop) for part in found]).astype(np.int16)


@cache
def byte_codes() -> NDArray[np.int16]:
    """(columns that change,) place of each among `number_columns`; of others, minus what makes whole numbers of it."""
    layout, found = universal_layout(), np.full(dynamic_size(), -1, np.int16)
    for name in SCALED:
        found[layout[name].columns] = -round(1 / SCALE)
    found[number_columns()] = np.arange(len(number_columns()))
    return found


def byte_width() -> int:
    """Bytes of a row before its numbers: the columns that change, up to a whole number."""
    return -(-dynamic_size() // 4) * 4


def most_entries(game: Game) -> int:
    """An upper bound of the columns of an observation that are not 0, and one more: each card where it is and where it
    was passed, fields per seat, six counts for each own card, those of the suits, and legal cards.
    """
    t = game.tables
    passed = int(t["option_cards"].max())
    held = int(t["hand_size"]) + int(t["kitty_size"]) + passed
    most = 3 * int(t["deck_size"]) + 4 * passed + game.seats * (20 + int(t["scoring_count"])) + 8 * held + 64
    return min(most, len(universal_of(game).places) + KINDS) + 1


def number_units(game: Game) -> NDArray[np.float64]:
    """(number columns,) what makes whole numbers of a game's `number_columns`."""
    t, units, count = game.tables, np.ones(len(number_columns())), int(game.tables["numbers"])
    columns = universal_of(game).places[t["number_column"][:count]]
    units[byte_codes()[columns]] = 1 / t["number_scale"][:count]
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


def _places(game: Game) -> list[int]:
    layout, kinds = universal_layout(), len(game.deck.kinds)
    places = []
    for place, index in own_columns(game):
        field = layout[BLOCKS[place].name]
        places.append(field.columns.start + int(np.ravel_multi_index(index, field.shape)))
    for name in COUNTS:
        places += range(layout[name].columns.start, layout[name].columns.start + kinds)
    return [*places, *range(layout["own_cards"].columns.start, layout["unseen_cards"].columns.stop)]


def _action(answer: Answer) -> int:
    """The universal number of a special action."""
    phase = list(DECISIONS)[answer.phase]
    if answer.card >= 0:
        return KINDS * (1 + ("expose", "refuse").index(phase)) + answer.card
    if answer.option >= 0:
        return 3 * KINDS + answer.option
    word = SUITS[answer.suit] if answer.suit >= 0 else WORDS[answer.word]
    return universal_actions().index(f"{phase}:{word}")


def _statics(game: Game) -> NDArray[np.float32]:
    layout, found = universal_layout(), []
    for name, part in zip(STATICS, statics_of(game), strict=True):
        padded = np.zeros(layout[name].shape, np.float32)
        padded[tuple(slice(size) for size in part.shape)] = part
        found.append(padded.ravel())
    return np.concatenate(found)


def to_universal(action: int | NDArray[np.int64], variant: str | Rules = "black_lady") -> NDArray[np.int64]:
    """The universal numbers of a game's actions.

    >>> import hearts_env as he
    >>> game = he.Match("black_lady").game
    >>> [universal_actions()[number] for number in to_universal(np.array([51, game.action("moon:others")]))]
    ['card 51', 'moon:others']

    Raises ValueError for a number that is no action of the game.
    """
    game = compile_game(read_rules(variant))
    given = _whole(action, len(game.actions), f"actions of {game.rules}")
    return universal_of(game).actions[given].astype(np.int64)


def from_universal(action: int | NDArray[np.int64], variant: str | Rules = "black_lady") -> NDArray[np.int64]:
    """The game's actions, given their universal numbers.

    >>> int(from_universal(to_universal(17, "likha"), "likha"))
    17

    Raises ValueError for a number that is no action of the game.
    """
    game = compile_game(read_rules(variant))
    given = _whole(action, len(universal_actions()), "universal actions")
    found = universal_of(game).back[given].astype(np.int64)
    if (found < 0).any():
        number = int(np.ravel(given)[np.argmax(np.ravel(found) < 0)])
        raise ValueError(f"action {number} ({universal_actions()[number]}) is none of {game.rules}")
    return found


def _whole(action: int | NDArray[np.int64], count: int, what: str) -> NDArray[np.int64]:
    given = np.asarray(action)
    if given.dtype.kind not in "iu" or ((given < 0) | (given >= count)).any():
        raise ValueError(f"{action} is not possible; {what} are numbers from 0 to {count - 1}")
    return given.astype(np.int64)
