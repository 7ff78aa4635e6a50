"""Deals that files give: records and games of others as a data set of games."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from hearts_agents.arena.tables import deal_numbers
from hearts_env.compiled.game import Game
from hearts_env.kernel.records import STATE
from hearts_env.table.games import finished_deals
from hearts_env.table.log import DealLog, DealStart
from hearts_env.table.match import Match
from hearts_env.table.setup import set_start
from hearts_training.data.deals import describe
from hearts_training.data.folder import write_parts
from hearts_training.data.parts import PART, Description
from hearts_training.data.record import GAMES, schema, with_observations
from hearts_training.options import RecordOptions

UNKNOWN = "unknown"
"""The agent in a seat of which a file says nothing."""


class Given:
    """The deals of files as parts of a data set.

    Attributes:
        game: the compiled rules, those of all files.
        rows: the columns of each deal, without ``deal``.
    """

    def __init__(self, files: Sequence[Path], observations: bool) -> None:
        """Read the files. Raises ValueError, in one line, for a broken one, other rules, or no finished deal."""
        self._files, self._observations, deals = files, observations, finished_deals(files, "a data set")
        self.game = deals[0][1].game
        self.rows = [_row(*deal) for deal in deals]

    def part(self, number: int) -> pa.Table:
        """The deals of a part; the last one may have fewer than others."""
        first = number * PART
        rows = [{"deal": first + place} | row for place, row in enumerate(self.rows[first : first + PART])]
        table = pa.Table.from_pylist(rows, schema(self.game, observations=False, given=True))
        return with_observations(self.game, table, starts_given(self.game, table)) if self._observations else table

    def description(self) -> Description:
        """The content of the data set: ``from`` holds the digest of each file."""
        names = sorted({name for row in self.rows for name in row["agents"]})
        options = RecordOptions(agents=tuple(names), observations=self._observations)
        digests = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in self._files}
        return describe(options, self.game.rules, ()) | {"from": digests}


def _row(file: Path, match: Match, log: DealLog) -> dict[str, Any]:
    game, actions = match.game, [name for _, name in log.actions]
    alone = Match._set(match.rules, match.seed, replace(log.start, passing=log.leader is None))
    dealt = Match._set(match.rules, match.seed, DealStart(deal_number=log.number, passing=True))
    try:
        for action in actions:
            alone.play(action)
    except ValueError:
        alone.log[0].points = None
    if alone.log[0].points != log.points:
        raise ValueError(
            f"{file}: deal {log.number + 1} of a match depends on the deals before it, or began after a pass"
        )
    points, before, after = (np.array(numbers) for numbers in (log.points, log.totals, log.totals_after))
    return {
        "seed": match.seed,
        "deal_number": log.number,
        "dealer": log.dealer,
        "hands": "|".join(map(" ".join, log.hands)),
        "kitty": " ".join(log.kitty),
        "set": (log.hands, log.kitty) != (dealt.hands, dealt.kitty),
        "leader": -1 if log.leader is None else log.leader,
        "totals_before": before.real.astype(int),
        "totals_before_imaginary": before.imag.astype(int),
        "agents": match.players or [UNKNOWN] * game.seats,
        "actions": bytes(game.action(action) for action in actions),
        "seats": bytes(seat for seat, _ in log.actions),
        "points": points.real.astype(int),
        "points_imaginary": points.imag.astype(int),
        "totals": after.real.astype(int),
        "totals_imaginary": after.imag.astype(int),
    }


def start_of(game: Game, row: dict[str, Any]) -> DealStart:
    """The start of the deal of a row."""
    totals = game.numbers(np.array([row["totals_before"], row["totals_before_imaginary"]]).T)
    hands, leader = [hand.split() for hand in row["hands"].split("|")], None if row["leader"] < 0 else row["leader"]
    return DealStart(hands, leader, totals, row["deal_number"], leader is None, row["dealer"], row["kitty"].split())


def starts_given(game: Game, table: pa.Table) -> NDArray[Any]:
    """The `STATE` records at the start of the deals of some rows. Raises ValueError for a deal that cannot be, or that
    is not the one its seed deals although it was not set.
    """
    states = np.zeros(table.num_rows, STATE)
    for place, row in enumerate(table.to_pylist()):
        set_start(game, states[place], start_of(game, row), row["seed"])
    states["deal_limit"] = states["deal_number"] + 1
    dealt = deal_numbers(game, states["seed"], states["deal_number"].astype(np.int64))
    own = ~table["set"].to_numpy()
    if not all(np.array_equal(states[name][own], dealt[name][own]) for name in ("hands", "kitty")):
        raise ValueError("a deal is not the one that its seed deals")
    return states


def record_files(
    files: Sequence[Path], out: Path, observations: bool = False, progress: Callable[[int], None] = lambda deals: None
) -> int:
    """Write the finished deals of records and files of games as a data set; returns their number.

    Deals that were set, not dealt by a seed, say so in the column ``set``.

    Raises:
        ValueError: a broken file, files of several games, a deal that depends on those before it, or as in `record`.
        OSError: a file cannot be written.
    """
    given = Given(files, observations)
    write_parts(GAMES, lambda: given, out, len(given.rows), 1, progress)
    return len(given.rows)
