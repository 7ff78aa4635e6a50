"""`hearts web`: the table in the browser."""

from __future__ import annotations

import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Annotated

from hearts_training.cli.command import Command
from hearts_training.options import UNSET
from hearts_training.web.options import ServerOptions


@dataclass(frozen=True)
class Web(ServerOptions, Command):
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

    no_browser: Annotated[bool, UNSET] = False
    """Only print the link."""

    def run(self) -> int:
        """Serve until Ctrl-C."""
        from hearts_agents.workers import check_workers
        from hearts_training.web.serving import serve

        check_workers(self.processes)
        if not 0 <= self.port <= 65535:
            raise ValueError(f"--port {self.port} is not possible; it is from 0 to 65535")
        serve(self, self._show)
        return 0

    @contextmanager
    def _show(self, link: str) -> Iterator[None]:
        from hearts_training.web.private import leading_to

        print(f"hearts web: {link}  (Ctrl-C ends it; tables are kept in {self.file})", flush=True)
        with nullcontext("") if self.no_browser else leading_to(link, self.file) as page:
            if page:
                webbrowser.open(page)
            yield
