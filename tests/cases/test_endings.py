"""When a match ends, in the cases where several rules of ending meet."""

import pytest

import hearts_env as he

SUITS = [[rank + suit for rank in "23456789TJQKA"] for suit in "CDHS"]
"""Seat 0 holds the clubs and wins every trick of a deal without a pass: it shoots the moon."""


def shoot(rules: str, totals: list[int], choice: str | None = None) -> he.Match:
    """One deal in which seat 0 shoots; its choice where it has one, and a stop before the next deal."""
    match = he.Match.from_hands(rules, SUITS, totals=totals)
    while match.phase == "play" and match.deal_number == 0 and not match.over:
        match.play(match.legal()[0])
    if choice is not None:
        assert match.phase == "moon"
        match.play(choice)
    return match


def test_a_tie_that_holds_a_match_open_ends_it_when_it_is_broken() -> None:
    """ "Deal on until unique": the match stays due although every total is below the target again."""
    match = shoot("black_lady(moon.mode=old, tie=continue, exact={116:-50})", [40, 10, 90, 10])
    assert (match.totals, match.over) == ([40, 36, 66, 36], False)  # 116 came down to 66: never due
    match = shoot("black_lady(tie=continue)", [0, 100, 5, 0], "moon:others")
    assert match.totals == [0, 126, 31, 26]
    assert match.over


def test_a_match_stays_due_after_a_tie() -> None:
    rules = "black_lady(moon.mode=new, tie=continue, cycle=[hold])"
    match = he.Match.from_hands(rules, [SUITS[1], SUITS[2], SUITS[3], SUITS[0]], totals=[30, 100, 30, 120])
    while match.deal_number == 0 and not match.over:
        match.play(match.legal()[0])  # seat 3 shoots: 94; seat 1 keeps it due; 30 and 30 tie
    assert (match.totals, match.over) == ([30, 100, 30, 94], False)
    state = match.state[0]
    assert state["tie_pending"] == 1
    assert he.Match.replay(match.record()) == match


@pytest.mark.parametrize(
    ("rules", "totals", "choices"),
    [
        ("black_lady(moon.mode=new_if_old_loses)", [90, 95, 63, 70], ["moon:self", "moon:others"]),
        # 95 + 26 = 121 is an exact hit that takes it to 21: old does not end the match
        ("black_lady(moon.mode=new_if_old_loses, exact={121:-100})", [90, 95, 55, 60], []),
        # the lowest total would be shared, so the match would go on
        ("black_lady(moon.mode=new_if_old_loses, tie=continue)", [90, 95, 63, 63], []),
        ("black_lady(moon.mode=new_if_old_loses, tie=continue)", [90, 95, 63, 62], ["moon:self", "moon:others"]),
    ],
)
def test_new_is_allowed_only_if_old_really_ends_the_match(rules: str, totals: list[int], choices: list[str]) -> None:
    match = shoot(rules, totals)
    assert (match.legal() if match.phase == "moon" else []) == choices


@pytest.mark.parametrize(
    "rules", ["black_lady(exact={13:20}", "rickety_kate(better=high, target=none, max_deals=9, exact={13:-10}"]
)
def test_an_optional_hit_that_hurts_is_declined(rules: str) -> None:
    assert he.score_deal(f"{rules}, exact_optional=true)", [["QS"], [], [], []]).totals == (13, 0, 0, 0)


def test_a_cancelled_heart_breaks_hearts() -> None:
    rules = (
        "cancellation_hearts(players=6, ranks=[9,T,J], removed=[], card_values={H:1}, cycle=[hold], max_deals=1,"
        "leader=left_of_dealer, opening.card=any, first_trick_forbidden=[])"
    )
    hands = ["JC 9H 9D 9D", "9H TH JD JD", "9C 9C TC TD", "TC JC TD JH", "TS TS JS JS", "9S 9S TH JH"]
    match = he.Match.from_hands(rules, [hand.split() for hand in hands], leader=0)
    assert "9H" not in match.legal()
    for card in ["JC", "9H", "TC", "TC", "TS", "9S"]:
        match.play(card)
    assert match.seat == 0
    assert match.legal() == ["9D", "9H"]


@pytest.mark.parametrize(("extends", "over"), [("until_moonless_deal", True), ("until_next_moon", False)])
def test_option_46_a_deal_without_a_moon(extends: str, over: bool) -> None:
    rules = f"black_lady(moon.mode=old, moon.extends={extends}, max_deals=30, cycle=[hold])"
    match = shoot(rules, [95, 80, 60, 60])
    assert (match.totals, match.over) == ([95, 106, 86, 86], False)
    while match.deal_number == 1 and not match.over:
        match.play(match.legal()[0])
    assert match.shooter is None or not match.over
    assert match.over is over
