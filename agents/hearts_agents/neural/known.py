"""The inputs of a network for all rules, by name, so that rules may be added after it was trained.

A saved network keeps the names of its inputs. Read by a later release, it gets weights of 0 for every name that has
been added since, and so plays all games that it knows as before. Saved again, it names only the rules that it has
learned.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_agents.neural.features import SUITS, columns_of, facts_of, suit_order
from hearts_env.compiled.game import Game
from hearts_env.compiled.names import names
from hearts_env.compiled.statics import TERMS, answers, statics_of

Known = Mapping[str, Sequence[str]]
"""Table -> the names in it, in order: those of `names.Names.terms`, ``decisions``, ``words``, ``facts``, ``counts``."""
PLACES: Sequence[str] = tuple(f"place {suit}" for suit in range(SUITS))
"""Of the suit of a card, or of a suit: one-hot, behind the terms."""
AXES = {
    "cards.0.weight": (1, ("cards", PLACES)),
    "suits.0.weight": (1, ("suits", PLACES)),
    "seats.0.weight": (1, ("seats",)),
    "options.0.weight": (1, ("options",)),
    "rules.0.weight": (1, ("rules",)),
    "specials.0.weight": (1, ("decisions", "words")),
    "facts": (0, ("facts",)),
    "card_head.weight": (0, ("counts",)),
    "card_head.bias": (0, ("counts",)),
}
"""Weights -> the axis that has an entry for each name, and the tables of these names; other entries come before."""


@cache
def known_names(version: int | None = None) -> Known:
    """The names that a network of a version reads; None for this release."""
    found = names(version)
    inputs = {"facts": facts_of(found), "counts": found.counts}
    return {**found.terms, "decisions": found.decisions, "words": found.words, **inputs}


@cache
def first_digest() -> str:
    """The digest that stands in files without names, whose names are version 1's."""
    first = known_names(1)
    terms = [list(first[table]) for table in (*TERMS, "decisions")]
    return hashlib.sha256(repr((terms, tuple(first["facts"]), tuple(first["words"]))).encode()).hexdigest()[:16]


def check_known(known: Known) -> None:
    """Raise ValueError unless this release has every name, once."""
    mine = known_names()
    if known.keys() != mine.keys():
        raise ValueError(f"its names are of {', '.join(known)}; they are of {', '.join(mine)}")
    for table, of in known.items():
        if len({*of}) < len(of):
            raise ValueError(f"a name stands twice among those of {table}")
        if gone := [name for name in of if name not in mine[table]]:
            raise ValueError(f"it reads {gone[0]!r} of the {table}, which this release does not have; train it again")


def with_all_names(weights: Mapping[str, NDArray[Any]], known: Known) -> dict[str, NDArray[Any]]:
    """The weights of a network with zeros for the names of this release that it does not know, in this order."""
    return _renamed(weights, known, known_names())


def with_learned_names(weights: Mapping[str, NDArray[Any]]) -> tuple[dict[str, NDArray[Any]], Known]:
    """The weights of a policy of this release without names whose weights are all 0, and the names that stay.

    A term of rules without weights was added after the policy was trained. Of the inputs only the hidden hands are left
    out, which a policy does not read: others may be ignored on purpose.
    """
    mine, gone = known_names(), set[tuple[Any, str]]()
    for name, (axis, tables) in AXES.items():
        listed = _listed(tables, mine)
        rows = np.moveaxis(weights[name], axis, 0)[-len(listed) :]
        gone |= {named for named, row in zip(listed, rows, strict=True) if not row.any()}
    gone -= {(table, name) for table in ("facts", "counts") for name in mine[table] if name != "hidden"}
    known = {table: tuple(name for name in of if (table, name) not in gone) for table, of in mine.items()}
    return _renamed(weights, mine, known), known


def _renamed(weights: Mapping[str, NDArray[Any]], known: Known, wanted: Known) -> dict[str, NDArray[Any]]:
    """Weights by the names in one table as those by the names in another; those of new names are 0."""
    found = dict(weights)
    for name, (axis, tables) in AXES.items():
        old, new = (_listed(tables, of) for of in (known, wanted))
        if old != new:
            found[name] = _placed(weights[name], axis, old, new)
    return found


def _listed(tables: Sequence[str | Sequence[str]], known: Known) -> list[tuple[Any, str]]:
    """The names of some tables, each with its table: words and decisions may be spelt alike."""
    return [(table, name) for table in tables for name in (known[table] if isinstance(table, str) else table)]


def _placed(
    weights: NDArray[Any], axis: int, old: Sequence[tuple[Any, str]], new: Sequence[tuple[Any, str]]
) -> NDArray[Any]:
    """Weights whose last entries along an axis are those of `old`, as those of `new`."""
    rows = np.moveaxis(weights, axis, 0)
    before = len(rows) - len(old)
    place = {name: before + number for number, name in enumerate(old)}
    taken = [*range(before), *(place.get(name, len(rows)) for name in new)]
    found = np.concatenate([rows, np.zeros((1, *rows.shape[1:]), rows.dtype)])[taken]
    return np.ascontiguousarray(np.moveaxis(found, 0, axis))


def unread(known: Known, game: Game) -> list[str]:
    """The names that a game uses and a network does not know."""
    mine, used = known_names(), dict[str, set[str]]()
    there: list[bool]
    for table, rows in zip(TERMS, statics_of(game), strict=True):
        there = np.any(np.atleast_2d(rows), axis=0).tolist()
        used[table] = {name for name, is_used in zip(mine[table], there, strict=True) if is_used}
    specials = answers(game)
    used["decisions"] = {mine["decisions"][answer.phase] for answer in specials}
    used["words"] = {mine["words"][answer.word] for answer in specials if answer.word >= 0}
    observed = columns_of(game, suit_order(game)).fact[: int(game.tables["obs_size"])]  # the counts follow from it
    used["facts"] = {mine["facts"][fact] for fact in np.unique(observed)}
    return [name for table, of in used.items() for name in mine[table] if name in of - {*known[table]}]
