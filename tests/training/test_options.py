"""Options and hyper-parameters: what is out of range is refused in one line, and nothing is written."""

from __future__ import annotations

import dataclasses
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from hearts_training.cli.train import Train, hyper_parameters
from hearts_training.train.config import Config, ManyConfig, defaults, read_config
from hearts_training.train.options import Budget, TrainOptions
from hearts_training.train.presets import PRESETS
from hearts_training.train.start import run_training
from tests.training.runs import silent

FIELDS = list(defaults(many=False))
TEXTS = ("nan", "inf", "-1", "0", "1" + "0" * 30, "")
MAY_BE_0 = {
    *("anchor", "average", "critic_first", "entropy", "final_entropy"),
    *("gae_lambda", "imitation", "opponent_games"),
}


def test_every_hyper_parameter_is_in_range() -> None:
    for name in FIELDS:
        for text in TEXTS:
            if text == "0" and name in MAY_BE_0:
                assert getattr(read_config(hyper_parameters((f"{name}=0",))), name) == 0
            elif name != "start" and (name not in ("teacher", "opponents") or not text) and name + text != "reward":
                with pytest.raises(ValueError, match=name) as error:
                    read_config(hyper_parameters((f"{name}={text}",)))
                assert "\n" not in str(error.value)


POSSIBLE = [("teacher", "x"), ("start", "x"), ("opponents", ("x",)), ("bfloat16", True)]


def test_values_of_a_wrong_type_are_refused() -> None:
    values: list[Any] = [None, "x", float("nan"), -1, 10**40, [], {}, (1.5,), ("x",), True, [[1]]]
    for name, value in product(FIELDS, values):
        if (name, value) not in POSSIBLE:
            with pytest.raises(ValueError, match=f"^{name}=") as error:
                read_config({name: value})
            assert "\n" not in str(error.value)


BAD: list[tuple[dict[str, Any], str]] = [
    ({"variant": "black_ladi"}, "black_lady"),
    ({"minutes": 0.0}, "minutes=0.0 must be above 0"),
    ({"minutes": float("inf")}, "minutes=inf must be above 0 and at most 10000000"),
    ({"deals": 0}, "deals=0 must be at least 1"),
    ({"deals": 1, "minutes": 1.0}, "give one of them"),
    ({"threads": 0}, "threads=0"),
    ({"seed": -1}, "seed=-1"),
    ({"device": "tpu"}, "auto, cpu, cuda"),
    ({"processes": 2, "workers": "local"}, "processes=2 and workers=local contradict; give one of them"),
    ({"processes": 2, "cpu_time": True}, "cpu_time counts this process alone"),
    ({"processes": 2}, "add --variants and --set learners=8, or leave the workers out"),
    ({"evaluations": -1}, "evaluations=-1 must be at least 0"),
    ({"arena_deals": 2**32}, "arena_deals=4294967296 must be at least 0"),
    ({"preset": "weak"}, "preset='weak' is not one of strong"),
    ({"start": "mine", "resume": Path("runs/x")}, "start=mine is for a new run; leave it out"),
    ({"hyper_parameters": {"start": "mine"}}, "start is an option, not a hyper-parameter; write --start"),
    ({"variants": "all", "hyper_parameters": {"open": True}}, "open is an option, not a hyper-parameter; write --open"),
    ({"open": True, "resume": Path("runs/x")}, "open=True is for a new run"),
    ({"variants": "all", "hyper_parameters": {"told": "all"}}, "told='all' must be empty or nothing"),
    ({"start": "mine", "preset": "strong"}, "preset and start are both given"),
    ({"hyper_parameters": {"clop": 1}}, "'clop'; the closest is clip"),
    ({"hyper_parameters": {"teacher": "ruel"}}, "the closest is rule"),
    ({"hyper_parameters": {"num_envs": 10**6}}, "GiB of memory; this machine has"),
    (
        {"variants": "all", "hyper_parameters": {"num_envs": 1 << 20, "games": 8}},
        "num_envs=1048576, games=8, width=128, depth=2 and evaluation_games=512 need about",
    ),
    ({"hyper_parameters": {"anchor": 0.1}}, "name it with start"),
    ({"hyper_parameters": {"width": 8}}, "width is for training on many games; add --variants"),
    ({"variants": "all", "hyper_parameters": {"anchor": 0.1}}, "anchor is not for training on many variants"),
    ({"hyper_parameters": {"objective": "matches"}}, "objective='matches' must be points or match"),
    ({"variants": "all", "hyper_parameters": {"objective": "match"}}, "objective is not for training on many variants"),
    ({"hyper_parameters": {"reward": "points"}}, "reward=points must be py:FILE.py:NAME or py:package.module:NAME"),
    ({"hyper_parameters": {"reward": "py:os:sep"}}, "reward=py:os:sep is no function of the games before and after"),
    ({"hyper_parameters": {"reward": "py:os:walk", "objective": "match"}}, "with objective=points"),
    ({"variants": "all", "hyper_parameters": {"reward": "py:os:walk"}}, "reward is not for training on many variants"),
    ({"hyper_parameters": {"actors": 2}}, "no hyper-parameter 'actors'; the closest is "),
    ({"hyper_parameters": {"opponents": ("ruel",)}}, "the closest is rule"),
    ({"variants": "none.txt"}, r"variants=none.txt is not all, sampled, a split, a file or the text of some rules"),
    ({"variants": "."}, r"variants=. cannot be read"),
    ({"variants": "all", "start": "black_lady"}, "black_lady holds no general.safetensors"),
    ({"variants": "all", "preset": "strong"}, "preset=strong is for training on one game"),
    ({"variants": "all", "hyper_parameters": {"hidden": (8,)}}, "hidden is not for training on many variants"),
    ({"variants": "all", "hyper_parameters": {"games": 2, "sampled": 3}}, "sampled=3 must be at most games=2"),
    ({"variants": "all", "device": "cuda", "workers": "local"}, "is not for learners on a cluster"),
]
"""Options, and words of the one line with which they are refused."""


def test_bad_options_are_one_clear_line_and_write_nothing(tmp_path: Path) -> None:
    for options, message in BAD:
        with pytest.raises(ValueError, match=message) as caught:
            run_training(TrainOptions(**{"out": tmp_path / "out", **options}), silent)
        assert "\n" not in str(caught.value)
        assert not (tmp_path / "out").exists()


def test_a_budget_is_used_up_and_extended() -> None:
    assert Budget(minutes=4).progress(1, 10**9) == 0.25
    assert Budget(deals=1000).progress(99, 500) == 0.5
    assert Budget(deals=10).extended(TrainOptions(deals=5), 1, 12) == Budget(deals=17)
    assert Budget(deals=10).extended(TrainOptions(), 1, 7) == Budget(deals=10)
    assert Budget(minutes=1, cpu_time=True).extended(TrainOptions(minutes=2), 1, 0) == Budget(minutes=3, cpu_time=True)
    with pytest.raises(ValueError, match="cpu_time cannot be given when a run is resumed"):
        Budget(minutes=1).extended(TrainOptions(minutes=2, cpu_time=True), 1, 0)
    with pytest.raises(ValueError, match="cpu_time=1 must be true or false"):
        Budget(minutes=1, cpu_time=1)  # type: ignore[arg-type]  # as a file may hold it
    assert Budget.of(TrainOptions(preset="strong")).minutes == PRESETS["strong"].minutes
    assert Budget.of(TrainOptions(preset="strong", minutes=5)).minutes == 5


def test_there_are_no_more_hyper_parameters_than_can_be_read() -> None:
    assert len(dataclasses.fields(Config)) <= 26
    assert len(dataclasses.fields(ManyConfig)) <= 10
    hidden = {"evaluation_games", "hyper_parameters"}
    assert len({field.name for field in dataclasses.fields(Train)} - hidden) <= 18
    for preset in PRESETS.values():
        Config(**preset.hyper_parameters)
