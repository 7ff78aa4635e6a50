"""The distribution over rules: frozen, valid, and wide."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

import hearts_env as he
from hearts_env.ruleset.derived import build_deck, card_points, hand_size

GOLDEN = Path(__file__).with_name("sample_v1.txt")
NEVER = {"deck.removed", "passing.to_partner"}
"""The pack loses cards by `deck.removal_order` only, and a pass to a partner is always possible."""
SAMPLED = [he.sample_rules(seed) for seed in range(100)]


def digest(rules: he.Rules) -> str:
    """The beginning of the SHA-256 of the canonical text."""
    return hashlib.sha256(str(rules).encode()).hexdigest()[:16]


def test_the_first_hundred_seeds_give_what_they_always_gave() -> None:
    """They never change: another distribution is another version."""
    assert [digest(rules) for rules in SAMPLED] == GOLDEN.read_text("utf-8").split()


def test_rules_read_back_and_stay_within_the_limits() -> None:
    for rules in SAMPLED:
        assert he.rules(str(rules)) == rules
        assert rules.variant.name == "black_lady"
        deck = build_deck(rules)
        assert 2 <= rules.players <= 11
        assert 3 <= hand_size(rules, deck) <= 20
        assert any(card_points(rules, deck).values())


@pytest.mark.exhaustive
def test_every_field_changes_and_hardly_any_rules_come_twice() -> None:
    basic, many = he.rules("black_lady").flat(), [he.sample_rules(seed) for seed in range(700)]
    changed = {path for rules in many for path, value in rules.flat().items() if value != basic[path]}
    assert set(basic) - changed == NEVER
    assert {rules.players for rules in many} == set(range(2, 12))
    assert len(set(map(str, many))) > 0.98 * len(many)


def test_sampled_rules_are_played_to_the_end() -> None:
    for rules in SAMPLED[:25]:
        env = he.vector_env(rules, 4, deals=1)
        env.reset(seed=1)
        ended = 0
        for _ in range(400):
            ended += int(env.step(env.action_masks.argmax(axis=1))[2].sum())
        assert ended >= 4


@pytest.mark.parametrize(("arguments", "words"), [((1, 2), "version=2"), ((-1,), "seed=-1")])
def test_other_seeds_and_versions_are_refused(arguments: tuple[int, ...], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        he.sample_rules(*arguments)
