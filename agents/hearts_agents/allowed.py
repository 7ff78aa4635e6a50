"""Limits on agents that are named by somebody who is not trusted: a page, a client, a file."""

from __future__ import annotations

from hearts_agents.registry import AGENTS, parse_spec
from hearts_agents.weights import shipped
from hearts_env.envs.opponents import specs_in

MOST_BUDGET = 10_000
"""The largest number, of worlds, rollouts or milliseconds, in such a spec."""
NETWORKS = {"net": "folder", "net+pimc": "net", "sb3": "folder"}
"""Agents that read a network, and the parameter that names it."""


def reads_folder(spec: str) -> bool:
    """True if an agent, or a part of a mixture, reads a network from a folder that does not come with the suite.

    >>> [reads_folder(spec) for spec in ("rule", "net:black_lady", "net+pimc(black_lady)", "net:runs/first", "sb3:bot")]
    [False, False, False, True, True]
    """
    return any(_reads_folder(*parse_spec(part)) for part in specs_in(spec))


def _reads_folder(name: str, arguments: dict[str, str]) -> bool:
    return name in NETWORKS and (name == "sb3" or arguments.get(NETWORKS[name]) not in shipped())


def check_allowed(spec: str, *, folders: bool = False, most: int = MOST_BUDGET) -> None:
    """Raise ValueError, in one line, unless an agent starts no program and keeps to the limits.

    >>> check_allowed("pimc(worlds=64)")
    >>> check_allowed("pimc(worlds=100000)")
    Traceback (most recent call last):
    ValueError: worlds=100000 is more than may be requested here; at most 10,000

    Args:
        spec: of an agent or a mixture; `hearts_env.envs.opponents.specs_in` returns those of ``opponents=``.
        folders: whether it may read a network from any folder.
        most: the largest number in the spec.

    Raises:
        ValueError: it starts a program, reads another network than those of the suite, or has a number above
            `most`; or the spec makes no agent.
    """
    if len(parts := specs_in(spec)) > 1:
        for part in parts:
            check_allowed(part, folders=folders, most=most)
        return
    name, arguments = parse_spec(parts[0])
    if AGENTS[name].needs_consent:
        raise ValueError(f"{spec} starts a program, which is not allowed here")
    if not folders and reads_folder(spec):
        raise ValueError(f"{spec} is no network of the suite; here only these may play: {', '.join(shipped())}")
    for key, text in arguments.items():
        if _number(text) > most:
            raise ValueError(f"{key}={text} is more than may be requested here; at most {most:,}")


def _number(text: str) -> float:
    """The number that a parameter is, 0 if it is none."""
    try:
        return float(text)
    except ValueError:
        return 0.0
