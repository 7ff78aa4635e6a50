"""The folder that a server shows: the list of its games, each of which can be studied, or a run."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from hearts_agents.arena.kept import FILE
from hearts_training.web.database import Database
from hearts_training.web.folders import GameList, lost, run_of
from hearts_training.web.messages import NewStudy, OpenGame
from hearts_training.web.players import Players
from hearts_training.web.seen import Data
from hearts_training.web.study import Studies


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
