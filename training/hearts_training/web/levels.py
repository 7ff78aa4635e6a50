"""How strong an opponent is, in words that a card player knows."""

from __future__ import annotations

from hearts_agents.weights import strongest_agent
from hearts_env.ruleset.model import Rules

EASY = "rule(height=0, pass_height=0, duck=0)"
"""Knows the rules and what cards cost, but not that high cards win tricks, nor that others stay below them."""
NORMAL = "rule"
SEARCH = "pimc(worlds=64)"
"""What hints and studies are by."""


def levels(rules: Rules) -> dict[str, str]:
    """Level -> the spec of an agent for these rules, the weakest first.

    >>> import hearts_env as he
    >>> levels(he.rules("black_lady"))["Strong"], levels(he.rules("black_lady(players=6)"))["Strong"]
    ('net:black_lady', 'net:hearts')
    """
    return {"Easy": EASY, "Normal": NORMAL, "Strong": strongest_agent(rules)}
