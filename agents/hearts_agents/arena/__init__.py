"""The arena: agents compared on the same deals, replayed with the seats exchanged."""

from hearts_agents.arena.results import AgentResult, ArenaResult, PairResult
from hearts_agents.arena.run import ArenaInterrupted, run_arena
from hearts_agents.arena.seatings import SEATINGS

__all__ = ["SEATINGS", "AgentResult", "ArenaInterrupted", "ArenaResult", "PairResult", "run_arena"]
