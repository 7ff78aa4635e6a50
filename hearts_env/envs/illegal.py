"""Illegal actions: those of no action space, and what others pay: by default one less than any legal episode does, so
that no learner prefers them.
"""

from __future__ import annotations

from math import hypot

import numpy as np
from numpy.typing import NDArray

from hearts_env.compiled.game import Game
from hearts_env.envs.options import EpisodeOptions
from hearts_env.errors import IllegalActionError
from hearts_env.kernel.ranking import MAGNITUDE
from hearts_env.ruleset.enums import MoonExtends, MoonMode, Tie

MOST_DOUBLINGS = 31
"""Totals have 32 bits."""
MORE_DEALS = 10
"""Deals beyond the target that are allowed for where a match may go on."""


def check_range(live: NDArray[np.int64], chosen: NDArray[np.int64], actions: int) -> None:
    """Raise IllegalActionError for a number outside the action space in one of the `live` games of many."""
    outside = live[(chosen[live] < 0) | (chosen[live] >= actions)]
    if outside.size:
        given, most = int(chosen[outside[0]]), actions - 1
        raise IllegalActionError(f"game {outside[0]}: {given} is not an action; actions are 0 to {most}")


def illegal_reward(game: Game, episode: EpisodeOptions) -> float:
    """The payment for a seat that acts illegally: the option ``illegal_reward``, or one less than `worst_return`.

    Under ``reward="vector"`` it is the real part, with the sign of the scores: where the lowest total wins, one more
    than the highest total.

    >>> import hearts_env as he
    >>> from hearts_env.envs.options import open_game
    >>> illegal_reward(*open_game("black_lady", {"deals": 1}))
    -53.0
    >>> illegal_reward(*open_game("black_lady", {})), illegal_reward(*open_game("black_lady", {"reward": "rank"}))
    (-153.0, -2.0)
    """
    if episode.illegal_reward is not None:
        return episode.illegal_reward
    worst = worst_return(game, episode) - 1
    return worst if episode.reward != "vector" or game.cost_sign < 0 else -worst


def worst_return(game: Game, episode: EpisodeOptions) -> float:
    """A number that no seat's rewards of a legal episode add up to less than, if the episode starts at totals of 0.

    It follows from the rules: the points that a deal can score, times the deals; or the target of the match, and one
    deal more. Some matches have no bound. Where one may go on beyond its target (ties that are played on, moons that
    extend it), ten more deals are allowed for; under ``relative``, the opponents of a match without a number of deals
    are taken to stand at one best deal.
    """
    if episode.reward in ("rank", "win"):
        return -1.0 if episode.reward == "rank" else 0.0
    cheapest, dearest = _deal_costs(game)
    deals = _most_deals(game, episode)
    worst = _highest_cost(game, dearest, deals)
    if episode.reward == "relative":
        worst -= _grown(game, cheapest, deals or 1)
    mates = int(game.tables["team_size"]) if episode.team_rewards else 1
    return -float(worst * mates)


def _deal_costs(game: Game) -> tuple[float, float]:
    """The least (at most 0) and the most by which a deal worsens a total, by points, exact hits and a big moon."""
    low, high = game.point_bounds
    most = max(-low, high)
    if game.tables["score_better"] == MAGNITUDE:  # of real and imaginary part; none is below the 0 of the start
        return 0.0, hypot(most, most)
    changes = [0, *(change for _, change in game.rules.end.exact)]
    big_moon = game.tables["big_moon_points"] / (game.rules.moon.big_moon_deals or 1)
    low, high = min(low, 0) + min(changes) + min(big_moon, 0), max(high, 0) + max(changes) + max(big_moon, 0)
    return (-high, -low) if game.cost_sign < 0 else (low, high)


def _most_deals(game: Game, episode: EpisodeOptions) -> int | None:
    """The most deals of an episode, None without a limit."""
    limits = [limit for limit in (episode.deals, game.rules.end.max_deals) if limit]
    return min(limits) if limits else None


def _highest_cost(game: Game, dearest: float, deals: int | None) -> float:
    end = game.rules.end
    stop = _stopping_total(game)
    if stop is None:  # lives only
        return _grown(game, dearest, deals or (end.lives or 1) * game.seats)
    doubles = game.rules.moon.mode is MoonMode.RESET_OR_DOUBLE
    reached = (stop + dearest + abs(int(game.tables["big_moon_points"]))) * (2 if doubles else 1)
    stops = end.tie is Tie.SHARE and game.rules.moon.extends is MoonExtends.OFF
    if deals is None:
        return reached if stops else reached + MORE_DEALS * dearest
    return min(_grown(game, dearest, deals), reached) if stops else _grown(game, dearest, deals)


def _stopping_total(game: Game) -> int | None:
    """The size of the total, bad for its seat where there are two, that ends a match; None if none does."""
    end, chips = game.rules.end, game.rules.score.chips
    totals = [end.lower_target, end.target] if game.cost_sign < 0 else [end.target, end.lower_target]
    sizes = [abs(total) for total in [chips, *totals] if total is not None]
    return sizes[0] if sizes else None


def _grown(game: Game, cost: float, deals: int) -> float:
    """The largest sum of a cost per deal; where a moon doubles totals, the sum is doubled after each deal."""
    if game.rules.moon.mode is not MoonMode.RESET_OR_DOUBLE:
        return cost * deals
    return cost * float(2 ** min(deals + 1, MOST_DOUBLINGS) - 2)
