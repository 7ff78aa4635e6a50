"""The wheel and the sdist: build both, check what they hold, and use the wheel alone, outside the checkout.

python training/lab/packages.py                       # build and check; needs hatchling
python training/lab/packages.py --python python3.12   # and install the wheel into a bare environment, and use it
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import tyro

ROOT = Path(__file__).parents[2]
PACKAGES = ("hearts_env", "agents/hearts_agents", "training/hearts_training")
MOST_BYTES = 30_000_000
CARDS = "\n".join(rank + suit for suit in "CDHS" for rank in "23456789TJQKA")
LOOP = """
from importlib.util import find_spec
from hearts_env import black_lady_v0

assert not find_spec("torch")
env = black_lady_v0.env(deals=1)
env.reset(seed=1)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    done = terminated or truncated
    env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))
print("points", sum(env.rewards.values()))
"""
USES: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (("-m", "pip", "check"), "", "No broken requirements"),
    (("-c", LOOP), "", "points"),
    (("-m", "hearts_training", "rules", "black_lady"), "", "queen of spades"),
    (("-m", "hearts_training", "arena", "net:black_lady", "net:hearts", "rule", "--deals", "2"), "", "net:hearts"),
    (("-m", "hearts_training", "play", "--seed", "7"), (CARDS + "\n") * 16, "The deal is over"),
)
"""Arguments of Python, its input, and what it must print."""


def files_of_packages() -> set[str]:
    """The files of the packages, from the root of the tree."""
    found = (file for folder in PACKAGES for file in (ROOT / folder).rglob("*"))
    return {file.relative_to(ROOT).as_posix() for file in found if file.is_file() and "__pycache__" not in file.parts}


def build(out: Path) -> list[Path]:
    """Build the sdist and the wheel into a folder."""
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(out), "-t", "sdist", "-t", "wheel"]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return sorted(out.iterdir())


def check_wheel(wheel: Path) -> None:
    """Raise ValueError unless a wheel holds the packages, all of them and nothing else, and every licence."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    extra = {name for name in names if ".dist-info/" in name}
    licences = {"LICENSE", *(Path(name).name for name in names - extra if name.endswith("-LICENSE"))}
    missing = licences - {Path(name).name for name in extra if "/licenses/" in name}
    wanted = {re.sub("^(agents|training)/", "", name) for name in files_of_packages()}
    wrong = sorted(missing | ((names - extra) ^ wanted))
    if wrong:
        raise ValueError(f"{wheel.name} lacks these, or should not have them: {', '.join(wrong[:9])}")
    if wheel.stat().st_size > MOST_BYTES:
        raise ValueError(f"{wheel.name} has {wheel.stat().st_size:,} bytes, more than {MOST_BYTES:,}")


def check_sdist(sdist: Path) -> None:
    """Raise ValueError unless an sdist holds what the wheel is built from, and the tests and pages."""
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    others = {"pyproject.toml", "LICENSE", "CITATION.cff", "tests/conftest.py", "docs/conf.py"}
    missing = sorted((files_of_packages() | others) - names)
    if missing:
        raise ValueError(f"{sdist.name} lacks {', '.join(missing[:9])}")


def use(wheel: Path, python: str, folder: Path) -> None:
    """Install a wheel alone into a bare environment and use it, outside the checkout."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    clean |= {"HEARTS_QUIET": "1", "NUMBA_CACHE_DIR": str(folder / "cache")}
    subprocess.run([python, "-m", "venv", folder / "bare"], check=True, env=clean)
    bare = folder / "bare" / ("Scripts" if os.name == "nt" else "bin") / "python"
    subprocess.run([bare, "-m", "pip", "install", "-q", wheel], check=True, cwd=folder, env=clean)
    for arguments, given, wanted in USES:
        run = [str(bare), *arguments]
        done = subprocess.run(run, input=given, cwd=folder, env=clean, capture_output=True, text=True, check=False)
        if done.returncode or wanted not in done.stdout:
            raise SystemExit(f"{' '.join(arguments)[:60]}: {done.stdout[-2000:]}{done.stderr[-2000:]}")


@dataclass(frozen=True)
class Packages:
    """Build wheel and sdist, check what they hold, and use the wheel alone."""

    python: str = ""
    """A Python to use the wheel with, in an environment that has nothing else; none by default."""

    def run(self) -> str:
        """Names and sizes."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            built = build(folder / "dist")
            sdist, wheel = sorted(built, key=lambda file: file.suffix)
            check_sdist(sdist)
            check_wheel(wheel)
            if self.python:
                use(wheel, self.python, folder)
            return ", ".join(f"{file.name}: {file.stat().st_size / 1e6:.1f} MB" for file in built)


if __name__ == "__main__":
    print(tyro.cli(Packages).run())
