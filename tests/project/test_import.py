"""What `import hearts_env` costs: no compiler and no framework."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import hearts_env

FRAMEWORKS = {"torch", "pettingzoo", "gymnasium", "matplotlib", "pyspiel", "stable_baselines3", "sb3_contrib"}
HEAVY = FRAMEWORKS | {"numba", "llvmlite", "pygame", "rich", "tyro", "pandas"}
ROOT = Path(hearts_env.__file__).parents[1]


def loaded_by(statements: str) -> set[str]:
    """Heavy packages that a fresh interpreter has loaded after some statements."""
    program = f"import json, sys\n{statements}\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in json.loads(done.stdout)} & HEAVY


def test_importing_the_package_loads_no_compiler_and_no_framework() -> None:
    assert not loaded_by("import hearts_env")


def test_reading_rules_loads_none_either() -> None:
    statements = "import hearts_env as he; str(he.rules('omnibus(players=5)').replace(tie='continue')); he.VARIANTS"
    assert not loaded_by(statements + "; he.observation_layout('black_maria')")


def test_playing_loads_numba_only() -> None:
    assert loaded_by("import hearts_env as he; he.Match(seed=1).legal()") == {"numba", "llvmlite"}


def test_the_environments_load_their_own_framework() -> None:
    assert loaded_by("import hearts_env as he; he.vector_env") <= {"numba", "llvmlite", "gymnasium"}
    assert "torch" not in loaded_by("import hearts_env as he; he.env; he.vector_env")
