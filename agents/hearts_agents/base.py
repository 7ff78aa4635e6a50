"""The protocol of agents: they act on views, never on states."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

import hearts_env
from hearts_env.compiled.game import Game
from hearts_env.seat.view import View, Views

COST = "cost_millionths"
"""The name under which `Agent.usage` has money, in millionths of the currency of the prices."""


class AgentRefused(ValueError):  # noqa: N818 - a public name
    """An agent does not play the game. The message is one line with the agent, the game and the reason."""


class UnreadRules(UserWarning):
    """A game uses rules that an agent does not read, such as rules added after its network was trained."""


class Agent:
    """A player. Override `act` for one view at a time, or `act_batch` for many at once; each calls the other by
    default.

    One object may sit at thousands of tables at the same time, so it must not keep anything between calls except
    random state: a view contains everything that its seat knows.

    Attributes:
        name: the spec string that makes it, such as ``rule(pass_spades=2)``; tables and records show it.
        stateful: whether it follows one table at a time, each deal from its first decision to `on_deal_end`, as an
            external program does; the arena then plays its tables one after another.
        external: whether a program or a model decides, so that it is never asked just to compile what a decision needs.
        tables_at_once: how many tables the arena plays at once for it. Slow agents set a small number: progress is
            reported, interrupts lose, and processes receive this many tables at a time.
        faults: reason -> number of decisions that were substituted, such as ``late``; empty for agents that never
            fail.
        usage: what it spent, such as ``tokens``, by name; empty for most agents.
        called: the name that an external program or a language model gives itself; empty for other agents.
        trained_on: text of the rules that a network was trained on; empty for one of all rules, and for other agents.
        digest: identifies what its name leaves open, such as the weights in a folder; may be empty, see
            `identity_of`. A save of the arena is resumed only by agents with the same digests.

    >>> from hearts_env import Match
    >>> class First(Agent):
    ...     def act(self, view):
    ...         return view.legal()[0]
    >>> match = Match("black_lady(passing.cycle=[hold])", seed=1)
    >>> First().act(match.view(match.seat))
    '2C'
    """

    name: str = "agent"
    stateful: bool = False
    external: bool = False
    tables_at_once: int = 256
    faults: Mapping[str, int] = MappingProxyType({})
    usage: Mapping[str, int] = MappingProxyType({})
    called: str = ""
    trained_on: str = ""
    digest: str = ""

    def reset(self, seed: int) -> None:
        """Restart random choices from a seed, 0 to 2**63 - 1; called before a series of deals.

        The seed reveals nothing about the deals (`hearts_env.table.seeds.agent_seed`).
        """

    def act(self, view: View) -> int | str:
        """One legal action, by id or name, for the seat of the view (``view.legal()`` lists them)."""
        return int(self.act_batch(Views.of(view))[0])

    def act_batch(self, views: Views) -> NDArray[np.int64]:
        """One legal action id per view, shape (n,)."""
        return np.array([views.game.action(self.act(view)) for view in views], np.int64)

    def notice(self, game: Game) -> str:
        """One line on the rules of a game that the agent does not read; empty if it reads all of them."""
        return ""

    def on_deal_end(self, view: View) -> None:
        """Called at the end of a deal for every seat it held, if it is `stateful`."""


def identity_of(agent: Agent) -> dict[str, str]:
    """Which agent played: its ``spec``, its ``digest`` (the release of the suite where the name says it all), and what
    it was ``trained_on``, empty for agents that were not trained on one game.

    >>> identity_of(Agent())
    {'spec': 'agent', 'digest': 'hearts-env 0.1.0', 'trained_on': ''}
    """
    digest = agent.digest or f"hearts-env {hearts_env.__version__}"
    return {"spec": agent.name, "digest": digest, "trained_on": agent.trained_on}


def report_unread(agents: Iterable[Agent], game: Game) -> None:
    """Warn, once for an agent and a game, of rules that it does not read; in workers this is silent."""
    for line in filter(None, (agent.notice(game) for agent in agents)):
        warnings.warn(UnreadRules(line), stacklevel=1)  # this line, so that each text is shown once
