"""The hyper-parameters of a run that starts from a network, and named sets of hyper-parameters. Imports no torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

DISTILLED_TEMPERATURE = 0.25
"""The `start_temperature` of a network that was distilled and not trained further."""
FROM_NETWORK: Mapping[str, Any] = {
    "critic_hidden": (256, 256),
    "imitation": 0.0,
    "critic_first": 0.1,
    "average": 0.02,
    "learning_rate": 1e-4,
    "final_learning_rate": 1e-5,
    "entropy": 0.003,
    "final_entropy": 0.001,
    "opponents": ("rule", "shooter", "guard"),
    "opponent_games": 0.5,
}
"""Hyper-parameters of a run that starts from a network: small steps, averaged."""
FROM_GENERAL: Mapping[str, Any] = {
    "imitation": 0.0,
    "critic_first": 0.05,
    "average": 0.03,
    "learning_rate": 3e-4,
    "entropy": 0.01,
}
"""The same of a run on many games that starts from a network for all rules."""


@dataclass(frozen=True)
class Preset:
    """A named set of hyper-parameters, from random weights.

    Attributes:
        minutes: length of the run on two cores, if none is given.
        hyper_parameters: fields of `Config`; those given for the run take precedence.
    """

    minutes: float
    hyper_parameters: Mapping[str, Any]


PRESETS: Mapping[str, Preset] = {
    "strong": Preset(
        minutes=180.0,
        hyper_parameters={
            "num_envs": 1024,
            "hidden": (512, 512, 512),
            "critic_hidden": (256, 256),
            "imitation": 0.05,
            "opponents": ("rule", "shooter", "guard"),
            "opponent_games": 0.4,
            "learning_rate": 4e-4,
            "final_learning_rate": 1e-5,
            "entropy": 0.01,
            "final_entropy": 0.001,
        },
    ),
}
"""The presets of `hearts train`, by name."""
