"""Agents of one's own: ``py:FILE.py:Class(n=1)`` and ``py:package.module:Class(n=1)``."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from hearts_agents.base import Agent
from hearts_agents.registry import AgentType
from hearts_agents.wrapped import OwnAgent


def load(address: str) -> tuple[Any, str]:
    """The object at ``FILE.py:NAME`` or ``package.module:NAME``, and the SHA-256 of its file.

    A file may import modules beside it; modules are looked for in the working directory, too.

    Raises:
        ValueError: no such file, module or name, or an error while it was imported, in one line.
    """
    place, colon, name = address.rpartition(":")
    if not colon or not place or not name.isidentifier():
        raise ValueError(f"{address!r} names no class; write FILE.py:CLASS or package.module:CLASS")
    try:
        module = _module_of_file(Path(place)) if place.endswith(".py") else _module(place)
    except Exception as error:  # whatever a stranger's module raises
        reason = str(error).splitlines()[0] if str(error) else "no reason given"
        raise ValueError(f"{place} cannot be imported: {type(error).__name__}: {reason}") from error
    if not hasattr(module, name):
        public = ", ".join(own for own, value in vars(module).items() if _defined(module, value)) or "nothing"
        raise ValueError(f"{place} has no {name}; it defines {public}")
    source = module.__file__
    content = Path(source).read_bytes() if source and Path(source).is_file() else b""
    return getattr(module, name), hashlib.sha256(content).hexdigest()


def _defined(module: ModuleType, value: Any) -> bool:
    return callable(value) and getattr(value, "__module__", "") == module.__name__


def _module_of_file(file: Path) -> ModuleType:
    file = file.expanduser().resolve()
    name = f"py_{hashlib.sha256(str(file).encode() + file.read_bytes()).hexdigest()[:16]}"
    if name not in sys.modules:
        _add_path(file.parent)
        spec = importlib.util.spec_from_file_location(name, file)
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(sys.modules[name])
        except BaseException:
            del sys.modules[name]
            raise
    return sys.modules[name]


def _module(name: str) -> ModuleType:
    _add_path(Path.cwd())
    return importlib.import_module(name)


def _add_path(folder: Path) -> None:
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


def python_agent(source: str) -> Agent:
    """An agent of one's own.

    Args:
        source: FILE.py:CLASS or package.module:CLASS, with parameters in brackets; also a function that makes an agent,
            or one of views that plays.

    Raises:
        ValueError: nothing can be imported there, wrong parameters, or an object that cannot play.
    """
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
