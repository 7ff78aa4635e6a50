"""Workloads: the kernel, `VectorEnv` and the PettingZoo environment, and those of other packages if installed."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

import hearts_env as he
from hearts_env.compiled.game import Game, compile_game
from hearts_env.kernel import batch
from hearts_env.kernel.records import STATE

GAMES = 256  # a batch that fits in the cache


def _basic(games: int, seed: int = 0) -> tuple[Game, Any]:
    """The game of `black_lady`, and so many states at the start of a match."""
    game, states = compile_game(he.rules("black_lady")), np.zeros(games, STATE)
    batch.start_all(states, game.tables, np.arange(games, dtype=np.uint64) + np.uint64(seed), 0, 0)
    return game, states


def kernel_random(threads: int = 1) -> Callable[[int], int]:
    """Uniformly random play in decisions; every thread has games of its own."""
    parts = [_basic(GAMES, seed=GAMES * thread) for thread in range(threads)]
    pool = ThreadPoolExecutor(threads)

    def work(decisions: int) -> int:
        each = max(decisions // (GAMES * threads), 1) * GAMES
        list(pool.map(lambda part: batch.play_random(part[1], part[0].tables, np.uint64(1), each), parts))
        return each * threads

    return work


def kernel_observed(dtype: str = "float32") -> Callable[[int], int]:
    """Uniformly random play in lockstep; every step writes an observation, float32 or uint8, and an int8 mask."""
    game, states = _basic(GAMES)
    tables = game.tables
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


def aec_loop(env: Any) -> Callable[[int], int]:
    """A workload: `last()`, a uniformly random legal action, `step()`; `reset()` after the end of an episode."""
    draw = random.Random(1).random
    env.reset(seed=1)

    def work(steps: int) -> int:
        for _ in range(steps):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(int(legal[int(draw() * len(legal))]))
        return steps

    return work


# --- other packages --------------------------------------------------------------------------------


def pyspiel_random(tensor: bool) -> Callable[[int], int]:
    """Random play of OpenSpiel's Hearts from Python; with `tensor`, each decision writes its information-state tensor.

    Raises ImportError if OpenSpiel is not installed.
    """
    import pyspiel
    from open_spiel.python.observation import make_observation

    game = pyspiel.load_game("hearts")
    writer = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True)) if tensor else None
    rng = random.Random(1)

    def work(decisions: int) -> int:
        left = decisions
        while left > 0:
            left = _one_deal(game.new_initial_state(), writer, rng, left)
        return decisions - left

    return work


def _one_deal(state: Any, writer: Any, rng: random.Random, left: int) -> int:
    while not state.is_terminal() and left > 0:
        actions = state.legal_actions()
        if not state.is_chance_node():
            left -= 1
            if writer is not None:
                writer.set_from(state, state.current_player())
        state.apply_action(actions[int(rng.random() * len(actions))])
    return left


def connect_four(checked: bool) -> Callable[[int], int]:
    """PettingZoo's `connect_four_v3` in the same loop. Raises ImportError if its dependencies are not installed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the import is deprecated, but there is no other for the raw environment
        from pettingzoo.classic import connect_four_v3

        return aec_loop(connect_four_v3.env() if checked else connect_four_v3.raw_env())
