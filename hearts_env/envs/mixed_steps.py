"""Steps of many games of several rules at once: `hearts_env.envs.mixed`."""

from __future__ import annotations

import numpy as np

from hearts_env.envs.rewards import rewarded_step
from hearts_env.kernel.bits import mix
from hearts_env.kernel.blocks import row_of
from hearts_env.kernel.jit import jit
from hearts_env.kernel.legal import is_legal
from hearts_env.kernel.records import Array, Mask, Phase
from hearts_env.kernel.steps import start_match

OVER = Phase.OVER.value


@jit
def start_mixed(states: Array, tables: Array, games: Array, seeds: Array, shares: Array, episodes: Array) -> None:
    """Start the episode that `seeds[i]` fixes in record i, of a game drawn by `shares`, if there are any."""
    for i in range(states.shape[0]):
        if shares.shape[0]:
            games[i] = drawn_game(shares, mix(seeds[i]))
        game = games[i]
        start_match(states[i], tables[game], seeds[i], episodes[game].first_deal, episodes[game].deals)


@jit
def first_refused(states: Array, tables: Array, games: Array, chosen: Array) -> int:
    """The first game whose action, one of its own, is not legal, or -1; ended games take any."""
    for i in range(states.shape[0]):
        s = states[i]
        if s.phase != OVER and (chosen[i] < 0 or not is_legal(s, tables[games[i]], chosen[i])):
            return i
    return -1


@jit
def drawn_game(shares: Array, word: Mask) -> int:
    """A game, drawn by the running sums of the shares."""
    drawn = np.float64(word >> np.uint64(11)) * 2.0**-53 * shares[shares.shape[0] - 1]
    game = 0
    while game + 1 < shares.shape[0] and shares[game] <= drawn:
        game += 1
    return game


@jit
def mixed_step(
    states: Array,
    tables: Array,
    games: Array,
    chosen: Array,
    episodes: Array,
    restart: bool,
    shares: Array,
    rewards: Array,
    terminated: Array,
    finals: Array,
    final_games: Array,
) -> None:
    """One step of every game: rewards, ends and restarts. `chosen` has one action of its own for each.

    Where an episode ends, its record goes to `finals` and its game to `final_games`; if `restart`, another one follows,
    of a game drawn by `shares`, or of the same one if there are none.
    """
    for i in range(states.shape[0]):
        s, game = states[i], games[i]
        terminated[i] = False
        for seat in range(rewards.shape[1]):
            for part in range(rewards.shape[2]):
                rewards[i, seat, part] = np.float32(0)
        if s.phase == OVER:
            continue
        rewarded_step(s, tables[game], chosen[i], episodes[game], row_of(rewards, i))
        if s.phase == OVER:
            terminated[i] = True
            finals[i], final_games[i] = s, game
            if restart:
                follow(i, states, tables, games, shares, episodes)


@jit
def follow(i: int, states: Array, tables: Array, games: Array, shares: Array, episodes: Array) -> None:
    """Start the episode after that of record i, of a game drawn by `shares`, or of the same one if there are none."""
    seed = mix(states[i].seed)
    if shares.shape[0]:
        games[i] = drawn_game(shares, mix(seed))
    game = games[i]
    start_match(states[i], tables[game], seed, episodes[game].first_deal, episodes[game].deals)


@jit
def start_next_mixed(states: Array, tables: Array, games: Array, rows: Array, shares: Array, episodes: Array) -> None:
    """`follow` each of the records `rows`."""
    for row in rows:
        follow(row, states, tables, games, shares, episodes)
