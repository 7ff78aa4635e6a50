"""Hostile bots: hostile.py WAY. Those of tests/engines/bots/bad.py are mistakes, these are malice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import Any

READY = {"type": "ready", "protocol": 2, "name": "hostile"}
WAY = sys.argv[1] if len(sys.argv) > 1 else ""
MESSAGES = ("hello", "deal", "pass", "receive", "play", "trick", "act", "score", "bye")
CHILD = [sys.executable, "-I", "-S", "-c", "import time; time.sleep(60)"]


def write(line: bytes) -> None:
    """Write bytes as they are."""
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()


def say(message: Any) -> None:
    """Write a line."""
    write(json.dumps(message).encode() + b"\n")


def begin() -> None:
    """What a bot does before it reads anything."""
    if WAY == "ignores-its-end":
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
            signal.signal(number, signal.SIG_IGN)
    if WAY == "floods-at-once":
        for _ in range(2000):
            write(b"x" * 4096 + b"\n")
    if WAY == "floods-stderr":
        for _ in range(2000):
            os.write(2, b"Traceback " * 400)
    if WAY == "many-children":
        for _ in range(8):
            subprocess.Popen(CHILD)
    if WAY == "closes-stdin":
        os.close(0)
        say(READY)
        time.sleep(60)
    if WAY == "never-ready":
        time.sleep(60)


def instead_of_action(answer: dict[str, Any]) -> bytes:  # noqa: PLR0911 - a branch a way
    """The bytes that answer a request."""
    right = json.dumps(answer).encode() + b"\n"
    if WAY == "huge-line":
        return b'{"type": "action", "id": ' + b"1" * 10_000_000 + b"}\n"
    if WAY == "deep-json":
        return b"[" * 30_000 + b"]" * 30_000 + b"\n"
    if WAY == "not-utf-8":
        return right.replace(b"action", b"\xff\xfe\xc3\x28")
    if WAY == "nul-bytes":
        return b"\0" * 1000 + right
    if WAY == "random-bytes":
        return os.urandom(5000) + b"\n"
    if WAY == "empty-lines":
        return b"\n" * 5000 + right
    if WAY == "half-a-line":
        return right[:10]
    if WAY == "surrogates":
        return right.replace(b'"action": "', b'"action": "\\ud800')
    if WAY == "name-twice":
        return right.replace(b"{", b'{"id": -1, ')
    return right


CHANGES: dict[str, dict[str, Any]] = {
    "id-as-float": {"id": 1.0},
    "id-as-bool": {"id": True},
    "id-nan": {"id": float("nan")},
    "action-list": {"action": ["2C"]},
    "action-object": {"action": {"card": "2C"}},
    "action-huge": {"action": "Q" * 60_000},
    "no-type": {"type": None},
    "type-number": {"type": 7},
}


def act(message: dict[str, Any]) -> None:
    """Answer a request."""
    answer = {"type": "action", "id": message["id"], "action": message["view"]["legal"][-1]}
    if WAY == "answers-twice":
        say(answer)
    if WAY == "answers-ahead":
        for number in range(message["id"] + 1, message["id"] + 5):
            say(answer | {"id": number})
    if WAY == "stops-itself":
        os.kill(os.getpid(), signal.SIGSTOP)
    if WAY == "closes-stdout":
        os.close(1)
        time.sleep(60)
    if WAY == "drips":
        for byte in json.dumps(answer).encode():
            write(bytes([byte]))
            time.sleep(0.02)
    write(instead_of_action(answer | CHANGES.get(WAY, {})))
    if WAY == "forks" and os.fork() == 0:
        time.sleep(60)
    if WAY == "chats":
        for _ in range(50):
            say({"type": "chat", "text": "x" * 1000})


def main() -> None:
    """Play."""
    begin()
    while line := sys.stdin.readline():
        message = json.loads(line)
        if WAY.removeprefix("exits-at-") == message["type"]:
            sys.exit(1)
        if message["type"] == "hello":
            say({"type": "error", "text": "I do not play this"} if WAY == "refuses-the-rules" else READY)
        elif message["type"] == "act":
            act(message)
        elif message["type"] == "bye" and WAY == "stays-at-bye":
            time.sleep(60)
    if WAY == "ignores-its-end":
        while True:
            time.sleep(60)


WAYS = (
    *("ignores-its-end", "floods-at-once", "floods-stderr", "many-children", "closes-stdin", "never-ready"),
    *("huge-line", "deep-json", "not-utf-8", "nul-bytes", "random-bytes", "empty-lines", "half-a-line", "surrogates"),
    *("name-twice", "answers-twice", "answers-ahead", "stops-itself", "closes-stdout", "drips", "forks", "chats"),
    *("refuses-the-rules", "stays-at-bye", *CHANGES, *(f"exits-at-{message}" for message in MESSAGES)),
)

if __name__ == "__main__":
    main()
