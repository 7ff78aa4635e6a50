"""Search agents for every variant: perfect-information Monte Carlo, ISMCTS, and exact endgames."""

from hearts_agents.search.agents import EndgameAgent, Estimate, IsmctsAgent, PimcAgent

__all__ = ["EndgameAgent", "Estimate", "IsmctsAgent", "PimcAgent"]
