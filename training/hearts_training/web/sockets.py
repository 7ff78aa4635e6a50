"""The traffic on a page's socket: messages that are checked and served, the newest state of a table, and answers."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable
from typing import Any

from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from hearts_training.web.guest import Guest
from hearts_training.web.messages import one_line
from hearts_training.web.study import Study
from hearts_training.web.table import WebTable

_LOG = logging.getLogger(__name__)
MOST_JOBS = 4
"""Requests of a page that are answered at the same time."""


async def both(*jobs: Awaitable[None]) -> None:
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


async def receive(page: WebSocket, kind: TypeAdapter[Any], guest: Guest, place: WebTable | Study) -> None:
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
            if len(jobs) >= MOST_JOBS:
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
    except (ValueError, OSError) as error:
        guest.refuse(str(error))
    except Exception:
        _LOG.exception("a request was not served: %s", message)
        guest.refuse(f"{getattr(message, 'agent', 'the server')} cannot go on; the server's log says why")


async def send(page: WebSocket, guest: Guest, table: WebTable | None = None) -> None:
    """Send a page its answers, and the table whenever it has changed; a slow page skips what it missed."""
    guest.fresh.set()
    while True:
        await guest.fresh.wait()
        guest.fresh.clear()
        answers, guest.answers = guest.answers, []
        if table is not None and guest.stale:
            guest.stale = False
            answers = [table.page(guest), *answers]
        for answer in answers:
            await page.send_text(json.dumps(answer, separators=(",", ":")))
