"""States converted between `Match` and OpenSpiel."""

from random import Random
from typing import Any

import pytest

import hearts_env as he
from hearts_agents.openspiel import from_pyspiel, openspiel_rules, parameters_of, to_pyspiel
from hearts_agents.openspiel.convert import DIRECTIONS, card_action
from tests.support.worlds import skewed_hands

pyspiel: Any = pytest.importorskip("pyspiel")

SETTINGS: list[dict[str, bool]] = [
    {},
    {"pass_cards": False, "jd_bonus": True},
    {"can_lead_any_club": True, "avoid_all_tricks_bonus": True, "qs_breaks_hearts": False},
    {"no_pts_on_first_trick": False, "must_break_hearts": False, "can_lead_hearts_instead_of_qs": True},
]


def same(match: he.Match, state: Any) -> None:
    """Everything OpenSpiel shows of a state is what the match shows."""
    struct = state.to_struct()
    assert struct.hands == [sorted(hand) for hand in match.hands]
    assert [card for trick in struct.tricks for _, card in trick] == [card for _, card in match.view(0).played]
    assert struct.pass_direction == {"hold": "No Pass"}.get(str(match.direction), str(match.direction).capitalize())
    assert struct.passed_cards == [sorted(match.view(seat).passed) for seat in range(4)]
    assert sorted(match.legal()) == sorted(state.action_to_string(action) for action in state.legal_actions())
    assert state.is_terminal() == match.over
    if match.over:
        assert state.returns() == [26 - points for points in match.points]
    else:
        assert state.current_player() == match.seat


@pytest.mark.parametrize("parameters", SETTINGS, ids=str)
@pytest.mark.exhaustive
def test_states_convert_both_ways_at_every_ply(parameters: dict[str, bool]) -> None:
    rng, rules, seen = Random(4), openspiel_rules(**parameters), set()
    for seed in range(8):
        match = he.Match(rules, seed=seed)
        if seed % 2:
            match = he.Match.from_hands(rules, skewed_hands(match.game, rng), passing=True, seed=seed)
        seen.add(match.direction)
        state = to_pyspiel(match)
        while True:
            same(match, state)
            there, back = to_pyspiel(match), from_pyspiel(state)
            assert (str(there), there.history()) == (str(state), state.history())
            same(back, state)
            assert [deal.actions for deal in back.log] == [deal.actions for deal in match.log]
            if match.over:
                break
            action = rng.choice(match.legal())
            match.play(action)
            state.apply_action(card_action(action))
    assert seen == ({"hold"} if parameters.get("pass_cards") is False else set(DIRECTIONS))


def test_a_deal_without_its_pass_is_a_hold() -> None:
    hands = he.Match("openspiel", seed=1).hands
    match = he.Match.from_hands("openspiel", hands)
    same(from_pyspiel(to_pyspiel(match)), to_pyspiel(match))
    assert from_pyspiel(to_pyspiel(match)).direction == "hold"
    other = next(seat for seat in range(4) if "2C" not in hands[seat])
    with pytest.raises(ValueError, match=f"seat {other} leads without the 2C"):
        to_pyspiel(he.Match.from_hands("openspiel", hands, leader=other))


def test_every_setting_is_found_from_its_rules() -> None:
    for setting in SETTINGS:
        assert parameters_of(openspiel_rules(**setting)).items() >= setting.items()
    assert parameters_of(he.rules("openspiel")) == pyspiel.load_game("hearts").get_parameters()


def test_what_cannot_be_converted_is_told_in_one_line() -> None:
    fresh = pyspiel.load_game("hearts").new_initial_state()
    with pytest.raises(ValueError, match="OpenSpiel has dealt 0 of 52 cards"):
        from_pyspiel(fresh)
    with pytest.raises(ValueError, match="a state of kuhn_poker; a state of hearts is needed"):
        from_pyspiel(pyspiel.load_game("kuhn_poker").new_initial_state())
    with pytest.raises(ValueError, match="OpenSpiel cannot play black_lady; use openspiel"):
        to_pyspiel(he.Match("black_lady", seed=1))
    with pytest.raises(ValueError, match="no parameter 'pass_card'"):
        openspiel_rules(pass_card=False)
    held = pyspiel.load_game("hearts", {"pass_cards": False}).new_initial_state()
    assert len(held.chance_outcomes()) == 4  # of which one is legal
    held.apply_action(1)
    for card in range(52):
        held.apply_action(card)
    with pytest.raises(ValueError, match=r"passed left, but .* only hold is possible; choose among legal_actions\(\)"):
        from_pyspiel(held)
