"""Starts of episodes: seeds and `options` of `reset`, for one game or many, as `STATE` records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_env.checks import array_of, seed_of, whole_array
from hearts_env.compiled.game import Game
from hearts_env.envs.options import EpisodeOptions, check_deal
from hearts_env.kernel.batch import start_all
from hearts_env.kernel.bits import mix
from hearts_env.kernel.records import STATE
from hearts_env.ruleset.syntax import brief
from hearts_env.table.log import DealStart
from hearts_env.table.setup import set_start

RESET_OPTIONS = ("hands", "deal_number", "totals", "dealer", "leader", "passing", "kitty")
"""The options of `reset`, as in `Match.from_hands`."""


class Lifecycle:
    """The calling order of an environment of many games: `reset` first, nothing after `close`."""

    _started = _closed = False

    def _check_open(self, what: str) -> None:
        if self._closed:
            raise ValueError(f"{what} is not possible: the environment is closed; make another one")

    def _check_started(self, what: str) -> None:
        self._check_open(what)
        if not self._started:
            raise ValueError(f"call reset before {what}")

    def _check_running(self, over: NDArray[np.bool_]) -> None:
        if over.any():
            raise ValueError(
                "the saved state has ended games, which this environment would never follow by others; restore it with "
                "the autoreset that it was saved with"
            )


@contextmanager
def draws_returned(rng: np.random.Generator) -> Iterator[None]:
    """Take back the draws of what is refused with a ValueError."""
    before = rng.bit_generator.state
    try:
        yield
    except ValueError:
        rng.bit_generator.state = before
        raise


def position_of(options: Any) -> dict[str, Any]:
    """The options of `reset` that set a position.

    Raises:
        ValueError: no dict, or a misspelt name. Other names are ignored: they may be meant for a wrapper.
    """
    if options is None:
        return {}
    if not isinstance(options, dict):
        raise ValueError(f"options={brief(options)} is not possible; it is a dict such as {{'totals': [0, 0, 0, 0]}}")
    for key in options:
        if key not in RESET_OPTIONS and (close := get_close_matches(brief(key), RESET_OPTIONS, n=1)):
            raise ValueError(f"reset has no option {brief(key)!r}; the closest is {close[0]!r}")
    return {key: value for key, value in options.items() if key in RESET_OPTIONS}


def set_position(game: Game, record: Any, seed: int, position: dict[str, Any], episode: EpisodeOptions) -> None:
    """Set a record that is at the start of the episode of `seed` to a position.

    A position that gives hands but no number is deal 0, or `first_deal`, and without a dealer it is dealt by seat 0;
    without hands it keeps the record's number and dealer.

    Raises ValueError for an impossible position.
    """
    if not position:
        return
    dealt = "hands" in position
    number = (episode.first_deal or 0) if dealt else int(record["deal_number"])
    defaults = {"passing": not dealt, "dealer": 0 if dealt else int(record["dealer"]), "deal_number": number}
    start = DealStart(**(defaults | position))
    check_deal("deal_number", game, start.deal_number)
    set_start(game, record, start, seed)
    record["deal_limit"] = int(record["deal_number"]) + episode.deals if episode.deals else 0


def start_games(game: Game, seeds: NDArray[np.uint64], options: Any, episode: EpisodeOptions) -> NDArray[Any]:
    """New games.

    Args:
        game: the compiled rules.
        seeds: (n,) what fixes the deals of each.
        options: one dict for all games, or a sequence with a dict or None for each.
        episode: the options that turn play into episodes.

    Returns:
        (n,) `STATE` records.

    Raises:
        ValueError: a misspelt option, an impossible position, or a wrong number of dicts.
    """
    seeds = array_of("seeds", seeds, np.uint64, (None,))
    positions = [position_of(one) for one in _per_game(options, len(seeds))]
    states = np.zeros(len(seeds), STATE)
    start_all(states, game.tables, seeds, episode.start_number, episode.deals or 0)
    for record, seed, position in zip(states, seeds, positions, strict=True):
        set_position(game, record, int(seed), position, episode)
    return states


def _per_game(options: Any, count: int) -> Sequence[Any]:
    if not isinstance(options, list | tuple):
        return [options] * count
    if len(options) != count:
        raise ValueError(f"options has {len(options)} entries; {count} games are reset, which need one each")
    return options


def game_seeds(seed: Any, states: NDArray[Any], rows: NDArray[np.int64], *, started: bool) -> NDArray[np.uint64]:
    """The seeds of the games `rows` of all `states`: drawn from one number, or one given for each.

    The seed that a game gets from one number does not depend on which other games are reset. Without a seed, games that
    are `started` go on as they do by themselves after an episode; others are drawn from nothing.

    Raises:
        ValueError: no whole number from 0 to 2**64 - 1, or a wrong number of them.
    """
    if seed is None and started:
        return np.array([mix(one) for one in states["seed"][rows]], np.uint64)
    if seed is None or np.ndim(seed) == 0:
        source = np.random.SeedSequence(None if seed is None else seed_of(seed))
        return np.asarray(source.generate_state(len(states), np.uint64)[rows])
    if len(seed) != len(rows):
        raise ValueError(f"seed has {len(seed)} entries; {len(rows)} games are reset, which need one each")
    return np.array([seed_of(one) for one in seed], np.uint64)


def game_rows(games: Any, count: int) -> NDArray[np.int64]:
    """The numbers of the games that a caller means: indices, or a mask (n,) of bool; None for all.

    >>> game_rows([2, 0], 4), game_rows(np.array([True, False, False, True]), 4)
    (array([2, 0]), array([0, 3]))

    Raises:
        ValueError: a game that does not exist, or one that is named twice.
    """
    if games is None:
        return np.arange(count)
    try:
        given = np.asarray(games)
    except ValueError:
        raise ValueError(f"games={brief(games)} is not an array of numbers of games") from None
    if given.dtype == np.bool_ and given.shape == (count,):
        return np.flatnonzero(given)
    given = given.astype(np.int64) if given.shape == (0,) else given
    rows = whole_array("games", given, (given.size,), 0, count - 1)
    if len(np.unique(rows)) != len(rows):
        raise ValueError("games names a game twice")
    return rows
