"""`HeartsState`: a deal as a `pyspiel.State`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyspiel

from hearts_env.envs.openspiel.dealing import Outcomes
from hearts_env.envs.openspiel.position import Position
from hearts_env.envs.openspiel.resampling import actions_of
from hearts_env.envs.openspiel.settings import Settings


class HeartsState(pyspiel.State):
    """A deal so far: chance deals, then the seats pass, play and take their other decisions.

    Attributes:
        settings: the settings of the game.
        position: the deal.
    """

    def __init__(self, game: Any, settings: Settings) -> None:
        """Take the game, which makes its states with `new_initial_state`, and its settings."""
        super().__init__(game)
        self.settings = settings
        self.position = Position(settings.dealing)

    def current_player(self) -> int:
        """The seat to act, or `pyspiel.PlayerId.CHANCE` or `TERMINAL`."""
        if self.position.over:
            return int(pyspiel.PlayerId.TERMINAL)
        seat = self.position.seat
        return int(pyspiel.PlayerId.CHANCE) if seat is None else seat

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal() if player == self.position.seat else []

    def chance_outcomes(self) -> Outcomes:
        """(outcome, probability) of every outcome of a chance node."""
        return self.position.dealing.outcomes(self.position.drawn)

    def _apply_action(self, action: int) -> None:
        if self.position.states is None:
            self.position.draw(action)
        else:
            self.position.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self.position.dealing.name(len(self.position.drawn), action)
        return self.settings.game.actions[action]

    def is_terminal(self) -> bool:
        """True once the deal is over."""
        return self.position.over

    def returns(self) -> list[float]:
        """The utility of every player; 0 until the deal is over."""
        return self.settings.returns(self.position) if self.position.over else [0.0] * self.settings.game.seats

    def resample_from_infostate(self, player_id: int, sampler: Callable[[], float]) -> HeartsState:
        """A state in which the cards that a player does not know are drawn again.

        Every deal that agrees with what the player knows is equally likely (`hearts_env.seat.worlds.sample_worlds`).

        Args:
            player_id: the player.
            sampler: draws numbers evenly from 0 up to 1.
        """
        state = self.get_game().new_initial_state()
        if self.position.states is None:
            raise ValueError("chance has not dealt all cards; resample a state after the deal")
        for action in actions_of(self.position, player_id, int(sampler() * 2**53)):
            state.apply_action(action)
        return state  # type: ignore[no-any-return]  # of this class

    def __str__(self) -> str:
        return str(self.position)
