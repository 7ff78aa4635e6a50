"""The meaning of each column of a network's input: a fact, and the card, suit, seat or way to pass that it is about.

A network for all rules has no weights for a column, only for a fact: the weights of a column are made from those and
from the static description of what the column is about (`hearts_env.compiled.statics`). So a fact keeps its meaning
from game to game, wherever its columns are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations, product
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hearts_env.compiled.decisions import DECISIONS
from hearts_env.compiled.game import Game, compile_game
from hearts_env.compiled.names import Names, names
from hearts_env.compiled.statics import OPTION_TERMS, SEAT_TERMS, TERMS, WORDS, Answer, Statics, answers, statics_of
from hearts_env.kernel.columns import BLOCKS
from hearts_env.kernel.counts import BLOCKS as COUNTS
from hearts_env.kernel.counts import SEAT_BLOCKS
from hearts_env.kernel.records import MOVES
from hearts_env.seat.universal import own_columns
from hearts_env.variants.registry import rules as read_rules

Index = NDArray[np.int64]
Order = tuple[int, ...]
"""The place of each suit, unsuited jokers last."""
AXES = ("card", "seat", "suit", "option", "lane")
"""The things that a column may be about; columns of `Columns.about`. A lane is a move of the pass."""
_AXIS: dict[str | int, str] = {
    "kinds": "card",
    "scoring_count": "card",
    "seats": "seat",
    4: "suit",
    "options": "option",
    "lanes": "lane",
}
"""Axis of a block of columns -> what it counts; any other axis distinguishes facts."""
LANES = MOVES
SUITS = 5
"""Clubs, diamonds, hearts, spades and the unsuited jokers."""
NOTHING = "nothing"
_CARDS, _SEATS = {"there", "copies", "below", "above"}, SEAT_TERMS.keys() - {"teammate"}
SHOWN = tuple(
    np.array([term in shown for term in terms], np.float32)
    for terms, shown in zip(TERMS.values(), (_CARDS, (), _SEATS, OPTION_TERMS, ()), strict=True)
)
"""Masks of the numbers of the statics that a table shows without the rules: the pack, the place of every seat, and the
ways to pass. In a layout of fixed places, the places of the columns give the same information."""


def _free(shape: Sequence[str | int]) -> list[int]:
    return [int(size) for size in shape if size not in _AXIS]


def facts_of(known: Names) -> tuple[str, ...]:
    """The name of every fact: those of the blocks, of the counts, and the hidden hands."""
    facts = []
    for block, shape in known.blocks.items():
        facts += [" ".join([block, *map(str, place)]) for place in product(*map(range, _free(shape)))]
    return (*facts, *known.counts, "own cards", "unseen cards", *known.seat_blocks, "hidden")


FACTS = facts_of(names())
"""The facts of this release, in the order of the columns; the last is of the critic alone."""


class Columns(NamedTuple):
    """The columns of a game's input, and those of the hidden hands behind them.

    Attributes:
        fact: (columns,) places in `FACTS`, ascending within each part.
        about: (columns, 5) which card, seat, suit, way to pass and move of the pass; -1 for none. Cards and seats are
            in the order of the statics, suits in the order of `suit_order`.
        inputs: columns without the hidden hands.
    """

    fact: Index
    about: Index
    inputs: int


@lru_cache(maxsize=512)
def told_statics(game: Game, told: str = "") -> Statics:
    """The statics that a network reads: those of the game, unless `told` replaces them to measure what they are worth.

    With `NOTHING`, all numbers are 0 except those that `SHOWN` marks. With other rules, cards and ways to pass have the
    numbers of those with the same name there, or 0 if there are none. Raises RulesError for bad rules.
    """
    own = statics_of(game)
    if not told:
        return own
    if told == NOTHING:
        return Statics(*(rows * mask for rows, mask in zip(own, SHOWN, strict=True)))
    blank = Statics(*map(np.zeros_like, own))
    other = compile_game(read_rules(told))
    statics = statics_of(other)
    for kind, name in enumerate(game.deck.kinds):
        if name in other.deck.ids:
            blank.cards[kind] = statics.cards[other.deck.ids[name]]
    ways = [option.text for option in other.options]
    for place, option in enumerate(game.options):
        if option.text in ways:
            blank.options[place] = statics.options[ways.index(option.text)]
    seats = min(game.seats, other.seats)
    blank.seats[:seats] = statics.seats[:seats]
    return blank._replace(suits=statics.suits, rules=statics.rules)


@lru_cache(maxsize=512)
def columns_of(game: Game, order: Order) -> Columns:
    """The columns of a game, with its suits in an order.

    >>> import hearts_env as he
    >>> game = he.Match("black_lady").game
    >>> columns = columns_of(game, suit_order(game))
    >>> queen = game.deck.ids["QS"]
    >>> FACTS[columns.fact[queen]], columns.about[queen].tolist() == [queen, -1, -1, -1, -1]
    ('hand', True)
    """
    kinds = len(game.deck.kinds)
    facts, abouts = [], []

    def add(fact: int, **about: int) -> None:
        facts.append(fact)
        abouts.append([about.get(axis, -1) for axis in AXES])

    first = np.cumsum([0, *(prod(_free(block.shape)) for block in BLOCKS)]).tolist()
    for place, index in own_columns(game):
        fact, about = 0, dict[str, int]()
        for size, at in zip(BLOCKS[place].shape, index, strict=True):
            if size in _AXIS:
                about[_AXIS[size]] = order[at] if _AXIS[size] == "suit" else at
            else:
                fact = fact * int(size) + at
        add(first[place] + fact, **about)
    count = first[-1]
    for block, kind in product(range(len(COUNTS)), range(kinds)):
        add(count + block, card=kind)
    for block, suit in product(range(2), order):
        add(count + len(COUNTS) + block, suit=suit)
    for block, seat in product(range(len(SEAT_BLOCKS)), range(game.seats)):
        add(count + len(COUNTS) + 2 + block, seat=seat)
    inputs = len(facts)
    for seat, kind in product(range(1, game.seats), range(kinds)):
        add(len(FACTS) - 1, card=kind, seat=seat)
    return Columns(np.array(facts), np.array(abouts), inputs)


@lru_cache(maxsize=512)
def suit_order(game: Game, told: str = "") -> Order:
    """The place of each suit (C, D, H, S, unsuited jokers) in an order that follows from the rules, not from names:
    hearts first, then by what their cards cost, whether they open, and how many cards they have. Suits that the rules
    do not distinguish stay in the order of the pack.
    """
    suits = told_statics(game, told).suits
    heart, cost, opens, cards = (suits[:, column] for column in (1, 4, 7, 0))
    order = sorted(range(4), key=lambda suit: (-heart[suit], -abs(cost[suit]), -opens[suit], -cards[suit], suit))
    return (*(order.index(suit) for suit in range(4)), 4)


def suit_orders(game: Game, told: str = "") -> tuple[Order, ...]:
    """`suit_order`, and every order that differs from it only in suits that the rules do not distinguish; `suit_order`
    alone if `told` replaces the rules.

    >>> import hearts_env as he
    >>> suit_orders(he.Match("black_maria").game)  # clubs and diamonds
    ((2, 3, 0, 1, 4), (3, 2, 0, 1, 4))
    """
    order = suit_order(game, told)
    if told:
        return (order,)
    renamings = (renamed for renamed in permutations(range(4)) if _is_same(game, renamed))
    return tuple((*(order[suit] for suit in renamed), 4) for renamed in renamings)


def _is_same(game: Game, names: Sequence[int]) -> bool:
    """True if the rules stay the same when each suit has the name of another."""
    statics, suit_of = statics_of(game), game.tables["suit_of"][: len(game.deck.kinds)]
    own, kinds = [np.flatnonzero(suit_of == suit) for suit in range(4)], np.arange(len(suit_of))
    for suit, name in enumerate(names):
        if len(own[suit]) != len(own[name]):
            return False
        kinds[own[suit]] = own[name]
    same_cards = np.array_equal(statics.cards[kinds], statics.cards)
    return same_cards and np.array_equal(statics.suits[[*names, 4]], statics.suits)


def special_actions(game: Game, order: Order) -> tuple[Answer, ...]:
    """The special actions of a game, suits by their places in an order."""
    return tuple(a._replace(suit=order[a.suit]) if a.suit >= 0 else a for a in answers(game))


class Described(NamedTuple):
    """A game as a network for all rules reads it; arrays, or torch's tensors of them.

    Attributes:
        cards, suits, seats, options, rules: the statics; cards and suits with the place of the suit, one-hot.
        fact, about: of the columns; see `Columns`.
        specials: (special actions, phases + words) one-hot.
        named: (special actions, 3) the card, suit and way to pass that each names, or -1.
        sizes: (5,) cards, seats, suits and ways to pass of the game; moves of the pass are the same in all.
        inputs: columns without the hidden hands.
    """

    cards: Any
    suits: Any
    seats: Any
    options: Any
    rules: Any
    fact: Any
    about: Any
    specials: Any
    named: Any
    sizes: Any
    inputs: int


def describe(game: Game, told: str = "", order: Order | None = None) -> Described:
    """A game as a network for all rules reads it, float32 and int64; `told` as in `told_statics`; `order` is one of the
    `suit_orders` of the game, by default the first.
    """
    order = order or suit_order(game, told)
    statics, columns = told_statics(game, told), columns_of(game, order)
    places = np.eye(SUITS, dtype=np.float32)
    suit_of = game.tables["suit_of"][: len(game.deck.kinds)].astype(np.int64)
    cards = np.concatenate([statics.cards, places[np.array(order)[suit_of]]], axis=1)
    suits = np.concatenate([statics.suits[np.argsort(order)], places], axis=1)
    answers = special_actions(game, order)
    specials = np.zeros((len(answers), len(DECISIONS) + len(WORDS)), np.float32)
    named = np.zeros((len(answers), 3), np.int64)
    for row, answer in enumerate(answers):
        specials[row, answer.phase] = 1
        if answer.word >= 0:
            specials[row, len(DECISIONS) + answer.word] = 1
        named[row] = answer.card, answer.suit, answer.option
    sizes = np.array([len(cards), len(statics.seats), SUITS, len(statics.options), 0])
    rest = columns.fact, columns.about, specials, named, sizes, columns.inputs
    return Described(cards, suits, statics.seats, statics.options, statics.rules, *rest)
