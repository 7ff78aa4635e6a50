"""How long a click waits at a hundred tables: ``python training/lab/web_load.py``.

A server is started with a file of its own. At every table one client plays against three `rule` agents without pause,
thinking for a second on average; a click is answered when the table shows it taken. With ``--hints`` it asks for a hint
before each click, as a page does.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any
from urllib.request import Request, urlopen

import numpy as np
import tyro


@dataclass(frozen=True)
class Load:
    """Measure the time from click to answer."""

    tables: int = 100
    """Tables that are played at once."""
    minutes: float = 5.0
    """Duration."""
    variant: str = "black_lady"
    """The variant of all tables."""
    hints: bool = False
    """Ask for a hint before each click."""

    def run(self) -> None:
        """Start a server, play, and print the times and the memory of the server."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "tables.sqlite3")
            options = ["--no-browser", "--port", "0", "--file", str(file)]
            command = [sys.executable, "-m", "hearts_training", "web", *options]
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
                try:
                    assert server.stdout is not None
                    link = server.stdout.readline().split()[2]
                    times, waits = asyncio.run(self._play(link))
                    memory = _memory(server.pid)
                finally:
                    server.terminate()
        print(f"{self.tables} tables, {self.minutes:g} minutes; server {memory:.0f} MiB")
        for name, found in (("clicks", times), ("hints", waits)):
            if found:
                median, late, last = np.quantile(np.array(found) * 1000, [0.5, 0.99, 1.0])
                print(f"{len(found):,} {name}: median {median:.1f} ms, 99% within {late:.1f} ms, longest {last:.1f} ms")

    async def _play(self, link: str) -> tuple[list[float], list[float]]:
        times, waits = list[float](), list[float]()
        end = perf_counter() + 60 * self.minutes
        await asyncio.gather(*(self._client(link, seed, end, times, waits) for seed in range(self.tables)))
        return times, waits

    async def _client(self, link: str, seed: int, end: float, times: list[float], waits: list[float]) -> None:
        from websockets.asyncio.client import connect

        rng, address = Random(seed), link.replace("http", "ws", 1).partition("/?")[0]
        while perf_counter() < end:
            table = await asyncio.to_thread(_open, link, self.variant, seed)
            async with connect(f"{address}/socket{table['links'][0]}", max_size=None) as socket:
                state = json.loads(await socket.recv())
                while perf_counter() < end and not state["over"]:
                    if state["is"] == "table" and state["turn"] == state["seat"]:
                        await asyncio.sleep(rng.expovariate(1.0))
                        if self.hints:
                            waits.append(await _hint(socket))
                        clicked, at = perf_counter(), state["at"]
                        await socket.send(json.dumps({"do": "act", "actions": [rng.choice(state["legal"])], "at": at}))
                        while state["at"] == at:
                            state = json.loads(await socket.recv())
                        times.append(perf_counter() - clicked)
                    else:
                        state = json.loads(await socket.recv())


async def _hint(socket: Any) -> float:
    asked = perf_counter()
    await socket.send('{"do": "hint"}')
    while (answer := json.loads(await socket.recv()))["is"] == "table":
        pass
    assert answer["is"] == "hint", answer
    return perf_counter() - asked


def _open(link: str, variant: str, seed: int) -> Any:
    body = {"rules": variant, "seats": ["person", "rule", "rule", "rule"], "seed": seed, "pace": 0.0}
    with urlopen(Request(link.replace("/?", "/api/tables?"), json.dumps(body).encode())) as answer:
        return json.load(answer)


def _memory(process: int) -> float:
    """Resident memory of a process in MiB (Linux)."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


if __name__ == "__main__":
    tyro.cli(Load).run()
