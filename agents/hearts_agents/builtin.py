"""The agents that come with the package, under their names."""

from __future__ import annotations

import dataclasses

from hearts_agents.base import Agent
from hearts_agents.registry import Parameter, register
from hearts_agents.rule import RuleAgent, Weights
from hearts_agents.rule.weights import guard_weights, shooter_weights
from hearts_agents.search import EndgameAgent, IsmctsAgent, PimcAgent
from hearts_agents.search.network import NetPimcAgent
from hearts_agents.uniform import RandomAgent


def rule_agent(**weights: float) -> Agent:
    """The rule agent with some weights changed."""
    return RuleAgent(Weights(**weights))


def shooter(eagerness: float = 0.85) -> Agent:
    """A rule agent that often tries to shoot the moon.

    Args:
        eagerness: it tries from a chance of success of 1 - eagerness on; between 0 and 1.

    Raises:
        ValueError: an eagerness that is out of range.
    """
    return RuleAgent(shooter_weights(eagerness))


def guard(vigilance: float = 3.0) -> Agent:
    """A rule agent that guards against every moon and never tries one.

    Args:
        vigilance: factor on the weights by which the rule agent guards against a moon, above 0.

    Raises:
        ValueError: a vigilance that is out of range.
    """
    return RuleAgent(guard_weights(vigilance))


def network(folder: str, temperature: float = 0.0, told: str = "", transfer: bool = False) -> Agent:
    """A network: one that comes with the suite, by name, or one that was trained, by its folder.

    Args:
        folder: a name such as black_lady, or a folder with policy.safetensors.
        temperature: 0 plays the most probable action, 1 samples from the policy.
        told: what a network for all rules is told instead of the rules, to see what they are worth to it: nothing, or
            other rules.
        transfer: true lets a network for one game play all others, too, by what both games have in common: see
            "From one game to another" in RESULTS.md.
    """
    from hearts_agents.neural import NetAgent

    return NetAgent(folder, temperature=temperature, told=told, transfer=transfer)


def sb3_network(folder: str) -> Agent:
    """A network that was trained with Stable-Baselines3.

    Args:
        folder: a folder with sb3.safetensors and sb3.json.
    """
    from hearts_agents.neural.sb3 import Sb3Agent

    return Sb3Agent(folder)


_WEIGHTS = {
    weight.name: Parameter(weight.name, float, weight.default, weight.metadata["doc"])
    for weight in dataclasses.fields(Weights)
}
register("random", RandomAgent, "every legal action is equally likely")
register("rule", rule_agent, "estimates the cost of every card from the rules; for any variant", _WEIGHTS)
register("shooter", shooter, "the rule agent, which often tries to shoot the moon")
register("guard", guard, "the rule agent, which guards against every moon and never tries one")
register(
    "pimc",
    PimcAgent,
    "perfect-information Monte Carlo: tries every action in the same worlds and plays each to its end by a policy",
)
register("ismcts", IsmctsAgent, "tree search over information sets")
register("endgame", EndgameAgent, "the rule agent, but it solves the last tricks in many worlds")
register("net", network, "a network: net:NAME comes with the suite, net:FOLDER is one that you trained")
register("net+pimc", NetPimcAgent, "pimc whose rollouts are played by a network: net+pimc(black_lady, worlds=32)")
register("sb3", sb3_network, "a network trained with Stable-Baselines3: sb3:FOLDER")
register(
    "py",
    "hearts_agents.own:python_agent",
    "an agent of your own: py:FILE.py:CLASS(PARAMETER=VALUE) or py:package.module:CLASS(...), or py:FOLDER",
    code=True,
)
register(
    "exec",
    "hearts_agents.engines.player:ExecAgent",
    "an external program that speaks the line protocol of engines/PROTOCOL.md: exec:COMMAND",
    program=True,
)
register(
    "text",
    "hearts_agents.text.talk:TextAgent",
    "a program that reads the game in words and answers in words",
    program=True,
)
register(
    "llm",
    "hearts_agents.text.chat:ChatAgent",
    "a language model by its address: llm(model=NAME, url=http://localhost:8000/v1)",
    program=True,
)
