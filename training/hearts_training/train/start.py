"""`train`: start a training run, or resume one from its folder."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack, nullcontext, suppress
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from hearts_agents.neural.policy import PolicyNet
from hearts_agents.neural.rulesnet import RulesNet, load_general
from hearts_agents.neural.saved import is_general, is_taught, read_general, read_policy
from hearts_agents.weights import folder_of
from hearts_agents.workers import ClusterError
from hearts_env.compiled.game import Game, compile_game
from hearts_env.variants.registry import rules as read_rules
from hearts_training import checkpoints
from hearts_training.folders import hold, new_folder
from hearts_training.interrupt import postponed_interrupts
from hearts_training.progress import progress_bar
from hearts_training.train.build import digests, make_learner
from hearts_training.train.config import Config, read_config
from hearts_training.train.games import check_open
from hearts_training.train.learner import Learner
from hearts_training.train.networks import policy_in
from hearts_training.train.options import Budget, TrainOptions
from hearts_training.train.presets import DISTILLED_TEMPERATURE, FROM_GENERAL, FROM_NETWORK, PRESETS
from hearts_training.train.resume import carried_over, resumed_run
from hearts_training.train.run import Report, Run, RunState, TrainResult

NEW_SIZES = {"own": 0, "code": 64}
"""Those of networks with random weights, as in `make_learner`."""


def run_training(options: TrainOptions, report: Report | None = None) -> TrainResult:
    """Train a policy by self-play and evaluate it.

    Args:
        options: the run.
        report: called after every update; if it returns True, training stops as it does after Ctrl-C. The default is a
            progress bar.

    Raises:
        ValueError: a bad option, folder or checkpoint, in one line, before anything is written; or a folder that
            another run uses.
        DivergedError: a ValueError; the weights or losses are not finite any more. The last checkpoint is from before.
        OSError: the folder cannot be written any more, in one line that says whether it holds a checkpoint.
        KeyboardInterrupt: a second Ctrl-C or SIGTERM; the last checkpoint, if one was written, is complete.
    """
    with ExitStack() as stack:
        run = resumed_run(options, stack) if options.resume else _new_run(options, stack)
        interrupt = stack.enter_context(postponed_interrupts())
        try:
            with progress_bar() if report is None else nullcontext(report) as show:
                run.learn(show, interrupt)
                return run.finish(show, interrupt)
        except (ChildProcessError, ClusterError) as error:
            raise type(error)(f"{error}; {_what_is_left(run.folder)}") from None
        except OSError as error:
            if not run.folder.is_dir():
                raise OSError(f"the folder {run.folder} has vanished, and the run with it") from None
            reason = error.strerror or error
            raise OSError(f"{run.folder} cannot be written ({reason}); {_what_is_left(run.folder)}") from None


def _what_is_left(folder: Path) -> str:
    if not checkpoints.list_checkpoints(folder):
        return "it holds no checkpoint yet, so the run must be started anew"
    return f"its last checkpoint is complete, and hearts train --resume {folder} continues from it"


def _new_run(options: TrainOptions, stack: ExitStack) -> Run:
    rules = read_rules(options.variant)
    if options.variants is None:
        check_open(rules, options.open)
    elif options.variant == TrainOptions.variant:
        with suppress(ValueError):  # one game, and no other named: that one is evaluated
            rules = read_rules(options.variants)
    found, sizes = _beginning(options)
    config = read_config({**found, **options.hyper_parameters}, many=options.variants is not None)
    learner = make_learner(rules, config, sizes, options, options.seed)  # before the folder: a bad option leaves none
    if config.start:
        _start_from(config, learner, compile_game(rules))
    folder = new_folder(options.out, options.variant)
    stack.enter_context(hold(folder))
    state = RunState(str(rules), options.seed, Budget.of(options), config, sizes)
    state.options, state.digests = carried_over(options), digests(config, learner)
    state.device = "cuda" if learner.device.type == "cuda" else "cpu"
    return Run(folder, options, learner, state)


def _beginning(options: TrainOptions) -> tuple[dict[str, Any], dict[str, int]]:
    """The hyper-parameters of a new run, unless --set changes them, and the sizes of its networks."""
    mix: dict[str, Any] = {} if options.variants is None else {"variants": options.variants, "open": options.open}
    if options.start is None:
        return mix | dict(PRESETS[options.preset].hyper_parameters if options.preset else {}), NEW_SIZES
    folder = folder_of(options.start)
    if mix:
        general = read_general(folder)[1]
        mix |= {**FROM_GENERAL, "start": options.start, "width": general.width, "depth": general.depth}
        return mix, NEW_SIZES | {"code": general.code}
    found: dict[str, Any] = {**FROM_NETWORK, "start": options.start}
    if is_general(folder):
        return found | {"hidden": read_general(folder)[1].hidden}, NEW_SIZES | {"own": 1}
    weights, info = read_policy(folder)
    temperature = DISTILLED_TEMPERATURE if is_taught(info.extra) else 1.0
    found |= {"hidden": info.hidden, "start_temperature": temperature}
    return found, NEW_SIZES | {"own": int("own" in weights)}


def _start_from(config: Config, learner: Learner, game: Game) -> None:
    """Take over the policy that a run starts from. Raises ValueError, in one line, for one that does not fit."""
    folder = folder_of(config.start)
    if config.many is None:
        learner.start_from(_weights(policy_in(folder, game, config.start), config, learner))
        return
    net, critic = load_general(folder)[0], None
    if (net.width, net.depth) == (config.many.width, config.many.depth):
        critic = _critic(folder, net)
    else:
        try:
            with torch.random.fork_rng():
                torch.manual_seed(learner.seed)
                net = net.grown(config.many.width, config.many.depth)
        except ValueError as error:
            raise ValueError(f"{config.start}: {error}") from None
    learner.start_from(net.state_dict(), critic)


def _critic(folder: Path, net: RulesNet) -> dict[str, Tensor] | None:
    """The critic and the moments of the run whose folder this is, if they can be gone on from."""
    for checkpoint in checkpoints.list_checkpoints(folder)[-1:]:
        with suppress(ValueError):  # of another release
            tensors = checkpoints.load_tensors(checkpoint, checkpoints.load_state(checkpoint))
            if all(
                tensors.get(f"policy.{name}", torch.empty(0)).shape == own.shape
                for name, own in net.state_dict().items()
            ):
                return tensors
    return None


def _weights(policy: PolicyNet, config: Config, learner: Learner) -> Mapping[str, Tensor]:
    own, where = learner.networks.policy, config.start
    assert isinstance(own, PolicyNet)
    if policy.hidden != own.hidden:
        raise ValueError(f"{where} has the hidden layers {','.join(map(str, policy.hidden))}; leave hidden out")
    if policy.inputs != own.inputs:
        raise ValueError(f"{where} reads the observation alone; training needs the counts beside it")
    return {
        name: value / config.start_temperature if name.startswith(("head.", "own")) else value
        for name, value in policy.state_dict().items()
    }
