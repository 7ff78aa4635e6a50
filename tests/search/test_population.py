"""Searches whose rollouts are played by several policies: who sits where, and what the cards played imply about it."""

from typing import Any

import numpy as np
import pytest

import hearts_env as he
from hearts_agents import make_agent
from hearts_agents.search import PimcAgent
from hearts_agents.search.evidence import SLIP, add_evidence
from hearts_agents.search.players import seat_players
from hearts_agents.search.policies import read_policies
from hearts_agents.search.root import begin
from hearts_agents.search.workspace import TRIAL, new_search_workspace
from hearts_env.seat.view import View


def played_by(text: str, others: str, plies: int, seed: int) -> View:
    """The view of a seat to act with a choice after `plies` cards or more, of which the agent `others` played most."""
    match, rule, agent = he.Match(text, seed=seed), make_agent("rule"), make_agent(others)
    agent.reset(seed)
    while True:
        view = match.view(match.seat or 0)
        if view.phase == "play" and len(view.played) >= plies and len(view.legal()) > 1 and view.seat == 0:
            return view
        match.play(int((agent if view.seat else rule).act(view)))


def searched(view: View, policy: str, word: int = 1) -> Any:
    """The workspace of a search that has begun."""
    workspace = new_search_workspace(view.game, read_policies(policy))[0]
    assert begin(view.record, view.game.tables, workspace, np.uint64(word))
    return workspace


@pytest.mark.exhaustive
@pytest.mark.parametrize(("name", "plies"), [("rule", 0), ("random", 0), ("slips", 20), ("shooter", 20)])
def test_several_copies_of_a_policy_search_as_one(name: str, plies: int) -> None:
    view = played_by("black_lady", "random", plies, 3)
    assert PimcAgent(16, policy=name).explain(view) == PimcAgent(16, policy=f"{name}+{name}+{name}").explain(view)


@pytest.mark.parametrize(("text", "own"), [("black_lady", [0]), ("partnership_hearts", [0, 2])])
def test_the_first_policy_plays_the_own_team_and_the_others_are_drawn(text: str, own: list[int]) -> None:
    view = played_by(text, "random", 0, 5)
    workspace = searched(view, "guard+rule+random")
    chances = np.array([0.2, 0.5, 0.3])
    workspace["chances"][:, :3] = chances
    drawn = []
    for number in range(1000):
        seat_players(view.record, view.game.tables, workspace, number)
        drawn.append(workspace["players"][:4].copy())
    counts = np.array([np.bincount(players, minlength=3) / 1000 for players in np.array(drawn).T])
    for seat in range(4):
        assert counts[seat] == pytest.approx([1, 0, 0] if seat in own else chances, abs=0.05)
    others = [seat for seat in range(4) if seat not in own]
    assert np.corrcoef(np.array(drawn)[:, others[:2]].T)[0, 1] == pytest.approx(0, abs=0.1)


@pytest.mark.parametrize(("others", "place"), [("rule", 0), ("random", 1)])
def test_the_cards_played_reveal_the_policy(others: str, place: int) -> None:
    chances = []
    for seed in range(20):
        workspace = searched(played_by("black_lady", others, 36, seed), "rule+random")
        chances.append(workspace["chances"][1:4, :2])
        assert np.allclose(chances[-1].sum(axis=1), 1)
    assert np.mean(chances, axis=(0, 1))[place] > 0.8
    assert (np.array(chances)[:, :, place] > 0.5).mean() > 0.85


@pytest.mark.parametrize("text", ["black_lady", "joker_hearts(jokers.lead=call)", "gong_zhu"])
def test_the_evidence_is_what_the_policies_play_in_the_world(text: str) -> None:
    """In the true world, compared with the decisions of the agents themselves in a replay of the match."""
    match = he.Match(text, seed=2)
    agents = [make_agent(spec) for spec in ("rule", "shooter", "guard")]
    random, expected = make_agent("random"), []
    while match.deal_number == 0 and (len(match.view(0).played) < 30 or match.seat != 0 or match.phase != "play"):
        view = match.view(match.seat or 0)
        action = int((random if view.seat % 2 else agents[1]).act(view))
        if view.phase == "play":
            count = len(view.legal_ids())
            hits = [int(agent.act(view)) == action for agent in agents]
            own = [SLIP / count + (1 - SLIP) * hit if count > 1 else 1.0 for hit in hits]
            expected.append([0.0] * 4 if view.seat == 0 else [*own, 1 / count])
        match.play(action)
    view = match.view(0)
    workspace = searched(view, "rule+shooter+guard+random")
    workspace["played"] = 0.0
    workspace["states"][TRIAL] = match.state[0]
    add_evidence(view.record, view.game.tables, workspace, workspace["states"][TRIAL])
    assert np.allclose(workspace["played"][: len(expected), :4], expected)
    assert len({tuple(row) for row in expected}) > 5
