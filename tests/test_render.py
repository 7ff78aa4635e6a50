"""Pictures of tables: complete, stable in form, and blind to what a seat may not know."""

from __future__ import annotations

import random
import re
from xml.etree import ElementTree

import pytest

import hearts_env as he
from hearts_env.render.ansi import cards_text, render_match, render_match_record, render_view
from hearts_env.render.svg import render_match_svg, render_view_svg

SYMBOL = dict(zip("CDHS", "♣♦♥♠", strict=True))


def at(rules: str, plies: int) -> he.Match:
    match, rng = he.Match(rules, seed=3), random.Random(3)
    for _ in range(plies):
        match.play(rng.choice(match.legal()))
    return match


def listed(text: str) -> list[str]:
    """The cards a picture shows."""
    found = []
    for suit, ranks in re.findall(r"([♣♦♥♠])((?: ?[2-9TJQKA](?!\w))+)", text):
        found += [rank + suit for rank in ranks.split()]
    return found


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("plies", [0, 4, 19, 27])
def test_the_table_shows_every_card_of_every_hand(players: int, plies: int) -> None:
    match = at(f"black_lady(players={players}, cycle=[left])", plies)
    rows = render_match(match).splitlines()[3 : 3 + players]
    for seat, hand in enumerate(match.hands):
        assert rows[seat].split()[0 if match.seat != seat else 1] == str(seat)
        for card in hand:
            assert card[:-1] + SYMBOL[card[-1]] in listed(rows[seat])
    assert [row[0] for row in rows].index(">") == match.seat


def test_a_trick_under_way_shows_who_led_what() -> None:
    match = he.Match("black_lady(cycle=[hold])", seed=3)
    leader = match.leader
    assert leader is not None
    match.play("2C")
    row = render_match(match).splitlines()[3 + leader]
    assert "♣2 led" in row
    assert "trick 1 of 13" in render_match(match)
    assert f"seat {match.seat} plays" in render_match(match)


def test_a_view_shows_its_hand_and_only_numbers_of_the_others() -> None:
    match = at("black_lady(cycle=[left])", 22)
    for seat in range(4):
        text = render_view(match.view(seat))
        allowed = set(match.hands[seat])
        view = match.view(seat)
        allowed |= set(view.passed) | set(view.received) | {card for _, card in view.played}
        assert {card[:-1] + SYMBOL[card[-1]] for card in allowed} >= set(listed(text))
        assert text.count(" cards") == 3
        assert f"seat {seat} passed " in text


def test_pictures_do_not_change_with_hidden_cards() -> None:
    match = he.Match("black_lady(cycle=[hold])", seed=3)
    match.play("2C")
    seat = match.seat
    assert seat is not None
    one, other = [place for place in range(4) if place not in (seat, match.leader)][:2]
    hands = he.Match("black_lady(cycle=[hold])", seed=3).hands
    hands[one], hands[other] = hands[other], hands[one]
    swapped = he.Match.from_hands("black_lady(cycle=[hold])", hands, dealer=match.dealer, played=["2C"], passing=True)
    assert swapped.seat == seat
    assert render_match(match) != render_match(swapped)
    assert render_view(match.view(seat)) == render_view(swapped.view(seat))
    assert render_view_svg(match.view(seat)) == render_view_svg(swapped.view(seat))


@pytest.mark.parametrize("plies", [0, 5, 30, 64])
def test_color_adds_nothing_but_escape_sequences(plies: int) -> None:
    match = at("black_lady", plies)
    plain, painted = render_match(match), render_match(match, color=True)
    assert "\x1b" not in plain
    assert "\x1b[31m♥" in painted
    assert re.sub(r"\x1b\[\d+m", "", painted) == plain
    assert not re.search(r"\x1b\[31m[^\x1b]*[♣♠]", painted)


def test_a_record_renders_as_its_match() -> None:
    match = at("black_lady", 30)
    assert render_match_record(match.game, match.state[0]) == render_match(match)


def test_every_question_is_asked() -> None:
    assert "calls the pass: direction:left or direction:hold" in render_match(he.Match("black_lady(cycle=[left|hold])"))
    assert "picks a card to pass" in render_match(he.Match("black_lady"))
    assert "leads" in render_match(he.Match("black_lady(cycle=[hold])"))
    hands = [[rank + suit for rank in "23456789TJQKA"] for suit in "HSCD"]
    match = he.Match.from_hands("black_lady(exact={26:0}, exact_optional=true, target=26)", hands, leader=0)
    while match.phase == "play":
        match.play(match.legal()[0])
    assert "seat 0 has shot the moon: moon:self or moon:others" in render_match(match)
    match.play("moon:others")
    assert "seat 1 has hit an exact total: exact:yes or exact:no" in render_match(match)
    for _ in range(3):
        match.play("exact:no")
    assert "the match is over; best: seat 0" in render_match(match)


def test_cards_are_grouped_by_suit() -> None:
    assert cards_text(["2C", "TC", "AH"]) == "♣2 T  ♥A"
    assert cards_text([]) == ""
    assert cards_text(["12C", "JK"]) == "♣12  JK"


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_svg_has_every_card_inside_the_picture(players: int) -> None:
    match = at(f"black_lady(players={players}, cycle=[left])", 20)
    root = ElementTree.fromstring(render_match_svg(match))
    name = "{http://www.w3.org/2000/svg}"
    cards = list(root.iter(f"{name}rect"))[1:]
    assert len(cards) == sum(map(len, match.hands)) + len(match.trick)
    for box in cards:
        assert 0 <= float(box.attrib["x"]) <= 960 - float(box.attrib["width"])
        assert 0 <= float(box.attrib["y"]) <= 600 - float(box.attrib["height"])
    words = [text.text for text in root.iter(f"{name}text")]
    seat = match.seat or 0
    assert f"▸ seat {seat} · {match.points[seat]} points · total 0" in words
