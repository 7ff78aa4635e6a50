"""Bots that misbehave, each in one way: bad.py WAY [FILE]."""

import json
import signal
import subprocess
import sys
import time
from typing import Any

WAY = sys.argv[1]
READY = {"type": "ready", "protocol": 2, "name": "bad"}


def say(message: Any) -> None:
    """Write a line."""
    print(json.dumps(message), flush=True)


def hello() -> None:
    """What is said, or not, to begin with."""
    if WAY == "stays for ever":
        outlive()
    if WAY == "dies at once":
        sys.exit(3)
    if WAY == "never reads":
        say(READY)
        time.sleep(60)
    sys.stdin.readline()
    if WAY == "refuses":
        say({"type": "refuse", "reason": "I play for money\x1b[31m\nonly"})
    if WAY == "talks much":
        say({"type": "log", "text": "good morning"})
    say(READY | {"protocol": 1} if WAY == "speaks another version" else READY)
    if WAY == "leaves politely":
        sys.exit(0)
    if WAY == "floods its errors":
        sys.stderr.write("Traceback " * 100_000)
    if WAY == "has a child":
        subprocess.Popen([sys.executable, "-I", "-S", __file__, "sleeps", sys.argv[2]])


def sleep_with(name: str) -> None:
    """Hold a pipe open for as long as this process lives."""
    with open(name, "w", encoding="utf-8") as pipe:
        pipe.write("here")
        pipe.flush()
        time.sleep(60)


def outlive() -> None:
    """Stay whatever comes."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def act(message: dict[str, Any]) -> None:  # noqa: PLR0912  # a branch for each way
    """A bad answer."""
    number, legal = message["id"], message["view"]["legal"]
    answer = {"type": "action", "id": number, "action": legal[0]}
    if WAY == "is late":
        time.sleep(60)
    if WAY == "dies in mid-game" and number % 10 == 5:
        sys.exit(1)
    if WAY == "writes no end of a line":
        while True:
            sys.stdout.write("x" * 10000)
    if WAY == "writes no end of lines":
        while True:
            say({"type": "action", "id": 0, "action": "x" * 1000})
    picks = legal[: message["picks"]]
    changes = {
        "passes too few": {"action": picks[1:] or legal[0]},
        "passes a card twice": {"action": (picks and picks[:1] * len(picks)) or legal[0]},
        "plays a list": {"action": picks or legal[:1]},
        "sends a list of numbers": {"action": [3]},
        "names a wrong id": {"id": number + 1},
        "names no id": {"id": None},
        "names an illegal card": {"action": "KIT"},
        "names a number": {"action": 3},
        "says another thing": {"type": "ready"},
    }
    if WAY == "talks nonsense":
        print("I play", legal[0], flush=True)
    elif WAY == "talks much":
        say({"type": "log", "text": "let me see", "id": number})
        say({"type": "info", "depth": [1, 2]})
        say(answer)
    elif WAY == "sends a list":
        say([legal[0]])
    elif WAY == "sends deep JSON":
        print("[" * 30_000 + "]" * 30_000, flush=True)
    elif WAY == "sends no text":
        sys.stdout.buffer.write(b"\xff\xfe\xc3\x28\0\n")
        sys.stdout.flush()
    else:
        say(answer | changes.get(WAY, {}))


def main() -> None:
    """Play badly."""
    if WAY == "sleeps":
        sleep_with(sys.argv[2])
    hello()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "act":
            act(message)
    while WAY == "stays for ever":
        time.sleep(60)


main()
