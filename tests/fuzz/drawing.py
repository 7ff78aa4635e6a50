"""Rules for attacks: those of the tests, and those that Hypothesis composes."""

from __future__ import annotations

from functools import lru_cache
from random import Random

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded

import hearts_env as he
from tests.support.games import COVERING, OPTIONS, SEATS
from tests.support.strategies import drawn_rules

BLOCK = 16
"""Rules that are drawn at a time."""
KNOWN = [*(f"{name}(players={players})" for name, players in SEATS), *COVERING, *OPTIONS]


def draw_rules(rng: Random) -> str:
    """The text of rules: one in four from the tests' own list, the others composed at random."""
    if rng.random() < 0.25:
        return rng.choice(KNOWN)
    block: list[str] = []
    while not block:
        block = _block(rng.randrange(4096))
    return rng.choice(block)


@lru_cache(maxsize=64)
def _block(seed: int) -> list[str]:
    found: list[str] = []

    @seeded(seed)
    @settings(
        max_examples=BLOCK,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(drawn_rules())
    def collect(rules: he.Rules) -> None:
        found.append(str(rules))

    collect()
    return found[1:]  # the first is always the simplest
