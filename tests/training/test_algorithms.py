"""Deep Monte Carlo and MaskablePPO: what they learn from, that they learn, and runs like those of PPO."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load, save

from hearts_agents.arena import run_arena
from hearts_env.envs.vector import VectorEnv
from hearts_training.progress import Status
from hearts_training.train import checkpoint as store
from hearts_training.train.config import CONFIGS, DMCConfig, MaskablePPOConfig, read_config
from hearts_training.train.dmc import DMC
from hearts_training.train.learner import DivergedError
from hearts_training.train.maskable_ppo import MaskablePPOLearner
from hearts_training.train.options import ALGORITHMS, Budget, TrainOptions
from hearts_training.train.rollout import END
from hearts_training.train.run import TrainResult
from hearts_training.train.start import train
from tests.training.test_hyper_parameters import refused

pytestmark = pytest.mark.usefixtures("one_thread", "no_figures")
TINY: dict[str, dict[str, Any]] = {
    "dmc": {"num_envs": 16, "rollout_steps": 40, "hidden": [16], "minibatch": 128},
    "maskable-ppo": {"num_envs": 8, "rollout_steps": 16, "hidden": [16], "minibatch": 64, "epochs": 1},
}
BOTH = pytest.mark.parametrize("algorithm", TINY)


def silent(status: Status) -> None:
    """Report nothing."""


def run(folder: Path, algorithm: str, **changes: Any) -> TrainResult:
    options: dict[str, Any] = {
        "out": folder,
        "algorithm": algorithm,
        "threads": 1,
        "deals": 60,
        "arena_deals": 0,
        "evaluations": 2,
        "evaluation_games": 8,
        "hyper_parameters": TINY[algorithm],
    }
    report = changes.pop("report", silent)
    return train(TrainOptions(**{**options, **changes}), report)


def dmc(variant: str = "black_lady", **changes: Any) -> DMC:
    values: dict[str, Any] = {"num_envs": 16, "rollout_steps": 130, "hidden": (16,), "minibatch": 128}
    config = DMCConfig(**(values | changes))
    return DMC(VectorEnv(variant, config.num_envs, reward="relative"), config, seed=0)


# --- Deep Monte Carlo -----------------------------------------------------------------------------------------------


def test_the_target_is_what_the_seat_earned_to_the_end_of_the_deal() -> None:
    learner = dmc()
    learner.collect(0.5)
    n, experience = learner.experience.count, learner.experience
    returns, ready = learner._returns()
    assert 100 < ready.sum() < n
    for row in np.flatnonzero(ready)[::7]:
        chain = [row]
        while experience.next_row[chain[-1]] != END:
            chain.append(experience.next_row[chain[-1]])
        assert returns[row] == pytest.approx(experience.rewards[chain].sum(), abs=1e-5)
    assert len(np.unique(returns[ready])) > 10


def test_it_plays_the_best_action_and_explores_with_any_legal_one() -> None:
    greedy, random = dmc(epsilon=0.0, final_epsilon=0.0), dmc(epsilon=1.0, final_epsilon=1.0)
    same = {}
    for learner in (greedy, random):
        learner.collect(0.5)
        rows = torch.arange(learner.experience.count)
        masks = learner.experience.masks[rows]
        with torch.inference_mode():
            best = learner.values_of(rows).masked_fill(~masks, -1e9).argmax(1)
        assert masks.gather(1, learner.experience.actions[rows][:, None]).all()
        same[learner] = float((best == learner.experience.actions[rows]).float().mean())
    assert same[greedy] > 0.99  # the same rows in batches of another size, in bfloat16
    assert same[random] < 0.6


def test_values_of_the_actions_taken_approach_what_they_earned() -> None:
    learner = dmc(epsilon=1.0, learning_rate=0.01, epochs=20, bfloat16=False)
    learner.collect(0.0)
    n, experience = learner.experience.count, learner.experience
    experience.rewards[:n] = np.where(experience.actions[:n].numpy() < 26, 1.0, -1.0)
    experience.next_row[:n] = END
    first = learner.update(0.0)
    assert first["explained_variance"] < 0.1
    assert first["entropy"] == 0
    learner.collect(0.0)
    rows = torch.arange(learner.experience.count)
    with torch.inference_mode():
        values = learner.values_of(rows)
    masks = learner.experience.masks[rows]
    assert values[:, :26][masks[:, :26]].mean() > 0.5
    assert values[:, 26:52][masks[:, 26:52]].mean() < -0.5


def test_weights_that_are_not_finite_end_the_training() -> None:
    learner = dmc()
    learner.collect(0.0)
    with torch.no_grad():
        learner.policy.head.bias[3] = float("nan")
    with pytest.raises(DivergedError, match="training diverged"):
        learner.update(0.0)


# --- MaskablePPO ----------------------------------------------------------------------------------------------------


def maskable(variant: str = "black_lady", **changes: Any) -> MaskablePPOLearner:
    values: dict[str, Any] = {"num_envs": 8, "rollout_steps": 32, "hidden": (16,), "minibatch": 64, "epochs": 1}
    return MaskablePPOLearner(variant, MaskablePPOConfig(**(values | changes)), seed=0)


def test_a_rollout_is_not_shorter_than_a_deal() -> None:
    with pytest.raises(ValueError, match="rollout_steps=4 is shorter than a deal of black_lady"):
        maskable(rollout_steps=4).update(0.0)


@pytest.mark.parametrize("timing", ["deal", "trick"])
def test_an_episode_is_a_deal_and_its_rewards_are_the_learners(timing: str) -> None:
    learner = maskable(opponents=("random",), timing=timing)
    env, games = learner.env, learner.env.games
    env.seed(3)
    env.reset()
    earned, rng = np.zeros(8), np.random.default_rng(0)
    for _ in range(200):
        seats, before = games.seats.copy(), games.states["totals"][np.arange(8), games.seats, 0].copy()
        masks = np.stack(env.env_method("action_masks"))
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        number = games.states["deal_number"].copy()
        _, rewards, dones, _ = env.step(actions)
        earned += rewards
        for game in np.flatnonzero(dones):
            ended = games.finals if games.terminated[game] else games.states
            assert games.terminated[game] or games.states["deal_number"][game] == number[game] + 1
            points = ended["scored"][game, :4, 0].astype(float)
            own = points[seats[game]]
            relative = (points.sum() - own) / 3 - own
            assert earned[game] == pytest.approx(relative * games.game.tables["point_scale"], abs=1e-5)
            earned[game] = 0
            assert before[game] >= 0
    assert env.deals > 8 * 10


def test_it_learns_against_its_snapshots() -> None:
    learner = maskable(num_envs=64, rollout_steps=48, hidden=(32,), epochs=3, learning_rate=3e-3, opponents=("self",))
    figures = [learner.update(0.0) for _ in range(5)]
    assert figures[-1]["explained_variance"] > figures[0]["explained_variance"]
    assert figures[-1]["entropy"] < figures[0]["entropy"]
    assert learner.decisions == 5 * 48 * 64
    assert learner.updates == 5
    assert learner.deals >= 5 * 64 * 2


@pytest.mark.parametrize("variant", ["omnibus_hearts(players=3)", "likha", "royal_hearts"])
def test_other_variants_train(variant: str) -> None:
    figures = maskable(variant).update(0.5)
    assert np.isfinite(figures["value_loss"])


def test_figures_that_are_not_finite_end_the_training() -> None:
    learner = maskable()
    learner.update(0.0)
    with torch.no_grad():
        learner.model.policy.value_net.bias[0] = float("nan")
    with pytest.raises(DivergedError, match="training diverged"):
        learner.update(0.0)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("action_net.bias", None),
        ("action_net.bias", torch.zeros(3)),
        ("action_net.bias", torch.full((54,), float("nan"))),
        ("adam.0.exp_avg_sq", torch.full((16, 684), -1.0)),
        ("adam.0.exp_avg", torch.zeros(3)),
        ("adam.0.step", None),
        ("more", torch.zeros(3)),
    ],
)
def test_tensors_that_do_not_fit_are_refused(tmp_path: Path, name: str, value: torch.Tensor | None) -> None:
    learner = maskable(num_envs=2, rollout_steps=16)
    learner.update(0.0)
    folder = store.save_checkpoint(tmp_path, learner, {})
    state = store.load_state(folder)
    tensors = load((folder / store.TENSORS).read_bytes())
    assert name == "more" or name in tensors
    if value is None:
        del tensors[name]
    else:
        tensors[name] = value
    content = save(tensors)
    (folder / store.TENSORS).write_bytes(content)
    from hashlib import sha256

    state["tensors_sha256"] = sha256(content).hexdigest()
    with pytest.raises(ValueError, match="is damaged or does not fit"):
        store.restore(folder, state, maskable(num_envs=2, rollout_steps=16))


# --- runs -----------------------------------------------------------------------------------------------------------


@BOTH
def test_a_run_leaves_an_agent_behind(tmp_path: Path, algorithm: str) -> None:
    result = run(tmp_path / "out", algorithm, deals=20)
    kind = {"dmc": "net", "maskable-ppo": "sb3"}[algorithm]
    assert result.agent == f"{kind}:{tmp_path / 'out'}"
    assert result.deals >= 20
    table = run_arena([result.agent, "random"], deals=8)
    assert [agent.name for agent in table.agents] == [result.agent, "random"]
    written = json.loads((tmp_path / "out" / "result.json").read_text())
    assert (written["algorithm"], written["agent"]) == (algorithm, result.agent)
    assert written["network_only_per_second"] is None
    assert result.curve[-1]["deals"] == result.deals


@BOTH
def test_resuming_continues_exactly(tmp_path: Path, algorithm: str) -> None:
    run(tmp_path / "whole", algorithm)
    stopped = run(tmp_path / "parts", algorithm, report=lambda status: status.progress > 0.4)
    assert stopped.interrupted
    resumed = train(
        TrainOptions(resume=tmp_path / "parts", threads=1, arena_deals=0, evaluations=2, evaluation_games=8), silent
    )
    assert resumed.algorithm == algorithm
    whole, parts = (store.find_checkpoint(tmp_path / name) for name in ("whole", "parts"))
    assert whole.name == parts.name
    assert (whole / store.TENSORS).read_bytes() == (parts / store.TENSORS).read_bytes()


def test_a_run_is_resumed_by_its_own_algorithm(tmp_path: Path) -> None:
    run(tmp_path / "out", "dmc", deals=1)
    with pytest.raises(ValueError, match=r"was trained by dmc, not ppo; leave the algorithm out"):
        train(TrainOptions(resume=tmp_path / "out", algorithm="ppo", deals=1), silent)
    with pytest.raises(ValueError, match=r"epsilon=0.5 cannot be changed"):
        train(TrainOptions(resume=tmp_path / "out", deals=1, hyper_parameters={"epsilon": 0.5}), silent)


def test_every_algorithm_has_its_own_hyper_parameters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert tuple(CONFIGS) == ALGORITHMS
    out = tmp_path / "out"
    assert "there is no hyper-parameter 'clip' of dmc" in refused(capsys, out, "--algorithm", "dmc", "--set", "clip=1")
    assert "epsilon=2.0 must be from 0 to 1" in refused(capsys, out, "--algorithm", "dmc", "--set", "epsilon=2")
    assert "the closest is rule" in refused(capsys, out, "--algorithm", "maskable-ppo", "--set", "opponents=ruel")
    assert "follows one table" in refused(capsys, out, "--algorithm", "maskable-ppo", "--set", "opponents=exec:true")
    many = ("--algorithm", "maskable-ppo", "--set", "num_envs=1000000", "rollout_steps=100000")
    assert "GiB of memory; this machine has" in refused(capsys, out, *many)
    with pytest.raises(ValueError, match=r"opponents=.* must name one agent or more"):
        read_config({"opponents": []}, "maskable-ppo")
    with pytest.raises(ValueError, match="algorithm='a2c' is not one of ppo, maskable-ppo, dmc"):
        TrainOptions(algorithm="a2c")


def test_a_budget_of_cpu_time_counts_what_the_process_works(tmp_path: Path) -> None:
    result = run(tmp_path / "out", "dmc", deals=None, minutes=0.01, cpu_time=True)
    budget = store.load_state(store.find_checkpoint(tmp_path / "out"))["budget"]
    assert budget == {"minutes": 0.01, "deals": None, "cpu_time": True}
    assert result.minutes >= 0.01
    assert result.network_only_per_second is None
    assert Budget(minutes=1, cpu_time=True).extended(TrainOptions(minutes=2), 1, 0) == Budget(minutes=3, cpu_time=True)
    with pytest.raises(ValueError, match="cpu_time cannot be given when a run is resumed"):
        Budget(minutes=1).extended(TrainOptions(minutes=2, cpu_time=True), 1, 0)
    with pytest.raises(ValueError, match="cpu_time=1 must be true or false"):
        Budget(minutes=1, cpu_time=1)  # type: ignore[arg-type]  # as a file may hold it
