"""Deals of a log, for agents to play, and what the players of the log made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_agents.arena.seatings import Seating
from hearts_agents.arena.stats import mean_of
from hearts_agents.arena.tables import costs_of, margins_of, units_of
from hearts_env.compiled.game import Game
from hearts_env.kernel.records import STATE
from hearts_env.ruleset.model import Rules
from hearts_env.table.games import finished_deals
from hearts_env.table.log import DealLog
from hearts_env.table.setup import set_start

ANYBODY = "the log"
"""The player of a log that names none."""
Measures = Mapping[str, NDArray[np.float64]]
"""``points`` and ``margin``, (deals,) each; NaN for a deal that a player did not play."""


@dataclass(frozen=True, eq=False)
class GivenDeals:
    """The deals of files, each once, however often it was played there.

    Attributes:
        rules: the rules of all of them.
        starts: (deals,) `STATE` records at their starts, with totals as at the start of a match.
        players: name -> what that player made of the deals, the mean over seats and times.
        played: each time that a deal was played: its place in `starts`, the names per seat, and the events.
    """

    rules: Rules
    starts: NDArray[Any]
    players: Mapping[str, Measures]
    played: tuple[tuple[int, tuple[str, ...], DealLog], ...]

    @staticmethod
    def read(files: Sequence[Path], most: int | None = None) -> GivenDeals:
        """The finished deals of records and files of games, at most `most`. Raises ValueError, in one line, for a
        broken file, deals of several games, or no deal.
        """
        places: dict[tuple[object, ...], int] = {}
        starts: list[NDArray[Any]] = []
        played: list[tuple[int, tuple[str, ...], DealLog]] = []
        deals = finished_deals(files, "an arena")
        game = deals[0][1].game
        for _, match, log in deals:
            key = (*map(tuple, log.hands), *log.kitty, log.dealer, log.leader, log.direction)
            if key not in places and len(places) == most:
                continue
            if places.setdefault(key, len(starts)) == len(starts):
                starts.append(_start(game, log, match.seed))
            played.append((places[key], match.players or (ANYBODY,) * game.seats, log))
        return GivenDeals(game.rules, np.concatenate(starts), _made(game, len(starts), played), tuple(played))

    def as_seated(self, seatings: Sequence[Seating]) -> tuple[Seating, ...]:
        """Of some line-ups those in which agents sit together as the players of the log did; all if there is none."""
        known = {_sides(names) for _, names, _ in self.played}
        return tuple(one for one in seatings if _sides(one.lineup) in known) or tuple(seatings)

    def compare(self, agents: Mapping[str, Measures]) -> list[dict[str, Any]]:
        """What each player of the log made of the deals, and the differences of each agent, deal by deal, for JSON."""
        found = []
        for name, made in self.players.items():
            there = ~np.isnan(made["margin"])
            row: dict[str, Any] = {"name": name, "deals": int(there.sum())} | _means(made, there)
            row["agents"] = []
            for agent, own in agents.items():
                differences = {key: own[key] - made[key] for key in made}
                row["agents"].append({"name": agent} | _means(differences, there, "_difference"))
            found.append(row)
        return found


def _start(game: Game, log: DealLog, seed: int) -> NDArray[Any]:
    state = np.zeros(1, STATE)
    set_start(game, state[0], replace(log.start, totals=None, passing=log.leader is None), seed)
    state["deal_limit"] = log.number + 1
    return state


def _made(game: Game, deals: int, played: Sequence[tuple[int, tuple[str, ...], DealLog]]) -> dict[str, Measures]:
    points = np.array([log.points for _, _, log in played])
    costs = costs_of(game, np.stack([points.real, points.imag], axis=2))
    units = units_of(game)
    found: dict[str, Measures] = {}
    for name in sorted({name for _, names, _ in played for name in names}):
        seats = np.array([[one == name for one in names] for _, names, _ in played])
        rows = np.array([place for place, _, _ in played])
        count = np.bincount(rows, seats.sum(axis=1), deals)
        measures = {"points": costs / units["points"], "margin": margins_of(game, costs) / units["margin"]}
        with np.errstate(invalid="ignore"):  # of deals without this player
            found[name] = {
                key: np.bincount(rows, (values * seats).sum(axis=1), deals) / count for key, values in measures.items()
            }
    return found


def _sides(names: Sequence[object]) -> frozenset[frozenset[int]]:
    """The sets of seats that have the same name."""
    return frozenset(frozenset(seat for seat, one in enumerate(names) if one == name) for name in names)


def _means(measures: Measures, there: NDArray[np.bool_], of: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, values in measures.items():
        mean = mean_of(values[there])
        found |= {key + of: mean.value, f"{key}{of}_se": None if np.isnan(mean.error) else mean.error}
    return found
