"""Access to the server: the gate, which rejects requests without the key and those of other pages.

The server listens on loopback. Every request, also for a static file, needs the key that stands in the link it prints:
loopback is open to every user of the machine. Sockets, and requests other than GET and HEAD, with a foreign origin, and
on loopback all with a foreign host name, are refused, so that no other page in the same browser can play here.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from hearts_training.web.options import ServerOptions, is_loopback

POLICY = "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}
YEAR = 365 * 24 * 3600
COOKIE = "{}={}; HttpOnly; SameSite=Strict; Path=/; Max-Age=" + str(YEAR)


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
