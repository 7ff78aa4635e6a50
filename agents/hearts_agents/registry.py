"""Spec strings -> agents: ``random``, ``rule(pass_spades=2)``, ``net:runs/first``."""

from __future__ import annotations

import dataclasses
import inspect
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any, get_type_hints

from hearts_agents.base import Agent
from hearts_env.text import parse_call, split

NAME = re.compile(r"[A-Za-z][\w\-./]*")
NAMED = re.compile(r"\w+\s*=")


@dataclass(frozen=True)
class Parameter:
    """A parameter of an agent.

    Attributes:
        name: as written in a spec string.
        kind: ``float``, ``int``, ``bool`` or ``str``.
        default: its value if it is left out; None if it must be given.
        doc: what it means, one line; may be empty.
    """

    name: str
    kind: type
    default: Any = None
    doc: str = ""


@dataclass(frozen=True)
class AgentType:
    """A kind of agent that spec strings can name.

    Attributes:
        name: its name.
        factory: makes an agent from keyword arguments.
        summary: one line.
        parameters: what the factory takes, in order; the first may be written without its name: ``net:DIR``.
    """

    name: str
    factory: Callable[..., Agent]
    summary: str
    parameters: Mapping[str, Parameter]


_AGENTS: dict[str, AgentType] = {}
AGENTS: Mapping[str, AgentType] = MappingProxyType(_AGENTS)
"""Every agent by its name."""


def register(
    name: str, factory: Callable[..., Agent], summary: str, parameters: Mapping[str, Parameter] | None = None
) -> None:
    """Give an agent a name for spec strings.

    Args:
        name: letters, digits, ``-``, ``_``, ``.`` and ``/``.
        factory: a class or function that returns an agent; its arguments, typed by annotations, are the parameters.
        summary: one line for lists.
        parameters: the parameters, if the factory's signature does not tell them.

    Raises:
        ValueError: the name is taken or cannot be written in a spec string.
    """
    if name in _AGENTS:
        raise ValueError(f"there is an agent {name!r} already; choose another name")
    if not NAME.fullmatch(name):
        raise ValueError(f"{name!r} cannot be written in a spec string; use letters, digits, -, _, . and /")
    _AGENTS[name] = AgentType(name, factory, summary, parameters if parameters is not None else _signature(factory))


def make_agent(spec: str | Agent) -> Agent:
    """The agent a spec string names; an `Agent` passes through.

    The agent's `name` becomes the spec string.

    Raises:
        ValueError: an unknown agent or parameter (the message names the closest), or a value of the wrong type.
    """
    if isinstance(spec, Agent):
        return spec
    name, arguments = parse_spec(spec)
    kind = _AGENTS[name]
    values = {key: _read(kind, key, text) for key, text in arguments.items()}
    missing = [key for key, parameter in kind.parameters.items() if parameter.default is None and key not in values]
    if missing:
        raise ValueError(f"{spec!r} lacks {missing[0]}; write {name}:{missing[0].upper()}")
    agent = kind.factory(**values)
    agent.name = spec.strip()
    return agent


def parse_spec(spec: str) -> tuple[str, dict[str, str]]:
    """``name``, ``name:first`` or ``name(first, key=value)`` -> name and arguments as text; the name is checked."""
    text = spec.strip()
    name, colon, rest = text.partition(":")
    if colon and "(" not in name:
        kind = _find(name.strip())
        return kind.name, {_first(kind): rest.strip()} if rest.strip() else {}
    name, bracket, body = text.partition("(")
    if not bracket or not body.endswith(")"):
        return _find(parse_call(text)[0]).name, {}
    kind = _find(name.strip())
    parts = split(body[:-1])
    if parts and not NAMED.match(parts[0]):
        parts[0] = f"{_first(kind)}={parts[0]}"
    return kind.name, parse_call(f"{kind.name}({', '.join(parts)})")[1]


def _find(name: str) -> AgentType:
    if name in _AGENTS:
        return _AGENTS[name]
    close = get_close_matches(name, _AGENTS, n=1, cutoff=0)[0]
    raise ValueError(f"there is no agent {name!r}; the closest is {close} (known: {', '.join(_AGENTS)})")


def _first(kind: AgentType) -> str:
    if not kind.parameters:
        raise ValueError(f"{kind.name} takes no parameters")
    return next(iter(kind.parameters))


def _read(kind: AgentType, key: str, text: str) -> Any:
    if not kind.parameters:
        raise ValueError(f"{kind.name} takes no parameters; {key} was given")
    if key not in kind.parameters:
        close = get_close_matches(key, kind.parameters, n=1, cutoff=0)[0]
        raise ValueError(f"{kind.name} has no parameter {key!r}; the closest is {close}")
    wanted = kind.parameters[key].kind
    try:
        return _convert(wanted, text)
    except (ValueError, KeyError):
        needed = {float: "a number", int: "a whole number", bool: "true or false"}.get(wanted, "a word")
        raise ValueError(f"{kind.name}: {key}={text} is not possible; {key} is {needed}") from None


def _convert(wanted: type, text: str) -> Any:
    if wanted is bool:
        return {"true": True, "yes": True, "false": False, "no": False}[text.lower()]
    value = wanted(text)
    if wanted is float and not math.isfinite(value):
        raise ValueError(text)
    return value


def _signature(factory: Callable[..., Agent]) -> dict[str, Parameter]:
    maker: Any = factory.__init__ if inspect.isclass(factory) else factory
    hints = get_type_hints(maker)
    found = {}
    for name, argument in inspect.signature(factory).parameters.items():
        if argument.kind in (argument.VAR_POSITIONAL, argument.VAR_KEYWORD):
            continue
        default = None if argument.default is argument.empty else argument.default
        found[name] = Parameter(name, hints.get(name, str), default)
    return found


def _make_random() -> Agent:
    from hearts_agents.uniform import RandomAgent

    return RandomAgent()


def _make_rule(**weights: float) -> Agent:
    from hearts_agents.rule import RuleAgent, Weights

    return RuleAgent(Weights(**weights))


def _make_search(kind: str) -> Callable[..., Agent]:
    def make(**arguments: Any) -> Agent:
        from hearts_agents import search

        maker: Callable[..., Agent] = getattr(search, kind)
        return maker(**arguments)

    return make


def _make_shooter(eagerness: float = 0.85) -> Agent:
    from hearts_agents.rule import RuleAgent, Weights

    if not 0 < eagerness < 1:
        raise ValueError(f"shooter: eagerness={eagerness} must lie between 0 and 1")
    return RuleAgent(Weights(shoot=1 - eagerness, shoot_pass=1 - eagerness))


def _make_guard(vigilance: float = 3.0) -> Agent:
    from hearts_agents.rule import RuleAgent, Weights

    if vigilance <= 0:
        raise ValueError(f"guard: vigilance={vigilance} must be above 0")
    usual = Weights()
    return RuleAgent(
        Weights(
            fear_points=usual.fear_points * vigilance,
            fear_run=usual.fear_run * vigilance,
            defend=usual.defend * vigilance,
            caution=usual.caution * vigilance,
            pass_caution=usual.pass_caution * vigilance,
            shoot=1.0,
            shoot_pass=1.0,
        )
    )


def _make_net(folder: str, temperature: float = 0.0) -> Agent:
    from hearts_agents.neural import NetAgent

    return NetAgent(folder, temperature=temperature)


def _make_openspiel(bot: str) -> Agent:
    from hearts_agents.openspiel import OpenSpielAgent

    return OpenSpielAgent(bot)


def _make_exec(command: str, time_ms: int = 1000, start_ms: int = 30000, stderr: bool = False) -> Agent:
    from hearts_agents.engines.player import ExecAgent

    return ExecAgent(command, time_ms=time_ms, start_ms=start_ms, stderr=stderr)


def _rule_parameters() -> dict[str, Parameter]:
    from hearts_agents.rule.weights import Weights

    return {
        weight.name: Parameter(weight.name, float, weight.default, weight.metadata["doc"])
        for weight in dataclasses.fields(Weights)
    }


register("random", _make_random, "every legal action is equally likely")
register("rule", _make_rule, "prices every card from the tables of the game; for any variant", _rule_parameters())
register(
    "shooter",
    _make_shooter,
    "the rule agent, eager to shoot the moon",
    {"eagerness": Parameter("eagerness", float, 0.85, "1 less the chance of success from which it tries, 0 to 1")},
)
register(
    "guard",
    _make_guard,
    "the rule agent, afraid of everybody's moon and without one of its own",
    {"vigilance": Parameter("vigilance", float, 3.0, "how many times more than usual it fears a moon")},
)
_WORLDS = Parameter("worlds", int, 64, "deals that agree with the view, in each of which every action is tried")
_MILLIS = Parameter("millis", float, 0.0, "if not 0: time per decision, in place of the other budget")
_POLICY = Parameter("policy", str, "rule", "who plays the worlds out: rule or random")
_PASSING = Parameter("passing", bool, True, "whether passes are searched; else the policy passes")
register(
    "pimc",
    _make_search("PimcAgent"),
    "flat sampling search: tries every action in the same worlds and plays each out by a policy",
    {
        "worlds": _WORLDS,
        "rollouts": Parameter("rollouts", int, 0, "if not 0: rollouts per decision, in place of worlds"),
        "millis": _MILLIS,
        "policy": _POLICY,
        "passing": _PASSING,
        "exact": Parameter("exact", int, 0, "last tricks of each world that are solved exactly"),
        "doubt": Parameter("doubt", float, 1.0, "standard errors by which an action must beat the policy's own"),
        "surprise": Parameter(
            "surprise", float, 0.0, "if not 0: factor for worlds, per card the policy would not play"
        ),
    },
)
register(
    "ismcts",
    _make_search("IsmctsAgent"),
    "tree search over information sets",
    {
        "rollouts": Parameter("rollouts", int, 1000, "iterations per decision"),
        "millis": _MILLIS,
        "policy": _POLICY,
        "passing": _PASSING,
        "explore": Parameter("explore", float, 20.0, "width of the confidence bounds, in points of a pack of 26"),
    },
)
register(
    "endgame",
    _make_search("EndgameAgent"),
    "the rule agent, but it solves the last tricks in many worlds",
    {
        "tricks": Parameter("tricks", int, 4, "last tricks that are solved"),
        "worlds": Parameter("worlds", int, 32, "worlds in which they are"),
    },
)
register(
    "net",
    _make_net,
    "a network that hearts train wrote to a folder: net:DIR",
    {
        "folder": Parameter("folder", str, None, "the folder with policy.safetensors and policy.json"),
        "temperature": Parameter("temperature", float, 0.0, "0 plays the likeliest action, 1 draws from the network"),
    },
)
register(
    "openspiel",
    _make_openspiel,
    "a bot of OpenSpiel, for its rules: openspiel:ismcts(sims=1000), openspiel:random",
    {"bot": Parameter("bot", str, None, "ismcts(sims=1000, uct_c=20), ismcts_py, random or xinxin")},
)
register(
    "exec",
    _make_exec,
    "a program outside that speaks the line protocol of agents/README: exec:COMMAND",
    {
        "command": Parameter("command", str, None, "the program and its arguments, such as python3 bot.py"),
        "time_ms": Parameter("time_ms", int, 1000, "milliseconds for a decision"),
        "start_ms": Parameter("start_ms", int, 30000, "milliseconds from its start until it is ready"),
        "stderr": Parameter("stderr", bool, False, "true shows its standard error"),
    },
)
