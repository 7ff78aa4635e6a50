"""Options of the commands that work with others, or write data sets. Imports no torch.

A class of options is both what a function takes and what a command shows: `hearts label` is `LabelOptions` with a
method that runs it, and the text below a field is its help.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from numbers import Integral
from pathlib import Path
from typing import Annotated

import tyro

from hearts_agents.sizes import MOST_LAYERS, MOST_WIDTH
from hearts_agents.workers import Workers

Agents = Annotated[tuple[str, ...], tyro.conf.arg(metavar="AGENT [AGENT ...]")]
UNSET = tyro.conf.arg(help_behavior_hint="")
"""Hides the default of an option that is off by default, or whose help text explains the default."""
File = Annotated[Path | None, UNSET, tyro.conf.arg(metavar="FILE")]
Count = Annotated[int | None, UNSET, tyro.conf.arg(metavar="INT")]


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


@dataclass(frozen=True)
class TuneOptions:
    """One search for weights of the rule agent: what `hearts_training.tune.run_tuning` takes."""

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
    only: tuple[str, ...] = ()
    """Label only the decisions of these phases (pass, play, ...) and of these kinds of the blunder suite."""
    others: float = 0.0
    """Probability that another decision is labelled as well, with `only`."""
    seed: int = 0
    """Fixes deals, seats and random choices."""

    def __post_init__(self) -> None:
        _check_data("players", self.players, self.explore, self.seed)
        if not 0 <= self.others <= 1:
            raise ValueError(f"others={self.others} must be from 0 to 1")


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
    """Folder of the data set, or several, of one game or of different ones."""
    start: str = ""
    """A policy to improve, instead of one with random weights: its folder, or the name of a network that comes with the
    suite; one for all rules stays one. The divergence from it takes the place of the entropy bonus in the loss; give a
    small learning rate, such as 1e-4."""
    start_temperature: float = 1.0
    """Divisor of its logits while it learns. A policy that is certain of an action learns nothing about the others;
    with 8 it learns that a certain choice is a mistake."""
    hidden: tuple[int, ...] | None = None
    """Widths of the hidden layers, 512,512,512,512 if not given; a layer as wide as the one before is residual. All the
    same for several games."""
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
        for name, most in (("learning_rate", 1), ("temperature", 1000), ("start_temperature", 100)):
            value = getattr(self, name)
            if value is not None and not 0 < value <= most:
                raise ValueError(f"{name}={value} must be above 0 and at most {most}")
        if not self.data:
            raise ValueError("data is empty; name the folder of a data set")
        if not 0 <= self.weight_decay <= 1:
            raise ValueError(f"weight_decay={self.weight_decay} must be from 0 to 1")
        if self.start_temperature != 1 and not self.start:
            raise ValueError(
                f"start_temperature={self.start_temperature} is for a policy to start from; name it with start"
            )
        if self.start and self.hidden is not None:
            raise ValueError(f"hidden={self.hidden} is for random weights; {self.start} has its own, leave it out")
        hidden = (1,) if self.hidden is None else self.hidden
        if not 1 <= len(hidden) <= MOST_LAYERS or not all(1 <= width <= MOST_WIDTH for width in hidden):
            raise ValueError(f"hidden={hidden} must name 1 to {MOST_LAYERS} widths, each from 1 to {MOST_WIDTH}")
