"""Workloads of other packages, if they are installed."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from typing import Any

from hearts_training.bench.loops import aec_loop


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
