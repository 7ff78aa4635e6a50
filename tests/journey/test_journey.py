"""One journey for every game: a few dozen that cover the rules, and, exhaustively, every variant."""

from random import Random

import pytest

import hearts_env as he
from tests.journey.faces import FACES
from tests.journey.stops import CHECKS, bounds
from tests.support.covering import contradiction, missing
from tests.support.games import COVERING, LARGEST
from tests.support.lockstep import play_matches, play_skewed
from tests.support.marks import few, rare

STOPS = 6
"""Stops of a journey at most; a phase that a deal comes to for the first time is one, and a few plies at random.

Bounds are looked at after every deal.
"""


@pytest.mark.exhaustive
def test_the_games_cover_the_rules() -> None:
    """Every class of values, every kind of decision and every pair of fields that interact, unless they exclude each
    other; a game for what is missing is a line in ``tests/support/covering.txt``.
    """
    left = missing(COVERING)
    assert [item for item in sorted(left) if not contradiction(item)] == []


class Visits:
    """Makes every check at some of the positions that a match comes to."""

    def __init__(self, rng: Random, most: int = STOPS) -> None:
        self.rng, self.most, self.stops, self.last = rng, most, 0, ("", -1)

    def __call__(self, match: he.Match) -> None:
        here = match.phase, match.deal_number
        chance = 0.4 if here != self.last and match.phase != "play" else 0.02
        if match.deal_points and (match.over or here[1] != self.last[1]):
            bounds(match, self.rng)
        self.last = here
        if self.stops < self.most and self.rng.random() < chance:
            self.stops += 1
            for check in CHECKS:
                check(match, self.rng)


@pytest.mark.parametrize("text", few(COVERING, 16, daily=12))
def test_a_game(text: str) -> None:
    """The kernel agrees with the oracle at every ply until everything has happened that this game is there for."""
    rules, rng = he.rules(text), Random(text)
    visits = Visits(rng)
    seen = play_skewed(rules, Random(text), starts=4, wanted=COVERING[text], visit=visits)
    assert COVERING[text] <= set(+seen)
    play_matches(rules, rng, matches=1, deals=2, visit=visits)
    assert visits.stops >= STOPS // 3


@pytest.mark.parametrize("text", few(COVERING, 9))
def test_a_game_in_every_environment(text: str) -> None:
    for face in FACES:
        face(text)


@pytest.mark.parametrize("text", rare(LARGEST, 4))
def test_every_variant_at_its_largest_table(text: str) -> None:
    rules, rng = he.rules(text), Random(text)
    visits = Visits(rng)
    play_skewed(rules, rng, starts=3, visit=visits)
    play_matches(rules, rng, matches=1, visit=visits)
