"""A server of tables in a thread, and clients that sit down at them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from websockets.sync.client import ClientConnection, connect

from hearts_env.table.match import Match
from hearts_training.web.database import Database
from hearts_training.web.gate import ServerOptions
from hearts_training.web.server import Server
from hearts_training.web.serving import listen, uvicorn_for
from tests.support.games import positions


@dataclass
class Visit:
    """A visit to a server at an address."""

    address: str

    @property
    def link(self) -> str:
        """The link of the first page."""
        return f"http://{self.address}"

    def request(self, path: str, body: Any = None, headers: dict[str, str] | None = None) -> tuple[int, Any]:
        """Status and answer of a request; a body is sent by POST, bytes as they are."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        try:
            with urlopen(Request(self.link + path, data, headers or {}), timeout=60) as answer:
                return answer.status, _read(answer.read())
        except HTTPError as refused:
            return refused.code, _read(refused.read())

    def open(self, rules: str, seats: list[str], **more: Any) -> dict[str, Any]:
        """Open a table."""
        status, table = self.request("/api/tables", {"rules": rules, "seats": seats, "pace": 0.0} | more)
        assert status == 200, table
        assert isinstance(table, dict)
        return table

    def sit(self, link: str, cookie: str = "") -> Any:
        """A socket at the place of a link, as a context."""
        headers = {"Cookie": cookie} if cookie else None
        address = f"ws://{self.address}/socket{link}"
        return connect(address, max_size=1 << 22, open_timeout=60, additional_headers=headers)


@dataclass
class Site(Visit):
    """A visit to a server that runs in this process."""

    server: Server

    def match(self, link: str) -> Match:
        """The match at the place of a link, with every hand."""
        database = Database(self.server.options.file)
        try:
            key = link.split("/")[2]
            match = Match.replay(database.table(key).start)
            for action in database.actions(key):
                match.play(action)
            return match
        finally:
            database.close()


def _read(text: bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


@contextmanager
def running(file: Path, **options: Any) -> Iterator[Site]:
    """A server on a free port of this machine."""
    chosen = ServerOptions(file=file, **({"port": 0} | options))
    listener = listen(chosen)
    host, port = listener.getsockname()[:2]
    made: list[Server] = []
    uvicorns: list[Any] = []

    def run() -> None:
        made.append(Server(chosen))  # SQLite wants its connection used in the thread that made it
        uvicorns.append(uvicorn_for(made[0]))
        uvicorns[0].run(sockets=[listener])

    thread = Thread(target=run, daemon=True)
    thread.start()
    try:
        while not (uvicorns and uvicorns[0].started):
            thread.join(0.02)
            assert thread.is_alive()
        yield Site(f"{host}:{port}", made[0])
    finally:
        for uvicorn in uvicorns:
            uvicorn.should_exit = True
        thread.join(30)
        listener.close()


def receive(socket: ClientConnection, kind: str, timeout: float = 60) -> dict[str, Any]:
    """The next message of a kind."""
    while True:
        message = json.loads(socket.recv(timeout=timeout))
        assert isinstance(message, dict)
        if message["is"] == kind:
            return message


def finished(rules: str, seed: int) -> Match:
    """A match that was played at random."""
    return next(match for match in positions(rules, seed) if match.over)


def apart(job: Coroutine[Any, Any, Any]) -> Any:
    """The result of a coroutine, in a thread: a browser that tests use has its loop in this one."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, job).result()
