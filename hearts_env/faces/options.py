"""What every face offers: rules with options, rewards, their timing and the length of an episode."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from hearts_env.rules import Rules
from hearts_env.tables import Game, compile_game
from hearts_env.variants import rules as read_rules

REWARDS = ("points", "relative", "rank", "win")
TIMINGS = ("deal", "trick")


@dataclass(frozen=True)
class EpisodeOptions:
    """How play becomes episodes.

    Attributes:
        reward: ``points`` (negated points, so that higher is better), ``relative`` (the same minus the mean of the
            opponents), ``rank`` (1 for the best place down to -1 for the last, at the end) or ``win`` (1 shared by the
            winners, at the end).
        timing: when points are paid: after each ``deal`` or each ``trick``; both sum to the same.
        deals: deals per episode; None plays matches to their end.
        tokens: whether observations come with the deal so far as integers, for sequence models
            (`observation.token_shape`).
    """

    reward: str = "points"
    timing: str = "deal"
    deals: int | None = None
    tokens: bool = False

    def __post_init__(self) -> None:
        _one_of("reward", self.reward, REWARDS)
        _one_of("timing", self.timing, TIMINGS)
        if self.deals is not None and self.deals < 1:
            raise ValueError(f"deals={self.deals} must be at least 1; leave it out to play whole matches")

    @property
    def reward_code(self) -> int:
        """The kernel's number of the reward."""
        return REWARDS.index(self.reward)

    @property
    def by_trick(self) -> bool:
        """Whether points are paid after each trick."""
        return self.timing == "trick"


def _one_of(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        close = get_close_matches(str(value), choices, n=1, cutoff=0)[0]
        raise ValueError(f"{name}={value!r} is not one of {', '.join(choices)}; the closest is {close!r}")


def open_game(variant: str | Rules, options: dict[str, Any]) -> tuple[Game, EpisodeOptions]:
    """Split keyword options into those of the episode and changes of the rules, and compile the game.

    Raises ValueError for an option that is neither (naming the closest), or a bad value.
    """
    names = {field.name for field in dataclasses.fields(EpisodeOptions)}
    episode = EpisodeOptions(**{name: value for name, value in options.items() if name in names})
    changes = {name: value for name, value in options.items() if name not in names}
    return compile_game(read_rules(variant).replace(**changes)), episode
