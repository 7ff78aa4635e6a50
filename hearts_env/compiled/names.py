"""The names of everything that a network for all rules reads, and that the universal layout has columns for.

Names may be added, never renamed. Version 1 is frozen in ``names_1.json``: files without names, and layouts of
version 1, have exactly these, whatever is added later. Other names belong to version 2, which still grows.

>>> names().blocks["hand"], set(names(1).terms["rules"]) <= set(names().terms["rules"])
(('kinds',), True)
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from hearts_env.cards import SUITS
from hearts_env.compiled.decisions import DECISIONS
from hearts_env.compiled.statics import TERMS, WORDS
from hearts_env.kernel.columns import BLOCKS
from hearts_env.kernel.counts import BLOCKS as COUNTS
from hearts_env.kernel.counts import SEAT_BLOCKS

VERBS = ("card", "expose", "refuse")
"""Actions that name a card in the universal layout: to play or pass it, to show it, to refuse it."""
ANSWERS = {
    "expose": ("done",),
    "pledge": ("yes", "no"),
    "suit": SUITS,
    "moon": ("self", "others"),
    "sign": ("plus", "minus"),
    "exact": ("yes", "no"),
    "refuse": ("no",),
}
"""Phase -> its answers with a universal action of their own; others name a card or a way to pass."""
FROZEN = (1,)
"""The frozen versions, each in a file ``names_<version>.json``."""


class Names(NamedTuple):
    """Names in their order.

    Attributes:
        terms: table of the statics -> its terms.
        decisions: phases in which something is decided.
        words: answers that are no card, suit or way to pass.
        blocks: block of the observation -> its shape.
        counts: blocks of `hearts_env.kernel.counts`.
        verbs: see `VERBS`.
        answers: see `ANSWERS`, as ``phase:answer``.
        seat_blocks: those of `hearts_env.kernel.counts`, which networks read; the universal layout does not have them.
    """

    terms: Mapping[str, tuple[str, ...]]
    decisions: tuple[str, ...]
    words: tuple[str, ...]
    blocks: Mapping[str, tuple[str | int, ...]]
    counts: tuple[str, ...]
    verbs: tuple[str, ...]
    answers: tuple[str, ...]
    seat_blocks: tuple[str, ...] = ()


@cache
def names(version: int | None = None) -> Names:
    """The names of a version; None for those of this release.

    Raises:
        ValueError: there is no such version.
    """
    if version in FROZEN:
        return _frozen(version)
    if version is not None and version != newest():
        raise ValueError(f"version={version} is not possible; there are versions 1 to {newest()}")
    terms = {table: tuple(of) for table, of in TERMS.items()}
    blocks = {block.name: block.shape for block in BLOCKS}
    answers = tuple(f"{phase}:{word}" for phase, words in ANSWERS.items() for word in words)
    return Names(terms, tuple(DECISIONS), WORDS, blocks, COUNTS, VERBS, answers, SEAT_BLOCKS)


@cache
def newest() -> int:
    """The version that has all names of this release: the last frozen one, or the next where names have been added."""
    return FROZEN[-1] + (names() != _frozen(FROZEN[-1]))


def _frozen(version: int) -> Names:
    found = json.loads(Path(__file__).with_name(f"names_{version}.json").read_text(encoding="utf-8"))
    terms, blocks = ({key: tuple(values) for key, values in found[part].items()} for part in ("terms", "blocks"))
    return Names(terms, blocks=blocks, **{key: tuple(found[key]) for key in found.keys() - {"terms", "blocks"}})
