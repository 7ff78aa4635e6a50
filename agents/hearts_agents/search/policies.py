"""The policies that may play rollouts, by name: the rule agent with some weights, or random play."""

from __future__ import annotations

from typing import NamedTuple

from hearts_agents.rule.weights import Weights, guard_weights, shooter_weights
from hearts_env.ruleset.syntax import brief

MEMBERS = 8
"""Most policies of a search."""


class Policy(NamedTuple):
    """A rollout policy.

    Attributes:
        weights: those of the rule agent.
        epsilon: probability that it plays any legal action instead.
    """

    weights: Weights
    epsilon: float = 0.0


RULE = Policy(Weights())
POLICIES = {
    "rule": RULE,
    "random": Policy(Weights(), 1.0),
    "shooter": Policy(shooter_weights()),
    "guard": Policy(guard_weights()),
    "slips": Policy(Weights(), 0.2),
}


def read_policies(text: str) -> tuple[Policy, ...]:
    """The policies whose names are joined by ``+``.

    >>> [policy.epsilon for policy in read_policies("rule+random")]
    [0.0, 1.0]

    Raises:
        ValueError: an unknown name, or more than `MEMBERS`.
    """
    names = [name.strip() for name in str(text).split("+")]
    if not set(names) <= set(POLICIES):
        raise ValueError(f"policy={brief(text)} is not possible; join one or more of {', '.join(POLICIES)} by +")
    if len(names) > MEMBERS:
        raise ValueError(f"policy={brief(text)} names {len(names)} policies; at most {MEMBERS} are possible")
    return tuple(POLICIES[name] for name in names)
