"""The picture of a deal with the probabilities of a network."""

from __future__ import annotations

import pytest

import hearts_env as he
from hearts_agents import make_agent
from hearts_agents.neural import NetAgent
from hearts_training.evaluate.probabilities import rate_decisions


@pytest.fixture(scope="module")
def agent() -> NetAgent:
    found = make_agent("net:black_lady")
    assert isinstance(found, NetAgent)
    return found


def played(deals: int, spec: str = "random") -> he.Match:
    """A match after some deals."""
    match, player = he.Match("black_lady", seed=7), make_agent(spec)
    while match.deal_number < deals:
        match.play(player.act(match.view(match.seat or 0)))
    return match


def test_decisions_are_rated_in_the_positions_they_were_taken_in(agent: NetAgent) -> None:
    match = played(2)
    rated = rate_decisions(match, agent, 2, 3)
    log = match.log[1]
    assert [one.action for one in rated] == [action for seat, action in log.actions if seat == 3]
    assert [one.phase for one in rated] == ["pass"] * 3 + ["play"] * 13
    before = len(match.log[0].actions)
    for one in rated:
        view = match.after(before + one.place).view(3)
        assert one.probabilities == agent.probabilities(view)
        assert set(one.probabilities) == set(view.legal())


def test_the_network_rates_its_own_choice_first(agent: NetAgent) -> None:
    rated = rate_decisions(played(1, "net:black_lady"), agent, 1, 1)
    assert all(one.action == next(iter(one.probabilities)) for one in rated)
