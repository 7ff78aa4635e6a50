"""Training on many games at once."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

import hearts_env as he
from hearts_agents import make_agent
from hearts_agents.neural.rulesnet import load_general
from hearts_env.benchmark.domain import Membership, split_of
from hearts_env.benchmark.splits import split
from hearts_env.seat.view import Views
from hearts_env.variants.sample import VERSIONS
from hearts_training import checkpoints
from hearts_training.cli import main
from hearts_training.train import run as training_run
from hearts_training.train.build import digests
from hearts_training.train.config import read_config
from hearts_training.train.games import (
    KEPT,
    SEEDS_OF_RUN,
    SMOOTHING,
    ManyGames,
    drawn,
    entry_of,
    lasting_entries,
    sampled_entry,
)
from hearts_training.train.learner import Learner, Task, make_worker
from hearts_training.train.networks import ManyNets
from hearts_training.train.options import TrainOptions
from hearts_training.train.selfplay import SelfPlay, TrainingGame
from hearts_training.train.start import run_training
from tests.training.runs import QUICK, resume, silent

pytestmark = pytest.mark.usefixtures("one_thread", "no_figures")
SMALL: dict[str, Any] = {"num_envs": 8, "games": 2, "sampled": 1, "width": 8, "depth": 1, "minibatch": 64}
GAMES = ("black_lady(ranks=[Q,K,A], passing.count=1)", "rickety_kate(players=3, ranks=[J,Q,K,A], deck.remainder=kitty)")


def options(folder: Path, file: Path, **changes: Any) -> TrainOptions:
    """A short run on the rules of a file."""
    file.write_text("\n".join(GAMES))
    common = {"variant": GAMES[0], "variants": str(file), "out": folder, "hyper_parameters": SMALL}
    return TrainOptions(**{**QUICK, **common, **changes})


def entry(text: str) -> TrainingGame:
    """A game of a mix."""
    found = entry_of(he.rules(text))
    assert found is not None
    return found


def mixed(presets: Sequence[TrainingGame], seed: int = 0, device: str = "cpu", **changes: Any) -> Learner:
    """A learner of some games with small networks."""
    config = read_config({**SMALL, **changes}, many=True)
    torch.manual_seed(seed)
    networks = ManyNets(config, torch.device(device), 8)
    return Learner(ManyGames(presets, config, seed, torch.device(device)), networks, config, seed)


def mix_of(learner: Learner) -> ManyGames:
    """The games of a learner of many."""
    assert isinstance(learner.games, ManyGames)
    return learner.games


def tables(game: TrainingGame, **changes: Any) -> SelfPlay:
    """The tables of a game in a round."""
    learner = mixed([game], **changes)
    return SelfPlay(game, learner.networks, learner.config, seed=3, device=learner.device, played_on=True)


def weights(folder: Path) -> bytes:
    return (folder / "general.safetensors").read_bytes()


def test_a_run_leaves_an_averaged_agent_for_any_game_and_is_resumed_exactly(tmp_path: Path) -> None:
    file = tmp_path / "rules.txt"
    changes = {"hyper_parameters": {**SMALL, "average": 0.25}, "deals": 60, "evaluation_games": 32}
    whole = run_training(options(tmp_path / "whole", file, **changes), silent)
    assert whole.deals >= 60
    assert len(whole.curve[-1]["unseen"]) == 2
    reports = iter([False, True])
    run_training(options(tmp_path / "parts", file, **changes), lambda status: next(reports))
    resume(tmp_path / "parts")
    assert weights(tmp_path / "parts") == weights(tmp_path / "whole")
    files = [checkpoints.find_checkpoint(tmp_path / name) / checkpoints.TENSORS for name in ("parts", "whole")]
    assert files[0].read_bytes() == files[1].read_bytes()
    match = he.Match("gong_zhu", seed=1)
    assert match.seat is not None
    view = match.view(match.seat)
    assert make_agent(f"net:{whole.folder}").act(view) in view.legal_ids()
    saved = load_general(tmp_path / "whole")[0].state_dict()
    tensors = load_file(checkpoints.find_checkpoint(tmp_path / "whole") / checkpoints.TENSORS)
    assert all(torch.equal(value, tensors[f"averaged.{name}"]) for name, value in saved.items())
    assert not all(torch.equal(value, tensors[f"policy.{name}"]) for name, value in saved.items())


@pytest.mark.exhaustive
@pytest.mark.release
def test_learners_together_learn_the_same_in_one_process_and_in_two(tmp_path: Path) -> None:
    file = tmp_path / "rules.txt"
    changes = {"hyper_parameters": {**SMALL, "learners": 2, "average": 0.25}, "deals": 90}
    run_training(options(tmp_path / "one", file, **changes), silent)
    reports = iter([False, True])
    run_training(options(tmp_path / "two", file, processes=2, **changes), lambda status: next(reports))
    resume(tmp_path / "two")  # in this process
    files = [checkpoints.find_checkpoint(tmp_path / name) / checkpoints.TENSORS for name in ("one", "two")]
    assert files[0].read_bytes() == files[1].read_bytes()
    with pytest.raises(ValueError, match=r"workers=2 are for learners; add --set learners=8"):
        run_training(options(tmp_path / "three", file, processes=2), silent)


def test_learners_go_on_from_the_mean_of_what_they_come_to() -> None:
    learner = mixed([entry(text) for text in GAMES], learners=2, variants="all", sampled=0)
    before = {name: tensor.clone() for name, tensor in learner.tensors().items()}
    found: list[dict[str, Any]] = []
    work = make_worker(learner.config, 0, "cpu", 8)

    def submit(task: Task, arrays: dict[str, Any]) -> Future[Any]:
        future = Future[Any]()
        found.append((result := work(task, arrays))[1])
        future.set_result(result)
        return future

    learner._submit = submit
    for _ in range(2):
        found.clear()
        learner.round(1.0)
        tensors = learner.tensors()
        for name in found[0]:
            torch.testing.assert_close(tensors[name], torch.tensor((found[0][name] + found[1][name]) / 2))
    assert any(not torch.equal(tensors[name], before[name]) for name in before if name.startswith("policy."))
    assert any((found[0][name] != found[1][name]).any() for name in found[0]), "they play different deals"


def test_a_run_that_starts_from_another_takes_its_critic(tmp_path: Path) -> None:
    file = tmp_path / "rules.txt"
    run_training(options(tmp_path / "first", file, deals=30), silent)
    saved = load_file(checkpoints.find_checkpoint(tmp_path / "first") / checkpoints.TENSORS)

    def started(width: int) -> dict[str, torch.Tensor]:
        slow = {"critic_first": 1.0, "learning_rate": 1e-9, "final_learning_rate": 1e-9}
        folder, sizes = tmp_path / f"width{width}", {**SMALL, **slow, "width": width}
        start = str(tmp_path / "first")
        run_training(options(folder, file, deals=1, start=start, hyper_parameters=sizes), silent)
        return load_file(checkpoints.find_checkpoint(folder) / checkpoints.TENSORS)

    made, wide = started(8), started(16)
    for name, value in saved.items():
        if name.startswith(("critic.", "policy.")):
            torch.testing.assert_close(made[name], value, rtol=0, atol=1e-6)
    assert all(made[name] > saved[name] for name in saved if name.startswith("adam.critic") and name.endswith("step"))
    steps = "adam.critic.value.bias.step"
    assert made[steps] - saved[steps] == wide[steps], "a critic of another size learns from the beginning"


@pytest.mark.exhaustive
def test_networks_for_one_game_teach() -> None:
    changes: dict[str, Any] = {"num_envs": 16, "width": 16, "sampled": 0, "variants": "all"}
    changes |= {"learning_rate": 5e-3, "imitation": 0.0}
    learner = mixed([entry("openspiel")], **changes, teaching=2.0)
    losses = [learner.round(0.0)["divergence"] for _ in range(14)]
    assert 0 < np.mean(losses[-4:]) < 0.8 * losses[0]
    assert mixed([entry(GAMES[0])], **changes, teaching=2.0).round(0.0)["divergence"] == 0
    assert learner.games.teachers == ("net:openspiel",)
    assert "net:openspiel" in digests(learner.config, learner)


@pytest.mark.exhaustive
def test_it_learns() -> None:
    """A minute's worth of imitation predicts the teacher better than chance, and the critic the return."""
    learner = mixed([entry(text) for text in GAMES], num_envs=32, width=32, sampled=0, variants="all", imitation=1.0)
    figures = [learner.round(0.0) for _ in range(25)]
    assert figures[-1]["policy_loss"] < 0.8 * figures[0]["policy_loss"]
    assert figures[-1]["explained_variance"] > 0.1


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_on_a_gpu_it_learns_as_on_a_cpu() -> None:
    changes: dict[str, Any] = {"num_envs": 64, "variants": "all", "bfloat16": False, "teaching": 0.5}
    entries = [entry(text) for text in ("openspiel", GAMES[1])]
    on_cpu, on_gpu = (mixed(entries, device=device, **changes) for device in ("cpu", "cuda"))
    assert on_cpu.round(0.0) == pytest.approx(on_gpu.round(0.0), rel=1e-3, abs=1e-4)  # the teacher plays the same deals
    for name, weights in on_cpu.networks.policy.state_dict().items():
        torch.testing.assert_close(on_gpu.networks.policy.state_dict()[name].cpu(), weights, rtol=0.01, atol=1e-3)
    before = on_cpu.tensors()
    on_gpu.restore(before)
    assert all(torch.equal(before[name], tensor) for name, tensor in on_gpu.tensors().items())
    figures = on_gpu.round(1.0)
    assert figures["entropy"] > 0
    assert figures["divergence"] > 0


@pytest.mark.exhaustive
def test_a_game_in_which_it_is_behind_is_drawn_more_often() -> None:
    entries = [replace(game, gap=3 * game.gap) for game in map(entry, GAMES)]
    learner = mixed(entries, num_envs=256, opponent_games=0.5)
    mix = mix_of(learner)
    learner.round(1.0)
    (behind,) = 1 - (1 - mix.behind[mix.behind < 1]) / SMOOTHING
    assert 0.1 < behind < 0.6  # random weights are behind like `random`, a third of what the entry says
    for mix.behind[:] in ((1, 0), (-0.1, -0.3)):  # ahead in both, too
        played = [mix.draw(np.random.default_rng(seed), 1, 0).known[0] for seed in range(200)]
        assert 1.4 < sum(game == entries[0] for game in played) / sum(game == entries[1] for game in played) < 2.8


def test_shares_follow_ranks() -> None:
    firsts = [drawn(np.random.default_rng(seed), np.array([-0.5, 0.2, 0.2, 0.1]), 1)[0] for seed in range(600)]
    assert np.bincount(firsts) / 600 == pytest.approx(np.array([0.25, 2 / 3, 2 / 3, 1 / 3]) / (23 / 12), abs=0.06)


def test_sampled_rules_in_which_it_is_behind_are_played_again() -> None:
    mix = mix_of(mixed([], sampled=2, open=True))
    mix.kept = dict.fromkeys(range(100, 99 + KEPT), 0.0) | {7: 1.0}
    played = [mix.draw(np.random.default_rng(seed), 0, 0).seeds[0] for seed in range(12)]
    assert {7, 0} <= {*played, mix.draw(np.random.default_rng(0), 0, 0).seeds[1]}
    mix.weigh([(sampled_entry(3, True), 0.5)] * 2)
    assert len(mix.kept) == KEPT
    assert (mix.kept[3], mix.kept[7]) == (0.5, 1.0)
    other = mix_of(mixed([], seed=1, sampled=2, open=True))
    other.restore(mix.tensors())
    assert other.kept == mix.kept


def test_every_round_has_as_many_sampled_rules_as_it_should() -> None:
    mix = mix_of(mixed([], games=16, sampled=8, open=True))
    for updates in range(60):
        random = np.random.default_rng(updates)
        seeds = mix.draw(random, updates, 0).seeds
        assert len(set(seeds)) == 16
        for seed in seeds:  # as after a round
            mix.kept[seed] = random.random()


def test_seeds_of_sampled_rules_are_those_of_the_run() -> None:
    mix = mix_of(mixed([], seed=999, learners=256))
    for updates in (0, 10**6, 10**9):
        assert {mix._sample_seed(place, updates, 255) // SEEDS_OF_RUN for place in range(2)} == {999}


@pytest.mark.parametrize("name", ["black_lady", "partnership_hearts", "likha"])
def test_earnings_are_in_standard_deviations_of_a_margin(name: str) -> None:
    play = tables(entry(name), num_envs=256)
    play.collect(imitating=True)
    assert 0.75 < play._earned.std() < 1.25


def test_a_run_is_resumed_with_the_rules_that_it_began_with(tmp_path: Path) -> None:
    file = tmp_path / "rules.txt"
    run_training(options(tmp_path / "run", file, deals=1), silent)
    before = file.read_text("utf-8")
    more = TrainOptions(resume=tmp_path / "run", deals=1)
    file.write_text(GAMES[0], "utf-8")
    with pytest.raises(ValueError, match=r"rules.txt is not what it was when the run in .*run began; put that back"):
        run_training(more, silent)
    file.write_text(before, "utf-8")
    run_training(more, silent)


def test_a_run_goes_on_from_a_network(tmp_path: Path) -> None:
    file = tmp_path / "rules.txt"
    run_training(options(tmp_path / "first", file, deals=1), silent)
    few: dict[str, Any] = {"num_envs": 8, "games": 2, "sampled": 1}
    start: dict[str, Any] = {"start": str(tmp_path / "first")}
    again = run_training(options(tmp_path / "second", file, deals=20, **start, hyper_parameters=few), silent)
    assert again.imitated == 0
    assert again.start == str(tmp_path / "first")
    policies = [load_general(tmp_path / name)[0].state_dict() for name in ("first", "second")]
    change = max(float((one - other).abs().max()) for one, other in zip(*(p.values() for p in policies), strict=True))
    assert 0 < change < 0.02
    few["width"] = 16
    run_training(options(tmp_path / "third", file, deals=20, **start, hyper_parameters=few), silent)
    assert load_general(tmp_path / "third")[0].width == 16
    with pytest.raises(ValueError, match=r"first: .* grows to a multiple of that width"):
        run_training(options(tmp_path / "fourth", file, **start, hyper_parameters={**few, "width": 12}), silent)
    assert not (tmp_path / "fourth").exists()


def test_the_matches_have_gone_on_for_some_deals() -> None:
    env = tables(entry("black_lady"), num_envs=64).env
    played = env.states["deal_number"]
    assert played.min() == 0
    assert played.max() == 7
    assert (env.states["totals"][played > 0].sum(axis=(1, 2)) != 0).all()
    rows = env.observations.copy()
    env.restore(env.save())
    assert np.array_equal(rows, env.observations)


def test_a_network_can_learn_without_being_told_the_rules() -> None:
    learner = mixed([entry(GAMES[0])], told="nothing", sampled=0, variants="all")
    learner.round(1.0)
    matches = [he.Match(f"black_lady(moon.mode={mode})", seed=1) for mode in ("new", "old")]
    rules, others = (learner.networks.player(learner.policy)._logits(Views.of(match.view(0))) for match in matches)  # type: ignore[attr-defined]
    assert np.array_equal(rules, others)


def test_the_rules_of_a_split_can_be_learned_from() -> None:
    assert [entry.rules for entry in lasting_entries("train_0:4", False)] == [
        he.rules(line.rules) for line in split("train_0")[:4]
    ]
    with pytest.raises(ValueError, match="is in split C of the benchmark"):
        lasting_entries("C:1", False)


@pytest.mark.exhaustive
@pytest.mark.release
def test_sampled_rules_are_those_that_the_benchmark_trains_on_unless_open() -> None:
    assert all(split_of(sampled_entry(seed, False).rules) == Membership("train") for seed in range(3))
    assert sampled_entry(0, True).rules == he.sample_rules(0, VERSIONS[-1])
    assert lasting_entries("sampled", False) == ()
    assert {entry.rules.variant.name for entry in lasting_entries("sampled", True)} == set(he.VARIANTS)


def test_tested_rules_are_refused_unless_open(tmp_path: Path) -> None:
    tested = split("C")[0].rules
    with pytest.raises(ValueError, match=r"is in split V of the benchmark"):
        lasting_entries("V:4", False)
    file = tmp_path / "rules.txt"
    file.write_text(f"black_lady\n{tested}\n")
    message = r"is in split C of the benchmark, where a network trained on it is no entry; .* add --open"
    for changes in ({"variants": str(file)}, {"variant": tested}):
        with pytest.raises(ValueError, match=message):
            run_training(TrainOptions(**{**QUICK, "out": tmp_path / "run", **changes}), silent)
    assert not (tmp_path / "run").exists()
    assert len(lasting_entries(str(file), True)) == 2
    file.write_text("black_lady\nqueens\nbasic_hearts\nblack_lady\n")
    assert [str(entry.rules) for entry in lasting_entries(str(file), True)][1:] == ["queens"], "each once"
    file.write_text("black_lady\n# two games\n")
    with pytest.raises(ValueError, match=r"rules.txt has the line # two games, which is no rules \(there is no"):
        lasting_entries(str(file), True)
    long = max((line.rules for line in split("train_0")), key=len)
    assert len(long) > 255, "longer than the name of a file may be"
    assert [str(entry.rules) for entry in lasting_entries(long, False)] == [str(he.rules(long))]


def test_the_command_takes_hyper_parameters_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training_run, "quick_score", lambda *_: (0.0, 0.1))
    file = tmp_path / "rules.txt"
    file.write_text(GAMES[0])
    settings = [f"{name}={value}" for name, value in SMALL.items()]
    command = ["train", "--variants", str(file), "--variant", GAMES[0], "--deals", "8", "--out", str(tmp_path / "run")]
    quiet = ["--arena-deals", "0", "--evaluations", "0"]
    assert main([*command, *quiet, "--set", *settings]) == 0
    assert make_agent(f"net:{tmp_path / 'run'}").name == f"net:{tmp_path / 'run'}"
