"""The recipes, each in a process of its own with a tiny budget."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

RECIPES = Path(__file__).parents[2] / "training" / "recipes"
NEEDS = {
    "sb3_ppo": "sb3_contrib",
    "torchrl_ppo": "torchrl",
    "cleanrl_ppo": "torch",
    "rllib_ppo": "tensorboardX",  # of ray[rllib]; Ray alone is there for clusters
    "tianshou_dqn": "tianshou",
}
STEPS = {"rllib_ppo": "1", "tianshou_dqn": "1"}
"""Iterations or epochs; the other recipes count steps."""


def test_every_recipe_is_run() -> None:
    assert {path.stem for path in RECIPES.glob("*.py")} == set(NEEDS)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", NEEDS)
def test_a_recipe_runs(name: str, tmp_path: Path) -> None:
    if importlib.util.find_spec(NEEDS[name]) is None:
        pytest.skip(f"{NEEDS[name]} is not installed; training/recipes/README.md says how to")
    command = [sys.executable, str(RECIPES / f"{name}.py"), STEPS.get(name, "4096")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "per deal against rule" in done.stdout
