"""The loop that drives every PettingZoo environment measured, ours and others."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any


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
