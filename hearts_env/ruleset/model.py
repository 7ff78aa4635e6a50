"""Rules as data: one frozen value that says everything about a game of Hearts.

A variant is a `Rules` value, never a subclass: a `Variant` is a name for a few changes to Basic Hearts. Every field is
addressed as ``group.field``; the group may be left out where the field's name is unique, and the dot may be written
``_``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from typing import Any, get_type_hints

from hearts_env.ruleset.fields import RuleFields
from hearts_env.ruleset.normalize import normal_form
from hearts_env.ruleset.reading import MOON, PACK, POINTS, Reading
from hearts_env.ruleset.syntax import read_value, write_value
from hearts_env.ruleset.validate import check


@dataclass(frozen=True)
class Rules(RuleFields):
    """All rules of a game: frozen, hashable, comparable, validated when made.

    ``str(rules)`` is canonical text that `hearts_env.ruleset.model` parses back to an equal value.

    Raises:
        ValueError: the fields contradict each other; the message names both sides.
    """

    variant: Variant = field(default_factory=lambda: BLACK_LADY, compare=False, repr=False)  # type: ignore[has-type]

    def __post_init__(self) -> None:
        normal_form(self)
        check(self)

    def __str__(self) -> str:
        players = self.table.players
        told = {} if players == self.variant.default_players else {"players": players}
        body = ", ".join(f"{path}={write_value(value)}" for path, value in (told | self.changes()).items())
        return f"{self.variant.name}({body})" if body else self.variant.name

    def flat(self) -> dict[str, Any]:
        """Every field: ``group.field`` -> value."""
        return {path: getattr(getattr(self, path.split(".")[0]), path.split(".")[1]) for path in field_types()}

    def changes(self) -> dict[str, Any]:
        """The fields that differ from this value's variant at the same number of seats."""
        standard = self.variant.standard(self.players)
        return {path: value for path, value in self.flat().items() if value != standard[path]}

    def replace(self, **changes: Any) -> Rules:
        """The same variant with `changes` on top of those made already; field names as in the text form.

        Raises ValueError for an unknown field (naming the closest one), a bad value or a contradiction.
        """
        named = {field_path(key): value for key, value in changes.items()}
        players = named.pop("table.players", self.players)
        players = read_value("players", int, players)
        return self.variant.build(players, **(self.changes() | named))


@dataclass(frozen=True)
class Variant:
    """Named rules: a delta on Basic Hearts.

    Attributes:
        name: lower-case name, as typed.
        players: numbers of seats it is defined for.
        summary: one or two sentences in plain words.
        source: where the rules come from.
        delta: ``group.field`` -> value, where it differs from Basic Hearts.
        by_players: number of seats -> further differences with that many.
        aliases: other names a player would type.
        readings: sentences for the rules page, each with the fields it speaks of.
        about: fields that `summary` speaks of besides those in `delta` and `by_players`. The rules page of a game in
            which any of them was changed leaves the summary out.
        version: of the environments; it rises when their behaviour changes.
    """

    name: str
    players: tuple[int, ...]
    summary: str
    source: str
    delta: Mapping[str, Any] = field(default_factory=dict)
    by_players: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    readings: tuple[Reading, ...] = ()
    about: tuple[str, ...] = ()
    version: int = 0

    @property
    def default_players(self) -> int:
        """Four seats where the variant allows it."""
        return 4 if 4 in self.players else self.players[0]

    def standard(self, players: int) -> dict[str, Any]:
        """Every field as this variant has it for a number of seats, ``group.field`` -> value, possible or not."""
        unchecked = object.__new__(Rules)
        for group, value in _groups(self._delta(players)).items():
            object.__setattr__(unchecked, group, value)
        normal_form(unchecked)
        return unchecked.flat()

    def build(self, players: int | None = None, **changes: Any) -> Rules:
        """The rules for a number of seats, with changes (field names as in the text form).

        Raises ValueError if the variant is not defined for that number, unless the changes say what pack it is played
        with.
        """
        named = {field_path(key): value for key, value in changes.items()}
        seats = self.default_players if players is None else players
        if seats not in self.players and not any(path.startswith("deck.") for path in named):
            known = ", ".join(map(str, self.players))
            raise ValueError(
                f"{self.name} is a game for {known} players, not {seats}; "
                "for another number say how the pack divides, such as removal_order=[2D,2C,3D] for 7"
            )
        return Rules(**_groups(self._delta(seats) | named), variant=self)

    def _delta(self, players: int) -> dict[str, Any]:
        return {**self.delta, **self.by_players.get(players, {}), "table.players": players}


def _groups(values: Mapping[str, Any]) -> dict[str, Any]:
    """``group.field`` -> value, as text or Python, to one value per group of `Rules`, the rest at its defaults."""
    leaves: dict[str, dict[str, Any]] = {group: {} for group in _group_types()}
    for path, value in values.items():
        group, leaf = path.split(".")
        leaves[group][leaf] = read_value(path, field_types()[path], value)
    return {group: kind(**leaves[group]) for group, kind in _group_types().items()}


@cache
def _group_types() -> dict[str, Any]:
    hints = get_type_hints(Rules)
    return {f.name: hints[f.name] for f in dataclasses.fields(Rules) if f.compare}


@cache
def field_types() -> dict[str, Any]:
    """``group.field`` -> type, for every field of `Rules`."""
    return {
        f"{group}.{leaf}": kind for group, cls in _group_types().items() for leaf, kind in get_type_hints(cls).items()
    }


@cache
def _field_names() -> dict[str, str]:
    """Every accepted spelling of a field -> its path."""
    leaves = [path.split(".")[1] for path in field_types()]
    names = {path.split(".")[1]: path for path in field_types() if leaves.count(path.split(".")[1]) == 1}
    return names | {path.replace(".", "_"): path for path in field_types()} | {path: path for path in field_types()}


def field_path(name: str) -> str:
    """The ``group.field`` path of a field name. Raises ValueError naming the closest field if there is none."""
    names = _field_names()
    if name in names:
        return names[name]
    close = get_close_matches(name, names, n=1, cutoff=0)[0]
    raise ValueError(f"there is no rule field {name!r}; the closest is {names[close]}")


BLACK_LADY = Variant(
    name="black_lady",
    players=(3, 4, 5, 6),
    summary="Basic Hearts: each heart costs 1 point and the queen of spades 13; taking all 26 shoots the moon.",
    source="Pagat, Hearts (pagat.com/reverse/hearts.html); Wikipedia, Hearts (card game)",
    aliases=("hearts", "classic", "basic_hearts"),
    readings=(
        Reading(
            "The passing cycle is Pagat's: left, right, across, hold. With three, five or six players it follows the "
            "general rule of IncreduHearts: left, right, second on the left, second on the right, across if the "
            "number of players is even, hold.",
            about=("passing.cycle", "passing.schedule"),
        ),
        Reading(
            "Some books allow hearts and the queen of spades on the first trick: first_trick_forbidden=[].",
            about=("play.first_trick_forbidden", "play.first_trick_scope"),
        ),
        Reading(
            "The shooter chooses between the old and the new moon; other sources allow only one of them (moon.mode=old "
            "or moon.mode=new).",
            about=("moon.mode", "moon.policy", "moon.new_moon_min", "moon.clean_slate"),
        ),
    ),
    about=(*POINTS, *PACK, *MOON),
)
