"""Serving: the socket that listens, and uvicorn."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TYPE_CHECKING

from hearts_training.web.options import ServerOptions
from hearts_training.web.server import Server

if TYPE_CHECKING:
    import uvicorn

SOCKET_BYTES = 1 << 16
"""Size of the largest message on a socket."""


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


def serve(options: ServerOptions, ready: Callable[[str], AbstractContextManager[object]]) -> None:
    """Serve until Ctrl-C or SIGTERM.

    Args:
        options: see `ServerOptions`.
        ready: called with the link to open, once connections are accepted; what it returns is left in the end.

    Raises:
        ValueError: the file is no database, or the address cannot be listened on.
    """
    with listen(options) as listener:
        server = Server(replace(options, port=listener.getsockname()[1]))
        server.until_end(ready(server.link))
        uvicorn_for(server).run(sockets=[listener])
