"""No field of `Rules` is dead: for each there are two games that differ in it alone and play or score differently."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

import hearts_env as he
from hearts_env.ruleset.fields import DECLARATIONS
from hearts_env.ruleset.model import field_types
from tests.support.deals import SHAPES, anyhow, greedy, near_the_end
from tests.support.lockstep import seen_by
from tests.support.marks import few

RULES = Path(he.__file__).with_name("RULES.md")
PACK = {path for path in DECLARATIONS if path.startswith("deck.")} - {"deck.kitty_award"} | {"table.players"}
"""Fields that change the hands dealt."""


def test_every_field_is_used_by_a_variant_or_is_an_option_of_the_rulebook() -> None:
    plain = he.rules("black_lady").flat()
    used = set()
    for variant in he.VARIANTS.values():
        for players in variant.players:
            values = variant.build(players).flat()
            named = {*variant.delta, *variant.by_players.get(players, {})}
            assert all(values[path] != plain[path] for path in named), f"{variant.name} says what is said already"
            used |= named
    options = RULES.read_text("utf-8").partition("## C. Fields")[0]
    described = {path for path in field_types() if re.search(rf"`[^`]*\b{path.split('.')[1]}\b", options)}
    assert used | {"table.players"} | described == set(field_types())


@pytest.mark.parametrize("path", [path for path, kind in field_types().items() if kind in (int, int | None)])
def test_numbers_out_of_bounds_are_refused(path: str) -> None:
    field = DECLARATIONS[path]
    for number in (field.least - 1, field.most + 1):
        with pytest.raises(ValueError, match=rf"{path.removeprefix('table.')}={number} "):
            he.rules(field.game).replace(**{path: number})


@pytest.mark.parametrize("path", few(DECLARATIONS, 24, daily=24))
def test_the_field_matters(path: str) -> None:
    field = DECLARATIONS[path]
    one = he.rules(field.game)
    if field.shows == "refusal":
        with pytest.raises(ValueError, match=path):
            one.replace(**{path: field.change})
        return
    other = one.replace(**{path: field.change})
    assert [name for name, value in one.flat().items() if value != other.flat()[name]] == [path]
    if path in PACK:
        assert field.shows in _differences(he.Match(one, seed=1), he.Match(other, seed=1))
    else:
        assert any(field.shows in _played_alike(one, other, Random(seed)) for seed in range(400))


def _differences(one: he.Match, other: he.Match) -> set[str]:
    left, right = seen_by(one), seen_by(other)
    return {name for name in left if left[name] != right[name]}


def _played_alike(one: he.Rules, other: he.Rules, rng: Random) -> set[str]:
    """Deal and play two games alike until something shows that they differ; what shows it."""
    hands = rng.choice(SHAPES)(one, rng)
    totals = rng.choice([near_the_end(one, rng), [rng.choice([-9, 37, 40, 48, 49]) for _ in hands]])
    deal_number, passing, dealer = rng.randrange(8), rng.random() < 0.3, rng.randrange(one.players)
    left, right = (
        he.Match.from_hands(
            rules, hands, totals=totals, deal_number=deal_number, passing=passing, dealer=dealer, seed=5
        )
        for rules in (one, other)
    )
    strong = max(range(one.players), key=lambda seat: sum(card[:-1] in "AKQ" for card in hands[seat]))
    policy = rng.choice([anyhow, greedy([strong])])
    while not (differences := _differences(left, right)):
        if left.over or left.deal_number > deal_number + 1:
            return set()
        action = policy(left, rng)  # type: ignore[arg-type]  # a match has what a policy asks of the oracle
        left.play(action)
        right.play(action)
    return differences
