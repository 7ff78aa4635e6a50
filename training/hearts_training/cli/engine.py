"""`hearts engine`: an agent as an external program that speaks the line protocol."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from hearts_training.cli.command import Command


@dataclass(frozen=True)
class Engine(Command):
    """Run an agent as an external engine on standard input and output.

    The protocol is one JSON object per line; hearts_agents/engines/PROTOCOL.md describes it. An invalid message
    ends the program with one line on standard error and exit code 2.

    Examples:
      hearts engine --agent rule
      hearts arena "exec:hearts engine --agent rule" random --deals 20
    """

    agent: str = "rule"
    """Spec of the agent; `hearts agents` lists them."""

    def run(self) -> int:
        """Play until the message `bye` or the end of the input."""
        from hearts_agents.engines.serve import serve

        serve(self.agent, iter(sys.stdin.buffer.readline, b""), sys.stdout.buffer)
        return 0
