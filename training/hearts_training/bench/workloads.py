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
