"""Positions set by hand: what they say of the pass."""

import numpy as np
import pytest

import hearts_env as he
from tests.support.games import COVERING

SOME = [
    pytest.param(text, marks=[pytest.mark.exhaustive] * (place % 3 > 0))
    for place, text in enumerate([*he.VARIANTS, *COVERING])
]


@pytest.mark.parametrize("text", SOME)
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
