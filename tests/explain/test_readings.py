"""Summaries and readings: the page of a changed game has no sentence that is not true of it without saying so."""

import copy
import dataclasses
import re

import pytest

import hearts_env as he
from hearts_env.compiled.game import compile_game
from hearts_env.explain.readings import closing_sections, opening_lines
from hearts_env.ruleset.model import Variant, field_path, field_types

VARIANTS = list(he.VARIANTS.values())
NAMES = [variant.name for variant in VARIANTS]


@pytest.mark.parametrize("variant", VARIANTS, ids=NAMES)
def test_every_sentence_declares_fields_that_exist(variant: Variant) -> None:
    for reading in variant.readings:
        assert reading.about
        assert len(set(reading.about)) == len(reading.about)
        assert set(reading.about) <= set(field_types())


def with_field(rules: he.Rules, path: str) -> he.Rules:
    """The rules with something else in a field, whether or not that is possible."""
    group, leaf = path.split(".")
    other = copy.copy(rules)
    object.__setattr__(other, group, dataclasses.replace(getattr(rules, group), **{leaf: object()}))
    return other


@pytest.mark.parametrize("variant", VARIANTS, ids=NAMES)
def test_changing_a_field_drops_the_readings_about_it_and_no_others(variant: Variant) -> None:
    for players in variant.players:
        rules = variant.build(players)
        assert opening_lines(rules)[0] == variant.summary
        assert closing_sections(rules)["Readings"] == [reading.text for reading in variant.readings]
        for path in field_types().keys() - {"table.players"}:
            changed = with_field(rules, path)
            assert opening_lines(changed)[0].startswith(f"{variant.title}, changed: {path}=")
            kept = [reading.text for reading in variant.readings if path not in reading.about]
            assert closing_sections(changed)[f"Readings of {variant.title}, unchanged"] == kept


SUGGESTION = re.compile(r"[a-z_]+(?:\.[a-z_]+)?=(?:\[[^]]*\]|\{[^}]*\}|[\w-]+)")


@pytest.mark.parametrize("variant", VARIANTS, ids=NAMES)
def test_what_a_reading_suggests_is_possible_and_declared(variant: Variant) -> None:
    for reading in variant.readings:
        for clause in re.split(r"(?<=[.;]) | or ", reading.text):
            fields = dict(field.split("=", 1) for field in SUGGESTION.findall(clause))
            assert {field_path(name) for name in fields} <= set(reading.about), clause
            if fields:
                assert set(map(field_path, fields)) & variant.build(**fields).changes().keys()


@pytest.mark.parametrize("players", [3, 5, 6])
def test_two_packs_of_black_lady_lose_their_lowest_cards_in_pairs(players: int) -> None:
    (text,) = (reading.text for reading in he.VARIANTS["uk_black_lady"].readings if "For two packs" in reading.text)
    fields = dict(field.split("=", 1) for field in SUGGESTION.findall(text))
    copies = compile_game(he.VARIANTS["uk_black_lady"].build(players, **fields)).deck.copies
    missing = [card for card in ("2C", "2D", "3C", "3D") for _ in range(2 - copies[card])]
    assert missing == {3: ["2C", "2D"], 5: ["2C", "2C", "2D", "2D"], 6: ["2C", "2D"]}[players]
