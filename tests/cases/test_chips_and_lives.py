"""Chips and lives over whole matches played at random; case 42 is D.42 of RULES.md, option 58 is B.58."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

import hearts_env as he


@pytest.mark.parametrize("seed", range(3))
def test_case_42_chips_stay_in_the_game(seed: int) -> None:
    """What the seats hold and what lies in the pool is always the same; nobody clean leaves the pool as it is."""
    match, rng = he.Match("rickety_kate(chips=4, target=none, cycle=[hold], max_deals=40)", seed=seed), Random(seed)
    pools = [0]
    while not match.over:
        number = match.deal_number
        match.play(rng.choice(match.legal()))
        if match.over or match.deal_number != number:
            points = match.deal_points[-1]
            assert sum(match.totals) + match.pool == 16
            shares = {point + 1 for point in points if point != -1}
            clean = sum(point != -1 for point in points)
            assert len(shares) <= 1
            if shares and clean:
                assert shares == {(pools[-1] + 4) // clean}
                assert match.pool == (pools[-1] + 4) % clean
            pools.append(match.pool)
    assert max(pools) > 0
    assert min(match.totals) == 0 or match.deal_number == 39


@pytest.mark.parametrize("seed", range(4))
def test_option_58_who_lasted_longer_ranks_ahead(seed: int) -> None:
    rules = "danger_hearts(lives=2, life_threshold=6, lives_out=eliminate, moon.mode=none, cycle=[hold], max_deals=30)"
    match, rng = he.Match(rules, seed=seed), Random(seed)
    history = [match.lives]
    while not match.over:
        number = match.deal_number
        match.play(rng.choice(match.legal()))
        if match.over or match.deal_number != number:
            history.append(match.lives)
            lost = [before > after for before, after in zip(history[-2], history[-1], strict=True)]
            assert lost == [old > 0 and p >= 6 for old, p in zip(history[-2], match.deal_points[-1], strict=True)]
            assert match.over is (sum(life > 0 for life in match.lives) <= 1 or len(history) == 31)
    lasted = [sum(lives[seat] > 0 for lives in history) for seat in range(4)]
    keys = [(-lasted[seat], match.totals[seat]) for seat in range(4)]
    order = sorted(range(4), key=lambda seat: match.ranking[seat])
    assert all(keys[one] <= keys[two] for one, two in pairwise(order))
