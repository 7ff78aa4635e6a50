"""`label`: play deals, value every action of every decision by search, and write both to Parquet files.

A data set is a folder with ``labels.json``, its description, and one file per part of `PART` deals. A part depends on
the description and its number only, so that parts may be written in any order, by any number of processes, and an
interrupted run goes on with those that are missing.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

import hearts_env
from hearts_agents.arena.tables import deal_numbers, pass_cycle
from hearts_agents.base import Agent
from hearts_agents.files import write_file
from hearts_agents.registry import make_agent
from hearts_agents.search.agents import ActionValues, PimcAgent
from hearts_agents.workers import check_processes, spread
from hearts_env.compiled.game import compile_game
from hearts_env.kernel.batch import random_actions, step_all, take_views
from hearts_env.kernel.records import STATE, Phase
from hearts_env.play.seeds import agent_seed
from hearts_env.play.view import Views
from hearts_env.variants.registry import rules as read_rules
from hearts_training.options import LabelOptions

FORMAT = "hearts-labels-1"
DESCRIPTION_FILE = "labels.json"
PART = 256
"""Deals per file."""
MOST_DEALS = 100_000_000
OVER = 255
"""In place of an action: the deal is over."""

SCHEMA = pa.schema(
    [
        pa.field("deal", pa.int64(), nullable=False),
        pa.field("seed", pa.uint64(), nullable=False),
        pa.field("deal_number", pa.int32(), nullable=False),
        pa.field("dealer", pa.int8(), nullable=False),
        pa.field("hands", pa.dictionary(pa.int32(), pa.string()), nullable=False),
        pa.field("kitty", pa.dictionary(pa.int32(), pa.string()), nullable=False),
        pa.field("actions", pa.dictionary(pa.int32(), pa.binary()), nullable=False),
        pa.field("step", pa.int16(), nullable=False),
        pa.field("seat", pa.int8(), nullable=False),
        pa.field("player", pa.dictionary(pa.int32(), pa.string()), nullable=False),
        pa.field("choice", pa.uint8(), nullable=False),
        pa.field("legal", pa.list_(pa.uint8()), nullable=False),
        pa.field("values", pa.list_(pa.float32()), nullable=False),
        pa.field("errors", pa.list_(pa.float32()), nullable=False),
        pa.field("worlds", pa.list_(pa.uint16()), nullable=False),
    ]
)
"""One row per searched decision; `training/README.md` describes the columns."""


class Labeller:
    """Plays and labels parts of a data set."""

    def __init__(self, options: LabelOptions) -> None:
        """Make the agents.

        Raises:
            ValueError: bad rules or agents, or an agent that does not value actions.
        """
        self.options, self.rules = options, read_rules(options.variant)
        self.game = compile_game(self.rules)
        search = make_agent(options.agent)
        if not isinstance(search, PimcAgent):
            raise ValueError(f"{options.agent} does not value actions; label with pimc, such as pimc(worlds=64)")
        self.search = search
        self.players: list[Agent] = [search if spec == options.agent else make_agent(spec) for spec in options.players]
        for agent in self.players:
            if agent.stateful:
                raise ValueError(f"{agent.name} follows one table at a time; label with agents that do not")

    def part(self, number: int) -> pa.Table:
        """Play and label deals ``number * PART`` and following, `PART` in all."""
        deals = number * PART + np.arange(PART)
        stream = np.random.SeedSequence([self.options.seed, number])
        seeds = stream.generate_state(PART, np.uint64).astype(np.uint64, copy=False)
        rng = np.random.default_rng(stream.spawn(1)[0])
        for index, agent in enumerate((self.search, *self.players)):
            agent.reset(agent_seed(self.options.seed, number, index))
        lineups = rng.integers(len(self.players), size=(PART, self.game.seats))
        numbers = deals % pass_cycle(self.game)
        states = deal_numbers(self.game, seeds, numbers)
        dealt = [self._dealt(state) for state in states]
        log: list[NDArray[np.uint8]] = []
        found: list[dict[str, Any]] = []
        while (live := np.flatnonzero(states["phase"] != Phase.OVER)).size:
            views = np.zeros(len(live), STATE)
            take_views(states, self.game.tables, live, views)
            labels = self.search.action_values(Views(self.game, views))
            labelled = np.flatnonzero(labels.worlds.any(axis=1))
            seats = views["seat"].astype(np.int64)
            found += _rows(labels, labelled, live, len(log), seats, lineups[live, seats])
            log.append(self._step(states, live, views, lineups[live, seats], labels.actions, rng))
        played = np.array(log, np.uint8)
        for row in found:
            place = row.pop("place")
            length = int((played[:, place] != OVER).sum())
            row.update(dealt[place])
            row.update(
                deal=int(deals[place]),
                seed=int(seeds[place]),
                deal_number=int(numbers[place]),
                actions=played[:length, place].tobytes(),
                player=self.players[row["player"]].name,
            )
        found.sort(key=lambda row: (row["deal"], row["step"]))
        return pa.Table.from_pylist(found, SCHEMA)

    def _dealt(self, state: Any) -> dict[str, Any]:
        """Who dealt, the hands and the kitty of a deal that begins."""
        hands = [" ".join(self.game.names(planes)) for planes in state["hands"][: self.game.seats]]
        kitty = (self.game.deck.kinds[kind] for kind in state["kitty"][: int(self.game.tables["kitty_size"])])
        return {"dealer": int(state["dealer"]), "hands": "|".join(hands), "kitty": " ".join(kitty)}

    def _step(
        self,
        states: NDArray[Any],
        live: NDArray[np.int64],
        views: NDArray[Any],
        players: NDArray[np.int64],
        searched: NDArray[np.int64],
        rng: np.random.Generator,
    ) -> NDArray[np.uint8]:
        """Play one action in the games that are not over; returns that of every game, `OVER` where there is none."""
        chosen = np.zeros(len(live), np.int64)
        for index, agent in enumerate(self.players):
            rows = np.flatnonzero(players == index)
            if agent is self.search:
                chosen[rows] = searched[rows]
            elif rows.size:
                chosen[rows] = agent.act_batch(Views(self.game, views[rows]))
        if self.options.explore:
            anything = np.zeros(len(live), np.int64)
            random_actions(views, self.game.tables, rng.integers(2**63, dtype=np.uint64), anything)
            explored = rng.random(len(live)) < self.options.explore
            chosen[explored] = anything[explored]
        actions = np.zeros(len(states), np.int64)
        actions[live] = chosen
        step_all(states, self.game.tables, actions)
        record = np.full(len(states), OVER, np.uint8)
        record[live] = chosen
        return record


def _rows(
    labels: ActionValues,
    labelled: NDArray[np.int64],
    places: NDArray[np.int64],
    step: int,
    seats: NDArray[np.int64],
    players: NDArray[np.int64],
) -> Iterator[dict[str, Any]]:
    for row in labelled:
        legal = np.flatnonzero(labels.worlds[row])
        yield {
            "place": int(places[row]),
            "step": step,
            "seat": int(seats[row]),
            "player": int(players[row]),
            "choice": int(labels.actions[row]),
            "legal": legal,
            "values": labels.values[row, legal],
            "errors": labels.errors[row, legal],
            "worlds": labels.worlds[row, legal],
        }


def part_file(folder: Path, number: int) -> Path:
    """The file of a part."""
    return folder / f"part-{number:06d}.parquet"


def label(
    options: LabelOptions,
    out: Path,
    deals: int,
    processes: int = 1,
    progress: Callable[[int], None] = lambda deals: None,
) -> int:
    """Write a data set of at least `deals` deals, a whole number of parts; parts that are there are kept.

    Args:
        options: what it holds; a folder that exists must have been written with the same ones.
        out: the folder.
        deals: number of deals in all, 1 or more.
        processes: number of processes that label.
        progress: called with the number of deals that are finished.

    Returns:
        The number of deals asked for that are in the folder.

    Raises:
        ValueError: a bad option, or a folder that holds something else.
        OSError: a file cannot be written, or a process died.
    """
    if not 1 <= deals <= MOST_DEALS:
        raise ValueError(f"deals={deals} must be from 1 to {MOST_DEALS}")
    check_processes(processes)
    describe(out, Labeller(options))
    numbers = range(-(-deals // PART))
    missing = [number for number in numbers if not part_file(out, number).is_file()]
    done = len(numbers) - len(missing)
    progress(done * PART)
    with closing(spread(partial(_part_writer, options, out), missing, processes)) as written:
        for _ in written:
            done += 1
            progress(done * PART)
    return done * PART


def _part_writer(options: LabelOptions, out: Path) -> Callable[[int], None]:
    labeller = Labeller(options)

    def write(number: int) -> None:
        buffer = io.BytesIO()
        pq.write_table(labeller.part(number), buffer, compression="zstd")
        write_file(part_file(out, number), buffer.getvalue())

    return write


def describe(out: Path, labeller: Labeller) -> None:
    """Write the description of a data set, or check the one that is there. Raises ValueError if it is another."""
    agents = (labeller.search, *labeller.players)
    wanted = asdict(labeller.options) | {
        "format": FORMAT,
        "variant": str(labeller.rules),
        "players": list(labeller.options.players),
        "deals_per_part": PART,
        "digests": {agent.name: agent.digest for agent in agents if agent.digest},
        "version": hearts_env.__version__,
    }
    file = out / DESCRIPTION_FILE
    if file.is_file():
        if read_description(out) != wanted:
            raise ValueError(f"{out} holds labels of another command ({file}); name another folder")
        return
    out.mkdir(parents=True, exist_ok=True)
    if any(out.iterdir()):
        raise ValueError(f"{out} is not empty and holds no {DESCRIPTION_FILE}; name another folder")
    write_file(file, (json.dumps(wanted, indent=2) + "\n").encode())


def read_description(folder: Path) -> dict[str, Any]:
    """The description of a data set. Raises ValueError if there is none, or it is broken or of another format."""
    file = folder / DESCRIPTION_FILE
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ValueError(f"{folder} holds no {DESCRIPTION_FILE}; name a folder that hearts label wrote") from None
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{file} is broken: {error}") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise ValueError(f"{file} does not have the format {FORMAT}; name a folder that hearts label wrote")
    return found
