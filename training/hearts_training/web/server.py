"""The server: pages, requests and sockets.

It listens on loopback. On any other address every request needs the key that stands in the link it prints. Requests
with a foreign origin or, on loopback, a foreign host name are refused, so that no other page in the same browser can
play here.
"""

from __future__ import annotations

import asyncio
import io
import json
import secrets
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import parse_qs, urlsplit

from pydantic import BaseModel, TypeAdapter, ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

import hearts_env as he
from hearts_agents.registry import AGENTS
from hearts_agents.weights import shipped, strongest_agent
from hearts_env.explain.page import explain
from hearts_env.play.match import Match
from hearts_env.variants.registry import rules as read_rules
from hearts_training.web.messages import (
    MOST_BYTES,
    AtStudy,
    AtTable,
    CheckRules,
    NewStudy,
    NewTable,
    one_line,
)
from hearts_training.web.players import Players
from hearts_training.web.store import Store
from hearts_training.web.study import Studies, Study
from hearts_training.web.table import Guest, Table, Tables

if TYPE_CHECKING:
    import uvicorn

STATIC = Path(__file__).parent / "static"
SOCKET_BYTES = 1 << 16
"""Size of the largest message on a socket."""
POLICY = "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
COOKIE = "hearts_key"

_Body = TypeVar("_Body", bound=BaseModel)


@dataclass(frozen=True)
class ServerOptions:
    """Options of `hearts web`.

    Attributes:
        host: the address to listen on.
        port: the port; 0 for any that is free.
        file: the SQLite file of tables and results.
        programs: whether pages may name agents that start programs.
        processes: worker processes for slow agents and analyses.
        key: what requests must show unless the host is loopback.
    """

    host: str = "127.0.0.1"
    port: int = 8421
    file: Path = Path("hearts.sqlite3")
    programs: bool = False
    processes: int = 1
    key: str = field(default_factory=lambda: secrets.token_urlsafe(12))

    @property
    def is_local(self) -> bool:
        """Whether only this machine can connect."""
        return is_loopback(self.host)


def is_loopback(host: str) -> bool:
    """Whether an address is this machine's own.

    >>> [is_loopback(host) for host in ("127.0.0.1", "localhost", "::1", "0.0.0.0", "example.org")]
    [True, True, True, False, False]
    """
    if host == "localhost":
        return True
    with suppress(ValueError):
        return ip_address(host.strip("[]")).is_loopback
    return False


class Gate:
    """Refuses foreign origins and hosts, and requests without the key where one is needed."""

    def __init__(self, app: ASGIApp, options: ServerOptions) -> None:
        self.app, self.options = app, options

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it in one line."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        refused = self._refusal(scope, headers)
        if refused is None:
            await self.app(scope, receive, self._sealed(send))
        elif scope["type"] == "websocket":
            await WebSocket(scope, receive, send).close(4403, refused)
        else:
            await PlainTextResponse(refused + "\n", 403)(scope, receive, send)

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> str | None:
        host = headers.get("host", "")
        if self.options.is_local and not is_loopback(_name_of(host)):
            return f"{host or 'no host'} is not this machine"
        origin = headers.get("origin")
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if changes and origin is not None and urlsplit(origin).netloc != host:
            return f"pages of {origin} may not play here"
        if not self.options.is_local and not self._has_key(scope, headers):
            return "open the link that hearts web printed: it holds the key"
        return None

    def _has_key(self, scope: Scope, headers: dict[str, str]) -> bool:
        given = parse_qs(scope["query_string"].decode("latin-1")).get("key", [""])[0]
        cookies = SimpleCookie(headers.get("cookie", ""))
        kept = cookies[COOKIE].value if COOKIE in cookies else ""
        return any(secrets.compare_digest(one.encode(), self.options.key.encode()) for one in (given, kept))

    def _sealed(self, send: Send) -> Send:
        async def sealed(message: Any) -> None:
            if message["type"] == "http.response.start":
                extra = [("content-security-policy", POLICY), ("x-content-type-options", "nosniff")]
                extra += [("referrer-policy", "no-referrer"), ("cache-control", "no-cache")]
                if not self.options.is_local:
                    extra.append(("set-cookie", f"{COOKIE}={self.options.key}; HttpOnly; SameSite=Strict; Path=/"))
                message["headers"] = [*message["headers"], *((a.encode(), b.encode()) for a, b in extra)]
            await send(message)

        return sealed


def _name_of(host: str) -> str:
    """The name in a Host header, without the port; empty if it is malformed."""
    with suppress(ValueError):
        return urlsplit(f"//{host}").hostname or ""
    return ""


class Server:
    """The tables, studies and routes of one server."""

    def __init__(self, options: ServerOptions) -> None:
        """Open the store. Raises ValueError, in one line, if the file is no store."""
        self.options = options
        self.store = Store(options.file)
        self.players = Players(options.processes, options.programs)
        self.tables, self.studies = Tables(self.store, self.players), Studies(self.players)

    def app(self) -> ASGIApp:
        """The ASGI application."""
        return Gate(Starlette(routes=self._routes(), lifespan=self._lifespan), self.options)

    def _routes(self) -> list[BaseRoute]:
        return [
            Route("/", _index),
            Route("/table/{key}/{token}", _index),
            Route("/study/{key}", _index),
            Route("/results", _index),
            Route("/api/menu", self._menu),
            Route("/api/tables", self._listing),
            Route("/api/results", self._results),
            Route("/api/rules", self._answers(CheckRules, self._check_rules), methods=["POST"]),
            Route("/api/tables", self._answers(NewTable, self._new_table), methods=["POST"]),
            Route("/api/studies", self._answers(NewStudy, self._new_study), methods=["POST"]),
            Route("/api/table/{key}/{token}/record", self._record),
            Route("/api/export.parquet", self._export),
            WebSocketRoute("/socket/table/{key}/{token}", self._table_socket),
            WebSocketRoute("/socket/study/{key}", self._study_socket),
            Mount("/static", StaticFiles(directory=STATIC)),
        ]

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        yield
        self.tables.close()
        self.studies.close()
        self.players.close()
        self.store.close()

    # --- pages and requests -----------------------------------------------------------------------

    async def _menu(self, request: Request) -> Response:
        """What can be chosen: variants, agents, networks."""
        variants = [
            {"name": name, "players": list(variant.players), "summary": variant.summary}
            for name, variant in he.VARIANTS.items()
        ]
        agents = [
            {"name": kind.name, "summary": kind.summary}
            for kind in AGENTS.values()
            if self.options.programs or not kind.program
        ]
        networks = [f"net:{name}" for name in shipped()]
        return JSONResponse({"variants": variants, "agents": agents, "networks": networks})

    async def _listing(self, request: Request) -> Response:
        """The last tables with the links of their seats; none where others than this machine's user may read them."""
        return JSONResponse(self.store.listing() if self.options.is_local else [])

    async def _results(self, request: Request) -> Response:
        return JSONResponse(self.store.summary())

    def _answers(
        self, kind: type[_Body], handle: Callable[[_Body], Awaitable[dict[str, Any]]]
    ) -> Callable[[Request], Awaitable[Response]]:
        """A handler of requests whose body is a message; a bad one is answered by one line."""

        async def answer(request: Request) -> Response:
            try:
                body = await _body(request)
                return JSONResponse(await handle(kind.model_validate_json(body)))
            except ValidationError as error:
                line = one_line(error)
            except KeyError:
                line = "there is no such table"
            except (ValueError, OSError) as error:
                line = str(error)
            return JSONResponse({"error": " ".join(line.split())[:500]}, 400)

        return answer

    async def _check_rules(self, message: CheckRules) -> dict[str, Any]:
        rules = read_rules(message.rules)
        return {
            "rules": str(rules),
            "players": rules.players,
            "opponent": strongest_agent(rules),
            "page": explain(rules),
        }

    async def _new_table(self, message: NewTable) -> dict[str, Any]:
        if message.record is not None:
            start = Match.replay(message.record)
            start = start if message.at is None else start.after(message.at)
        else:
            start = Match(message.rules, message.seed)
        key, chairs = await self.tables.open(start, message.seats, message.pace)
        links = [None if chair.agent else f"/table/{key}/{chair.token}" for chair in chairs]
        return {"key": key, "links": links, "watch": None if any(links) else f"/table/{key}/watch"}

    async def _new_study(self, message: NewStudy) -> dict[str, Any]:
        key = secrets.token_urlsafe(9)
        study = self.studies.open(key, message.record)
        return {"study": f"/study/{key}", "actions": len(study.decisions)}

    async def _record(self, request: Request) -> Response:
        """The record of a match: of a finished one, or of one that only agents play."""
        try:
            table, _ = self.tables.find(request.path_params["key"], request.path_params["token"])
        except KeyError:
            return PlainTextResponse("there is no such table\n", 404)
        if not table.match.over and not table.is_open and not table.may_undo:
            return PlainTextResponse("the record holds every hand; it is given once the match is over\n", 403)
        name = f'attachment; filename="{table.key}.txt"'
        return PlainTextResponse(table.match.record(), headers={"content-disposition": name})

    async def _export(self, request: Request) -> Response:
        """Every action of every finished table as a Parquet file."""
        import pyarrow
        from pyarrow import parquet

        buffer = io.BytesIO()
        parquet.write_table(pyarrow.Table.from_pylist(list(self.store.rows())), buffer)
        return Response(buffer.getvalue(), media_type="application/vnd.apache.parquet")

    # --- sockets ----------------------------------------------------------------------------------

    async def _table_socket(self, page: WebSocket) -> None:
        await page.accept()
        try:
            table, seat = self.tables.find(page.path_params["key"], page.path_params["token"])
        except KeyError:
            await page.close(4404, "there is no such table")
            return
        guest = Guest(seat)
        self.tables.join(table, guest)
        try:
            await _both(_send_table(page, table, guest), _receive(page, AtTable, guest, table))
        finally:
            self.tables.leave(table, guest)

    async def _study_socket(self, page: WebSocket) -> None:
        await page.accept()
        try:
            study = self.studies.find(page.path_params["key"])
        except KeyError:
            await page.close(4404, "there is no such record any more; drop the file again")
            return
        guest = Guest(None)
        study.guests.add(guest)
        guest.answer(study.page())
        try:
            await _both(_send_answers(page, guest), _receive(page, AtStudy, guest, study))
        finally:
            study.guests.discard(guest)


async def _index(request: Request) -> Response:
    return FileResponse(STATIC / "index.html")


async def _body(request: Request) -> bytes:
    """The body of a request. Raises ValueError if it is too large."""
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > 2 * MOST_BYTES:
            raise ValueError(f"a request holds at most {2 * MOST_BYTES:,} bytes")
        parts.append(part)
    return b"".join(parts)


async def _both(*jobs: Awaitable[None]) -> None:
    """Do both jobs until one of them ends."""
    tasks = [asyncio.ensure_future(job) for job in jobs]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        for done in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(done, Exception) and not isinstance(done, WebSocketDisconnect | RuntimeError | OSError):
                raise done


async def _receive(page: WebSocket, kind: TypeAdapter[Any], guest: Guest, place: Table | Study) -> None:
    """Serve the messages of a page until it leaves. What takes long goes on while the next message is read."""
    jobs: set[asyncio.Task[None]] = set()
    try:
        while True:
            event = await page.receive()
            if event["type"] == "websocket.disconnect":
                return
            text = event.get("text")
            message = _read(kind, guest, text if text is not None else event.get("bytes") or b"")
            if message is None:
                continue
            if len(jobs) >= 4:
                guest.refuse("one thing after the other: earlier requests are still being answered")
                continue
            job = asyncio.create_task(_serve(place, guest, message))
            jobs.add(job)
            job.add_done_callback(jobs.discard)
            await asyncio.sleep(0)
    finally:
        for job in jobs:
            job.cancel()


def _read(kind: TypeAdapter[Any], guest: Guest, text: str | bytes) -> Any:
    """The message that a page sent; None, with a line to the page, if it is none."""
    try:
        return kind.validate_json(text)
    except ValidationError as error:
        guest.refuse(one_line(error))
    except ValueError as error:
        guest.refuse(str(error))
    return None


async def _serve(place: Any, guest: Guest, message: Any) -> None:
    try:
        await place.serve(guest, message)
    except (ValueError, OSError, ChildProcessError) as error:
        guest.refuse(str(error))


async def _send_table(page: WebSocket, table: Table, guest: Guest) -> None:
    """Send the table whenever it has changed; a slow page skips what it missed."""
    guest.fresh.set()
    while True:
        await guest.fresh.wait()
        guest.fresh.clear()
        answers, guest.answers = guest.answers, []
        if guest.stale:
            guest.stale = False
            await page.send_text(json.dumps(table.page(guest), separators=(",", ":")))
        for answer in answers:
            await page.send_text(json.dumps(answer, separators=(",", ":")))


async def _send_answers(page: WebSocket, guest: Guest) -> None:
    guest.stale = False
    while True:
        await guest.fresh.wait()
        guest.fresh.clear()
        answers, guest.answers = guest.answers, []
        for answer in answers:
            await page.send_text(json.dumps(answer, separators=(",", ":")))


def uvicorn_for(server: Server) -> uvicorn.Server:
    """The uvicorn server of a `Server`; its `run` takes a socket that listens."""
    import uvicorn

    return uvicorn.Server(
        uvicorn.Config(
            server.app(),
            log_level="warning",
            ws="websockets-sansio",
            ws_max_size=SOCKET_BYTES,
            ws_per_message_deflate=False,  # the pages are near, and packing costs more than sending
            timeout_graceful_shutdown=2,
        )
    )


def listen(options: ServerOptions) -> socket.socket:
    """A socket on the address of the options. Raises ValueError, in one line, if it cannot be had."""
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((options.host, options.port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise ValueError(f"{options.host}:{options.port} cannot be listened on: {error.strerror}") from None
    return listener


def serve(options: ServerOptions, ready: Callable[[str], None]) -> None:
    """Serve until Ctrl-C or SIGTERM.

    Args:
        options: see `ServerOptions`.
        ready: called with the link to open, once connections are accepted.

    Raises:
        ValueError: the file is no store, or the address cannot be listened on.
    """
    with listen(options) as listener:
        server = Server(options)
        host = f"[{options.host}]" if ":" in options.host else options.host
        ready(f"http://{host}:{listener.getsockname()[1]}/" + ("" if options.is_local else f"?key={options.key}"))
        uvicorn_for(server).run(sockets=[listener])
