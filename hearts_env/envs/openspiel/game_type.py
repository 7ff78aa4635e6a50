"""The type of the game and its parameters."""

from __future__ import annotations

from typing import Any

import pyspiel

from hearts_env.ruleset.validate import MAX_SEATS, MIN_SEATS

DEFAULTS: dict[str, str] = {"variant": "black_lady", "reward": "relative"}
"""The parameters of the game and their defaults."""


def game_type(zero_sum: bool) -> Any:
    """The `pyspiel.GameType`."""
    utility = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name="hearts_env",
        long_name="Hearts and its variants",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if zero_sum else utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=MAX_SEATS,
        min_num_players=MIN_SEATS,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=DEFAULTS,
    )
