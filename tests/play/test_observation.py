"""Observations beyond what `tests.journey` looks at: passes, kitties, shown cards, extreme numbers."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import hearts_env as he
from hearts_env.kernel.observe import encode
from hearts_env.play.observation import observation_bounds
from hearts_env.play.worlds import sample_worlds
from tests.journey.columns import fields, lines

SEATS = range(4)


@pytest.mark.parametrize("text", ["four_five_four", "black_lady(players=6, cycle=[+2*1&left*2])"])
def test_a_pass_is_hidden_until_every_seat_has_passed(text: str) -> None:
    """Then its cards are told by the seat that they go to or come from."""
    match, rng = he.Match(text, seed=3), Random(3)
    dealt, seats = match.hands, range(match.rules.players)
    picks: list[list[str]] = [[] for _ in dealt]
    while match.phase == "pass":
        for seat, picked in enumerate(picks):
            view, have = match.view(seat), fields(match, seat)
            assert (view.passed, view.received) == (picked, [])
            assert sorted(view.hand + picked) == sorted(dealt[seat])
            assert have["passed"].sum() == len(picked)
            assert not have["received"].any()
        assert match.seat is not None
        picks[match.seat].append(rng.choice(match.legal()))
        match.play(picks[match.seat][-1])
    moves = match.game.options[0].moves
    for seat in seats:
        received: list[str] = []
        have, first = fields(match, seat), 0
        for lane, move in enumerate(moves):
            source, cut = (seat - move.offset) % len(seats), slice(first, first + move.count)
            assert have["passed"][lane].tolist() == lines(match, picks[seat][cut])[0]
            assert have["received"][lane].tolist() == lines(match, picks[source][cut])[0]
            received, first = received + picks[source][cut], cut.stop
        assert match.view(seat).received == received
        kept = [card for card in dealt[seat] if card not in picks[seat]]
        assert sorted(match.view(seat).hand) == sorted(kept + received)


def test_nobody_knows_what_came_out_of_the_pool() -> None:
    match = he.Match("black_lady(cycle=[pool*4])", seed=5)
    dealt = match.hands
    while match.phase == "pass":
        match.play(match.legal()[0])
    for seat in SEATS:
        view = match.view(seat)
        assert sorted(view.received + [card for card in dealt[seat] if card not in view.passed]) == sorted(view.hand)
        others = [other for other in SEATS if other != seat]
        assert not view.record["picks"][others].any()
        assert not view.record["received"][others].any()
    pool = sorted(card for seat in SEATS for card in match.view(seat).passed)
    assert sorted(card for seat in SEATS for card in match.view(seat).received) == pool


def test_the_kitty_is_its_takers_alone_until_the_deal_is_scored() -> None:
    match = he.Match("heartsette(cycle=[hold], max_deals=1)", seed=5)
    while not match.over:
        owners = {seat for seat in SEATS if match.view(seat).kitty}
        assert owners == {seat for seat in SEATS if match.tricks_won[seat] and match.state[0]["first_winner"] == seat}
        for seat in SEATS:
            view = match.view(seat)
            assert view.kitty == (match.kitty if seat in owners else [])
            assert view.record["kitty"].any() <= (seat in owners)
            assert not set(match.kitty) & {card for cards in view.taken for card in cards}
        match.play(match.legal()[0])
    assert set(match.kitty) <= {card for cards in match.taken for card in cards}


def test_cards_shown_and_pledges_are_for_all_to_see() -> None:
    match = he.Match("turbo_hearts(cycle=[hold], pledge=5)", seed=5)
    while match.phase in ("expose", "pledge"):
        match.play(match.legal()[0])  # shows everything, pledges always
        for seat in SEATS:
            view = match.view(seat)
            assert sorted(view.exposed) == sorted(card for cards in view.shown for card in cards)
            assert (view.exposed, view.pledges) == (match.exposed, match.pledges)
    assert sorted(match.exposed) == ["AH", "JD", "QS", "TC"]
    assert match.pledges == [True] * 4


def test_views_games_and_worlds_print_on_one_line() -> None:
    match = he.Match("black_lady(players=5, target=none, max_deals=1)", seed=7)
    rules = str(match.rules)
    for _ in range(20):
        view = match.view(0)
        for shown in (view, match.game, sample_worlds(view, 3)):
            assert rules in repr(shown)
            assert len(repr(shown)) < len(rules) + 60
        assert repr(view) == str(view)
        assert "seat 0" in repr(view)
        assert match.phase in repr(view)
        assert repr(he.Views.of(match.view(match.seat or 0))) == f"<1 Views of {rules}>"
        match.play(match.legal()[0])


# Numbers


@pytest.mark.parametrize(
    "text",
    [
        "black_lady(moon.mode=old)",
        "rickety_kate(big_moon_deals=1, big_moon_effect=fixed100)",
        "black_lady(moon.mode=new)",
        "black_lady(moon.mode=old, moon.amount=99, no_tricks=7, no_tricks_on_moon=true)",
        "black_lady(moon.mode=fixed_self, moon.amount=99)",
        "black_lady(moon.mode=new, sun_amount=200)",
        "omnibus_hearts(moon.mode=new, no_tricks=-5)",
        "rickety_kate(no_tricks=-5)",
        "rickety_kate(no_tricks=-5, bonus_floor_hand=true)",
        "black_lady(chips=1, target=none, moon.mode=none)",
        "black_lady(chips=12, target=none, moon.mode=none)",
    ],
)
def test_points_stay_within_the_published_bounds_when_one_seat_wins_every_trick(text: str) -> None:
    """Also once the match is over, when `points` are those of the last deal, with the moon, missed tricks and chips."""
    rules = he.rules(text).replace(max_deals=1)
    deck = he.Match(rules).game.deck
    match = he.Match.from_hands(rules, [list(deck.match(suit)) for suit in "CDHS"])  # the clubs win every trick
    low, high = observation_bounds(match.game)
    while not match.over:
        match.play(match.legal()[0])
        for seat in SEATS:
            row = match.view(seat).observation()
            assert ((row >= low) & (row <= high)).all()


def test_large_numbers_survive_in_bytes() -> None:
    match = he.Match("black_lady", seed=1)
    match.state["totals"][0, :4, 0] = [-1, 255, 123_456_789, -(2**31)]
    match.state["points"][0, :4, 0] = [-13, 26, 70_000, 3]
    row = np.zeros(int(match.game.tables["byte_size"]), np.uint8)
    encode(match.state[0], match.game.tables, 2, row)
    assert he.widen_observations(row).tobytes() == match.view(2).observation().tobytes()
