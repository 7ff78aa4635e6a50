"""`label`: play deals, value every action of every decision by search, and write both to Parquet files.

A data set is a folder with ``labels.json``, its description, and one file per part of `PART` deals. A part depends on
the description and its number only, so that parts may be written in any order, by any number of processes, and an
interrupted run goes on with those that are missing.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
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
from hearts_env.compiled.game import Game, compile_game
from hearts_env.kernel.batch import random_actions, step_all, take_views
from hearts_env.kernel.records import STATE, Phase
from hearts_env.play.view import Views
from hearts_env.ruleset.model import Rules
from hearts_env.variants.registry import rules as read_rules

FORMAT = "hearts-labels-1"
DESCRIPTION_FILE = "labels.json"
PART = 256
"""Deals per file."""

SCHEMA = pa.schema(
    [
        pa.field("deal", pa.int64(), nullable=False),
        pa.field("seed", pa.uint64(), nullable=False),
        pa.field("deal_number", pa.int32(), nullable=False),
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


@dataclass(frozen=True)
class LabelOptions:
    """What a data set holds.

    Attributes:
        agent: spec of the search that values the actions.
        variant: text of the rules.
        players: specs of the agents that play; one is drawn for every seat of every deal. Every decision is labelled,
            whoever makes it.
        explore: probability that a seat plays any legal action instead, 0 to 1.
        seed: fixes deals, seats and random choices.
    """

    agent: str = "pimc(worlds=64)"
    variant: str = "black_lady"
    players: tuple[str, ...] = ("pimc(worlds=64)", "rule")
    explore: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.explore <= 1:
            raise ValueError(f"explore={self.explore} must be from 0 to 1")
        if not self.players:
            raise ValueError("players is empty; name one agent or more")
        if self.seed < 0:
            raise ValueError(f"seed={self.seed} must be 0 or more")


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
        seeds = stream.generate_state(PART, np.uint64)
        rng = np.random.default_rng(stream.spawn(1)[0])
        for agent in (self.search, *self.players):
            agent.reset(int(rng.integers(2**63)))
        lineups = rng.integers(len(self.players), size=(PART, self.game.seats))
        numbers = deals % pass_cycle(self.game)
        states = deal_numbers(self.game, seeds, numbers)
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
            row |= {
                "deal": int(deals[place]),
                "seed": int(seeds[place]),
                "deal_number": int(numbers[place]),
                "actions": played[:length, place].tobytes(),
                "player": self.players[row["player"]].name,
            }
        found.sort(key=lambda row: (row["deal"], row["step"]))
        return pa.Table.from_pylist(found, SCHEMA)

    def _step(
        self,
        states: NDArray[Any],
        live: NDArray[np.int64],
        views: NDArray[Any],
        players: NDArray[np.int64],
        searched: NDArray[np.int64],
        rng: np.random.Generator,
    ) -> NDArray[np.uint8]:
        """Play one action in every game that is not over; returns the actions of all games, `OVER` where there is none."""
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


OVER = 255
"""In place of an action: the deal is over."""


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


def write_part(folder: Path, labeller: Labeller, number: int) -> None:
    """Label a part and write its file, whole or not at all."""
    buffer = io.BytesIO()
    pq.write_table(labeller.part(number), buffer, compression="zstd")
    write_file(part_file(folder, number), buffer.getvalue())


def label(options: LabelOptions, out: Path, deals: int, progress: Callable[[int], None] = lambda deals: None) -> int:
    """Write a data set of at least `deals` deals, a whole number of parts; parts that are there are kept.

    Args:
        options: what it holds; a folder that exists must have been written with the same ones.
        out: the folder.
        deals: number of deals in all, 1 or more.
        progress: called with the number of deals that are finished.

    Returns:
        The number of deals in the folder.

    Raises:
        ValueError: a bad option, or a folder that holds something else.
        OSError: a file cannot be written.
    """
    if deals < 1:
        raise ValueError(f"deals={deals} must be at least 1")
    labeller = Labeller(options)
    describe(out, labeller)
    numbers = range(-(-deals // PART))
    done = sum(part_file(out, number).is_file() for number in numbers)
    for number in numbers:
        if not part_file(out, number).is_file():
            write_part(out, labeller, number)
            done += 1
        progress(done * PART)
    return done * PART


def describe(out: Path, labeller: Labeller) -> None:
    """Write the description of a data set, or check the one that is there. Raises ValueError if it is another."""
    given = asdict(labeller.options) | {
        "format": FORMAT,
        "variant": str(labeller.rules),
        "deals_per_part": PART,
        "digests": {agent.name: agent.digest for agent in (labeller.search, *labeller.players) if agent.digest},
        "version": hearts_env.__version__,
    }
    file = out / DESCRIPTION_FILE
    text = json.dumps(given, indent=2) + "\n"
    if file.is_file():
        if json.loads(file.read_text(encoding="utf-8")) != json.loads(text):
            raise ValueError(f"{out} holds labels of another command ({file}); name another folder")
        return
    out.mkdir(parents=True, exist_ok=True)
    if any(out.iterdir()):
        raise ValueError(f"{out} is not empty and holds no {DESCRIPTION_FILE}; name another folder")
    write_file(file, text.encode())
