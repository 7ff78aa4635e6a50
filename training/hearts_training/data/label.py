"""`label`: play deals, value every action of every decision by search, and write both to Parquet files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

import hearts_env
from hearts_agents.registry import make_agent
from hearts_agents.search.agents import ActionValues, EndgameAgent, PimcAgent
from hearts_agents.workers import Workers, check_workers
from hearts_env.compiled.game import compile_game
from hearts_env.variants.registry import rules as read_rules
from hearts_training.data.deals import Deals, Rows, digests, make_players, reset_players
from hearts_training.data.folder import Kind, MakePart, check_deals, write_parts
from hearts_training.data.parts import Description
from hearts_training.train.options import LabelOptions

LABELS = Kind(
    "labels",
    "hearts label",
    "hearts-labels-1",
    {"agent": str, "variant": str, "players": list, "explore": (int, float), "seed": int},
)
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
        if not isinstance(search, PimcAgent) or isinstance(search, EndgameAgent):
            raise ValueError(f"{options.agent} does not value actions; label with pimc, such as pimc(worlds=64)")
        self.search = search
        players = make_players(options.players, "label")
        self.players = [search if player.name == search.name else player for player in players]

    def part(self, number: int) -> pa.Table:
        """Play and label the deals of a part."""
        reset_players((self.search, *self.players), self.options.seed, number)
        deals = Deals(self.game, self.players, self.options.seed, number, self.options.explore)
        searching = [index for index, player in enumerate(self.players) if player is self.search]
        found: list[dict[str, Any]] = []
        while (live := deals.live()).size:
            views = deals.views(live)
            labels = self.search.action_values(views)
            found += _rows(labels, live, deals)
            deals.step(live, dict.fromkeys(searching, labels.actions))
        return label_table(deals, found, [player.name for player in self.players])

    def description(self) -> Description:
        """What the data set holds."""
        return asdict(self.options) | {
            "variant": str(self.rules),
            "players": list(self.options.players),
            "digests": digests((self.search, *self.players)),
            "version": hearts_env.__version__,
        }


def _rows(labels: ActionValues, live: Rows, deals: Deals) -> Iterator[dict[str, Any]]:
    """The rows of the decisions that the seats to act are at, as `label_table` takes them."""
    for row in np.flatnonzero(labels.worlds.any(axis=1)):
        legal = np.flatnonzero(labels.worlds[row])
        yield {
            "place": int(live[row]),
            "step": len(deals.log),
            "seat": int(deals.states["seat"][live[row]]),
            "choice": int(labels.actions[row]),
            "legal": legal,
            "values": labels.values[row, legal],
            "errors": labels.errors[row, legal],
            "worlds": labels.worlds[row, legal],
        }


def label_table(deals: Deals, found: list[dict[str, Any]], names: Sequence[str]) -> pa.Table:
    """A part as a table.

    Args:
        deals: its deals, played to their ends.
        found: a row for every decision: the place of its deal, and the columns from ``step`` on besides ``player``.
        names: the players' names.
    """
    places = range(len(deals.numbers))
    dealt = [deals.dealt(place) | {"actions": deals.actions(place)} for place in places]
    players = [[names[index] for index in lineup] for lineup in deals.lineups]
    rows = [row | dealt[row["place"]] | {"player": players[row["place"]][row["seat"]]} for row in found]
    return pa.Table.from_pylist(sorted(rows, key=lambda row: (row["deal"], row["step"])), SCHEMA)


def label(
    options: LabelOptions,
    out: Path,
    deals: int,
    workers: Workers = 1,
    progress: Callable[[int], None] = lambda deals: None,
) -> int:
    """Write a data set of at least `deals` deals, a whole number of parts; parts that are there are kept.

    Args:
        options: what it holds; a folder that exists must have been written with the same ones.
        out: the folder.
        deals: number of deals in all, 1 or more.
        workers: the number of processes that label, or the address of a Ray cluster.
        progress: called with the number of deals that are finished.

    Returns:
        The number of deals asked for that are in the folder.

    Raises:
        ValueError: a bad option, or a folder that holds something else.
        OSError: a file cannot be written, a process died, or a cluster failed.
    """
    check_deals(deals)
    check_workers(workers)
    description = Labeller(options).description()
    return write_parts(LABELS, out, description, partial(_parts, options), deals, workers, progress)


def _parts(options: LabelOptions) -> MakePart:
    return Labeller(options).part
