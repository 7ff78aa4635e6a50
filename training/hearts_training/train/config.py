"""The hyper-parameters of training. Imports no torch."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from hearts_agents.sizes import MOST_CODE, MOST_LAYERS, MOST_WIDTH


class Span(NamedTuple):
    """The values of a hyper-parameter: from the least, or `above` it, to the greatest."""

    least: float
    most: float
    above: bool = False


Rate = Annotated[float, Span(0, 1, above=True)]
Share = Annotated[float, Span(0, 1)]
Weight = Annotated[float, Span(0, 1000)]


@dataclass(frozen=True)
class PPOConfig:
    """Every hyper-parameter of PPO. A value out of range is a ValueError.

    >>> PPOConfig(clip=0.2, hidden=(128,)).clip
    0.2
    """

    num_envs: Annotated[int, Span(1, 1 << 20)] = 512
    """Games played in parallel."""
    rollout_steps: Annotated[int, Span(1, 1 << 20)] = 64
    """Steps of every game between two updates. A deal of Basic Hearts takes 64."""
    hidden: tuple[int, ...] = (128, 128)
    """Widths of the policy's hidden layers. Small ones play more deals in the same time."""
    learning_rate: Rate = 5e-4
    """Adam's step size when self-play starts, annealed linearly to `final_learning_rate`."""
    final_learning_rate: Rate = 5e-5
    """Adam's step size at the end of the budget."""
    entropy: Weight = 0.1
    """Weight of the entropy bonus when self-play starts, annealed linearly to `final_entropy`."""
    final_entropy: Weight = 0.005
    """Weight of the entropy bonus at the end of the budget."""
    clip: Annotated[float, Span(0, 1000, above=True)] = 0.15
    """Distance of the probability ratio from 1 at which its gradient is cut off."""
    gae_lambda: Share = 0.8
    """Decay of the advantage estimate: 0 looks one decision ahead, 1 is Monte Carlo. There is no discount."""
    epochs: Annotated[int, Span(1, 1000)] = 2
    """Passes over the decisions of an update. Imitation makes one pass."""
    minibatch: Annotated[int, Span(1, 1 << 30)] = 1024
    """Decisions per gradient step."""
    max_grad_norm: Annotated[float, Span(0, 1_000_000, above=True)] = 0.5
    """Norm to which gradients are clipped, separately for policy and critic."""
    timing: Literal["deal", "trick"] = "deal"
    """Time of the reward: after each ``deal`` or each ``trick``. The sum is the same."""

    critic_hidden: tuple[int, ...] = (128, 128)
    """Widths of the critic's hidden layers."""
    own_counts: bool = False
    """Add a term straight from the counts of each card to the logit of that card."""
    imitation: Share = 0.25
    """Fraction of the budget, at its start, in which `teacher` plays all seats, the policy learns to predict its moves
    and the critic its results. 0 is self-play from the first deal."""
    imitation_learning_rate: Rate = 1e-3
    """Adam's step size during imitation."""
    teacher: str = "rule"
    """Spec of the agent that is imitated."""
    opponents: tuple[str, ...] = ("rule",)
    """Specs of agents that, after imitation, hold all seats except one, or one team, in some of the games, in turns."""
    opponent_games: Share = 0.25
    """Fraction of these games."""
    start: str = ""
    """A policy to start from: its folder, or the name of a network that comes with the suite; `hidden` and
    `own_counts` are those of the policy. A network for all rules gives its layers of this game, one of another game
    what both games see and do (`hearts_agents.neural.transfer`). Empty: random weights. `hearts train` chooses other
    defaults for a run that starts from a policy (`hearts_training.train.presets.FROM_NETWORK`)."""
    start_temperature: Annotated[float, Span(0, 100, above=True)] = 1.0
    """Divisor of the logits of that policy. Self-play samples its moves, so a policy that was distilled at a
    temperature of 1 plays far below its strength; 0.25 begins near its best moves."""
    critic_first: Share = 0.0
    """Fraction of the budget, at its start, in which only the critic learns, so that a policy to start from is not
    spoilt by the estimates of a critic that knows nothing."""
    anchor: Weight = 0.0
    """Weight in the loss of the Kullback-Leibler divergence of the policy from the one it started from, so that it only
    changes where that pays."""
    average: Share = 0.0
    """Share of the way to the policy that the saved one moves after each update: an average of the policy's weights
    over about 1 / `average` updates, without the noise of its last steps (Polyak and Juditsky 1992). It is evaluated,
    and it is the agent; in imitation it is the policy. 0: the policy itself is saved."""
    objective: Literal["points", "match"] = "points"
    """The reward: the ``points`` of a deal, compared with those of the opponents, or the change of the chance to
    win the ``match``, which `MatchCritic` learns to estimate."""
    bfloat16: bool = True
    """Multiply hidden layers in bfloat16 where that is faster (a GPU, a CPU with AVX-512). Parameters and losses stay
    in float32, and on a CPU first layers, too."""

    def __post_init__(self) -> None:
        for name, hint in get_type_hints(type(self), include_extras=True).items():
            _check(name, getattr(self, name), hint)
        if self.anchor and not self.start:
            raise ValueError(f"anchor={self.anchor} is for a run that starts from a policy; name it with start")
        if self.objective == "match" and self.timing != "deal":
            raise ValueError("objective=match is paid after every deal; leave out timing")


@dataclass(frozen=True)
class MixedConfig(PPOConfig):
    """Every hyper-parameter of PPO over many games, whose network is made from the rules. A value out of range is a
    ValueError.

    >>> MixedConfig(variants="all", sampled=0).games
    16
    """

    num_envs: Annotated[int, Span(1, 1 << 20)] = 256
    """Tables of every game in a round."""
    learning_rate: Rate = 6e-4
    final_learning_rate: Rate = 3e-5
    entropy: Weight = 0.02
    final_entropy: Weight = 0.002
    imitation: Share = 0.12
    opponents: tuple[str, ...] = ("rule", "shooter")
    variants: str = "sampled"
    """``all`` registered variants; ``sampled`` rules; a split of the benchmark, such as ``train_0:16``; a file with the
    text of some rules in each line; or the text of some rules."""
    open: bool = False
    """Train on rules that the benchmark tests, too; sampled rules are then any, and the registered variants beside
    them."""
    told: Literal["", "nothing"] = ""
    """``nothing``: the network learns without receiving the rules, to measure what they are worth."""
    teaching: Weight = 0.0
    """Weight in the loss of the Kullback-Leibler divergence from the network that comes with the suite for a game
    alone, in the games that have one (kickstarting: Schmitt et al. 2018, arXiv:1803.03835). 0: none teaches."""
    games: Annotated[int, Span(1, 1024)] = 16
    """Games of a round: a deal is played at each of their tables, and all are learned from together."""
    sampled: Annotated[int, Span(0, 1024)] = 8
    """Minimum number of these games that have sampled rules, with ``variants=sampled``."""
    rounds: Annotated[int, Span(1, 1 << 20)] = 4
    """Rounds in which sampled rules are played before others take their place."""
    learners: Annotated[int, Span(1, 256)] = 1
    """Learners that do a round each, in several processes or on a cluster, before weights and moments are averaged."""
    chunks: Annotated[int, Span(1, 1024)] = 4
    """Minibatches, mostly of different games, that make a gradient step together."""
    width: Annotated[int, Span(1, MOST_WIDTH)] = 128
    """Width of the hidden layers of policy and critic."""
    depth: Annotated[int, Span(1, MOST_LAYERS)] = 2
    """Number of hidden layers after the first."""
    code: Annotated[int, Span(1, MOST_CODE)] = 64
    """Size of the codes of cards, suits, seats and ways to pass."""

    def __post_init__(self) -> None:
        plain = PPOConfig()
        others = ("hidden", "critic_hidden", "rollout_steps", "start_temperature", "objective", "timing")
        for name in (*others, "own_counts", "anchor"):
            if getattr(self, name) != getattr(plain, name):
                raise ValueError(f"{name} is not for training on many variants; leave it out")
        super().__post_init__()
        if self.sampled > self.games:
            raise ValueError(f"sampled={self.sampled} must be at most games={self.games}; give both")


CONFIGS: dict[str, type[PPOConfig]] = {"ppo": PPOConfig, "mixed-ppo": MixedConfig}
"""Every algorithm of `hearts train` and its hyper-parameters."""


def _check(name: str, value: Any, hint: Any) -> None:
    kind, span = get_args(hint) if hasattr(hint, "__metadata__") else (hint, None)
    if kind is int and (type(value) is not int or not span.least <= value <= span.most):
        raise ValueError(f"{name}={value} must be at least {span.least} and at most {span.most}, a whole number")
    if kind is float and not (
        _is_number(value) and span.least <= value <= span.most and (value > span.least or not span.above)
    ):
        between = f"above {span.least} and at most" if span.above else f"from {span.least} to"
        raise ValueError(f"{name}={value} must be {between} {span.most}")
    if kind == tuple[int, ...] and not _are_widths(value):
        raise ValueError(
            f"{name}={value} must name one width or more, each at least 1 "
            f"(at most {MOST_LAYERS} of them, each at most {MOST_WIDTH})"
        )
    if kind is bool and type(value) is not bool:
        raise ValueError(f"{name}={value} must be true or false")
    if kind == tuple[str, ...] and not _are_specs(value):
        raise ValueError(f"{name}={value!r} must name one agent or more, such as rule")
    if kind is str and not (isinstance(value, str) and (value.strip() or name == "start")):
        raise ValueError(f"{name}={value!r} must be a text, such as {getattr(PPOConfig, name, '') or 'black_lady'}")
    if get_origin(kind) is Literal and value not in get_args(kind):
        raise ValueError(f"{name}={value!r} must be {' or '.join(choice or 'empty' for choice in get_args(kind))}")


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def _are_specs(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and all(isinstance(spec, str) and spec.strip() for spec in value)


def _are_widths(value: Any) -> bool:
    whole = isinstance(value, tuple) and all(type(width) is int for width in value)
    return whole and 0 < len(value) <= MOST_LAYERS and min(value) >= 1 and max(value) <= MOST_WIDTH


def read_config(values: dict[str, Any], algorithm: str = "ppo") -> PPOConfig:
    """The hyper-parameters of an algorithm with some changed; lists of widths may be lists, as they are in JSON.

    Raises ValueError for an unknown name or a value that is out of range.
    """
    for name in values:
        check_hyper_parameter(name, algorithm)
    changes: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in values.items()
    }
    return CONFIGS[algorithm](**changes)


def check_hyper_parameter(name: str, algorithm: str = "ppo") -> None:
    """Raise ValueError, with the closest name there is, for what is no hyper-parameter of an algorithm.

    >>> check_hyper_parameter("clop")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ValueError: there is no hyper-parameter 'clop' of ppo; the closest is clip (known: ...
    """
    known = [field.name for field in fields(CONFIGS[algorithm])]
    if name not in known:
        close = get_close_matches(name, known, n=1, cutoff=0)[0]
        raise ValueError(
            f"there is no hyper-parameter {name!r} of {algorithm}; the closest is {close} (known: {', '.join(known)})"
        )
