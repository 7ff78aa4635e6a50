"""Advice beside a real table: every game to the end of a deal, and the page."""

from random import Random
from typing import Any

import pytest

import hearts_env as he
from hearts_training.web.advice import Notes, advice
from tests.support.marks import few
from tests.support.web import Site

GAMES = ["heartsette", "turbo_hearts", "likha", "joker_hearts(jokers.lead=call)", "black_lady(pledge=10)"]
HAND = "2C 5C 9C 4D TD QD 3H 7H KH 6S JS QS AS"


def typed(match: he.Match, seat: int) -> Notes:
    """The notes of a seat of a match that comes to play."""
    view, notes = match.view(seat), Notes(match.rules, seat).add(" ".join(match.log[0].hands[seat]))
    notes = notes.add(view.direction or "") if notes.due == "direction" else notes
    for cards in filter(None, (view.passed, view.received)):
        notes = notes.add(" ".join(cards))
    if notes.due == "expose":
        notes = notes.add(" ".join(f"{one}: {card}" for one in range(4) for card in view.shown[one]) or "none")
    if notes.due == "pledge":
        notes = notes.add(" ".join("yes" if pledge else "no" for pledge in view.pledges))
    return notes


@pytest.mark.parametrize("text", few(GAMES, 3))
def test_a_deal_of_every_kind_can_be_typed(text: str) -> None:
    match, rng, seat = he.Match(text, 0), Random(0), 1
    while match.phase != "play":
        match.play(rng.choice(match.legal()))
    notes, leader = typed(match, seat), match.seat
    while match.deal_number == 0 and match.phase in ("play", "suit"):
        action, kitty, was = rng.choice(match.legal()), match.view(seat).kitty, match.clone()
        match.play(action)
        own = [] if match.deal_number else match.view(seat).kitty[len(kitty) :]
        first = f"{leader} " if not was.view(seat).played else ""
        notes = notes.add(first + action.removeprefix("suit:") + " kitty " * bool(own) + " ".join(own))
        if notes.view is not None:
            again, view = notes.view.as_dict(), match.view(seat).as_dict()
            assert {name for name in view if again[name] != view[name]} <= {"dealer"}
    assert (notes.due, notes.add(" ".join(match.log[0].hands[seat])).deal) == ("over", 1)


def test_what_is_known_of_cards_is_said() -> None:
    notes = Notes(he.rules("black_lady"), 0)
    for line in (HAND, "left", "QS JS KH", "2D 3D 5D", "2C"):
        notes = notes.add(line)
    text = advice(notes)
    assert "QS               100%      0%      0%" in text
    assert "net:black_lady" not in text  # it is the turn of seat 1


@pytest.mark.exhaustive
def test_the_page_advises(page: Any, site: Site) -> None:
    page.goto(site.at())
    page.click("#advise")
    for line, prompt in (
        (HAND, "the pass of this deal"),
        ("hold", "your lead"),
        ("2c 3C AC 4C", "the lead of seat 2"),
    ):
        page.fill("#entry", line)
        page.click("#enter")
        page.wait_for_function("words => document.querySelector('#prompt').textContent.startsWith(words)", arg=prompt)
        if prompt == "your lead":
            assert "You have no choice: 2C." in page.text_content("#advice")
    assert page.input_value("#entry") == ""
