"""What the rules say as numbers: every field of the rules is told, names are not."""

from __future__ import annotations

import numpy as np
import pytest

import hearts_env as he
from hearts_env.benchmark.digest import spelled_out
from hearts_env.compiled.game import compile_game
from hearts_env.compiled.statics import CARD_TERMS, Statics, answers, statics_of
from hearts_env.ruleset.fields import DECLARATIONS
from tests.support.games import COVERING

TEXTS = list(COVERING)


def told(rules: he.Rules) -> Statics:
    return statics_of(compile_game(rules))


def are_equal(one: Statics, other: Statics) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("path", [path for path, field in DECLARATIONS.items() if field.shows != "refusal"])
def test_a_changed_field_is_told(path: str) -> None:
    rules = he.rules(DECLARATIONS[path].game)
    changed = rules.replace(**{path: DECLARATIONS[path].change})
    asked = (answers(compile_game(one)) for one in (rules, changed))
    assert not are_equal(told(rules), told(changed)) or len(set(asked)) == 2


@pytest.mark.parametrize("name", sorted(he.VARIANTS))
def test_another_spelling_is_told_alike(name: str) -> None:
    rules = he.rules(name)
    assert are_equal(told(rules), told(spelled_out(rules)))


@pytest.mark.parametrize("text", TEXTS)
def test_everything_told_is_a_number_of_moderate_size(text: str) -> None:
    assert all(np.isfinite(part).all() and np.abs(part).max(initial=0) <= 10 for part in told(he.rules(text)))


def test_suits_that_change_names_change_places() -> None:
    """Clubs and diamonds of Basic Hearts differ in the card that opens alone."""
    rows, renamed = told(he.rules("black_lady")).cards, told(he.rules("black_lady(opening.holder=D)")).cards
    swapped = np.concatenate([renamed[13:26], renamed[:13], renamed[26:]])
    assert np.array_equal(rows, swapped)
    assert not np.array_equal(rows, renamed)
    assert rows.shape[1] == len(CARD_TERMS)
