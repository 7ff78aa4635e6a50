"""Random words that depend on a seed and a view only."""

from __future__ import annotations

import numpy as np

from hearts_env.kernel.bits import mix
from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import Array, Mask, Phase, State, Tables
from hearts_env.kernel.rows import phase_column
from hearts_env.kernel.steps import random_action

REFUSE, SIGN, OVER = Phase.REFUSE.value, Phase.SIGN.value, Phase.OVER.value


@jit
def view_word(s: State, seed: Mask) -> Mask:
    """The random word of a view under a seed."""
    seat = max(s.seat, 0)
    word = mix(seed ^ s.hands[seat, 0])
    word = mix(word ^ s.hands[seat, 1])
    word = mix(word ^ s.played[0, 0])
    word = mix(word ^ s.played[0, 1])
    word = mix(word ^ np.uint64(s.deal_number))
    return mix(word ^ np.uint64((s.plies << 16) + (phase_number(s.phase) << 8) + seat))


@jit
def phase_number(phase: int) -> int:
    """A number of a phase that stays the same when phases are added to the kernel, so that seeds keep their meaning."""
    if phase == REFUSE:
        return 9
    return 10 if phase == SIGN else phase_column(phase)


@jit
def view_words(views: Array, seed: Mask, words: Array) -> None:
    """Write the random word of every view under a seed."""
    for i in range(views.shape[0]):
        words[i] = view_word(views[i], seed)


@jit
def draw_all(views: Array, t: Tables, seed: Mask, actions: Array) -> None:
    """Write a uniformly random legal action for every view whose match is not over."""
    for i in range(views.shape[0]):
        if views[i].phase != OVER:
            actions[i] = random_action(views[i], t, view_word(views[i], seed))
