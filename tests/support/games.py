"""The games that tests go through: every variant, and rules that no variant puts together."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import hypothesis.strategies as st
from hypothesis import settings

import hearts_env as he

SEATS = [(name, players) for name, variant in he.VARIANTS.items() for players in variant.players]
"""Every variant with every number of players it is for."""
EVERY_TABLE = [f"{name}(players={players})" for name, players in SEATS]
FEW_CARDS = 10
"""A pack no larger than those of the games for research, in which a deal has few decisions, and little is hidden."""
LARGEST = [f"{name}(players={variant.players[-1]})" for name, variant in he.VARIANTS.items()]
"""Every variant at its largest table."""
COVERING = {
    text: set(events.split(", ")) - {""}
    for text, _, events in (
        line.partition(" # ") for line in Path(__file__).with_name("covering.txt").read_text("utf-8").splitlines()
    )
}
"""Games that cover the rules (`tests.support.covering`), and what has to happen in each on skewed deals."""


DRAWN = st.integers(0, 2**63 - 1).map(he.sample_rules)
"""Rules drawn at random, composed of fields that no variant puts together."""
HALF = settings(max_examples=settings().max_examples // 2)
"""Of a test that takes long for each of the examples that are drawn."""


def positions(rules: str, seed: int, most: int = 10_000) -> Iterator[he.Match]:
    """A match played at random, before each of its first `most` actions, and at the end."""
    match, rng = he.Match(rules, seed), Random(seed)
    for _ in range(most):
        yield match
        if match.over:
            return
        match.play(rng.choice(match.legal()))


def match_in(phase: str) -> he.Match:
    """A match of one of `COVERING`, played at random, that has come to a phase."""
    games = [text for text in COVERING if phase in phases_of(text)]
    for seed in range(200):
        for match in positions(games[seed % len(games)], seed, 300):
            if match.phase == phase:
                return match
    raise AssertionError(f"no match came to the phase {phase}")


def phases_of(rules: str) -> set[str]:
    """The phases that a game can come to."""
    actions = he.Match(rules, 0).game.actions
    return {"pass", "play", "over"} | {action.partition(":")[0] for action in actions if ":" in action}


MORE = (
    "black_lady(moon.cards=[QS,A])",
    "black_lady(cycle=[pool|pool*1|left])",
    "black_lady(schedule=random, cycle=[left,+2*1,scatter,hold,left&right*2])",
    "black_lady(forced_discard=[QS,K])",
    "black_lady(players=5, refusable=[QS,KS,AS], unpassable=[QS,H,A], cycle=[right,+2])",
    "complex_hearts(moon.mode=old, moon.sign=chosen, ranks=[T,J,Q,K,A], passing.count=1)",
    "joker_hearts(jokers.lead=call)",
    "omnibus_hearts(first_trick_forbidden=[H,QS,JD,A])",
)
"""Rules with values of a kind that no variant has; the covering array has them, too."""
