"""What all tests share: who compiles what, and how long Hypothesis draws."""

import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("HEARTS_QUIET", "1")  # tests look at what commands write to stderr

# A match takes its time.
DRAWN = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("usual", DRAWN, max_examples=20, derandomize=True)
settings.register_profile("night", DRAWN, max_examples=10_000, print_blob=True)
settings.load_profile("usual")


@pytest.fixture(autouse=True)
def own_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    """Agents in files add their folders to the places where Python looks for modules: for one test each."""
    monkeypatch.setattr(sys, "path", [*sys.path])


# Two workers with nothing compiled yet would compile the same at the same time, or wait for each other.


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_configure_node(node: Any) -> None:
    """Tell a worker whether there is compiled code."""
    import hearts_agents
    from hearts_env.kernel.jit import cache_folder

    folder = cache_folder(Path(hearts_agents.__file__).parent)
    node.workerinput["nothing_compiled"] = not folder.exists() and node.workerinput["workercount"] > 1


def pytest_sessionstart(session: pytest.Session) -> None:
    """Let one worker compile the environment and another one the agents, before tests are collected."""
    worker = getattr(session.config, "workerinput", {})
    if worker.get("nothing_compiled"):
        {"gw0": _compile_environment, "gw1": _compile_agents}.get(worker["workerid"], lambda: None)()


def _compile_environment() -> None:
    import numpy as np

    import hearts_env as he

    match = he.Match("black_lady", seed=1)
    while not match.deal_points:
        match.play(match.legal()[0])
    match.view(0).observation()
    env = he.vector_env("black_lady", 2)
    env.reset(seed=1)
    env.step(env.sample_actions(np.random.default_rng(1)))


def _compile_agents() -> None:
    import hearts_env as he
    from hearts_agents import make_agent

    for spec in ("rule", "pimc(worlds=2, passing=true)", "ismcts(rollouts=6, passing=true)", "endgame(worlds=2)"):
        agent = make_agent(spec)
        agent.reset(1)
        agent.act(he.Match("black_lady", seed=1).view(0))
