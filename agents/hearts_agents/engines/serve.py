"""The other side of the protocol: one of our agents as a program."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import redirect_stdout
from typing import IO

from hearts_agents.base import Agent
from hearts_agents.engines import messages as msg
from hearts_agents.engines.messages import PROTOCOL, Message
from hearts_agents.engines.replica import Mirror
from hearts_agents.registry import make_agent
from hearts_env.compiled.game import Game, compile_game
from hearts_env.play.match import Match
from hearts_env.variants.registry import rules as read_rules


def serve(agent: str | Agent, lines: Iterable[bytes], out: IO[bytes]) -> None:
    """Play an agent over the protocol until `bye` or the end of the lines.

    What the agent prints goes to standard error, for standard output may be `out`.

    Args:
        agent: the agent or its spec.
        lines: what the arena says.
        out: where answers are written.

    Raises:
        ValueError: an agent that cannot be made, or a message that is not possible.
    """
    engine = Engine(make_agent(agent))
    with redirect_stdout(sys.stderr):
        for line in lines:
            message = msg.read_line(line)
            if message["type"] == "bye":
                return
            if (answer := engine.hear(message)) is not None:
                out.write(msg.write_line(answer))
                out.flush()


class Engine:
    """An agent that hears messages and answers those that ask.

    Attributes:
        agent: the agent.
        mirror: the table as it knows it; None before `hello`.
    """

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.mirror: Mirror | None = None

    def hear(self, message: Message) -> Message | None:
        """The answer to a message; None if it needs none.

        Raises:
            ValueError: the message is not possible, in one line.
        """
        if message["type"] == "hello":
            return self._hello(message)
        if message["type"] == "reset":
            self.agent.reset(msg.number(message, "seed", 0))
            return None
        if self.mirror is None:
            raise ValueError(f"the message {message['type']} comes before hello")
        self.mirror.hear(message)
        if message["type"] == "score" and self.agent.stateful:
            self.agent.on_deal_end(self.mirror.view())
        return self._act(message, self.mirror) if message["type"] == "act" else None

    def _hello(self, message: Message) -> Message:
        if message.get("protocol") != PROTOCOL:
            raise ValueError(f"protocol {message.get('protocol')} is not spoken here; {PROTOCOL} is")
        game = compile_game(read_rules(msg.word(message, "rules")))
        msg.number(message, "players", game.seats, game.seats)
        self.mirror = Mirror(game, msg.number(message, "seat", 0, game.seats - 1))
        if not self.agent.stateful:
            self._warm_up(game)
        if "seed" in message:
            self.agent.reset(msg.number(message, "seed", 0))
        return {"type": "ready", "protocol": PROTOCOL, "name": self.agent.name}

    def _warm_up(self, game: Game) -> None:
        """Let what is compiled on first use be compiled before the clock runs."""
        match = Match(game.rules, seed=0)
        self.agent.act(match.view(match.seat or 0))
        self.agent.reset(0)

    def _act(self, message: Message, mirror: Mirror) -> Message:
        number, view = msg.number(message, "id", 0), mirror.view()
        if view.legal() != msg.words(message, "legal"):
            raise ValueError(f"the message act: legal={message['legal']} is not possible; it is {view.legal()}")
        action = view.game.action(self.agent.act(view))
        return {"type": "action", "id": number, "action": view.game.actions[action]}
