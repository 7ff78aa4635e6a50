"""Cards that may be refused (RULES.md, B.12) and signs that the shooter chooses (A.10)."""

import numpy as np
import pytest

import hearts_env as he
from hearts_agents import make_agent
from hearts_env.seat.view import Views

REFUSABLE = "black_lady(refusable=[QS], cycle=[left])"


def offered() -> he.Match:
    """A match in which seat 1 is offered the queen of spades."""
    hands = [
        ["QS", "2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "TC", "JC", "QC", "KC"],
        ["AC", "2D", "3D", "4D", "5D", "6D", "7D", "8D", "9D", "TD", "JD", "QD", "KD"],
        ["AD", "2H", "3H", "4H", "5H", "6H", "7H", "8H", "9H", "TH", "JH", "QH", "KH"],
        ["AH", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", "JS", "KS", "AS"],
    ]
    return he.Match.from_hands(
        REFUSABLE, hands, passing=True, played=["QS", "2C", "3C", "AC", "2D", "3D", "AD", "2H", "3H", "AH", "2S", "3S"]
    )


def test_a_refused_card_goes_back_and_another_one_comes() -> None:
    match = offered()
    match.play("refuse:no")
    match.play("refuse:QS")
    assert (match.phase, match.seat) == ("pass", 0)
    assert "QS" not in match.legal()
    with pytest.raises(he.IllegalActionError, match=r"passing\.refusable requires a card that nobody may refuse"):
        match.play("QS")
    match.play("4C")
    assert (match.phase, match.seat) == ("refuse", 2)
    match.play("refuse:no")
    match.play("refuse:no")
    assert "QS" in match.hands[0]
    assert {"2C", "3C", "4C"} <= set(match.hands[1])
    assert he.Match.replay(match.record()) == match


def test_a_refused_card_does_not_go_back_because_the_others_are_protected() -> None:
    clubs, diamonds, hearts, spades = ([rank + suit for rank in "23456789TJQKA"] for suit in "CDHS")
    hands = [
        ["QS", "3C", "4C", *hearts[:10]],
        ["2C", "5C", "6C", "7C", *hearts[10:], *diamonds[:6]],
        [*clubs[6:], *diamonds[6:12]],
        ["AD", *(card for card in spades if card != "QS")],
    ]
    picks = ["QS", "3C", "4C", "2C", "5C", "6C", *clubs[6:9], "AD", "2S", "3S"]
    rules = "black_lady(refusable=[QS], unpassable=[H], cycle=[left])"
    match = he.Match.from_hands(rules, hands, passing=True, played=[*picks, "refuse:no", "refuse:QS"])
    assert match.seat == 0
    assert set(match.legal()) == set(hearts[:10])  # the protection gives way, because nothing else is left


def test_of_two_queens_passed_both_may_be_refused() -> None:
    rules = "cancellation_hearts(players=6, passing.refusable=[QS], cycle=[left])"
    match = next(
        match
        for match in (he.Match(rules, seed=seed) for seed in range(200))
        if any(hand.count("QS") == 2 for hand in match.hands)
    )
    while match.phase == "pass":
        match.play("QS" if "QS" in match.legal() else match.legal()[0])
    refused = 0
    while match.phase in ("refuse", "pass"):
        legal = match.legal()
        refused += "refuse:QS" in legal
        match.play("refuse:QS" if "refuse:QS" in legal else legal[0] if match.phase == "pass" else "refuse:no")
    assert refused == 2
    assert sorted(hand.count("QS") for hand in match.hands) == [0, 0, 0, 0, 0, 2]


def test_a_seat_sees_that_a_card_went_back_and_not_what_came_instead() -> None:
    match = offered()
    for action in ("refuse:no", "refuse:QS", "4C", "refuse:no", "refuse:no"):
        match.play(action)
    layout = he.observation_layout(REFUSABLE)["handed_back"]
    seen = match.view(2).observation()[layout.columns].reshape(layout.shape)
    assert seen[2].sum() == 1  # seat 0 sits two places on
    other = offered()
    for action in ("refuse:no", "refuse:QS", "5C", "refuse:no", "refuse:no"):
        other.play(action)
    assert np.array_equal(match.view(2).observation(), other.view(2).observation())


def test_the_rule_agent_refuses_the_queen() -> None:
    match = offered()
    match.play("refuse:no")
    assert match.game.actions[make_agent("rule").act_batch(Views.of(match.view(1)))[0]] == "refuse:QS"


def test_the_rule_agent_chooses_the_sign_that_hurts() -> None:
    suits = [[rank + suit for rank in "23456789TJQKA"] for suit in "CDHS"]  # the clubs win every trick
    totals = [0, 10 + 10j, -20 + 20j, 20 - 20j]
    match = he.Match.from_hands("complex_hearts(moon.mode=old, moon.sign=chosen)", suits, totals=totals)
    while match.phase == "play":
        match.play(match.legal()[0])
    agent = make_agent("rule")
    while match.phase == "sign":
        match.play(agent.act(match.view(0)))
    assert match.totals == [-20j, -16 + 36j, -46 + 46j, 46 - 46j]
