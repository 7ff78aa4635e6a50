"""The picture of a deal with the probabilities of a network."""

from __future__ import annotations

from typing import Any

import pytest
from matplotlib.figure import Figure

import hearts_env as he
from hearts_agents import make_agent
from hearts_agents.neural import NetAgent
from hearts_training.evaluate.probabilities import draw_probabilities, rate_decisions


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


def texts(match: he.Match, agent: NetAgent, deal: int, seat: int, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The texts below the cells, (column, seat, cards, colour), and the labels of the columns."""
    found: list[Any] = []
    monkeypatch.setattr(Figure, "savefig", lambda figure, *_, **__: found.extend(figure.axes))
    draw_probabilities(match, agent, deal, seat, "png")
    lower = found[1]
    shown = [
        (int(text.get_position()[0]), int(text.get_position()[1]), text.get_text(), text.get_bbox_patch())
        for text in lower.texts
    ]
    return shown, [label.get_text() for label in lower.get_xticklabels()]


def test_the_tricks_and_their_winners_are_shown(agent: NetAgent, monkeypatch: pytest.MonkeyPatch) -> None:
    match = played(1)
    shown, labels = texts(match, agent, 1, 0, monkeypatch)
    assert labels == ["pass"] * 3 + [str(trick) for trick in range(1, 14)]
    log = match.log[0]
    for trick in range(13):
        first = 12 + 4 * trick
        cards = {seat: he.render.ansi.SYMBOLS[card[-1]] + card[:-1] for seat, card in log.actions[first : first + 4]}
        column = [(seat, text) for place, seat, text, _ in shown if place == 3 + trick]
        assert dict(column) == cards
        (winner,) = [seat for place, seat, _, box in shown if place == 3 + trick and box.get_facecolor()[3]]
        if trick < 12:
            assert winner == log.actions[first + 4][0]


def test_an_unfinished_trick_has_no_winner(agent: NetAgent, monkeypatch: pytest.MonkeyPatch) -> None:
    match = played(1).after(12 + 4 + 2)
    seat = match.log[0].actions[-1][0]
    shown, labels = texts(match, agent, 1, seat, monkeypatch)
    assert labels[-2:] == ["1", "2"]
    last = [box.get_facecolor()[3] for place, _, _, box in shown if place == len(labels) - 1]
    assert last == [0, 0]
