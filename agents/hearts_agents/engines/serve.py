"""The program's side of the protocol: one of our agents as an engine."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import redirect_stdout
from typing import IO

from hearts_agents.base import Agent
from hearts_agents.engines.messages import PROTOCOL, Action, Message, Ready, Refuse, Unchecked, read_line, write_line
from hearts_agents.registry import make_agent
from hearts_env.checks import seat_of, whole
from hearts_env.compiled.game import Game, compile_game
from hearts_env.ruleset.syntax import brief
from hearts_env.seat.view import View
from hearts_env.table.match import Match
from hearts_env.variants.registry import rules as read_rules

MOST_SEED = 2**63 - 1


def serve(agent: str | Agent, lines: Iterable[bytes], out: IO[bytes]) -> None:
    """Play an agent over the protocol until `bye` or the end of the lines.

    The agent's own output goes to standard error, because `out` may be standard output.

    Args:
        agent: the agent or its spec string.
        lines: messages from the arena.
        out: where answers are written.

    Raises:
        ValueError: the agent cannot be made, or a message is impossible. If that is `hello`, `refuse` was sent.
    """
    engine = Engine(make_agent(agent))
    with redirect_stdout(sys.stderr):
        for line in lines:
            message = read_line(line)
            if message["type"] == "bye":
                return
            try:
                answer = engine.answer(message)
            except ValueError as error:
                if message["type"] == "hello":
                    _write(Refuse(type="refuse", reason=" ".join(str(error).split())), out)
                raise
            if answer is not None:
                _write(answer, out)


def _write(message: Message, out: IO[bytes]) -> None:
    out.write(write_line(message))
    out.flush()


class Engine:
    """An agent that answers messages.

    Attributes:
        agent: the agent.
        greeted: whether `hello` has come.
    """

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.greeted = False

    def answer(self, message: Unchecked) -> Ready | Action | None:
        """The answer to a message; None for messages that need no answer.

        Raises:
            ValueError: the message is impossible; one line.
        """
        kind = str(message["type"])
        if kind == "hello":
            return self._hello(message)
        if kind in ("act", "score") and not self.greeted:
            raise ValueError(f"the message {kind} comes before hello")
        if kind == "reset":
            self.agent.reset(whole("seed", message.get("seed"), 0, MOST_SEED))
        if kind == "score" and self.agent.stateful:
            self.agent.on_deal_end(View.from_dict(message.get("view")))
        return self._act(message) if kind == "act" else None

    def _hello(self, message: Unchecked) -> Ready:
        if message.get("protocol") != PROTOCOL:
            given = brief(message.get("protocol"))
            raise ValueError(f"version {given} of the protocol is not supported; PROTOCOL.md has version {PROTOCOL}")
        text = message.get("rules")
        if not isinstance(text, str):
            raise ValueError(f"rules={brief(text)} is not possible; it is text")
        game = compile_game(read_rules(text))
        seat_of("seat", message.get("seat"), game.seats)
        self._warm_up(game)
        if "seed" in message:
            self.agent.reset(whole("seed", message["seed"], 0, MOST_SEED))
        self.greeted = True
        return Ready(type="ready", protocol=PROTOCOL, name=self.agent.name)

    def _warm_up(self, game: Game) -> None:
        """Compile before the time limits apply: the first decision of a match, and the first card."""
        match = Match(game.rules, seed=0)
        self._try(match)
        while match.phase != "play" and not match.over:
            match.play(match.legal()[0])
        self._try(match)
        if not self.agent.stateful:
            self.agent.reset(0)

    def _try(self, match: Match) -> None:
        view = View.from_dict(match.view(match.seat or 0).as_dict())
        view.legal()
        if not self.agent.stateful and not self.agent.external:
            self.agent.act(view)

    def _act(self, message: Unchecked) -> Action:
        number, view = whole("id", message.get("id"), 0), View.from_dict(message.get("view"))
        if not view.legal():
            raise ValueError(f"seat {view.seat} has nothing to decide in the view of the message act")
        return Action(type="action", id=number, action=view.game.actions[view.game.action(self.agent.act(view))])
