"""`label`: play deals, value every action of every decision by search, and write both to Parquet files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from hearts_agents.registry import make_agent
from hearts_agents.search.agents import ActionValues
from hearts_agents.values import has_values, values_of
from hearts_agents.workers import Workers
from hearts_env.compiled.game import compile_game
from hearts_env.kernel.records import STATE, Phase
from hearts_env.seat.view import Views
from hearts_env.variants.registry import rules as read_rules
from hearts_training.data.deals import Deals, Rows, describe, make_players, plain, reset_players
from hearts_training.data.folder import DataFormat, write_parts
from hearts_training.data.parts import PART, Description
from hearts_training.evaluate.blunders_kinds import KINDS, tempted
from hearts_training.evaluate.positions import Flags, Positions, check_suite
from hearts_training.options import LabelOptions

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
"""One row per searched decision; `training/DATA.md` describes the columns."""
ADDED: Description = {"only": [], "others": 0.0}
LABELS = DataFormat("labels", "label", "hearts-labels-1", plain(LabelOptions()), lambda holds: SCHEMA, ADDED)


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
        if not has_values(search):
            raise ValueError(
                f"{options.agent} does not value actions; label with pimc, such as pimc(worlds=64), or an agent that "
                "has action_values(views)"
            )
        self.search = search
        self._selected = partial(selected, options.only)
        if options.only:
            self._selected(Views(self.game, np.zeros(0, STATE)))
        players = make_players(options.players, "label")
        self.players = [search if player.name == search.name else player for player in players]

    def part(self, number: int) -> pa.Table:
        """Play and label the deals of a part."""
        reset_players((self.search, *self.players), self.options.seed, number)
        deals = Deals(self.game, self.players, self.options.seed, number, self.options.explore)
        rng = np.random.default_rng(np.random.SeedSequence([self.options.seed, number]).spawn(2)[1])
        searching = [index for index, player in enumerate(self.players) if player is self.search]
        found: list[dict[str, Any]] = []
        while (live := deals.live()).size:
            views, wanted = deals.views(live), np.ones(len(live), np.bool_)
            if self.options.only:
                wanted = self._selected(views) | (rng.random(len(live)) < self.options.others)
            searched = wanted | np.isin(deals.players(live), searching)
            labels = values_of(self.search, Views(self.game, views.records[searched], check=False))
            found += _rows(labels, live[searched], deals, wanted[searched])
            actions = np.zeros(len(live), np.int64)
            actions[searched] = labels.actions
            deals.step(live, dict.fromkeys(searching, actions))
        dealt = [deals.dealt(place) | {"actions": deals.actions(place)} for place in range(PART)]
        players = [[self.players[index].name for index in lineup] for lineup in deals.lineups]
        rows = [row | dealt[row["place"]] | {"player": players[row["place"]][row["seat"]]} for row in found]
        return pa.Table.from_pylist(sorted(rows, key=lambda row: (row["deal"], row["step"])), SCHEMA)

    def description(self) -> Description:
        """The content of the data set, as `describe` gives it."""
        return describe(self.options, self.rules, (self.search, *self.players))


def selected(only: Sequence[str], views: Views) -> Flags:
    """The views, (n,), of some phases and of some kinds of the blunder suite.

    Raises ValueError for a name that is neither, or a kind in a game that has no such suite.

    >>> import hearts_env as he
    >>> view = he.Match("black_lady", seed=4).view(0)
    >>> selected(["pass", "high_spade"], he.Views.of(view)).tolist()
    [True]
    """
    found = np.zeros(len(views), np.bool_)
    for name in only:
        if name.upper() in Phase.__members__:
            found |= views.records["phase"] == Phase[name.upper()]
        elif name in KINDS:
            check_suite(views.game)
            places, at = Positions.of(views)
            found[places[tempted(name, at)]] = True
        else:
            known = ", ".join([*(phase.name.lower() for phase in Phase if phase != Phase.OVER), *KINDS])
            raise ValueError(f"there is no phase or kind of position {name!r}; known: {known}")
    return found


def _rows(labels: ActionValues, live: Rows, deals: Deals, wanted: Flags) -> Iterator[dict[str, Any]]:
    for row in np.flatnonzero(labels.worlds.any(axis=1) & wanted):
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


def label(
    options: LabelOptions,
    out: Path,
    deals: int,
    workers: Workers = 1,
    progress: Callable[[int], None] = lambda deals: None,
) -> int:
    """Write a data set of searched decisions; the rest is as in `hearts_training.data.folder.write_parts`."""
    return write_parts(LABELS, partial(Labeller, options), out, deals, workers, progress)
