"""Canonical spelling of the fields of `Rules`, so that equal games compare equal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from hearts_env.cards import RANKS, card_name, pattern_name
from hearts_env.ruleset.derived import TRICK_WORDS
from hearts_env.ruleset.fields import RuleFields


def normal_form(rules: RuleFields) -> None:
    """Spell cards, patterns, passes and teams canonically, in place. Raises ValueError for a bad card."""
    deck, passing, play, score, moon = rules.deck, rules.passing, rules.play, rules.score, rules.moon
    dealer, taker, extend = rules.table.dealer_next, rules.opening.taker, rules.trick.extend_rank
    spelled = {
        "table": replace(
            rules.table,
            dealer_next=dealer.lower() if dealer.lower() == "left" else card_name(dealer),
            teams=_teams(rules.table.teams),
        ),
        "deck": replace(
            deck,
            ranks=tuple(sorted((pattern_name(rank) for rank in deck.ranks), key=_rank_order)),
            added=_cards(deck.added),
            removed=_cards(deck.removed),
            removal_order=_cards(deck.removal_order),
        ),
        "opening": replace(
            rules.opening,
            holder=pattern_name(rules.opening.holder),
            taker=None if taker is None else card_name(taker),
        ),
        "passing": replace(
            passing,
            cycle=tuple("".join(entry.lower().split()) for entry in passing.cycle),
            unpassable=_patterns(passing.unpassable),
            refusable=_patterns(passing.refusable),
        ),
        "play": replace(
            play,
            first_trick_forbidden=_patterns(play.first_trick_forbidden),
            forced_discard=_patterns(play.forced_discard),
        ),
        "trick": replace(
            rules.trick,
            exceptions=_keys(rules.trick.exceptions, pattern_name),
            extend_rank=None if extend is None else pattern_name(extend),
        ),
        "exposing": replace(rules.exposing, cards=_keys(rules.exposing.cards, card_name, pattern_name)),
        "score": replace(
            score,
            card_values=_keys(score.card_values, pattern_name),
            negations=_keys(score.negations, card_name, pattern_name),
            multipliers=_keys(score.multipliers, card_name, _multiplier),
            alone=_keys(score.alone, card_name),
            sweeps=_keys(score.sweeps, _sweep, pattern_name),
            tricks=_keys(score.tricks, _word),
            sets=_keys(score.sets, _set),
        ),
        "moon": replace(moon, cards=_patterns(moon.cards), least=_keys(moon.least, pattern_name)),
    }
    for group, value in spelled.items():
        object.__setattr__(rules, group, value)


def _cards(cards: Iterable[str]) -> tuple[str, ...]:
    return tuple(card_name(card) for card in cards)


def _patterns(patterns: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted({pattern_name(pattern) for pattern in patterns}))


def _as_is(value: Any) -> Any:
    return value


def _keys(
    pairs: tuple[tuple[str, Any], ...], spell: Callable[[str], str], spell_value: Callable[[Any], Any] = _as_is
) -> tuple[tuple[str, Any], ...]:
    return tuple((spell(key), spell_value(value)) for key, value in pairs)


def _multiplier(text: str) -> str:
    factor, at, scope = "".join(text.split()).partition("@")
    return f"{factor.lower()}@{pattern_name(scope)}" if at else factor.lower()


def _sweep(text: str) -> str:
    return "+".join(pattern_name(part) for part in text.split("+"))


def _word(text: str) -> str:
    return text.strip().lower()


def _set(text: str) -> str:
    return "+".join(_word(part) if _word(part) in TRICK_WORDS else pattern_name(part) for part in text.split("+"))


def _teams(teams: tuple[str, ...]) -> tuple[str, ...]:
    try:
        seats = [sorted(int(seat) for seat in team.split("+")) for team in teams]
    except ValueError:
        raise ValueError(f"table.teams=[{','.join(teams)}] must name seats joined by +, such as [0+2,1+3]") from None
    return tuple("+".join(map(str, team)) for team in sorted(seats))


def _rank_order(rank: str) -> int:
    if rank not in RANKS:
        raise ValueError(f"deck.ranks names {rank!r}; ranks are {', '.join(RANKS)}")
    return RANKS.index(rank)
