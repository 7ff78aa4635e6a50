"""The tables of a server: those that pages see, in memory, and those that rest in the database."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from hashlib import sha256

from hearts_env.ruleset.model import Rules
from hearts_env.table.match import Match
from hearts_env.variants.registry import rules as read_rules
from hearts_training.web.database import DAMAGED, Chair, DamageError, Database, Kept
from hearts_training.web.guest import Guest
from hearts_training.web.players import Players
from hearts_training.web.records import kept_walk, progress_of
from hearts_training.web.seen import Data
from hearts_training.web.table import WebTable
from hearts_training.web.words import PLAYER


def chair_of(text: str) -> Chair:
    """The chair that a text describes: ``person``, ``person NAME`` or an agent's spec.

    >>> chair_of("person Ann").name, chair_of("rule").agent
    ('Ann', 'rule')
    """
    word, _, name = text.strip().partition(" ")
    if word == "person":
        return Chair(None, name.strip()[:40])
    return Chair(text.strip(), text.strip())


def invitation(chairs: Iterable[Chair]) -> str:
    """The token of the link that gives the next free seat, which follows from the tokens of the persons' seats."""
    return sha256("".join(chair.token for chair in chairs if chair.agent is None).encode()).hexdigest()[:20]


class Tables:
    """The tables of a server: those in memory, and those that the database keeps."""

    def __init__(self, database: Database, players: Players) -> None:
        self._database, self._players = database, players
        self._tables: dict[str, WebTable] = {}

    async def open(
        self, start: Match, seats: list[str], pace: float, hints: bool = True, *, known: bool = False, record: str = ""
    ) -> tuple[str, list[Chair]]:
        """Set a new table; returns its key and its chairs. It is played while a page is connected.

        `known` and `record` as in `Database.add_table`.

        Raises:
            ValueError: a wrong number of seats, or an agent that cannot be made or does not play this game.
        """
        chairs = [chair_of(seat) for seat in seats]
        if len(chairs) != start.game.seats:
            raise ValueError(f"{start.rules} has {start.game.seats} seats, and {len(chairs)} are filled")
        await self._try_out({chair.agent: None for chair in chairs if chair.agent is not None}, start)
        chairs = [Chair(chair.agent, chair.name, secrets.token_urlsafe(9)) for chair in chairs]
        return self._database.add_table(start, chairs, pace, hints, known=known, record=record), chairs

    async def _try_out(self, specs: Iterable[str], start: Match) -> None:
        """Raise ValueError, in one line, for an agent that cannot be made or does not play this game."""
        trial, deal = f"trial {secrets.token_urlsafe(6)}", Match(start.rules)  # not the table's cards
        try:
            for spec in specs:
                await self._players.check(spec)
                if deal.seat is not None:
                    await self._players.act(spec, deal.view(deal.seat), (trial, spec), deal.seed)
        finally:
            self._players.leave(trial)

    async def listing(self, browser: str) -> list[Data]:
        """The last tables of a browser, the newest first, each with its link, its game, its deal and its totals.

        A table that this version cannot replay is left out.
        """
        found = []
        for table in self._database.listing(browser):
            with suppress(ValueError):
                kept, actions = self._database.table(table["key"]), tuple(self._database.actions(table["key"]))
                rules = read_rules(table["rules"])
                _check_chairs(kept, rules)
                names = [
                    self._players.name_of(chair.agent, rules) if chair.agent else chair.name or PLAYER
                    for chair in kept.chairs
                ]
                found.append(
                    table | {"names": names} | await self._players.work(partial(progress_of, kept.start, actions))
                )
        return found

    def seat_for(self, browser: str, key: str, token: str) -> str:
        """The token of the seat that an invitation gives a browser: the one it has opened, or the next free one.

        Raises KeyError for a wrong key or token, and ValueError if no seat is free.
        """
        chairs = self._database.table(key).chairs
        if not secrets.compare_digest(invitation(chairs).encode(), token.encode()):
            raise KeyError(key)
        held = self._database.held(key)
        seats = [chair.token for chair in chairs if chair.agent is None]
        seats = [seat for seat in seats if browser in held.get(seat, ())] or [one for one in seats if one not in held]
        if not seats:
            raise ValueError("every seat of this table is taken")
        self._database.hold(browser, key, seats[0])
        return seats[0]

    async def find(self, key: str, token: str) -> tuple[WebTable, int | None]:
        """A table and the seat that a token opens, None for watching.

        Raises KeyError for a wrong key or token, and ValueError for a table that cannot be replayed.
        """
        table = self._tables.get(key) or await self._load(key)
        for seat, chair in enumerate(table.chairs):
            if chair.agent is None and secrets.compare_digest(chair.token.encode(), token.encode()):
                return table, seat
        if table.is_open and token == "watch":
            return table, None
        raise KeyError(key)

    async def _load(self, key: str) -> WebTable:
        """A table as the database has it; meanwhile another page may have found it, and played on."""
        while True:
            kept, actions = self._database.table(key), self._database.actions(key)
            walk = await self._players.work(partial(kept_walk, kept.rules, kept.start, actions))
            if key in self._tables:
                return self._tables[key]
            if actions == self._database.actions(key):
                kept = self._database.table(key)
                _check_chairs(kept, walk.match.rules)
                return WebTable(key, walk, kept.chairs, kept.pace, self._database, self._players, kept.hints)

    def join(self, table: WebTable, guest: Guest) -> None:
        """Connect a page to a table."""
        self._tables[table.key] = table
        table.join(guest)

    def leave(self, table: WebTable, guest: Guest) -> None:
        """Disconnect a page. A table that nobody sees any more rests in the database."""
        table.leave(guest)
        if not table.guests:
            table.close()
            self._tables.pop(table.key, None)

    def close(self) -> None:
        """Stop all agents; the database keeps every table as it stands."""
        for table in self._tables.values():
            with suppress(Exception):
                table.close()


def _check_chairs(kept: Kept, rules: Rules) -> None:
    if len(kept.chairs) != rules.players:
        raise DamageError(DAMAGED)
