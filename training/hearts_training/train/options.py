"""Options of the commands that train and write data sets, and the budget of a run. Imports no torch."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from difflib import get_close_matches
from numbers import Integral
from pathlib import Path
from typing import Any

from hearts_agents.workers import Workers
from hearts_training.train.presets import PRESETS

DEFAULT_MINUTES = 2.0
ALGORITHMS = ("ppo", "maskable-ppo", "dmc")
MOST_MINUTES, MOST_DEALS = 10**7, 10**12
_RANGES = {
    "threads": (1, 1024),
    "seed": (0, 2**64 - 1),
    "evaluations": (0, 10**6),
    "evaluation_games": (2, 2**20),
    "arena_deals": (0, 2**31 - 1),
}


@dataclass(frozen=True)
class TrainOptions:
    """One training run.

    Attributes:
        variant: text of the rules.
        algorithm: ``ppo``, ``maskable-ppo`` or ``dmc``; None is that of the run with `resume`, otherwise ``ppo``.
        minutes: training time; 2 if neither this nor `deals` is given. With `resume`: additional minutes.
        cpu_time: count minutes of CPU time, all threads added up, so that runs on a busy machine are comparable.
        deals: length in deals instead; the last update may add some. With `resume`: additional deals.
        out: new folder for the run's files; by default ``runs/<variant>-<date-time>-seed<seed>``.
        resume: folder of a run to continue, to the end of its budget or by the minutes or deals given.
        seed: fixes deals, weights and choices; 0 or more.
        threads: CPU threads to use, 1 or more.
        processes: processes that play the games of actors and the final table.
        workers: the Ray cluster that plays them instead; see `hearts_agents.workers.cluster.ray_cluster`.
        device: ``cpu``, ``cuda``, or ``auto`` for cuda if it is available.
        checkpoint_minutes: time between checkpoints, above 0.
        evaluations: points on the learning curve after the first one; 0 for the last one only.
        evaluation_games: games in an evaluation, 2 or more, of up to four deals each.
        arena_deals: deals of the final table for each opponent; 0 for no table.
        start: a policy that ppo goes on from: the name of a network that comes with the suite, or its folder; other
            hyper-parameters are then the default (`presets.FROM_NETWORK`). None starts from random weights.
        preset: a name in `presets.PRESETS`: hyper-parameters and minutes of ppo from random weights.
        hyper_parameters: fields to change, by name, of the algorithm's class in `hearts_training.train.config`.
    """

    variant: str = "black_lady"
    algorithm: str | None = None
    minutes: float | None = None
    cpu_time: bool = False
    deals: int | None = None
    out: Path | None = None
    resume: Path | None = None
    seed: int = 0
    threads: int = 2
    processes: int = 1
    workers: str | None = None
    device: str = "auto"
    checkpoint_minutes: float = 1.0
    evaluations: int = 16
    evaluation_games: int = 512
    arena_deals: int = 1000
    start: str | None = None
    preset: str | None = None
    hyper_parameters: dict[str, Any] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.minutes is not None and self.deals is not None:
            raise ValueError("minutes and deals are both given; give one of them")
        check_budget(self.minutes, self.deals)
        for name, (least, most) in _RANGES.items():
            value = getattr(self, name)
            if not isinstance(value, Integral) or not least <= int(value) <= most:
                raise ValueError(f"{name}={value} must be at least {least} and at most {most}, a whole number")
            object.__setattr__(self, name, int(value))
        if not self.checkpoint_minutes > 0:
            raise ValueError(f"checkpoint_minutes={self.checkpoint_minutes:g} must be above 0")
        if self.algorithm not in (None, *ALGORITHMS):
            raise ValueError(f"algorithm={self.algorithm!r} is not one of {', '.join(ALGORITHMS)}")
        if self.workers is not None and self.processes != 1:
            raise ValueError(f"processes={self.processes} and workers={self.workers} contradict; give one of them")
        if self.cpu_time and self.who != 1:
            raise ValueError("cpu_time counts this process alone; with processes or workers give minutes or deals")
        if self.device not in ("auto", "cpu", "cuda"):
            raise ValueError(f"device={self.device!r} is not one of auto, cpu, cuda")
        self._check_beginning()

    def _check_beginning(self) -> None:
        if self.preset not in (None, *PRESETS):
            raise ValueError(f"preset={self.preset!r} is not one of {', '.join(PRESETS)}")
        if "start" in self.hyper_parameters:
            raise ValueError("start is an option, not a hyper-parameter; write --start NAME or --start FOLDER")
        if self.start is not None and (self.resume or self.preset or self.algorithm not in (None, "ppo")):
            raise ValueError(f"start={self.start} is for a new run of ppo without a preset; leave it out")
        if self.preset and (self.resume or self.algorithm not in (None, "ppo")):
            raise ValueError(f"preset={self.preset} is for a new run of ppo; leave it out")

    @property
    def who(self) -> Workers:
        """Who plays."""
        return self.processes if self.workers is None else self.workers


def check_budget(minutes: float | None, deals: int | None) -> None:
    """Raise ValueError for a number of minutes or deals that is out of range; None passes."""
    if minutes is not None and not 0 < minutes <= MOST_MINUTES:
        raise ValueError(f"minutes={minutes:g} must be above 0 and finite, at most {MOST_MINUTES}")
    if deals is not None and (not isinstance(deals, Integral) or not 1 <= int(deals) <= MOST_DEALS):
        raise ValueError(f"deals={deals} must be at least 1 and at most {MOST_DEALS}, a whole number")


@dataclass(frozen=True)
class Budget:
    """The total length of a run, in minutes or in deals.

    Attributes:
        minutes: training time.
        deals: number of deals.
        cpu_time: whether minutes are CPU time of the process, all threads added up.

    >>> Budget(deals=1000).progress(minutes=0.5, deals=250)
    0.25
    """

    minutes: float | None = None
    deals: int | None = None
    cpu_time: bool = False

    def __post_init__(self) -> None:
        if type(self.cpu_time) is not bool:
            raise ValueError(f"cpu_time={self.cpu_time!r} must be true or false")
        if (self.minutes is None) == (self.deals is None):
            raise ValueError("a budget is a number of minutes or a number of deals")
        check_budget(self.minutes, self.deals)

    @staticmethod
    def of(options: TrainOptions) -> Budget:
        """The budget of a new run."""
        if options.minutes is None and options.deals is None:
            minutes = PRESETS[options.preset].minutes if options.preset else DEFAULT_MINUTES
            return Budget(minutes=minutes, cpu_time=options.cpu_time)
        return Budget(options.minutes, options.deals, options.cpu_time)

    def extended(self, options: TrainOptions, minutes: float, deals: int) -> Budget:
        """The budget of a run that is resumed after `minutes` and `deals`: what the options add to that, or the same.

        Raises ValueError if the sum is out of range, or if CPU time were to be added to another time.
        """
        if options.cpu_time and not self.cpu_time:
            raise ValueError("cpu_time cannot be given when a run is resumed that was started without it; leave it out")
        if options.minutes is not None:
            return Budget(minutes=minutes + options.minutes, cpu_time=self.cpu_time)
        if options.deals is not None:
            return Budget(deals=deals + options.deals, cpu_time=self.cpu_time)
        return self

    def progress(self, minutes: float, deals: int) -> float:
        """The fraction of the budget used, 0 to 1."""
        used = minutes / self.minutes if self.minutes is not None else deals / (self.deals or 1)
        return min(used, 1.0)


@dataclass(frozen=True)
class TuneOptions:
    """One search.

    Attributes:
        variant: text of the rules.
        generations: number of generations, 1 or more.
        population: candidates per generation, 4 or more.
        deals: duplicate deals per generation and opponent.
        check_deals: new deals on which the result is compared with the start, 2 or more.
        opponents: specs of the agents to beat; the start itself is always one of them.
        start: spec of the rule agent to start from.
        names: the weights to tune; all if empty.
        seed: fixes candidates and deals.
    """

    variant: str = "black_lady"
    generations: int = 150
    population: int = 20
    deals: int = 150
    check_deals: int = 4000
    opponents: tuple[str, ...] = ("rule(shoot=0.3, shoot_pass=0.35)",)
    start: str = "rule"
    names: tuple[str, ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        for name, least in (("generations", 1), ("population", 4), ("deals", 1), ("check_deals", 2), ("seed", 0)):
            if getattr(self, name) < least:
                raise ValueError(f"{name}={getattr(self, name)} must be at least {least}")
        from hearts_agents.rule.weights import Weights

        known = [weight.name for weight in dataclasses.fields(Weights)]
        for name in self.names:
            if name not in known:
                close = get_close_matches(name, known, n=1, cutoff=0)[0]
                raise ValueError(f"there is no weight {name!r}; the closest is {close} (known: {', '.join(known)})")
            if self.names.count(name) > 1:
                raise ValueError(f"names has {name} twice; name each weight once")


@dataclass(frozen=True)
class LabelOptions:
    """What a data set holds.

    Attributes:
        agent: spec of the search that values the actions.
        variant: text of the rules.
        players: specs of the agents that play; one is drawn for every seat of every deal. Every decision is labelled,
            whoever makes it.
        explore: probability that a seat plays any legal action instead, 0 to 1.
        seed: fixes deals, seats and random choices.
    """

    agent: str = "pimc(worlds=64)"
    variant: str = "black_lady"
    players: tuple[str, ...] = ("pimc(worlds=64)", "rule")
    explore: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        _check_data("players", self.players, self.explore, self.seed)


@dataclass(frozen=True)
class RecordOptions:
    """What a data set of games holds.

    Attributes:
        agents: specs of the agents that play; one is drawn for every seat of every deal.
        variant: text of the rules.
        explore: probability that a seat plays any legal action instead of its agent's, 0 to 1.
        observations: whether every action has the observation, the legal actions and the reward beside it.
        seed: fixes deals, seats and random choices.
    """

    agents: tuple[str, ...] = ("rule",)
    variant: str = "black_lady"
    explore: float = 0.0
    observations: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        _check_data("agents", self.agents, self.explore, self.seed)


def _check_data(name: str, agents: tuple[str, ...], explore: float, seed: int) -> None:
    """Raise ValueError for what no data set can be made with."""
    if not 0 <= explore <= 1:
        raise ValueError(f"explore={explore} must be from 0 to 1")
    if not agents:
        raise ValueError(f"{name} is empty; name one agent or more")
    from hearts_env.checks import seed_of

    seed_of(seed)


@dataclass(frozen=True)
class DistilOptions:
    """A policy that is trained on labelled decisions.

    Attributes:
        data: folder of the data set.
        hidden: widths of the policy's hidden layers; a layer as wide as the one before is residual.
        epochs: passes over the data, 1 or more.
        batch: decisions per gradient step.
        learning_rate: AdamW's highest step size.
        weight_decay: of AdamW.
        temperature: difference of values, in points, at which the better of two actions is e times as probable.
        held_out: files of the data set that are kept for evaluation, 1 or more.
        seed: fixes initial weights and the order of the data.
        threads: CPU threads to use.
    """

    data: Path = Path("data/labels")
    hidden: tuple[int, ...] = (512, 512, 512, 512)
    epochs: int = 3
    batch: int = 1024
    learning_rate: float = 1e-3
    weight_decay: float = 0.01
    temperature: float = 1.0
    held_out: int = 2
    seed: int = 0
    threads: int = 2

    def __post_init__(self) -> None:
        for name, most in (("epochs", 1000), ("batch", 2**20), ("held_out", 10**6), ("threads", 1024)):
            if not 1 <= getattr(self, name) <= most:
                raise ValueError(f"{name}={getattr(self, name)} must be from 1 to {most}")
        for name, most in (("learning_rate", 1), ("temperature", 1000)):
            if not 0 < getattr(self, name) <= most:
                raise ValueError(f"{name}={getattr(self, name)} must be above 0 and at most {most}")
        if not 0 <= self.weight_decay <= 1:
            raise ValueError(f"weight_decay={self.weight_decay} must be from 0 to 1")
        if not 0 <= self.seed < 2**63:
            raise ValueError(f"seed={self.seed} must be from 0 to 2**63 - 1")
        if not 1 <= len(self.hidden) <= 16 or not all(1 <= width <= 2**16 for width in self.hidden):
            raise ValueError(f"hidden={self.hidden} must name 1 to 16 widths, each from 1 to 65536")
