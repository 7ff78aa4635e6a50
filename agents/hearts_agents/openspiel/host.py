"""A bot of OpenSpiel in a process of its own, which can be ended whatever it is busy with.

The two processes exchange JSON objects, one per line. The bot's process gets the game, the history of a state and a
seed, and answers with an action.
"""

from __future__ import annotations

import json
import os
import sys
from functools import cache
from time import monotonic
from typing import Any

from hearts_agents.engines.messages import read_line, write_line
from hearts_agents.engines.process import Program
from hearts_agents.openspiel.loading import load_pyspiel
from hearts_agents.openspiel.makers import BotMaker, bot_maker, choose

START_MS = 60_000
"""The time limit from the start of the process until it is ready, in milliseconds."""
_CODE = "import sys; sys.path[:] = {}; from hearts_agents.openspiel.host import main; main({!r})"


class BotProcess:
    """Starts the process of a bot at its first decision, and again after it was ended."""

    def __init__(self, bot: str, time_ms: int) -> None:
        """Take the text of a bot, which has been checked, and the time limit of a decision in milliseconds."""
        self.bot, self.time_ms = bot, time_ms
        self._program: Program | None = None

    def choose(self, state: Any, seed: int) -> int:
        """The action of a new bot for player 0.

        Raises:
            FaultError: the bot is late, or its process died.
            ValueError: the bot raised.
        """
        try:
            answer = self._ask(self._program or self._start(), state, seed)
        except BaseException:  # also when interrupted: the answer that is still to come is to this question
            if self._program is not None:
                self._program.kill()
                self._program = None
            raise
        if "error" in answer:
            raise ValueError(f"openspiel:{self.bot}: {answer['error']}")
        return int(answer["action"])

    def _start(self) -> Program:
        self._program = Program([sys.executable, "-c", _CODE.format(sys.path, self.bot)])
        self._program.line(monotonic() + START_MS / 1000)
        return self._program

    def _ask(self, program: Program, state: Any, seed: int) -> dict[str, Any]:
        deadline = monotonic() + self.time_ms / 1000
        program.request({"type": "choose", "game": str(state.get_game()), "history": state.history(), "seed": seed})
        answer: dict[str, Any] = json.loads(program.line(deadline))
        return answer

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_program": None}  # a process stays where it was started


# --- in the process of the bot ---------------------------------------------------------------------------------------


def main(bot: str) -> None:
    """Choose actions until `bye` or the end of the input."""
    make_bot = bot_maker(bot)
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0) as out:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a bot prints is no answer
        out.write(write_line({"type": "ready"}))
        for line in iter(sys.stdin.buffer.readline, b""):
            message: Any = read_line(line)
            if message["type"] == "bye":
                return
            out.write(write_line(_answer(make_bot, message)))


def _answer(make_bot: BotMaker, message: dict[str, Any]) -> dict[str, object]:
    try:
        state = _game(message["game"]).new_initial_state()
        for action in message["history"]:
            state.apply_action(action)
        return {"type": "action", "action": choose(make_bot, state, message["seed"])}
    except Exception as error:  # bots may raise anything; the other process reports it
        return {"type": "action", "error": f"{type(error).__name__}: {error}"}


@cache
def _game(text: str) -> Any:
    return load_pyspiel().load_game(text)
