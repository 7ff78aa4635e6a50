"""The distribution over rules: frozen, valid, and wide."""

import hashlib
from pathlib import Path

import pytest

import hearts_env as he
from hearts_env.ruleset.derived import build_deck, card_points, hand_size
from hearts_env.ruleset.model import field_types
from hearts_env.variants import sample

GOLDEN = Path(__file__).with_name("sample_v1.txt")
NEVER = {"deck.removed", "passing.to_partner", "end.endless"}
"""The pack loses cards by `deck.removal_order` only, a pass to a partner is always possible, and matches end."""
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


def test_every_field_has_a_step() -> None:
    source = Path(sample.__file__).read_text("utf-8")
    assert {path for path in field_types() if f'"{path}"' not in source} <= NEVER | {"table.players"}


@pytest.mark.exhaustive
@pytest.mark.release
def test_every_field_changes_and_hardly_any_rules_come_twice() -> None:
    basic, many = he.rules("black_lady").flat(), [he.sample_rules(seed, 2) for seed in range(700)]
    changed = {path for rules in many for path, value in rules.flat().items() if value != basic[path]}
    assert set(basic) - changed == NEVER
    assert {rules.players for rules in many} == set(range(2, 12))
    assert len(set(map(str, many))) > 0.98 * len(many)


@pytest.mark.exhaustive
@pytest.mark.release
def test_every_fifth_of_six_thousand_seeds_gives_what_it_always_gave() -> None:
    every = hashlib.sha256()
    for seed in range(0, 6000, 5):
        every.update(f"{he.sample_rules(seed)}\n".encode())
    assert every.hexdigest()[:16] == "2bf04c07e4c03480"


def test_a_later_word_or_step_does_not_change_version_1(monkeypatch: pytest.MonkeyPatch) -> None:
    words = field_types()
    more = words | {"play.break_by": [*words["play.break_by"], "queen"]}
    monkeypatch.setattr(sample, "field_types", lambda: more)
    monkeypatch.setattr(sample, "STEPS", (sample.Step("new", 100, lambda *_: {}), *sample.STEPS))
    assert [digest(he.sample_rules(seed)) for seed in range(100)] == GOLDEN.read_text("utf-8").split()


def test_in_version_2_a_later_step_moves_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    before = [he.sample_rules(seed, 2) for seed in range(60)]
    assert len({str(rules) for rules in before} & {str(rules) for rules in SAMPLED}) < 3
    monkeypatch.setattr(sample, "STEPS", (sample.Step("new", 50, lambda *_: {}), *sample.STEPS))
    assert [he.sample_rules(seed, 2) for seed in range(60)] == before
    for rules in before:
        assert he.rules(str(rules)) == rules
        assert 3 <= hand_size(rules, build_deck(rules)) <= 20


@pytest.mark.parametrize(("arguments", "words"), [((1, 3), "version=3"), ((-1,), "seed=-1")])
def test_other_seeds_and_versions_are_refused(arguments: tuple[int, ...], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        he.sample_rules(*arguments)
