"""OpenSpiel: our agents among its bots, states converted, and exact exploitability.

OpenSpiel's Hearts is a single deal. The variant `openspiel` has its default parameters, `openspiel_rules` returns the
rules for others. OpenSpiel itself is imported on first use: ``pip install 'hearts-env[openspiel]'``.
"""

from hearts_agents.openspiel.bot import as_bot
from hearts_agents.openspiel.convert import from_pyspiel, to_pyspiel
from hearts_agents.openspiel.parameters import openspiel_rules, parameters_of

__all__ = ["as_bot", "from_pyspiel", "openspiel_rules", "parameters_of", "to_pyspiel"]
