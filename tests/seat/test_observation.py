"""Observations beyond what `tests.journey` looks at: passes, the pool, extreme numbers."""

from random import Random

import numpy as np
import pytest

import hearts_env as he
from hearts_env.kernel.observe import encode
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
    views = [match.view(seat) for seat in SEATS]
    pool = sorted(card for view in views for card in view.passed)
    assert sorted(card for view in views for card in view.received) == pool
    assert any(set(view.received) != set(view.passed) for view in views)


# Numbers


def test_large_numbers_survive_in_bytes() -> None:
    match = he.Match("black_lady", seed=1)
    match.state["totals"][0, :4, 0] = [-1, 255, 123_456_789, -(2**31)]
    match.state["points"][0, :4, 0] = [-13, 26, 70_000, 3]
    row = np.zeros(int(match.game.tables["byte_size"]), np.uint8)
    encode(match.state[0], match.game.tables, 2, row)
    assert he.widen_observations(row).tobytes() == match.view(2).observation().tobytes()
