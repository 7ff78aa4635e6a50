"""`hearts web`: the table in the browser."""

from __future__ import annotations

import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from hearts_training.cli.command import Command
from hearts_training.options import UNSET


@dataclass(frozen=True)
class Web(Command):
    """Play, watch and study in a browser.

    The server listens on this machine only. The link it prints holds a key, without which nobody gets in, other users
    of this machine included. Tables are kept in a file as they are played, and the key with them: a server goes on
    where it was stopped or killed, and its links still work. Ctrl-C ends it.

    Examples:
      hearts web
      hearts web --port 9000 --no-browser
      hearts web --host 0.0.0.0 --file club.sqlite3
      hearts web lost
      hearts web runs/first
    """

    folder: Annotated[Path | None, tyro.conf.Positional, UNSET, tyro.conf.arg(metavar="FOLDER")] = None
    """Games that `hearts arena` kept with --records, as a list; or a run of `hearts train`, as it trains."""
    host: str = "127.0.0.1"
    """The address to listen on."""
    port: int = 8421
    """The port; 0 takes any that is free."""
    file: Path = Path("hearts.sqlite3")
    """The file that keeps tables, results and ratings."""
    no_browser: Annotated[bool, UNSET] = False
    """Only print the link."""
    allow_programs: Annotated[bool, UNSET] = False
    """Let pages name agents that run code, such as exec:COMMAND or py:FOLDER."""
    processes: int = 1
    """Processes for searching agents and analyses."""
    new_key: Annotated[bool, UNSET] = False
    """Draw another key: links and browsers with the one before are refused."""

    def run(self) -> int:
        """Serve until Ctrl-C."""
        from hearts_agents.workers import check_workers
        from hearts_training.web.gate import ServerOptions
        from hearts_training.web.serving import serve

        check_workers(self.processes)
        if not 0 <= self.port <= 65535:
            raise ValueError(f"--port {self.port} is not possible; it is from 0 to 65535")

        options = (self.host, self.port, self.file, self.allow_programs, self.processes, self.new_key, self.folder)
        serve(ServerOptions(*options), self._show)
        return 0

    @contextmanager
    def _show(self, link: str) -> Iterator[None]:
        from hearts_training.web.private import leading_to

        print(f"hearts web: {link}  (Ctrl-C ends it; tables are kept in {self.file})", flush=True)
        with nullcontext("") if self.no_browser else leading_to(link, self.file) as page:
            if page:
                webbrowser.open(page)
            yield
