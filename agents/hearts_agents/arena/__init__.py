"""The arena compares agents on the same deals, replayed with the seats exchanged.

`seatings` lists who sits where, `play` plays chunks of deals at the `tables`, `chunks` keeps them and sums them up with
`stats`, `report` gives the result its forms, and `run` is the entry.
"""

from hearts_agents.arena.failure import AgentFailed
from hearts_agents.arena.given import GivenDeals
from hearts_agents.arena.kept import KeptGames
from hearts_agents.arena.results import AgentResult, ArenaResult, PairResult
from hearts_agents.arena.run import ArenaInterrupted, Plan, SampleSize, plan_deals, run_arena
from hearts_agents.arena.seatings import SEATINGS

__all__ = [
    "SEATINGS",
    "AgentFailed",
    "AgentResult",
    "ArenaInterrupted",
    "ArenaResult",
    "GivenDeals",
    "KeptGames",
    "PairResult",
    "Plan",
    "SampleSize",
    "plan_deals",
    "run_arena",
]
