"""The program's side of the protocol: one of our agents as an engine."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import redirect_stdout
from typing import IO

from hearts_agents.base import Agent
from hearts_agents.engines import fields
from hearts_agents.engines.messages import PROTOCOL, Action, Message, Ready, Refuse, Unchecked, read_line, write_line
from hearts_agents.engines.replica import Replica
from hearts_agents.registry import make_agent
from hearts_env.compiled.game import Game, compile_game
from hearts_env.play.match import Match
from hearts_env.variants.registry import rules as read_rules


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
        replica: the table as the messages describe it; None before `hello`.
    """

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.replica: Replica | None = None

    def answer(self, message: Unchecked) -> Ready | Action | None:
        """The answer to a message; None for messages that need no answer.

        Raises:
            ValueError: the message is impossible; one line.
        """
        if message["type"] == "hello":
            return self._hello(message)
        if message["type"] == "reset":
            self.agent.reset(fields.number(message, "seed", 0))
            return None
        if self.replica is None:
            raise ValueError(f"the message {message['type']} comes before hello")
        self.replica.apply(message)
        if message["type"] == "score" and self.agent.stateful:
            self.agent.on_deal_end(self.replica.view())
        return self._act(message, self.replica) if message["type"] == "act" else None

    def _hello(self, message: Unchecked) -> Ready:
        if message.get("protocol") != PROTOCOL:
            raise ValueError(f"protocol {message.get('protocol')} is not supported; version {PROTOCOL} is")
        game = compile_game(read_rules(fields.word(message, "rules")))
        fields.number(message, "players", game.seats, game.seats)
        self.replica = Replica(game, fields.number(message, "seat", 0, game.seats - 1))
        if not self.agent.stateful:
            self._warm_up(game)
        if "seed" in message:
            self.agent.reset(fields.number(message, "seed", 0))
        return Ready(type="ready", protocol=PROTOCOL, name=self.agent.name)

    def _warm_up(self, game: Game) -> None:
        """Compile before the time limits apply."""
        match = Match(game.rules, seed=0)
        self.agent.act(match.view(match.seat or 0))
        self.agent.reset(0)

    def _act(self, message: Unchecked, replica: Replica) -> Action:
        number, view = fields.number(message, "id", 0), replica.view()
        if view.legal() != fields.words(message, "legal"):
            raise ValueError(f"the message act: legal={message['legal']} is not possible; it is {view.legal()}")
        action = view.game.action(self.agent.act(view))
        return Action(type="action", id=number, action=view.game.actions[action])
