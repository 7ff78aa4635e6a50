"""`train`: start a training run, or resume one from its folder."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import shlex
from collections.abc import Mapping
from contextlib import ExitStack, nullcontext, suppress
from pathlib import Path
from typing import Any

import torch

from hearts_agents.files import read_file
from hearts_agents.neural.inputs import input_size
from hearts_agents.neural.policy import PolicyNet, arrays_of, load_policy, policy_of
from hearts_agents.neural.rulesnet import load_general
from hearts_agents.neural.saved import check_trained, is_general, read_general, read_policy
from hearts_agents.neural.transfer import transfer
from hearts_agents.registry import make_agent, names_program
from hearts_agents.weights import folder_of
from hearts_agents.workers import ClusterError, check_workers
from hearts_env.compiled.game import Game, compile_game
from hearts_env.envs.vector import VectorEnv
from hearts_env.variants.registry import rules as read_rules
from hearts_training.evaluate.quick import RIVALS
from hearts_training.interrupt import postponed_interrupts
from hearts_training.progress import progress_bar
from hearts_training.train import checkpoints
from hearts_training.train.config import CONFIGS, MixedConfig, PPOConfig, read_config
from hearts_training.train.learner import Learner
from hearts_training.train.memory import check_memory
from hearts_training.train.mixed import MixedPPO, check_open, lasting_entries
from hearts_training.train.options import ALGORITHMS, MOST_DEALS, MOST_MINUTES, Algorithm, Budget, Device, TrainOptions
from hearts_training.train.ppo import PPO
from hearts_training.train.presets import DISTILLED_TEMPERATURE, FROM_GENERAL, FROM_NETWORK, PRESETS
from hearts_training.train.run import CARRIED_OVER, RESULT, Report, Run, RunState, TrainResult
from hearts_training.train.run_folder import hold, new_folder


def train(options: TrainOptions, report: Report | None = None) -> TrainResult:
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
        run = _resumed_run(options, stack) if options.resume else _new_run(options, stack)
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
    """The way on after a run has failed: from its last checkpoint, if there is one."""
    if not checkpoints.list_checkpoints(folder):
        return "it holds no checkpoint yet, so the run must be started anew"
    return f"its last checkpoint is complete, and hearts train --resume {folder} continues from it"


def algorithm_of(options: TrainOptions) -> Algorithm:
    """The algorithm of a new run, or of the one that is resumed. Raises ValueError if there is none to resume."""
    if options.resume:
        return _algorithm(checkpoints.load_state(checkpoints.find_checkpoint(options.resume)))
    return "mixed-ppo" if options.variants is not None else options.algorithm or ALGORITHMS[0]


def _algorithm(content: dict[str, Any]) -> Algorithm:
    return TrainOptions(algorithm=content.get("algorithm", ALGORITHMS[0])).algorithm or ALGORITHMS[0]


def _device(options: TrainOptions, config: PPOConfig) -> str:
    elsewhere = isinstance(config, MixedConfig) and isinstance(options.who, str)
    if options.device == "cuda" and elsewhere:
        raise ValueError("device='cuda' is not for learners on a cluster, which have one core each; leave it out")
    if options.device == "cuda" and not torch.cuda.is_available():
        raise ValueError("device='cuda' is not available on this machine; use cpu or auto")
    if options.device == "auto":
        return "cuda" if torch.cuda.is_available() and not elsewhere else "cpu"
    return options.device


def _device_again(saved: RunState, options: TrainOptions, folder: Path) -> Device:
    """The device of a run that is resumed. The random numbers of games in progress are those of one kind of device."""
    if saved.device == "auto":
        return options.device
    there = torch.cuda.is_available() or saved.device == "cpu"
    if options.device not in ("auto", saved.device) or not there:
        raise ValueError(f"the run in {folder} can only continue on the kind of device it began on, {saved.device}")
    return saved.device


def _learner(rules: str, config: PPOConfig, seed: int, options: TrainOptions) -> Learner:
    torch.set_num_threads(options.threads)  # before the learner divides its work among them
    device = _device(options, config)
    if options.who != 1 and not (isinstance(config, MixedConfig) and config.learners > 1):
        more = "" if isinstance(config, MixedConfig) else "--variants and "
        raise ValueError(
            f"workers={options.who} are for learners of mixed-ppo; add {more}--set learners=8, or leave the workers out"
        )
    check_workers(options.who)
    check_memory(compile_game(read_rules(rules)), config, options.evaluation_games)
    if isinstance(config, MixedConfig):
        entries = lasting_entries(config.variants, config.open)
        return MixedPPO(entries, config, seed=seed, device=device, workers=options.who)
    reward = "win" if config.objective == "match" else "relative"
    env = VectorEnv(rules, config.num_envs, threads=options.threads, reward=reward, timing=config.timing)
    return PPO(env, config, seed=seed, device=device)


def _new_run(options: TrainOptions, stack: ExitStack) -> Run:
    rules, algorithm = str(read_rules(options.variant)), algorithm_of(options)
    if options.variants is not None:
        with suppress(ValueError):  # one game, and no other named: that one is evaluated
            if options.variant == TrainOptions.variant:
                rules = str(read_rules(options.variants))
    if algorithm != "mixed-ppo":
        check_open(read_rules(rules), options.open)
    config = read_config({**_beginning(options, algorithm), **options.hyper_parameters}, algorithm)
    learner = _learner(rules, config, options.seed, options)  # before the folder: a bad option leaves none
    if isinstance(learner, PPO) and learner.config.start:
        start = learner.config.start
        learner.start_from(_policy(folder_of(start), learner.env.game, start), start)
    if isinstance(learner, MixedPPO) and learner.config.start:
        origin = folder_of(learner.config.start)
        for checkpoint in checkpoints.list_checkpoints(origin)[-1:]:
            content = checkpoints.load_state(checkpoint)
            if _algorithm(content) == "mixed-ppo" and learner.has_sizes(content["config"]):
                checkpoints.use_tensors(checkpoint, content, learner.start_critic)
        learner.start_from(load_general(origin)[0], learner.config.start)
    folder = new_folder(options)
    stack.enter_context(hold(folder))
    state = RunState(rules, options.seed, algorithm, Budget.of(options), config)
    state.options, state.digests = _carried_over(options), _digests(config, learner)
    state.device = "cuda" if learner.device.type == "cuda" else "cpu"
    return Run(folder, options, learner, state)


def _policy(folder: Path, game: Game, where: str) -> PolicyNet:
    """The policy in a folder; of a network for all rules, its layers of a game; of one of another game, what both games
    see and do.
    """
    if is_general(folder):
        net, general = load_general(folder)
        return net.policy(game, general.extra.get("told", ""))
    policy, info = load_policy(folder)
    trained_on = compile_game(read_rules(info.rules))
    check_trained(info, trained_on, where)
    if trained_on.rules == game.rules or policy.inputs != input_size(trained_on):
        return policy
    return policy_of(transfer(arrays_of(policy), trained_on, game), policy.hidden)


def _beginning(options: TrainOptions, algorithm: str) -> dict[str, Any]:
    if algorithm == "mixed-ppo":
        variants = "sampled" if options.variants is None else options.variants
        values: dict[str, Any] = {"variants": variants, "open": options.open}
        if options.start is None:
            return values
        general = read_general(folder_of(options.start))[1]
        sizes = {"width": general.width, "depth": general.depth, "code": general.code}
        return {**FROM_GENERAL, **values, **sizes, "start": options.start}
    if options.preset:
        return dict(PRESETS[options.preset].hyper_parameters)
    if options.start is None:
        return {}
    folder = folder_of(options.start)
    if is_general(folder):
        hidden = read_general(folder)[1].hidden
        return {**FROM_NETWORK, "start": options.start, "hidden": hidden, "own_counts": True}
    weights, info = read_policy(folder)
    found = {"start": options.start, "hidden": info.hidden, "own_counts": "own" in weights}
    return {**FROM_NETWORK, **found, "start_temperature": DISTILLED_TEMPERATURE if "distilled" in info.extra else 1.0}


def _resumed_run(options: TrainOptions, stack: ExitStack) -> Run:
    resume = options.resume or Path()
    folder = _run_folder(checkpoints.find_checkpoint(resume))
    if not options.out:
        stack.enter_context(hold(folder))
    checkpoint = checkpoints.find_checkpoint(resume)
    content = checkpoints.load_state(checkpoint)
    saved, deals = _read(content, checkpoint)
    _check_options(saved, options, checkpoint)
    if saved.budget.cpu_time and options.who != 1:
        raise ValueError("the budget of this run counts CPU time of one process; leave processes and workers out")
    saved.budget = saved.budget.extended(options, saved.seconds / 60, deals)
    given = {name: value for name, value in _carried_over(options).items() if value != getattr(TrainOptions, name)}
    carried: dict[str, Any] = saved.options | given
    options = dataclasses.replace(options, **carried)
    saved.options = _carried_over(options)
    if saved.budget.progress(saved.seconds / 60, deals) >= 1 and _is_finished(folder, deals):
        raise ValueError(f"the run in {resume} has used its budget; give minutes or deals to add to it")
    if saved.algorithm == "ppo":
        options = dataclasses.replace(options, device=_device_again(saved, options, folder))
    learner = _learner(saved.rules, saved.config, saved.seed, options)
    check_digests(saved.digests, _digests(saved.config, learner), folder)
    checkpoints.restore(checkpoint, content, learner)
    if options.out:
        folder = new_folder(options)
        stack.enter_context(hold(folder))
    return Run(folder, options, learner, saved)


def _read(content: dict[str, Any], checkpoint: Path) -> tuple[RunState, int]:
    """The state that a checkpoint holds, checked, and the deals that were finished.

    Raises ValueError, in one line, for what no run has saved.
    """
    try:
        algorithm = _algorithm(content)
        _check_names(content["config"], algorithm)
        saved = RunState(
            rules=str(read_rules(str(content["rules"]))),
            seed=TrainOptions(seed=content["seed"]).seed,
            algorithm=algorithm,
            budget=Budget(**content["budget"]),
            config=read_config(content["config"], algorithm),
            seconds=_number(content["seconds"], 0, 60 * 2 * MOST_MINUTES),
            entropy=None if content["entropy"] is None else _number(content["entropy"]),
            device=TrainOptions(device=content.get("device", "auto")).device,
            imitated=int(_number(content["imitated"], 0, 2 * MOST_DEALS)),
            curve=[_point(point) for point in content["curve"]],
            options=_carried_over(TrainOptions(**content.get("options", {}))),
            digests={str(spec): str(digest) for spec, digest in content.get("digests", {}).items()},
            run=[dict(one) for one in content["run"]],
        )
        return saved, int(_number(content["counters"]["deals"], 0, 2 * MOST_DEALS))
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else " ".join(str(error).split())
        raise ValueError(f"{checkpoint} does not fit this release ({reason}); start a new run") from None


def _check_names(config: Mapping[str, Any], algorithm: Algorithm) -> None:
    """Raise ValueError if a saved configuration lacks a hyper-parameter, or has one that there is no more."""
    known = {field.name for field in dataclasses.fields(CONFIGS[algorithm])}
    if gone := config.keys() - known:
        name = max(sorted(gone), key=lambda name: bool(config[name]))  # rather one that was set
        raise ValueError(f"its config has {name}={config[name]}, and there is no hyper-parameter {name} any more")
    if missing := known - config.keys():
        raise ValueError(f"its config lacks {min(missing)}")


def _digests(config: PPOConfig, learner: Learner) -> dict[str, str]:
    """Digests of what determines a run besides its options; see `RunState`."""
    found = {spec: make_agent(spec).digest for spec in (config.teacher, *config.opponents)}
    if isinstance(config, MixedConfig) and isinstance(learner, MixedPPO):
        rules = "\n".join(str(preset.rules) for preset in learner.presets)
        found |= {spec: make_agent(spec).digest for spec in learner.teachers}
        found[config.variants] = hashlib.sha256(rules.encode()).hexdigest()
    return {name: digest for name, digest in found.items() if digest}


def check_digests(saved: Mapping[str, str], found: Mapping[str, str], folder: Path) -> None:
    """Raise ValueError, in one line, if a digest differs from the one that was saved when the run began."""
    for name in saved.keys() & found.keys():
        if saved[name] != found[name]:
            raise ValueError(
                f"{name} is not what it was when the run in {folder} began; put that back, or start a new run"
            )


def _carried_over(options: TrainOptions) -> dict[str, int]:
    return {name: getattr(options, name) for name in CARRIED_OVER}


def _number(value: Any, least: float = -math.inf, most: float = math.inf) -> float:
    if type(value) not in (int, float) or not least <= value <= most or not math.isfinite(value):
        raise ValueError(f"{value!r} is not a possible number")
    return float(value)


def _point(point: dict[str, Any]) -> dict[str, Any]:
    numbers = {name: {rival: _number(point[name][rival]) for rival in RIVALS} for name in ("margins", "errors")}
    entropy = None if point["entropy"] is None else _number(point["entropy"])
    moons = {name: None if point[name] is None else _number(point[name], 0, 1) for name in ("attempted", "shot")}
    unseen = None if point["unseen"] is None else [_number(number) for number in point["unseen"]]
    if unseen is not None and len(unseen) != 2:
        raise ValueError(f"unseen={unseen} is not a score and its standard error")
    return {"deals": int(_number(point["deals"], 0)), **numbers, "entropy": entropy, **moons, "unseen": unseen}


def _check_options(saved: RunState, options: TrainOptions, checkpoint: Path) -> None:
    wanted = str(read_rules(options.variant))
    if wanted not in (saved.rules, str(read_rules(TrainOptions.variant))):
        raise ValueError(f"{checkpoint} was trained on {saved.rules}, not {wanted}; leave the variant out to continue")
    if options.seed not in (saved.seed, TrainOptions.seed):
        raise ValueError(f"{checkpoint} was trained with seed={saved.seed}, not {options.seed}; leave the seed out")
    if options.algorithm not in (None, saved.algorithm):
        raise ValueError(
            f"{checkpoint} was trained by {saved.algorithm}, not {options.algorithm}; leave the algorithm out"
        )
    values = {**dataclasses.asdict(saved.config), **options.hyper_parameters}
    for name, value in dataclasses.asdict(read_config(values, saved.algorithm)).items():
        kept = getattr(saved.config, name)
        if name in options.hyper_parameters and value != kept:
            raise ValueError(f"{name}={value} cannot be changed when a run is resumed ({name}={kept}); leave it out")
    for name in ("teacher", "opponents"):
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
