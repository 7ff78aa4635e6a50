"""Seeds of agents: fixed by what they are derived from, and of no use for anything else."""

from __future__ import annotations

import numpy as np

from hearts_env.play.seeds import agent_seed


def test_seeds_are_fixed_differ_and_have_63_bits() -> None:
    seeds = [agent_seed(deal, seat) for deal in range(500) for seat in range(4)]
    assert seeds == [agent_seed(deal, seat) for deal in range(500) for seat in range(4)]
    assert len(set(seeds)) == 2000
    assert all(0 <= seed < 2**63 for seed in seeds)
    assert {seed.bit_length() for seed in seeds} >= {60, 61, 62, 63}
    assert agent_seed(1, 23) != agent_seed(12, 3)
    assert agent_seed(2**64 - 1) != agent_seed(2**64)


def test_numbers_of_numpy_count_as_their_value() -> None:
    assert agent_seed(np.uint64(5), np.int64(1)) == agent_seed(5, 1)  # type: ignore[arg-type]  # they are numbers
