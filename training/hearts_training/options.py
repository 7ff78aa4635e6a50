"""What `hearts train` and `hearts tune` can be told, where they write, and how far they have come. Free of torch."""

from __future__ import annotations

import dataclasses
import re
import time
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

DEFAULT_MINUTES = 2.0


@dataclass(frozen=True)
class TrainOptions:
    """One training run.

    Attributes:
        variant: rules or their text.
        minutes: training time; 2 minutes if neither this nor `deals` is given. With `resume`: further minutes.
        deals: deals to play instead (whole updates, so up to one update more). With `resume`: further deals.
        out: new folder for everything written; ``runs/<variant>-<date-time>-seed<seed>`` if not given.
        resume: folder of a run to go on with, to the end of its budget or, if minutes or deals are given, further.
        seed: fixes deals, weights and choices.
        threads: processor cores used.
        device: ``cpu``, ``cuda``, or ``auto`` for cuda where there is one.
        checkpoint_minutes: time between checkpoints.
        evaluations: points on the learning curve.
        evaluation_games: games of an evaluation, of up to four deals each.
        arena_deals: deals of the final table for each opponent; 0 for no table.
        hyper_parameters: changes of `hearts_training.ppo.PPOConfig`, by name.
    """

    variant: str = "black_lady"
    minutes: float | None = None
    deals: int | None = None
    out: Path | None = None
    resume: Path | None = None
    seed: int = 0
    threads: int = 2
    device: str = "auto"
    checkpoint_minutes: float = 1.0
    evaluations: int = 16
    evaluation_games: int = 512
    arena_deals: int = 1000
    hyper_parameters: dict[str, Any] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.minutes is not None and self.deals is not None:
            raise ValueError("minutes and deals are both given; give one of them")
        if self.minutes is not None and not self.minutes > 0:
            raise ValueError(f"minutes={self.minutes:g} must be above 0")
        if self.deals is not None and self.deals < 1:
            raise ValueError(f"deals={self.deals} must be at least 1")
        if self.threads < 1:
            raise ValueError(f"threads={self.threads} must be at least 1")
        if self.seed < 0:
            raise ValueError(f"seed={self.seed} must be at least 0")
        if self.device not in ("auto", "cpu", "cuda"):
            raise ValueError(f"device={self.device!r} is not one of auto, cpu, cuda")


@dataclass(frozen=True)
class Budget:
    """How long to train: a number of minutes or of deals, counted from the very start of a run."""

    minutes: float | None = None
    deals: int | None = None

    @staticmethod
    def of(options: TrainOptions) -> Budget:
        """The budget of a new run."""
        if options.minutes is None and options.deals is None:
            return Budget(minutes=DEFAULT_MINUTES)
        return Budget(options.minutes, options.deals)

    def extended(self, options: TrainOptions, minutes: float, deals: int) -> Budget:
        """The budget of a run resumed after `minutes` and `deals`.

        Raises ValueError if it is used up and the options give no more.
        """
        if options.minutes is not None:
            return Budget(minutes=minutes + options.minutes)
        if options.deals is not None:
            return Budget(deals=deals + options.deals)
        if self.progress(minutes, deals) >= 1:
            raise ValueError(f"the run in {options.resume} has used its budget; give minutes or deals for more")
        return self

    def progress(self, minutes: float, deals: int) -> float:
        """The share of the budget used, 0 to 1."""
        used = minutes / self.minutes if self.minutes is not None else deals / (self.deals or 1)
        return min(used, 1.0)


def new_folder(options: TrainOptions) -> Path:
    """Make the run's folder.

    Raises:
        ValueError: it holds something already, or cannot be made or written, in one line.
    """
    name = re.sub(r"[^\w.-]+", "_", options.variant).strip("_")[:60]
    default = Path("runs") / f"{name}-{time.strftime('%Y%m%d-%H%M%S')}-seed{options.seed}"
    folder = options.out or default
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise ValueError(f"{folder} is not empty; give another out folder, or resume={folder} to go on with a run")
        probe = folder / ".probe"
        probe.touch()
        probe.unlink()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ValueError(f"{folder} cannot be written ({reason}); give another out folder") from None
    return folder


@dataclass(frozen=True)
class TuneOptions:
    """One search.

    Attributes:
        variant: rules or their text.
        generations: how many generations, 1 or more.
        population: candidates per generation, 4 or more.
        deals: duplicate deals per generation and opponent.
        check_deals: deals, not seen before, on which the result is compared with the start.
        opponents: specs of those to beat; the start itself is always among them.
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
        """Refuse what is not possible: a ValueError that names it."""
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
