"""The server: pages, requests and sockets."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager, suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

import hearts_env as he
from hearts_agents.registry import AGENTS, load_plugins
from hearts_agents.weights import shipped
from hearts_env.checks import whole
from hearts_env.explain.page import rules_page
from hearts_env.render.svg import render_match_svg
from hearts_env.table.match import Match
from hearts_env.variants.registry import rules as read_rules
from hearts_training.folders import hold
from hearts_training.web.advice import advise
from hearts_training.web.controls import CONTROLS
from hearts_training.web.database import DamageError, Database, FileError
from hearts_training.web.folders import Shown, page_of
from hearts_training.web.gate import Gate
from hearts_training.web.guest import Guest
from hearts_training.web.levels import SEARCH, games, known_games, levels, plain_name
from hearts_training.web.messages import (
    MOST_BYTES,
    AskAdvice,
    AtStudy,
    AtTable,
    CheckAgent,
    CheckRules,
    JoinTable,
    NewStudy,
    NewTable,
    OpenGame,
    one_line,
)
from hearts_training.web.options import ServerOptions
from hearts_training.web.players import Players
from hearts_training.web.private import check_own
from hearts_training.web.records import LongError, parquet_of, start_of
from hearts_training.web.sockets import both, receive, send
from hearts_training.web.study import Studies
from hearts_training.web.tables import Tables, invitation
from hearts_training.web.verdict import table_of
from hearts_training.web.words import places

IN_USE = "another server; wait until it has ended, or name another --file"
STATIC = Path(__file__).parent / "static"

PAGES = (
    *("/", "/table/{key}/{token}", "/join/{key}/{token}", "/study", "/study/{key}", "/results", "/advise", "/records"),
    *("/game/{key}", "/pair/{key}/{token}", "/run"),
)
"""Addresses of pages: all are the same file, which reads its own address."""

_Body = TypeVar("_Body", bound=BaseModel)
_Answer = Callable[[Request], Awaitable[Response]]
_Found = TypeVar("_Found")


class Server:
    """The tables, studies and routes of one server."""

    def __init__(self, options: ServerOptions) -> None:
        """Lock the file and open it. Raises ValueError, in one line, if it is in use or no database; see `page_of`."""
        self.options, page = options, page_of(options.folder, options.is_local)
        check_own(options.file)  # the lock is made beside it
        with ExitStack() as stack:
            stack.enter_context(hold(options.file, IN_USE, private=True))
            self.database = Database(options.file)
            stack.callback(self.database.close)
            self.key = self.database.key(options.new_key)
            self._open = stack.pop_all()
        self.players = Players(options.processes, options.programs, folders=options.is_local)
        self.tables, self.studies = Tables(self.database, self.players), Studies(self.players, self.database)
        self.shown = Shown(page, options.folder or Path(), self.key, self.players, self.studies, self.database)

    def until_end(self, context: AbstractContextManager[object]) -> None:
        """Enter a context, which is left when the server ends."""
        self._open.enter_context(context)

    def app(self) -> ASGIApp:
        """The ASGI application."""
        answers: dict[Any, Any] = {404: _lost, MissingError: _missing, FileError: _failed}
        pages = Starlette(routes=self._routes(), lifespan=self._lifespan, exception_handlers=answers)
        return Gate(pages, self.options, self.key)

    @property
    def link(self) -> str:
        """The link of the first page, or of that which shows the folder, with the key."""
        return f"http://{self.options.name}:{self.options.port}{self._link(f'/{self.shown.page}')}"

    def _routes(self) -> list[BaseRoute]:
        return [
            *(Route(path, _index) for path in PAGES),
            Route("/api/menu", self._menu),
            Route("/api/ready", self._ready),
            Route("/api/tables", self._listing),
            Route("/api/results", self._results),
            Route("/api/rules", _answers(CheckRules, self._check_rules), methods=["POST"]),
            Route("/api/advice", _answers(AskAdvice, self._advise), methods=["POST"]),
            Route("/api/agent", _answers(CheckAgent, self._check_agent), methods=["POST"]),
            Route("/api/tables", _answers(NewTable, self._new_table), methods=["POST"]),
            Route("/api/join", partial(_answer, self._join), methods=["POST"]),
            Route("/api/studies", _answers(NewStudy, self._new_study), methods=["POST"]),
            Route("/api/games", partial(_answer, lambda request: self.shown.games())),
            Route("/api/games", _answers(OpenGame, self._open_game), methods=["POST"]),
            Route("/api/run", partial(_answer, lambda request: self.shown.run())),
            Route("/api/table/{key}/{token}/record", self._record),
            Route("/api/study/{key}/values.csv", self._values),
            Route("/api/study/{key}/picture.svg", self._picture),
            Route("/api/export.parquet", self._export),
            WebSocketRoute("/socket/table/{key}/{token}", self._table_socket),
            WebSocketRoute("/socket/study/{key}", self._study_socket),
            Mount("/static", StaticFiles(directory=STATIC)),
        ]

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        self.players.prepare()
        yield
        self.tables.close()
        self.studies.close()
        self.players.close()
        self._open.close()

    # --- pages and requests -----------------------------------------------------------------------

    async def _menu(self, request: Request) -> Response:
        """The choices that a page offers: games, agents, networks."""
        load_plugins()
        agents = [
            {"name": kind.name, "summary": kind.summary}
            for kind in AGENTS.values()
            if self.options.programs or not kind.needs_consent
        ]
        networks = [f"net:{name}" for name in shipped()]
        found = {"games": games(), "known": known_games(), "agents": agents, "networks": networks, "search": SEARCH}
        found["controls"] = [control._asdict() for control in CONTROLS]
        found |= {"local": self.options.is_local, "ready": self.players.is_ready, "shown": self.shown.page}
        return JSONResponse(found)

    async def _ready(self, request: Request) -> Response:
        return JSONResponse({"ready": self.players.is_ready})

    async def _listing(self, request: Request) -> Response:
        found = await self.tables.listing(request.cookies.get(self.options.browser_cookie, ""))
        return JSONResponse([table | {"link": self._link(table["link"])} for table in found])

    async def _results(self, request: Request) -> Response:
        found = self.database.summary()
        for row in (*found["results"], *found["ratings"]):
            row["title"] = he.VARIANTS[row["variant"]].title if row["variant"] in he.VARIANTS else row["variant"]
        for row in found["results"]:
            row["others"] = [_called(name, row["variant"]) for name in json.loads(row["others"])]
        for row in found["ratings"]:
            row["name"] = row["name"] if row["person"] else _called(row["name"], row["variant"])
        return JSONResponse(found)

    async def _open_game(self, message: OpenGame) -> dict[str, Any]:
        return {"study": self._link(f"/study/{await self.shown.study(message)}")}

    async def _check_rules(self, message: CheckRules) -> dict[str, Any]:
        return await asyncio.to_thread(_rules_of, message.rules)

    async def _advise(self, message: AskAdvice) -> dict[str, Any]:
        found: dict[str, Any] = await self.players.work(partial(advise, message.rules, message.seat, message.lines))
        return found

    async def _check_agent(self, message: CheckAgent) -> dict[str, Any]:
        await self.players.check(message.agent)
        return {"agent": message.agent}

    async def _new_table(self, message: NewTable) -> dict[str, Any]:
        await self.players.ready()
        if message.record is not None:
            start, record = await self.players.work(partial(start_of, message.record, message.at))
        else:
            start, record = Match(message.rules, message.seed), ""
        known = message.record is not None or message.seed is not None  # somebody may have seen the cards before
        key, chairs = await self.tables.open(
            start, message.seats, message.pace, message.hints, known=known, record=record
        )
        invite = self._link(f"/join/{key}/{invitation(chairs)}")
        links = [None if chair.agent else self._link(f"/table/{key}/{chair.token}") for chair in chairs]
        found = {"key": key, "links": links, "invite": invite if len([*filter(None, links)]) > 1 else None}
        return found | {"watch": None if any(links) else self._link(f"/table/{key}/watch")}

    async def _join(self, request: Request) -> dict[str, Any]:
        message = JoinTable.model_validate_json(await _body(request))
        browser = request.cookies.get(self.options.browser_cookie, "")
        try:
            seat = self.tables.seat_for(browser, message.key, message.token)
        except KeyError:
            raise ValueError("there is no such table") from None
        return {"link": self._link(f"/table/{message.key}/{seat}")}

    def _link(self, path: str) -> str:
        return f"{path}?key={self.key}"

    async def _new_study(self, message: NewStudy) -> dict[str, Any]:
        key = secrets.token_urlsafe(9)
        study = await self.studies.open(key, message)
        return {"study": self._link(f"/study/{key}"), "actions": len(study.decisions)}

    async def _record(self, request: Request) -> Response:
        """The record of a match: of a finished one, or of one that only agents play."""
        key, token = (request.path_params[name] for name in ("key", "token"))
        table, _ = await _found(self.tables.find(key, token), "table")
        if not table.may_record:
            return PlainTextResponse("the record holds every hand; it is given once the match is over\n", 403)
        if not table.match.over:  # it shows every hand
            self.database.set_helped(table.key)
        name = f'attachment; filename="{table.key}.txt"'
        record = await self.players.work(table.match.clone().record)
        return PlainTextResponse(record, headers={"content-disposition": name})

    async def _values(self, request: Request) -> Response:
        study = await _found(self.studies.find(request.path_params["key"]), "study")
        return Response(table_of(study.decisions, study.values, study.names), media_type="text/csv")

    async def _picture(self, request: Request) -> Response:
        study = await _found(self.studies.find(request.path_params["key"]), "study")
        try:
            position = study.position(whole("at", int(request.query_params.get("at", "0")), 0))
        except ValueError as error:
            return PlainTextResponse(f"{error}\n", 400)
        return Response(render_match_svg(position), media_type="image/svg+xml")

    async def _export(self, request: Request) -> Response:
        found = await self.players.work(partial(parquet_of, self.options.file))
        return Response(found, media_type="application/vnd.apache.parquet")

    # --- sockets ----------------------------------------------------------------------------------

    async def _table_socket(self, page: WebSocket) -> None:
        await page.accept()
        try:
            await self._wait(page)
            found = self.tables.find(page.path_params["key"], page.path_params["token"])
            table, seat = await _found(found, "table")
        except MissingError as error:
            await page.close(4404, str(error))
            return
        guest = Guest(seat)
        if browser := page.cookies.get(self.options.browser_cookie):
            try:
                self.database.hold(browser, table.key, page.path_params["token"])
            except FileError as error:
                guest.refuse(str(error))
        self.tables.join(table, guest)
        try:
            await both(send(page, guest, table), receive(page, AtTable, guest, table))
        finally:
            self.tables.leave(table, guest)

    async def _wait(self, page: WebSocket) -> None:
        """Wait until everything is compiled; the page says so meanwhile."""
        if not self.players.is_ready:
            with suppress(WebSocketDisconnect):  # a page that has left is noticed below
                await page.send_text('{"is":"preparing"}')
            await self.players.ready()

    async def _study_socket(self, page: WebSocket) -> None:
        await page.accept()
        try:
            await self._wait(page)
            study = await _found(self.studies.find(page.path_params["key"]), "study")
        except MissingError as error:
            await page.close(4404, str(error))
            return
        guest = Guest(None)
        study.guests.add(guest)
        guest.answer(study.page())
        try:
            await both(send(page, guest), receive(page, AtStudy, guest, study))
        finally:
            study.guests.discard(guest)


class MissingError(Exception):
    """A page that is not found; the text says why."""


async def _found(finding: Awaitable[_Found], what: str) -> _Found:
    try:
        return await finding
    except (KeyError, ValueError) as error:
        raise MissingError(_why_missing(error, what)) from None


def _why_missing(error: Exception, what: str) -> str:
    """The reason why a page is not found: there is none, it is damaged, or its record cannot be replayed here."""
    if isinstance(error, LongError | DamageError):
        return str(error)
    if isinstance(error, FileError):  # a reason has at most 123 bytes
        return "the file of tables cannot be read or written"
    unknown = "its rules are not known here; another version or a plug-in wrote it"
    return unknown if isinstance(error, ValueError) else f"there is no such {what}"


def _rules_of(text: str) -> dict[str, Any]:
    """The data that a page shows about rules. Raises ValueError, in one line, for text that is not rules."""
    rules = read_rules(text)
    return {
        "rules": str(rules),
        "players": rules.players,
        "teams": [[int(seat) for seat in team.split("+")] for team in rules.table.teams or ()],
        "places": [places(rules.players, own) for own in range(rules.players)],
        "levels": [asdict(level) for level in levels(rules)],
        "page": rules_page(rules),
    }


def _called(name: str, variant: str) -> str:
    return plain_name(name, he.rules(variant)) if variant in he.VARIANTS else name


async def _answer(handle: Callable[[Request], Awaitable[dict[str, Any]]], request: Request) -> Response:
    """The answer to a request; one that cannot be served is answered by one line."""
    try:
        return JSONResponse(await handle(request))
    except ValidationError as error:
        line = one_line(error)
    except (ValueError, OSError) as error:
        line = str(error)
    return JSONResponse({"error": " ".join(line.split())[:500]}, 400)


def _answers(kind: type[_Body], handle: Callable[[_Body], Awaitable[dict[str, Any]]]) -> _Answer:
    """A handler of requests whose body is a message."""

    async def read(request: Request) -> dict[str, Any]:
        return await handle(kind.model_validate_json(await _body(request)))

    return partial(_answer, read)


async def _index(request: Request) -> Response:
    return FileResponse(STATIC / "index.html")


async def _lost(request: Request, error: Exception) -> Response:
    """A wrong address: the page says so in words, for whoever opened it."""
    return FileResponse(STATIC / "index.html", 404)


async def _missing(request: Request, error: Exception) -> Response:
    return PlainTextResponse(f"{error}\n", 404)


async def _failed(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 500)


async def _body(request: Request) -> bytes:
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > 2 * MOST_BYTES:
            raise ValueError(f"a request holds at most {2 * MOST_BYTES:,} bytes")
        parts.append(part)
    return b"".join(parts)
