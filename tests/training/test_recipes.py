"""The recipes, each in a process of its own with a tiny budget: it trains, plays in the arena, saves, and goes on."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

from hearts_agents.registry import make_agent

RECIPES = Path(__file__).parents[2] / "training" / "recipes"
NEEDS = {
    "all_seats_ppo": "tensorboard",
    "sb3_ppo": "sb3_contrib",
    "torchrl_ppo": "torchrl",
    "cleanrl_ppo": "tensorboard",
    "rllib_ppo": "tensorboardX",  # of ray[rllib]; Ray alone is there for clusters
    "tianshou_dqn": "tianshou",
    "agilerl_ppo": "agilerl",
}
TINY = {
    "all_seats_ppo": "--deals 8 --games 4",
    "sb3_ppo": "--steps 256 --snapshots 1 --games 8 --batch 64",
    "rllib_ppo": "--iterations 1 --rows 256 --batch 64",
    "tianshou_dqn": "--epochs 1",
    "agilerl_ppo": "--members 2 --steps 256 --turn 128 --games 8 --batch 64",
}
STEPS = "--steps 512 --games 16 --batch 64"
LONG = ("torchrl_ppo", "cleanrl_ppo", "sb3_ppo")
"""Run before a release only."""
MOST_LINES = 150


ENTRIES = ("universal_entry", "sb3_universal")
"""Those that train for some seconds and enter the benchmark."""


def run_recipe(name: str, folder: Path, options: str) -> str:
    """What a recipe prints."""
    command = [sys.executable, str(RECIPES / f"{name}.py"), *options.split()]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.mark.exhaustive
@pytest.mark.release
def test_beliefs_are_scored(tmp_path: Path) -> None:
    options = "--deals 8 --held-out 2 --judged 4 --worlds 8 --epochs 1 --width 8 --out run"
    printed = run_recipe("belief", tmp_path, options)
    found = re.findall(r"^\| (?:uniform posterior|network) \| ([\d.]+) \| [\d.]+ \|$", printed, re.MULTILINE)
    assert len(found) == 2
    assert abs(float(found[0]) - float(found[1])) < 0.1  # hardly trained, the network leaves the posterior as it is
    assert (tmp_path / "run" / "belief.safetensors").is_file()


def test_every_recipe_is_run_and_short() -> None:
    others = {"openspiel_bot", "transformer", "psro", "belief", *ENTRIES}  # run by tests of their own
    assert {path.stem for path in RECIPES.glob("*.py")} == {*NEEDS, *others}
    for path in RECIPES.glob("*.py"):
        assert len(path.read_text(encoding="utf-8").splitlines()) < MOST_LINES


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.release] * (name in LONG)) for name in NEEDS])
def test_a_recipe_trains_plays_in_the_arena_saves_and_goes_on(name: str, tmp_path: Path) -> None:
    if importlib.util.find_spec(NEEDS[name]) is None:
        pytest.skip(f"{NEEDS[name]} is not installed; training/recipes/README.md says how to")
    options = f"{TINY.get(name, STEPS)} --arena-deals 1 --width 16 --out run"
    table = run_recipe(name, tmp_path, options)
    assert "| random |" in table
    kind = "sb3" if name == "sb3_ppo" else "net"
    first = make_agent(f"{kind}:{tmp_path / 'run'}")
    assert f"| {kind}:" in table
    assert list((tmp_path / "run").rglob("events.out.tfevents.*"))
    if name not in ("tianshou_dqn", "agilerl_ppo"):  # which save the network alone
        run_recipe(name, tmp_path, f"{options} --resume")
        assert make_agent(f"{kind}:{tmp_path / 'run'}").digest != first.digest


@pytest.mark.exhaustive
@pytest.mark.release
@pytest.mark.parametrize("name", ENTRIES)
def test_an_entry_of_the_benchmark_by_a_network_of_somebody_else(name: str, tmp_path: Path) -> None:
    run_recipe(name, tmp_path, "1 V:1")
    assert (tmp_path / "runs" / f"{name}-V:1" / "entry.json").is_file()
