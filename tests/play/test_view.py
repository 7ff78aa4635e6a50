"""A view's record, byte by byte: nothing in it may depend on what the seat cannot know."""

import numpy as np
import pytest

import hearts_env as he
from hearts_env.kernel.records import STATE
from hearts_env.play.worlds import sample_worlds

SEATS = range(4)


def test_views_games_and_worlds_print_on_one_line() -> None:
    match = he.Match("black_lady(players=5, target=none, max_deals=1)", seed=7)
    rules = str(match.rules)
    while True:
        view = match.view(0)
        for shown in (view, match.game, sample_worlds(view, 3)):
            assert rules in repr(shown)
            assert len(repr(shown)) < len(rules) + 60
        assert repr(view) == str(view)
        assert "seat 0" in repr(view)
        assert match.phase in repr(view)
        if match.over:
            break
        assert repr(he.Views.of(match.view(match.seat or 0))) == f"<1 Views of {rules}>"
        match.play(match.legal()[0])


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


def test_the_kitty_is_its_takers_alone_until_the_deal_is_scored() -> None:
    match = he.Match("heartsette(cycle=[hold], max_deals=1)", seed=5)
    while not match.over:
        owners = {seat for seat in SEATS if match.view(seat).kitty}
        assert owners == {seat for seat in SEATS if match.tricks_won[seat] and match.state[0]["first_winner"] == seat}
        for seat in SEATS:
            view = match.view(seat)
            assert view.kitty == (match.kitty if seat in owners else [])
            assert view.record["kitty"].any() <= (seat in owners)
            assert view.taken == match.taken
            assert not set(match.kitty) & {card for cards in view.taken for card in cards}
        match.play(match.legal()[0])
    assert set(match.kitty) <= {card for cards in match.taken for card in cards}


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


def test_cards_shown_and_pledges_are_for_all_to_see() -> None:
    match = he.Match("turbo_hearts(cycle=[hold], pledge=5)", seed=5)
    shown: list[str] = []
    while match.phase in ("expose", "pledge"):
        action = match.legal()[0]  # shows everything, pledges always
        match.play(action)
        shown += [action.removeprefix("expose:")] * (action.startswith("expose:") and action != "expose:done")
        for seat in SEATS:
            assert sorted(match.view(seat).exposed) == sorted(shown)
            assert sorted(card for cards in match.view(seat).shown for card in cards) == sorted(shown)
            assert match.view(seat).pledges == match.pledges
    assert sorted(shown) == ["AH", "JD", "QS", "TC"]
    assert match.pledges == [True] * 4


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
