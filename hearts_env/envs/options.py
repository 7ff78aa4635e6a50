"""Options that all environments share: rules with changes, rewards, their timing and the length of an episode."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from hearts_env.checks import MOST, flag, number, whole
from hearts_env.compiled.game import Game, compile_game
from hearts_env.envs.reward_function import Function, RewardFunction
from hearts_env.errors import RulesError
from hearts_env.kernel.records import DRAWN
from hearts_env.ruleset.derived import check_end
from hearts_env.ruleset.enums import Tie
from hearts_env.ruleset.model import Rules, field_path, field_types
from hearts_env.ruleset.syntax import brief
from hearts_env.seat.observation import observation_bounds
from hearts_env.variants.registry import rules as read_rules

REWARDS = ("points", "relative", "rank", "win", "vector")
TIMINGS = ("deal", "trick")
LAYOUTS = ("variant", "universal", "universal-1")
"""The columns and actions of observations: those of the game alone, or those that all games share, in the newest
version or in version 1, which never changes.
"""


@dataclass(frozen=True)
class EpisodeOptions:
    """The options that turn play into episodes.

    Attributes:
        reward: ``points`` (higher is better: negated points where the lowest total wins, minus the change of the
            magnitude where that decides), ``relative`` (the same minus the mean of the opponents),
            ``rank`` (at the end, 1 for the best place down to -1 for the last), ``win`` (at the end, 1 shared by the
            winners) or ``vector`` (the change of the total as it is scored, its real and its imaginary part). Or a
            function ``reward(before, after)``, called once after every step of the environment with a `Moment` each,
            which returns what every seat of every game is paid, (n, seats) finite numbers; n is 1 where there is one
            game. Games that took no step, or ended by an illegal action, are not paid what it returns. A wrong answer
            is a ValueError; the step has been taken then.
        timing: when points are paid: after each ``deal`` or each ``trick``; both sum to the same. Not for functions.
        deals: deals per episode, at most 1,000,000; None plays matches to their end.
        first_deal: number of the first deal of an episode, which fixes its pass: 0 is the first of a match. By default
            matches begin with deal 0, and episodes of `deals` deals with one drawn from the pass cycle.
        team_rewards: whether a seat is paid the sum over its team; otherwise partners are paid separately. None pays
            the team where its sum decides the match, and each partner alone where one player's total does
            (``table.team_scoring=individual``). Not for functions.
        tokens: whether observations include the events of the deal so far as integers, for sequence models
            (`observation.token_shape`).
        illegal_reward: what an environment that ends the episode at an illegal action pays to the seat that took it;
            None for one less than any legal episode pays (`illegal.illegal_reward`), of points if `reward` is a
            function.
    """

    reward: str | Function = "points"
    timing: str = "deal"
    deals: int | None = None
    first_deal: int | None = None
    team_rewards: bool | None = None
    tokens: bool = False
    illegal_reward: float | None = None

    def __post_init__(self) -> None:
        if not callable(self.reward):
            if isinstance(self.reward, str) and self.reward.startswith("py:"):
                raise ValueError(f"reward={brief(self.reward)} must be the function itself; py: is for hearts train")
            one_of("reward", self.reward, REWARDS)
        one_of("timing", self.timing, TIMINGS)
        if self.deals is not None:
            object.__setattr__(self, "deals", whole("deals", self.deals, 1, MOST))
        if self.first_deal is not None:
            object.__setattr__(self, "first_deal", whole("first_deal", self.first_deal, 0, MOST))
        if self.team_rewards is not None:
            flag("team_rewards", self.team_rewards)
        flag("tokens", self.tokens)
        if self.illegal_reward is not None:
            object.__setattr__(self, "illegal_reward", number("illegal_reward", self.illegal_reward))

    @property
    def parts(self) -> int:
        """Numbers in a reward."""
        return 2 if self.reward == "vector" else 1

    def record(self) -> NDArray[Any]:
        """The `EPISODE` record of the compiled steps, as an array of one."""
        from hearts_env.envs.rewards import EPISODE

        kind = 0 if callable(self.reward) else REWARDS.index(self.reward)
        pay = kind, self.timing == "trick", bool(self.team_rewards)
        return np.array([(self.start_number, self.deals or 0, *pay)], EPISODE)

    def function(self, kinds: Sequence[Game], count: int = 1) -> RewardFunction | None:
        """The reward function of an environment of `count` games, None if the reward is a named one."""
        return RewardFunction(self.reward, kinds, count) if callable(self.reward) else None

    @property
    def start_number(self) -> int:
        """`first_deal` as the kernel takes it."""
        return DRAWN if self.first_deal is None else self.first_deal


def one_of(name: str, value: Any, choices: tuple[str, ...]) -> None:
    """Raise ValueError, naming the closest choice, for a value that is none of the choices."""
    if not isinstance(value, str) or value not in choices:
        text = brief(value)
        close = get_close_matches(text, choices, n=1, cutoff=0)[0]
        raise ValueError(f"{name}={text!r} is not one of {', '.join(choices)}; the closest is {close!r}")


def open_game(variant: str | Rules, options: dict[str, Any]) -> tuple[Game, EpisodeOptions]:
    """Split keyword options into those of the episode and changes of the rules, and compile the game.

    Raises ValueError for an option that is neither (naming the closest), or a bad value.
    """
    names = {field.name for field in dataclasses.fields(EpisodeOptions)}
    episode = EpisodeOptions(**{name: value for name, value in options.items() if name in names})
    changes = {name: value for name, value in options.items() if name not in names}
    for name in changes:
        _check_name(name, names)
    for name in ("timing", "team_rewards") if callable(episode.reward) else ():
        if options.get(name) is not None:
            raise ValueError(f"{name}={brief(options[name])} is not for reward functions; leave it out")
    game = compile_game(read_rules(variant).replace(**changes))
    if episode.deals is None:
        check_end(game.rules, "set deals, such as deals=1")
    if episode.team_rewards and not game.rules.table.teams:
        raise ValueError(f"team_rewards needs teams, but {game.rules} has none; set teams, such as [0+2,1+3]")
    check_deal("first_deal", game, episode.first_deal)
    if episode.team_rewards is None:
        episode = dataclasses.replace(episode, team_rewards=game.team_pay)
    return game, episode


def _check_name(name: str, options: Iterable[str]) -> None:
    try:
        field_path(name)
    except RulesError:
        known = [*options, *field_types(), *(path.partition(".")[2] for path in field_types())]
        close = get_close_matches(name, known, n=1, cutoff=0.7)
        hint = f"; the closest is {close[0]}" if close else " here"
        raise RulesError(f"there is no option or rule field {brief(name)!r}{hint}") from None


def check_deal(name: str, game: Game, number: int | None) -> None:
    """Raise ValueError for the number of a deal that no match of a game has (end.max_deals)."""
    end = game.rules.end
    last = None if end.tie is Tie.CONTINUE else end.max_deals  # ties are played off beyond it
    if number and last and whole(name, number) >= last:
        raise ValueError(f"{name}={number} is not possible; a match of {game.rules} has the deals 0 to {last - 1}")


def observation_space(game: Game, dtype: str) -> spaces.Box:
    """The space of a row of observations, float32 or uint8."""
    if dtype == "uint8":
        return spaces.Box(0, 255, (int(game.tables["byte_size"]),), np.uint8)
    low, high = observation_bounds(game)
    return spaces.Box(low, high, dtype=np.float32)
