"""`net+pimc`: rollouts by a network, in lockstep."""

from pathlib import Path

import numpy as np
import pytest

import hearts_env as he
from hearts_agents import make_agent
from hearts_agents.registry import names_program
from hearts_agents.rule import RuleAgent
from hearts_agents.search.endgame import play_out
from hearts_agents.search.lockstep import copy_records, margins_all, play_out_all
from hearts_agents.search.network import NetPimcAgent, best_action, choose_worlds, effective
from hearts_agents.search.rollout import margin_of
from hearts_agents.search.workspace import new_search_workspace
from hearts_env.errors import IllegalActionError
from hearts_env.kernel.records import STATE
from hearts_env.seat.worlds import sample_worlds


@pytest.fixture(scope="module")
def agent() -> NetPimcAgent:
    return NetPimcAgent("black_lady", worlds=4, min_z=0.0)


def views(plies: list[int], phase: str = "play") -> he.Views:
    """Views with a choice, after some of the rule agent's plies of deals."""
    rule, records = RuleAgent(), []
    game = he.Match("black_lady", seed=1).game
    for seed, ply in enumerate(plies):
        match = he.Match("black_lady", seed=seed)
        while match.phase != phase or len(match.view(0).played) < ply or len(match.legal()) == 1:
            match.play(int(rule.act(match.view(match.seat or 0))))
        records.append(match.view(match.seat or 0).record)
    return he.Views(game, np.array(records, STATE))


def test_lockstep_plays_as_one_deal_at_a_time() -> None:
    """The rule agent in lockstep and in its compiled rollouts: the same deals, the same margins."""
    view = next(iter(views([5])))
    game, t = view.game, view.game.tables
    starts = sample_worlds(view, 40, seed=2).records
    starts["deal_limit"] = 1
    ends, margins = copy_records(starts, np.arange(40)), np.zeros(40)
    play_out_all(game, ends, RuleAgent())
    margins_all(starts, ends, t, np.full(40, view.seat), np.zeros(4), margins)
    workspace = new_search_workspace(game)[0]
    for start, end, margin in zip(starts, starts.copy(), margins, strict=True):
        play_out(end, t, start["totals"], workspace, np.uint64(0))
        assert margin == margin_of(t, view.seat, workspace["costs"])
    assert len(set(margins)) > 3


def test_it_was_trained_on_what_its_network_was(agent: NetPimcAgent) -> None:
    assert agent.trained_on == "black_lady"


def test_a_decision_depends_on_seed_and_view_alone(agent: NetPimcAgent) -> None:
    some = views([0, 6, 17, 30, 41])
    agent.reset(3)
    together = agent.act_batch(some)
    assert together.tolist() == [int(agent.act(view)) for view in reversed(list(some))][::-1]
    assert all(action in view.legal_ids() for action, view in zip(together, some, strict=True))


def test_it_searches_play_and_leaves_passes_to_the_network(agent: NetPimcAgent) -> None:
    net = make_agent("net:black_lady")
    passes = views([0] * 6, phase="pass")
    assert agent.act_batch(passes).tolist() == net.act_batch(passes).tolist()
    plays = views([2, 5, 9, 14, 18, 23, 27, 30])
    assert agent.act_batch(plays).tolist() != net.act_batch(plays).tolist()


def test_only_what_is_better_by_more_than_chance_replaces_the_networks_action() -> None:
    options = np.array([3, 8])
    margins = np.array([[2.0, 1.0], [2.0, 0.0], [3.0, 2.0]])
    thirds = np.full(3, 1 / 3)
    assert best_action(options, margins, thirds, default=3, min_z=1) == 8
    assert best_action(options, margins, thirds, default=3, min_z=5) == 3
    assert best_action(options, margins, thirds, default=8, min_z=0) == 8
    assert best_action(options, np.ones((4, 2)), np.full(4, 1 / 4), default=3, min_z=0) == 3
    apart = np.array([[0.0, 1.0], [0.0, -1.0]])
    assert best_action(options, apart, np.array([0.1, 0.9]), default=3, min_z=0) == 8
    assert best_action(options, apart, np.array([0.9, 0.1]), default=3, min_z=0) == 3


def test_worlds_are_chosen_by_their_weights() -> None:
    rng = np.random.default_rng(5)
    weights, found = rng.dirichlet(np.ones(200)), np.zeros(200)
    for draw in rng.random(2000):
        places, shares = choose_worlds(weights, 20, draw)
        found[places] += shares / 2000
    assert np.abs(found - weights).max() < 0.002


def test_no_world_counts_for_all() -> None:
    """Of worlds that are hardly possible, those are chosen that are least impossible."""
    weights = np.exp(-np.arange(100.0) * 7)
    places, shares = choose_worlds(weights / weights.sum(), 64, 0.5)
    assert 15 <= effective(shares) <= 17
    assert places.max() < 60
    assert choose_worlds(np.array([0.0, 1.0, 0.0]), 64, 0.5)[0].tolist() == [1]
    assert choose_worlds(np.full(8, 1 / 8), 8, 0.5)[0].tolist() == [*range(8)]


def test_candidates_know_more_of_the_deal_than_worlds() -> None:
    """Cards are where they are more often in worlds chosen by the network that plays all seats."""
    agents = [NetPimcAgent("black_lady", worlds=32, candidates=count) for count in (0, 512)]
    net, found = make_agent("net:black_lady"), np.zeros((2, 6))
    for seed in range(6):
        match = he.Match("black_lady", seed=seed)
        while match.phase != "play" or len(match.view(0).played) < 22:
            match.play(int(net.act(match.view(match.seat or 0))))
        view, truth = match.view(match.seat or 0), match.state["hands"][0][:4, 0]
        for agent, row in zip(agents, found, strict=True):
            worlds, weights = agent._draw(view, seed)
            same = np.bitwise_count(worlds["hands"][:, :4, 0] & truth).sum(axis=1)
            row[seed] = weights @ same
    assert found[1].mean() > found[0].mean() + 1


OWN = """
class Own:
    def __init__(self, offset: int = 0):
        self.offset = offset

    def act_batch(self, views):
        return views.observations()[1].argmax(1) + self.offset
"""


def test_an_agent_of_ones_own_plays_the_rollouts(tmp_path: Path) -> None:
    """Its own action is the default, and it is searched from; an illegal one is refused with the rule."""
    (tmp_path / "own.py").write_text(OWN)
    spec = f"py:{tmp_path}/own.py:Own"
    searching, some = NetPimcAgent(spec, worlds=8, min_z=0.0), views([0, 6, 17, 30, 41])
    own = make_agent(spec).act_batch(some)
    assert names_program(searching.name)
    assert searching.digest == make_agent(spec).digest
    found = searching.action_values(some)
    assert (found.errors[range(5), own] == 0).all()
    assert (found.actions != own).any()
    assert (found.values[range(5), found.actions] <= found.values[range(5), own]).all()
    with pytest.raises(IllegalActionError, match="in a rollout"):
        make_agent(f"net+pimc({spec}(offset=1), worlds=2)").act_batch(some)
    with pytest.raises(ValueError, match="candidates and small are for networks"):
        make_agent(f"net+pimc({spec}, candidates=64)")
