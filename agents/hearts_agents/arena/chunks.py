"""Finished chunks of an arena in a file, so that the same command can go on after an interruption."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

import hearts_env
from hearts_agents.arena.play import Job, Part
from hearts_agents.arena.measures import MEASURES
from hearts_agents.base import Agent

FORMAT, VERSION = "hearts-arena", 1
SECONDS = 3.0
"""A file is written at most this often, and no longer than a twentieth of the time is spent on it."""
_PATIENCE = 20


class Save:
    """The file of a job. It is written whole or not at all.

    Attributes:
        parts: the finished chunks.
        units: how many deals, or matches, they are.
    """

    def __init__(self, file: Path | None, job: Job, agents: Sequence[Agent], kind: str) -> None:
        """Read the file if there is one, otherwise write an empty one; None keeps the chunks in memory only.

        Raises:
            ValueError: the file is of another command, of another version, or broken; one line.
            OSError: it cannot be read or written.
        """
        self.file, self.job = file, job
        self.command = _command(job, agents, kind)
        self.parts: list[Part] = []
        self._next = 0.0
        if file is not None and file.exists():
            self.parts = self._read(file)
        self.units = sum(part.units for part in self.parts)
        self.write()

    def missing(self) -> list[int]:
        """The first units of the chunks that are not there."""
        there = {part.first for part in self.parts}
        return [first for first in self.job.firsts() if first not in there]

    def add(self, part: Part) -> None:
        """Keep a chunk, and write the file if it is time."""
        self.parts.append(part)
        self.units += part.units
        if monotonic() >= self._next:
            self.write()

    def write(self) -> None:
        """Write the file."""
        if self.file is None:
            return
        began = monotonic()
        data = {"format": FORMAT, "version": VERSION, "command": self.command}
        _replace(self.file, json.dumps(data | {"parts": [_to_plain(part) for part in self.parts]}))
        now = monotonic()
        self._next = now + max(SECONDS, _PATIENCE * (now - began))

    def _read(self, file: Path) -> list[Part]:
        try:
            data = json.loads(file.read_text(encoding="utf-8"))
        except (ValueError, RecursionError):
            raise ValueError(f"{file} is no save of an arena, or a broken one; name another file") from None
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise ValueError(f"{file} is no save of an arena; name another file")
        if data.get("version") != VERSION:
            raise ValueError(f"{file} is a save of version {data.get('version')}; version {VERSION} is needed")
        self._check_command(file, data.get("command"))
        try:
            return self._read_parts(data["parts"])
        except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
            raise ValueError(f"{file} is a broken save of an arena; name another file") from None

    def _check_command(self, file: Path, saved: Any) -> None:
        """Raise ValueError naming the first difference to the command that the file is of."""
        for name, own in self.command.items():
            other = saved.get(name) if isinstance(saved, dict) else None
            if other != own:
                raise ValueError(
                    f"{file} is of another arena: there {name} is {_told(other)}, here {_told(own)}; name another file"
                )

    def _read_parts(self, saved: Any) -> list[Part]:
        parts = [_from_plain(one) for one in saved]
        firsts = {part.first for part in parts}
        if len(firsts) < len(parts) or not firsts <= set(self.job.firsts()):
            raise ValueError("chunks that this arena has not")
        if not all(self._fits(part) for part in parts):
            raise ValueError("a chunk of another shape")
        return parts

    def _fits(self, part: Part) -> bool:
        """Whether a chunk has the shape it must have."""
        job = self.job
        units, agents = min(job.chunk, job.units - part.first), len(job.agents)
        rated = max(0, min(job.rated - part.first, units))
        shapes = [list(part.sums.shape), list(part.costs.shape)]
        lengths = [len(part.seconds), len(part.decisions), len(part.faults)]
        costs = [rated, len(job.seatings), job.rules.players]
        return shapes == [[len(MEASURES), len(job.keys), units], costs] and lengths == [agents] * 3


def _command(job: Job, agents: Sequence[Agent], kind: str) -> dict[str, Any]:
    """What must be the same for a file to go on from."""
    return {
        "package": hearts_env.__version__,
        "variant": str(job.rules),
        "agents": [agent.name for agent in agents],
        "seed": job.seed,
        "seatings": kind,
        "matches" if job.whole_matches else "deals": job.units,
        "chunk": job.chunk,
    } | {f"the digest of {agent.name}": agent.digest for agent in agents if agent.digest}


def _told(value: Any) -> str:
    return "not given" if value is None else " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _to_plain(part: Part) -> dict[str, Any]:
    return {
        "first": part.first,
        "sums": part.sums.tolist(),
        "costs": part.costs.ravel().tolist(),
        "costs_shape": part.costs.shape,
        "seconds": part.seconds,
        "decisions": part.decisions,
        "faults": part.faults,
    }


def _from_plain(data: dict[str, Any]) -> Part:
    return Part(
        int(data["first"]),
        np.array(data["sums"], np.int64),
        np.array(data["costs"], np.int64).reshape(data["costs_shape"]),
        tuple(float(value) for value in data["seconds"]),
        tuple(int(value) for value in data["decisions"]),
        tuple({str(reason): int(count) for reason, count in faults.items()} for faults in data["faults"]),
    )


def _replace(file: Path, text: str) -> None:
    """Write a file whole or not at all."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=file.parent, delete=False) as part:
        try:
            part.write(text)
            part.close()
            os.chmod(part.name, 0o644)
            os.replace(part.name, file)
        except BaseException:  # Ctrl-C among them
            Path(part.name).unlink(missing_ok=True)
            raise
