"""Spec strings -> agents: ``random``, ``rule(pass_spades=2)``, ``net:runs/first``."""

from __future__ import annotations

import inspect
import math
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import Any, get_type_hints

from hearts_agents.base import Agent
from hearts_env.ruleset.syntax import parse_call, split, weighted

NAME = re.compile(r"[A-Za-z][\w\-+./]*")
NAMED = re.compile(r"\w+\s*=")


@dataclass(frozen=True)
class Parameter:
    """A parameter of an agent.

    Attributes:
        name: as written in a spec string.
        kind: ``float``, ``int``, ``bool`` or ``str``.
        default: the value if it is left out; None if it is required.
        doc: description in one line; may be empty.
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
        source: the factory, or its address, ``module:name``, which is imported when it is first needed.
        summary: one line.
        listed: the parameters, if the factory's signature does not list them.
        program: whether it starts an external program.
        code: whether it runs Python code that the spec names.
        release: the package that it comes from and its version; empty for the suite's own agents.
    """

    name: str
    source: Callable[..., Any] | str
    summary: str
    listed: Mapping[str, Parameter] | None = None
    program: bool = False
    code: bool = False
    release: str = ""

    @property
    def needs_consent(self) -> bool:
        """True if only who runs the command may name it."""
        return self.program or self.code

    @cached_property
    def factory(self) -> Callable[..., Any]:
        """Makes an agent from keyword arguments."""
        if not isinstance(self.source, str):
            return self.source
        module, _, name = self.source.partition(":")
        try:
            found: Callable[..., Any] = getattr(import_module(module), name)
        except (ImportError, AttributeError) as error:
            raise ValueError(f"the agent {self.name} cannot be made: {error}") from None
        return found

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
        """The parameters of the factory, in order; the first may be written without its name: ``net:DIR``."""
        return _signature(self.factory) if self.listed is None else self.listed

    def check_parameters(self) -> None:
        """Raise ValueError for a parameter that a spec string cannot give."""
        for key, parameter in self.parameters.items():
            if parameter.kind not in (bool, int, float, str):
                raise ValueError(
                    f"{self.name}: {key} cannot be written in a spec string; it must be a bool, int, float or str"
                )

    def arguments(self, body: str) -> dict[str, str]:
        """The arguments between the brackets of a spec string; the first may lack its name."""
        parts = split(body)
        if parts and not NAMED.match(parts[0]):
            parts[0] = f"{self.first}={parts[0]}"
        return parse_call(f"{self.name}({', '.join(parts)})")[1]

    @property
    def first(self) -> str:
        """The parameter that needs no name. Raises ValueError if there is none."""
        if not self.parameters:
            raise ValueError(f"{self.name} takes no parameters")
        return next(iter(self.parameters))

    def make(self, spec: str, arguments: Mapping[str, str]) -> Any:
        """What the factory makes of arguments that are text. Raises ValueError for wrong ones."""
        values = {key: _read(self, key, text) for key, text in arguments.items()}
        missing = [key for key, one in self.parameters.items() if one.default is None and key not in values]
        if missing:
            wanted = {**arguments, **{key: key.upper() for key in missing}}
            short = [*wanted] == [*self.parameters][:1]
            named = ", ".join(f"{key}={text}" for key, text in wanted.items())
            written = f"{self.name}:{missing[0].upper()}" if short else f"{self.name}({named})"
            raise ValueError(f"{spec!r} lacks {' and '.join(missing)}; write {written}")
        return self.factory(**values)


PLUGINS = "hearts_agents"
"""The group of entry points by which packages name agents: ``ducker = "my_package.bots:Ducker"``."""
_AGENTS: dict[str, AgentType] = {}
AGENTS: Mapping[str, AgentType] = MappingProxyType(_AGENTS)
"""Every agent by its name; those of other packages once `load_plugins` was called, as for an unknown name."""


def register(
    name: str,
    factory: Callable[..., Agent] | str,
    summary: str,
    parameters: Mapping[str, Parameter] | None = None,
    *,
    program: bool = False,
    code: bool = False,
    release: str = "",
) -> None:
    """Give an agent a name for spec strings.

    Args:
        name: letters, digits, ``-``, ``+``, ``_``, ``.`` and ``/``.
        factory: a class or function that returns an agent; its arguments, typed by annotations, are the parameters,
            and the section "Args:" of its docstring explains them. Its address, such as ``my_package.bots:Ducker``,
            postpones the import until the agent is used.
        summary: one line for lists.
        parameters: the parameters, if the factory's signature does not list them.
        program: whether the agent starts an external program; see `names_program`.
        code: whether it runs Python code that the spec names; likewise.
        release: the package that it comes from and its version, the digest of an agent that has none.

    Raises:
        ValueError: the name is taken or cannot be written in a spec string, or an argument of the factory has another
            type than bool, int, float or str; behind an address the types are not checked.
    """
    if name in _AGENTS:
        raise ValueError(f"there is an agent {name!r} already; choose another name")
    if not NAME.fullmatch(name):
        raise ValueError(f"{name!r} cannot be written in a spec string; use letters, digits, -, +, _, . and /")
    kind = AgentType(name, factory, summary, parameters, program, code, release)
    if not isinstance(factory, str):
        kind.check_parameters()
    _AGENTS[name] = kind


@cache
def load_plugins() -> None:
    """Give names to the agents of installed packages; one that fails is left out with a warning."""
    for entry in entry_points(group=PLUGINS):
        package = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "a plug-in"
        try:
            register(entry.name, entry.value, f"of the package {package}", release=package)
        except ValueError as error:
            warnings.warn(f"the plug-in {entry.name} = {entry.value} was left out: {error}", stacklevel=2)


def make_agent(spec: str | Agent) -> Agent:
    """Make the agent that a spec string describes; an `Agent` is returned as it is.

    The agent's `name` becomes the spec string. Several agents with ``;`` between them are a mixture, of which one plays
    each deal, with weights where they are written: ``0.7*rule; 0.3*random``.

    Raises:
        ValueError: an unknown agent or parameter (the message names the closest), a value of the wrong type, or a
            weight that is no finite number above 0.

    >>> make_agent("rule(pass_spades=2)").name
    'rule(pass_spades=2)'
    >>> make_agent("ruel")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: there is no agent 'ruel'; the closest is rule (known: random, rule, ...
    """
    if isinstance(spec, Agent):
        return spec
    parts = weighted(spec)
    if [part for part, _ in parts] != [spec.strip()]:
        return _mixed(spec, parts)
    name, arguments = parse_spec(spec)
    made = _AGENTS[name].make(spec, arguments)
    agent = made if isinstance(made, Agent) else _wrapped(made)
    agent.name = spec.strip()
    if release := _AGENTS[name].release:
        agent.digest = agent.digest or release
    return agent


def _mixed(spec: str, parts: list[tuple[str, float]]) -> Agent:
    from hearts_agents.mixture import MixtureAgent  # imports Numba

    agent = MixtureAgent([make_agent(part) for part, _ in parts], [weight for _, weight in parts])
    agent.name = spec.strip()
    return agent


def _wrapped(made: Any) -> Agent:
    from hearts_agents.wrapped import OwnAgent  # imports Numba

    return OwnAgent(made)


def names_program(value: Any) -> bool:
    """True if a spec string, or a spec inside it, names an agent that starts an external program or runs Python code
    of somebody's own (``py:``); also true of a list or a mapping that holds such a spec.

    A spec string that was read from a file must not be given to `make_agent` if this is true, unless the command names
    the same program.

    >>> [names_program(spec) for spec in ("rule", "exec:./bot", "rule; py:bot.py:Bot", ["rule", {"x": "exec:./bot"}])]
    [False, True, True, True]
    """
    if isinstance(value, Mapping):
        return any(names_program(part) for part in (*value.keys(), *value.values()))
    if isinstance(value, list | tuple):
        return any(names_program(part) for part in value)
    names = "|".join(re.escape(kind.name) for kind in _AGENTS.values() if kind.needs_consent)
    return re.search(rf"(?<![\w\-./+])({names})(?![\w\-./+])", str(value)) is not None


def parse_spec(spec: str) -> tuple[str, dict[str, str]]:
    """Split the spec string of one agent into its name, which is checked, and its arguments as text.

    Raises:
        ValueError: an unknown agent, or text of another form.

    >>> parse_spec("rule(pass_spades=2, shoot=0.5)")
    ('rule', {'pass_spades': '2', 'shoot': '0.5'})
    >>> parse_spec("net:runs/first")
    ('net', {'folder': 'runs/first'})
    """
    text = spec.strip()
    name, colon, rest = text.partition(":")
    if colon and "(" not in name:
        kind = _find(name.strip())
        return kind.name, {kind.first: rest.strip()} if rest.strip() else {}
    name, bracket, body = text.partition("(")
    if not bracket or not body.endswith(")"):
        return _find(parse_call(text)[0]).name, {}
    kind = _find(name.strip())
    return kind.name, kind.arguments(body[:-1])


def _find(name: str) -> AgentType:
    if name not in _AGENTS:
        load_plugins()
    if name in _AGENTS:
        return _AGENTS[name]
    close = get_close_matches(name, _AGENTS, n=1, cutoff=0)[0]
    raise ValueError(f"there is no agent {name!r}; the closest is {close} (known: {', '.join(_AGENTS)})")


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
    hints, docs = get_type_hints(maker), _argument_docs(inspect.getdoc(maker) or "")
    found = {}
    for name, argument in inspect.signature(factory).parameters.items():
        if argument.kind in (argument.VAR_POSITIONAL, argument.VAR_KEYWORD):
            continue
        default = None if argument.default is argument.empty else argument.default
        usual = str if default is None else type(default)
        found[name] = Parameter(name, hints.get(name, usual), default, docs.get(name, ""))
    return found


def _argument_docs(docstring: str) -> dict[str, str]:
    """Argument -> its description in the section "Args:" of a docstring, in one line."""
    section = docstring.partition("Args:\n")[2].partition("\n\n")[0]
    entries = re.findall(r"^    (\w+): (.*(?:\n {5,}.*)*)", section, re.MULTILINE)
    return {name: " ".join(text.split()).rstrip(".").replace("``", "") for name, text in entries}
