"""Reading the frozen splits."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from hearts_env.benchmark.digest import rules_digest
from hearts_env.benchmark.domain import VERSION, of_deals
from hearts_env.ruleset.model import Rules

CHAINS = 5
"""Independent training sets; the first 1, 4, 16 and 64 rules of each are training sets too."""
SIZES = (1, 4, 16, 64, 256)
TRAINING = tuple(f"train_{chain}" for chain in range(CHAINS))
TESTS = ("B", "C", "D", "E", "matches")
"""Splits that nothing may be trained on or chosen by."""
SPLITS = (*TRAINING, "V", *TESTS, "P")
SEEN = "A"


class SplitRule(NamedTuple):
    """A rule of a split.

    Attributes:
        rules: text, as changes of Basic Hearts.
        digest: `hearts_env.benchmark.digest.rules_digest` of it, without what changes nothing in a single deal.
        why: the trait that no training rule has; in P the name of the variant.
        seed: of the draw; None in P.
        random: what the agent ``random`` loses alone among ``rule``: ``margin`` and ``error`` in points a deal, over so
            many ``deals``; and ``sd``, the standard deviation of a seat's margin in a deal among ``rule`` alone.
        golden: ``dealt``, a digest of the first hands; ``rule`` and, in tests, ``pimc``: of what the reference does.
    """

    rules: str
    digest: str
    why: str
    seed: int | None
    random: Mapping[str, float]
    golden: Mapping[str, str]


@cache
def split(name: str) -> tuple[SplitRule, ...]:
    """The rules of a split: ``train_0`` to ``train_4`` of 256 each, ``V`` for development, or a test.

    ``A`` is the first rule of each training set, which agents of all sizes have seen. A number after a colon takes
    fewer: the first ones of a training set, and of other splits rules at equal distances.

    >>> [len(split(name)) for name in ("train_0", "C", "P", "A", "train_3:64", "C:16")]
    [256, 128, 34, 5, 64, 16]

    Raises:
        ValueError: there is no such split, or it has fewer rules.
    """
    name, colon, count = name.partition(":")
    if colon:
        lines = split(name)
        if not count.isdecimal() or not 1 <= int(count) <= len(lines):
            raise ValueError(f"{name}:{count} is not possible; {name} has {len(lines)} rules")
        size = int(count)
        if name in TRAINING:
            return lines[:size]
        return tuple(lines[place * len(lines) // size] for place in range(size))
    if name == SEEN:
        return tuple(split(chain)[0] for chain in TRAINING)
    if name not in SPLITS:
        raise ValueError(f"{name!r} is not a split; splits are {', '.join((SEEN, *SPLITS))}")
    text = files("hearts_env.benchmark").joinpath(f"v{VERSION}/{name}.jsonl").read_text("utf-8")
    return tuple(SplitRule(**json.loads(line)) for line in text.splitlines())


@cache
def held_out() -> Mapping[str, str]:
    """Digest -> the split that holds it back, for every rule that nothing may be trained on: tests and V."""
    return {rule.digest: name for name in ("V", *TESTS) for rule in split(name)}


def withheld_in(rules: Rules) -> str | None:
    """The split on which nothing may be trained that some rules belong to, a test or V, however they are spelled and
    whenever their match ends; None if to none.

    >>> import hearts_env as he
    >>> withheld_in(he.rules(split("C")[0].rules).replace(target=50)), withheld_in(he.rules("black_lady"))
    ('C', None)
    """
    return held_out().get(rules_digest(of_deals(rules)))


def to_line(rule: SplitRule) -> str:
    """A line of a split's file."""
    values: dict[str, Any] = rule._asdict()
    return json.dumps(values, sort_keys=True)
