"""A training run in progress: learning, evaluation, saving and the final table."""

from __future__ import annotations

import dataclasses
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from torch.utils.tensorboard import SummaryWriter

from hearts_agents.arena import ArenaResult
from hearts_agents.base import Agent
from hearts_agents.files import write_file
from hearts_agents.registry import make_agent
from hearts_agents.weights import network_spec
from hearts_env.benchmark.splits import split
from hearts_env.variants.registry import rules as read_rules
from hearts_training import checkpoints
from hearts_training.evaluate.benchmark import quick_score
from hearts_training.evaluate.curve import draw_curve
from hearts_training.evaluate.quick import RIVALS, evaluate
from hearts_training.interrupt import Interrupt
from hearts_training.optimisers import DivergedError
from hearts_training.progress import Status
from hearts_training.provenance import Provenance, add_entry, entry
from hearts_training.train.config import Config, flat
from hearts_training.train.learner import Learner
from hearts_training.train.options import Budget, Device, TrainOptions

Report = Callable[[Status], object]
RESULT, CURVE = "result.json", "learning_curve.png"
DEALS_OF_A_MATCH = 10
"""If the objective is the match, the final table has one match for this number of requested deals."""
CARRIED_OVER = ("threads", "evaluations", "evaluation_games", "arena_deals")
"""Options that a resumed run keeps, unless values other than the defaults are given."""
CHECKPOINT_SECONDS = 60.0
"""Training time between checkpoints."""
GAMES_OF_A_RULE = 32
"""In training on many games, an evaluation plays one rule of split V for this number of `evaluation_games`."""


@dataclass(frozen=True)
class TrainResult:
    """The result of a run, also written as `result.json` in its folder.

    Attributes:
        folder: the run's folder.
        variant: canonical text of the rules.
        seed: the seed.
        agent: spec of the agent.
        start: the policy that it started from; empty for random weights.
        deals: deals finished.
        decisions: moves made, forced ones included.
        minutes: training time; CPU time if the budget counts that.
        interrupted: whether the run was stopped before its budget was used.
        decisions_per_second: end to end.
        imitated: deals in which the teacher was imitated; 0 if none was.
        curve: evaluations: deals, margins and errors (standard errors) by opponent, entropy (None before the first
            update), attempted and shot (shares of the deals among random players in which it attempted and shot the
            moon; None where the rules have no moon), unseen (of training on many games: the mean score over some rules
            of the benchmark's split V, 1 for as good as ``rule``, and its standard error; None otherwise).
        arena: the final table, as `hearts arena --json` prints it; empty if there was none.
        table_interrupted: whether the final table counts the deals that were finished before it was interrupted.
    """

    folder: Path
    variant: str
    seed: int
    agent: str
    start: str
    deals: int
    decisions: int
    minutes: float
    interrupted: bool
    decisions_per_second: float
    imitated: int
    curve: list[dict[str, Any]]
    arena: dict[str, Any]
    table_interrupted: bool


@dataclass
class RunState:
    """The state of a run that a checkpoint keeps besides tensors and counters.

    Attributes:
        rules: canonical text of the rules.
        seed: the seed the run was started with.
        budget: its total length.
        config: the hyper-parameters.
        sizes: of the networks, what the hyper-parameters do not say; see `hearts_training.train.build`.
        seconds: training time so far.
        entropy: of the policy at the last update; None before the first one.
        device: the kind of device that the networks are on, ``cpu`` or ``cuda``; ``auto`` if it is not known.
        imitated: deals in which the teacher was imitated.
        curve: evaluations so far.
        options: those that are carried over; see `CARRIED_OVER`.
        digests: digests, taken at the start, of what else determines the run, by name: the weights of a teacher or an
            opponent, the file of a reward, the rules in a file or a split.
        run: how it came to be: an entry for each command that worked on it.
    """

    rules: str
    seed: int
    budget: Budget
    config: Config
    sizes: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    entropy: float | None = None
    device: Device = "auto"
    imitated: int = 0
    curve: list[dict[str, Any]] = field(default_factory=list)
    options: dict[str, int] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    run: list[Provenance] = field(default_factory=list)


@dataclass
class Run:
    """A training run in progress: the folder it writes to, its options, its learner and what else is kept of it."""

    folder: Path
    options: TrainOptions
    learner: Learner
    state: RunState

    @property
    def agent(self) -> str:
        """Spec of the agent that it trains."""
        return network_spec(self.folder)

    @property
    def progress(self) -> float:
        """The fraction of the budget used."""
        return self.state.budget.progress(self.state.seconds / 60, self.learner.deals)

    @property
    def _speed(self) -> float:
        """Decisions per second of the whole run."""
        return self.learner.decisions / max(self.state.seconds, 1e-9)

    def learn(self, report: Report, interrupt: Interrupt) -> None:
        """Train until the budget is used or a stop is requested, then save. A checkpoint is also written at the start.

        Raises DivergedError, in one line, if training diverged; the checkpoint before that stays.
        """
        state = self.state
        made = {"variant": state.rules, "budget": dataclasses.asdict(state.budget), "digests": state.digests}
        state.run = add_entry(state.run, entry(made | flat(state.config), state.seed))
        self.save()
        try:
            learning = self.learner.learn(lambda: 1.0 if interrupt.requested else self.progress)
            with _board(self.folder / "tensorboard") as board, closing(learning) as updates:
                self._learn(updates, report, interrupt, board)
        except DivergedError as error:
            raise DivergedError(
                f"{error} after {self.learner.deals:,} deals; the checkpoint in {self.folder} is from before; "
                "start again with a lower learning_rate, clip or entropy"
            ) from None
        self.save()

    def _learn(
        self, updates: Iterator[dict[str, float]], report: Report, interrupt: Interrupt, board: SummaryWriter
    ) -> None:
        if not self.state.curve:
            self._evaluate()
        clock = time.process_time if self.state.budget.cpu_time else time.perf_counter
        decisions, started = self.learner.decisions, clock() - self.state.seconds
        first, saved, passed = self.state.seconds, self.state.seconds, self._evaluations_due()
        deals = self.learner.deals
        for figures in updates:
            self.state.seconds = clock() - started
            self.state.entropy = figures["entropy"]
            if self.learner.imitating:
                self.state.imitated += self.learner.deals - deals
            deals = self.learner.deals
            for name, value in figures.items():
                board.add_scalar(f"train/{name}", value, self.learner.deals)
            if self._evaluations_due() > passed:
                passed = self._evaluations_due()
                self._evaluate()
                self._show_point(board)
            if self.state.seconds - saved > CHECKPOINT_SECONDS:
                self.save()
                saved = self.state.seconds
            speed = (self.learner.decisions - decisions) / (self.state.seconds - first)
            board.add_scalar("train/decisions_per_second", speed, self.learner.deals)
            if report(self._status(speed, self.state.entropy)):
                interrupt.requested = True
        if not interrupt.requested and self.state.curve[-1]["deals"] != self.learner.deals:
            self._evaluate()  # an interrupted run goes on to the same curve as one that was not
            self._show_point(board)

    def _evaluations_due(self) -> int:
        """The number of evaluations, after the first one, that are due at the part of the budget that is used."""
        return int(self.progress * self.options.evaluations)

    def _evaluate(self) -> None:
        rules, tables = read_rules(self.state.rules), 4 * self.options.evaluation_games
        player = self.learner.player()
        found = {rival: evaluate(rules, player, rival, tables) for rival in RIVALS}
        self.state.curve.append(
            {
                "deals": self.learner.deals,
                "margins": {rival: result.margin.value for rival, result in found.items()},
                "errors": {rival: result.margin.error for rival, result in found.items()},
                "entropy": self.state.entropy,
                "attempted": found["random"].attempted,
                "shot": found["random"].shot,
                "unseen": self._score_unseen(player),
            }
        )
        if policy := checkpoints.kept_policy(self.folder, len(self.state.curve) - 1):
            self.learner.save_agent(policy, self.state.run)

    def _score_unseen(self, player: Agent) -> list[float] | None:
        rules = min(self.options.evaluation_games // GAMES_OF_A_RULE, len(split("V")))
        return list(quick_score(player, "V", rules)) if self.state.config.many and rules else None

    def _show_point(self, board: SummaryWriter) -> None:
        point = self.state.curve[-1]
        for name, value in (
            *((f"margin_against_{rival}", margin) for rival, margin in point["margins"].items()),
            ("moons_attempted", point["attempted"]),
            ("moons_shot", point["shot"]),
            ("score_unseen", point["unseen"] and point["unseen"][0]),
        ):
            if value is not None:
                board.add_scalar(f"evaluation/{name}", value, point["deals"])

    def _status(self, speed: float, entropy: float) -> Status:
        left = self.state.seconds / self.progress * (1 - self.progress)
        return Status(self.progress, self.learner.deals, speed, left, entropy, self.state.curve[-1]["margins"])

    def save(self) -> None:
        """Write the checkpoint and the policy."""
        state = dataclasses.asdict(self.state) | {"config": flat(self.state.config)}
        checkpoints.save_checkpoint(self.folder, self.learner, state)
        self.learner.save_agent(self.folder, self.state.run)

    def finish(self, report: Report, interrupt: Interrupt) -> TrainResult:
        """Plot the curve, play the final table unless interrupted, and write ``result.json``. A stop that is requested
        while the table is played ends it; it then counts the finished deals.
        """
        interrupted = interrupt.requested  # a stop requested from now on ends the table, not the training
        write_file(self.folder / CURVE, draw_curve(self.state.curve, self.state.rules, self.state.imitated))
        stopped = interrupted or not self.options.arena_deals
        table, table_interrupted = (None, False) if stopped else self._arena(report, interrupt)
        result = TrainResult(
            folder=self.folder,
            variant=self.state.rules,
            seed=self.state.seed,
            agent=self.agent,
            start=self.state.config.start,
            deals=self.learner.deals,
            decisions=self.learner.decisions,
            minutes=self.state.seconds / 60,
            interrupted=interrupted,
            decisions_per_second=self._speed,
            imitated=self.state.imitated,
            curve=self.state.curve,
            arena={} if table is None else table.to_dict(),
            table_interrupted=table_interrupted,
        )
        text = json.dumps({**dataclasses.asdict(result), "folder": str(self.folder), "run": self.state.run}, indent=2)
        write_file(self.folder / RESULT, (text + "\n").encode())
        return result

    def _arena(self, report: Report, interrupt: Interrupt) -> tuple[ArenaResult | None, bool]:
        """The final table, and whether it was interrupted."""
        from hearts_agents.arena import ArenaInterrupted, run_arena

        last, began = self._status(self._speed, self.state.entropy or 0.0), time.monotonic()

        def look(share: float) -> None:
            left = (time.monotonic() - began) * (1 / share - 1) if share else 0.0
            if report(dataclasses.replace(last, table=share, seconds_left=left, plays=plays)) or interrupt.requested:
                raise KeyboardInterrupt

        trained = make_agent(self.agent)  # not its spec: the workers of a cluster do not have its folder
        config, deals = self.state.config, self.options.arena_deals
        players: list[str | Agent] = [trained, "random", "rule"]
        if config.start:
            with suppress(ValueError):  # a run can be resumed where the policy that it started from is not at hand
                players.append(make_agent(f"net:{config.start}"))
        by_match = config.objective == "match"
        matches = max(1, deals // DEALS_OF_A_MATCH) if by_match else None
        plays = f"{len(players)} agents, each pair in {f'{matches} matches' if matches else f'{deals:,} deals'}"
        try:
            table = run_arena(
                players,
                self.state.rules,
                None if by_match else deals,
                seatings="round-robin",
                matches=matches,
                workers=self.options.who,
                progress=look,
            )
        except ArenaInterrupted as stop:
            return stop.partial, True
        return table, False


@contextmanager
def _board(folder: Path) -> Iterator[SummaryWriter]:
    """TensorBoard files. If they cannot be written, the next call raises OSError, and their thread prints nothing."""
    hook = threading.excepthook

    def pass_over(args: threading.ExceptHookArgs) -> None:
        if not isinstance(args.exc_value, OSError):
            hook(args)

    threading.excepthook = pass_over
    try:
        with SummaryWriter(str(folder)) as board:
            yield board
    finally:
        threading.excepthook = hook
