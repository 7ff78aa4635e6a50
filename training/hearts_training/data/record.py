"""`record`: play deals and write them to Parquet files, one row per deal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

import hearts_env
from hearts_agents.workers import Workers, check_workers
from hearts_env.compiled.game import Game, compile_game
from hearts_env.variants.registry import rules as read_rules
from hearts_training.data.deals import Deals, digests, make_players, reset_players
from hearts_training.data.folder import Kind, MakePart, check_deals, write_parts
from hearts_training.data.parts import PART, Description
from hearts_training.data.replay import Replay, replay
from hearts_training.train.options import RecordOptions

GAMES = Kind(
    "games",
    "hearts record",
    "hearts-games-1",
    {"agents": list, "variant": str, "explore": (int, float), "observations": bool, "seed": int},
)


def schema(game: Game, observations: bool) -> pa.Schema:
    """The columns; `training/README.md` describes them."""
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
    if observations:
        fields += [
            ("observations", pa.list_(pa.list_(pa.float32(), int(game.tables["obs_size"])))),
            ("masks", pa.list_(pa.list_(pa.int8(), len(game.actions)))),
            ("rewards", pa.list_(pa.float32())),
        ]
    return pa.schema([pa.field(name, kind, nullable=False) for name, kind in fields])


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
        return game_table(deals, [player.name for player in self.players], self.options.observations)

    def description(self) -> Description:
        """What the data set holds."""
        return asdict(self.options) | {
            "variant": str(self.rules),
            "agents": list(self.options.agents),
            "digests": digests(self.players),
            "version": hearts_env.__version__,
        }


def game_table(
    deals: Deals, names: Sequence[str], observations: bool, logs: Mapping[int, bytes] | None = None
) -> pa.Table:
    """Play the deals of a part to their ends, and make a table of them.

    Args:
        deals: the deals.
        names: the players' names.
        observations: whether every action has the observation, the legal actions and the reward beside it.
        logs: as in `Deals.play`.
    """
    seats = deals.play(logs)
    rows = [_row(deals, place, seats[:, place], names) for place in range(PART)]
    table = pa.Table.from_pylist(rows, schema(deals.game, observations=False))
    if not observations:
        return table
    columns = decision_columns(replay(deals.game, deals.starts, [deals.actions(place) for place in range(PART)]))
    return pa.table([*table.columns, *columns], schema=schema(deals.game, observations=True))


def _row(deals: Deals, place: int, seats: NDArray[np.uint8], names: Sequence[str]) -> dict[str, Any]:
    end, actions = deals.states[place], deals.actions(place)
    points, totals = (end[name][: deals.game.seats] for name in ("scored", "totals"))
    return deals.dealt(place) | {
        "agents": [names[index] for index in deals.lineups[place]],
        "actions": actions,
        "seats": seats[: len(actions)].tobytes(),
        "points": points[:, 0],
        "points_imaginary": points[:, 1],
        "totals": totals[:, 0],
        "totals_imaginary": totals[:, 1],
    }


def decision_columns(found: Replay) -> list[pa.Array]:
    """The columns ``observations``, ``masks`` and ``rewards``: for every deal, a list with an entry per action."""
    values = [
        pa.FixedSizeListArray.from_arrays(rows.reshape(-1), rows.shape[1]) for rows in (found.observations, found.masks)
    ]
    offsets = pa.array(found.offsets.astype(np.int32))
    return [pa.ListArray.from_arrays(offsets, column) for column in (*values, pa.array(found.rewards))]


def record(
    options: RecordOptions,
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
        workers: the number of processes that play, or the address of a Ray cluster; the data do not depend on it.
        progress: called with the number of deals that are finished.

    Returns:
        The number of deals asked for that are in the folder.

    Raises:
        ValueError: a bad option, a folder that holds something else, or an agent that fails.
        OSError: a file cannot be written, a process died, or a cluster failed.
    """
    check_deals(deals)
    check_workers(workers)
    description = Recorder(options).description()
    return write_parts(GAMES, out, description, partial(_parts, options), deals, workers, progress)


def _parts(options: RecordOptions) -> MakePart:
    return Recorder(options).part
