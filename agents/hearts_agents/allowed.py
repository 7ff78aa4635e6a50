"""Limits on agents that are named by somebody who is not trusted: a page, a client, a file."""

from __future__ import annotations

from hearts_agents.registry import AGENTS, parse_spec
from hearts_agents.weights import shipped

MOST_BUDGET = 10_000
"""The largest number, of worlds, rollouts or milliseconds, in such a spec."""
NETWORKS = {"net": "folder", "net+pimc": "net", "sb3": "folder"}
"""Agents that read a network, and the parameter that names it."""


def reads_folder(spec: str) -> bool:
    """True if an agent reads a network from a folder that does not come with the suite.

    >>> [reads_folder(spec) for spec in ("rule", "net:black_lady", "net+pimc(black_lady)", "net:runs/first", "sb3:bot")]
    [False, False, False, True, True]
    """
    name, arguments = parse_spec(spec)
    return name in NETWORKS and (name == "sb3" or arguments.get(NETWORKS[name]) not in shipped())


def check_allowed(spec: str, *, folders: bool = False, most: int = MOST_BUDGET) -> None:
    """Raise ValueError, in one line, unless an agent starts no program and keeps to the limits.

    >>> check_allowed("pimc(worlds=64)")
    >>> check_allowed("pimc(worlds=100000)")
    Traceback (most recent call last):
    ValueError: worlds=100000 is more than may be requested here; at most 10,000

    Args:
        spec: of one agent; `hearts_env.envs.opponents.specs_in` returns those of ``opponents=``.
        folders: whether it may read a network from any folder.
        most: the largest number in the spec.

    Raises:
        ValueError: it starts a program, reads another network than those of the suite, or has a number above
            `most`; or the spec makes no agent.
    """
    name, arguments = parse_spec(spec)
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
