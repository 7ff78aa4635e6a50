"""The variants known by name: the built-in ones, those of plug-ins and those that a program registers.

A plug-in is an installed package with an entry point in the group ``hearts_env.variants`` that gives a `Variant` or
several::

    [project.entry-points."hearts_env.variants"]
    my_game = "my_package:MY_GAME"

Plug-ins are loaded when a name is looked up that is not known without them, and when the variants are listed.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import lru_cache

from hearts_env.errors import RulesError
from hearts_env.ruleset.model import Rules, Variant
from hearts_env.ruleset.reading import Reading
from hearts_env.ruleset.syntax import brief, parse_call
from hearts_env.variants.ancestors import ANCESTORS
from hearts_env.variants.classic import CLASSIC
from hearts_env.variants.large import LARGE
from hearts_env.variants.partners import PARTNERS
from hearts_env.variants.research import RESEARCH
from hearts_env.variants.values import VALUES

GROUP = "hearts_env.variants"

_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


def _key(name: str) -> str:
    """A name as it is looked up: its letters and digits, so that ``IncreduHearts`` is ``incredu_hearts``."""
    return "".join(filter(str.isalnum, name.casefold()))


_variants = {variant.name: variant for variant in (*CLASSIC, *VALUES, *LARGE, *PARTNERS, *RESEARCH, *ANCESTORS)}
_BUILT_IN = frozenset(_variants)
_names = {_key(name): variant.name for variant in _variants.values() for name in (variant.name, *variant.aliases)}
_groups_to_load = [GROUP]
_listeners: list[Callable[[Variant], None]] = []


class _Variants(Mapping[str, Variant]):
    """A read-only view of the registered variants that shows later registrations as well."""

    def __getitem__(self, name: str) -> Variant:
        if name not in _variants:
            _load_plugins()
        return _variants[name]

    def __iter__(self) -> Iterator[str]:
        _load_plugins()
        return iter(tuple(_variants))

    def __len__(self) -> int:
        _load_plugins()
        return len(_variants)

    def __repr__(self) -> str:
        return f"<{len(self)} variants: {', '.join(self)}>"


VARIANTS: Mapping[str, Variant] = _Variants()
"""Every registered variant by its name (read-only; see `register`)."""


def register(variant: Variant) -> Variant:
    """Register a variant under its name and aliases, for use wherever a variant is accepted.

    The name then works in `rules`, `Match`, the environments, ``hearts_env.NAME_v0``, Gymnasium
    (``hearts_env:Hearts/Name-v0``) and PettingZoo (``hearts/name-v0``), in this process. An entry point of the group
    ``hearts_env.variants`` makes a variant known in every process, and so to the ``hearts`` command.

    >>> import hearts_env as he
    >>> house = he.Variant("house_hearts", players=(4,), summary="Hearts to 50.", source="ours", delta={"target": 50})
    >>> he.register(house) is house
    True
    >>> he.rules("House Hearts(tie=continue)").end.target
    50
    >>> unregister("house_hearts")  # before an improved one takes the name

    Args:
        variant: the variant. Registering an equal one again changes nothing.

    Returns:
        The variant.

    Raises:
        RulesError: its name is not a lower-case identifier; its name or an alias belongs to another variant; a reading
            is no `Reading`; or its rules are not possible for one of its numbers of players. Then nothing changes.
    """
    if not isinstance(variant, Variant):
        raise RulesError(f"{brief(variant)} is a {type(variant).__name__}; register takes a Variant")
    if _variants.get(variant.name) == variant:
        return variant
    keys = _free_keys(variant)
    _check_rules(variant)
    _variants[variant.name] = variant
    _names.update(dict.fromkeys(keys, variant.name))
    for listener in _listeners:
        listener(variant)
    return variant


def unregister(name: str) -> None:
    """Free the name and the aliases of a registered variant, such as an earlier try in the same notebook.

    Raises:
        RulesError: there is no such variant, or it is a built-in one.
    """
    variant = find_variant(name)
    if variant.name in _BUILT_IN:
        raise RulesError(f"{variant.name} is a built-in variant; only registered ones can be taken out")
    del _variants[variant.name]
    _read.cache_clear()
    for one in (variant.name, *variant.aliases):
        _names.pop(_key(one), None)


def _free_keys(variant: Variant) -> list[str]:
    if not _NAME.fullmatch(variant.name):
        raise RulesError(f"{brief(variant.name)!r} is no name of a variant; write lower case, such as my_game")
    if isinstance(variant.aliases, str):
        raise RulesError(f"variant {variant.name}: aliases={variant.aliases!r} is one text; write a tuple of texts")
    for name in (variant.name, *variant.aliases):
        key = _key(name)
        if not key or set(name) & set("()=,"):
            raise RulesError(f"variant {variant.name}: {brief(name)!r} is no alias; write letters and digits")
        if key in _names:
            raise RulesError(f"variant {variant.name}: the name {name!r} is taken by the variant {_names[key]}")
    return [_key(name) for name in (variant.name, *variant.aliases)]


def _check_rules(variant: Variant) -> None:
    if not set(variant.by_players) <= set(variant.players):
        odd = ", ".join(map(str, set(variant.by_players) - set(variant.players)))
        raise RulesError(f"variant {variant.name}: by_players names {odd} players, who are not among players")
    for reading in variant.readings:
        if not isinstance(reading, Reading):
            raise RulesError(f"variant {variant.name}: {brief(reading)!r} among its readings is not a Reading")
    for players in variant.players:
        try:
            variant.build(players)
        except RulesError as error:
            text = str(error).removeprefix(f"variant {variant.name}: ")
            raise RulesError(f"variant {variant.name} with {players} players: {text}") from None


def watch(listener: Callable[[Variant], None]) -> None:
    """Call a function with every variant: those loaded now at once, later ones when they are registered."""
    for variant in tuple(_variants.values()):
        listener(variant)
    if listener not in _listeners:
        _listeners.append(listener)


def _load_plugins() -> None:
    """Register the variants of installed plug-ins, once; a plug-in that fails is left out with a warning."""
    while _groups_to_load:
        from importlib.metadata import entry_points

        for entry in entry_points(group=_groups_to_load.pop()):
            try:
                found = entry.load()
                for variant in [found] if not isinstance(found, Iterable) else found:
                    register(variant)
            except Exception as error:  # a plug-in may fail in any way; the other variants must work
                reason = brief(error) or type(error).__name__
                warnings.warn(f"the plug-in {entry.name} = {entry.value} was left out: {reason}", stacklevel=2)


def find_variant(name: str) -> Variant:
    """The variant with this name or alias; only letters and digits count, in upper or lower case.

    >>> find_variant("4-5-4 Hearts").name, find_variant("IncreduHearts").name
    ('four_five_four', 'incredu_hearts')

    Raises:
        RulesError: there is none; the closest name is given.
    """
    key = _key(name)
    if key not in _names:
        _load_plugins()
    if key in _names:
        return _variants[_names[key]]
    known = {_key(one): one for variant in _variants.values() for one in (variant.name, *variant.aliases)}
    close = known[get_close_matches(brief(key), known, n=1, cutoff=0)[0]]
    raise RulesError(f"there is no variant {brief(name)!r}; the closest is {close} (hearts variants lists all)")


def rules(text: str | Rules = "black_lady") -> Rules:
    """Rules from text: a variant and, in brackets, changed fields; a `Rules` value passes through.

    >>> game = rules("black_lady(players=5, moon.mode=old)")
    >>> game.players, game.moon.mode.value, game.end.target
    (5, 'old', 100)
    >>> str(rules("Omnibus Hearts"))
    'omnibus_hearts'
    >>> rules("black_lady(target=many)")
    Traceback (most recent call last):
        ...
    hearts_env.errors.RulesError: end.target=many is not possible; end.target is a whole number or none

    Raises:
        RulesError: an unknown variant or field (the closest is named), a bad value or a contradiction.
    """
    if isinstance(text, Rules):
        return text
    if not isinstance(text, str):
        raise RulesError(f"rules are a text or a Rules value, not a {type(text).__name__}")
    return _read(text)


@lru_cache(maxsize=1024)  # checking takes milliseconds, and every record and every view names its rules
def _read(text: str) -> Rules:
    try:
        name, arguments = parse_call(text)
    except ValueError as error:
        raise RulesError(str(error)) from None
    return find_variant(name).build(**arguments)
