"""The names for `gymnasium.make`, in fresh processes: Gymnasium 1.4 loads no plugins."""

from __future__ import annotations

import subprocess
import sys

import pytest

MAKE = "env = gymnasium.make('{id}', deals=1); print(type(env.unwrapped).__name__)"


@pytest.mark.parametrize(
    ("imports", "name"),
    [
        ("import gymnasium", "hearts_env:Hearts/BlackLady-v0"),
        ("import hearts_env, gymnasium", "hearts_env:Hearts/BlackLady-v0"),
        ("import hearts_env, gymnasium", "Hearts/BlackLady-v0"),
        ("import gymnasium, hearts_env", "Hearts/GongZhu-v0"),
    ],
)
def test_gymnasium_makes_an_environment_in_a_fresh_process(imports: str, name: str) -> None:
    program = f"{imports}\n{MAKE.format(id=name)}"
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["LearnerEnv"], done.stderr
