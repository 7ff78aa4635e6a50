"""Tables, results and ratings in a SQLite file, written as they are played.

Every action is committed before it is shown, so a server that is killed at any moment goes on where it stood. The
file is in WAL mode: readers do not wait for writers, and a commit survives the death of the process.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from time import time
from typing import Any

import numpy as np

from hearts_agents.arena.tables import costs_of, margins_of, units_of
from hearts_env.play.match import Match

SCHEMA = """
CREATE TABLE IF NOT EXISTS tables (
    key TEXT PRIMARY KEY, rules TEXT NOT NULL, start TEXT NOT NULL, chairs TEXT NOT NULL, pace REAL NOT NULL,
    began REAL NOT NULL, ended REAL
) STRICT;
CREATE TABLE IF NOT EXISTS actions (
    key TEXT NOT NULL REFERENCES tables, place INTEGER NOT NULL, seat INTEGER NOT NULL, action TEXT NOT NULL,
    time REAL NOT NULL, PRIMARY KEY (key, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS results (
    key TEXT NOT NULL REFERENCES tables, seat INTEGER NOT NULL, name TEXT NOT NULL, person INTEGER NOT NULL,
    variant TEXT NOT NULL, deals INTEGER NOT NULL, margin REAL NOT NULL, place INTEGER NOT NULL, others TEXT NOT NULL,
    PRIMARY KEY (key, seat)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ratings (
    name TEXT NOT NULL, variant TEXT NOT NULL, mu REAL NOT NULL, sigma REAL NOT NULL, matches INTEGER NOT NULL,
    PRIMARY KEY (name, variant)
) STRICT, WITHOUT ROWID;
PRAGMA user_version = 1;
"""


@dataclass(frozen=True)
class Chair:
    """Who sits on a chair.

    Attributes:
        agent: the spec of the agent; None for a person.
        name: what the table calls them.
        token: opens the seat to a person.
    """

    agent: str | None
    name: str
    token: str = ""


@dataclass(frozen=True)
class Kept:
    """A table as it was opened: its first position as a record, its chairs, and the pace of its agents."""

    start: str
    chairs: list[Chair]
    pace: float


class Database:
    """The file of a server. Raises ValueError, in one line, if it is no such file."""

    def __init__(self, file: Path) -> None:
        """Open the file, or make it."""
        self.file = file
        try:
            self._db = sqlite3.connect(file, isolation_level=None)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            if version > 1:
                raise ValueError(f"{file} was written by a later version of the suite")
            self._db.executescript(SCHEMA)
        except sqlite3.Error as error:
            raise ValueError(f"{file} cannot hold the tables: {error}") from None

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    # --- tables -----------------------------------------------------------------------------------

    def add_table(self, start: Match, chairs: list[Chair], pace: float) -> str:
        """Keep a new table; returns its key."""
        key = secrets.token_urlsafe(6)
        row = (key, str(start.rules), start.record(), json.dumps([asdict(chair) for chair in chairs]), pace, time())
        self._db.execute("INSERT INTO tables (key, rules, start, chairs, pace, began) VALUES (?, ?, ?, ?, ?, ?)", row)
        return key

    def table(self, key: str) -> Kept:
        """A table that was kept. Raises KeyError if there is none."""
        row = self._db.execute("SELECT start, chairs, pace FROM tables WHERE key = ?", (key,)).fetchone()
        if row is None:
            raise KeyError(key)
        return Kept(row[0], [Chair(**chair) for chair in json.loads(row[1])], row[2])

    def set_pace(self, key: str, pace: float) -> None:
        """Keep the pace of a table."""
        self._db.execute("UPDATE tables SET pace = ? WHERE key = ?", (pace, key))

    def listing(self, most: int = 12) -> list[dict[str, Any]]:
        """The last tables, the newest first: key, rules, names, links of the persons' seats, and whether it is over."""
        query = "SELECT key, rules, chairs, began, ended FROM tables ORDER BY began DESC LIMIT ?"
        found = []
        for key, rules, chairs, began, ended in self._db.execute(query, (most,)):
            sitting = [Chair(**chair) for chair in json.loads(chairs)]
            tokens = [chair.token if chair.agent is None else None for chair in sitting]
            names = [chair.name for chair in sitting]
            found.append(
                {
                    "key": key,
                    "rules": rules,
                    "names": names,
                    "tokens": tokens,
                    "began": began,
                    "over": ended is not None,
                }
            )
        return found

    # --- actions ----------------------------------------------------------------------------------

    def actions(self, key: str) -> list[str]:
        """The actions taken at a table, in order."""
        query = "SELECT action FROM actions WHERE key = ? ORDER BY place"
        return [action for (action,) in self._db.execute(query, (key,))]

    def add_action(self, key: str, place: int, seat: int, action: str) -> None:
        """Keep an action."""
        self._db.execute("INSERT INTO actions VALUES (?, ?, ?, ?, ?)", (key, place, seat, action, time()))

    def cut_actions(self, key: str, count: int) -> None:
        """Keep only the first actions of a table."""
        self._db.execute("DELETE FROM actions WHERE key = ? AND place >= ?", (key, count))

    # --- results ----------------------------------------------------------------------------------

    def finish(self, key: str, match: Match, chairs: list[Chair]) -> None:
        """Keep the results of a finished match, and rate those who played it, all or nothing; only the first time."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            ending = self._db.execute("UPDATE tables SET ended = ? WHERE key = ? AND ended IS NULL", (time(), key))
            if ending.rowcount:
                self._count(key, match, chairs)
            self._db.execute("COMMIT")
        except BaseException:
            self._db.execute("ROLLBACK")
            raise

    def _count(self, key: str, match: Match, chairs: list[Chair]) -> None:
        variant, deals = match.rules.variant.name, len(match.deal_points)
        for seat, (chair, margin) in enumerate(zip(chairs, margins(match), strict=True)):
            others = json.dumps(sorted(other.name for place, other in enumerate(chairs) if place != seat))
            row = (key, seat, chair.name, chair.agent is None, variant, deals, margin, match.ranking[seat])
            self._db.execute("INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (*row, others))
        self._rate(variant, chairs, match)

    def _rate(self, variant: str, chairs: list[Chair], match: Match) -> None:
        """Move the ratings by one match: Plackett-Luce (Weng and Lin 2011), a team for every team of the game."""
        from openskill.models import PlackettLuce

        model = PlackettLuce()
        before = {chair.name: self._rating(chair.name, variant) for chair in chairs}
        teams: dict[int, list[int]] = {}
        for seat in range(match.game.seats):
            teams.setdefault(match.game.teams[seat], []).append(seat)
        rated = [[model.rating(*before[chairs[seat].name][:2]) for seat in team] for team in teams.values()]
        ranks = [float(min(match.ranking[seat] for seat in team)) for team in teams.values()]
        moved: dict[str, list[Any]] = {}
        for team, ratings in zip(teams.values(), model.rate(rated, ranks=ranks), strict=True):
            for seat, rating in zip(team, ratings, strict=True):
                moved.setdefault(chairs[seat].name, []).append(rating)
        for name, ratings in moved.items():  # somebody on several chairs moves by their mean
            mu, sigma = (sum(getattr(rating, part) for rating in ratings) / len(ratings) for part in ("mu", "sigma"))
            row = (name, variant, mu, sigma, before[name][2] + 1)
            self._db.execute("INSERT OR REPLACE INTO ratings VALUES (?, ?, ?, ?, ?)", row)

    def _rating(self, name: str, variant: str) -> tuple[float, float, int]:
        query = "SELECT mu, sigma, matches FROM ratings WHERE name = ? AND variant = ?"
        row = self._db.execute(query, (name, variant)).fetchone()
        return row or (25.0, 25.0 / 3.0, 0)

    def summary(self) -> dict[str, Any]:
        """Results of the persons by variant and opponents, and the ratings of everybody, the best first."""
        results = self._rows(
            "SELECT name, variant, others, COUNT(*) AS matches, SUM(deals) AS deals, "
            "SUM(margin * deals) / SUM(deals) AS margin, SUM(place = 1) AS won "
            "FROM results WHERE person GROUP BY name, variant, others ORDER BY name, variant, matches DESC"
        )
        ratings = self._rows("SELECT *, mu - 3 * sigma AS ordinal FROM ratings ORDER BY variant, ordinal DESC")
        return {"results": list(results), "ratings": list(ratings)}

    def rows(self) -> Iterator[dict[str, Any]]:
        """Every action of the finished tables, with its table: the rows of an export."""
        yield from self._rows(
            "SELECT key, rules, place, seat, action, time FROM actions JOIN tables USING (key) "
            "WHERE ended IS NOT NULL ORDER BY key, place"
        )

    def _rows(self, query: str) -> Iterable[dict[str, Any]]:
        found = self._db.execute(query)
        names = [column[0] for column in found.description]
        return (dict(zip(names, row, strict=True)) for row in found)


def margins(match: Match) -> list[float]:
    """Points of each seat minus the mean of its opponents, per deal, as the arena counts them: lower is better.

    Where the highest total wins, the sign is reversed; see `hearts_agents.arena.tables.costs_of`.

    >>> import hearts_env as he
    >>> match = he.Match("gong_zhu(max_deals=1)", seed=7)
    >>> while not match.over:
    ...     match.play(match.legal()[0])
    >>> match.deal_points[0], [round(margin) for margin in margins(match)]
    ([100, -580, -10, 0], [-297, 610, -150, -163])
    """
    points = np.array([[(int(one.real), int(one.imag)) for one in deal] for deal in match.deal_points], np.int64)
    found = margins_of(match.game, costs_of(match.game, points)).mean(0) / units_of(match.game)["margin"]
    return [float(margin) for margin in found]
