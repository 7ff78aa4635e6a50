"""The parameters of a game of OpenSpiel, read: the rules, and how points become utilities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hearts_env.cards import JOKER
from hearts_env.compiled.game import Game, compile_game
from hearts_env.envs.illegal import worst_return
from hearts_env.envs.openspiel.dealing import Dealing
from hearts_env.envs.openspiel.game_type import DEFAULTS
from hearts_env.envs.openspiel.position import Position
from hearts_env.envs.options import EpisodeOptions
from hearts_env.ruleset.enums import Schedule
from hearts_env.ruleset.model import Rules
from hearts_env.ruleset.syntax import brief
from hearts_env.variants.registry import rules as read_rules

REWARDS = ("relative", "points")


@dataclass(frozen=True)
class Settings:
    """A game with its utilities.

    Attributes:
        game: the compiled rules.
        reward: ``points`` (the change of the utility of a seat, or of its team where the team's sum decides the match)
            or ``relative`` (the same minus the mean of the opponents, which makes the game zero-sum).
    """

    game: Game
    reward: str

    @staticmethod
    def of(parameters: Mapping[str, str]) -> Settings:
        """Read the parameters.

        Raises:
            RulesError: unknown, misspelled or contradictory rules.
            ValueError: rules that OpenSpiel cannot express, or another reward.
        """
        given = DEFAULTS | dict(parameters)
        if given["reward"] not in REWARDS:
            raise ValueError(f"reward={brief(given['reward'])} is not one of {', '.join(REWARDS)}")
        rules = read_rules(given["variant"].strip().strip('"'))
        check_expressible(rules)
        return Settings(compile_game(rules), given["reward"])

    def __deepcopy__(self, _: object) -> Settings:
        return self  # OpenSpiel copies what its states hold

    @cached_property
    def dealing(self) -> Dealing:
        """The choices that chance makes."""
        return Dealing(self.game)

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters that make these settings again, as OpenSpiel can read them back."""
        text = str(self.game.rules)
        named = {"variant": f'"{text}"' if "(" in text else text}
        return named | ({} if self.reward == DEFAULTS["reward"] else {"reward": self.reward})

    def returns(self, position: Position) -> list[float]:
        """The utility of every seat at the end of a deal; partners are paid alike where their sum decides."""
        gains, team = position.gains[:, 0].astype(np.float64), np.array(self.game.teams)
        of_team = (team[:, None] == team) @ gains
        own = of_team if self.game.team_pay else gains
        if self.reward == "relative":
            others = self.game.seats - int(self.game.tables["team_size"])
            own = own - (gains.sum() - of_team) * self._paid_together / others
        return [float(gain) for gain in own]

    @property
    def _paid_together(self) -> int:
        """Seats whose points a seat is paid for."""
        return int(self.game.tables["team_size"]) if self.game.team_pay else 1

    @cached_property
    def utility_bounds(self) -> tuple[float, float]:
        """Lower and upper bound of the utility of a seat."""
        worst = {
            reward: worst_return(self.game, EpisodeOptions(reward, deals=1, team_rewards=self.game.team_pay))
            for reward in REWARDS
        }
        high = -worst["relative"] if self.reward == "relative" else worst["points"] - worst["relative"]
        return worst[self.reward], high

    @cached_property
    def longest(self) -> int:
        """Decisions in the longest deal, or chance nodes if those are more: OpenSpiel takes one bound for both."""
        t, seats = self.game.tables, self.game.seats
        kinds = {name.split(":")[0] for name in self.game.actions if ":" in name}
        most = {
            "direction": 1,
            "expose": (seats + 1) * (int(t["exposures"]) + 1),
            "pledge": seats,
            "suit": self.game.deck.copies[JOKER],
            "moon": 1,
            "sign": seats - 1,
            "exact": seats,
        }
        cards = seats * (self.game.hand_size + max(int(count) for count in t["option_cards"]))
        return max(cards + sum(most[kind] for kind in kinds), len(self.dealing.steps))


def check_expressible(rules: Rules) -> None:
    """Raise ValueError if OpenSpiel cannot express a deal by these rules."""
    cycle = rules.passing.cycle
    # passing.schedule, passing.cycle: the first deal of a match has the first entry, unless it is drawn
    if any("pool" in entry for entry in (cycle if rules.passing.schedule is Schedule.RANDOM else cycle[:1])):
        raise ValueError(f"OpenSpiel cannot play {rules}: passing.cycle shuffles cards in a pool after they are picked")
    if rules.exposing.rounds.endswith("blind"):
        raise ValueError(
            f"OpenSpiel cannot play {rules}: exposing.rounds={rules.exposing.rounds} shows cards in secret"
        )
    if rules.passing.refusable:
        raise ValueError(f"OpenSpiel cannot play {rules}: passing.refusable takes back what has been picked in secret")
