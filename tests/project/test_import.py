"""What `import hearts_env` costs: no compiler and no framework."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from types import ModuleType
from typing import assert_type

import pytest

import hearts_env
from hearts_env import queens_v0
from hearts_env.black_lady_v0 import env  # made when it is imported
from hearts_env.envs.aec import CheckedEnv, HeartsEnv

FRAMEWORKS = {"torch", "pettingzoo", "gymnasium", "matplotlib", "pyspiel", "stable_baselines3", "sb3_contrib"}
HEAVY = FRAMEWORKS | {"numba", "llvmlite", "pygame", "rich", "tyro", "pandas"}
ROOT = Path(hearts_env.__file__).parents[1]
FOLDERS = (Path("hearts_env"), Path("agents/hearts_agents"), Path("training/hearts_training"))
STEPS = {
    "import": "import hearts_env as he",
    "rules": "str(he.rules('omnibus(players=5)').replace(tie='continue')); he.VARIANTS; he.observation_layout('likha')",
    "playing": "he.Match(seed=1).legal()",
    "batches": "he.vector_env",
    "aec": "he.env",
}


@pytest.fixture(scope="module")
def loaded() -> dict[str, set[str]]:
    """Heavy packages that a fresh interpreter has loaded after each step."""
    show = "print(json.dumps(sorted(sys.modules)))"
    program = "\n".join(["import json, sys", *(f"{step}\n{show}" for step in STEPS.values())])
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    modules = [{name.partition(".")[0] for name in json.loads(line)} for line in done.stdout.splitlines()]
    return {step: names & HEAVY for step, names in zip(STEPS, modules, strict=True)}


@pytest.mark.exhaustive
def test_importing_the_package_loads_no_compiler_and_no_framework(loaded: dict[str, set[str]]) -> None:
    assert not loaded["import"]


def test_reading_rules_loads_none_either(loaded: dict[str, set[str]]) -> None:
    assert not loaded["rules"]


def test_playing_loads_numba_only(loaded: dict[str, set[str]]) -> None:
    assert loaded["playing"] == {"numba", "llvmlite"}


def test_the_environments_load_their_own_framework(loaded: dict[str, set[str]]) -> None:
    assert loaded["batches"] <= {"numba", "llvmlite", "gymnasium"}
    assert "torch" not in loaded["aec"]


def test_what_is_imported_is_declared() -> None:
    """A package that only another one happens to bring is missing for some user."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [*project["dependencies"], *(line for extra in project["optional-dependencies"].values() for line in extra)]
    declared = {canonical(re.split(r"[\[>=<]", line)[0]) for line in lines}
    brought_by = packages_distributions()
    for folder in FOLDERS:
        for file in (ROOT / folder).rglob("*.py"):
            names = imported(ast.parse(file.read_text(encoding="utf-8"))) - sys.stdlib_module_names
            for name in names - {folder.name for folder in FOLDERS}:
                by = {canonical(one) for one in brought_by.get(name, [name])}
                assert by & (declared | UNDECLARED), f"{file.relative_to(ROOT)} imports {name}, of {by}"


UNDECLARED = {"llvmlite", "tensordict", "momaland"}
"""What is part of Numba's and TorchRL's interfaces, and what only whoever has it uses."""


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def imported(tree: ast.AST) -> set[str]:
    """The top-level packages that a module imports, anywhere in it."""
    names = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and not node.level]
    return {name.partition(".")[0] for name in names}


def test_modules_of_variants_can_be_imported_from_and_are_typed() -> None:
    """A type checker decides what `assert_type` says; when it is run it does nothing."""
    assert str(assert_type(queens_v0.env(render_mode="ansi"), CheckedEnv)) == "queens_v0"
    assert type(assert_type(queens_v0.raw_env(players=4), HeartsEnv)) is HeartsEnv
    assert str(env(deals=1)) == "black_lady_v0"


def test_the_stub_has_every_public_name_and_every_variant() -> None:
    stub = ast.parse((ROOT / "hearts_env" / "__init__.pyi").read_text(encoding="utf-8"))
    imported = {name.asname for node in stub.body if isinstance(node, ast.ImportFrom) for name in node.names}
    assert set(hearts_env.__all__) <= imported
    declared = {ast.unparse(node.target) for node in stub.body if isinstance(node, ast.AnnAssign)}
    assert declared >= {f"{name}_v{variant.version}" for name, variant in hearts_env.VARIANTS.items()}


def test_completion_lists_the_public_names_and_nothing_else() -> None:
    import hearts_training

    listed = set(dir(hearts_env))
    assert set(hearts_env.__all__) <= listed
    modules = {name.rpartition("_v")[0] for name in listed - set(hearts_env.__all__)}
    assert modules >= set(hearts_env.VARIANTS)  # other tests may have registered variants of their own
    assert all(isinstance(getattr(hearts_env, name), ModuleType) for name in listed - set(hearts_env.__all__))
    assert set(dir(hearts_training)) == set(hearts_training.__all__)
    assert all(callable(getattr(hearts_training, name)) for name in dir(hearts_training))
