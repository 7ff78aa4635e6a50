"""Finished chunks of an arena: kept in a file, so that the same command resumes, and summed up to a result."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

import hearts_env
from hearts_agents.arena.play import RATED_TABLES, Chunk, Job, Key
from hearts_agents.arena.results import AgentResult, ArenaResult, PairResult
from hearts_agents.arena.stats import Adjusted, ControlVariate, Mean, adjust, mean_of, rate_agents
from hearts_agents.arena.tables import MEASURES, units_of
from hearts_agents.base import Agent
from hearts_agents.files import UNSEALED, is_sealed, read_file, seal, write_file
from hearts_env.compiled.game import compile_game

FORMAT, VERSION = "hearts-arena", 2
SECONDS = 3.0
"""The shortest time between two writes of a file."""
_WORK_PER_WRITE = 20  # at most a twentieth of the time is spent on writing
_DEALS, _MARGIN, _WON = (MEASURES.index(name) for name in ("deals", "margin", "won"))


class Save:
    """The finished chunks of a job, and the file that keeps them.

    Attributes:
        chunks: the finished chunks.
        run: how they came to be, as JSON values: an entry for each command that played some.
        units: the number of deals, or of matches, in them.
    """

    def __init__(
        self, file: Path | None, job: Job, agents: Sequence[Agent], kind: str, made: Mapping[str, Any] | None = None
    ) -> None:
        """Read the file if it exists, otherwise write one without chunks. None keeps the chunks in memory only.

        `made` is the entry of this command. Entries stand beside what is compared: they need not be equal.

        Raises:
            ValueError: the file belongs to another command or version, or is broken; one line.
            OSError: it cannot be read or written.
        """
        self.file, self.job = file, job
        self.command = _command(job, agents, kind)
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
            return []  # there is nothing to lose: an arena that failed at its first decision leaves this
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
        chunks = [_from_plain(one) for one in saved]
        firsts = {chunk.first for chunk in chunks}
        if len(firsts) < len(chunks) or not firsts <= set(self.job.firsts()):
            raise ValueError("chunks that are not of this arena")
        if not all(self._fits(chunk) for chunk in chunks):
            raise ValueError("a chunk of another shape")
        return chunks

    def _fits(self, chunk: Chunk) -> bool:
        job = self.job
        units, agents = min(job.chunk_size, job.units - chunk.first), len(job.agents)
        rated = max(0, min(job.rated - chunk.first, units))
        shapes = [list(chunk.sums.shape), list(chunk.costs.shape)]
        lengths = [len(chunk.seconds), len(chunk.decisions), len(chunk.faults), len(chunk.called)]
        costs = [rated, len(job.seatings), job.rules.players]
        return shapes == [[len(MEASURES), len(job.keys), units], costs] and lengths == [agents] * 4


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
    """The checked content of a file."""
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
    """What must be equal for a file to be resumed."""
    return {
        "package": hearts_env.__version__,
        "variant": str(job.rules),
        "agents": [agent.name for agent in agents],
        "seed": job.seed,
        "seatings": kind,
        "matches" if job.whole_matches else "deals": job.units,
        "chunk": job.chunk_size,
    } | {f"the digest of {agent.name}": agent.digest for agent in agents if agent.digest}


def _text(value: Any) -> str:
    return "not given" if value is None else " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _to_plain(chunk: Chunk) -> dict[str, Any]:
    return {
        "first": chunk.first,
        "sums": chunk.sums.tolist(),
        "costs": chunk.costs.ravel().tolist(),
        "costs_shape": chunk.costs.shape,
        "seconds": chunk.seconds,
        "decisions": chunk.decisions,
        "faults": chunk.faults,
        "called": chunk.called,
    }


def _from_plain(data: dict[str, Any]) -> Chunk:
    return Chunk(
        int(data["first"]),
        np.array(data["sums"], np.int64),
        np.array(data["costs"], np.int64).reshape(data["costs_shape"]),
        tuple(float(value) for value in data["seconds"]),
        tuple(int(value) for value in data["decisions"]),
        tuple({str(reason): int(count) for reason, count in faults.items()} for faults in data["faults"]),
        tuple(map(str, data["called"])),
    )


class Summary:
    """The sums over finished chunks, in the order of their units."""

    def __init__(self, job: Job, names: Sequence[str], chunks: Sequence[Chunk]) -> None:
        """Add up.

        Args:
            job: what was played.
            names: the agents' spec strings.
            chunks: one chunk or more, in any order.
        """
        chunks = sorted(chunks, key=lambda chunk: chunk.first)
        self.job, self.names, self.keys = job, names, job.keys
        self.sums = np.concatenate([chunk.sums for chunk in chunks], axis=2)
        self.costs = np.concatenate([chunk.costs for chunk in chunks])
        self.seconds = np.sum([chunk.seconds for chunk in chunks], axis=0)
        self.decisions = np.sum([chunk.decisions for chunk in chunks], axis=0)
        faults = zip(*(chunk.faults for chunk in chunks), strict=True)
        self.faults = [sum((Counter(one) for one in agent), Counter[str]()) for agent in faults]
        self.called = [max(names) for names in zip(*(chunk.called for chunk in chunks), strict=True)]
        self.seats = job.counted().sum(axis=0)
        self.factors = units_of(compile_game(job.rules))

    def result(self, kind: str, variate: ControlVariate | None, seconds: float) -> ArenaResult:
        """The result.

        Args:
            kind: the kind of seating.
            variate: what the margins are adjusted by; None leaves them as they are.
            seconds: how long the playing took.
        """
        ratings = rate_agents(len(self.names), [s.lineup for s in self.job.seatings], self.costs, RATED_TABLES)
        whole = self.job.whole_matches
        units = self.sums.shape[2]
        length = float(self.sums[_DEALS].sum() / (self.seats.sum() * units))
        return ArenaResult(
            variant=str(self.job.rules),
            deals=round(length * units),
            seed=self.job.seed,
            seatings=kind,
            agents=tuple(self._agent(index, variate, ratings) for index in range(len(self.names))),
            pairs=tuple(self._pair(key) for key in self.keys if key[1] is not None),
            matches=units if whole else None,
            deals_per_match=length if whole else None,
            seconds=seconds,
        )

    def _per_unit(self, measure: int, places: Sequence[int]) -> NDArray[np.float64]:
        """(units,) a measure over some of the keys: ``won`` per match, the others per deal."""
        sums = self.sums[:, places].sum(axis=1)
        count: Any = self.seats[places].sum() if measure == _WON else sums[_DEALS]
        found: NDArray[np.float64] = sums[measure] / (count * self.factors.get(MEASURES[measure], 1))
        return found

    def _means(self, places: Sequence[int]) -> dict[str, Mean]:
        return {name: mean_of(self._per_unit(index, places)) for index, name in enumerate(MEASURES)}

    def _agent(
        self, agent: int, variate: ControlVariate | None, ratings: list[tuple[float, float]] | None
    ) -> AgentResult:
        places = [place for place, key in enumerate(self.keys) if key[0] == agent]
        found = self._means(places)
        adjusted = None if variate is None else adjust(self._per_unit(_MARGIN, places), variate)
        rating = (None, None) if ratings is None or len(ratings) == 1 else ratings[agent]
        return AgentResult(
            name=self.names[agent],
            points=found["points"].value,
            points_se=found["points"].error,
            points_ci=found["points"].interval,
            margin=found["margin"].value,
            margin_se=found["margin"].error,
            margin_ci=found["margin"].interval,
            moons_shot=found["shot"].value,
            moons_attempted=found["attempted"].value,
            moons_conceded=found["conceded"].value,
            queens=found["queens"].value,
            ms_per_decision=1000 * float(self.seconds[agent]) / max(int(self.decisions[agent]), 1),
            decisions=int(self.decisions[agent]),
            won=found["won"].value if self.job.whole_matches else None,
            won_se=found["won"].error if self.job.whole_matches else None,
            rating=rating[0],
            rating_sigma=rating[1],
            faults=dict(self.faults[agent]),
            called=self.called[agent] or None,
            **_adjusted_fields(adjusted),
        )

    def _pair(self, key: Key) -> PairResult:
        found, rival = self._means([self.keys.index(key)]), key[1]
        assert rival is not None
        return PairResult(
            name=self.names[key[0]],
            rival=self.names[rival],
            points=found["points"].value,
            points_se=found["points"].error,
            margin=found["margin"].value,
            margin_se=found["margin"].error,
            moons_shot=found["shot"].value,
            moons_conceded=found["conceded"].value,
            won=found["won"].value if self.job.whole_matches else None,
            won_se=found["won"].error if self.job.whole_matches else None,
        )


def _adjusted_fields(adjusted: Adjusted | None) -> dict[str, Any]:
    if adjusted is None:
        return {}
    margin = adjusted.margin
    return {
        "margin_adjusted": margin.value,
        "margin_adjusted_se": margin.error,
        "margin_adjusted_ci": margin.interval,
        "variance_removed": adjusted.removed,
    }
