"""The names for `gymnasium.make` and `pettingzoo.make`, in fresh processes: nothing else may register them."""

import subprocess
import sys

import pytest

MAKE = "env = gymnasium.make('{id}', deals=1); print(type(env.unwrapped).__name__)"
MAKE_VEC = "print(gymnasium.make_vec('{id}', num_envs=2, deals=1).num_envs)"
PRINT = "gymnasium.pprint_registry()"


def printed(program: str) -> str:
    """What a program prints in a process of its own, where every warning is an error."""
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    return done.stdout


IDS = [
    ("import gymnasium", "hearts_env:Hearts/BlackLady-v0"),
    ("import gymnasium, hearts_env", "Hearts/GongZhu-v0"),
    pytest.param("import hearts_env, gymnasium", "Hearts/BlackLady-v0", marks=pytest.mark.exhaustive),
    pytest.param("import hearts_env.envs.gym, gymnasium", "Hearts/Queens-v0", marks=pytest.mark.exhaustive),
]


@pytest.mark.parametrize(("imports", "name"), IDS)
def test_gymnasium_makes_environments_in_a_fresh_process(imports: str, name: str) -> None:
    output = printed(f"{imports}\n{MAKE.format(id=name)}\n{MAKE_VEC.format(id=name)}\n{PRINT}")
    assert output.split()[:2] == ["LearnerEnv", "2"]
    assert "Hearts/BlackLady-v0" in output


def test_looking_for_a_framework_without_importing_it_changes_nothing() -> None:
    look = "import importlib.util; importlib.util.find_spec('gymnasium.envs.registration')"
    assert "Hearts/BlackLady-v0" in printed(f"import hearts_env\n{look}\nimport gymnasium\n{PRINT}")


def test_variants_registered_later_get_their_names() -> None:
    later = "hearts_env.register(hearts_env.Variant(name='house', players=(4,), summary='S', source='S', delta={}))"
    program = f"import hearts_env, gymnasium, pettingzoo\n{later}\n{MAKE.format(id='Hearts/House-v0')}"
    assert printed(program).split() == ["LearnerEnv"]
