"""`HeartsGame`: a deal of any variant as a `pyspiel.Game`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyspiel

from hearts_env.envs.openspiel.game_type import game_type
from hearts_env.envs.openspiel.observer import HeartsObserver
from hearts_env.envs.openspiel.settings import Settings
from hearts_env.envs.openspiel.state import HeartsState


class HeartsGame(pyspiel.Game):
    """A deal of Hearts.

    Attributes:
        settings: the rules and the utilities.
    """

    def __init__(self, params: Mapping[str, str] | None = None) -> None:
        """Read the parameters of the game.

        Args:
            params: ``variant``, rules or their text, and ``reward``, ``relative`` or ``points``.

        Raises:
            RulesError: unknown, misspelled or contradictory rules.
            ValueError: rules that OpenSpiel cannot express, or another reward.
        """
        self.settings = Settings.of(params or {})
        low, high = self.settings.utility_bounds
        zero_sum = self.settings.reward == "relative"
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.settings.game.actions),
            max_chance_outcomes=self.settings.dealing.most_outcomes,
            num_players=self.settings.game.seats,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if zero_sum else None,
            max_game_length=self.settings.longest,
        )
        super().__init__(game_type(zero_sum), info, self.settings.parameters)

    def new_initial_state(self) -> HeartsState:
        """A state in which nothing has been dealt."""
        return HeartsState(self, self.settings)

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None) -> HeartsObserver:
        """An observer of what one seat knows: of its information set with perfect recall, of the situation without.

        Raises:
            ValueError: parameters, or an observer that sees other than the public cards and those of one seat.
        """
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if params:
            raise ValueError(f"observers have no parameters; they were given {', '.join(params)}")
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError("observers show what is public and what one player knows; other types are not possible")
        return HeartsObserver(self.settings.game, kind.perfect_recall)
