"""Access to the server: its options, and the gate, which rejects requests without the key and those of other pages.

The server listens on loopback. Every request, also for a static file, needs the key that stands in the link it prints:
loopback is open to every user of the machine. Sockets, and requests other than GET and HEAD, with a foreign origin, and
on loopback all with a foreign host name, are refused, so that no other page in the same browser can play here.
"""

from __future__ import annotations

import secrets
import socket
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

POLICY = "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}
YEAR = 365 * 24 * 3600
COOKIE = "{}={}; HttpOnly; SameSite=Strict; Path=/; Max-Age=" + str(YEAR)


@dataclass(frozen=True)
class ServerOptions:
    """Options of `hearts web`.

    Attributes:
        host: the address to listen on.
        port: the port; 0 for any that is free.
        file: the SQLite file of tables and results.
        programs: whether pages may name agents that start programs.
        processes: worker processes for slow agents and analyses.
        new_key: whether to draw another key, instead of the one that the file keeps.
        folder: games that an arena kept, or a training run, to show.
    """

    host: str = "127.0.0.1"
    port: int = 8421
    file: Path = Path("hearts.sqlite3")
    programs: bool = False
    processes: int = 1
    new_key: bool = False
    folder: Path | None = None

    @property
    def is_local(self) -> bool:
        """True if only this machine can connect."""
        return is_loopback(self.host)

    @property
    def name(self) -> str:
        """The address that a link names: where the server listens on every address, one that a friend can open."""
        host = _own_address() if self.host in ("0.0.0.0", "::", "") else self.host
        return f"[{host}]" if ":" in host else host

    @property
    def key_cookie(self) -> str:
        """The name of the cookie with the key. It has the port: cookies of a host are shared by its ports."""
        return f"hearts_key_{self.port}"

    @property
    def browser_cookie(self) -> str:
        """The name of the cookie that says which browser it is: it finds the links of its own seats again."""
        return f"hearts_browser_{self.port}"


def is_loopback(host: str) -> bool:
    """True if an address is this machine's own.

    >>> [is_loopback(host) for host in ("127.0.0.1", "localhost", "::1", "0.0.0.0", "example.org")]
    [True, True, True, False, False]
    """
    if host == "localhost":
        return True
    with suppress(ValueError):
        return ip_address(host.strip("[]")).is_loopback
    return False


def _own_address() -> str:
    """This machine's address in its network. Nothing is sent: the system only says which address it would use."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.connect(("192.0.2.1", 9))
        return str(one.getsockname()[0])
    return socket.gethostname()


class Gate:
    """Refuses foreign origins and hosts, and requests without the key."""

    def __init__(self, app: ASGIApp, options: ServerOptions, key: str) -> None:
        self.app, self.options, self.key = app, options, key

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it in one line."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        refused = self._refusal(HTTPConnection(scope))
        if refused is None:
            await self.app(scope, receive, self._sealed(send, HTTPConnection(scope)))
        elif scope["type"] == "websocket":
            await WebSocket(scope, receive, send).close(4403, refused)  # uvicorn answers 403, without the reason
        else:
            await PlainTextResponse(refused + "\n", 403)(scope, receive, send)

    def _refusal(self, request: HTTPConnection) -> str | None:
        host = request.headers.get("host", "")
        if self.options.is_local and not is_loopback(_name_of(host)):
            return f"{host[:100] or 'no host'} is not this machine"
        origin = request.headers.get("origin")
        changes = request.scope.get("method") not in ("GET", "HEAD")
        if changes and origin is not None and _place_of(origin) != host:
            return f"pages of {origin[:100] or 'no origin'} may not play here"
        if not self._has_key(request):
            return "open the link that hearts web printed: it holds the key"
        return None

    def _has_key(self, request: HTTPConnection) -> bool:
        given = request.query_params.get("key", ""), request.cookies.get(self.options.key_cookie, "")
        return any(secrets.compare_digest(one.encode(), self.key.encode()) for one in given if one)

    def _sealed(self, send: Send, request: HTTPConnection) -> Send:
        cookies = {self.options.key_cookie: self.key}
        if self.options.browser_cookie not in request.cookies:
            cookies[self.options.browser_cookie] = secrets.token_urlsafe(18)

        async def sealed(message: Any) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                for cookie in cookies.items():
                    headers.append("set-cookie", COOKIE.format(*cookie))
            await send(message)

        return sealed


def _place_of(origin: str) -> str | None:
    """The host and port of an Origin header; None if it has none or is malformed."""
    with suppress(ValueError):
        return urlsplit(origin).netloc or None
    return None


def _name_of(host: str) -> str:
    """The name in a Host header, without the port; empty if it is malformed."""
    with suppress(ValueError):
        return urlsplit(f"//{host}").hostname or ""
    return ""
