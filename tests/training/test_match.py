"""The chance to win a match as the reward, the anchor, and how a run begins."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from hearts_agents.neural import PolicyNet, input_size, network_inputs, save_policy
from hearts_env.compiled.game import compile_game
from hearts_env.envs.vector import VectorEnv
from hearts_env.play.observation import layout_of
from hearts_env.play.view import Views
from hearts_env.variants.registry import rules
from hearts_training.data.distil import forget_match
from hearts_training.train import checkpoint as store
from hearts_training.train.config import PPOConfig
from hearts_training.train.match_critic import FIELDS, STANDINGS, MatchCritic
from hearts_training.train.options import Budget, TrainOptions
from hearts_training.train.ppo import PPO
from hearts_training.train.presets import DISTILLED_TEMPERATURE, FROM_NETWORK, PRESETS
from hearts_training.train.tensors import to_tensors
from tests.training.test_training import TINY, run

pytestmark = pytest.mark.usefixtures("one_thread")
SHORT = "black_lady(target=30)"
SIZES: dict[str, Any] = {**TINY, "hidden": (16,), "critic_hidden": (16,)}


def match_ppo(variant: str = SHORT, **changes: Any) -> PPO:
    config = PPOConfig(**{**SIZES, "imitation": 0.0, "opponent_games": 0.0, "objective": "match"} | changes)
    return PPO(VectorEnv(variant, config.num_envs, reward="win"), config, seed=3)


def watch(variant: str, deals: int) -> Iterator[tuple[VectorEnv, MatchCritic, Any]]:
    """Random players: the environment, the critic and what it has paid, after every step in which a deal has ended."""
    env = VectorEnv(variant, 8, reward="win")
    env.reset(seed=1)
    critic, rng = MatchCritic(env), np.random.default_rng(0)
    while deals > 0:
        number = env.states["deal_number"].copy()
        env.step(env.sample_actions(rng))
        ended = env.terminated | (env.states["deal_number"] != number)
        if ended.any():
            yield env, critic, critic.pay(env, ended)
        deals -= ended.sum()


@pytest.mark.parametrize("variant", [SHORT, "partnership_hearts(target=30)", "complex_hearts(target=30)"])
def test_what_a_match_pays_is_the_win_minus_the_chance_at_the_start(variant: str) -> None:
    fresh = VectorEnv(variant, 8, reward="win")
    fresh.reset(seed=1)
    before, sums, over = MatchCritic(fresh).before, np.zeros((8, 4)), np.zeros(8, np.bool_)
    for env, critic, rewards in watch(variant, 200):
        start = critic.chances(before)  # the critic does not learn here
        assert np.allclose(rewards.sum(1), 0, atol=1e-5)
        sums[~over] += rewards[~over]
        for game in np.flatnonzero(env.terminated & ~over):
            assert np.allclose(sums[game], env.rewards[game] - start[game], atol=1e-4)
        over |= env.terminated
    assert over.all()


def test_states_are_what_the_seats_observe_between_deals() -> None:
    env = VectorEnv("black_lady", 2, reward="win")
    env.reset(options=[{"totals": [90, 40, 0, 12]}, None], seed=2)
    critic, layout = MatchCritic(env), layout_of(env.game)
    assert critic.before[0, :, :4].tolist() == [
        pytest.approx([0.9, 0.4, 0, 0.12]),
        pytest.approx([0.4, 0, 0.12, 0.9]),
        pytest.approx([0, 0.12, 0.9, 0.4]),
        pytest.approx([0.12, 0.9, 0.4, 0]),
    ]
    width = sum(layout[name].columns.stop - layout[name].columns.start for name in FIELDS if name in layout)
    assert critic.before.shape == (2, 4, width)


def test_matches_are_remembered_with_their_winners() -> None:
    *_, (_, critic, _) = watch(SHORT, 400)
    known = critic.shares.any(1)
    assert known.sum() > 50
    assert np.allclose(critic.shares[known].sum(1), 1)
    assert (critic.games[known] == -1).all()
    running = critic.games >= 0
    assert running.any()
    assert (critic.states[known][:, :, 0] < 1).all()  # own totals before a deal: nobody had reached the target


def test_the_critic_learns_who_wins() -> None:
    """Nobody can know that from equal totals, but far ahead it is clear."""
    ppo = match_ppo(learning_rate=3e-3, final_learning_rate=3e-3)
    critic = ppo.match_critic
    assert critic is not None
    losses = []
    for _ in range(30):
        ppo.collect(0.5)
        losses.append(ppo.update(0.5)["match_loss"])
    assert losses[0] == 0  # no match had ended
    assert 0 < losses[-1] < 1.35  # ln 4 = 1.386 is that of equal chances
    env = VectorEnv(SHORT, 1, reward="win")
    env.reset(options={"totals": [29, 29, 0, 29]}, seed=2)
    chances = critic.chances(MatchCritic(env).before)[0]
    assert chances.argmax() == 2
    assert chances[2] > 0.3


@pytest.mark.usefixtures("no_figures")
def test_a_run_for_matches_is_resumed_exactly(tmp_path: Path) -> None:
    values = {**TINY, "objective": "match", "opponent_games": 0.5}
    whole = run(tmp_path / "whole", variant=SHORT, deals=400, hyper_parameters=values)
    run(tmp_path / "parts", lambda status: status.progress > 0.4, variant=SHORT, deals=400, hyper_parameters=values)
    parts = run(tmp_path / "parts-2", resume=tmp_path / "parts", variant=SHORT)
    assert parts.curve == whole.curve


def test_what_a_checkpoint_remembers_of_matches_is_checked() -> None:
    tensors, ppo = match_ppo().tensors(), match_ppo()
    for name, value in {
        "matches.games": torch.full_like(tensors["matches.games"], 99),
        "matches.states": tensors["matches.states"][1:],
        "matches.shares": torch.full_like(tensors["matches.shares"], 0.3),
        "matches.next_row": torch.tensor(-1),
    }.items():
        with pytest.raises(ValueError, match="matches"):
            ppo.restore({**tensors, name: value}, {})


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"objective": "match", "actors": 2}, "leave out actors and timing"),
        ({"objective": "match", "timing": "trick"}, "leave out actors and timing"),
        ({"objective": "matches"}, "objective='matches' must be points or match"),
        ({"anchor": 0.1}, "name it with start"),
    ],
)
def test_what_contradicts_is_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PPOConfig(**values)


# --- the anchor -----------------------------------------------------------------------------------------------------


def anchored(weight: float, tmp_path: Path) -> tuple[float, dict[str, float]]:
    """How far the policy has moved from where it started, and the figures of the last update."""
    ppo = (
        match_ppo(objective="points", anchor=weight, start="somewhere", learning_rate=5e-3)
        if weight
        else match_ppo(objective="points", learning_rate=5e-3)
    )
    start = PolicyNet(ppo.policy.inputs, ppo.policy.actions, ppo.policy.hidden)
    torch.manual_seed(1)
    for parameter in start.parameters():
        torch.nn.init.normal_(parameter, std=0.1)
    ppo.start_from(start, "somewhere")
    for _ in range(4):
        ppo.collect(0.0)
        figures = ppo.update(0.0)
    inputs, masks = (
        torch.from_numpy(rows) for rows in network_inputs(Views(ppo.env.game, ppo.env.states, check=False))
    )
    with torch.inference_mode():
        old, new = (torch.log_softmax(net(inputs, masks), 1) for net in (start, ppo.policy))
    return float((new.exp() * (new - old)).sum(1).mean()), figures


def test_an_anchor_holds_the_policy(tmp_path: Path) -> None:
    free, figures = anchored(0.0, tmp_path)
    held, held_figures = anchored(10.0, tmp_path)
    assert held < free / 4
    assert figures["anchor_kl"] == 0
    assert 0 < held_figures["anchor_kl"] < 0.1


def test_the_anchor_is_part_of_a_checkpoint() -> None:
    one, two = (match_ppo(objective="points", anchor=1.0, start="somewhere") for _ in range(2))
    one.start_from(one.policy, "somewhere")
    counters = {name: getattr(one, name) for name in one.counters}
    two.restore(to_tensors(one), counters)
    assert one.anchor is not None
    assert two.anchor is not None
    assert all(map(torch.equal, one.anchor.state_dict().values(), two.anchor.state_dict().values()))
    assert torch.equal(two.anchor.head.weight, one.policy.head.weight)


# --- how a run begins -----------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("no_figures")
def test_a_run_starts_from_the_network_that_comes_with_the_suite(tmp_path: Path) -> None:
    few = {name: TINY[name] for name in ("num_envs", "rollout_steps", "critic_hidden", "minibatch")}
    assert run(tmp_path / "scratch", deals=16, hyper_parameters=few).start == ""
    result = run(tmp_path / "run", deals=16, start="black_lady", hyper_parameters=few)
    assert result.start == "black_lady"
    state = next((tmp_path / "run").glob("checkpoint-*/state.json")).read_text()
    assert '"start": "black_lady"' in state
    assert f'"anchor": {FROM_NETWORK["anchor"]}' in state


@pytest.mark.usefixtures("no_figures")
def test_a_run_that_starts_from_a_network_is_resumed_exactly(tmp_path: Path) -> None:
    game = compile_game(rules(SHORT))
    torch.manual_seed(0)
    save_policy(tmp_path / "mine", PolicyNet(input_size(game), len(game.actions), (16, 16)), game.rules)
    few = {name: TINY[name] for name in ("num_envs", "rollout_steps", "critic_hidden", "minibatch")}
    options: dict[str, Any] = {
        "variant": SHORT,
        "deals": 160,
        "start": str(tmp_path / "mine"),
        "hyper_parameters": {**few, "critic_first": 0.3, "objective": "match"},
    }
    run(tmp_path / "whole", **options)
    assert run(tmp_path / "parts", lambda status: status.progress > 0.4, **options).interrupted
    run(tmp_path / "parts", resume=tmp_path / "parts", out=None, hyper_parameters={})
    whole, parts = (store.find_checkpoint(tmp_path / name) for name in ("whole", "parts"))
    assert whole.name == parts.name
    assert (whole / store.TENSORS).read_bytes() == (parts / store.TENSORS).read_bytes()


@pytest.mark.usefixtures("no_figures")
@pytest.mark.parametrize(("extra", "temperature"), [({"distilled": {}}, DISTILLED_TEMPERATURE), ({"deals": 9}, 1.0)])
def test_a_run_takes_the_layers_and_the_temperature_from_where_it_starts(
    tmp_path: Path, extra: dict[str, Any], temperature: float
) -> None:
    game = compile_game(rules(SHORT))
    save_policy(tmp_path / "mine", PolicyNet(input_size(game), len(game.actions), (16, 16)), game.rules, extra)
    few = {name: TINY[name] for name in ("num_envs", "rollout_steps", "critic_hidden", "minibatch")}
    start = str(tmp_path / "mine")
    assert run(tmp_path / "run", variant=SHORT, deals=16, start=start, hyper_parameters=few).start == start
    state = json.loads(next((tmp_path / "run").glob("checkpoint-*/state.json")).read_text())
    assert state["config"]["hidden"] == [16, 16]
    assert state["config"]["start_temperature"] == temperature
    assert state["config"]["anchor"] == FROM_NETWORK["anchor"]


def test_a_preset_names_minutes_and_hyper_parameters() -> None:
    options = TrainOptions(preset="strong")
    assert Budget.of(options).minutes == PRESETS["strong"].minutes
    assert Budget.of(TrainOptions(preset="strong", minutes=5)).minutes == 5
    for preset in PRESETS.values():
        PPOConfig(**preset.hyper_parameters)
    bad: list[dict[str, Any]] = [{"preset": "weak"}, {"preset": "strong", "algorithm": "dmc"}]
    for values in bad:
        with pytest.raises(ValueError, match="preset="):
            TrainOptions(**values)
    bad = [{"resume": Path("runs/x")}, {"preset": "strong"}, {"algorithm": "maskable-ppo"}]
    for values in bad:
        with pytest.raises(ValueError, match="start=mine is for a new run of ppo without a preset"):
            TrainOptions(**values, start="mine")
    with pytest.raises(ValueError, match="write --start NAME"):
        TrainOptions(hyper_parameters={"start": "mine"})


# --- what a distilled network does not know ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["black_lady", "gong_zhu", "complex_hearts", "danger_hearts", "small_hearts"])
def test_a_network_plays_a_deal_of_a_match_like_the_same_deal_of_a_new_one(name: str) -> None:
    game = compile_game(rules(name))
    layout = layout_of(game)
    torch.manual_seed(0)
    net = PolicyNet(input_size(game), len(game.actions), (32, 32))
    env = VectorEnv(game.rules, 64, deals=1)
    env.reset(seed=4)
    rng = np.random.default_rng(1)
    for _ in range(9):
        env.step(env.sample_actions(rng))
    inputs, masks = (torch.from_numpy(rows) for rows in network_inputs(Views(game, env.states, check=False)))
    with torch.inference_mode():
        before = net(inputs, masks)
        forget_match(net, game)
        assert torch.allclose(net(inputs, masks), before, atol=1e-4)
        for field in (*STANDINGS, "deal_number"):
            if field in layout:
                inputs[:, layout[field].columns] = 7.5
        assert torch.allclose(net(inputs, masks), before, atol=1e-4)
