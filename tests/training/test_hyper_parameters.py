"""Hyper-parameters and options that are out of range: one line each, and nothing is written."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
import torch

from hearts_agents.neural import input_size
from hearts_env.compiled.game import compile_game
from hearts_env.variants.registry import rules
from hearts_training.cli import main
from hearts_training.cli.train import hyper_parameters
from hearts_training.train.config import PPOConfig, read_config
from hearts_training.train.learner import DivergedError
from hearts_training.train.memory import check_memory, needed_bytes
from hearts_training.train.options import TrainOptions
from hearts_training.train.start import train
from tests.training.test_training import run, tiny

pytestmark = pytest.mark.usefixtures("one_thread")
FIELDS = [field.name for field in dataclasses.fields(PPOConfig)]
TEXTS = ("nan", "inf", "-1", "0", "1" + "0" * 30, "")
MAY_BE_0 = (
    "anchor",
    "actors",
    "critic_first",
    "entropy",
    "final_entropy",
    "gae_lambda",
    "imitation",
    "opponent_games",
    "staleness",
)


def refused(capsys: pytest.CaptureFixture[str], out: Path, *words: str) -> str:
    assert main(["train", "--out", str(out), *words]) == 2
    line = capsys.readouterr().err
    assert line.startswith("hearts: ")
    assert line.count("\n") == 1
    assert not out.exists()
    return line


def test_every_hyper_parameter_is_in_range(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in FIELDS:
        for text in TEXTS:
            if (name, text) in [(one, "0") for one in MAY_BE_0]:
                assert getattr(read_config(hyper_parameters((f"{name}={text}",))), name) == 0
            else:
                line = refused(capsys, tmp_path / "out", "--set", f"{name}={text}")
                assert name in line or name in (
                    "teacher",
                    "opponents",
                    "start",
                )


@pytest.mark.parametrize("value", [None, "x", float("nan"), -1, 10**40, [], {}, (1.5,), ("x",), True, [[1]]])
def test_values_of_a_wrong_type_are_refused(value: Any) -> None:
    for name in FIELDS:
        if (name, value) not in (("teacher", "x"), ("start", "x"), ("opponents", ("x",)), ("bfloat16", True)):
            with pytest.raises(ValueError, match=f"^{name}=") as error:
                read_config({name: value})
            assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "words",
    [
        ("--threads", "1000000000"),
        ("--threads", "0"),
        ("--minutes", "nan"),
        ("--minutes", "inf"),
        ("--minutes", "1e300"),
        ("--minutes", "-1"),
        ("--deals", "1" + "0" * 30),
        ("--seed", "1" + "0" * 30),
        ("--arena-deals", "4294967297"),
        ("--set", "num_envs=1000000000"),
        ("--set", "num_envs=1000000"),  # no machine has that much memory
        ("--set", "hidden=65536,65536,65536,65536,65536,65536,65536,65536"),
    ],
)
def test_options_are_in_range(words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refused(capsys, tmp_path / "out", *words)


@pytest.mark.parametrize(
    "change", [{"seed": 1.5}, {"threads": 1.5}, {"deals": 1.5}, {"evaluations": 10**30}, {"evaluation_games": 2**31}]
)
def test_options_are_whole_numbers_in_range(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(change))}=.* must be at least"):
        TrainOptions(**change)


def test_memory_is_estimated_from_what_is_allocated(monkeypatch: pytest.MonkeyPatch) -> None:
    ppo = tiny()
    inputs, env = ppo.experience.inputs, ppo.env
    tensors = [*ppo.experience.tensors.values(), *ppo.policy.parameters(), *ppo.critic.parameters()]
    allocated = (
        sum(tensor.nbytes for tensor in tensors) + env.states.nbytes + env.finals.nbytes + env.observations.nbytes
    )
    needed = needed_bytes(env.game, ppo.config, 0)
    assert allocated < needed < 2 * allocated + 2**22
    assert inputs.width == input_size(env.game) + env.hidden().shape[1]
    monkeypatch.setattr("os.sysconf", lambda name: 10**5)
    game = compile_game(rules("black_lady"))
    check_memory(game, PPOConfig(num_envs=1000), 0)
    with pytest.raises(ValueError, match=r"num_envs=1000000, .* of memory; this machine has 9 GiB"):
        check_memory(game, PPOConfig(num_envs=1000000), 0)


# --- divergence -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_weights_that_are_not_finite_are_noticed_at_once(value: float) -> None:
    ppo = tiny(imitation=0.0)
    ppo.collect(0.5)
    ppo.update(0.5)
    with torch.no_grad():
        ppo.policy.head.bias[3] = value
    used = iter([0.5] * 3)
    with pytest.raises(DivergedError, match="training diverged: "):
        list(ppo.learn(lambda: next(used)))


def test_a_run_that_diverges_keeps_the_checkpoint_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hearts_training.train.ppo import PPO

    loss = PPO._policy_loss

    def diverging(ppo: PPO, *arguments: Any) -> Any:
        policy_loss, *figures = loss(ppo, *arguments)
        return (policy_loss * float("nan" if ppo.updates == 2 else 1), *figures)

    with monkeypatch.context() as patch:
        patch.setattr(PPO, "_policy_loss", diverging)
        with pytest.raises(DivergedError, match=r"diverged: policy_loss is nan after \d+ deals; .* lower") as error:
            run(tmp_path / "out", deals=1000, evaluation_games=2)
    assert "\n" not in str(error.value)
    result = train(TrainOptions(resume=tmp_path / "out", threads=1, arena_deals=0), lambda status: True)
    assert result.deals > 0
