"""Tables, results and ratings in a SQLite file, written as they are played.

Every action is committed before it is shown, so a server that is killed at any moment goes on where it stood. The
file is in WAL mode: readers do not wait for writers, and a commit survives the death of the process.
"""

from __future__ import annotations

import json
import re
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from time import time
from typing import Any

import numpy as np
from pydantic import TypeAdapter, ValidationError

from hearts_agents.arena.tables import costs_of, margins_of, units_of
from hearts_env.table.match import Match
from hearts_training.web.private import check_own, make_private
from hearts_training.web.schema import SCHEMA, check_ours, check_tables

DAMAGED = "this table is damaged in the file"
KEY = re.compile(r"[A-Za-z0-9_-]{16}")
"""What `secrets.token_urlsafe(12)` returns."""


@dataclass(frozen=True)
class Chair:
    """The occupant of a chair.

    Attributes:
        agent: the spec of the agent; None for a person.
        name: what the table calls them; empty for a person who has not given a name.
        token: opens the seat to a person.
        stand_in: the agent that plays for a person who has left; None while they play themselves.
    """

    agent: str | None
    name: str
    token: str = ""
    stand_in: str | None = None


CHAIRS = TypeAdapter(list[Chair])


@dataclass(frozen=True)
class Kept:
    """A table: its first position as a record, its chairs, the pace of its agents, whether it gives hints, and its
    rules as text.
    """

    start: str
    chairs: list[Chair]
    pace: float
    hints: bool
    rules: str


class FileError(ValueError):
    """A file that cannot be written, as on a full disk, or read: what was to be written is not in it."""


class DamageError(ValueError):
    """A table that is damaged in the file."""


class Database:
    """The file of a server. Raises ValueError, in one line, if it is no such file."""

    def __init__(self, file: Path) -> None:
        """Open the file, or make it. One that is refused stays as it is."""
        self.file = file
        check_own(file)
        try:
            check_ours(file)
            make_private(file)
            self._db = sqlite3.connect(file, isolation_level=None)
            check_tables(file, self._db)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.executescript(SCHEMA)
        except (sqlite3.Error, OSError) as error:
            raise ValueError(f"{file} cannot hold the tables: {error}") from None

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def key(self, new: bool = False) -> str:
        """The key of the server: the one that the file keeps, so that links outlive the server, or a `new` one.

        One that is no key, such as an empty text, is replaced.
        """
        how = "REPLACE" if new else "IGNORE"
        self._write(f"INSERT OR {how} INTO settings VALUES ('key', ?)", secrets.token_urlsafe(12))
        key = str(self._found("SELECT value FROM settings WHERE name = 'key'")[0][0])
        return key if KEY.fullmatch(key) else self.key(new=True)

    # --- tables -----------------------------------------------------------------------------------

    def add_table(
        self, start: Match, chairs: list[Chair], pace: float, hints: bool = True, known: bool = False, record: str = ""
    ) -> str:
        """Keep a new table; returns its key. `record` is that of the start, if it is written already.

        A table that begins in the middle of a match, or with cards that somebody may know, `known`, is not rated.
        """
        key = secrets.token_urlsafe(6)
        helped = known or any(deal.actions for deal in start.log)
        row = (key, str(start.rules), record or start.record(), _chairs_text(chairs), pace, time(), hints, helped)
        columns = "key, rules, start, chairs, pace, began, hints, helped"
        self._write(f"INSERT INTO tables ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", *row)
        return key

    def table(self, key: str) -> Kept:
        """A table that was kept. Raises KeyError if there is none, and DamageError if its chairs cannot be read."""
        row = self._one("SELECT start, chairs, pace, hints, rules FROM tables WHERE key = ?", key)
        try:
            chairs = CHAIRS.validate_json(row[1])
        except ValidationError:
            raise DamageError(DAMAGED) from None
        return Kept(row[0], chairs, row[2], bool(row[3]), row[4])

    def set_chairs(self, key: str, chairs: list[Chair]) -> None:
        """Keep who sits at a table."""
        self._write("UPDATE tables SET chairs = ? WHERE key = ?", _chairs_text(chairs), key)

    def set_helped(self, key: str) -> None:
        """Keep that somebody at a table was helped, so that the match is not rated."""
        self._write("UPDATE tables SET helped = 1 WHERE key = ?", key)

    def hold(self, browser: str, key: str, token: str) -> None:
        """Keep that a browser has opened a place at a table."""
        self._write("INSERT OR IGNORE INTO holders VALUES (?, ?, ?)", browser, key, token)

    def held(self, key: str) -> dict[str, set[str]]:
        """The places at a table that were opened, by their tokens: token -> browsers."""
        found: dict[str, set[str]] = {}
        for browser, token in self._found("SELECT browser, token FROM holders WHERE key = ?", key):
            found.setdefault(token, set()).add(browser)
        return found

    def set_pace(self, key: str, pace: float) -> None:
        """Keep the pace of a table."""
        self._write("UPDATE tables SET pace = ? WHERE key = ?", pace, key)

    def listing(self, browser: str) -> list[dict[str, Any]]:
        """The last places that a browser has opened, the newest table first, with their links."""
        return self._rows(
            "SELECT key, rules, began, ended IS NOT NULL AS over, '/table/' || key || '/' || token AS link "
            "FROM holders JOIN tables USING (key) WHERE browser = ? ORDER BY began DESC LIMIT 12",
            browser,
        )

    # --- studies ----------------------------------------------------------------------------------

    def add_study(self, key: str, message: str) -> None:
        """Keep a record under study."""
        self._write("INSERT INTO studies (key, message) VALUES (?, ?)", key, message)

    def study(self, key: str) -> tuple[str, list[str], list[tuple[str, int, Any]]]:
        """A study that was kept: its message, its advisers, and their values: agent, place, choices.

        Raises KeyError if there is none.
        """
        row = self._one("SELECT message, agent FROM studies WHERE key = ?", key)
        found = self._found("SELECT agent, place, choices FROM opinions WHERE key = ? ORDER BY place", key)
        advisers = row[1].split("\n") if row[1] else []
        return row[0], advisers, [(agent, place, json.loads(choices)) for agent, place, choices in found]

    def valued(self) -> list[str]:
        """The studies that hold values."""
        return [key for (key,) in self._found("SELECT DISTINCT key FROM opinions")]

    def set_advisers(self, key: str, advisers: list[str]) -> None:
        """Keep which agents value the decisions of a study."""
        self._write("UPDATE studies SET agent = ? WHERE key = ?", "\n".join(advisers), key)

    def add_value(self, key: str, agent: str, place: int, choices: Any) -> None:
        """Keep an agent's values of a decision."""
        self._write("INSERT OR REPLACE INTO opinions VALUES (?, ?, ?, ?)", key, agent, place, json.dumps(choices))

    def notes(self, key: str) -> list[dict[str, Any]]:
        """The lines and comments of a study."""
        query = "SELECT place AS at, actions, agent, text FROM remarks WHERE key = ? ORDER BY place, actions"
        return [row | {"actions": row["actions"].split()} for row in self._rows(query, key)]

    def set_note(self, key: str, place: int, actions: list[str], agent: str, text: str | None) -> None:
        """Keep a comment on a line, or remove it."""
        line = " ".join(actions)
        self._write("DELETE FROM remarks WHERE key = ? AND place = ? AND actions = ?", key, place, line)
        if text is not None:
            self._write("INSERT INTO remarks VALUES (?, ?, ?, ?, ?)", key, place, line, agent, text)

    # --- actions ----------------------------------------------------------------------------------

    def actions(self, key: str) -> list[str]:
        """The actions taken at a table, in order, up to the first that is missing."""
        query = "SELECT place, action FROM actions WHERE key = ? AND place >= 0 ORDER BY place"
        return [action for at, (place, action) in enumerate(self._found(query, key)) if place == at]

    def place_after(self, key: str, count: int) -> int | None:
        """The place of the next action that is kept after the first `count` places; None if there is none."""
        query = "SELECT MIN(place) FROM actions WHERE key = ? AND place >= ?"
        place: int | None = self._found(query, key, count)[0][0]
        return place

    def set_aside(self, key: str, count: int) -> None:
        """Move all but the first actions of a damaged table out of the way, and do not rate the match."""
        with self._at_once():
            self._write("INSERT INTO lost SELECT * FROM actions WHERE key = ? AND place >= ?", key, count)
            self.cut_actions(key, count)
            self.set_helped(key)

    def add_action(self, key: str, place: int, seat: int, action: str) -> None:
        """Keep an action."""
        self._write("INSERT INTO actions VALUES (?, ?, ?, ?, ?)", key, place, seat, action, time())

    def cut_actions(self, key: str, count: int) -> None:
        """Keep only the first actions of a table."""
        self._write("DELETE FROM actions WHERE key = ? AND place >= ?", key, count)

    # --- results ----------------------------------------------------------------------------------

    def finish(self, key: str, match: Match, chairs: list[Chair]) -> None:
        """Keep the results of a finished match, and rate those who played it, all or nothing; only the first time."""
        with self._at_once():
            if self._write("UPDATE tables SET ended = ? WHERE key = ? AND ended IS NULL", time(), key):
                self._count(key, match, chairs)

    def _count(self, key: str, match: Match, chairs: list[Chair]) -> None:
        variant, deals = match.rules.variant.name, len(match.deal_points)
        for seat, (chair, margin) in enumerate(zip(chairs, margins(match), strict=True)):
            others = json.dumps(sorted(other.name for place, other in enumerate(chairs) if place != seat))
            row = (key, seat, chair.name, chair.agent is None, variant, deals, margin, match.ranking[seat])
            self._write("INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", *row, others)
        helped = self._one("SELECT helped FROM tables WHERE key = ?", key)[0]
        if not helped and all(chair.name and chair.stand_in is None for chair in chairs):
            self._rate(variant, chairs, match)

    def _rate(self, variant: str, chairs: list[Chair], match: Match) -> None:
        """Move the ratings by one match: Plackett-Luce (Weng and Lin 2011), a team for every team of the game."""
        from openskill.models import PlackettLuce

        model = PlackettLuce()
        who = [(chair.name, chair.agent is None) for chair in chairs]
        before = {one: self._rating(*one, variant) for one in who}
        teams: dict[int, list[int]] = {}
        for seat in range(match.game.seats):
            teams.setdefault(match.game.teams[seat], []).append(seat)
        rated = [[model.rating(*before[who[seat]][:2]) for seat in team] for team in teams.values()]
        ranks = [float(min(match.ranking[seat] for seat in team)) for team in teams.values()]
        moved: dict[tuple[str, bool], list[Any]] = {}
        for team, ratings in zip(teams.values(), model.rate(rated, ranks=ranks), strict=True):
            for seat, rating in zip(team, ratings, strict=True):
                moved.setdefault(who[seat], []).append(rating)
        for one, ratings in moved.items():  # somebody on several chairs moves by their mean
            mu, sigma = (sum(getattr(rating, part) for rating in ratings) / len(ratings) for part in ("mu", "sigma"))
            row = (*one, variant, mu, sigma, before[one][2] + 1)
            self._write("INSERT OR REPLACE INTO ratings VALUES (?, ?, ?, ?, ?, ?)", *row)

    def _rating(self, name: str, person: bool, variant: str) -> tuple[float, float, int]:
        query = "SELECT mu, sigma, matches FROM ratings WHERE name = ? AND person = ? AND variant = ?"
        found: list[tuple[float, float, int]] = self._found(query, name, person, variant)
        return found[0] if found else (25.0, 25.0 / 3.0, 0)

    def summary(self) -> dict[str, Any]:
        """Results of the persons by variant and opponents, and the ratings of everybody, the best first."""
        results = self._rows(
            "SELECT name, variant, others, COUNT(*) AS matches, SUM(deals) AS deals, "
            "SUM(margin * deals) / SUM(deals) AS margin, SUM(place = 1) AS won "
            "FROM results WHERE person AND name <> '' "
            "GROUP BY name, variant, others ORDER BY name, variant, matches DESC"
        )
        ratings = self._rows("SELECT *, mu - 3 * sigma AS ordinal FROM ratings ORDER BY variant, ordinal DESC")
        return {"results": results, "ratings": ratings}

    def rows(self) -> list[dict[str, Any]]:
        """Every action of the finished tables, with its table: the rows of an export."""
        return self._rows(
            "SELECT key, rules, place, seat, action, time FROM actions JOIN tables USING (key) "
            "WHERE ended IS NOT NULL ORDER BY key, place"
        )

    @contextmanager
    def _at_once(self) -> Iterator[None]:
        """Keep all that is written meanwhile, or nothing."""
        self._write("BEGIN IMMEDIATE")
        try:
            yield
            self._write("COMMIT")
        except BaseException:
            if self._db.in_transaction:  # SQLite may have ended it, as on a full disk
                self._write("ROLLBACK")
            raise

    def _write(self, statement: str, *values: Any) -> int:
        """Write; the number of rows that it concerned. Raises FileError if nothing could be written."""
        with self._in_one_line("written"):
            return self._db.execute(statement, values).rowcount

    def _found(self, query: str, *values: Any) -> list[Any]:
        with self._in_one_line("read"):
            return self._db.execute(query, values).fetchall()

    def _one(self, query: str, key: str) -> Any:
        for row in self._found(query, key):
            return row
        raise KeyError(key)

    def _rows(self, query: str, *values: Any) -> list[dict[str, Any]]:
        with self._in_one_line("read"):
            found = self._db.execute(query, values)
            names = [column[0] for column in found.description]
            return [dict(zip(names, row, strict=True)) for row in found]

    @contextmanager
    def _in_one_line(self, done: str) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise FileError(f"{self.file} cannot be {done}: {error}") from None


def _chairs_text(chairs: list[Chair]) -> str:
    return json.dumps([asdict(chair) for chair in chairs])


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
