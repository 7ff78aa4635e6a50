"""OpenSpiel both ways: its bots in our arena, our agents among its bots, and states converted.

OpenSpiel's Hearts is a single deal. The variant `openspiel` has its default parameters, `openspiel_rules` returns the
rules for others. OpenSpiel itself is imported on first use: ``pip install 'hearts-env[openspiel]'``.
"""

from hearts_agents.openspiel.agent import OpenSpielAgent
from hearts_agents.openspiel.bot import as_bot
from hearts_agents.openspiel.convert import from_pyspiel, to_pyspiel
from hearts_agents.openspiel.parameters import openspiel_rules, parameters_of

__all__ = ["OpenSpielAgent", "as_bot", "from_pyspiel", "openspiel_rules", "parameters_of", "to_pyspiel"]
