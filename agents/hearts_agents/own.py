"""Agents of one's own: ``py:FILE.py:Class(n=1)`` and ``py:package.module:Class(n=1)``."""

from __future__ import annotations

import inspect
from pathlib import Path

from hearts_agents.address import load
from hearts_agents.base import Agent
from hearts_agents.registry import AgentType
from hearts_agents.wrapped import OwnAgent


def python_agent(source: str) -> Agent:
    """An agent of one's own.

    Args:
        source: FILE.py:CLASS or package.module:CLASS, with parameters in brackets; also a function that makes an agent,
            or one of views that plays; or a folder that `TorchAgent.save` wrote.

    Raises:
        ValueError: nothing can be imported there, wrong parameters, or an object that cannot play.
    """
    if Path(source.strip()).is_dir():
        from hearts_agents.neural.torch_agent import load_agent  # imports torch

        return load_agent(source.strip())
    address, bracket, body = source.strip().partition("(")
    found, digest = load(address.strip())
    kind = AgentType(f"py:{address.strip()}", found, "", code=True)
    needed = [name for name, one in kind.parameters.items() if one.default is None]
    if inspect.isclass(found) or bracket or not needed:
        if bracket and not body.endswith(")"):
            raise ValueError(f"py:{source} lacks a bracket at its end")
        kind.check_parameters()
        made = kind.make(f"py:{source}", kind.arguments(body[:-1]))
    else:
        made = found  # a function of views, or of observations and masks
    agent = made if isinstance(made, Agent) else OwnAgent(made)
    agent.digest = agent.digest or digest
    return agent
