"""The command that writes a methods paragraph for a result."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

import hearts_env
from hearts_agents.files import read_file
from hearts_env.ruleset.syntax import brief
from hearts_env.variants.registry import rules
from hearts_training.cli.command import Command

NEEDED = ("command", "seed", "version", "packages", "libraries")
BIBTEX = """@software{{hearts_suite,
  title = {{Hearts suite: reinforcement-learning environments for the Hearts family of card games}},
  author = {{{{The Hearts suite authors}}}},
  version = {{{version}}},
  year = {{{year}}},
  license = {{MIT}}
}}"""
YEAR = 2026
"""Of the release."""


@dataclass(frozen=True)
class Cite(Command):
    """Print a methods paragraph for a result, and the BibTeX entry of the suite.

    The paragraph has the rules, releases, digests, seeds, numbers of deals and the command, as the result's key ``run``
    has them. Results that do not prove which agents played are refused.

    Examples:
      hearts arena net:black_lady rule --json result.json
      hearts cite result.json
    """

    result: Annotated[Path, tyro.conf.Positional]
    """What a command wrote with --json, or the result.json of a training."""

    def run(self) -> int:
        """Print the paragraph. Raises ValueError, in one line, for a file that lacks what it needs."""
        print(f"{methods(_read(self.result))}\n\n{BIBTEX.format(version=hearts_env.__version__, year=YEAR)}")
        return 0


def _read(file: Path) -> dict[str, Any]:
    try:
        found: Any = json.loads(read_file(file))
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{file} is no result: {' '.join(str(error).split())}") from None
    run = found.get("run") if isinstance(found, dict) else None
    if not isinstance(run, list) or not run or not all(isinstance(one, dict) for one in run):
        raise ValueError(f"{file} has no key 'run' that proves how it came to be; write it with --json of a command")
    for name in NEEDED:
        if any(name not in one for one in run):
            raise ValueError(f"{file} lacks {name!r} in 'run'; make the result again with this release")
    for player in (found_players := _players(found)):
        if not isinstance(player, dict) or not player.get("digest"):
            raise ValueError(f"{file} has no digest of the agent {brief(player)}; make the result again")
    if not found_players:
        raise ValueError(f"{file} names no agents in 'run'; make the result again with this release")
    assert isinstance(found, dict)
    return found


def _players(result: dict[str, Any]) -> list[Any]:
    """The agents of a result; of a training those of its arena table."""
    named = [player for one in result["run"] for player in one.get("players") or ()]
    table = result.get("arena")
    rows = table["agents"] if isinstance(table, dict) and isinstance(table.get("agents"), list) else []
    return named or [row | {"spec": row.get("name")} if isinstance(row, dict) else row for row in rows]


def methods(result: dict[str, Any]) -> str:
    """The paragraph: what was played, by whom, with which software, and how to do it again."""
    run = result["run"][-1]
    table = result.get("arena", result) or {}
    options = {**run.get("options", {}), **{name: table[name] for name in ("deals", "matches") if table.get(name)}}
    players = "; ".join(dict.fromkeys(map(_player, _players(result))))
    libraries = ", ".join(f"{name} {version}" for name, version in run["libraries"].items())
    fixed_by = "the command" if run["seed"] is None else f"seed {run['seed']}"
    sentences = [
        _game(options),
        f"The agents were {players}.",
        _training(result, options),
        *(f"Each comparison played {options[name]} {name}." for name in ("deals", "matches") if options.get(name)),
        f"Deals and random choices were fixed by {fixed_by}; "
        "agents that are compared played the same deals, and an error (±) is one standard error of the mean.",
        f"Software: hearts-env {run['version']}{_commit(run)}, with {libraries}, on {run.get('processor') or 'a CPU'}.",
        "Digests of its packages: "
        + ", ".join(f"{name} {_short(digest)}" for name, digest in run["packages"].items())
        + f". Command: `{run['command']}`.",
    ]
    return " ".join(filter(None, sentences))


def _game(options: dict[str, Any]) -> str:
    text = options.get("variant")
    if not isinstance(text, str):
        return f"We played the split {options['split']} of the benchmark." if options.get("split") else ""
    found = rules(text)
    return f"We played {found} ({found.variant.name}_v{found.variant.version})."


def _training(result: dict[str, Any], options: dict[str, Any]) -> str:
    if "arena" not in result:
        return ""
    start = f" from {brief(result['start'])}" if result.get("start") else ""
    reward = options.get("reward") or ""
    if reward:
        if not (digest := options.get("digests", {}).get(reward)):
            raise ValueError(f"there is no digest of the reward {brief(reward)}; train again with this release")
        reward = f", with the reward {brief(reward)} ({_short(digest)})"
    return f"{result['agent']} was trained{start} for {result['deals']} deals{reward}."


def _player(player: dict[str, Any]) -> str:
    trained = f", trained on {player['trained_on']}" if player.get("trained_on") else ""
    return f"{player.get('spec')} ({_short(player['digest'])}{trained})"


def _short(digest: str) -> str:
    """The beginning of a digest; releases are named in full."""
    return digest[:12] if re.fullmatch(r"[0-9a-f]{13,}", digest) else digest


def _commit(run: dict[str, Any]) -> str:
    if not run.get("commit"):
        return ""
    return f" (commit {_short(run['commit'])}{', with local changes' if run.get('dirty') else ''})"
