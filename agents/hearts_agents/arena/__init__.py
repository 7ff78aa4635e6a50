"""The arena: agents compared on the same deals, replayed with the seats exchanged."""

from hearts_agents.arena.failure import AgentFailed
from hearts_agents.arena.power import Plan, plan_deals
from hearts_agents.arena.results import AgentResult, ArenaResult, PairResult
from hearts_agents.arena.run import ArenaInterrupted, run_arena
from hearts_agents.arena.seatings import SEATINGS

__all__ = [
    "SEATINGS",
    "AgentFailed",
    "AgentResult",
    "ArenaInterrupted",
    "ArenaResult",
    "PairResult",
    "Plan",
    "plan_deals",
    "run_arena",
]
