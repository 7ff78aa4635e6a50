"""Entries of the benchmark on disk: a folder with the results of all deals, and one JSON file that describes the entry.

Every rule has a sealed Parquet file with a row for each deal and seat, so that an interrupted command continues with
the missing rules. ``entry.json`` is rewritten after each rule, and has the scores once all rules have been played.
Whatever may differ between two runs of one command is under the key ``run``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from hearts_agents.arena.tables import TimedAgent
from hearts_agents.files import UNSEALED, is_sealed, seal, write_file
from hearts_agents.neural.features import NOTHING
from hearts_agents.registry import make_agent, names_program
from hearts_env.benchmark.domain import VERSION
from hearts_env.benchmark.splits import split
from hearts_env.variants.registry import rules as read_rules
from hearts_training.data.folder import read_json
from hearts_training.data.parts import encode_part, naming, part_file, part_files, part_number, read_part
from hearts_training.evaluate.benchmark import ERROR, REFERENCES, RulePlay, RuleScore, Scorer
from hearts_training.evaluate.scores import summarize
from hearts_training.evaluate.sides import Played, Sides
from hearts_training.provenance import Provenance

FILE = "entry.json"
COLUMNS = pa.schema(
    [
        ("rule", pa.string()),
        ("player", pa.string()),
        ("deal", pa.int32()),
        ("seat", pa.int8()),
        ("margin", pa.float64()),
        ("decisions", pa.int32()),
        ("choices", pa.int32()),
    ]
)
"""``rule``: its digest; ``player``: ``agent`` or ``random``; ``seat``: where it sat, or its team in games of teams;
``decisions``: of all seats; ``choices``: its own with more than one legal action."""
CLASSES = {"1 ms": 1.0, "100 ms": 100.0}
"""Classes of thinking time -> the most milliseconds a decision; beyond them there is no limit."""
SPENT = ("cpu_seconds", "thinking_seconds", "timed_decisions")
"""What each entry under ``run`` adds up."""
MOST = 1e15
"""Beyond what can be spent, or lost in a deal."""
Command = dict[str, Any]
Column = NDArray[Any]
NEEDED = dict.fromkeys(("agent", "digest", "told", "split", "reference"), str) | {"run": list}
LATER = {"reference_digest": str, "most_error": float, "declared": dict, "score": float, "margins_sha256": str}
"""Types of the values of an entry, and of those that it may lack."""


def command_of(scorer: Scorer) -> Command:
    """The values that must be equal for a command to continue an entry."""
    agent = make_agent(scorer.agent)
    digest = {} if scorer.reference in REFERENCES else {"reference_digest": make_agent(scorer.reference).digest}
    if scorer.told == "rules" and getattr(agent, "told", "") == NOTHING:
        raise ValueError(f"{scorer.agent} is told nothing of the rules; name the network alone, and add --told nothing")
    return {
        "benchmark": VERSION,
        "agent": agent.name,
        "digest": agent.digest,
        "told": scorer.told,
        "split": scorer.split,
        "reference": scorer.reference,
        **digest,
        **({} if scorer.most_error == ERROR else {"most_error": scorer.most_error}),
    }


def check_free(folder: Path) -> None:
    """Raise ValueError for a folder of something else than an entry."""
    if folder.is_dir() and not (folder / FILE).exists() and any(path.name != ".lock" for path in folder.iterdir()):
        raise ValueError(f"{folder} is not empty and holds no {FILE}; name another folder")


class EntryFolder:
    """An entry, in a folder or in memory only.

    Attributes:
        folder: the folder; None for none.
        command: what `command_of` gave.
        played: place of a rule -> what was played of it.
        run: the provenance of what was played: an entry for each command, with the time that it took.
        declared: the author's statements about the agent.
    """

    def __init__(self, folder: Path | None, command: Command) -> None:
        """Read what a folder has of an entry.

        Raises ValueError, in one line, for an entry of another command, or a broken one.
        """
        self.folder, self.command = folder, command
        self.played: dict[int, RulePlay] = {}
        self.run: list[Provenance] = []
        self.declared: dict[str, Any] = {}
        if folder is None:
            return
        check_free(folder)
        if not part_files(folder):
            return  # nothing has been played for it
        data = read_entry(folder)
        there = {"most_error": ERROR, **data}
        for name, value in {"most_error": ERROR, **command}.items():
            if there.get(name) != value:
                raise ValueError(
                    f"{folder} is of another command: there {name} is {there.get(name)}, here {value}; "
                    "name another folder"
                )
        self.run, self.declared = data["run"], data.get("declared", {})
        for file in part_files(folder):
            play = _play_of(file, command)
            self.played[play.place] = play

    def add(self, play: RulePlay, made: Provenance) -> None:
        """Keep what was played of a rule; `made` is the provenance entry of the command."""
        self.played[play.place] = play
        spent = next((run for run in self.run if run | made == run), None)
        if spent is None:
            spent = made | dict.fromkeys(SPENT, 0)
            self.run.append(spent)
        spent["cpu_seconds"] += play.seconds
        spent["thinking_seconds"] += play.thinking
        spent["timed_decisions"] += play.decisions
        if self.folder is not None:
            if not (self.folder / FILE).exists():
                self._write({})
            part = encode_part(_table_of(play, self.command), play.place, self.command)
            write_file(part_file(self.folder, play.place), part)
            self._write({})

    def finish(self, declared: Mapping[str, Any]) -> dict[str, Any]:
        """Everything about an entry whose rules have all been played.

        `declared` holds the author's statements about the agent; one that is empty keeps its earlier value.
        """
        statements = {name: value or self.declared.get(name, value) for name, value in declared.items()}
        data = {**self.command, "declared": statements, **results_of(self.command, self.played)}
        if self.folder is not None:
            self._write(data)
        return data | {"run": self._run()}

    def _run(self) -> list[Provenance]:
        return [run | {"ms_per_decision": (ms := _ms(run)), "class": _class_of(ms)} for run in self.run]

    def _write(self, data: Mapping[str, Any]) -> None:
        assert self.folder is not None
        text = json.dumps({"sha256": UNSEALED, **self.command, **data, "run": self._run()}, indent=1)
        write_file(self.folder / FILE, seal((text + "\n").encode()))


def _ms(run: Mapping[str, Any]) -> float:
    return 1000 * float(run["thinking_seconds"]) / max(int(run["timed_decisions"]), 1)


def _class_of(ms: float) -> str:
    return next((name for name, most in CLASSES.items() if ms <= most), "unlimited")


def results_of(command: Command, played: Mapping[int, RulePlay]) -> dict[str, Any]:
    """The results that follow from the deals played: the aggregates, and under ``rules`` the score under each."""
    scores = scores_of(command, played)
    margins = hashlib.sha256()
    for place in sorted(played):
        margins.update(played[place].agent.margins.astype("<f8").tobytes())
    return summarize(scores) | {
        "deals": sum(score.deals for score in scores),
        "decisions": sum(score.decisions for score in scores),
        "choices": sum(score.choices for score in scores),
        "margins_sha256": margins.hexdigest(),
        "rules": [asdict(score) for score in scores],
    }


def scores_of(command: Command, played: Mapping[int, RulePlay]) -> list[RuleScore]:
    """The score under every rule. Raises ValueError if a rule has not been played."""
    lines, scorer = split(command["split"]), _scorer(command)
    missing = [place for place in range(len(lines)) if place not in played]
    if missing:
        raise ValueError(f"{len(missing)} of {len(lines)} rules are missing; the command that began it goes on")
    return [scorer.score(played[place]) for place in range(len(lines))]


def _scorer(command: Command) -> Scorer:
    most_error = command.get("most_error", ERROR)
    return Scorer(command["agent"], command["split"], command["reference"], command["told"], most_error)


def read_entry(folder: Path) -> dict[str, Any]:
    """The content of ``entry.json``. Raises ValueError, in one line, if there is none, or a broken one."""
    file = folder / FILE
    content, data = read_json(file, "hearts benchmark --out")
    if not isinstance(data, dict) or not is_sealed(content):
        raise ValueError(f"{file} is broken: its digest is not that of its content; restore it from a copy")
    data.pop("sha256")
    kinds = NEEDED | {name: kind for name, kind in LATER.items() if name in data}
    wrong = [name for name, kind in kinds.items() if type(data.get(name)) is not kind]
    if wrong or data["told"] not in ("rules", "nothing", "next") or not all(map(_is_spent, data["run"])):
        raise ValueError(f"{file} is broken: {wrong[0] if wrong else 'told or run'} is not possible")
    return data


def _is_spent(run: Any) -> bool:
    return isinstance(run, dict) and all(type(run.get(one)) in (int, float) and 0 <= run[one] < MOST for one in SPENT)


def load_entry(folder: Path) -> tuple[dict[str, Any], EntryFolder]:
    """The JSON content and the play of a finished entry. Raises ValueError if it is not finished, or broken."""
    data = read_entry(folder)
    names = ("benchmark", "agent", "digest", "told", "split", "reference", "reference_digest", "most_error")
    if data.get("benchmark") != VERSION or not {"score", "margins_sha256"} <= data.keys():
        raise ValueError(f"{folder} holds no finished entry of version {VERSION}; the command that began it goes on")
    return data, EntryFolder(folder, {name: data[name] for name in names if name in data})


def check_entry(folder: Path, again: int) -> int:
    """Compute all results again from what was played, and play the first deals of some rules again.

    Args:
        folder: of the entry.
        again: how many rules; which ones follows from what was played.

    Returns:
        The number of deals that were played again, each in every seat.

    Raises:
        ValueError: in one line: a broken file, a result that does not follow, or deals that play otherwise.
    """
    data, entry = load_entry(folder)
    found = json.loads(json.dumps(results_of(entry.command, entry.played)))
    for name, value in found.items():
        if data.get(name) != value:
            raise ValueError(f"{folder / FILE} does not follow from what was played: {name} differs")
    programs = [spec for spec in (data["agent"], data["reference"]) if names_program(spec)]
    if again and programs:
        raise ValueError(f"{programs[0]} is a program, and what only a file names is not started; --again 0 leaves it")
    scorer = _scorer(entry.command)
    if not all(map(scorer.is_enough, entry.played.values())):
        raise ValueError(f"{folder / FILE} states most_error={scorer.most_error}, and the deals are too few for that")
    count = min(again, len(entry.played))
    places = np.random.default_rng(int(data["margins_sha256"][:8], 16)).permutation(len(entry.played))[:count]
    return sum(_play_again(folder, entry, int(place)) for place in places)


def _play_again(folder: Path, entry: EntryFolder, place: int) -> int:
    scorer = _scorer(entry.command)
    agent = make_agent(scorer.agent) if scorer.told == "rules" else scorer.player(place)
    reference, random = make_agent(scorer.reference_spec), make_agent("random")
    for player, name in ((agent, "digest"), (reference, "reference_digest")):
        if player.digest != entry.command.get(name, player.digest):
            raise ValueError(f"{player.name} has other weights than in {folder}")
    line, kept = split(scorer.split)[place], entry.played[place]
    sides = Sides.of(read_rules(line.rules), scorer.matches)
    own, theirs = scorer.chunk(sides, 0, TimedAgent(agent), reference, random)
    for now, before in ((own, kept.agent), (theirs, kept.random)):
        if now is not None and before is not None:
            pairs = zip(now, before, strict=True)
            if not all(np.array_equal(new, old[: len(new)]) for new, old in pairs):
                raise ValueError(f"{part_file(folder, place)} plays otherwise: {line.rules}")
    return len(own.margins)


def _table_of(play: RulePlay, command: Command) -> pa.Table:
    digest = split(command["split"])[play.place].digest
    parts = [("agent", play.agent)] + ([] if play.random is None else [("random", play.random)])
    tables = []
    for player, played in parts:
        deals, sides = played.margins.shape
        rows = deals * sides
        columns = [
            [digest] * rows,
            [player] * rows,
            np.repeat(np.arange(deals), sides),
            np.tile(np.arange(sides), deals),
            *(column.ravel() for column in played),
        ]
        tables.append(pa.table(columns, names=COLUMNS.names).cast(COLUMNS))
    return pa.concat_tables(tables).combine_chunks()


def _play_of(file: Path, command: Command) -> RulePlay:
    """The content of a file. Raises ValueError, in one line, if it is broken, or not of this entry."""
    place, lines = part_number(file), split(command["split"])
    table = read_part(file, command, COLUMNS)
    columns = {name: table[name].to_numpy() for name in COLUMNS.names}
    players = ["agent"] if _scorer(command).knows_random else ["agent", "random"]
    if place >= len(lines) or set(columns["rule"]) != {lines[place].digest} or set(columns["player"]) != {*players}:
        raise ValueError(f"{file} is not of {command['split']}; move it away")
    rows = [columns["player"] == player for player in players]
    with naming(file):
        found = [_played(*(columns[name][own] for name in COLUMNS.names[2:])) for own in rows]
    return RulePlay(place, found[0], found[1] if len(found) > 1 else None)


def _played(deal: Column, seat: Column, margins: Column, decisions: Column, choices: Column) -> Played:
    """What a player did. Raises ValueError unless the rows are those of whole deals, and the numbers are possible."""
    sides = max(int(seat.max()), 0) + 1
    whole = len(seat) >= 2 * sides and np.array_equal((deal, seat), np.divmod(np.arange(len(seat)), sides))
    if not whole or np.abs(margins).max() > MOST or min(decisions.min(), choices.min()) < 0:
        raise ValueError("its rows are not those of two whole deals or more, or a number is not possible")
    return Played(*(column.reshape(-1, sides) for column in (margins, decisions.astype(int), choices.astype(int))))
