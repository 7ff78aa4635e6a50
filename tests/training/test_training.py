"""Self-play PPO: credit, advantages, masks, checkpoints, resuming, folders."""

from __future__ import annotations

import dataclasses
import importlib
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from matplotlib.figure import Figure
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from hearts_agents import make_agent
from hearts_agents.neural import PolicyNet, load_policy, network_inputs, save_policy
from hearts_env.envs.vector import VectorEnv
from hearts_env.play.view import Views
from hearts_training.bench.first_layer import BagRows, DenseFloatRows, learner
from hearts_training.evaluate.curve import draw_curve
from hearts_training.evaluate.quick import Evaluator, Margin
from hearts_training.progress import Status
from hearts_training.train import checkpoint as store
from hearts_training.train.config import PPOConfig
from hearts_training.train.options import Budget, TrainOptions
from hearts_training.train.ppo import PPO, anneal, generalized_advantages
from hearts_training.train.rollout import END, OPEN, Experience
from hearts_training.train.run import Report, TrainResult
from hearts_training.train.sparse import SparseRows, by_column
from hearts_training.train.start import train
from hearts_training.train.tensors import to_tensors

pytestmark = pytest.mark.usefixtures("one_thread")
QUICK: dict[str, Any] = {"threads": 1, "arena_deals": 0, "evaluations": 2, "evaluation_games": 16}
TINY = {"num_envs": 16, "rollout_steps": 40, "hidden": [16], "critic_hidden": [16], "minibatch": 128}


def tiny(variant: str = "black_lady", seed: int = 0, **changes: Any) -> PPO:
    values: dict[str, Any] = {
        "num_envs": 16,
        "rollout_steps": 40,
        "hidden": (16,),
        "critic_hidden": (16,),
        "minibatch": 128,
        "opponent_games": 0.0,  # every seat learns, so that every reward is somebody's
    } | changes
    config = PPOConfig(**values)
    env = VectorEnv(variant, config.num_envs, reward="relative", timing=config.timing)
    return PPO(env, config, seed=seed)


@pytest.mark.exhaustive
def test_seats_of_the_teacher_are_played_and_not_learned_from() -> None:
    ppo = tiny(opponent_games=1.0, imitation=0.0)
    ppo.collect(1.0)
    decided = ppo.experience.last_row >= 0
    learners = np.arange(16)[:, None] % 4 == np.arange(4)
    assert decided.any()
    assert not (decided & ~learners).any()


def silent(status: Status) -> None:
    """Report nothing."""


def run(folder: Path, report: Report = silent, **changes: Any) -> TrainResult:
    options: dict[str, Any] = {
        "out": folder,
        "threads": 1,
        "arena_deals": 0,
        "evaluations": 2,
        "hyper_parameters": TINY,
    }
    return train(TrainOptions(**{**options, **changes}), report=report)


# --- advantages -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lam", [0.0, 0.7, 0.95, 1.0])
def test_advantages_equal_the_closed_form(lam: float) -> None:
    rng = np.random.default_rng(1)
    rewards, values = rng.normal(size=(2, 12)).astype(np.float32)
    next_row = np.array([2, 1 + 3, 3, 5, 6, 7, 8, 10, END, OPEN, END, 9 - 9 + END], np.int64)
    out, ready = np.empty(12, np.float32), np.empty(12, np.bool_)
    generalized_advantages(next_row, rewards, values, np.float32(lam), out, ready)
    for first in (0, 1):
        chain = [first]
        while next_row[chain[-1]] >= 0:
            chain.append(int(next_row[chain[-1]]))
        for start in range(len(chain)):
            # sum over k of (lambda ** k) * delta of the k-th decision from here; no discount
            rows = chain[start:]
            after = [*[values[row] for row in rows[1:]], 0.0]
            deltas = [rewards[row] + ahead - values[row] for row, ahead in zip(rows, after, strict=True)]
            expected = sum(lam**k * delta for k, delta in enumerate(deltas))
            assert out[rows[0]] == pytest.approx(expected, abs=1e-5)
    assert ready.tolist() == [True] * 9 + [False, True, True]


def test_with_lambda_1_the_return_is_the_sum_of_rewards_to_the_end_of_the_deal() -> None:
    next_row = np.array([1, 2, END], np.int64)
    rewards, values = np.array([1, 2, 4], np.float32), np.array([10, 20, 30], np.float32)
    out, ready = np.empty(3, np.float32), np.empty(3, np.bool_)
    generalized_advantages(next_row, rewards, values, np.float32(1), out, ready)
    assert (out + values).tolist() == [7, 6, 4]


def test_decisions_of_a_running_deal_wait() -> None:
    next_row = np.array([2, END, OPEN], np.int64)
    out, ready = np.empty(3, np.float32), np.empty(3, np.bool_)
    zeros = np.zeros(3, np.float32)
    generalized_advantages(next_row, zeros, zeros, np.float32(1), out, ready)
    assert ready.tolist() == [False, True, False]


# --- credit ---------------------------------------------------------------------------------------------------------


def test_a_reward_paid_while_others_move_reaches_the_seat_that_earned_it() -> None:
    env = VectorEnv("black_lady", 2)
    experience = Experience(env, 100, torch.device("cpu"))
    both = np.array([0, 1])
    experience.extend(both, np.array([0, 3], np.int8))  # rows 0, 1
    experience.extend(both, np.array([1, 0], np.int8))  # rows 2, 3
    experience.credit(np.array([[5, 6, 7, 8], [1, 2, 3, 4]], np.float32))
    experience.extend(np.array([0]), np.array([0], np.int8))  # row 4
    experience.credit(np.array([[50, 0, 0, 0], [10, 0, 0, 0]], np.float32))
    assert experience.rewards[:5].tolist() == [5, 4, 6, 11, 50]
    assert experience.next_row[:5].tolist() == [4, OPEN, OPEN, OPEN, OPEN]
    experience.close(np.array([True, False]))
    assert experience.next_row[:5].tolist() == [4, OPEN, END, OPEN, END]


@pytest.mark.exhaustive
@pytest.mark.parametrize("timing", ["deal", "trick"])
@pytest.mark.parametrize("variant", ["black_lady", "omnibus_hearts(players=5)"])
def test_credited_rewards_sum_to_the_rewards_of_the_environment(
    variant: str, timing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ppo = tiny(variant, timing=timing, rollout_steps=300)
    paid, undeserved = np.zeros((2, 16, ppo.env.game.seats))
    owners: list[tuple[int, int]] = []
    step, extend = ppo.env.step, ppo.experience.extend

    def counted(actions: Any) -> Any:
        answer = step(actions)
        decided = ppo.experience.last_row >= 0
        paid[decided] += ppo.env.rewards[decided]
        undeserved[~decided] += ppo.env.rewards[~decided]  # of seats that had no choice yet in the deal
        return answer

    def noted(games: Any, seats: Any) -> slice:
        owners.extend(zip(games.tolist(), seats.tolist(), strict=True))
        return extend(games, seats)

    monkeypatch.setattr(ppo.env, "step", counted)
    monkeypatch.setattr(ppo.experience, "extend", noted)
    ppo.collect(0.5)
    credited = np.zeros_like(paid)
    np.add.at(credited, tuple(np.array(owners).T), ppo.experience.rewards[: len(owners)])
    assert (paid != 0).sum() > 50
    np.testing.assert_allclose(credited, paid * float(ppo.env.game.tables["point_scale"]), atol=1e-4)
    assert np.abs(undeserved).sum() < 0.01 * np.abs(paid).sum()
    assert timing == "trick" or not undeserved.any()


def test_a_trajectory_is_one_seat_in_one_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    ppo = tiny(rollout_steps=150)
    owner: list[tuple[int, int, int]] = []
    extend = ppo.experience.extend

    def noted(games: Any, seats: Any) -> slice:
        numbers, match = ppo.env.states["deal_number"], ppo.env.states["seed"]
        owner.extend(zip((games * 100 + numbers[games]).tolist(), match[games].tolist(), seats.tolist(), strict=True))
        return extend(games, seats)

    monkeypatch.setattr(ppo.experience, "extend", noted)
    ppo.collect(0.5)
    next_row = ppo.experience.next_row[: len(owner)]
    for row, after in enumerate(next_row.tolist()):
        assert after < 0 or (after > row and owner[after] == owner[row])
    ended = [owner[row] for row in np.flatnonzero(next_row == END)]
    assert len(ended) == len(set(ended)) == 4 * ppo.deals


def test_kept_decisions_stay_linked() -> None:
    ppo = tiny(rollout_steps=90)
    ppo.collect(0.5)
    last_row, before = ppo.experience.last_row.copy(), ppo.experience.actions.clone()
    rows = np.unique(last_row[last_row >= 0])
    pending = ppo.experience.count
    ppo.update(0.0)
    assert 0 < ppo.experience.count < pending
    now = ppo.experience.last_row
    assert ((now >= 0) == (last_row >= 0)).all()
    assert torch.equal(ppo.experience.actions[np.unique(now[now >= 0])], before[rows])
    assert (ppo.experience.next_row[now[now >= 0]] == OPEN).all()


# --- choices --------------------------------------------------------------------------------------------------------


def test_only_choices_are_learned_from_and_every_one_is_legal() -> None:
    ppo = tiny(rollout_steps=120)
    ppo.collect(0.5)
    n, experience = ppo.experience.count, ppo.experience
    assert (experience.masks[:n].sum(1) >= 2).all()
    assert experience.masks[:n].gather(1, experience.actions[:n, None]).all()
    assert n == ppo.choices < ppo.decisions == 120 * 16


def dense(ppo: PPO) -> torch.Tensor:
    """All rows of the experience, observations and then hidden hands."""
    return ppo.experience.inputs.to_dense(torch.arange(ppo.experience.count), ppo.experience.inputs.width)


@pytest.mark.exhaustive
def test_the_log_probabilities_remembered_are_those_of_the_policy() -> None:
    ppo = tiny(bfloat16=False)
    ppo.collect(0.5)
    n, experience = ppo.experience.count, ppo.experience
    with torch.inference_mode():
        logits = ppo.policy(dense(ppo)[:, : ppo.policy.inputs], experience.masks[:n])
    found = torch.log_softmax(logits, 1).gather(1, experience.actions[:n, None])[:, 0]
    assert torch.allclose(found, experience.log_probs[:n], atol=1e-5)


def test_the_policy_sees_no_hidden_card_and_the_critic_does() -> None:
    ppo = tiny(bfloat16=False)
    ppo.collect(0.5)
    rows = torch.arange(ppo.experience.count)
    with torch.inference_mode():
        before = ppo.log_probs_of(rows), ppo.values_of(rows)
        for row in rows.tolist():
            ppo.experience.inputs.values[row, int(ppo.experience.inputs.observed[row]) :] = 7.0
        after = ppo.log_probs_of(rows), ppo.values_of(rows)
    assert torch.equal(before[0], after[0])
    assert (before[1] != after[1]).float().mean() > 0.9


def test_sparse_rows_are_the_inputs_and_the_hidden_hands() -> None:
    ppo = tiny("omnibus_hearts(players=5)")
    inputs, env = ppo.experience.inputs, ppo.env
    for _ in range(60):
        games = np.array([3, 1, 15])
        inputs.write(slice(4, 7), env, games)
        found = inputs.to_dense(torch.arange(4, 7), inputs.width).numpy()
        read = network_inputs(Views(env.game, env.states[games], check=False))[0]
        assert np.array_equal(found, np.concatenate([read, env.hidden()[games]], 1))
        env.step(env.sample_actions(np.random.default_rng(0)))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("hands", [False, True])
def test_products_of_sparse_rows_and_their_gradients_are_those_of_dense_ones(hands: bool, threads: int) -> None:
    torch.set_num_threads(threads)
    ppo = tiny()
    ppo.collect(0.5)
    inputs = ppo.experience.inputs
    width = inputs.width if hands else inputs.input_size
    layer = torch.nn.Linear(width, 24)
    by_column(layer)
    rows = torch.tensor([5, 400, 17, 5, 201])
    weights = torch.rand(5, 24)
    outputs = inputs.product(layer, rows), layer(inputs.to_dense(rows, width))
    assert torch.allclose(*outputs, atol=1e-5)
    gradients = [torch.autograd.grad((output * weights).sum(), list(layer.parameters())) for output in outputs]
    for one, other in zip(*gradients, strict=True):
        assert torch.allclose(one, other, atol=1e-5)


@pytest.mark.parametrize("kind", [BagRows, DenseFloatRows])
def test_the_rows_compared_in_the_benchmark_give_the_same_products(kind: type[SparseRows]) -> None:
    config = PPOConfig(num_envs=16, rollout_steps=40, hidden=(16,), critic_hidden=(16,), bfloat16=False)
    ours, other = learner(SparseRows, config), learner(kind, config)
    for ppo in (ours, other):
        ppo.collect(0.0)
    rows = torch.tensor([5, 400, 17, 5, 201])
    assert torch.allclose(ours.log_probs_of(rows), other.log_probs_of(rows), atol=1e-5)
    assert torch.allclose(ours.values_of(rows), other.values_of(rows), atol=1e-5)
    gradients = [torch.autograd.grad(ppo.values_of(rows).sum(), list(ppo.critic.parameters())) for ppo in (ours, other)]
    for one, two in zip(*gradients, strict=True):
        assert torch.allclose(one, two, atol=1e-5)


def test_learning_raises_the_probability_of_what_paid() -> None:
    ppo = tiny(rollout_steps=130, learning_rate=0.01, entropy=0.0, epochs=9, clip=5.0)
    ppo.collect(0.5)
    n, experience = ppo.experience.count, ppo.experience
    experience.rewards[:n] = np.where(experience.actions[:n].numpy() < 26, 1.0, -1.0)  # clubs and diamonds are good
    observations, masks = dense(ppo)[:, : ppo.policy.inputs], experience.masks[:n].clone()

    def fraction() -> float:
        with torch.inference_mode():
            probabilities = torch.softmax(ppo.policy(observations, masks), 1)
        return float(probabilities[:, :26].sum(1).mean())

    before = fraction()
    ppo.update(0.0)
    assert fraction() > before + 0.05


def test_imitation_learns_the_moves_of_the_teacher() -> None:
    ppo = tiny(imitation=0.5, imitation_learning_rate=0.01, hidden=(64,))
    losses = []
    for _ in range(8):
        ppo.collect(0.1)
        losses.append(ppo.update(0.1)["policy_loss"])
    assert losses[-1] < 0.95 * losses[0]
    rows = ppo.experience.count
    assert rows > 0
    ppo.collect(0.6)  # what the teacher did is no sample of the policy
    assert not ppo.imitating
    with torch.inference_mode():
        log_probs = ppo.log_probs_of(torch.arange(ppo.experience.count))
    found = log_probs.gather(1, ppo.experience.actions[: ppo.experience.count, None])[:, 0]
    assert torch.allclose(found, ppo.experience.log_probs[: ppo.experience.count], atol=0.05)


def test_annealing_follows_the_budget() -> None:
    assert [anneal(4.0, 2.0, fraction) for fraction in (-1, 0, 0.5, 1, 2)] == [4, 4, 3, 2, 2]
    ppo = tiny(learning_rate=1e-3, final_learning_rate=1e-5, imitation=0.0)
    ppo.collect(0.5)
    ppo.update(0.5)
    for _, optimizer in ppo.learners.values():
        assert optimizer.param_groups[0]["lr"] == pytest.approx(5.05e-4)
    assert Budget(minutes=4).progress(1, 10**9) == 0.25
    assert Budget(deals=1000).progress(99, 500) == 0.5
    assert Budget(deals=10).extended(TrainOptions(deals=5), 1, 12) == Budget(deals=17)
    assert Budget(deals=10).extended(TrainOptions(), 1, 7) == Budget(deals=10)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        *((name, 0, "must be at least 1") for name in ("num_envs", "rollout_steps", "epochs", "minibatch")),
        *((name, (), "must name one width or more") for name in ("hidden", "critic_hidden")),
        ("hidden", (8, 0), "must name one width or more, each at least 1"),
        *((name, 0.0, "must be above 0") for name in ("learning_rate", "clip", "max_grad_norm")),
        *((name, 1.5, "must be from 0 to 1") for name in ("gae_lambda", "imitation", "opponent_games")),
        ("gae_lambda", float("nan"), "must be from 0 to 1"),
    ],
)
def test_hyper_parameters_are_checked(name: str, value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"{name}={value} {message}")):
        PPOConfig(**{name: value})


def test_the_log_reports_what_the_update_did() -> None:
    """With one gradient step on the policy that played, nothing is clipped and nothing diverges yet."""
    ppo = tiny(imitation=0.0, epochs=1, minibatch=10**6, rollout_steps=130, bfloat16=False)
    ppo.collect(0.5)
    first = ppo.update(0.5)
    assert first["clip_fraction"] == 0
    assert first["approx_kl"] == pytest.approx(0, abs=1e-5)
    assert first["explained_variance"] < 0.1  # the critic has not learned anything
    ppo = tiny(imitation=0.0, epochs=9, rollout_steps=130, learning_rate=0.01, clip=0.05)
    ppo.collect(0.5)
    later = ppo.update(0.5)
    assert later["clip_fraction"] > 0.1
    assert later["approx_kl"] > 0.001
    ppo = tiny(imitation=1.0, rollout_steps=130)
    ppo.collect(0.5)
    assert ppo.update(0.5)["clip_fraction"] == 0


def test_explained_variance_follows_its_definition(monkeypatch: pytest.MonkeyPatch) -> None:
    ppo = tiny(imitation=0.0, gae_lambda=1.0, rollout_steps=130)  # returns are then sums of rewards
    ppo.collect(0.5)
    exact = ppo._targets()
    monkeypatch.setattr(ppo, "values_of", lambda rows: exact.returns[rows] * 0.5)
    halved = ppo._targets()
    assert torch.allclose(halved.returns[exact.ready], exact.returns[exact.ready], atol=1e-5)
    assert halved.explained_variance == pytest.approx(0.75, abs=1e-4)


# --- evaluation -----------------------------------------------------------------------------------------------------


def test_the_error_of_a_margin_counts_the_deals_played() -> None:
    """A match of one deal cannot be played for four: its deals are the units, however many were requested."""
    policy = tiny()
    asked_for_one, asked_for_four = (
        Evaluator("black_lady(max_deals=1)", "random", games=64, deals=deals).evaluate(policy.act_batch)
        for deals in (1, 4)
    )
    assert asked_for_one.margin.error > 0.2
    assert asked_for_four == asked_for_one


def test_deals_are_counted_from_the_first_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games of one deal begin anywhere in the pass cycle, and each counts once."""
    games = 64
    evaluator, paid = Evaluator("black_lady", "random", games=games, deals=1), []
    env = evaluator._env

    def step(actions: Any) -> None:
        VectorEnv.step(env, actions)
        paid.append(env.rewards[np.arange(games), np.arange(games) % 4].copy())

    monkeypatch.setattr(env, "step", step)
    found = evaluator.evaluate(make_agent("rule").act_batch)
    assert len(set(env.states["deal_number"].tolist())) == 4
    assert found.margin.mean == pytest.approx(-np.sum(paid) / games)


def test_an_agent_is_level_with_itself() -> None:
    rule = make_agent("rule")
    found = Evaluator("black_lady", "rule", games=400).evaluate(rule.act_batch)
    assert abs(found.margin.mean) < 4 * found.margin.error < 1.5
    assert Evaluator("black_lady", "rule", games=400).evaluate(make_agent("random").act_batch).margin.mean > 5


def test_the_error_of_a_margin_is_the_spread_of_its_mean() -> None:
    """Games of one to four deals: over many samples the mean varies as its error says."""
    rng = np.random.default_rng(3)
    samples = []
    for _ in range(400):
        deals = rng.integers(1, 5, 200)
        samples.append(Margin.of(rng.normal(1.0, 6.0 * np.sqrt(deals)), deals))
    means, errors = (np.array([getattr(one, name) for one in samples]) for name in ("mean", "error"))
    assert errors.mean() == pytest.approx(means.std(), rel=0.12)


def test_moons_are_counted_in_every_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """In Basic Hearts only a moon pays 26; without one, a seat without points is paid at most 26 / 3."""
    games, eager = 256, make_agent("shooter(eagerness=0.99)")
    evaluator = Evaluator("black_lady", "random", games=games)
    env, paid = evaluator._env, []

    def step(actions: Any) -> None:
        VectorEnv.step(env, actions)
        paid.append(env.rewards[np.arange(games), np.arange(games) % 4].copy())

    monkeypatch.setattr(env, "step", step)
    found = evaluator.evaluate(eager.act_batch)
    moons = sum(int((rewards > 25).sum()) for rewards in paid)
    assert moons > 3
    assert found.shot == moons / (games * 4)
    assert found.attempted is not None
    assert found.shot < found.attempted < 1
    careful = evaluator.evaluate(make_agent("guard").act_batch)
    assert careful.attempted is not None
    assert careful.attempted < found.attempted


def test_moons_are_not_counted_where_there_are_none() -> None:
    found = Evaluator("rickety_kate", "random", games=2, deals=1).evaluate(make_agent("rule").act_batch)
    assert (found.attempted, found.shot) == (None, None)


@pytest.mark.parametrize(("shot", "panels"), [([None, None], 1), ([None, 0.1], 2)])
def test_moons_have_a_panel_of_the_curve(
    shot: list[float | None], panels: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[int] = []
    monkeypatch.setattr(Figure, "savefig", lambda figure, *_, **__: drawn.append(len(figure.axes) - 1))  # the entropy's
    points = [
        {"deals": deals, "margins": {"rule": 0.0}, "errors": {"rule": 0.1}, "entropy": None}
        | {"attempted": share, "shot": share}
        for deals, share in enumerate(shot)
    ]
    draw_curve(points, "black_lady")
    assert drawn == [panels]


def test_the_curve_shows_where_imitation_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    labels: list[set[str]] = []

    def savefig(figure: Figure, *_: Any, **__: Any) -> None:
        labels.append({str(line.get_label()) for line in figure.axes[0].get_lines()})

    monkeypatch.setattr(Figure, "savefig", savefig)
    options: dict[str, Any] = {"deals": 40, "evaluation_games": 4}
    result = run(tmp_path / "with", **options, hyper_parameters={**TINY, "imitation": 0.5})
    assert 0 < result.imitated < result.deals
    resumed = run(tmp_path / "with", resume=tmp_path / "with", out=None, deals=20, hyper_parameters={})
    assert resumed.imitated == result.imitated
    without = run(tmp_path / "without", **options, hyper_parameters={**TINY, "imitation": 0.0})
    assert without.imitated == 0
    assert [("imitation ends" in found) for found in labels] == [True, True, False]


# --- checkpoints ----------------------------------------------------------------------------------------------------


def same(a: PPO, b: PPO) -> None:
    first, second = to_tensors(a), to_tensors(b)
    assert first.keys() == second.keys()
    for name, tensor in first.items():
        assert torch.equal(tensor, second[name]), name
    assert a.env.states.tobytes() == b.env.states.tobytes()


def test_a_checkpoint_holds_everything(tmp_path: Path) -> None:
    one, other = tiny(), tiny(seed=9)
    for _ in range(3):
        one.collect(0.5)
        one.update(0.1)
    folder = store.save_checkpoint(tmp_path, one, {"rules": "black_lady"})
    state = store.load_state(folder)
    store.restore(folder, state, other)
    same(one, other)
    for ppo in (one, other):
        ppo.collect(0.5)
        ppo.update(0.2)
    same(one, other)
    assert (one.deals, one.decisions, one.choices, one.updates) == (other.deals, other.decisions, other.choices, 4)


@pytest.mark.exhaustive
@pytest.mark.parametrize("fraction", [0.05, 0.4], ids=["imitation", "self-play"])
def test_resuming_continues_exactly(tmp_path: Path, fraction: float) -> None:
    deals = 120
    run(tmp_path / "whole", deals=deals)
    stopped = run(tmp_path / "parts", deals=deals, report=lambda status: status.progress > fraction)
    assert stopped.interrupted
    assert stopped.deals < deals
    resumed = train(TrainOptions(resume=tmp_path / "parts", **QUICK), silent)
    assert not resumed.interrupted
    whole, parts = (store.find_checkpoint(tmp_path / name) for name in ("whole", "parts"))
    assert whole.name == parts.name
    assert (whole / store.TENSORS).read_bytes() == (parts / store.TENSORS).read_bytes()
    policies = [load_policy(tmp_path / name)[0].state_dict() for name in ("whole", "parts")]
    assert all(torch.equal(policies[0][name], policies[1][name]) for name in policies[0])


def test_the_seed_fixes_everything() -> None:
    one, same_seed, other = tiny(seed=3), tiny(seed=3), tiny(seed=4)
    for ppo in (one, same_seed, other):
        ppo.collect(0.5)
        ppo.update(0.0)
    same(one, same_seed)
    assert not torch.equal(to_tensors(one)["games.seeds"], to_tensors(other)["games.seeds"])


def test_only_the_newest_checkpoint_is_kept(tmp_path: Path) -> None:
    ppo = tiny()
    (tmp_path / ".checkpoint-00000000.99").mkdir()  # a draft that an earlier run left behind
    first = store.save_checkpoint(tmp_path, ppo, {})
    ppo.collect(0.5)
    ppo.update(0.0)
    second = store.save_checkpoint(tmp_path, ppo, {})
    assert [path.name for path in tmp_path.iterdir()] == [second.name] != [first.name]
    assert store.find_checkpoint(tmp_path) == store.find_checkpoint(second) == second


def test_a_failed_save_leaves_the_checkpoint_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ppo = tiny()
    first = store.save_checkpoint(tmp_path, ppo, {})
    ppo.collect(0.5)
    ppo.update(0.0)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        store.save_checkpoint(tmp_path, ppo, {})
    assert list(tmp_path.iterdir()) == [first]
    store.restore(first, store.load_state(first), tiny())


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        (store.TENSORS, b"", "digest"),
        (store.TENSORS, "cut", "digest"),
        (store.TENSORS, None, "No such file"),
        (store.STATE_FILE, b'{"format": "hearts-ch', "damaged"),
        (store.STATE_FILE, b"[]", "not of a checkpoint of this package"),
        (store.STATE_FILE, b'{"format": "other"}', "not of a checkpoint of this package"),
        (store.STATE_FILE, b'{"format": "hearts-checkpoint", "version": 99}', "format 99"),
        (
            store.STATE_FILE,
            b'{"format": "hearts-checkpoint", "version": 2}',
            "has format 2; this release reads format 3",
        ),
        (store.STATE_FILE, b'{"format": "hearts-checkpoint", "version": 3}', "its digest is not that of its content"),
        (store.STATE_FILE, b"\xff\xfe", "damaged"),
    ],
)
def test_bad_checkpoints_are_one_clear_line(
    tmp_path: Path, file: str, content: bytes | str | None, message: str
) -> None:
    run(tmp_path / "run", deals=1)
    path = store.find_checkpoint(tmp_path / "run") / file
    if content is None:
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:-100] if isinstance(content, str) else content)
    with pytest.raises(ValueError, match=message) as caught:
        train(TrainOptions(resume=tmp_path / "run", deals=1, threads=1), silent)
    assert "\n" not in str(caught.value)


def test_tensors_of_another_shape_are_refused(tmp_path: Path) -> None:
    folder = store.save_checkpoint(tmp_path, tiny(hidden=(8,)), {})
    with pytest.raises(ValueError, match="damaged or does not fit"):
        store.restore(folder, store.load_state(folder), tiny())


# --- runs -----------------------------------------------------------------------------------------------------------


@pytest.mark.exhaustive
def test_a_short_run_leaves_everything_behind(tmp_path: Path) -> None:
    seen: list[Status] = []
    result = run(tmp_path / "out", minutes=0.03, report=seen.append)
    names = {path.name for path in (tmp_path / "out").iterdir()}
    checkpoint = store.find_checkpoint(tmp_path / "out").name
    assert names == {
        ".lock",
        checkpoint,
        "learning_curve.png",
        "policy.json",
        "policy.safetensors",
        "result.json",
        "tensorboard",
    }
    assert (tmp_path / "out" / "learning_curve.png").read_bytes().startswith(b"\x89PNG")
    board = EventAccumulator(str(tmp_path / "out" / "tensorboard")).Reload()
    point = result.curve[1]
    shown_values = {"moons_attempted": point["attempted"], "moons_shot": point["shot"]}
    shown_values |= {f"margin_against_{rival}": margin for rival, margin in point["margins"].items()}
    assert len(shown_values) == 4
    for name, value in shown_values.items():
        shown = board.Scalars(f"evaluation/{name}")[0]
        assert (shown.step, shown.value) == (point["deals"], pytest.approx(value))
    written = json.loads((tmp_path / "out" / "result.json").read_text())
    assert written["decisions_per_second"] == result.decisions_per_second > 0
    assert written["network_only_per_second"] > 0
    assert written["variant"] == "black_lady"
    assert [point["deals"] for point in result.curve] == sorted({point["deals"] for point in result.curve})
    assert result.curve[-1]["deals"] == result.deals
    assert [status.progress for status in seen] == sorted(status.progress for status in seen)
    assert seen[-1].progress == 1
    assert seen[-1].seconds_left == 0


@pytest.mark.exhaustive
def test_ctrl_c_stops_after_the_update_and_saves(tmp_path: Path) -> None:
    result = run(tmp_path / "out", deals=10**6, report=lambda status: os.kill(os.getpid(), signal.SIGINT))
    assert result.interrupted
    assert json.loads((tmp_path / "out" / "result.json").read_text())["interrupted"]
    assert store.load_state(store.find_checkpoint(tmp_path / "out"))["budget"]["deals"] == 10**6
    load_policy(tmp_path / "out")


def test_ctrl_c_twice_is_an_interrupt(tmp_path: Path) -> None:
    def twice(status: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "out", deals=10**6, report=twice)


@pytest.mark.exhaustive
@pytest.mark.parametrize("variant", ["omnibus_hearts(players=3)", "black_maria", "four_five_four"])
def test_other_variants_train(tmp_path: Path, variant: str) -> None:
    result = run(tmp_path / "out", variant=variant, deals=20)
    assert result.deals >= 20
    assert result.variant == load_policy(tmp_path / "out")[1].rules


@pytest.mark.exhaustive
def test_a_finished_run_needs_a_new_budget(tmp_path: Path) -> None:
    first = run(tmp_path / "out", deals=1)
    with pytest.raises(ValueError, match="used its budget"):
        train(TrainOptions(resume=tmp_path / "out", threads=1), silent)
    more = train(TrainOptions(resume=tmp_path / "out", deals=5, **QUICK), silent)
    assert more.deals >= first.deals + 5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"variant": "black_ladi"}, "black_lady"),
        ({"minutes": 0.0}, "minutes=0 must be above 0"),
        ({"minutes": float("inf")}, "minutes=inf must be above 0 and finite"),
        ({"deals": 0}, "deals=0 must be at least 1"),
        ({"deals": 1, "minutes": 1.0}, "give one of them"),
        ({"threads": 0}, "threads=0"),
        ({"seed": -1}, "seed=-1"),
        ({"device": "tpu"}, "auto, cpu, cuda"),
        ({"evaluations": -1}, "evaluations=-1 must be at least 0"),
        ({"evaluation_games": 1}, "evaluation_games=1 must be at least 2"),
        ({"arena_deals": -1}, "arena_deals=-1 must be at least 0"),
        ({"checkpoint_minutes": 0.0}, "checkpoint_minutes=0 must be above 0"),
        ({"hyper_parameters": {"clop": 1}}, "'clop' of ppo; the closest is clip"),
        ({"hyper_parameters": {"rivals": 0.5}}, "rivals is called opponent_games now"),
        ({"hyper_parameters": {"hidden": []}}, "must name one width or more"),
        ({"hyper_parameters": {"teacher": "ruel"}}, "the closest is rule"),
        ({"hyper_parameters": {"timing": "year"}}, "year"),
    ],
)
def test_bad_options_are_one_clear_line_and_write_nothing(
    tmp_path: Path, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        train(TrainOptions(**{"out": tmp_path / "out", **options}), silent)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_folders_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    for name, message in [("full", "not empty"), ("file", "cannot be written"), ("file/below", "cannot be written")]:
        with pytest.raises(ValueError, match=message):
            run(tmp_path / name, deals=1)
    with pytest.raises(ValueError, match="holds no checkpoint"):
        train(TrainOptions(resume=tmp_path / "full"), silent)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "full", "notes.txt"]


def test_importing_the_package_does_not_import_torch() -> None:
    code = "import sys, hearts_training.train.options; print([name in sys.modules for name in ('torch', 'numba')])"
    modules = (importlib.import_module(name) for name in ("hearts_env", "hearts_training"))
    paths = os.pathsep.join(str(Path(module.__file__ or "").parents[1]) for module in modules)
    environment = {**os.environ, "PYTHONPATH": paths}
    found = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[False, False]"


def test_opponents_hold_all_seats_except_one_in_turns() -> None:
    ppo = tiny(opponents=("rule", "random"), opponent_games=0.5, imitation=0.0)
    seats = ppo._opponent_seats
    assert seats[:8].sum(1).tolist() == [3] * 8
    assert not seats[8:].any()
    assert ppo._opponent[:4].tolist() == [0, 1, 0, 1]
    assert (~seats[:8]).argmax(1).tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    ppo.collect(0.5)
    ppo.update(0.5)


def test_a_policy_that_reads_the_observation_alone_is_no_start() -> None:
    ppo = tiny(hidden=(8, 8))
    plain = PolicyNet(int(ppo.env.game.tables["obs_size"]), ppo.policy.actions, (8, 8))
    with pytest.raises(ValueError, match="plain reads the observation alone; training needs the counts"):
        ppo.start_from(plain, "plain")


def test_a_run_starts_from_a_policy(tmp_path: Path) -> None:
    first = tiny(hidden=(8, 8))
    save_policy(tmp_path / "start", first.policy, "black_lady")
    options = TrainOptions(
        out=tmp_path / "run",
        deals=1,
        evaluations=0,
        evaluation_games=2,
        arena_deals=0,
        start=str(tmp_path / "start"),
        hyper_parameters={"critic_first": 1.0, "num_envs": 16},
    )
    train(options, lambda _: False)
    policy, _ = load_policy(tmp_path / "run")
    for name, value in first.policy.state_dict().items():
        assert torch.equal(policy.state_dict()[name], value), name  # only the critic has learned
    wrong = dataclasses.replace(options, out=tmp_path / "other", hyper_parameters={"hidden": (16,)})
    with pytest.raises(ValueError, match=r"start has the hidden layers 8,8; leave hidden out"):
        train(wrong)
    assert not (tmp_path / "other").exists()
