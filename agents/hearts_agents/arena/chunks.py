"""Finished chunks of an arena: kept in a file, so that the same command resumes, and summed up to a result."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

import hearts_env
from hearts_agents.arena.play import RATED_TABLES, Chunk, Job
from hearts_agents.arena.results import ADJUSTED, COLUMNS, AgentResult, ArenaResult, PairResult
from hearts_agents.arena.stats import ControlVariate, adjust, mean_of, rate_agents
from hearts_agents.arena.tables import MEASURES, units_of
from hearts_agents.base import Agent, identity_of
from hearts_agents.files import UNSEALED, is_sealed, read_file, seal, write_file
from hearts_env.compiled.game import compile_game

FORMAT, VERSION = "hearts-arena", 2
SECONDS = 3.0
"""The shortest time between two writes of a file."""
_WORK_PER_WRITE = 20  # at most a twentieth of the time is spent on writing


class Save:
    """The finished chunks of a job, and the file that keeps them.

    Attributes:
        chunks: the finished chunks.
        run: the provenance of the chunks, as JSON values: an entry for each command that played some of them.
        units: the number of deals, or of matches, in them.
        played: `identity_of` each agent.
    """

    def __init__(
        self, file: Path | None, job: Job, agents: Sequence[Agent], kind: str, made: Mapping[str, Any] | None = None
    ) -> None:
        """Read the file if it exists, otherwise write one without chunks. None keeps the chunks in memory only.

        `made` is the entry of this command in `run`. Entries are not compared when a file is resumed.

        Raises:
            ValueError: the file belongs to another command or version, or is broken; one line.
            OSError: it cannot be read or written.
        """
        self.file, self.job = file, job
        self.command = _command(job, agents, kind)
        self.played = [identity_of(agent) for agent in agents]
        self.chunks: list[Chunk] = []
        self.run: list[Any] = []
        self._next = 0.0
        if file is not None and file.is_file():
            self.chunks = self._read(file)
        if made is not None and made not in self.run and (self.missing() or not self.run):
            self.run.append(made)
        self.units = sum(chunk.units for chunk in self.chunks)
        self.write()

    def missing(self) -> list[int]:
        """The first units of the chunks that are still to be played."""
        finished = {chunk.first for chunk in self.chunks}
        return [first for first in self.job.firsts() if first not in finished]

    def add(self, chunk: Chunk) -> None:
        """Keep a chunk, and write the file if it is time."""
        self.chunks.append(chunk)
        self.units += chunk.units
        if monotonic() >= self._next:
            self.write()

    def write(self) -> None:
        """Write the file."""
        if self.file is None:
            return
        began = monotonic()
        data = {"format": FORMAT, "version": VERSION, "sha256": UNSEALED, "command": self.command, "run": self.run}
        text = json.dumps(data | {"parts": [_to_plain(chunk) for chunk in self.chunks]})
        write_file(self.file, seal(text.encode()))
        now = monotonic()
        self._next = now + max(SECONDS, _WORK_PER_WRITE * (now - began))

    def _read(self, file: Path) -> list[Chunk]:
        data = _load(file)
        if data.get("parts") == []:
            return []  # left by an arena that failed at its first decision; nothing is lost
        self._check_command(file, data.get("command"))
        try:
            self.run = [dict(one) for one in data.get("run", [])]  # missing in saves of earlier versions
            return self._read_chunks(data["parts"])
        except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
            raise _broken(file) from None

    def _check_command(self, file: Path, saved: Any) -> None:
        """Raise ValueError naming the first difference from the command that wrote the file."""
        for name, own in self.command.items():
            other = saved.get(name) if isinstance(saved, dict) else None
            if other != own:
                raise ValueError(
                    f"{file} is of another arena: there {name} is {_text(other)}, here {_text(own)}; name another file"
                )

    def _read_chunks(self, saved: Any) -> list[Chunk]:
        chunks = [_from_plain(self.job, one) for one in saved]
        firsts = {chunk.first for chunk in chunks}
        if len(firsts) < len(chunks) or not firsts <= set(self.job.firsts()):
            raise ValueError("chunks that are not of this arena")
        return chunks


def saved_seed(file: Path) -> int | None:
    """The seed of the arena that a file keeps; None if the file does not exist. Errors as in `Save`."""
    if not file.is_file():
        return None
    command = _load(file).get("command")
    seed = command.get("seed") if isinstance(command, dict) else None
    if not isinstance(seed, int):
        raise _broken(file)
    return seed


def _load(file: Path) -> dict[str, Any]:
    content = read_file(file)
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        raise ValueError(f"{file} is no save of an arena, or a broken one; name another file") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f"{file} is no save of an arena; name another file")
    if data.get("version") != VERSION:
        raise ValueError(f"{file} is a save of version {data.get('version')}; version {VERSION} is needed")
    if not is_sealed(content):
        raise _broken(file)
    return data


def _broken(file: Path) -> ValueError:
    return ValueError(f"{file} is a broken save of an arena; name another file")


def _command(job: Job, agents: Sequence[Agent], kind: str) -> dict[str, Any]:
    """The values that must be equal for a file to be resumed."""
    return {
        "package": hearts_env.__version__,
        "variant": str(job.rules),
        "agents": [agent.name for agent in agents],
        "seed": job.seed,
        "seatings": kind,
        "matches" if job.whole_matches else "deals": job.units,
        "chunk": job.chunk_size,
        **({} if job.starts is None else {"the deals": sha256(job.starts.tobytes()).hexdigest()}),
    } | {f"the digest of {agent.name}": agent.digest for agent in agents if agent.digest}


def _text(value: Any) -> str:
    return "not given" if value is None else " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _to_plain(chunk: Chunk) -> dict[str, Any]:
    plain = {name: value for name, value in vars(chunk).items() if name != "games"}
    return plain | {"sums": chunk.sums.tolist(), "costs": chunk.costs.ravel().tolist()}


def _from_plain(job: Job, data: dict[str, Any]) -> Chunk:
    """The chunk of a save. Raises ValueError or another error of a wrong value if it does not fit the job."""
    first, agents = int(data["first"]), len(job.agents)
    if any(len(data[name]) != agents for name in ("seconds", "faults", "called", "usage")):
        raise ValueError("values of another number of agents")
    units = min(job.chunk_size, job.units - first)
    rated = max(0, min(job.rated - first, units))
    sums = np.array(data["sums"], np.int64).reshape(len(MEASURES), len(job.keys), units)
    if (sums[MEASURES.index("deals")] < 1).any():
        raise ValueError("a unit without deals")
    return Chunk(
        first,
        sums,
        np.array(data["costs"], np.int64).reshape(rated, len(job.seatings), job.rules.players),
        tuple(map(float, data["seconds"])),
        tuple(np.array(data["decisions"], np.int64).reshape(agents).tolist()),
        _counts(data["faults"]),
        tuple(map(str, data["called"])),
        _counts(data["usage"]),
    )


def _counts(agents: Any) -> tuple[dict[str, int], ...]:
    return tuple({str(name): int(count) for name, count in counts.items()} for counts in agents)


class Summary:
    """The sums over finished chunks, in the order of their units."""

    def __init__(self, job: Job, save: Save) -> None:
        """Add up the chunks of a save, one or more."""
        chunks = sorted(save.chunks, key=lambda chunk: chunk.first)
        self.job, self.keys, self.run = job, job.keys, tuple(save.run)
        self.names, self.kind = save.command["agents"], save.command["seatings"]
        self.sums = np.concatenate([chunk.sums for chunk in chunks], axis=2)
        self.costs = np.concatenate([chunk.costs for chunk in chunks])
        self.seconds = np.sum([chunk.seconds for chunk in chunks], axis=0)
        self.decisions = np.sum([chunk.decisions for chunk in chunks], axis=0)
        self.faults, self.usage = (
            [sum((Counter(one) for one in agent), Counter[str]()) for agent in zip(*counts, strict=True)]
            for counts in ([chunk.faults for chunk in chunks], [chunk.usage for chunk in chunks])
        )
        self.called = [max(names) for names in zip(*(chunk.called for chunk in chunks), strict=True)]
        self.played = save.played
        self.seats = job.counted().sum(axis=0)
        self.factors = units_of(compile_game(job.rules))

    def result(self, variate: ControlVariate | None, seconds: float) -> ArenaResult:
        """The result; `variate` is what the margins are adjusted by, if anything, `seconds` how long it took."""
        ratings = rate_agents(len(self.names), [s.lineup for s in self.job.seatings], self.costs, RATED_TABLES)
        whole = self.job.whole_matches
        met = sorted((agent, rival, place) for place, (agent, rival) in enumerate(self.keys) if rival is not None)
        units = self.sums.shape[2]
        length = float(self.sums[MEASURES.index("deals")].sum() / (self.seats.sum() * units))
        return ArenaResult(
            variant=str(self.job.rules),
            deals=round(length * units),
            seed=self.job.seed,
            seatings=self.kind,
            agents=tuple(self._agent(index, variate, ratings) for index in range(len(self.names))),
            pairs=tuple(
                PairResult(**self._scores(agent, [place]), rival=self.names[rival]) for agent, rival, place in met
            ),
            matches=units if whole else None,
            deals_per_match=length if whole else None,
            seconds=seconds,
            run=self.run,
            by_unit={
                name: {measure: self._per_unit(measure, self._places(agent)) for measure in ("points", "margin")}
                for agent, name in enumerate(self.names)
            },
            pair_margins=np.array([self._per_unit("margin", [place]) for *_, place in met]),
        )

    def _places(self, agent: int) -> list[int]:
        return [place for place, key in enumerate(self.keys) if key[0] == agent]

    def _per_unit(self, measure: str, places: Sequence[int]) -> NDArray[np.float64]:
        """(units,) a measure over some of the keys: ``won`` per match, the others per deal."""
        sums = dict(zip(MEASURES, self.sums[:, places].sum(axis=1), strict=True))
        count: Any = self.seats[places].sum() if measure == "won" else sums["deals"]
        found: NDArray[np.float64] = sums[measure] / (count * self.factors.get(measure, 1))
        return found

    def _scores(self, agent: int, places: Sequence[int]) -> dict[str, Any]:
        found: dict[str, Any] = {"name": self.names[agent]}
        for column in COLUMNS:
            if column.head in MEASURES and (column.head != "won" or self.job.whole_matches):
                found |= column.fields(mean_of(self._per_unit(column.head, places)))
        return found

    def _agent(
        self, agent: int, variate: ControlVariate | None, ratings: list[tuple[float, float]] | None
    ) -> AgentResult:
        places = self._places(agent)
        found = self._scores(agent, places)
        if variate is not None:
            adjusted = adjust(self._per_unit("margin", places), variate)
            found |= ADJUSTED.fields(adjusted.margin) | {"variance_removed": adjusted.removed}
        if ratings is not None and len(ratings) > 1:
            found["rating"], found["rating_sigma"] = ratings[agent]
        return AgentResult(
            **found,
            ms_per_decision=1000 * float(self.seconds[agent]) / max(int(self.decisions[agent]), 1),
            decisions=int(self.decisions[agent]),
            faults=dict(self.faults[agent]),
            usage=dict(self.usage[agent]),
            called=self.called[agent] or None,
            digest=self.played[agent]["digest"],
            trained_on=None if (rules := self.played[agent]["trained_on"]) in ("", str(self.job.rules)) else rules,
        )
