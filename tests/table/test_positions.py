"""Positions set by hand: what they say of the pass."""

import numpy as np
import pytest

import hearts_env as he
from tests.support.games import COVERING
from tests.support.marks import few


@pytest.mark.parametrize("text", few([*he.VARIANTS, *COVERING], 26, daily=99))
def test_a_hold_deal_set_by_hand_is_as_one_that_was_dealt(text: str) -> None:
    """All views of a hold deal equal those of the match that dealt the same cards."""
    rules = he.rules(text)
    for number in range(12):
        env = he.env(rules, first_deal=number, deals=1) if rules.end.max_deals is None else he.env(rules)
        env.reset(seed=5)
        dealt = env.unwrapped
        record = dealt.record
        option = int(record["pass_option"])
        drawn = rules.passing.schedule != "cycle" and dealt.game.tables["entries"] > 1
        if option < 0 or dealt.game.options[option].text != "hold" or drawn or record["deal_number"] != number:
            continue
        hands = [dealt.game.names(record["hands"][seat]) for seat in range(rules.players)]
        kitty = [dealt.game.deck.kinds[kind] for kind in record["kitty"][: dealt.game.tables["kitty_size"]]]
        placed = he.Match.from_hands(rules, hands, deal_number=number, dealer=int(record["dealer"]), kitty=kitty)
        assert placed.direction == "hold"
        for seat in range(rules.players):
            view, agent = placed.view(seat), dealt.possible_agents[seat]
            if int(record["next_leader"]) < 0 and not record["free_lead"]:
                assert np.array_equal(view.observation(), dealt.observe(agent)["observation"])
        assert he.Match.replay(placed.record()) == placed


def test_after_another_pass_nothing_is_known_of_it() -> None:
    hands = he.Match("black_lady", seed=1).hands
    directions = [he.Match.from_hands("black_lady", hands, deal_number=number).direction for number in range(8)]
    assert directions == [None, None, None, "hold", None, None, None, "hold"]
    drawn = "black_lady(passing.schedule=random, passing.cycle=[hold,left])"
    assert {he.Match.from_hands(drawn, hands, seed=seed).direction for seed in range(9)} == {None}
    asked = "black_lady(passing.cycle=[left|hold])"
    assert he.Match.from_hands(asked, hands).direction is None


def test_records_of_positions_are_written_as_before() -> None:
    hands = he.Match("black_lady(cycle=[hold])", seed=1).hands
    text = he.Match.from_hands("black_lady(cycle=[hold])", hands).record()
    assert "passing" not in text.replace("passing.cycle", "")
    assert "set after the pass" in text


PASSES = ["black_lady", "dirty_hearts", "four_five_four", "likha", "black_lady(refusable=[QS])", "cancellation_hearts"]


@pytest.mark.parametrize("text", PASSES)
def test_a_pass_that_is_known_is_passed_again(text: str) -> None:
    """The position is the match that passed: direction, cards passed and received, and what follows."""
    match = he.Match(text, seed=6)
    before = match.hands
    while match.phase != "play":
        match.play(match.legal()[-1])
    seats = range(match.game.seats)
    passed, received = ([getattr(match.view(seat), name) for seat in seats] for name in ("passed", "received"))
    number, dealer = match.deal_number, match.dealer
    again = he.Match.from_hands(
        text, match.hands, passed=passed, received=received, deal_number=number, dealer=dealer, seed=6
    )
    assert (again.direction, again.log[0].hands) == (match.direction, before)
    assert [again.view(seat).as_dict() for seat in seats] == [match.view(seat).as_dict() for seat in seats]
    assert he.Match.replay(again.record()) == again


def test_a_pass_that_cannot_be_is_refused() -> None:
    hands, none = he.Match("black_lady", seed=6).hands, list[list[str]]([[]] * 4)
    given = [hand[:3] for hand in hands]
    assert he.Match.from_hands("black_lady", hands, deal_number=3, passed=none, received=none).direction == "hold"
    for changes, line in (
        ({"passed": none, "received": none}, "passed and received do not agree with the pass of deal 1"),
        ({"passed": given}, "passed and received are named together, and without passing"),
        ({"passed": given, "received": given}, "passed and received do not agree with the pass of deal 1"),
        ({"passed": given, "received": given[::-1]}, "seat 0 received "),
        ({"passed": none, "received": none, "leader": 1}, "leader=1 and passing contradict"),
        ({"passed": none[1:], "received": none}, "passed has 3 entries; black_lady needs 4, one per seat"),
    ):
        with pytest.raises(ValueError, match=line):
            he.Match.from_hands("black_lady", hands, **changes)
