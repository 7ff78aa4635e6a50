"""Damaged files of every kind that the suite reads: refused in one line, or read to the same meaning.

A file whose digests were forged to fit its damage may mean something else, but it must not crash, hang, fail in many
lines or run a program that it names.
"""

from __future__ import annotations

import json
import os
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

import hearts_env as he
from tests.fuzz.attack import Attack, BrokenError, Case, refusal
from tests.fuzz.damage import apply, copy_to, draw_damage
from tests.fuzz.datasets import SETS, doors, files_of


@dataclass(frozen=True)
class Format:
    """A kind of file, or of folder.

    Attributes:
        make: writes one into a folder.
        read: reads it; the meaning, or a ValueError.
        files: the names of the files to damage.
    """

    make: Callable[[Path], None]
    read: Callable[[Path], Any]
    files: list[str] = field(default_factory=list)


# Records


def _make_record(folder: Path) -> None:
    rng = Random(5)
    match = he.Match("heartsette(target=60)", seed=5)
    while not match.over and match.deal_number < 2:
        match.play(rng.choice(match.legal()))
    (folder / "match.txt").write_text(match.record(), encoding="utf-8")


def _read_record(folder: Path) -> Any:
    """Nothing, if the match is the one that the text tells."""
    from hearts_training.cli.replay import read_record

    match = read_record(folder / "match.txt")
    said = [line.strip() for line in (folder / "match.txt").read_text(encoding="utf-8").splitlines() if line.strip()]
    again = [line for line in match.record().splitlines() if line]
    if said[3:] != again[3:] or he.rules(said[1][6:]) != match.rules or int(said[2][5:]) != match.seed:
        raise BrokenError("a record is read as another match than it tells")


# Saves of the arena

ARENA: dict[str, Any] = {"agents": ["rule", "random"], "deals": 24, "seed": 3, "tables_at_once": 16}


def _make_save(folder: Path) -> None:
    from hearts_agents.arena import run_arena

    run_arena(**ARENA, save=folder / "arena.save")


def _read_save(folder: Path) -> Any:
    from hearts_agents.arena import run_arena

    return _untimed(run_arena(**ARENA, save=folder / "arena.save").to_dict())


def _untimed(data: Any) -> Any:
    """Without what differs between two equal arenas."""
    if isinstance(data, dict):
        return {key: _untimed(value) for key, value in data.items() if key not in ("ms_per_decision", "seconds")}
    return [_untimed(value) for value in data] if isinstance(data, list | tuple) else data


# Policies and training runs

TINY = {"num_envs": 8, "rollout_steps": 40, "hidden": [8], "critic_hidden": [8], "minibatch": 64}
QUICK: dict[str, Any] = {"threads": 1, "arena_deals": 0, "evaluations": 1, "evaluation_games": 4, "device": "cpu"}


def _train(folder: Path, **options: Any) -> None:
    """Train, without the parts that take time and read nothing."""
    from hearts_training.train import run
    from hearts_training.train.options import TrainOptions
    from hearts_training.train.start import train

    with mock.patch.multiple(run, network_only=lambda _: 0.0, draw_curve=lambda *_: b""):
        train(TrainOptions(**QUICK, **options), report=lambda _: None)


def _make_policy(folder: Path) -> None:
    import torch

    from hearts_agents.neural import PolicyNet, input_size, save_policy
    from hearts_env.compiled.game import compile_game

    torch.manual_seed(1)
    game = compile_game(he.rules("black_lady"))
    save_policy(folder, PolicyNet(input_size(game), len(game.actions), (8,)), "black_lady", {"deals": 1})


def _read_policy(folder: Path) -> Any:
    """The weights and what is said of them; the agent also plays."""
    from hearts_agents.neural import NetAgent, load_policy

    net, info = load_policy(folder)
    NetAgent(folder).act(he.Match("black_lady", seed=1).view(0))
    weights = {name: value.numpy().tobytes().hex() for name, value in net.state_dict().items()}
    return weights, info.rules, info.inputs, info.actions, list(info.hidden), dict(info.extra)


def _make_run(folder: Path) -> None:
    _train(folder, out=folder / "run", deals=8, hyper_parameters=TINY)


def _read_run(folder: Path) -> Any:
    """The policy after one more update."""
    _train(folder, resume=folder / "run", deals=1)
    result = json.loads((folder / "run" / "result.json").read_text())
    policy = (folder / "run" / "policy.safetensors").read_bytes().hex()
    return policy, result["variant"], result["seed"], result["deals"], result["decisions"], result["curve"]


# Searches for weights


def _tune(folder: Path) -> Any:
    from hearts_training.train.options import TuneOptions
    from hearts_training.train.tune import tune

    options = TuneOptions(generations=2, population=4, deals=2, check_deals=2, opponents=(), names=("height", "long"))
    result = tune(options, folder)
    return result["weights"], result["spec"]


def _make_tune(folder: Path) -> None:
    _tune(folder)


FORMATS = {
    "record": Format(_make_record, _read_record, ["match.txt"]),
    "save": Format(_make_save, _read_save, ["arena.save"]),
    "policy": Format(_make_policy, _read_policy, ["policy.safetensors", "policy.json"]),
    "run": Format(_make_run, _read_run, ["tensors.safetensors", "state.json"]),
    "tune": Format(_make_tune, _tune, ["scores.json"]),
}
for _kind in SETS:
    _make, _read, _resume = doors(_kind)
    FORMATS[_kind] = Format(_make, _read, files_of(_kind))
    FORMATS[f"{_kind} resumed"] = Format(_make, _resume, files_of(_kind))
    FORMATS[f"{_kind} at large"] = Format(_make, _read, files_of(_kind))
WEIGHTS = {"record": 3, "save": 3, "policy": 3, "run": 3, "tune": 1}
"""How often each format is drawn; data sets, which take longer to make, have an attack of their own (`data`)."""


def draw(rng: Random) -> Case:
    """A format and damage to its files."""
    name = rng.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
    return {"format": name, "damage": draw_damage(FORMATS[name].files, rng)}


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """A folder of this process."""
    return tempfile.TemporaryDirectory(prefix="hearts-fuzz-")


@cache
def _original(name: str) -> tuple[Path, Any]:
    """A sound folder of a format, and its meaning."""
    home = Path(_folder().name)
    sound, work = home / name / "sound", home / name / "work"
    sound.mkdir(parents=True)
    FORMATS[name].make(sound)
    copy_to(sound, work)
    return sound, FORMATS[name].read(work)


def check(case: Case) -> Counter[str]:
    """Read a damaged copy."""
    name, forged = case["format"], any(operation[0] == "forge" for operation in case["damage"])
    sound, meaning = _original(name)
    work = sound.parent / "work"
    copy_to(sound, work)
    apply(case["damage"], work)
    os.chdir(work)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = FORMATS[name].read(work)
    except (ValueError, OSError) as error:
        refusal(error)
        outcome = "refused"
    else:
        outcome = "accepted"
        if found != meaning and not forged:
            raise BrokenError(f"a damaged {name} is read with another meaning")
    if list(work.rglob("PLANTED")):
        raise BrokenError(f"a {name} has run a program")
    return Counter({f"{name} {outcome}": 1})


ATTACK = Attack("files", draw, check, seconds=10, memory=16)
