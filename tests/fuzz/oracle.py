"""Random rules and play, step by step against the oracle: a second implementation of the rules in plain Python."""

from __future__ import annotations

from collections import Counter
from random import Random

import hearts_env as he
from tests.fuzz.attack import Attack, BrokenError, Case
from tests.fuzz.drawing import draw_rules
from tests.support.lockstep import play_matches, play_skewed

DEALS = 3
"""The most deals of a match that are compared."""


def draw(rng: Random) -> Case:
    """Rules and the seed of everything else."""
    return {"rules": draw_rules(rng), "seed": rng.randrange(2**63)}


def check(case: Case) -> Counter[str]:
    """A match as the shuffle gives it, and deals in which rare things happen; raises at the first difference."""
    rules, rng = he.rules(case["rules"]), Random(case["seed"])
    try:
        play_matches(rules, rng, matches=1, deals=DEALS)
        play_skewed(rules, rng, starts=3, deals=1)
    except AssertionError as difference:
        raise BrokenError(" ".join(str(difference).split())[:500]) from None
    return Counter(rules=1, matches=4)


ATTACK = Attack("oracle", draw, check, seconds=120)
