"""Pictures of tables: complete, stable in form, and blind to what a seat may not know."""

import random
import re
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest

import hearts_env as he
from hearts_env.render.ansi import cards_text, render_match, render_view
from hearts_env.render.pixels import _rasterised, render_film, render_record_pixels
from hearts_env.render.svg import render_match_svg, render_record_svg, render_view_svg
from hearts_env.seat.public import PHASES
from tests.support.games import COVERING, match_in, positions
from tests.support.marks import few

SYMBOL = dict(zip("CDHS", "♣♦♥♠", strict=True))


def at(rules: str, plies: int) -> he.Match:
    *_, match = positions(rules, 3, plies + 1)
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


def test_every_question_is_asked() -> None:
    assert "must choose how cards are passed: direction:left or" in render_match(
        he.Match("black_lady(cycle=[left|hold])")
    )
    assert "must pass a card" in render_match(he.Match("black_lady"))
    assert "leads" in render_match(he.Match("black_lady(cycle=[hold])"))
    hands = [[rank + suit for rank in "23456789TJQKA"] for suit in "HSCD"]
    match = he.Match.from_hands("black_lady(exact={26:0}, exact_optional=true, target=26)", hands, leader=0)
    while match.phase == "play":
        match.play(match.legal()[0])
    assert "seat 0 must choose what the moon does: moon:self or moon:others" in render_match(match)
    match.play("moon:others")
    assert "seat 1 must change its total, hit exactly, or keep it: exact:yes or exact:no" in render_match(match)
    for _ in range(3):
        match.play("exact:no")
    assert "the match is over; best: seat 0" in render_match(match)


@pytest.mark.parametrize("phase", PHASES)
def test_every_phase_is_drawn(phase: str) -> None:
    match = match_in(phase)
    special = [action for action in match.legal() if ":" in action]
    for view in map(match.view, range(match.game.seats)):
        ElementTree.fromstring(render_view_svg(view))
        last = render_view(view).splitlines()[-1]
        assert match.over or last.startswith(f"seat {match.seat} ")
        assert view.seat != match.seat or last.endswith(" or ".join(special))
        assert view.seat != match.seat or last == render_match(match).splitlines()[-1]
    pytest.importorskip("resvg_py")
    assert render_record_pixels(match.game, match.state[0]).shape == (600, 960, 3)


def test_cards_put_aside_are_drawn_until_nobody_refuses_one() -> None:
    match = he.Match("black_lady(refusable=[QS,KS,AS], cycle=[left])", seed=1)
    while match.phase != "refuse":
        match.play(match.legal()[-1])
    for seat in range(4):
        rows = hands_in(render_view(match.view(seat)), 4)
        own = {card[:-1] + SYMBOL[card[-1]] for card in match.hands[seat] + match.view(seat).passed}
        assert set(listed(rows[seat])) == own
        assert "".join(rows).count("13 cards") == 3


def test_a_sign_is_drawn_with_the_seat_it_is_for() -> None:
    match, totals = match_in("sign"), []
    for action in match.legal():
        other = match.clone()
        other.play(action)
        while other.phase == "sign":
            other.play("sign:plus")
        totals.append(other.totals)
    [whom] = [seat for seat, (plus, minus) in enumerate(zip(*totals, strict=True)) if plus != minus]
    assert f"seat {match.seat} must choose the sign of the moon's award for seat {whom}: " in render_match(match)


# --- every variant ---------------------------------------------------------------------------------


def hands_in(text: str, seats: int) -> list[str]:
    return text.splitlines()[3 : 3 + seats]


@pytest.mark.parametrize("rules", few(COVERING, 8))
def test_every_game_is_drawn_at_every_point(rules: str) -> None:
    match, rng = he.Match(rules, seed=5), random.Random(5)
    seats = match.rules.players
    for turn in range(260):
        if match.over:
            break
        if turn % 14 == 0 or match.phase not in ("pass", "play"):
            seat = (match.seat or 0) + turn // 14 % 2
            view = match.view(seat % seats)
            text = render_view(view)
            counts = [re.search(r"(\d+) cards?(,|  |$)", row) for row in hands_in(text, seats)]
            for place, found in enumerate(counts):
                if place != view.seat and match.phase not in ("refuse", "pass"):
                    assert found is not None
                    assert int(found[1]) == len(match.hands[place])
            assert all(str(place) in row[:4] for place, row in enumerate(hands_in(text, seats)))
            picture = ElementTree.fromstring(render_match_svg(match))
            boxes = list(picture.iter("{http://www.w3.org/2000/svg}rect"))[1:]
            assert len(boxes) == sum(map(len, match.hands)) + len(match.trick)
            assert all(0 <= float(box.attrib["x"]) <= 960 - float(box.attrib["width"]) for box in boxes)
            assert all(0 <= float(box.attrib["y"]) <= 600 - float(box.attrib["height"]) for box in boxes)
            ElementTree.fromstring(render_view_svg(view))
            plain, painted = render_match(match), render_match(match, color=True)
            assert re.sub(r"\x1b\[\d+m", "", painted) == plain
        match.play(rng.choice(match.legal()))


def test_shown_cards_and_pledges_are_told() -> None:
    match = he.Match("black_lady(cycle=[hold], exposing.cards={AH:H}, pledge=10)", seed=3)
    holder = next(seat for seat, hand in enumerate(match.hands) if "AH" in hand)
    assert "must show a card or go on: expose:" in render_match(match)
    while match.phase == "expose":
        match.play("expose:AH" if "expose:AH" in match.legal() else "expose:done")
    assert f"shown: ♥A (seat {holder})" in render_match(match)
    assert f"shown: ♥A (seat {holder})" in render_view(match.view((holder + 1) % 4))
    assert "seat 0 must pledge to take no heart or not: pledge:yes or pledge:no" in render_match(match)
    match.play("pledge:yes")
    match.play("pledge:no")
    rows = hands_in(render_match(match), 4)
    assert "pledged" in rows[0]
    assert "no pledge" in rows[1]
    assert "pledge" not in rows[2]
    assert "shown: ♥A" in render_match_svg(match)


def test_the_kitty_is_seen_by_its_taker_only() -> None:
    match = he.Match("heartsette(cycle=[hold])", seed=2)
    assert "kitty of 3, face down" in render_view(match.view(0))
    for _ in range(4):
        match.play(match.legal()[0])
    taker = match.seat
    assert taker is not None
    cards = cards_text(sorted(match.kitty, key=match.game.deck.kinds.index))
    assert f"kitty of 3, seat {taker} took 3; {cards}" in render_view(match.view(taker))
    other = render_view(match.view((taker + 1) % 4))
    assert f"kitty of 3, seat {taker} took 3\n" in other
    assert f"kitty of 3, seat {taker} took 3; {cards}" in render_match(match)


def test_rolled_cards_teams_lives_and_chips_are_told() -> None:
    hands = [[rank + suit for rank in "23456789TJQKA" for _ in range(2)] for suit in "CDHS"]
    rolled = he.Match.from_hands(
        "black_lady(packs=2, duplicates=cancel, opening.leader=left_of_dealer, opening.card=any, heart_lead=free)",
        [
            hands[0][:13] + hands[1][:13],
            hands[0][13:] + hands[1][13:],
            hands[2][:13] + hands[3][:13],
            hands[2][13:] + hands[3][13:],
        ],
        leader=0,
        played=["8C", "8C", "2S", "9S"],
    )
    assert "rolled over: ♣8 8  ♠2 9" in render_match(rolled)
    assert "seat 0 leads" in render_match(rolled)
    assert "team 1" in hands_in(render_match(he.Match("partnership_hearts", 1)), 4)[1]
    assert "3 lives" in hands_in(render_match(he.Match("danger_hearts", 1)), 4)[1]
    chips = render_match(he.Match("rickety_kate(chips=25, end.target=none)", 1))
    assert "pool: 0 chips" in chips
    assert hands_in(chips, 4)[2].endswith(" 25")


def test_a_film_shows_every_card_of_a_deal_on_the_table() -> None:
    pytest.importorskip("resvg_py")
    from PIL import Image

    match = he.Match("duel_hearts", seed=1)
    while not match.over:
        match.play(match.legal()[0])
    with Image.open(BytesIO(render_film(match, width=160, millis=100))) as film:
        assert (film.format, film.n_frames, film.size) == ("GIF", 6, (160, 100))
        film.seek(1)
        assert film.info["duration"] == 200, "the end of a trick"
    with pytest.raises(ValueError, match="no card has been played in deal 2"):
        render_film(match, deal=2)


def test_a_card_that_is_being_played_leaves_the_hand_for_the_trick() -> None:
    match = he.Match("duel_hearts", seed=1)
    before, after = (render_record_svg(match.game, match.state[0], card) for card in (None, match.legal()[0]))
    assert before != after
    assert before.count("<rect") == after.count("<rect")


@pytest.mark.skipif(not any(Path("/usr/share/fonts").rglob("DejaVuSans.ttf")), reason="the system lacks the font")
def test_cards_have_their_names_in_pixels() -> None:
    pytest.importorskip("resvg_py")
    svg = render_match_svg(he.Match("duel_hearts", seed=1))
    assert (_rasterised(svg) != _rasterised(re.sub("<text.*?</text>", "", svg))).any()
