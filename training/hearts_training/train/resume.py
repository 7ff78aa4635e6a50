"""Resuming a training run exactly where its checkpoint left it."""

from __future__ import annotations

import dataclasses
import json
import shlex
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import torch

from hearts_agents.files import read_file
from hearts_agents.registry import names_program
from hearts_env.variants.registry import rules as read_rules
from hearts_training import checkpoints
from hearts_training.folders import hold, new_folder
from hearts_training.train.build import digests, make_learner
from hearts_training.train.config import Config, defaults, flat, read_config
from hearts_training.train.options import Budget, Device, TrainOptions
from hearts_training.train.run import CARRIED_OVER, RESULT, Run, RunState


def resumed_run(options: TrainOptions, stack: ExitStack) -> Run:
    """The run whose folder `options` name, to be continued; `stack` holds the lock of its folder.

    Raises ValueError, in one line, for a folder or a checkpoint that cannot be gone on with, or options that contradict
    it.
    """
    resume = options.resume or Path()
    folder = _run_folder(checkpoints.find_checkpoint(resume))
    if not options.out:
        stack.enter_context(hold(folder))
    checkpoint = checkpoints.find_checkpoint(resume)
    content = checkpoints.load_state(checkpoint)
    saved, deals = _read(content, checkpoint), content["counters"]["deals"]
    _check_options(saved, options, checkpoint)
    if saved.budget.cpu_time and options.who != 1:
        raise ValueError("the budget of this run counts CPU time of one process; leave processes and workers out")
    saved.budget = saved.budget.extended(options, saved.seconds / 60, deals)
    given = {name: value for name, value in carried_over(options).items() if value != getattr(TrainOptions, name)}
    carried: dict[str, Any] = saved.options | given
    options = dataclasses.replace(options, **carried)
    saved.options = carried_over(options)
    if saved.budget.progress(saved.seconds / 60, deals) >= 1 and _is_finished(folder, deals):
        raise ValueError(f"the run in {resume} has used its budget; give minutes or deals to add to it")
    if saved.config.many is None:
        options = dataclasses.replace(options, device=_device_again(saved, options, folder))
    learner = make_learner(read_rules(saved.rules), saved.config, saved.sizes, options, saved.seed)
    check_digests(saved.digests, digests(saved.config, learner), folder)
    checkpoints.restore(checkpoint, content, learner)
    if options.out:
        folder = new_folder(options.out, options.variant)
        stack.enter_context(hold(folder))
    return Run(folder, options, learner, saved)


def _read(content: dict[str, Any], checkpoint: Path) -> RunState:
    """The state that a checkpoint holds. Raises ValueError, in one line, for hyper-parameters of another release."""
    try:
        names = [field.name for field in dataclasses.fields(RunState)]
        config, budget = _config(content["config"]), Budget(**content["budget"])
        return RunState(**{**{name: content[name] for name in names}, "config": config, "budget": budget})
    except (KeyError, TypeError, ValueError) as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else " ".join(str(error).split())
        raise ValueError(f"{checkpoint} does not fit this release ({reason}); start a new run") from None


def _config(saved: Mapping[str, Any]) -> Config:
    many = "variants" in saved
    known = defaults(many=many).keys()
    for name in sorted(saved.keys() - known):
        raise ValueError(f"its config has {name}={saved[name]}, and there is no hyper-parameter {name} any more")
    for name in sorted(known - saved.keys()):
        raise ValueError(f"its config lacks {name}")
    return read_config(saved, many=many)


def _device_again(saved: RunState, options: TrainOptions, folder: Path) -> Device:
    """The device of a run that is resumed. The random numbers of games in progress are those of one kind of device."""
    if saved.device == "auto":
        return options.device
    there = torch.cuda.is_available() or saved.device == "cpu"
    if options.device not in ("auto", saved.device) or not there:
        raise ValueError(f"the run in {folder} can only continue on the kind of device it began on, {saved.device}")
    return saved.device


def check_digests(saved: Mapping[str, str], found: Mapping[str, str], folder: Path) -> None:
    """Raise ValueError, in one line, if a digest differs from the one that was saved when the run began."""
    for name in saved.keys() & found.keys():
        if saved[name] != found[name]:
            raise ValueError(
                f"{name} is not what it was when the run in {folder} began; put that back, or start a new run"
            )


def carried_over(options: TrainOptions) -> dict[str, int]:
    """The options that a resumed run keeps."""
    return {name: getattr(options, name) for name in CARRIED_OVER}


def _check_options(saved: RunState, options: TrainOptions, checkpoint: Path) -> None:
    wanted = str(read_rules(options.variant))
    if wanted not in (saved.rules, str(read_rules(TrainOptions.variant))):
        raise ValueError(f"{checkpoint} was trained on {saved.rules}, not {wanted}; leave the variant out to continue")
    if options.seed not in (saved.seed, TrainOptions.seed):
        raise ValueError(f"{checkpoint} was trained with seed={saved.seed}, not {options.seed}; leave the seed out")
    kept = flat(saved.config)
    given = flat(read_config({**kept, **options.hyper_parameters}, many=saved.config.many is not None))
    for name in options.hyper_parameters:
        if given[name] != kept[name]:
            raise ValueError(
                f"{name}={given[name]} cannot be changed when a run is resumed ({name}={kept[name]}); leave it out"
            )
    for name in ("teacher", "opponents", "reward"):
        value = getattr(saved.config, name)
        if names_program(value) and name not in options.hyper_parameters:
            text = value if isinstance(value, str) else ";".join(value)
            raise ValueError(
                f"{checkpoint} names a program as {name} ({text}), and what only a file names is not started; to start "
                f"it, add --set {shlex.quote(f'{name}={text}')}"
            )


def _is_finished(folder: Path, deals: int) -> bool:
    """True if a run that ended after `deals` has also written its result."""
    try:
        result = json.loads(read_file(folder / RESULT))
        return bool(result["deals"] == deals and not result["interrupted"])
    except (OSError, KeyError, TypeError, ValueError, RecursionError):
        return False


def _run_folder(checkpoint: Path) -> Path:
    return checkpoint.parent if checkpoints.is_checkpoint(checkpoint) else checkpoint
