"""A server of tables in a thread, and clients that sit down at them."""

import asyncio
import json
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from websockets.sync.client import ClientConnection, connect

from hearts_env.table.match import Match
from hearts_training.web.database import Database
from hearts_training.web.options import ServerOptions
from hearts_training.web.records import walk_of
from hearts_training.web.server import Server
from hearts_training.web.serving import listen, uvicorn_for
from tests.support.games import positions


@dataclass
class Visit:
    """A visit to a server at an address."""

    address: str
    key: str = ""

    @property
    def link(self) -> str:
        """The address of the first page, without the key."""
        return f"http://{self.address}"

    @property
    def cookie(self) -> str:
        """The cookie of a browser that has opened a link with the key."""
        return f"hearts_key_{self.port}={self.key}"

    @property
    def port(self) -> str:
        """The port, which the names of cookies carry."""
        return self.address.rpartition(":")[2]

    def at(self, path: str = "/") -> str:
        """The link of a page, with the key."""
        return self.link + (path if "key=" in path else f"{path}?key={self.key}")

    def request(self, path: str, body: Any = None, headers: dict[str, str] | None = None) -> tuple[int, Any]:
        """Status and answer of a request; a body is sent by POST, bytes as they are.

        The key is sent as a cookie; headers with a `Cookie` of their own replace it.
        """
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        request = Request(self.link + path, data, {"Cookie": self.cookie} | (headers or {}))
        try:
            with urlopen(request, timeout=60) as answer:
                return answer.status, _read(answer.read())
        except HTTPError as refused:
            return refused.code, _read(refused.read())

    def open(self, rules: str, seats: list[str], **more: Any) -> dict[str, Any]:
        """Open a table."""
        status, table = self.request("/api/tables", {"rules": rules, "seats": seats, "pace": 0.0} | more)
        assert status == 200, table
        assert isinstance(table, dict)
        return table

    def sit(self, link: str, cookie: str = "", headers: dict[str, str] | None = None) -> Any:
        """A socket at the place of a link, as a context; `cookie` is sent beside the key."""
        headers = {"Cookie": "; ".join(filter(None, (self.cookie, cookie)))} | (headers or {})
        address = f"ws://{self.address}/socket{link}"
        return connect(address, max_size=1 << 22, open_timeout=60, additional_headers=headers)


@dataclass
class Site(Visit):
    """A visit to a server that runs in this process."""

    server: Server = field(kw_only=True)

    def match(self, link: str) -> Match:
        """The match at the place of a link, with every hand, up to the last whole action."""
        database = Database(self.server.options.file)
        try:
            key = link.split("/")[2]
            return walk_of(database.table(key).start, database.actions(key)).match
        finally:
            database.close()


def bare(link: str) -> str:
    """A link without the key."""
    return link.partition("?")[0]


def _read(text: bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


@contextmanager
def running(file: Path, *, prepared: bool = False, apart: bool = False, **options: Any) -> Iterator[Site]:
    """A server on a free port of this machine.

    Unless `prepared`, its processes compile and load only what is asked for; unless `apart`, records are read here.
    """
    chosen = ServerOptions(file=file, **({"port": 0} | options))
    listener = listen(chosen)
    chosen = replace(chosen, port=listener.getsockname()[1])
    made: list[Server] = []
    uvicorns: list[Any] = []

    def run() -> None:
        made.append(Server(chosen))  # SQLite wants its connection used in the thread that made it
        players: Any = made[0].players
        if not prepared:
            players.prepare = lambda: None
            for lane in (*players._lanes, players._records):
                lane._warm_up = int
        if not (prepared or apart):
            players.work = asyncio.to_thread
        uvicorns.append(uvicorn_for(made[0]))
        uvicorns[0].run(sockets=[listener])

    thread = Thread(target=run, daemon=True)
    thread.start()
    try:
        while not (uvicorns and uvicorns[0].started):
            thread.join(0.02)
            assert thread.is_alive()
        yield Site(f"{listener.getsockname()[0]}:{chosen.port}", made[0].key, server=made[0])
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
