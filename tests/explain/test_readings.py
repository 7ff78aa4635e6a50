"""Summaries and readings: the page of a changed game has no sentence that is no longer true without saying so."""

from __future__ import annotations

import copy
import dataclasses
import re

import pytest

import hearts_env as he
from hearts_env.explain.page import explain
from hearts_env.explain.readings import reading_lines, summary_fields, summary_lines
from hearts_env.ruleset.model import Variant, field_path, field_types

VARIANTS = list(he.VARIANTS.values())
NAMES = [variant.name for variant in VARIANTS]


def flowing(rules: str) -> str:
    """The page on one line."""
    return " ".join(explain(rules).split())


@pytest.mark.parametrize(
    ("standard", "changed", "fragment"),
    [
        ("black_lady", "black_lady(moon.mode=old)", "The shooter chooses"),
        ("black_lady", "black_lady(moon.mode=none)", "shoots the moon"),
        ("black_lady", "black_lady(card_values={H:1,QS:26})", "the queen of spades 13;"),
        ("black_lady", "black_lady(first_trick_forbidden=[])", "Some books allow hearts"),
        ("black_lady", "black_lady(cycle=[left])", "left, right, across, hold"),
        ("omnibus_hearts", "omnibus_hearts(card_values={H:1,QS:13,TD:-10})", "the jack of diamonds"),
        ("danger_hearts", "danger_hearts(lives=5)", "three lives"),
        ("danger_hearts", "danger_hearts(life_threshold=20)", "15 points or more"),
        ("danger_hearts", "danger_hearts(max_deals=12)", "Ten deals"),
        ("small_hearts", "small_hearts(deck.ranks=[7,8,9,T,J,Q,K,A])", "28"),
        ("small_hearts", "small_hearts(deck.ranks=[7,8,9,T,J,Q,K,A])", "14"),
        ("spot_hearts", "spot_hearts(target=300)", "500"),
        ("turbo_hearts", "turbo_hearts(exposing.factor=3)", "multiplies by 4"),
        ("joker_hearts", "joker_hearts(jokers.lead=call)", "only by a player who has nothing else"),
        ("gong_zhu", "gong_zhu(alone={TC:40})", "worth 50"),
        ("likha", "likha(moon.amount=36)", "37"),
    ],
)
def test_a_changed_game_drops_or_marks_what_is_no_longer_true(standard: str, changed: str, fragment: str) -> None:
    assert fragment in flowing(standard)
    opening, _, rest = flowing(changed).partition("## ")
    assert fragment not in rest
    assert fragment not in opening or "(changed: " in opening


def test_sentences_about_other_fields_stay() -> None:
    page = flowing("omnibus_hearts(target=50)")
    variant = he.VARIANTS["omnibus_hearts"]
    assert variant.summary in page
    assert all(reading.text in page for reading in variant.readings)


@pytest.mark.parametrize("variant", VARIANTS, ids=NAMES)
def test_every_sentence_declares_fields_that_exist(variant: Variant) -> None:
    assert summary_fields(variant)
    for about in (variant.about, *(reading.about for reading in variant.readings)):
        assert len(set(about)) == len(about)
        assert set(about) <= set(field_types())
    assert all(reading.about for reading in variant.readings)


def with_field(rules: he.Rules, path: str) -> he.Rules:
    """The rules with something else in a field, whether or not that is possible."""
    group, leaf = path.split(".")
    other = copy.copy(rules)
    object.__setattr__(other, group, dataclasses.replace(getattr(rules, group), **{leaf: object()}))
    return other


@pytest.mark.parametrize("variant", VARIANTS, ids=NAMES)
def test_changing_a_field_marks_the_summary_and_drops_the_readings_about_it_and_no_others(variant: Variant) -> None:
    for players in variant.players:
        rules = variant.build(players)
        assert summary_lines(rules) == [variant.summary]
        assert reading_lines(rules) == [reading.text for reading in variant.readings]
        for path in field_types().keys() - {"table.players"}:
            changed = with_field(rules, path)
            (line,) = summary_lines(changed)
            assert line.startswith(variant.summary)
            assert (f"(changed: {path}=" in line) == (path in summary_fields(variant))
            assert reading_lines(changed) == [r.text for r in variant.readings if path not in r.about]


def test_the_page_of_a_changed_game_keeps_the_summary() -> None:
    opening = flowing("queens(target=60)").partition(" ## ")[0]
    assert he.VARIANTS["queens"].summary + " (changed: end.target=60)" in opening
    assert "Other names: queens hearts." in opening


SUGGESTION = re.compile(r"[a-z_]+(?:\.[a-z_]+)?=(?:\[[^]]*\]|\{[^}]*\}|[\w-]+)")


@pytest.mark.parametrize("variant", VARIANTS, ids=NAMES)
def test_what_a_reading_suggests_is_possible_and_declared(variant: Variant) -> None:
    for reading in variant.readings:
        for clause in re.split(r"(?<=[.;]) | or ", reading.text):
            fields = dict(field.split("=", 1) for field in SUGGESTION.findall(clause))
            assert {field_path(name) for name in fields} <= set(reading.about), clause
            if fields:
                assert set(map(field_path, fields)) & variant.build(**fields).changes().keys()


# A word, and the fields one of which a sentence with it speaks of.
KEYWORDS = {
    r"\bmoon": ("moon.",),
    r"\bpass": ("passing.",),
    r"\bfirst trick": ("play.", "opening.", "deck.", "trick."),
    r"\bkitty|\bwidow": ("deck.",),
    r"\bjokers?\b": ("deck.", "jokers."),
    r"\b(jack|queen|king|ace|ten|seven|hearts)\b": ("score.", "play.", "exposing.", "moon.", "opening.", "deck."),
    r"\b(lead|leads|led|opens)\b": ("opening.", "play.", "jokers.", "trick."),
    r"\bteams?\b": ("table.teams", "moon.scope", "end."),
    r"\b(target|match)\b": ("end.",),
    r"\bli(fe|ves)\b": ("end.lives",),
    r"\bcosts?\b": ("score.", "moon.", "end.lives"),
}


@pytest.mark.parametrize("variant", VARIANTS, ids=NAMES)
def test_a_sentence_with_a_keyword_declares_a_field_of_it(variant: Variant) -> None:
    sentences = {variant.summary: summary_fields(variant)} | {r.text: frozenset(r.about) for r in variant.readings}
    for text, about in sentences.items():
        for word, prefixes in KEYWORDS.items():
            if re.search(word, SUGGESTION.sub("", text)):
                assert any(path.startswith(prefixes) for path in about), (text, word)
