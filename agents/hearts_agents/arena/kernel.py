"""Deals for the arena."""

from __future__ import annotations

from hearts_env.kernel.jit import jit
from hearts_env.kernel.records import Array, Tables
from hearts_env.kernel.steps import start_deal, start_match


@jit
def deal_all(states: Array, t: Tables, seeds: Array, numbers: Array) -> None:
    """Start in every record deal `numbers[i]` of the match that `seeds[i]` fixes, totals 0; the match ends with it."""
    for i in range(states.shape[0]):
        start_match(states[i], t, seeds[i], numbers[i] + 1)
        states[i].deal_number = numbers[i]
        start_deal(states[i], t)
