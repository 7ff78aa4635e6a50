"""The hyper-parameters of training. Imports no torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from difflib import get_close_matches
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from hearts_agents.sizes import MOST_LAYERS, MOST_WIDTH
from hearts_training.options import Share, Span, check_spans

Rate = Annotated[float, Span(0, 1, above=True)]
Weight = Annotated[float, Span(0, 1000)]


@dataclass(frozen=True)
class ManyConfig:
    """The hyper-parameters of training on many games, whose network is made from the rules.

    >>> ManyConfig(variants="all", sampled=0).games
    16
    """

    variants: str = "sampled"
    """``all`` registered variants; ``sampled`` rules; a split of the benchmark, such as ``train_0:16``; a file with the
    text of some rules in each line; or the text of some rules."""
    open: bool = False
    """Train on rules that the benchmark tests, too; sampled rules are then any, and the registered variants beside
    them."""
    told: Literal["", "nothing"] = ""
    """``nothing``: the network learns without receiving the rules, to measure what they are worth."""
    games: Annotated[int, Span(1, 1024)] = 16
    """Games of a round: a deal is played at each of their tables, and all are learned from together."""
    sampled: Annotated[int, Span(0, 1024)] = 8
    """Minimum number of these games that have sampled rules, with ``variants=sampled``."""
    chunks: Annotated[int, Span(1, 1024)] = 4
    """Minibatches, mostly of different games, that make a gradient step together."""
    teaching: Weight = 0.0
    """Weight in the loss of the Kullback-Leibler divergence from the network that comes with the suite for a game
    alone, in the games that have one (kickstarting: Schmitt et al. 2018, arXiv:1803.03835). 0: none teaches."""
    learners: Annotated[int, Span(1, 256)] = 1
    """Learners that do a round each, in several processes or on a cluster, before weights and moments are averaged."""
    width: Annotated[int, Span(1, MOST_WIDTH)] = 128
    """Width of the hidden layers of policy and critic."""
    depth: Annotated[int, Span(1, MOST_LAYERS)] = 2
    """Number of hidden layers after the first."""

    def __post_init__(self) -> None:
        _check_fields(self)
        if self.sampled > self.games:
            raise ValueError(f"sampled={self.sampled} must be at most games={self.games}; give both")


@dataclass(frozen=True)
class Config:
    """The hyper-parameters of training. A value out of range is a ValueError.

    >>> Config(clip=0.2, hidden=(128,)).clip
    0.2
    """

    num_envs: Annotated[int, Span(1, 1 << 20)] = 512
    """Tables of each game. A deal ends at each of them between two updates."""
    hidden: tuple[int, ...] = (128, 128)
    """Widths of the policy's hidden layers. Small ones play more deals in the same time."""
    critic_hidden: tuple[int, ...] = (128, 128)
    """Widths of the critic's hidden layers."""
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
    imitation: Share = 0.25
    """Fraction of the budget, at its start, in which `teacher` plays all seats, the policy learns to predict its moves
    and the critic its results. 0 is self-play from the first deal."""
    imitation_learning_rate: Rate = 1e-3
    """Adam's step size during imitation."""
    teacher: str = "rule"
    """Spec of the agent that is imitated."""
    opponents: tuple[str, ...] = ("rule",)
    """Specs of agents that, after imitation, hold all seats except one, or one team, in some of the games, in turns, or
    in proportion to weights: ``0.7*rule; 0.3*random``."""
    opponent_games: Share = 0.25
    """Fraction of these games."""
    start: str = ""
    """A policy to start from: its folder, or the name of a network that comes with the suite; its layers are those of
    the policy. A network for all rules gives its layers of this game, one of another game what both games see and do
    (`hearts_agents.neural.transfer`). Empty: random weights. `hearts train` chooses other defaults for a run that
    starts from a policy (`hearts_training.train.presets.FROM_NETWORK`)."""
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
    reward: str = ""
    """A function of your own that pays instead of the points: ``py:FILE.py:NAME`` or ``py:package.module:NAME``, a
    ``reward(before, after)`` as in every environment, called once a step for all tables. What it pays a seat belongs to
    the seat's last decision; it is not compared with what the opponents get."""
    bfloat16: bool = True
    """Multiply hidden layers in bfloat16 where that is faster (a GPU, a CPU with AVX-512). Parameters and losses stay
    in float32, and on a CPU first layers, too."""
    many: ManyConfig | None = None
    """Training on many games at once; None trains on one."""

    def __post_init__(self) -> None:
        _check_fields(self)
        if self.anchor and not self.start:
            raise ValueError(f"anchor={self.anchor} is for a run that starts from a policy; name it with start")
        if self.reward and (self.objective == "match" or not self.reward.startswith("py:")):
            raise ValueError(
                f"reward={self.reward} must be py:FILE.py:NAME or py:package.module:NAME, with objective=points"
            )
        for name in ONE_GAME if self.many else ():
            if getattr(self, name) != getattr(Config, name):
                raise ValueError(f"{name} is not for training on many variants; leave it out")


ONE_GAME = ("hidden", "critic_hidden", "start_temperature", "anchor", "objective", "reward")
"""Hyper-parameters of training on one game alone."""
MANY_GAMES: Mapping[str, Any] = {
    "num_envs": 256,
    "learning_rate": 6e-4,
    "final_learning_rate": 3e-5,
    "entropy": 0.02,
    "final_entropy": 0.002,
    "imitation": 0.12,
    "opponents": ("rule", "shooter"),
}
"""Defaults of training on many games that differ."""


def defaults(*, many: bool) -> dict[str, Any]:
    """Every hyper-parameter of training on one game, or on many, with its default.

    >>> defaults(many=False)["num_envs"], defaults(many=True)["num_envs"], defaults(many=True)["width"]
    (512, 256, 128)
    """
    found: dict[str, Any] = {field.name: field.default for field in fields(Config) if field.name != "many"}
    if many:
        found = {name: value for name, value in found.items() if name not in ONE_GAME}
        found |= {**MANY_GAMES, **{field.name: field.default for field in fields(ManyConfig)}}
    return found


def flat(config: Config) -> dict[str, Any]:
    """Every hyper-parameter by name, as `read_config` takes them.

    >>> read_config(flat(Config(clip=0.3))).clip
    0.3
    """
    found = asdict(config)
    many: dict[str, Any] | None = found.pop("many")
    return found if many is None else {name: found[name] for name in found if name not in ONE_GAME} | many


def read_config(values: Mapping[str, Any], *, many: bool = False) -> Config:
    """The hyper-parameters with some changed; lists of widths may be lists, as they are in JSON.

    Raises ValueError for an unknown name or a value that is out of range.
    """
    for name in values:
        check_hyper_parameter(name, many=many)
    given: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    if not many:
        return Config(**given)
    own = {field.name for field in fields(ManyConfig)}
    of_many = ManyConfig(**{name: value for name, value in given.items() if name in own})
    return Config(**{**MANY_GAMES, **{name: value for name, value in given.items() if name not in own}}, many=of_many)


def check_hyper_parameter(name: str, *, many: bool = False) -> None:
    """Raise ValueError, with the closest name there is, for what is no hyper-parameter.

    >>> check_hyper_parameter("clop")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ValueError: there is no hyper-parameter 'clop'; the closest is clip (known: ...
    """
    known = defaults(many=many)
    if name in known:
        return
    if name in ONE_GAME:
        raise ValueError(f"{name} is not for training on many variants; leave it out")
    if name in defaults(many=True):
        raise ValueError(f"{name} is for training on many games; add --variants")
    close = get_close_matches(name, known, n=1, cutoff=0)[0]
    raise ValueError(f"there is no hyper-parameter {name!r}; the closest is {close} (known: {', '.join(known)})")


def _check_fields(config: object) -> None:
    check_spans(config)
    for name, hint in get_type_hints(type(config), include_extras=True).items():
        if name != "many":
            _check(name, getattr(config, name), hint)


def _check(name: str, value: Any, kind: Any) -> None:
    if kind == tuple[int, ...] and not _are_widths(value):
        raise ValueError(
            f"{name}={value} must name one width or more, each at least 1 "
            f"(at most {MOST_LAYERS} of them, each at most {MOST_WIDTH})"
        )
    if kind is bool and type(value) is not bool:
        raise ValueError(f"{name}={value} must be true or false")
    if kind == tuple[str, ...] and not _are_specs(value):
        raise ValueError(f"{name}={value!r} must name one agent or more, such as rule")
    if kind is str and not (isinstance(value, str) and (value.strip() or name in ("start", "reward"))):
        raise ValueError(f"{name}={value!r} must be a text, such as {getattr(Config, name, '') or 'black_lady'}")
    if get_origin(kind) is Literal and value not in get_args(kind):
        raise ValueError(f"{name}={value!r} must be {' or '.join(choice or 'empty' for choice in get_args(kind))}")


def _are_specs(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and all(isinstance(spec, str) and spec.strip() for spec in value)


def _are_widths(value: Any) -> bool:
    whole = isinstance(value, tuple) and all(type(width) is int for width in value)
    return whole and 0 < len(value) <= MOST_LAYERS and min(value) >= 1 and max(value) <= MOST_WIDTH
