"""A network of one game in another: as a player, and as the start of a network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import hearts_env as he
from hearts_agents import make_agent
from hearts_agents.base import AgentRefused
from hearts_agents.neural import NetAgent, PolicyNet, input_size, load_policy, network_inputs, save_policy
from hearts_agents.neural.policy import arrays_of
from hearts_agents.neural.transfer import input_names, transfer
from hearts_env.compiled.game import compile_game
from hearts_env.envs.vector import VectorEnv
from hearts_env.seat.observation import layout_of
from hearts_env.seat.view import Views
from hearts_env.variants.registry import rules
from tests.training.runs import TINY, run

pytestmark = pytest.mark.usefixtures("one_thread", "no_figures")


@pytest.mark.parametrize("variant", he.VARIANTS)
def test_every_column_has_a_name_of_its_own(variant: str) -> None:
    game = compile_game(rules(variant))
    found = input_names(game)
    assert len(found) == len({*found}) == input_size(game)
    for name, field in layout_of(game).items():
        assert {block for block, *_ in found[field.columns]} <= {name}


def test_it_plays_alike_where_both_games_look_alike(tmp_path: Path) -> None:
    """Before a bonus card is taken, Omnibus Hearts looks to a network of Basic Hearts like its own game."""
    before, after = (VectorEnv(variant, 32) for variant in ("black_lady", "omnibus_hearts"))
    torch.manual_seed(1)
    kinds, observed = len(before.game.deck.kinds), int(before.game.tables["obs_size"])
    policy = PolicyNet(input_size(before.game), len(before.game.actions), (16, 16), kinds, observed)
    assert policy.own is not None
    torch.nn.init.normal_(policy.own)
    save_policy(tmp_path, policy, before.game.rules)
    agent = NetAgent(tmp_path, transfer=True)
    for env in (before, after):
        env.reset(seed=3)
    for _ in range(20):
        ones = [agent.network(env.game).logits(*network_inputs(env.views())) for env in (before, after)]
        assert np.allclose(ones[0], ones[1], atol=1e-5)
        actions = before.action_masks.argmax(1)
        for env in (before, after):
            env.step(actions)
    moved = transfer(arrays_of(policy), before.game, after.game)
    jack = [place for place, name in enumerate(input_names(after.game)) if name[0] == "scoring_taken" and "JD" in name]
    assert len(jack) == 4
    assert not moved["body.0.weight"][:, jack].any()


def test_actions_keep_their_weights_by_name() -> None:
    before, after = (compile_game(rules(variant)) for variant in ("black_lady", "dirty_hearts"))
    policy = PolicyNet(input_size(before), len(before.actions), (16,))
    moved = transfer(arrays_of(policy), before, after)
    assert set(after.actions) - set(before.actions), "this test is of no use"
    for place, action in enumerate(after.actions):
        expected = policy.head.weight[before.actions.index(action)] if action in before.actions else torch.zeros(16)
        assert np.array_equal(moved["head.weight"][place], expected.detach()), action


def test_it_is_asked_for() -> None:
    """Without the option, a game with other columns is refused; with it, one with the same is played as before."""
    plain, moving = make_agent("net:black_lady"), make_agent("net(black_lady, transfer=true)")
    assert (plain.name, moving.name) == ("net:black_lady", "net(black_lady, transfer=true)")
    other, alike = (Views.of(he.Match(variant, seed=7).view(0)) for variant in ("omnibus_hearts", "spot_hearts"))
    with pytest.raises(AgentRefused, match="was trained on black_lady; omnibus_hearts has another observation"):
        plain.act_batch(other)
    assert other.game.tables["actions"] > moving.act_batch(other)[0] >= 0
    assert moving.act_batch(alike)[0] == plain.act_batch(alike)[0]


def test_what_cannot_move_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="net:hearts plays every game; leave transfer out, or name a network for one"):
        make_agent("net(hearts, transfer=true)")
    game = compile_game(rules("black_lady"))
    save_policy(tmp_path, PolicyNet(int(game.tables["obs_size"]), len(game.actions), (16,)), game.rules)
    agent = NetAgent(tmp_path, transfer=True)
    with pytest.raises(AgentRefused, match="reads the observation alone; only a network that reads counts plays other"):
        agent.act_batch(Views.of(he.Match("omnibus_hearts", seed=7).view(0)))


def test_a_run_goes_on_from_the_network_of_another_game(tmp_path: Path) -> None:
    before, after = (compile_game(rules(variant)) for variant in ("black_lady", "omnibus_hearts"))
    policy = PolicyNet(input_size(before), len(before.actions), (16, 16))
    save_policy(tmp_path / "mine", policy, before.rules)
    sizes = {name: TINY[name] for name in ("num_envs", "critic_hidden", "minibatch")}
    start: dict[str, Any] = {"variant": "omnibus_hearts", "deals": 1, "start": str(tmp_path / "mine")}
    run(tmp_path / "run", **start, hyper_parameters={**sizes, "critic_first": 1.0})
    trained, info = load_policy(tmp_path / "run")
    assert info.rules == "omnibus_hearts"
    expected = transfer(arrays_of(policy), before, after)
    for name, value in trained.state_dict().items():
        assert np.allclose(value, expected[name], atol=1e-6), name
