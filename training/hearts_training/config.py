"""The hyper-parameters of training. Imports no torch."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any

MOST_LAYERS, MOST_WIDTH = 16, 1 << 16
_WHOLE = {"num_envs": 1 << 20, "rollout_steps": 1 << 20, "epochs": 1000, "minibatch": 1 << 30}
"""Whole numbers from 1 to this."""
_POSITIVE = {
    "learning_rate": 1,
    "final_learning_rate": 1,
    "imitation_learning_rate": 1,
    "clip": 1000,
    "max_grad_norm": 1_000_000,
}
"""Numbers above 0, at most this."""
_NOT_NEGATIVE = {
    "entropy": 1000,
    "final_entropy": 1000,
    "gae_lambda": 1,
    "imitation": 1,
    "opponent_games": 1,
    "critic_first": 1,
}
"""Numbers from 0 to this."""


@dataclass(frozen=True)
class PPOConfig:
    """Every hyper-parameter. A value out of range is a ValueError.

    >>> PPOConfig(clip=0.2, hidden=(128,)).clip
    0.2
    """

    num_envs: int = 512
    """Games played in parallel."""
    rollout_steps: int = 64
    """Steps of every game between two updates. A deal of the classic game takes 64."""
    hidden: tuple[int, ...] = (256, 256)
    """Widths of the policy's hidden layers."""
    critic_hidden: tuple[int, ...] = (256, 256)
    """Widths of the critic's hidden layers."""
    learning_rate: float = 5e-4
    """Adam's step size when self-play starts, annealed linearly to `final_learning_rate`."""
    final_learning_rate: float = 5e-5
    """Adam's step size at the end of the budget."""
    entropy: float = 0.02
    """Weight of the entropy bonus when self-play starts, annealed linearly to `final_entropy`."""
    final_entropy: float = 0.005
    """Weight of the entropy bonus at the end of the budget."""
    clip: float = 0.15
    """How far the probability ratio may leave 1 before its gradient is cut off."""
    gae_lambda: float = 0.8
    """Decay of the advantage estimate: 0 looks one decision ahead, 1 is Monte Carlo. There is no discount."""
    epochs: int = 2
    """Passes over the decisions of an update. Imitation makes one pass."""
    minibatch: int = 1024
    """Decisions per gradient step."""
    max_grad_norm: float = 0.5
    """Norm to which gradients are clipped, separately for policy and critic."""
    imitation: float = 0.25
    """Fraction of the budget, at its start, in which `teacher` plays all seats, the policy learns to predict its moves
    and the critic its results. 0 is self-play from the first deal."""
    imitation_learning_rate: float = 1e-3
    """Adam's step size during imitation."""
    teacher: str = "rule"
    """Spec of the agent that is imitated."""
    opponents: tuple[str, ...] = ("rule",)
    """Specs of agents that, after imitation, hold all seats except one in some of the games, in turns."""
    opponent_games: float = 0.25
    """Fraction of these games."""
    start: str = ""
    """Folder of a policy to start from, such as one that was distilled; it must have the same `hidden` layers. Set
    `imitation` to 0 with it. Empty: random weights."""
    critic_first: float = 0.0
    """Fraction of the budget, at its start, in which only the critic learns, so that a policy to start from is not
    spoilt by the estimates of a critic that knows nothing."""
    timing: str = "deal"
    """When points are rewarded: after each ``deal`` or each ``trick``. The sum is the same."""
    bfloat16: bool = True
    """Multiply hidden layers in bfloat16. Parameters, first layers and losses stay in float32."""

    def __post_init__(self) -> None:
        self._check_numbers()
        for name in ("hidden", "critic_hidden"):
            if not _are_widths(getattr(self, name)):
                raise ValueError(
                    f"{name}={getattr(self, name)} must name one width or more, each at least 1 "
                    f"(at most {MOST_LAYERS} of them, each at most {MOST_WIDTH})"
                )
        if type(self.bfloat16) is not bool:
            raise ValueError(f"bfloat16={self.bfloat16} must be true or false")
        if not isinstance(self.teacher, str) or not self.teacher.strip():
            raise ValueError(f"teacher={self.teacher!r} must be the spec of an agent, such as rule")
        if not isinstance(self.start, str):
            raise ValueError(f"start={self.start!r} must be the folder of a policy")
        if not _are_specs(self.opponents):
            raise ValueError(f"opponents={self.opponents!r} must name one agent or more, such as rule")
        if self.timing not in ("deal", "trick"):
            raise ValueError(f"timing={self.timing!r} must be deal or trick")

    def _check_numbers(self) -> None:
        for name, most in _WHOLE.items():
            value = getattr(self, name)
            if type(value) is not int or not 1 <= value <= most:
                raise ValueError(f"{name}={value} must be at least 1 and at most {most}, a whole number")
        for name, most in _POSITIVE.items():
            value = getattr(self, name)
            if not _is_number(value) or not 0 < value <= most:
                raise ValueError(f"{name}={value} must be above 0 and at most {most}")
        for name, most in _NOT_NEGATIVE.items():
            value = getattr(self, name)
            if not _is_number(value) or not 0 <= value <= most:
                raise ValueError(f"{name}={value} must be from 0 to {most}")


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def _are_specs(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and all(isinstance(spec, str) and spec.strip() for spec in value)


def _are_widths(value: Any) -> bool:
    whole = isinstance(value, tuple) and all(type(width) is int for width in value)
    return whole and 0 < len(value) <= MOST_LAYERS and min(value) >= 1 and max(value) <= MOST_WIDTH


def read_config(values: dict[str, Any]) -> PPOConfig:
    """The configuration with some hyper-parameters changed; lists of widths may be lists, as they are in JSON.

    Raises ValueError for an unknown name or a value that is out of range.
    """
    for name in values:
        check_hyper_parameter(name)
    changes: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in values.items()
    }
    return PPOConfig(**changes)


RENAMED = {"rivals": "opponent_games", "teacher_opponents": "opponent_games"}


def check_hyper_parameter(name: str) -> None:
    """Raise ValueError, with the closest name there is, for what is no hyper-parameter.

    >>> check_hyper_parameter("rivals")
    Traceback (most recent call last):
        ...
    ValueError: the hyper-parameter rivals is called opponent_games now
    """
    known = [field.name for field in fields(PPOConfig)]
    if name in RENAMED:
        raise ValueError(f"the hyper-parameter {name} is called {RENAMED[name]} now")
    if name not in known:
        close = get_close_matches(name, known, n=1, cutoff=0)[0]
        raise ValueError(f"there is no hyper-parameter {name!r}; the closest is {close} (known: {', '.join(known)})")
