"""A view's record, byte by byte: nothing in it may depend on what the seat cannot know."""

import numpy as np
import pytest

import hearts_env as he
from hearts_env.kernel.records import STATE

SEATS = range(4)


def hidden_twin(match: he.Match, seat: int, seed: int) -> he.Match:
    """The same match to its seat's eyes, the other hands of the first deal dealt anew among the others."""
    rng = np.random.default_rng(seed)
    hands = match.hands
    others = [other for other in SEATS if other != seat]
    pool = [card for other in others for card in hands[other]]
    rng.shuffle(pool)
    size = len(hands[seat])
    dealt = {other: pool[place * size : (place + 1) * size] for place, other in enumerate(others)}
    dealt[seat] = hands[seat]
    return he.Match.from_hands(match.rules, [dealt[s] for s in SEATS], passing=True, dealer=match.dealer, seed=seed)


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("variant", ["black_lady", "omnibus_hearts", "openspiel(schedule=cycle)"])
def test_a_view_at_the_start_is_the_own_hand_and_nothing_else(variant: str, seat: int) -> None:
    dealt = he.Match(variant, seed=5)
    twins = [hidden_twin(dealt, seat, seed).view(seat).record.tobytes() for seed in range(1, 6)]
    assert set(twins) == {dealt.view(seat).record.tobytes()}


def test_records_have_no_gaps() -> None:
    ends = [offset + dtype.itemsize for dtype, offset, *_ in (STATE.fields or {}).values()]
    assert sum(STATE[name].itemsize for name in STATE.names or ()) == max(ends) == STATE.itemsize


def test_the_records_of_the_twins_do_differ() -> None:
    dealt = he.Match("black_lady", seed=5)
    assert len({hidden_twin(dealt, 0, seed).state.tobytes() for seed in range(1, 6)}) == 5


def test_a_view_keeps_what_was_played() -> None:
    match = he.Match("black_lady", seed=5)
    for _ in range(30):
        match.play(match.legal()[0])
    view = match.view(2)
    assert view.hand == match.hands[2]
    assert [card for _, card in view.trick] == match.trick
    assert view.record.dtype == STATE
    assert not np.delete(view.record["hands"], 2, axis=0).any()
    assert view.record["seed"] == 0
