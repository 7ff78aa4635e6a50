"""The protocol of agents: they act on views, never on states."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from hearts_env.play.view import View, Views


class Agent:
    """A player. Override `act` for one view at a time, or `act_batch` for many at once; each calls the other by
    default.

    One object may sit at thousands of tables at the same time, so it must not remember anything between calls but
    random state: everything a seat knows is in its view.

    Attributes:
        name: the spec string that makes it, such as ``rule(pass_spades=2)``; tables and records print it.
        stateful: whether it follows one table at a time, each deal from its first decision to `on_deal_end`, as a
            program outside does; the arena then plays its tables one after another.
        tables_at_once: how many tables the arena plays at once for it. A slow agent asks for few: progress shows after
            as many, an interrupt loses as many, and several processes share the work in such parts.
        faults: decisions that were taken in its place, by the reason, such as ``late``; empty for agents that never
            fail.
        digest: of what its name does not tell, such as the weights in a folder; empty if there is nothing. A save of
            the arena is gone on with only by agents of the same digests.
    """

    name: str = "agent"
    stateful: bool = False
    tables_at_once: int = 256
    faults: Mapping[str, int] = MappingProxyType({})
    digest: str = ""

    def reset(self, seed: int) -> None:
        """Restart random choices from a seed; called once before a series of deals."""

    def act(self, view: View) -> int | str:
        """One legal action, by id or name, for the seat whose view it is (``view.legal()`` lists them)."""
        return int(self.act_batch(Views.of(view))[0])

    def act_batch(self, views: Views) -> NDArray[np.int64]:
        """One legal action id per view, shape (n,)."""
        return np.array([views.game.action(self.act(view)) for view in views], np.int64)

    def on_deal_end(self, view: View) -> None:
        """Called for every seat it held once a deal is over, if it is an agent of `stateful`."""
