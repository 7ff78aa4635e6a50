"""The protocol of version 1: the rules that may be trained on, and the rules that each split holds back.

All rules are draws of `hearts_env.sample_rules`, played a deal at a time, so what decides only when a match ends is
fixed. A draw belongs to at most one kind of split, by what it has that no training rule has:

- a **mechanism** (split D): two packs, teams, the highest total wins, complex scores, exposing;
- a **number of players** (split E): training rules are for 3, 4 and 6;
- a **value** (split B) of a field that varies in training;
- a **pair** of values (split C, and V for development), each of which occurs in training, but never together.

Draws with more than one kind are left out, so that it is clear what a score measures. Draws with none are training
rules.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from hearts_env.errors import RulesError
from hearts_env.ruleset.enums import Better
from hearts_env.ruleset.model import BLACK_LADY, Rules
from hearts_env.ruleset.syntax import write_value

VERSION = 1
FIXED = ("table.dealer_next", "opening.taker", "score.chips")
"""Fields that change nothing in a single deal; like those of the group ``end`` they are as in Basic Hearts."""
HIGH_ENDING = {"end.target": None, "end.lower_target": -100}
"""Exceptions where the highest total wins: costs are below 0 there, and a target alone would never be reached."""
PLAYERS = (3, 4, 6)
"""Numbers of seats of training rules."""
CHANGED = object()
"""In place of a value: any that differs from Basic Hearts with the same number of seats."""


class Trait(NamedTuple):
    """A value of a rule field, or an entry of a list or map.

    Attributes:
        path: ``group.field``.
        value: the value or the entry; `CHANGED` for any value that differs from Basic Hearts.
    """

    path: str
    value: Any = CHANGED

    def of(self, rules: Rules) -> bool:
        """True if the rules have the trait.

        >>> import hearts_env as he
        >>> rules = he.rules("black_lady(passing.count=4, card_values={H:1,QS:7})")
        >>> Trait("passing.count", 4).of(rules), Trait("score.card_values", ("QS", 7)).of(rules)
        (True, True)
        >>> Trait("moon.mode").of(rules)
        False
        """
        held = rules.flat()[self.path]
        if self.value is CHANGED:
            return bool(held != BLACK_LADY.standard(rules.players)[self.path])
        return bool(held == self.value) or (isinstance(held, tuple) and self.value in held)

    def __str__(self) -> str:
        if self.value is CHANGED:
            return self.path
        entry = isinstance(self.value, tuple) and not isinstance(self.value[-1], str)
        return f"{self.path}={write_value((self.value,) if entry else self.value)}"


MECHANISMS = {
    "two packs": Trait("deck.packs", 2),
    "teams": Trait("table.teams"),
    "high": Trait("score.better", Better.HIGH),
    "complex": Trait("score.better"),
    "exposing": Trait("exposing.cards"),
}
"""Split D; ``complex`` is what differs from the lowest and is not the highest total."""
VALUES = (
    Trait("deck.ranks", tuple("56789TJQKA")),
    Trait("deck.ranks", tuple("A23456789TJQK")),
    Trait("deck.kitty_award", "last_trick"),
    Trait("passing.count", 4),
    Trait("passing.cycle", "pool"),
    Trait("opening.holder", "H"),
    Trait("score.card_values", ("H", 3)),
    Trait("score.card_values", ("QS", 7)),
    Trait("score.card_values", ("QS", 40)),
    Trait("score.tricks", ("last", 13)),
    Trait("score.no_tricks", -10),
    Trait("score.pledge", 10),
    Trait("moon.mode", "new"),
    Trait("moon.mode", "fixed_self"),
    Trait("moon.amount", 40),
    Trait("trick.extend_when", "led_suit"),
)
"""Split B."""
PAIRS = (
    (Trait("score.tricks"), Trait("deck.remainder", "kitty")),
    (Trait("score.multipliers"), Trait("moon.mode", "none")),
    (Trait("score.no_tricks"), Trait("table.players", 3)),
    (Trait("score.no_hearts"), Trait("play.first_trick_forbidden")),
    (Trait("score.tricks"), Trait("moon.others_score", False)),
    (Trait("score.sweeps"), Trait("moon.policy", "auto_best")),
    (Trait("moon.cards"), Trait("moon.mode", "old")),
    (Trait("play.forced_discard"), Trait("play.heart_lead", "free")),
    (Trait("play.break_by", "any_penalty"), Trait("deck.added")),
    (Trait("passing.count", 1), Trait("table.players", 6)),
    (Trait("passing.unpassable"), Trait("passing.count", 2)),
    (Trait("opening.leader"), Trait("table.direction")),
    (Trait("opening.holder"), Trait("deck.remainder", "kitty")),
    (Trait("trick.extend_rank"), Trait("table.players", 6)),
    (Trait("trick.extend_rank"), Trait("play.break_event")),
    (Trait("deck.ranks", tuple("789TJQKA")), Trait("moon.mode", "old")),
)
"""Split C."""
DEVELOPMENT_PAIRS = (
    (Trait("score.multipliers"), Trait("table.players", 6)),
    (Trait("score.sets"), Trait("table.direction")),
    (Trait("score.no_tricks"), Trait("moon.policy", "auto_best")),
    (Trait("moon.mode", "none"), Trait("play.heart_lead", "free")),
    (Trait("play.break_event"), Trait("play.lead_exception")),
    (Trait("passing.schedule"), Trait("table.direction")),
    (Trait("passing.count", 5), Trait("table.players", 3)),
    (Trait("deck.added"), Trait("table.players", 3)),
)
"""Split V."""


class Membership(NamedTuple):
    """The split of a draw, and the reason.

    Attributes:
        split: ``train``, or the letter of the split that it may be in.
        why: the trait that no training rule has; ``+`` joins a pair. Empty for training rules.
    """

    split: str
    why: str = ""


def of_deals(rules: Rules) -> Rules:
    """Rules as changes of Basic Hearts, without what changes nothing in a single deal.

    A match whose length other rules rely on (``moon.big_moon_effect=add_total``) ends as it did.

    >>> import hearts_env as he
    >>> str(of_deals(he.rules("queens")))
    'black_lady(play.first_trick_forbidden=[], play.heart_lead=free, score.card_values={H:1,Q:13}, moon.mode=none)'
    """
    standard = BLACK_LADY.standard(rules.players)
    fixed = {path: value for path, value in standard.items() if path.startswith("end.") or path in FIXED}
    ending = HIGH_ENDING if rules.score.better is Better.HIGH else {}
    try:
        return BLACK_LADY.build(**rules.flat() | fixed | ending)
    except RulesError:
        return BLACK_LADY.build(**rules.flat())


def split_of(rules: Rules) -> Membership | None:
    """The split that rules belong to; None if they would belong to more than one.

    >>> import hearts_env as he
    >>> split_of(he.rules("black_lady")), split_of(he.rules("black_lady(players=5)"))
    (Membership(split='train', why=''), Membership(split='E', why='5 players'))
    >>> split_of(he.rules("black_lady(players=6, passing.count=1)"))
    Membership(split='C', why='passing.count=1 + table.players=6')
    >>> split_of(he.rules("black_lady(players=5, passing.count=4)")) is None
    True
    """
    found = [Membership("D", name) for name, trait in MECHANISMS.items() if trait.of(rules)]
    if Membership("D", "high") in found:
        found.remove(Membership("D", "complex"))
    found += [] if rules.players in PLAYERS else [Membership("E", f"{rules.players} players")]
    found += [Membership("B", str(trait)) for trait in VALUES if trait.of(rules)]
    for split, pairs in (("C", PAIRS), ("V", DEVELOPMENT_PAIRS)):
        found += [Membership(split, f"{one} + {other}") for one, other in pairs if one.of(rules) and other.of(rules)]
    splits = {kind.split for kind in found}
    return found[0] if len(splits) == 1 else Membership("train") if not splits else None
