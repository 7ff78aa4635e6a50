"""Options and budget of a training run. Imports no torch."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import tyro

from hearts_training.options import MOST, UNSET, Span, WorkerOptions, check_spans
from hearts_training.train.presets import PRESETS

Device = Literal["auto", "cpu", "cuda"]
DEFAULT_MINUTES = 2.0
Minutes = Annotated[float | None, Span(0, 10**7, above=True)]
Deals = Annotated[int | None, Span(1, 10**12)]
FOR_A_NEW_RUN = ("start", "preset", "variants", "open")
"""Options that no resumed run takes."""


@dataclass(frozen=True)
class TrainOptions(WorkerOptions):
    """One training run: what `hearts_training.train.start.run_training` takes. An option out of range is a ValueError.

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
    minutes: Annotated[Minutes, UNSET] = None
    """Training time in minutes; 2 if neither this nor --deals is given. With --resume: additional minutes."""
    cpu_time: bool = False
    """Count minutes of CPU time, all threads added up, so that runs on a busy machine are comparable."""
    deals: Annotated[Deals, UNSET] = None
    """Train for this number of deals instead; the last update may add some. With --resume: additional deals."""
    out: Annotated[Path | None, UNSET] = None
    """New folder for the files of the run; runs/VARIANT-TIME-SEED by default."""
    resume: Annotated[Path | None, UNSET] = None
    """Folder of a run to continue, to the end of its budget or by the minutes or deals given."""
    seed: Annotated[int, Span(0, 2**64 - 1)] = 0
    """Fixes deals, initial weights and choices."""
    threads: Annotated[int, Span(1, 1024)] = 2
    """CPU threads to use. With --resume: as before, unless given."""
    device: Device = "auto"
    """Device of the networks; auto uses cuda if it is available. Learners on a cluster use the CPU."""
    evaluations: Annotated[int, Span(0, 10**6)] = 16
    """Points on the learning curve after the first one; 0 for the last one only. With --resume: as before, unless
    given, like the next one."""
    arena_deals: Annotated[int, Span(0, MOST)] = 1000
    """Deals per opponent in the final table; 0 for no table."""
    evaluation_games: Annotated[int, Span(2, 2**20), tyro.conf.Suppress, tyro.conf.Fixed] = 512
    """A quarter of the tables of an evaluation; a deal is played at one for every seat, or team."""
    hyper_parameters: Annotated[dict[str, Any], tyro.conf.Suppress, tyro.conf.Fixed] = dataclasses.field(
        default_factory=dict
    )
    """Hyper-parameters of `hearts_training.train.config` to change, by name; on the command line --set. With --workers
    or --processes, `learners` learn there, and the final table is played there."""

    def __post_init__(self) -> None:
        if self.minutes is not None and self.deals is not None:
            raise ValueError("minutes and deals are both given; give one of them")
        check_spans(self)
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

    minutes: Minutes = None
    deals: Deals = None
    cpu_time: bool = False

    def __post_init__(self) -> None:
        if type(self.cpu_time) is not bool:
            raise ValueError(f"cpu_time={self.cpu_time!r} must be true or false")
        if (self.minutes is None) == (self.deals is None):
            raise ValueError("a budget is a number of minutes or a number of deals")
        check_spans(self)

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
