"""The folder that a server shows: a list of games that an arena kept, each of which can be studied, or a training run.
Nothing else is read.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from itertools import groupby
from math import isfinite
from pathlib import Path

from hearts_agents.arena.kept import FILE
from hearts_agents.weights import network_spec
from hearts_env.table.games import read_line
from hearts_training.web.database import Database
from hearts_training.web.messages import NewStudy, OpenGame
from hearts_training.web.players import Players
from hearts_training.web.records import kept_study
from hearts_training.web.seen import Data
from hearts_training.web.study import Studies
from hearts_training.web.verdict import chosen

MOST_GAMES = 20_000
"""Deals of a list, in every seating; later ones in the file are not read."""
RESULT, STATE, POLICIES = "result.json", "checkpoint-*/state.json", "checkpoints/*/*.safetensors"
FIGURES = ("deals", "entropy", "attempted", "shot", "margins", "errors", "unseen")


def page_of(folder: Path | None, is_local: bool) -> str:
    """The page that shows a folder: ``records`` or ``run``; empty, as the first page is, without a folder.

    Raises ValueError, in one line, for a folder that holds neither, or a server for other machines (not `is_local`).
    """
    if folder is None:
        return ""
    if not is_local:
        raise ValueError(f"{folder} is shown on this machine only; leave out --host")
    if (folder / FILE).is_file():
        return "records"
    if (folder / RESULT).is_file() or any(folder.glob(STATE)):
        return "run"
    raise ValueError(f"{folder} holds neither {FILE}, as hearts arena --records writes it, nor a run of hearts train")


# --- games ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GameList:
    """The games of a folder.

    Attributes:
        rows: a row for each deal and seating: the ``key`` of its game, ``deal`` (the number of the deal among those of
            the file), ``number`` in its match, ``players``, and what is known of ``seat``, ``margin``, ``points`` and
            ``shooter``; ``twin``: the place of the row with the same cards, in which another player holds the seat.
        games: key -> the lines of the game and the seat that its margin is of.
        more: whether the file holds more.
    """

    rows: list[Data]
    games: Mapping[str, tuple[str, int | None]]
    more: bool

    @staticmethod
    def read(file: Path, secret: str) -> GameList:
        """Read a file of games. Keys follow from the lines and the `secret`. Raises ValueError, in one line."""
        rows: list[Data] = []
        games: dict[str, tuple[str, int | None]] = {}
        deals: dict[str, list[Data]] = {}
        with file.open("rb") as lines:
            read = ((line, read_line(number, line)) for number, line in enumerate(lines, 1) if line.strip())
            for _, game in groupby(enumerate(read), lambda one: one[1][1].get("match", f"line {one[0]}")):
                group = [one for _, one in game]
                if len(rows) + len(group) > MOST_GAMES:
                    return GameList(_with_twins(rows, deals), games, more=True)
                record = b"".join(line.rstrip() + b"\n" for line, _ in group).decode()
                key = sha256(f"{secret} {record}".encode()).hexdigest()[:18]
                games[key] = record, group[0][1].get("seat")
                for _, deal in group:
                    rows.append(_row(key, deal))
                    cards = json.dumps([deal.get(name) for name in ("rules", "deal_number", "direction", "hands")])
                    deals.setdefault(cards, []).append(rows[-1])
        return GameList(_with_twins(rows, deals), games, more=False)


def _row(key: str, deal: Data) -> Data:
    margin = deal.get("margin")
    if margin is not None and not (isinstance(margin, int | float) and isfinite(margin)):
        raise ValueError(f"margin={margin!r} is no number")
    players = deal.get("players") or [f"seat {seat}" for seat in range(len(deal["hands"]))]
    known = {name: deal.get(name) for name in ("seat", "points", "shooter")}
    return {"key": key, "number": deal.get("deal_number", 0), "players": players, "margin": margin} | known


def _with_twins(rows: list[Data], deals: Mapping[str, list[Data]]) -> list[Data]:
    places = {id(row): place for place, row in enumerate(rows)}
    for number, same in enumerate(deals.values(), 1):
        for row in same:
            others = [one for one in same if _differ(one, row, row["seat"] or 0)]
            twin = max(others, key=lambda one: sum(map(str.__ne__, one["players"], row["players"])), default=None)
            row |= {"deal": number, "twin": None if twin is None else places[id(twin)]}
    return rows


def _differ(one: Data, other: Data, seat: int) -> bool:
    return bool(one["players"][seat : seat + 1] != other["players"][seat : seat + 1])


def lost(file: Path, studies: Mapping[str, int]) -> dict[str, dict[int, float]]:
    """Of studies in a server's file, by key: deal -> points that the decisions of a seat cost by the first adviser."""
    found: dict[str, dict[int, float]] = {}
    for key, seat in studies.items():
        try:
            _, studied, advisers, values = kept_study(file, key)
        except ValueError:  # its rules are not known here
            continue
        for agent, at, choices in values:
            one = studied.decisions[at]
            if agent in advisers[:1] and one["seat"] == seat and "cost" in choices[0]:
                deals = found.setdefault(key, {})
                deals[one["deal"]] = deals.get(one["deal"], 0.0) + chosen(one, choices)["cost"]
    return found


# --- runs -----------------------------------------------------------------------------------------


def run_of(folder: Path) -> Data:
    """A training run as it stands: its game, its learning curve, and the networks that can play.

    Raises ValueError, in one line, for files that are damaged.
    """
    states, result = sorted(folder.glob(STATE)), folder / RESULT
    file = states[-1] if states else result
    try:
        state = json.loads(file.read_bytes())
        over = result.is_file() and result.stat().st_mtime_ns >= file.stat().st_mtime_ns  # else it was resumed
        curve = [{name: point[name] for name in FIGURES} for point in state["curve"]]
        found = {"variant": str(state.get("rules") or state["variant"]), "curve": curve}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise ValueError(f"{file} cannot be read, or is no file of hearts train") from None
    numbers = sorted(int(one.parent.name) for one in folder.glob(POLICIES) if one.parent.name.isdecimal())
    agents = {str(number): network_spec(folder / "checkpoints" / str(number)) for number in numbers}
    return found | {"over": over, "agents": agents | {"now": network_spec(folder)}}


# --- both -----------------------------------------------------------------------------------------


@dataclass
class Shown:
    """The folder of a server.

    Attributes:
        page: the page that shows it; empty without a folder.
        folder: the folder.
        secret: what keys of games follow from, beside their cards.
        players: does the work.
        studies: the studies of games.
        database: the server's file.
    """

    page: str
    folder: Path
    secret: str
    players: Players
    studies: Studies
    database: Database
    _read: tuple[object, GameList] | None = None

    async def games(self) -> Data:
        """The games, with what their mistakes cost where a study has found it. Raises ValueError or OSError."""
        listed = await self._listed()
        studied = {key: listed.games[key][1] or 0 for key in self.database.valued() if key in listed.games}
        costs = await self.players.work(partial(lost, self.database.file, studied)) if studied else {}
        rows = [row | {"cost": costs.get(row["key"], {}).get(row["number"] + 1)} for row in listed.rows]
        return {"folder": self.folder.name, "rows": rows, "more": listed.more}

    async def _listed(self) -> GameList:
        if self.page != "records":
            raise ValueError("the server was started without a folder of games")
        file = self.folder / FILE
        there = file.stat()
        version = there.st_mtime_ns, there.st_size
        if self._read is None or self._read[0] != version:
            self._read = version, await asyncio.to_thread(GameList.read, file, self.secret)
        return self._read[1]

    async def study(self, message: OpenGame) -> str:
        """The key of the study of a game, which is the same each time. Raises ValueError or OSError."""
        games = (await self._listed()).games
        if message.key not in games:
            raise ValueError("there is no such game; open the list again")
        record, seat = games[message.key]
        try:
            await self.studies.find(message.key)
        except KeyError:
            await self.studies.open(message.key, NewStudy(record=record, seat=seat))
        return message.key

    async def run(self) -> Data:
        """The training run as it stands. Raises ValueError, in one line."""
        if self.page != "run":
            raise ValueError("the server was started without the folder of a run")
        return await asyncio.to_thread(run_of, self.folder) | {"folder": self.folder.name}
