"""`hearts engine`: an agent as a program that speaks the line protocol."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from hearts_training.cli.command import Command


@dataclass(frozen=True)
class Engine(Command):
    """Let an agent play as a program outside, over standard input and output.

    The protocol is one JSON object per line; hearts_agents/engines/PROTOCOL.md describes it. A message that is not
    possible ends the program with one line on standard error and exit code 2.

    Examples:
      hearts engine --agent rule
      hearts arena "exec:hearts engine --agent rule" random --deals 20
    """

    agent: str = "rule"
    """Agent by its spec; `hearts agents` lists them."""

    def run(self) -> int:
        """Play until bye, or the end of the input."""
        from hearts_agents.engines.serve import serve

        serve(self.agent, iter(sys.stdin.buffer.readline, b""), sys.stdout.buffer)
        return 0
