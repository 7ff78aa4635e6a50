"""Illegal actions: one line that says what is wrong, and nothing changed."""

from typing import Any

import numpy as np
import pytest

import hearts_env as he
from tests.support.buffers import everything

HANDS = [
    "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC 2H",
    "AC 2D 3D 4D 5D 6D 7D 8D 9D TD JD 3H QS",
    "KD AD QD 4H 5H 6H 7H 8H 9H TH JH QH KH",
    "AH 2S 3S 4S 5S 6S 7S 8S 9S TS JS KS AS",
]
TO_DIAMONDS = ["2C", "AC", "KD", "AS", "2D", "AD", "2S", "3C"]
PASSED = ["2C", "3C", "4C", "QS", "2D", "3D", "KD", "AD", "QD", "AH", "2S", "3S"]
REFUSED = [*PASSED, "refuse:no", "refuse:no", "refuse:QS"]
SHOWN = "turbo_hearts(pledge=10)"
DONE = ["expose:done"] * 4
ACE_SHOWN = [*DONE[:3], "expose:AH", "expose:done"]
TO_SEAT_3 = [*ACE_SHOWN, "2C", "AC", "KD"]
REFUSE, CHOICE = "black_lady(refusable=[QS])", "black_lady(cycle=[left|hold])"
FORCED_KING = "likha(forced_discard=[KD], direction=1)"
FORCED_ACE = "likha(forced_discard=[AS], locked={AS:play}, direction=1)"
LOCKED_LEAD = "black_lady(opening.card=any_of_suit, locked={KC:lead})"
SHOW_ACE = "black_lady(exposing.cards={AH:AH}"
FREE, DISCARDS = "lock=false, opening.card=any, first_trick_forbidden=[]", "first_trick_scope=discard"
SHOW = "not possible now: seat 0 must show a card or go on: expose:TC, expose:done"
PLEDGE = "not possible now: .* must pledge to take no heart or not: pledge:yes, pledge:no"
MISTAKES: list[tuple[str, dict[str, Any], str, str]] = [
    ("black_lady", {}, "3C", "seat 0 may not play 3C: .*opening.card"),
    ("black_lady", {}, "AS", "seat 0 does not hold AS"),
    ("black_lady", {}, "moon:self", "seat 0 must play a card"),
    ("black_lady", {"played": ["2C"]}, "QS", "seat 1 may not play QS: it must follow the led suit, C"),
    ("black_lady", {"played": ["2C", "AC"]}, "4H", "seat 2 may not play 4H: play.first_trick_forbidden"),
    ("black_lady", {"played": TO_DIAMONDS}, "4H", "seat 2 may not play 4H: hearts are not broken"),
    ("black_lady", {"passing": True}, "AS", "seat 0 does not hold AS"),
    ("black_lady(unpassable=[2H])", {"passing": True}, "2H", "seat 0 may not pass 2H: passing.unpassable"),
    (REFUSE, {"passing": True, "played": REFUSED}, "QS", "seat 1 may not pass QS: passing.refusable"),
    (CHOICE, {"passing": True}, "2C", "must choose how cards are passed: direction:left, direction:hold"),
    ("turbo_hearts", {}, "2C", f"2C is {SHOW}"),
    ("turbo_hearts", {}, "expose:QS", f"expose:QS is {SHOW}"),
    ("black_lady(pledge=10)", {}, "2C", f"2C is {PLEDGE}"),
    (SHOWN, {}, "pledge:yes", f"pledge:yes is {SHOW}"),
    (SHOWN, {"played": DONE}, "expose:TC", f"expose:TC is {PLEDGE}"),
    ("turbo_hearts", {"played": ["expose:TC", *DONE]}, "TC", "seat 0 may not play TC: it was exposed"),
    (FORCED_KING, {"played": ["2C", "AC"], "leader": 0}, "4H", "play.forced_discard requires"),
    (LOCKED_LEAD, {}, "KC", "seat 0 may not play KC: play.locked bars it"),
    (LOCKED_LEAD, {}, "2H", "seat 0 may not play 2H: opening.card fixes"),
    ("black_lady(heart_lead=never)", {"played": TO_DIAMONDS}, "4H", "seat 2 may not play 4H: play.heart_lead=never"),
    ("black_lady(locked={2D:lead})", {"played": TO_DIAMONDS[:4]}, "2D", "seat 1 may not play 2D: play.locked bars it"),
    ("black_lady(locked={S:play})", {"played": TO_DIAMONDS[:3]}, "AS", "play.locked bars it until hearts are broken"),
    (FORCED_ACE, {"played": ["2C", "AC", "KD"], "leader": 0}, "AS", "seat 3 may not play AS: play.locked"),
    ("joker_hearts", {"leader": 3}, "JK", "seat 3 may not play JK: jokers.lead=never bars it"),
    ("likha", {"played": ["2C"], "leader": 0}, "3H", "seat 3 does not hold 3H"),
    (f"{SHOW_ACE}, {FREE})", {"played": ACE_SHOWN, "leader": 3}, "AH", "seat 3 may not play AH: hearts are not broken"),
    (f"{SHOW_ACE})", {"played": TO_SEAT_3}, "AH", "seat 3 may not play AH: play.first_trick_forbidden"),
    (f"{SHOW_ACE}, {DISCARDS})", {"played": TO_SEAT_3}, "AH", "seat 3 may not play AH: play.first_trick_forbidden"),
    (f"black_lady(opening.card=any, {DISCARDS})", {"leader": 2}, "4H", "seat 2 may not play 4H: hearts are not broken"),
]


@pytest.mark.parametrize(("rules", "options", "action", "message"), MISTAKES)
def test_mistakes_change_nothing_and_are_explained(
    rules: str, options: dict[str, Any], action: str, message: str
) -> None:
    joker = ["JK"] * (he.Match(rules).game.hand_size - 13)
    match = he.Match.from_hands(rules, [hand.split() + joker for hand in HANDS], **options)
    before, record = match.state.tobytes(), match.record()
    with pytest.raises(he.IllegalActionError, match=message) as raised:
        match.play(action)
    assert "\n" not in str(raised.value)
    assert match.state.tobytes() == before
    assert match.record() == record

    env = he.vector_env(match.rules, 3)
    env.reset(seed=0)
    env.states[1] = match.state[0]
    actions = env.sample_actions(np.random.default_rng(0))
    actions[1] = env.game.action(action)
    before_all = everything(env)
    with pytest.raises(he.IllegalActionError, match=f"^game 1: .*{message}"):
        env.step(actions)
    assert everything(env) == before_all


def test_of_two_shown_cards_of_a_suit_neither_may_be_led() -> None:
    rules = (
        "black_lady(exposing.cards={AH:H,QH:QH}, heart_lead=free, opening.card=any, opening.leader=left_of_dealer, "
        "first_trick_forbidden=[])"
    )
    clubs, diamonds, hearts, spades = ([rank + suit for rank in "23456789TJQKA"] for suit in "CDHS")
    rest = [card for card in hearts if card not in ("AH", "QH")]
    hands = [["AH", "QH", *clubs[:11]], [*clubs[11:], *diamonds[:11]], [*diamonds[11:], *rest], spades]
    exposures = ["expose:AH", "expose:QH", *DONE]
    match = he.Match.from_hands(rules, hands, leader=0, played=exposures)
    with pytest.raises(he.IllegalActionError, match="AH: it was exposed and may not be played to the first trick"):
        match.play("AH")


def test_both_openers_go_to_the_first_trick() -> None:
    hands = ["AD AD QH QH", "QC AH AH QS", "AC QD QD QS", "QC AC AS AS"]
    rules = "black_lady(ranks=[Q,A], packs=2, passing.count=1, cycle=[hold], opening.card=both)"
    match = he.Match.from_hands(rules, [hand.split() for hand in hands], played=["QC", "AC"])
    assert match.legal() == ["QC"]
    with pytest.raises(
        he.IllegalActionError, match=r"AC: opening\.card=both: the opening card goes to the first trick"
    ):
        match.play("AC")
