"""Rules as data: one frozen value that describes everything about a game of Hearts.

A variant is a `Rules` value, never a subclass: a `Variant` is a name for a few changes to Basic Hearts. Every field is
addressed as ``group.field``; the group may be left out where the field's name is unique, and the dot may be written
``_``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from typing import Any, get_type_hints

from hearts_env.errors import RulesError
from hearts_env.ruleset.fields import RuleFields, flat_fields
from hearts_env.ruleset.normalize import normal_form
from hearts_env.ruleset.reading import Reading
from hearts_env.ruleset.syntax import brief, read_value, write_value
from hearts_env.ruleset.validate import MAX_SEATS, MIN_SEATS, check

_DIVISION = ("deck.remainder", "deck.removal_order")
"""Either of these decides how the pack divides among the seats, even where it is named at its default."""
_DIVISIONS = (("removal_order", "[2D,2C,3D]"), ("remainder", "remove"), ("remainder", "jokers"), ("remainder", "kitty"))
"""Ways to divide a pack, as advice; the first one that is possible is given."""


@dataclass(frozen=True)
class Rules(RuleFields):
    """All rules of a game: frozen, hashable, comparable, validated when made.

    ``str(rules)`` is canonical: equal games of one variant print the same text, and `hearts_env.rules` reads it back
    to an equal value.

    >>> import hearts_env as he
    >>> rules = he.rules("Black Lady(moon_mode=old, players=5)")
    >>> str(rules)
    'black_lady(players=5, moon.mode=old)'
    >>> rules.moon.mode, rules.players, rules == he.rules(str(rules))
    (<MoonMode.OLD: 'old'>, 5, True)

    Raises:
        RulesError: the fields contradict each other; the message names both sides.
    """

    variant: Variant = field(default_factory=lambda: BLACK_LADY, compare=False, repr=False)  # type: ignore[has-type]

    def __post_init__(self) -> None:
        normal_form(self)
        check(self)

    def __str__(self) -> str:
        players = self.table.players
        named = {} if players == self.variant.default_players else {"players": players}
        body = ", ".join(f"{path}={write_value(value)}" for path, value in (named | self.changes()).items())
        return f"{self.variant.name}({body})" if body else self.variant.name

    def flat(self) -> dict[str, Any]:
        """Every field: ``group.field`` -> value."""
        return flat_fields(self)

    def changes(self) -> dict[str, Any]:
        """Arguments for `Variant.build`, besides the number of seats, that make these rules again: field path -> value.

        These are the fields that differ from the variant with the same number of seats. If the variant is not defined
        for that number and the pack is unchanged, `deck.remainder` is among them, because `Variant.build` wants to know
        how the pack divides.

        >>> import hearts_env as he
        >>> he.rules("omnibus_hearts(players=5, end.target=50, tie=share)").changes()
        {'end.target': 50}
        """
        standard = self.variant.standard(self.players)
        changed = {path: value for path, value in self.flat().items() if value != standard[path]}
        if self.players not in self.variant.players and not any(path.startswith("deck.") for path in changed):
            return {"deck.remainder": self.deck.remainder, **changed}
        return changed

    def replace(self, /, **changes: Any) -> Rules:
        """The same variant with `changes` on top of those made already.

        >>> import hearts_env as he
        >>> rules = he.rules("queens(end.target=50)")
        >>> str(rules.replace(tie="continue"))
        'queens(end.target=50, end.tie=continue)'
        >>> str(rules.replace(**{"moon.mode": "old", "end.target": 108}))
        'queens(moon.mode=old)'

        Args:
            changes: fields, named as in the text form, and their values in Python or as text.

        Raises:
            RulesError: an unknown field (the closest one is named), a bad value or a contradiction.
        """
        return self.variant.build(**({"table.players": self.players} | self.changes() | _by_path(changes)))


@dataclass(frozen=True)
class Variant:
    """Named rules: a few changes to Basic Hearts. `hearts_env.register` makes one known by its name.

    >>> house = Variant("house_hearts", players=(4, 5), summary="Hearts to 50.", source="ours", delta={"target": 50})
    >>> str(house.build(5))
    'house_hearts(players=5)'
    >>> house.build().end.target
    50
    >>> house.title
    'House Hearts'

    Attributes:
        name: lower-case name, as typed.
        players: numbers of seats it is defined for.
        summary: one or two sentences in plain words.
        source: the source of the rules.
        delta: field -> value, where it differs from Basic Hearts; fields are named as in the text form.
        by_players: number of seats -> further differences with that many.
        aliases: other names a player would type.
        readings: sentences for the rules page, each with the fields it is about.
        version: of the environments; it rises when their behaviour changes.
        title: name on a page; by default the words of `name`, capitalized.
    """

    name: str
    players: tuple[int, ...]
    summary: str
    source: str
    delta: Mapping[str, Any] = field(default_factory=dict)
    by_players: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    readings: tuple[Reading, ...] = ()
    version: int = 0
    title: str = ""
    _standards: dict[int, dict[str, Any]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        seats = self.players if isinstance(self.players, tuple) else ()
        if not seats or any(type(n) is not int or not MIN_SEATS <= n <= MAX_SEATS for n in seats):
            raise RulesError(
                f"variant {self.name}: players={brief(self.players)} is not possible; it is a tuple of numbers from "
                f"{MIN_SEATS} to {MAX_SEATS}, such as (3, 4, 5)"
            )
        for named, values in (("delta", self.delta), ("by_players", self.by_players)):
            if not isinstance(values, Mapping):
                raise RulesError(f"variant {self.name}: {named}={brief(values)} is not possible; it is a mapping")
        if not self.title:
            object.__setattr__(self, "title", str(self.name).replace("_", " ").title())

    @property
    def default_players(self) -> int:
        """Four seats where the variant allows it."""
        return 4 if 4 in self.players else self.players[0]

    def standard(self, players: int) -> dict[str, Any]:
        """Every field as this variant has it for a number of seats, ``group.field`` -> value, possible or not."""
        if players not in self._standards:  # every str(rules) compares with it
            self._standards[players] = flat_fields(_unchecked(self._delta(players)))
        return dict(self._standards[players])

    def build(self, players: int | None = None, /, **changes: Any) -> Rules:
        """The rules for a number of seats.

        >>> import hearts_env as he
        >>> str(he.VARIANTS["omnibus_hearts"].build(5, tie="continue"))
        'omnibus_hearts(players=5, end.tie=continue)'

        Args:
            players: number of seats; None for `default_players`, unless `changes` name it.
            changes: fields, named as in the text form, and their values in Python or as text.

        Raises:
            RulesError: an unknown field, a bad value or a contradiction; or the variant is not defined for that number
                of seats and `changes` neither change the pack nor decide how it divides.
        """
        named = _by_path({} if players is None else {"players": players}, changes)
        seats = read_value("players", int, named.pop("table.players", self.default_players))
        values = self._delta(seats) | named
        if (
            seats in range(MIN_SEATS, MAX_SEATS + 1)
            and seats not in self.players
            and named.keys().isdisjoint(_DIVISION)
        ):
            self._check_pack_changed(seats, values)
        return Rules(**_groups(values), variant=self)

    def _check_pack_changed(self, seats: int, values: Mapping[str, Any]) -> None:
        if _unchecked(values).deck == _unchecked(self._delta(seats)).deck:
            known = ", ".join(map(str, self.players))
            raise RulesError(f"{self.name} is a game for {known} players, not {brief(seats)}{self._advice(values)}")

    def _advice(self, values: Mapping[str, Any]) -> str:
        """A way to divide the pack that makes some rules possible, in words; empty if there is none."""
        for name, value in _DIVISIONS:
            with suppress(RulesError):
                Rules(**_groups({**values, f"deck.{name}": value}), variant=self)
                return f"; say how the pack divides, such as {name}={value}"
        return ""

    def _delta(self, players: int) -> dict[str, Any]:
        """Field path -> value, where this variant with a number of seats differs from Basic Hearts."""
        try:
            changes = _by_path(self.delta) | _by_path(self.by_players.get(players, {}))
        except RulesError as error:
            raise RulesError(f"variant {self.name}: {error}") from None
        if "table.players" in changes:
            raise RulesError(f"variant {self.name}: players is given in a delta; Variant.players and by_players say it")
        return changes | {"table.players": players}


def _by_path(*changes: Mapping[str, Any]) -> dict[str, Any]:
    """Field path -> value. Raises RulesError if a field is given twice, under whatever names."""
    named: dict[str, Any] = {}
    spelled: dict[str, str] = {}
    for name, value in (item for some in changes for item in some.items()):
        path = field_path(name)
        if path in named:
            raise RulesError(f"{path} is given twice, as {spelled[path]} and as {name}; keep one of them")
        named[path], spelled[path] = value, name
    return named


def _unchecked(values: Mapping[str, Any]) -> RuleFields:
    """Fields in normal form, possible or not, from field path -> value."""
    fields = RuleFields(**_groups(values))
    normal_form(fields)
    return fields


def _groups(values: Mapping[str, Any]) -> dict[str, Any]:
    """Field path -> value, as text or Python, to one value per group of `Rules`, the rest at its defaults."""
    leaves: dict[str, dict[str, Any]] = {group: {} for group in _group_types()}
    for path, value in values.items():
        group, leaf = path.split(".")
        leaves[group][leaf] = read_value(path, field_types()[path], value)
    return {group: kind(**leaves[group]) for group, kind in _group_types().items()}


@cache
def _group_types() -> dict[str, Any]:
    hints = get_type_hints(RuleFields)
    return {f.name: hints[f.name] for f in dataclasses.fields(RuleFields)}


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
    """The ``group.field`` path of a field.

    >>> field_path("tie"), field_path("moon_mode")
    ('end.tie', 'moon.mode')

    Raises:
        RulesError: there is no such field; the closest one is named, or those of the group.
    """
    names = _field_names()
    if name in names:
        return names[name]
    group, _, leaf = brief(name).partition(".")
    own = {path.split(".")[1]: path for path in field_types() if path.startswith(f"{group}.")} if leaf else {}
    close = get_close_matches(leaf if own else brief(name), own or names, n=1, cutoff=0.6 if own else 0)
    found = f"the closest is {(own or names)[close[0]]}" if close else f"{group} has {', '.join(own)}"
    raise RulesError(f"there is no rule field {brief(name)!r}; {found}")


BLACK_LADY = Variant(
    name="black_lady",
    title="Hearts (Black Lady)",
    players=(3, 4, 5, 6),
    summary="Basic Hearts: each heart costs 1 point and the queen of spades 13; taking all 26 shoots the moon.",
    source="Pagat, Hearts (pagat.com/reverse/hearts.html); Wikipedia, Hearts (card game)",
    aliases=("hearts", "classic", "basic_hearts", "black_widow", "slippery_bitch"),
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
)
