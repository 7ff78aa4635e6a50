"""Options of the commands that train and write data sets, and the budget of a run. Imports no torch.

A class of options is both what a function takes and what a command shows: `hearts train` is `TrainOptions` with a
method that runs it, and the text below a field is its help.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from numbers import Integral
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import tyro

from hearts_agents.sizes import MOST_LAYERS, MOST_WIDTH
from hearts_agents.workers import Workers
from hearts_training.train.presets import PRESETS

Device = Literal["auto", "cpu", "cuda"]
Agents = Annotated[tuple[str, ...], tyro.conf.arg(metavar="AGENT [AGENT ...]")]
UNSET = tyro.conf.arg(help_behavior_hint="")
"""Hides the default of an option that is off by default, or whose help text explains the default."""
File = Annotated[Path | None, UNSET, tyro.conf.arg(metavar="FILE")]
Count = Annotated[int | None, UNSET, tyro.conf.arg(metavar="INT")]
DEFAULT_MINUTES = 2.0
MOST_MINUTES, MOST_DEALS = 10**7, 10**12


def check_numbers(options: object, ranges: Mapping[str, tuple[int, int]]) -> None:
    """Raise ValueError for a field that is not a whole number in its range; NumPy's whole numbers become Python's."""
    for name, (least, most) in ranges.items():
        value = getattr(options, name)
        if not isinstance(value, Integral) or not least <= int(value) <= most:
            raise ValueError(f"{name}={value} must be at least {least} and at most {most}, a whole number")
        object.__setattr__(options, name, int(value))


@dataclass(frozen=True, kw_only=True)
class WorkerOptions:
    """The workers: processes on this machine or a Ray cluster. The result does not depend on them."""

    processes: int = 1
    """Number of processes that work; the result does not depend on it."""
    workers: Annotated[str | None, UNSET, tyro.conf.arg(metavar="ADDRESS")] = None
    """The Ray cluster that works instead: the address of its head, auto for the one that runs on this machine, or local
    to start Ray on this machine (extra cluster). The result does not depend on it."""

    @property
    def who(self) -> Workers:
        """The number of processes or the address of the cluster. Raises ValueError if both are given."""
        if self.workers is not None and self.processes != 1:
            raise ValueError(f"processes={self.processes} and workers={self.workers} contradict; give one of them")
        return self.processes if self.workers is None else self.workers


FOR_A_NEW_RUN = ("start", "preset", "variants", "open")
"""Options that no resumed run takes."""


@dataclass(frozen=True)
class TrainOptions(WorkerOptions):
    """One training run: what `hearts_training.train.start.train` takes. An option out of range is a ValueError.

    >>> TrainOptions(minutes=5, hyper_parameters={"clip": 0.2}).variant
    'black_lady'
    """

    variant: str = "black_lady"
    """The variant, optionally with changes to its rules in brackets. With --variants: the one that is evaluated."""
    variants: Annotated[str | None, UNSET, tyro.conf.arg(metavar="all|sampled|SPLIT|FILE|RULES")] = None
    """Train one network for many games instead: all registered variants, sampled rules, those of a split of the
    benchmark, such as train_0:16, those of a file with the text of some rules in each line, or one by its text."""
    open: bool = False
    """Train on rules that the benchmark tests, too; with --variants sampled, on any rules and the registered variants
    beside them."""
    start: Annotated[str | None, UNSET, tyro.conf.arg(metavar="NAME|FOLDER")] = None
    """Go on from a network that comes with the suite, such as black_lady, or from one in a folder, of this game or of
    another, instead of random weights; with --variants, from one for all rules. Steps are then small: see
    hearts_training.train.presets."""
    preset: Annotated[Literal["strong"] | None, UNSET] = None
    """strong: three hours from random weights, with the hyper-parameters for them; --set still changes each."""
    minutes: Annotated[float | None, UNSET] = None
    """Training time in minutes; 2 if neither this nor --deals is given. With --resume: additional minutes."""
    cpu_time: bool = False
    """Count minutes of CPU time, all threads added up, so that runs on a busy machine are comparable."""
    deals: Annotated[int | None, UNSET] = None
    """Train for this number of deals instead; the last update may add some. With --resume: additional deals."""
    out: Annotated[Path | None, UNSET] = None
    """New folder for the files of the run; runs/VARIANT-TIME-SEED by default."""
    resume: Annotated[Path | None, UNSET] = None
    """Folder of a run to continue, to the end of its budget or by the minutes or deals given."""
    seed: int = 0
    """Fixes deals, initial weights and choices."""
    threads: int = 2
    """CPU threads to use. With --resume: as before, unless given."""
    device: Device = "auto"
    """Device of the networks; auto uses cuda if it is available. Learners on a cluster use the CPU."""
    evaluations: int = 16
    """Points on the learning curve after the first one; 0 for the last one only. With --resume: as before, unless
    given, like the next one."""
    arena_deals: int = 1000
    """Deals per opponent in the final table; 0 for no table."""
    evaluation_games: Annotated[int, tyro.conf.Suppress, tyro.conf.Fixed] = 512
    """A quarter of the tables of an evaluation; a deal is played at one for every seat, or team."""
    hyper_parameters: Annotated[dict[str, Any], tyro.conf.Suppress, tyro.conf.Fixed] = dataclasses.field(
        default_factory=dict
    )
    """Hyper-parameters of `hearts_training.train.config` to change, by name; on the command line --set. With --workers
    or --processes, `learners` learn there, and the final table is played there."""

    def __post_init__(self) -> None:
        if self.minutes is not None and self.deals is not None:
            raise ValueError("minutes and deals are both given; give one of them")
        check_budget(self.minutes, self.deals)
        check_numbers(
            self,
            {
                "threads": (1, 1024),
                "seed": (0, 2**64 - 1),
                "evaluations": (0, 10**6),
                "evaluation_games": (2, 2**20),
                "arena_deals": (0, 2**31 - 1),
            },
        )
        for name, known in {"preset": (*PRESETS, None), "device": get_args(Device)}.items():
            if getattr(self, name) not in known:
                raise ValueError(f"{name}={getattr(self, name)!r} is not one of {', '.join(filter(None, known))}")
        if self.who != 1 and self.cpu_time:
            raise ValueError("cpu_time counts this process alone; with processes or workers give minutes or deals")
        if found := self.hyper_parameters.keys() & FOR_A_NEW_RUN:
            name = min(found)
            raise ValueError(f"{name} is an option, not a hyper-parameter; write --{name}")
        if self.preset and self.variants is not None:
            raise ValueError(f"preset={self.preset} is for training on one game; leave it out")
        if self.preset and self.start is not None:
            raise ValueError("preset and start are both given; give one of them")
        for name in FOR_A_NEW_RUN if self.resume else ():
            if getattr(self, name) not in (None, False):
                raise ValueError(f"{name}={getattr(self, name)} is for a new run; leave it out")


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
    """One search for weights of the rule agent: what `hearts_training.train.tune.tune` takes."""

    variant: str = "black_lady"
    """The variant, optionally with changes to its rules in brackets."""
    generations: int = 150
    """Number of generations."""
    population: int = 20
    """Candidates per generation, 4 or more."""
    deals: int = 150
    """Duplicate deals per generation and opponent."""
    check_deals: int = 4000
    """New deals in which the result plays against the start and every opponent."""
    opponents: Agents = ("rule(shoot=0.3, shoot_pass=0.35)",)
    """Agents to beat, in addition to the one to start from."""
    start: str = "rule"
    """The rule agent to start from."""
    names: Annotated[tuple[str, ...], UNSET, tyro.conf.arg(metavar="WEIGHT [WEIGHT ...]")] = ()
    """Weights to tune; all if none is named."""
    seed: int = 0
    """Fixes candidates and deals."""

    def __post_init__(self) -> None:
        most = 2**31 - 1
        counts = {"generations": (1, most), "population": (4, most), "deals": (1, most), "check_deals": (2, most)}
        check_numbers(self, {**counts, "seed": (0, 2**64 - 1)})
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
    """The content of a data set of searched decisions."""

    agent: Annotated[str, tyro.conf.Positional] = "pimc(worlds=64)"
    """The search that values the actions: pimc with a number of worlds."""
    variant: str = "black_lady"
    """The variant, optionally with changes to its rules in brackets."""
    players: Agents = ("pimc(worlds=64)", "rule")
    """Agents that play; one is drawn for every seat of every deal, and all decisions are labelled."""
    explore: float = 0.0
    """Probability that a seat plays any legal action instead of its agent's."""
    seed: int = 0
    """Fixes deals, seats and random choices."""

    def __post_init__(self) -> None:
        _check_data("players", self.players, self.explore, self.seed)


@dataclass(frozen=True)
class RecordOptions:
    """The content of a data set of games."""

    agents: Agents = ("rule",)
    """Agents that play; one is drawn for every seat of every deal."""
    variant: str = "black_lady"
    """The variant, optionally with changes to its rules in brackets."""
    explore: float = 0.0
    """Probability that a seat plays any legal action instead of its agent's."""
    observations: bool = False
    """Also write the observation, the legal actions and the reward of every action."""
    seed: int = 0
    """Fixes deals, seats and random choices."""

    def __post_init__(self) -> None:
        _check_data("agents", self.agents, self.explore, self.seed)


def _check_data(name: str, agents: tuple[str, ...], explore: float, seed: int) -> None:
    if not 0 <= explore <= 1:
        raise ValueError(f"explore={explore} must be from 0 to 1")
    if not agents:
        raise ValueError(f"{name} is empty; name one agent or more")
    from hearts_env.checks import seed_of

    seed_of(seed)


@dataclass(frozen=True)
class DistilOptions:
    """A policy that is trained on labelled decisions, or a network for all rules on those of several games."""

    data: Annotated[tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="FOLDER [FOLDER ...]")] = (
        Path("data/labels"),
    )
    """Folder of the data set, or several of different games."""
    hidden: tuple[int, ...] = (512, 512, 512, 512)
    """Widths of the hidden layers; a layer as wide as the one before is residual. All the same for several games."""
    epochs: int = 3
    """Passes over the data."""
    batch: int = 1024
    """Decisions per gradient step."""
    learning_rate: float = 1e-3
    """Highest step size of AdamW."""
    weight_decay: float = 0.01
    """Weight decay of AdamW."""
    temperature: float | None = None
    """Difference of values at which the better of two actions is e times as probable: in points, 1 if not given; for
    several games in standard deviations of a deal's margin among rule, 0.1 if not given."""
    held_out: int = 2
    """Files of each data set that are kept for evaluation."""
    seed: int = 0
    """Fixes initial weights and the order of the data."""
    threads: int = 2
    """CPU threads to use."""

    def __post_init__(self) -> None:
        whole = {"epochs": (1, 1000), "batch": (1, 2**20), "held_out": (1, 10**6), "threads": (1, 1024)}
        check_numbers(self, {**whole, "seed": (0, 2**63 - 1)})
        for name, most in (("learning_rate", 1), ("temperature", 1000)):
            value = getattr(self, name)
            if value is not None and not 0 < value <= most:
                raise ValueError(f"{name}={value} must be above 0 and at most {most}")
        if not self.data:
            raise ValueError("data is empty; name the folder of a data set")
        if not 0 <= self.weight_decay <= 1:
            raise ValueError(f"weight_decay={self.weight_decay} must be from 0 to 1")
        if not 1 <= len(self.hidden) <= MOST_LAYERS or not all(1 <= width <= MOST_WIDTH for width in self.hidden):
            raise ValueError(f"hidden={self.hidden} must name 1 to {MOST_LAYERS} widths, each from 1 to {MOST_WIDTH}")
