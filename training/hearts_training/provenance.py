"""Provenance of results: the entries under the key ``run`` of what the commands write.

An entry stands beside the data, never in what is compared when a command goes on: another commit may go on with a
folder, and the list then has an entry for each. Entries name no host, user, key or absolute path.
"""

from __future__ import annotations

import os
import platform
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import pairwise
from pathlib import Path, PurePath
from typing import Any

import hearts_env
from hearts_agents.base import Agent, identity_of
from hearts_agents.registry import AGENTS, make_agent
from hearts_agents.workers.cluster import packages

Provenance = dict[str, Any]
LIBRARIES = {
    "cma": "cma",
    "gymnasium": "gymnasium",
    "minari": "minari",
    "numba": "numba",
    "numpy": "numpy",
    "pettingzoo": "pettingzoo",
    "pyarrow": "pyarrow",
    "pyspiel": "open_spiel",
    "ray": "ray",
    "safetensors": "safetensors",
    "sb3_contrib": "sb3-contrib",
    "stable_baselines3": "stable-baselines3",
    "torch": "torch",
    "torchrl": "torchrl",
}
"""Module -> package of the libraries whose versions can matter; of most, only those that are imported are named."""
PLAYING = ("numba", "torch")
"""Those that agents and worker processes import later: named wherever they are installed."""
_PATH = re.compile(r"(?<![\w.\-~])(?:~[\w.\-]*|[A-Za-z]:|\.\.)?[\\/](?:[^,;()\"'=]*[\\/])?")
_ADDRESS = re.compile(r"\w+://[^\s,;)]+|[\w.\-]+@[\w.\-]+(?::\S+)?")
_KEY = re.compile(r"(?i)([\w\-]*(?:key|token|secret|passw(?:or)?d|credential)[\w\-]*(?:=|:|\s+))[^\s,;)]+")


def entry(options: Mapping[str, Any], seed: int | None, agents: Sequence[str | Agent] = ()) -> Provenance:
    """The provenance entry of a result that is being made now.

    Args:
        options: the hyper-parameters, or what else decides about the result.
        seed: fixes its random choices; None if it is yet to be drawn.
        agents: those that play.

    Returns:
        JSON values: ``command``, ``options``, ``seed``, the ``players`` (`hearts_agents.base.identity_of`), ``version``
        of the suite, ``commit`` of the checkout that it runs from and whether that is ``dirty`` (None without one),
        digests of its ``packages``, versions of ``libraries``, kind of ``processor``.

    >>> made = entry({"agent": "net:/home/me/first", "deals": 100}, seed=3)
    >>> made["options"], made["seed"], sorted(made)[:3]
    ({'agent': 'net:first', 'deals': 100}, 3, ['command', 'commit', 'dirty'])
    """
    return {
        "command": command(sys.argv),
        "options": plain({name: value for name, value in options.items() if name != "seed"}),
        "seed": seed,
        "players": [plain(identity_of(make_agent(agent))) for agent in agents],
        "version": hearts_env.__version__,
        **checkout(),
        "packages": packages(),
        "libraries": libraries(),
        "processor": processor(),
    }


def add_entry(run: Sequence[Provenance], new: Provenance) -> list[Provenance]:
    """Entries with a new one at the end, unless it is among them.

    >>> add_entry([{"seed": 1}], {"seed": 2}), add_entry([{"seed": 1}], {"seed": 1})
    ([{'seed': 1}, {'seed': 2}], [{'seed': 1}])
    """
    return list(run) if new in run else [*run, new]


def command(arguments: Sequence[str]) -> str:
    """A command line as it was typed; the address of a cluster is left out, and words are as in `plain`.

    >>> command(["/usr/bin/hearts", "arena", "net:/home/me/runs/first", "--workers", "10.0.0.7:6379"])
    'hearts arena net:first --workers ADDRESS'
    """
    module = PurePath(arguments[0]).parts[-2:] == ("hearts_training", "__main__.py")
    words = ["hearts" if module else _last_name(arguments[0])]
    for before, word in pairwise(arguments):
        named, _, address = word.partition("=")
        if before == "--workers" and word not in ("auto", "local"):
            words.append("ADDRESS")
        elif named == "--workers" and address not in ("", "auto", "local"):
            words.append("--workers=ADDRESS")
        else:
            words.append(plain(word))
    return _KEY.sub(r"\1...", shlex.join(words))


def plain(value: Any) -> Any:
    """Options as JSON values that may be published: of an absolute path the last name is left, of the command of an
    external program its name, and nothing of an address or of what follows the word key, token, secret or password.

    >>> plain(["rule; net:/home/me/runs/first", "exec(/opt/bot --level 3)", "me@host", "runs/second"])
    ['rule; net:first', 'exec:bot', 'ADDRESS', 'runs/second']
    """
    if isinstance(value, Mapping):
        return {_plain_text(str(name)): plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return _plain_text(str(value)) if isinstance(value, str | PurePath) else value


def _plain_text(text: str) -> str:
    head, equals, rest = text.partition("=") if text.startswith("--") else ("", "", text)
    if re.match(r"([A-Za-z]:)?[\\/]|~", rest):
        return head + equals + _last_name(rest)
    programs = "|".join(re.escape(kind.name) for kind in AGENTS.values() if kind.program)
    found = re.search(rf"(?<![\w\-./])({programs})\s*[:(]\s*(?:command\s*=)?\s*[\"']?([^\s,;)\"']*).*", text, re.DOTALL)
    if found is not None:
        return f"{plain(text[: found.start()])}{found[1]}:{_last_name(found[2])}"
    return _KEY.sub(r"\1...", _PATH.sub("", _ADDRESS.sub("ADDRESS", text)))


def _last_name(path: str) -> str:
    return re.split(r"[\\/]", path.rstrip("\\/"))[-1]


@cache
def checkout() -> dict[str, Any]:
    """``commit`` of the checkout that the code runs from, and whether files that git follows have changed (``dirty``);
    both None where there is none, as in an installed wheel.
    """
    root = Path(hearts_env.__file__).parents[1]
    commit = _git(root, "rev-parse", "HEAD") if (root / ".git").exists() else None
    if commit is None:
        return {"commit": None, "dirty": None}
    return {"commit": commit, "dirty": _git(root, "status", "--porcelain", "--untracked-files=no") != ""}


def _git(root: Path, *arguments: str) -> str | None:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    words = ["git", "--no-optional-locks", "-C", str(root), *arguments]
    try:
        return subprocess.run(words, env=clean, capture_output=True, text=True, check=True, timeout=30).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None


def libraries() -> dict[str, str]:
    """Versions of Python and of the libraries that are imported, or will be where something is played."""
    found = {"python": platform.python_version()}
    for module, package in LIBRARIES.items():
        if module in sys.modules or module in PLAYING:
            try:
                found[package] = version(package)
            except PackageNotFoundError:
                continue
    return found


@cache
def processor() -> str:
    """The kind of processor, and the number of its cores."""
    try:
        described = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        described = ""
    model = re.search(r"^model name\s*:\s*(.+)$", described, re.MULTILINE)
    name = model[1].strip() if model else platform.processor()
    return ", ".join(part for part in (platform.machine(), name, f"{os.cpu_count()} cores") if part)
