"""`record`: play deals and write them to Parquet files, one row per deal."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from hearts_agents.workers import Workers
from hearts_env.compiled.game import Game, compile_game
from hearts_env.variants.registry import rules as read_rules
from hearts_training.data.deals import Deals, describe, make_players, plain, reset_players
from hearts_training.data.folder import DataFormat, write_parts
from hearts_training.data.parts import PART, Description
from hearts_training.data.replay import replay
from hearts_training.options import RecordOptions


def schema(game: Game, observations: bool, given: bool = False) -> pa.Schema:
    """The columns, with more for deals that files give; `training/DATA.md` describes them."""
    per_seat = pa.list_(pa.int32())
    fields = [
        ("deal", pa.int64()),
        ("seed", pa.uint64()),
        ("deal_number", pa.int32()),
        ("dealer", pa.int8()),
        ("hands", pa.string()),
        ("kitty", pa.string()),
        ("agents", pa.list_(pa.string())),
        ("actions", pa.binary()),
        ("seats", pa.binary()),
        ("points", per_seat),
        ("points_imaginary", per_seat),
        ("totals", per_seat),
        ("totals_imaginary", per_seat),
    ]
    if given:
        fields += [("set", pa.bool_()), ("leader", pa.int8())]
        fields += [("totals_before", per_seat), ("totals_before_imaginary", per_seat)]
    if observations:
        fields += [
            ("observations", pa.list_(pa.list_(pa.float32(), int(game.tables["obs_size"])))),
            ("masks", pa.list_(pa.list_(pa.int8(), len(game.actions)))),
            ("rewards", pa.list_(pa.float32())),
        ]
    return pa.schema([pa.field(name, kind, nullable=False) for name, kind in fields])


def _columns(holds: Description) -> pa.Schema:
    return schema(compile_game(read_rules(holds["variant"])), holds["observations"], "from" in holds)


GAMES = DataFormat("games", "record", "hearts-games-1", plain(RecordOptions()), _columns)


class Recorder:
    """Plays parts of a data set."""

    def __init__(self, options: RecordOptions) -> None:
        """Make the agents. Raises ValueError for bad rules or agents."""
        self.options, self.rules = options, read_rules(options.variant)
        self.game = compile_game(self.rules)
        self.players = make_players(options.agents, "record")

    def part(self, number: int) -> pa.Table:
        """Play the deals of a part."""
        reset_players(self.players, self.options.seed, number)
        deals = Deals(self.game, self.players, self.options.seed, number, self.options.explore)
        while (live := deals.live()).size:
            deals.step(live)
        logs = [deals.actions(place) for place in range(PART)]
        seats = [row[: len(log)].tobytes() for row, log in zip(np.array(deals.seats).T, logs, strict=True)]
        rows = [self._row(deals, place) | {"actions": logs[place], "seats": seats[place]} for place in range(PART)]
        table = pa.Table.from_pylist(rows, schema(self.game, observations=False))
        return with_observations(self.game, table, deals.starts) if self.options.observations else table

    def _row(self, deals: Deals, place: int) -> dict[str, Any]:
        end = deals.states[place]
        points, totals = (end[name][: self.game.seats] for name in ("scored", "totals"))
        agents = [self.players[index].name for index in deals.lineups[place]]
        row = {"agents": agents, "points": points[:, 0], "points_imaginary": points[:, 1]}
        return deals.dealt(place) | row | {"totals": totals[:, 0], "totals_imaginary": totals[:, 1]}

    def description(self) -> Description:
        """The content of the data set, as `describe` gives it."""
        return describe(self.options, self.rules, self.players)


def with_observations(game: Game, table: pa.Table, starts: NDArray[Any]) -> pa.Table:
    """A part with what stands beside every action: observation, legal actions and reward; `starts` of its deals."""
    found = replay(game, starts, table["actions"].to_pylist())
    flat = found.observations, found.masks
    values = [pa.FixedSizeListArray.from_arrays(one.reshape(-1), one.shape[1]) for one in flat]
    offsets = pa.array(found.offsets.astype(np.int32))
    columns = [pa.ListArray.from_arrays(offsets, column) for column in (*values, pa.array(found.rewards))]
    return pa.table([*table.columns, *columns], schema=schema(game, True, "set" in table.column_names))


def record(
    options: RecordOptions,
    out: Path,
    deals: int,
    workers: Workers = 1,
    progress: Callable[[int], None] = lambda deals: None,
) -> int:
    """Write a data set of games; the rest is as in `hearts_training.data.folder.write_parts`."""
    return write_parts(GAMES, partial(Recorder, options), out, deals, workers, progress)
