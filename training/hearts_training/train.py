"""The training run, `train`: budget, checkpoints, evaluation, learning curve and the final table."""

from __future__ import annotations

import dataclasses
import json
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

import torch
from torch.utils.tensorboard import SummaryWriter

from hearts_agents.arena import ArenaResult
from hearts_agents.files import write_file
from hearts_agents.neural import save_policy
from hearts_env.envs.vector import VectorEnv
from hearts_env.variants.registry import rules as read_rules
from hearts_training import checkpoint as store
from hearts_training.bench.network_only import network_only
from hearts_training.curve import draw_curve
from hearts_training.evaluate import RandomOpponents
from hearts_training.options import Budget, TrainOptions, new_folder
from hearts_training.ppo import PPO, PPOConfig, check_hyper_parameter
from hearts_training.progress import ProgressBar, Status

Report = Callable[[Status], object]


@dataclass(frozen=True)
class TrainResult:
    """The result of a run, also written as `result.json` in its folder.

    Attributes:
        folder: the run's folder; ``net:<folder>`` is the agent.
        variant: canonical text of the rules.
        seed: the seed.
        deals: deals finished.
        decisions: moves made, forced ones included.
        minutes: training time.
        interrupted: whether the run was stopped before its budget was used.
        decisions_per_second: end to end.
        network_only_per_second: network-only throughput (an upper bound).
        curve: evaluations against random players: deals, margin, error (standard error), entropy (None before the first
            update).
        arena: the final table, as `hearts arena --json` prints it; empty if there was none.
        pairs: the margin of each agent against each other in that table: name, rival, points, points_se, margin,
            margin_se.
    """

    folder: Path
    variant: str
    seed: int
    deals: int
    decisions: int
    minutes: float
    interrupted: bool
    decisions_per_second: float
    network_only_per_second: float
    curve: list[dict[str, Any]]
    arena: dict[str, Any]
    pairs: list[dict[str, Any]]


def train(options: TrainOptions, report: Report | None = None) -> TrainResult:
    """Train a policy by self-play and evaluate it.

    Args:
        options: the run.
        report: called after every update; if it returns True, training stops as it does after Ctrl-C. The default is a
            progress bar.

    Raises:
        ValueError: a bad option, folder or checkpoint, in one line, before anything is written.
        KeyboardInterrupt: a second Ctrl-C; the last checkpoint is complete.
    """
    torch.set_num_threads(options.threads)
    run = _resumed_run(options) if options.resume else _new_run(options)
    with Interrupt() as interrupt:
        if report is not None:
            run.learn(report, interrupt)
        else:
            with ProgressBar() as bar:
                run.learn(bar, interrupt)
        return run.finish(interrupt)


class Interrupt:
    """A context in which the first Ctrl-C only sets `requested`; the second raises KeyboardInterrupt as usual."""

    def __init__(self) -> None:
        self.requested = False
        self._before: Any = None

    def __enter__(self) -> Interrupt:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.requested:
            raise KeyboardInterrupt
        self.requested = True


@dataclass
class Run:
    """A training run in progress.

    Attributes:
        folder: the folder it writes to.
        options: as given.
        rules: canonical text of the rules.
        seed: the seed the run was started with.
        budget: its total length.
        ppo: the learner.
        seconds: training time so far.
        curve: evaluations so far.
    """

    folder: Path
    options: TrainOptions
    rules: str
    seed: int
    budget: Budget
    ppo: PPO
    seconds: float = 0.0
    curve: list[dict[str, Any]] = field(default_factory=list)

    @property
    def progress(self) -> float:
        """The fraction of the budget used."""
        return self.budget.progress(self.seconds / 60, self.ppo.deals)

    def learn(self, report: Report, interrupt: Interrupt) -> None:
        """Train until the budget is used or a stop is requested, then save."""
        evaluator = RandomOpponents(self.rules, games=self.options.evaluation_games)
        entropy = self.curve[-1]["entropy"] if self.curve else None
        if not self.curve:
            self._evaluate(evaluator, None)
        decisions, started = self.ppo.decisions, time.perf_counter() - self.seconds
        first, saved = self.seconds, self.seconds
        with SummaryWriter(str(self.folder / "tensorboard")) as board:
            for figures in self.ppo.learn(lambda: 1.0 if interrupt.requested else self.progress):
                self.seconds = time.perf_counter() - started
                entropy = figures["entropy"]
                for name, value in figures.items():
                    board.add_scalar(f"train/{name}", value, self.ppo.deals)
                if self.progress * self.options.evaluations >= len(self.curve):
                    point = self._evaluate(evaluator, entropy)
                    board.add_scalar("evaluation/margin_against_random", point["margin"], self.ppo.deals)
                if self.seconds - saved > 60 * self.options.checkpoint_minutes:
                    self.save()
                    saved = self.seconds
                speed = (self.ppo.decisions - decisions) / (self.seconds - first)
                board.add_scalar("train/decisions_per_second", speed, self.ppo.deals)
                if report(self._status(speed, entropy)):
                    interrupt.requested = True
        if self.curve[-1]["deals"] != self.ppo.deals:
            self._evaluate(evaluator, entropy)
        self.save()

    def _evaluate(self, evaluator: RandomOpponents, entropy: float | None) -> dict[str, Any]:
        margin = evaluator.margin(self.ppo.policy, self.ppo.device)
        point = {"deals": self.ppo.deals, "margin": margin.mean, "error": margin.error, "entropy": entropy}
        self.curve.append(point)
        return point

    def _status(self, speed: float, entropy: float) -> Status:
        left = self.seconds / self.progress * (1 - self.progress)
        return Status(self.progress, self.ppo.deals, speed, left, entropy, self.curve[-1]["margin"])

    def save(self) -> None:
        """Write the checkpoint and the policy."""
        state = {
            "rules": self.rules,
            "seed": self.seed,
            "seconds": self.seconds,
            "budget": dataclasses.asdict(self.budget),
            "config": dataclasses.asdict(self.ppo.config),
            "curve": self.curve,
        }
        store.save_checkpoint(self.folder, self.ppo, state)
        save_policy(self.folder, self.ppo.policy, read_rules(self.rules), {"deals": self.ppo.deals})

    def finish(self, interrupt: Interrupt) -> TrainResult:
        """Plot the curve, play the final table unless interrupted, and write `result.json`."""
        write_file(self.folder / "learning_curve.png", draw_curve(self.curve, self.rules))
        table = None if interrupt.requested or not self.options.arena_deals else self._arena()
        result = TrainResult(
            folder=self.folder,
            variant=self.rules,
            seed=self.seed,
            deals=self.ppo.deals,
            decisions=self.ppo.decisions,
            minutes=self.seconds / 60,
            interrupted=interrupt.requested,
            decisions_per_second=self.ppo.decisions / max(self.seconds, 1e-9),
            network_only_per_second=network_only(self.ppo),
            curve=self.curve,
            arena={} if table is None else table.to_dict(),
            pairs=[] if table is None else [dataclasses.asdict(pair) for pair in table.pairs],
        )
        text = json.dumps({**dataclasses.asdict(result), "folder": str(self.folder)}, indent=2)
        write_file(self.folder / "result.json", (text + "\n").encode())
        return result

    def _arena(self) -> ArenaResult:
        from hearts_agents.arena import run_arena

        return run_arena([f"net:{self.folder}", "random", "rule"], variant=self.rules, deals=self.options.arena_deals)


def _device(name: str) -> str:
    if name == "cuda" and not torch.cuda.is_available():
        raise ValueError("device='cuda' is not available on this machine; use cpu or auto")
    return "cuda" if name == "auto" and torch.cuda.is_available() else name.replace("auto", "cpu")


def _learner(rules: str, config: PPOConfig, seed: int, options: TrainOptions) -> PPO:
    env = VectorEnv(rules, config.num_envs, threads=options.threads, reward="relative", timing=config.timing)
    return PPO(env, config, seed=seed, device=_device(options.device))


def _config(changes: dict[str, Any]) -> PPOConfig:
    for name in changes:
        check_hyper_parameter(name)
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in changes.items()
    }
    return PPOConfig(**values)


def _new_run(options: TrainOptions) -> Run:
    rules = str(read_rules(options.variant))
    config = _config(options.hyper_parameters)
    ppo = _learner(rules, config, options.seed, options)  # before the folder: a bad option leaves none behind
    return Run(new_folder(options), options, rules, options.seed, Budget.of(options), ppo)


def _resumed_run(options: TrainOptions) -> Run:
    checkpoint = store.find_checkpoint(options.resume or Path())
    state = store.load_state(checkpoint)
    try:
        rules, seed = str(read_rules(state["rules"])), int(state["seed"])
        config, budget = _config(state["config"]), Budget(**state["budget"])
        seconds, deals = float(state["seconds"]), int(state["counters"]["deals"])
        curve = list(state["curve"])
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{checkpoint} does not fit this release ({error}); start a new run") from None
    wanted = str(read_rules(options.variant))
    if wanted not in (rules, str(read_rules(TrainOptions.variant))):
        raise ValueError(f"{checkpoint} was trained on {rules}, not {wanted}; leave the variant out to continue")
    if options.hyper_parameters:
        raise ValueError("hyper-parameters cannot be changed when a run is resumed; leave them out")
    budget = budget.extended(options, seconds / 60, deals)
    ppo = _learner(rules, config, seed, options)
    store.restore(checkpoint, state, ppo)
    folder = new_folder(options) if options.out else _run_folder(checkpoint)
    return Run(folder, options, rules, seed, budget, ppo, seconds, curve)


def _run_folder(checkpoint: Path) -> Path:
    """The folder of the run that a checkpoint belongs to."""
    return checkpoint.parent if checkpoint.name.startswith(store.PREFIX) else checkpoint
