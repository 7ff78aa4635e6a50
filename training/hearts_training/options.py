"""Options of the commands that work with others, or write data sets. Imports no torch.

A class of options is both what a function takes and what a command shows: `hearts label` is `LabelOptions` with a
method that runs it, and the text below a field is its help.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from difflib import get_close_matches
from numbers import Integral, Real
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_args, get_type_hints

import tyro

from hearts_agents.sizes import MOST_LAYERS, MOST_WIDTH
from hearts_agents.workers import Workers

Agents = Annotated[tuple[str, ...], tyro.conf.arg(metavar="AGENT [AGENT ...]")]
UNSET = tyro.conf.arg(help_behavior_hint="")
"""Hides the default of an option that is off by default, or whose help text explains the default."""
File = Annotated[Path | None, UNSET, tyro.conf.arg(metavar="FILE")]
Count = Annotated[int | None, UNSET, tyro.conf.arg(metavar="INT")]


class Span(NamedTuple):
    """The values of a number, as an annotation of a field: from the least, or `above` it, to the greatest."""

    least: float
    most: float
    above: bool = False

    def holds(self, value: Any) -> bool:
        """True for a number in it."""
        is_number = isinstance(value, Real) and not isinstance(value, bool)
        return is_number and self.least <= value <= self.most and not (self.above and value == self.least)


def check_spans(options: object) -> None:
    """Raise ValueError for a number beyond the `Span` of its field, or one that is not whole though its field is. Whole
    numbers of NumPy become Python's.
    """
    for name, hint in get_type_hints(type(options), include_extras=True).items():
        kind, *others = get_args(hint) or (hint,)
        value, kinds = getattr(options, name), (kind, *get_args(kind))
        spans = [one for one in others if isinstance(one, Span)]
        for span in () if value is None and type(None) in kinds else spans:
            if int not in kinds and not span.holds(value):
                between = f"above {span.least} and at most" if span.above else f"from {span.least} to"
                raise ValueError(f"{name}={value} must be {between} {span.most}")
            if int in kinds and not (isinstance(value, Integral) and span.holds(value)):
                between = f"at least {span.least} and at most {span.most}"
                raise ValueError(f"{name}={value} must be {between}, a whole number")
            if int in kinds:
                object.__setattr__(options, name, int(value))


Share = Annotated[float, Span(0, 1)]
MOST = 2**31 - 1


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
    generations: Annotated[int, Span(1, MOST)] = 150
    """Number of generations."""
    population: Annotated[int, Span(4, MOST)] = 20
    """Candidates per generation, 4 or more."""
    deals: Annotated[int, Span(1, MOST)] = 150
    """Duplicate deals per generation and opponent."""
    check_deals: Annotated[int, Span(2, MOST)] = 4000
    """New deals in which the result plays against the start and every opponent."""
    opponents: Agents = ("rule(shoot=0.3, shoot_pass=0.35)",)
    """Agents to beat, in addition to the one to start from."""
    start: str = "rule"
    """The rule agent to start from."""
    names: Annotated[tuple[str, ...], UNSET, tyro.conf.arg(metavar="WEIGHT [WEIGHT ...]")] = ()
    """Weights to tune; all if none is named."""
    seed: Annotated[int, Span(0, 2**64 - 1)] = 0
    """Fixes candidates and deals."""

    def __post_init__(self) -> None:
        check_spans(self)
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
    explore: Share = 0.0
    """Probability that a seat plays any legal action instead of its agent's."""
    only: tuple[str, ...] = ()
    """Label only the decisions of these phases (pass, play, ...) and of these kinds of the blunder suite."""
    others: Share = 0.0
    """Probability that another decision is labelled as well, with `only`."""
    seed: int = 0
    """Fixes deals, seats and random choices."""

    def __post_init__(self) -> None:
        _check_data(self, "players", self.players, self.seed)


@dataclass(frozen=True)
class RecordOptions:
    """The content of a data set of games."""

    agents: Agents = ("rule",)
    """Agents that play; one is drawn for every seat of every deal."""
    variant: str = "black_lady"
    """The variant, optionally with changes to its rules in brackets."""
    explore: Share = 0.0
    """Probability that a seat plays any legal action instead of its agent's."""
    observations: bool = False
    """Also write the observation, the legal actions and the reward of every action."""
    seed: int = 0
    """Fixes deals, seats and random choices."""

    def __post_init__(self) -> None:
        _check_data(self, "agents", self.agents, self.seed)


def _check_data(options: object, name: str, agents: tuple[str, ...], seed: int) -> None:
    check_spans(options)
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
    start_temperature: Annotated[float, Span(0, 100, above=True)] = 1.0
    """Divisor of its logits while it learns. A policy that is certain of an action learns nothing about the others;
    with 8 it learns that a certain choice is a mistake."""
    new_inputs: bool = False
    """Learn only the weights of inputs that the policy to start from did not read: what a later release, or another
    game, has added. All else plays on as before, and no weight decays."""
    same_under: Annotated[tuple[str, ...], UNSET, tyro.conf.arg(metavar="RULES [RULES ...]")] = ()
    """Rules under which a network for all rules plays on as before: it learns only what it reads of seats that these do
    not have, such as partners."""
    hidden: tuple[int, ...] | None = None
    """Widths of the hidden layers, 512,512,512,512 if not given; a layer as wide as the one before is residual. All the
    same for several games."""
    epochs: Annotated[int, Span(1, 1000)] = 3
    """Passes over the data."""
    batch: Annotated[int, Span(1, 2**20)] = 1024
    """Decisions per gradient step."""
    learning_rate: Annotated[float, Span(0, 1, above=True)] = 1e-3
    """Highest step size of AdamW."""
    weight_decay: Share = 0.01
    """Weight decay of AdamW."""
    temperature: Annotated[float | None, Span(0, 1000, above=True)] = None
    """Difference of values at which the better of two actions is e times as probable: in points, 1 if not given; for
    several games in standard deviations of a deal's margin among rule, 0.1 if not given."""
    held_out: Annotated[int, Span(1, 10**6)] = 2
    """Files of each data set that are kept for evaluation."""
    seed: Annotated[int, Span(0, 2**63 - 1)] = 0
    """Fixes initial weights and the order of the data."""
    threads: Annotated[int, Span(1, 1024)] = 2
    """CPU threads to use."""

    def __post_init__(self) -> None:
        check_spans(self)
        if not self.data:
            raise ValueError("data is empty; name the folder of a data set")
        if self.start_temperature != 1 and not self.start:
            raise ValueError(
                f"start_temperature={self.start_temperature} is for a policy to start from; name it with start"
            )
        if self.new_inputs and not self.start:
            raise ValueError("new_inputs is for a policy to start from; name it with start")
        if self.same_under and not self.start:
            raise ValueError("same_under is for a policy to start from; name it with start")
        from hearts_env.variants.registry import rules

        for one in self.same_under:
            rules(one)
        if self.start and self.hidden is not None:
            raise ValueError(f"hidden={self.hidden} is for random weights; {self.start} has its own, leave it out")
        hidden = (1,) if self.hidden is None else self.hidden
        if not 1 <= len(hidden) <= MOST_LAYERS or not all(1 <= width <= MOST_WIDTH for width in hidden):
            raise ValueError(f"hidden={hidden} must name 1 to {MOST_LAYERS} widths, each from 1 to {MOST_WIDTH}")
