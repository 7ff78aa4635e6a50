"""Search agents: flat sampling, tree search over information sets, and exact endgames, for every variant."""

from hearts_agents.search.agents import EndgameAgent, Estimate, IsmctsAgent, PimcAgent

__all__ = ["EndgameAgent", "Estimate", "IsmctsAgent", "PimcAgent"]
