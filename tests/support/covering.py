"""A covering array: a few dozen games in which every class of value of every field of the rules occurs, every phase and
every kind of decision, and every pair of fields that interact, both changed from Basic Hearts.

Which fields interact is derived: `owners` compiles the game of every declaration with and without its change and
reads from the difference which columns of the compiled tables belong to the field; two fields interact if one compiled
function reads a column of each.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from enum import Enum
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any, get_args, get_type_hints

import hearts_env as he
from hearts_env import kernel
from hearts_env.cards import RANKS, SUITS
from hearts_env.compiled.game import compile_game
from hearts_env.compiled.tables import TABLES
from hearts_env.ruleset.fields import DECLARATIONS, RuleFields
from tests.support.games import EVERY_TABLE, MORE

SIZES = 6
"""A column that more fields than these change is a size or an offset, and ties no fields together."""
Item = tuple[str, ...]
"""A field and a class of its values, two fields, or a kind of decision."""


@cache
def usual() -> dict[str, Any]:
    """The fields of Basic Hearts."""
    return he.rules("basic_hearts").flat()


def classes(path: str, value: Any) -> Iterator[Item]:
    """The classes that a field's value belongs to."""
    if value is None or isinstance(value, (bool, Enum)) or path == "table.players":
        yield path, str(value)
    elif isinstance(value, int):
        yield path, "+" if value > 0 else "-" if value < 0 else "0"
    elif isinstance(value, str):
        yield from ((path, token) for token in tokens(value))
    else:
        yield path, ("empty", "one", "several")[min(len(value), 2)]
        for entry in value:
            for part in entry if isinstance(entry, tuple) else (entry,):
                yield from ((path, token) for token in tokens(str(part)))


def tokens(text: str) -> set[str]:
    """The words and signs of a text, cards and numbers by their kind."""
    found = set()
    for word in re.findall(r"[A-Za-z_]{3,}|\w+|[^\w\s]", text):
        if len(word) >= 2 and word[-1] in SUITS and word[:-1] in {*RANKS, "0"}:
            found.add("card")
        elif word in SUITS:
            found.add("suit")
        elif word in RANKS and not word.isdigit():
            found.add("rank")
        else:
            found.add("number" if re.match(r"\d", word) else word)
    return found


def decisions(rules: he.Rules) -> set[Item]:
    """The kinds of special decisions of a game."""
    return {("decision", name.partition(":")[0]) for name in compile_game(rules).actions if ":" in name}


def changed(rules: he.Rules) -> list[str]:
    """The fields that differ from Basic Hearts."""
    return sorted(path for path, value in rules.flat().items() if value != usual()[path])


def items(rules: he.Rules) -> set[Item]:
    """What a game covers."""
    found = {item for path, value in rules.flat().items() for item in classes(path, value)}
    return found | decisions(rules) | (set(combinations(changed(rules), 2)) & interacting())


@cache
def owners() -> dict[str, set[str]]:
    """Columns of the compiled tables -> the fields that decide what is in them."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for path, field in DECLARATIONS.items():
        if field.shows == "refusal":
            continue
        rules = he.rules(field.game)
        one, other = (compile_game(r).tables for r in (rules, rules.replace(**{path: field.change})))
        for name in TABLES.names or ():
            if one[name].tobytes() != other[name].tobytes():
                found[name].add(path)
    return {name: fields for name, fields in found.items() if len(fields) <= SIZES}


@cache
def interacting() -> frozenset[Item]:
    """The pairs of fields that one compiled function reads."""
    pairs: set[Item] = set()
    for read in _columns_read():
        fields = sorted(set().union(*(owners().get(name, set()) for name in read)))
        pairs |= set(combinations(fields, 2))
    return frozenset(pairs)


def _columns_read() -> Iterator[set[str]]:
    names = set(TABLES.names or ())
    for file in Path(kernel.__file__).parent.rglob("*.py"):
        for function in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef):
                yield {node.attr for node in ast.walk(function) if isinstance(node, ast.Attribute)} & names


@cache
def known() -> dict[str, set[Any]]:
    """The values that games of the tests give every field, and all values of fields that are enums or flags."""
    values: defaultdict[str, set[Any]] = defaultdict(set)
    for rules in map(he.rules, bases()):
        for path, value in rules.flat().items():
            values[path].add(value)
    for group, kind in get_type_hints(RuleFields).items():
        for leaf, hint in get_type_hints(kind).items():
            for each in (hint, *get_args(hint)):
                if isinstance(each, type) and (each is bool or issubclass(each, Enum)):
                    values[f"{group}.{leaf}"] |= {True, False} if each is bool else set(each)
    return dict(values)


@cache
def bases() -> list[str]:
    """Games to change further: the registry, a few more, and the fields' own games with their change."""
    fields = (he.rules(f.game).replace(**{path: f.change}) for path, f in DECLARATIONS.items() if f.shows != "refusal")
    return [*EVERY_TABLE, *MORE, *map(str, fields)]


@cache
def wanted() -> frozenset[Item]:
    """Everything that the games have to cover."""
    found = {item for path, values in known().items() for value in values for item in classes(path, value)}
    found |= {("table.players", str(players)) for players in range(2, 12)}
    return frozenset(found | interacting() | {kind for text in bases() for kind in decisions(he.rules(text))})


def missing(texts: Iterable[str]) -> set[Item]:
    """What some games do not cover."""
    return set(wanted()).difference(*(items(he.rules(text)) for text in texts))


def together(pair: Item, starts: Iterable[str]) -> he.Rules | None:
    """Rules in which two fields differ from Basic Hearts, or None if every attempt is refused."""
    values = ([value for value in sorted(known()[path], key=str) if value != usual()[path]] for path in pair)
    for start, (one, other) in product(starts, list(product(*values))):
        rules = _tried(he.rules(start), {pair[0]: one, pair[1]: other})
        if rules and set(pair) <= set(changed(rules)):
            return rules
    return None


def _tried(rules: he.Rules, changes: dict[str, Any]) -> he.Rules | None:
    try:
        return rules.replace(**changes)
    except ValueError:
        return None


def contradiction(pair: Item) -> bool:
    """Whether two fields cannot both differ from Basic Hearts, as far as known games and values show."""
    fields = [DECLARATIONS[path].game for path in pair if path in DECLARATIONS]
    return len(fields) == len(pair) and together(pair, [*he.VARIANTS, *fields]) is None
