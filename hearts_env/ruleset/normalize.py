"""Canonical spelling of the fields of `Rules`, so that equal games compare equal and print the same text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import Any

from hearts_env.cards import JOKER, RANKS, SUITS, card_name, pattern_name
from hearts_env.errors import RulesError
from hearts_env.ruleset.derived import TRICK_WORDS
from hearts_env.ruleset.enums import Locked
from hearts_env.ruleset.fields import RuleFields
from hearts_env.ruleset.passing import default_cycle, pass_schedule
from hearts_env.ruleset.syntax import brief, read_gaussian, write_gaussian

Pairs = tuple[tuple[str, Any], ...]


def normal_form(rules: RuleFields) -> None:
    """Spell every field canonically, in place.

    Cards and patterns are written in upper case; the entries of maps and lists whose order does not matter are sorted;
    entries of `score.card_values` that later ones override altogether are dropped; the usual passing cycle becomes the
    empty one.

    Raises:
        RulesError: a field names something that is no card, pattern, rank or seat; the message names the field.
    """
    leaves: dict[str, dict[str, Any]] = {}
    for path, spell in _SPELLINGS.items():
        group, leaf = path.split(".")
        leaves.setdefault(group, {})[leaf] = _spelled(path, spell, getattr(getattr(rules, group), leaf))
    for group, values in leaves.items():
        object.__setattr__(rules, group, replace(getattr(rules, group), **values))
    if rules.passing.cycle and _is_usual_cycle(rules):
        object.__setattr__(rules, "passing", replace(rules.passing, cycle=()))


def _spelled(path: str, spell: Callable[[Any], Any], value: Any) -> Any:
    try:
        return spell(value)
    except ValueError as error:
        raise RulesError(f"{path}: {error}") from None


def _is_usual_cycle(rules: RuleFields) -> bool:
    passing, seats = rules.passing, rules.players
    if len(passing.cycle) != seats:  # the usual cycle gives to every other seat once, then holds
        return False
    cycles = passing.cycle, default_cycle(seats)
    try:
        own, default = ([[o.moves for o in entry] for entry in pass_schedule(c, seats, passing.count)] for c in cycles)
    except RulesError:  # validation reports it
        return False
    return own == default


def _word(text: str) -> str:
    return text.strip().lower()


def _pairs(spell: Callable[[Any], Any]) -> Callable[[Pairs], Pairs]:
    return lambda pairs: tuple(sorted((spell(key), value) for key, value in pairs))


def _set(text: str) -> str:
    return "+".join(_word(part) if _word(part) in TRICK_WORDS else pattern_name(part) for part in text.split("+"))


def _teams(teams: tuple[str, ...]) -> tuple[str, ...]:
    try:
        seats = [sorted(int(seat) for seat in team.split("+")) for team in teams]
    except ValueError:
        raise RulesError(f"[{brief(','.join(teams))}] must name seats joined by +, such as [0+2,1+3]") from None
    return tuple("+".join(map(str, team)) for team in sorted(seats))


def _ranks(ranks: tuple[str, ...]) -> tuple[str, ...]:
    names = tuple(rank.strip().upper() for rank in ranks)
    named = tuple("T" if rank == "10" else rank for rank in names)
    unknown = next((rank for rank in named if rank not in RANKS), None)
    if unknown is not None:
        raise RulesError(f"{brief(unknown)!r} is not a rank; ranks are {', '.join(RANKS)}")
    return named


def _optional(spell: Callable[[str], str]) -> Callable[[str | None], str | None]:
    return lambda text: None if text is None else spell(text)


def _card_list(cards: Iterable[str]) -> tuple[str, ...]:
    return tuple(card_name(card) for card in cards)


def _card_set(cards: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(_card_list(cards), key=_place))


def _patterns(patterns: Iterable[str]) -> tuple[str, ...]:
    names = {pattern_name(pattern) for pattern in patterns}
    return tuple(sorted(name for name in names if not any(_cards(name) < _cards(other) for other in names)))


def _map(spell_key: Callable[[str], str], spell_value: Callable[[Any], Any]) -> Callable[[Pairs], Pairs]:
    """The spelling of a map whose order does not matter."""

    def spell(pairs: Pairs) -> Pairs:
        named = ((spell_key(key), spell_value(value)) for key, value in pairs)
        return tuple(sorted(named, key=lambda pair: (_place(pair[0].split("+")[0]), pair[0], str(pair[1]))))

    return spell


def _as_is(value: Any) -> Any:
    return value


def _multiplier(text: str) -> str:
    factor, at, scope = "".join(text.split()).partition("@")
    with suppress(ValueError):  # validation reports a bad factor with its card
        factor = write_gaussian(read_gaussian(factor))
    return f"{factor}@{pattern_name(scope)}" if at else factor


def _sweep(text: str) -> str:
    return "+".join(sorted({pattern_name(part) for part in text.split("+")}, key=_place))


def _override_map(pairs: Pairs) -> Pairs:
    """The spelling of a map in which later entries override earlier ones: sorted as far as that changes nothing."""
    entries = [(pattern_name(pattern), value) for pattern, value in pairs]
    before = [{first for first in range(place) if _clash(entries[first], entry)} for place, entry in enumerate(entries)]
    left = sorted(range(len(entries)), key=lambda place: (_place(entries[place][0]), str(entries[place][1])))
    ordered: list[tuple[str, Any]] = []
    while left:
        first = next(place for place in left if before[place].isdisjoint(left))
        left.remove(first)
        ordered.append(entries[first])
    return tuple(ordered)


def _card_values(pairs: Pairs) -> Pairs:
    kept: list[tuple[str, Any]] = []
    covered: set[str] = set()
    for pattern, value in reversed(pairs):
        name = pattern_name(pattern)
        if not _cards(name) <= covered:
            kept.append((name, value))
            covered |= _cards(name)
    return _override_map(tuple(reversed(kept)))


def _locked(pairs: Pairs) -> Pairs:
    """The spelling of `play.locked`, without entries that another one includes."""
    named = {(pattern_name(pattern), barred) for pattern, barred in pairs}
    return _map(_as_is, _as_is)(
        tuple(
            pair
            for pair in named
            if not any(
                _cards(pair[0]) <= _cards(pattern) and barred in (pair[1], Locked.PLAY)
                for pattern, barred in named - {pair}
            )
        )
    )


def _clash(one: tuple[str, Any], other: tuple[str, Any]) -> bool:
    """True if the order of two entries matters: they name a card in common and give it different values."""
    return one[1] != other[1] and not _cards(one[0]).isdisjoint(_cards(other[0]))


@cache
def _cards(pattern: str) -> frozenset[str]:
    every = (rank + suit for suit in SUITS for rank in RANKS)
    return frozenset(card for card in every if pattern in (card, card[-1], card[:-1])) or frozenset({pattern})


@cache
def _place(pattern: str) -> tuple[int, int, int]:
    """Sort key of patterns: suits, then ranks, then cards by suit and rank, the unsuited joker last."""
    if pattern in SUITS:
        return 0, SUITS.index(pattern), 0
    if pattern in RANKS:
        return 1, RANKS.index(pattern), 0
    return (3, 0, 0) if pattern == JOKER else (2, SUITS.index(pattern[-1]), RANKS.index(pattern[:-1]))


_SPELLINGS: dict[str, Callable[[Any], Any]] = {
    "table.dealer_next": lambda text: "left" if text.lower() == "left" else card_name(text),
    "table.teams": _teams,
    "deck.ranks": _ranks,
    "deck.added": _card_set,
    "deck.removed": _card_set,
    "deck.removal_order": _card_list,
    "opening.holder": _optional(pattern_name),
    "opening.taker": _optional(card_name),
    "passing.cycle": lambda cycle: tuple("".join(entry.lower().split()) for entry in cycle),
    "passing.unpassable": _patterns,
    "passing.refusable": _patterns,
    "play.first_trick_forbidden": _patterns,
    "play.forced_discard": _patterns,
    "play.locked": _locked,
    "trick.exceptions": _override_map,
    "trick.extend_rank": _optional(pattern_name),
    "exposing.cards": _map(card_name, pattern_name),
    "score.card_values": _card_values,
    "score.negations": _map(card_name, pattern_name),
    "score.multipliers": _map(card_name, _multiplier),
    "score.alone": _map(card_name, _as_is),
    "score.sweeps": _map(_sweep, pattern_name),
    "score.tricks": _pairs(_word),
    "score.sets": _pairs(_set),
    "moon.cards": _patterns,
    "moon.least": _map(pattern_name, _as_is),
    "end.exact": _pairs(_as_is),
}
"""Field -> its canonical spelling; every other field has only one spelling."""
