"""MOMAland's own test of environments whose rewards are vectors."""

from __future__ import annotations

import pytest

import hearts_env as he

moma = pytest.importorskip("momaland.test.api_test", reason="MOMAland is not installed; .ci/run does it last")


@pytest.mark.filterwarnings("ignore")  # of MOMAland's own imports, and the hints that `pyproject.toml` ignores
@pytest.mark.parametrize("variant", ["black_lady", "complex_hearts", "gong_zhu", "partnership_hearts"])
def test_momaland_finds_nothing_wrong(variant: str) -> None:
    env = he.env(variant, reward="vector", deals=1)
    moma.api_test(env, num_cycles=200)
    assert env.reward_space("player_0").shape == (2,)
