"""Options of `hearts web`. Imports no part of the server."""

from __future__ import annotations

import socket
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated

import tyro

from hearts_training.options import UNSET


@dataclass(frozen=True)
class ServerOptions:
    """A server of tables."""

    host: str = "127.0.0.1"
    """The address to listen on."""
    port: int = 8421
    """The port; 0 takes any that is free."""
    file: Path = Path("hearts.sqlite3")
    """The file that keeps tables, results and ratings."""
    programs: Annotated[bool, UNSET, tyro.conf.arg(name="allow-programs")] = False
    """Let pages name agents that run code, such as exec:COMMAND or py:FOLDER."""
    processes: int = 1
    """Processes for searching agents and analyses."""
    new_key: Annotated[bool, UNSET] = False
    """Draw another key: links and browsers with the one before are refused."""
    folder: Annotated[Path | None, tyro.conf.Positional, UNSET, tyro.conf.arg(metavar="FOLDER")] = None
    """Games that `hearts arena` kept with --records, as a list; or a run of `hearts train`, as it trains."""

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
