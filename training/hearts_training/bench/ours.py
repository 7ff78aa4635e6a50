"""Workloads of this package: the kernel, `VectorEnv` and the PettingZoo environment; `black_lady` by default."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

import hearts_env as he
from hearts_env.compiled.game import Game, compile_game
from hearts_env.kernel import batch
from hearts_env.kernel.records import STATE
from hearts_training.bench.loops import aec_loop

GAMES = 256  # a batch that fits in the cache
DEAL = 64  # decisions of a deal of black_lady, passing included


def _games(game: Game, count: int, seed: int = 0) -> Any:
    states = np.zeros(count, STATE)
    batch.start_all(states, game.tables, np.arange(count, dtype=np.uint64) + np.uint64(seed), 0, 0)
    return states


def kernel_random(threads: int = 1, rules: str = "black_lady") -> Callable[[int], int]:
    """Uniformly random play in decisions, with the games divided among threads."""
    game = compile_game(he.rules(rules))
    tables = game.tables
    parts = [_games(game, GAMES, seed=GAMES * thread) for thread in range(threads)]
    pool = ThreadPoolExecutor(threads)

    def work(decisions: int) -> int:
        each = max(decisions // (GAMES * threads), 1) * GAMES
        list(pool.map(lambda part: batch.play_random(part, tables, np.uint64(1), each), parts))
        return each * threads

    return work


def kernel_observed(
    rules: str = "black_lady", dtype: str = "float32", games: int = GAMES, threads: int = 1, apart: bool = False
) -> Callable[[int], int]:
    """Uniformly random play in lockstep; every step writes an observation, float32 or uint8, and an int8 mask.

    The games are divided among threads. With `apart` they begin at different plies of a deal, so that a few steps cost
    what they cost on average.
    """
    game = compile_game(he.rules(rules))
    parts = [_observed(game, games // threads, dtype, games * thread, apart) for thread in range(threads)]
    pool = ThreadPoolExecutor(threads)

    def work(decisions: int) -> int:
        rounds = max(decisions // games, 1)
        list(pool.map(lambda part: part(rounds), parts))
        return rounds * (games // threads) * threads

    return work


def _observed(game: Game, count: int, dtype: str, seed: int, apart: bool) -> Callable[[int], Any]:
    tables, states = game.tables, _games(game, count, seed)
    if apart:
        move_apart(states, game)
    observations = np.zeros((count, int(tables["byte_size" if dtype == "uint8" else "obs_size"])), dtype)
    masks, actions = np.zeros((count, int(tables["actions"])), np.int8), np.zeros(count, np.int64)
    batch.random_actions(states, tables, np.uint64(1), actions)
    return lambda rounds: batch.play_random_observed(states, tables, np.uint64(1), rounds, actions, observations, masks)


def move_apart(states: Any, game: Game) -> None:
    """Play at random so that the games, all at the same ply, get to different plies of a deal."""
    for plies, part in enumerate(np.array_split(states, min(DEAL, len(states)))):
        batch.play_random(part, game.tables, np.uint64(plies), plies * len(part))


def vector_env(threads: int = 1, games: int = 4096, apart: bool = False) -> Callable[[int], int]:
    """`VectorEnv.step`, sampling of the random actions included; with `apart` as in `kernel_observed`."""
    env = he.vector_env("black_lady", games, threads=threads, deals=1, reward="relative")
    env.reset(seed=1)
    if apart:
        move_apart(env.states, env.game)
    rng = np.random.default_rng(1)

    def work(decisions: int) -> int:
        rounds = max(decisions // env.num_envs, 1)
        for _ in range(rounds):
            env.step(env.sample_actions(rng))
        return rounds * env.num_envs

    return work


def aec(checked: bool) -> Callable[[int], int]:
    """Random play of the PettingZoo environment: `env` if `checked`, else `raw_env`."""
    return aec_loop(he.env("black_lady") if checked else he.raw_env("black_lady"))


def kernels_compiled() -> int:
    """How often the kernel has been compiled (or loaded) in this process: once for all variants."""
    return len(batch.play_random.signatures)


def bytes_per_game() -> int:
    """Memory of one game in a `VectorEnv`: its record, that of its last finished game, observation, mask, rewards."""
    env = he.vector_env("black_lady", 1)
    arrays = (env.states, env.finals, env.observations, env.action_masks, env.rewards, env.terminated)
    return sum(array.nbytes for array in arrays)
