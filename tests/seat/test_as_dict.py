"""Pictures of a seat that no view has written: each is refused in one line that names the field."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import hearts_env as he
from hearts_env.seat.as_dict import ADDED, FIELDS
from hearts_env.seat.view import View
from tests.support.picture import content

WRONG: list[Any] = [None, True, -7, 1.0, 10**30, "", "QS", "left", [], ["QS"], [[0, "2C"]], {}, [None] * 4, [3] * 4]
RULES = ["black_lady", "cancellation_hearts", "gong_zhu", "complex_hearts", "joker_hearts(players=3, jokers.lead=call)"]


def positions() -> list[View]:
    """Views of every phase that some games come to, from the first deals of matches played at random."""
    found: dict[tuple[str, str], View] = {}
    for rules in RULES:
        match, rng = he.Match(rules, seed=5), Random(5)
        while not match.over and match.deal_number < 2:
            if rng.random() < 0.05 or match.phase not in ("pass", "play"):
                found[rules, match.phase] = match.view(match.seat or 0)
            match.play(rng.choice(match.legal()))
    return list(found.values())


def read(data: Any) -> View | None:
    """The view of a dict; None if it is refused in one line."""
    try:
        return View.from_dict(data)
    except ValueError as error:
        message = str(error)
    assert message
    assert "\n" not in message
    return None


def refused(data: Any) -> str:
    with pytest.raises(ValueError, match=r"\S") as refusal:
        View.from_dict(data)
    assert "\n" not in str(refusal.value)
    return str(refusal.value)


def test_a_field_that_is_missing_or_unknown_is_named() -> None:
    data = he.Match("black_lady", seed=5).view(0).as_dict()
    assert list(data) == list(FIELDS)
    for name in FIELDS.keys() - ADDED.keys():
        assert name in refused({key: value for key, value in data.items() if key != name})
    assert "colour" in refused(data | {"colour": "red"})
    nothings: list[Any] = [None, 3, [], "view", {}]
    for nothing in nothings:
        refused(nothing)


@pytest.mark.exhaustive
def test_a_field_with_another_value_is_refused_or_keeps_to_the_rules() -> None:
    """What is not refused is a view of its own, which writes what was read."""
    for view in positions():
        data = view.as_dict()
        for name in FIELDS:
            for value in (one for one in WRONG if one != data[name] or type(one) is not type(data[name])):
                changed = data | {name: value}
                if (again := read(changed)) is not None:
                    assert again.as_dict() == changed
                    assert content(again) != content(view)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("version", 2, "a whole number from 1 to 1"),
        ("seat", 4, "the number of a seat"),
        ("rules", "no_such_game", "no_such_game"),
        ("hand", ["QS"], "it has"),
        ("legal", ["QS"], "by the other fields it is"),
        ("direction", "up", "it is one of left"),
        ("dealer", True, "the number of a seat"),
        ("pass_entry", 65536, "a whole number from 0 to 127"),
        ("totals", ["x"] * 4, "Gaussian"),
    ],
)
def test_the_message_says_what_is_possible(name: str, value: Any, words: str) -> None:
    data = he.Match("black_lady", seed=5).view(0).as_dict()
    assert words in refused(data | {name: value})


def test_a_text_can_be_shortened_but_for_its_end() -> None:
    match, rng = he.Match("black_lady(cycle=[hold])", seed=5), Random(5)
    for _ in range(30):
        match.play(rng.choice(match.legal()))
    view = match.view(match.seat or 0)
    whole, short = view.text(), view.text(max_chars=450)
    assert "\n1. " in whole
    assert "\n1. " not in short
    assert "\n7. " in short
    assert len(short) <= 450
    assert short.splitlines()[-1] == whole.splitlines()[-1]


def test_a_view_written_before_a_field_was_added_is_read() -> None:
    view = he.Match("gong_zhu", seed=7).view(0)
    older = {name: value for name, value in view.as_dict().items() if name != "declined"}
    assert he.View.from_dict(older).as_dict() == view.as_dict()
