"""Views from what one seat knows: equal to those of a match that was played, or refused in one line."""

from random import Random
from typing import Any

import pytest

import hearts_env as he
from tests.support.games import COVERING, positions
from tests.support.picture import content
from tests.support.worlds import told_tricks

GAMES = [
    pytest.param(text, marks=[pytest.mark.exhaustive] * (place % 3 > 0 or text in COVERING))
    for place, text in enumerate([*he.VARIANTS, *COVERING])
]
UNSAID = ("refuse", "sign")
"""Phases for whose past decisions there is no argument."""
HAND = ["9C", "JC", "2D", "7D", "TD", "3H", "8H", "QH", "4S", "JS", "QS", "KS"]
WHOLE, TRICK = [*HAND, "AC"], [(0, "2C"), (1, "AC"), (2, "5C"), (3, "4D")]


def facts(match: he.Match, seat: int) -> dict[str, Any]:
    """The arguments of `View.of` for a seat of a match."""
    view, calls = match.view(seat), iter([action for _, action in match.log[-1].actions if action[:5] == "suit:"])
    tricks: list[list[tuple[int, str]]] = []
    for _, cards in told_tricks(match):
        called = cards[0][1] == "JK" and match.rules.jokers.lead == "call"
        call = [(cards[0][0], suit) for suit in [next(calls, None)] if suit] if called else []
        tricks.append([*cards[:1], *call, *cards[1:]])
    names = ("passed", "received", "direction", "deal_number", "totals", "dealer", "kitty")
    shown = [(other, card) for other, cards in enumerate(view.shown) for card in cards]
    begun: list[list[tuple[int, str]]] = [[]] if match.phase in ("play", "suit") and not match.trick else []
    said = {"exposed": shown, "pledges": [one for one in view.pledges if one is not None]}
    return {"tricks": [*tricks, *begun]} | {name: getattr(view, name) for name in names} | said


@pytest.mark.parametrize("text", GAMES)
def test_a_view_from_what_a_seat_knows_is_that_of_the_match(text: str) -> None:
    rng, found, small = Random(3), 0, he.rules(text).players < 4
    for match in positions(text, seed=4, most=150):
        handed_back, deal = match.state[0]["handed_back"].any(), match.log[-1]
        if match.over or deal.number or match.phase in UNSAID or handed_back or rng.random() < 0.9 - 0.4 * small:
            continue
        for seat in range(match.game.seats):
            if match.phase in ("pass", "expose") and seat != match.seat:
                continue
            view, opens = match.view(seat), match.phase == "play" and not match.view(seat).played
            try:
                again = he.View.of(text, seat, view.hand, **facts(match, seat))
            except ValueError as error:
                assert "who leads first does not follow" in str(error) * opens  # noqa: PT017
                continue
            assert again.as_dict() == view.as_dict()
            assert content(again) == content(view)
            found += 1
    assert found


def test_later_deals_differ_only_in_what_earlier_ones_leave() -> None:
    match = he.Match("black_lady", seed=4)
    while match.deal_number < 3 or len(match.view(0).played) < 30:
        match.play(match.legal()[0])
    for seat in range(4):
        view, again = match.view(seat), he.View.of("black_lady", seat, match.hands[seat], **facts(match, seat))
        assert again.as_dict() == view.as_dict() | {"last_points": [0, 0, 0, 0], "streak": [0, 0, 0, 0]}


def test_what_is_left_out_is_worked_out() -> None:
    assert he.View.of("black_lady", 1, WHOLE).phase == "pass"
    waiting = he.View.of("black_lady", 1, HAND[2:], passed=["9C", "JC", "AC"], direction="right")
    assert (waiting.deal_number, waiting.record["seat"], waiting.passed) == (1, 2, ["9C", "JC", "AC"])
    after = he.View.of("black_lady", 1, HAND, tricks=[TRICK])
    assert (after.direction, after.record["seat"], after.phase) == (None, 1, "play")
    left = he.View.of("black_lady(leader=left_of_dealer, opening.card=any)", 1, HAND, tricks=[TRICK], direction="hold")
    assert left.dealer == 3
    knows = he.View.of("black_lady", 1, WHOLE, passed=["2C", "3C", "4C"], received=["KS", "QS", "AC"])
    assert knows.leader == 2
    shown = he.View.of("turbo_hearts", 1, HAND, exposed=["QS"], tricks=[TRICK])
    assert shown.shown == [[], ["QS"], [], []]


@pytest.mark.parametrize(
    ("hand", "changes", "line"),
    [
        (HAND, {}, "the hand of seat 1 has 12 cards; by what it passed and played, 13"),
        (HAND, {"tricks": [[*TRICK, (0, "2C")]]}, "hand and tricks do not agree: 2C occurs 2 times"),
        (HAND, {"tricks": [[TRICK[0], TRICK[2]]]}, "the hand of seat 1 has 12 cards; by what it passed and played, 13"),
        (WHOLE, {"tricks": [[TRICK[0], TRICK[2]]]}, "seat 2 cannot play 5C as card 2 of the deal: it is "),
        (HAND, {"tricks": [TRICK[:2], TRICK[2:]]}, "trick 1 has 2 cards; by the rules it has 4 so far"),
        (HAND[1:], {"tricks": [TRICK, [(1, "9C"), (2, "6C"), (3, "7C")]]}, "trick 2: seat 3 cannot play 7C: it has "),
        (WHOLE, {"tricks": [[(0, "3C")]]}, "trick 1: seat 0 cannot play 3C under these rules"),
        ([*HAND[:-1], "AC"], {"tricks": [[(0, "2C"), (1, "KS")]]}, "trick 1: seat 1 cannot play KS; legal: 9C JC AC"),
        ([*HAND, "2C"], {"tricks": [[(0, "3C")]]}, "no deal agrees with the cards held"),
        (HAND, {"tricks": [["2C"]]}, "tricks has 2C, which is no pair of seat and card such as (0, 'QS')"),
        (HAND, {"tricks": [[(0, "moon:self")]]}, "tricks has moon:self, which is no card"),
        (HAND, {"tricks": [[*TRICK, (1, "suit:C")]]}, "there is no action 'suit:C'"),
        (WHOLE, {"direction": "up"}, "direction=up is not possible; in this deal it is one of left, right, "),
        (WHOLE, {"direction": "left", "deal_number": 1}, "direction=left is not possible; in this deal it "),
        (WHOLE, {"received": ["QS"]}, "passed has 0 cards and received 1; in this deal both have 3"),
        (WHOLE, {"passed": ["2C", "3C", "4C"], "received": ["QS", "AC", "AS"]}, "seat 1 received a card that "),
        (WHOLE, {"passed": ["9C", "3C", "4C"], "received": ["QS", "AC", "KS"]}, "seat 1 passed 9C, but holds "),
        (WHOLE, {"direction": "hold"}, "who leads first does not follow from these cards"),
        (HAND, {"tricks": [TRICK], "exposed": ["QS"]}, "QS cannot be exposed in black_lady; no card can"),
        (HAND, {"tricks": [TRICK], "kitty": ["6S"]}, "seat 1 took 0 cards of the kitty; kitty names 1"),
        (HAND, {"tricks": [TRICK], "pledges": [True]}, "pledges has 1 entries; in black_lady 0 seats answer"),
        (HAND, {"tricks": [TRICK], "totals": [1]}, "totals has 1 entries; black_lady needs 4, one per seat"),
        (HAND, {"tricks": [TRICK], "dealer": 4}, "dealer=4 is not a seat; seats are 0 to 3"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_in_one_line(hand: list[str], changes: dict[str, Any], line: str) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011
        he.View.of("black_lady", 1, hand, **changes)
    assert str(refused.value).startswith(line)
    assert "\n" not in str(refused.value)


def test_a_deal_that_is_over_shows_no_decision() -> None:
    match = he.Match("black_lady(cycle=[hold])", seed=4)
    for _ in range(51):
        match.play(match.legal()[0])
    arguments = facts(match, match.seat or 0)
    arguments["tricks"][-1].append((match.seat, match.legal()[0]))
    with pytest.raises(ValueError, match="every card has been played: the deal is over"):
        he.View.of(match.rules, match.seat or 0, [], **arguments)
