"""The interface of training algorithms, as a training run needs it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import torch
from numpy.typing import NDArray
from torch import Tensor

from hearts_env.seat.view import Views
from hearts_training.provenance import Provenance


class DivergedError(ValueError):
    """Weights, losses or logits are not finite any more."""


class Restorable(Protocol):
    """An object whose state a checkpoint can keep.

    Attributes:
        counters: names of the attributes that count something and are part of a checkpoint.
        updates: how often it has been updated; the number in a checkpoint's name.
    """

    counters: tuple[str, ...]
    updates: int

    def tensors(self) -> dict[str, Tensor]:
        """Everything that `restore` needs besides the counters, by name, on the CPU."""

    def restore(self, tensors: dict[str, Tensor], counters: Mapping[str, Any]) -> None:
        """Go back to where `tensors` and the counters were saved.

        Raises:
            KeyError, RuntimeError, TypeError, ValueError, zlib.error: what is missing, does not fit or is impossible.
        """


class Learner(Restorable, Protocol):
    """An algorithm with its games, networks and optimisers: `PPO` or `MixedPPO`.

    Attributes:
        deals, decisions: deals finished and moves made so far.
        imitating: whether the last update imitated another agent.
        device: where the networks are.
    """

    deals: int
    decisions: int
    imitating: bool
    device: torch.device

    def learn(self, progress: Callable[[], float]) -> Generator[dict[str, float], None, None]:
        """Play and update until `progress()`, the fraction of the budget used, is 1; yields figures after each update.

        One of the figures is ``entropy``. Raises DivergedError.
        """

    def act_batch(self, views: Views) -> NDArray[Any]:
        """The action that the agent would take in every view, shape (n,)."""

    def save_agent(self, folder: Path, run: Sequence[Provenance] = ()) -> None:
        """Write the agent that has been trained so far; `run` is how it came to be."""


def set_counters(learner: Restorable, counters: Mapping[str, Any]) -> None:
    """Restore the counters of a learner. Raises KeyError or ValueError for a missing or an impossible one."""
    for name in learner.counters:
        value = counters[name]
        if type(value) is not type(getattr(learner, name)) or not 0 <= value < 1 << 62:
            raise ValueError(f"the counter {name}={value} is not possible")
        setattr(learner, name, value)
