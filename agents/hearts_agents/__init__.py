"""Agents that play Hearts from what one seat can see, and the arena that compares them."""

import hearts_agents.builtin  # noqa: F401 - registers the agents that come with the package
from hearts_agents.base import Agent
from hearts_agents.registry import make_agent

__all__ = ["Agent", "make_agent"]
