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


def _games(game: Game, count: int, seed: int = 0) -> Any:
    states = np.zeros(count, STATE)
    batch.start_all(states, game.tables, np.arange(count, dtype=np.uint64) + np.uint64(seed), 0)
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


def kernel_observed(rules: str = "black_lady", dtype: str = "float32") -> Callable[[int], int]:
    """Uniformly random play in lockstep; every step writes an observation, float32 or uint8, and an int8 mask."""
    game = compile_game(he.rules(rules))
    tables, states = game.tables, _games(game, GAMES)
    observations = np.zeros((GAMES, int(tables["byte_size" if dtype == "uint8" else "obs_size"])), dtype)
    masks, actions = np.zeros((GAMES, int(tables["actions"])), np.int8), np.zeros(GAMES, np.int64)
    batch.random_actions(states, tables, np.uint64(1), actions)

    def work(decisions: int) -> int:
        rounds = max(decisions // GAMES, 1)
        batch.play_random_observed(states, tables, np.uint64(1), rounds, actions, observations, masks)
        return rounds * GAMES

    return work


def vector_env(threads: int = 1) -> Callable[[int], int]:
    """`VectorEnv.step` of 4,096 games, sampling of the random actions included."""
    env = he.vector_env("black_lady", 4096, threads=threads, deals=1, reward="relative")
    env.reset(seed=1)
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
