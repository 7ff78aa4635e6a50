"""Agents: the protocol, spec strings, what they may know, and how well the rule agent plays."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hearts_agents import Agent, make_agent
from hearts_agents.arena import run_arena
from hearts_agents.registry import AGENTS, Parameter, register
from hearts_agents.rule import RuleAgent, Weights
from hearts_env import Match, View, Views
from hearts_env.compiled.game import Game, compile_game
from hearts_env.kernel.batch import random_actions, start_all, step_all, take_views
from hearts_env.kernel.records import STATE, Phase
from hearts_env.ruleset.derived import build_deck
from hearts_env.variants.registry import rules
from tests.support.games import FEW_CARDS, LARGEST
from tests.support.marks import few


def positions(text: str, count: int, plies: int, seed: int = 0) -> tuple[Game, np.ndarray]:
    """States of matches that went on at random for a while."""
    game = compile_game(rules(text))
    states = np.zeros(count, STATE)
    start_all(states, game.tables, np.random.SeedSequence(seed).generate_state(count, np.uint64), 0, 0)
    actions = np.zeros(count, np.int64)
    rng = np.uint64(seed)
    for _ in range(plies):
        rng = np.uint64(random_actions(states, game.tables, rng, actions))
        step_all(states, game.table, actions)
    return game, states


def views_of(game: Game, states: np.ndarray) -> Views:
    rows = np.flatnonzero(states["phase"] != Phase.OVER)
    views = np.zeros(len(rows), STATE)
    take_views(states, game.table, rows, views)
    return Views(game, views)


class First(Agent):
    """Ten lines are enough."""

    name = "first"

    def act(self, view: View) -> str:
        return view.legal()[0]


class Lowest(Agent):
    name = "lowest"

    def act_batch(self, views: Views) -> np.ndarray:
        return np.array([view.legal_ids()[0] for view in views])


@pytest.mark.parametrize("agent", [First(), Lowest(), make_agent("random"), make_agent("rule")], ids=lambda a: a.name)
def test_an_action_does_not_depend_on_the_batch(agent: Agent) -> None:
    for plies in (0, 12, 30):
        views = views_of(*positions("black_lady", 20, plies))
        batch = [int(action) for action in agent.act_batch(views)]
        assert [views.game.action(agent.act(view)) for view in views] == batch
        assert all(action in view.legal_ids() for action, view in zip(batch, views, strict=True))


def test_random_is_uniform_and_follows_its_seed() -> None:
    agent, views = make_agent("random"), views_of(*positions("black_lady(passing.cycle=[hold])", 4000, 1))
    agent.reset(1)
    first = agent.act_batch(views)
    np.testing.assert_array_equal(first, agent.act_batch(views))
    agent.reset(2)
    assert (first != agent.act_batch(views)).mean() > 0.5
    places = [
        view.legal_ids().index(int(action)) / len(view.legal_ids()) for view, action in zip(views, first, strict=True)
    ]
    ideal = np.mean([(1 - 1 / len(view.legal_ids())) / 2 for view in views])
    assert abs(np.mean(places) - ideal) < 0.02


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("rul", "there is no agent 'rul'; the closest is rule"),
        ("nett:runs", "there is no agent 'nett'; the closest is net"),
        ("rule(pas_spades=2)", "rule has no parameter 'pas_spades'; the closest is pass_spades"),
        ("rule(pass_spades=high)", "rule: pass_spades=high is not possible; pass_spades is a number"),
        ("rule(pass_spades=nan)", "rule: pass_spades=nan is not possible; pass_spades is a number"),
        ("rule(pass_spades=1, pass_spades=2)", "pass_spades is given twice"),
        ("rule(pass_spades=2", "is not of the form"),
        ("random(seed=1)", "random takes no parameters; seed was given"),
        ("random:1", "random takes no parameters"),
        ("net", "'net' lacks folder; write net:FOLDER"),
        ("", "names no agent; write rule, or 0.7*rule"),
    ],
)
def test_bad_specs_are_refused_in_one_line(spec: str, message: str) -> None:
    with pytest.raises(ValueError, match=r".") as error:
        make_agent(spec)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_spec_strings_set_weights_and_name_the_agent() -> None:
    agent = make_agent(" rule(pass_spades=2, shoot=0.5) ")
    assert isinstance(agent, RuleAgent)
    assert agent.weights == Weights(pass_spades=2.0, shoot=0.5)
    assert agent.name == "rule(pass_spades=2, shoot=0.5)"
    assert make_agent(agent) is agent


def test_threads_may_share_a_rule_agent(rule_positions: Views) -> None:
    agent, expected = RuleAgent(), RuleAgent().act_batch(rule_positions)
    with ThreadPoolExecutor(4) as threads:
        for actions in threads.map(agent.act_batch, [rule_positions] * 8):
            np.testing.assert_array_equal(actions, expected)


@pytest.fixture(scope="module")
def rule_positions() -> Views:
    """Every ply of deals between rule agents that shoot often, with bonus cards and a choice of pass."""
    game, states = positions("omnibus_hearts(passing.cycle=[left|hold])", 300, 0)
    agent, seen = make_agent("rule(shoot=0.05)"), []
    for _ in range(64):
        views = views_of(game, states)
        seen.append(views.records)
        step_all(states, game.table, agent.act_batch(views))
    return Views(game, np.concatenate(seen))


def test_every_weight_changes_some_decision(rule_positions: Views) -> None:
    default = RuleAgent().act_batch(rule_positions)

    def matters(weight: str) -> bool:
        others = (replace(Weights(), **{weight: value}) for value in (-9.0, 0.0, 9.0))
        return any((RuleAgent(other).act_batch(rule_positions) != default).any() for other in others)

    assert [weight for weight in vars(Weights()) if not matters(weight)] == []


def optional(model: str | None = None) -> Agent:
    return make_agent("random")


def test_users_register_agents(monkeypatch: pytest.MonkeyPatch) -> None:
    known = dict(AGENTS)
    monkeypatch.setattr("hearts_agents.registry._AGENTS", known)

    class Picky(First):
        def __init__(self, rank: int, kind: str = "low") -> None:
            self.rank, self.kind = rank, kind

    register("picky", Picky, "likes one rank")
    agent = make_agent("picky(3, kind=high)")
    assert isinstance(agent, Picky)
    assert (agent.rank, agent.kind, agent.name) == (3, "high", "picky(3, kind=high)")
    assert known["picky"].parameters == {"rank": Parameter("rank", int), "kind": Parameter("kind", str, "low")}
    with pytest.raises(ValueError, match="there is an agent 'picky' already"):
        register("picky", Picky, "again")
    with pytest.raises(ValueError, match="'two words' cannot be written in a spec string"):
        register("two words", Picky, "no name")
    with pytest.raises(ValueError, match="optional: model cannot be written in a spec string"):
        register("optional", optional, "may have a model")
    register("distant", "hearts_agents.uniform:RandomAgent", "imported when it is needed")
    assert make_agent("distant").name == "distant"


@pytest.mark.exhaustive
@pytest.mark.parametrize("text", few([text for text in LARGEST if len(build_deck(rules(text))) > FEW_CARDS]))
def test_rule_beats_random_players_in_every_game(text: str) -> None:
    rule, _ = run_arena(["rule", "random"], text, deals=300 if "partnership" in text else 60, seed=5).agents
    assert rule.margin + 3 * rule.margin_se < 0


def test_rule_takes_a_safe_trick_and_ducks_others() -> None:
    agent = make_agent("rule")
    hands = [
        ["2C", "KC", "AC", "KD", "AD", "2H", "3H", "4H", "2S", "3S", "4S", "5S", "6S"],
        ["3C", "9C", "QC", "2D", "3D", "4D", "5D", "7H", "8H", "9H", "7S", "8S", "9S"],
        ["4C", "5C", "6C", "6D", "7D", "8D", "9D", "TH", "JH", "QH", "TS", "JS", "KS"],
        ["7C", "8C", "TC", "JC", "TD", "JD", "QD", "5H", "6H", "KH", "AH", "QS", "AS"],
    ]
    match = Match.from_hands("black_lady", hands, played=["2C"])
    assert match.game.actions[int(agent.act(match.view(1)))] == "QC"  # a safe first trick takes the highest club
    match = Match.from_hands("black_lady", hands, played=["2C", "QC", "6C", "JC", "3D", "9D", "QD", "KD", "AD", "5D"])
    assert match.seat == 2
    assert match.game.actions[int(agent.act(match.view(2)))] == "8D"  # the highest diamond that still loses


def test_torch_and_the_compiler_stay_out_until_they_are_needed() -> None:
    import subprocess
    import sys

    modules = "hearts_agents.arena, hearts_agents.engines.serve, hearts_agents.engines.player, hearts_agents.openspiel"
    heavy = "{'torch', 'numba', 'http.client', 'hearts_agents.text.talk'} & {*sys.modules}"
    code = f"import sys, {modules}, hearts_agents as a; a.make_agent('rule'); print({heavy})"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path.cwd())
    assert found.stdout.strip() == "set()"
