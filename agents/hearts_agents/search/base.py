"""Common parts of the search agents: seeds, settings, budgets, and decisions that need no search."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hearts_agents.search.policies import read_policies
from hearts_agents.uniform import SeededAgent
from hearts_env.checks import flag, number, whole
from hearts_env.compiled.game import Game
from hearts_env.ruleset.syntax import brief
from hearts_env.seat.view import View, Views

CHUNK = 16
"""Worlds between two looks at the clock."""
TABLES_AT_ONCE = 32
MOST = 1_000_000
"""The largest budget: one million worlds take two gigabytes, one million milliseconds a quarter of an hour."""

Enough = Callable[[int], bool]
"""A function that returns True if a search may stop after a number of worlds."""


class SearchAgent(SeededAgent, ABC):
    """An agent that samples worlds for a view.

    The same seed and view give the same action in any batch, unless `millis` limits the search.

    Attributes:
        millis: time per decision in milliseconds; 0: the budget is counted in worlds.
    """

    tables_at_once = TABLES_AT_ONCE

    def __init__(
        self, name: str, policy: str = "rule", passing: bool = True, millis: float = 0.0, **settings: float
    ) -> None:
        """Make an agent; `settings` are settings of the `SEARCH_WORKSPACE`. Raises ValueError for an unknown policy."""
        flag(f"{name}: passing", passing)
        try:
            self._policies = read_policies(policy)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
        self.name, self.policy, self.millis = name, policy, millis
        self._settings = {"searches_pass": int(passing)} | settings
        super().__init__()

    def act_batch(self, views: Views) -> NDArray[np.int64]:
        """Choose one action per view, shape (n,); views of a finished match get 0."""
        if self._one_by_one():
            return np.array([self._act_alone(view) for view in views], np.int64)
        return self._search_batch(views)

    def _one_by_one(self) -> bool:
        return self.millis > 0

    @abstractmethod
    def _search_batch(self, views: Views) -> NDArray[np.int64]:
        """Choose one action per view, with a budget in worlds."""

    @abstractmethod
    def _search(self, view: View, workspace: Any, enough: Enough) -> int:
        """Search one view, for which the workspace is prepared, until it is enough."""

    def _act_alone(self, view: View) -> int:
        from hearts_agents.search.root import action_without_search

        workspace = self._workspace(view.game)
        action = int(action_without_search(view.record, view.game.tables, workspace))
        if action >= 0:
            return action
        if not self._begin(view, workspace):
            return int(workspace["default_action"])
        deadline = perf_counter() + self.millis / 1000
        return self._search(view, workspace, lambda _: perf_counter() >= deadline)

    def _workspace(self, game: Game) -> Any:
        from hearts_agents.search.workspace import new_search_workspace

        return new_search_workspace(game, self._policies, **self._settings)[0]

    def _begin(self, view: View, workspace: Any) -> bool:
        """Prepare the workspace for a decision. Returns False if no deal agrees with the view."""
        from hearts_agents.search.root import begin

        word = self._random_words(np.array([view.record]))[0]
        return bool(begin(view.record, view.game.tables, workspace, word))


def check_budget(agent: str, **limits: float) -> None:
    """Raise ValueError for a budget that is empty or too large. All but the first may be 0, which leaves them out."""
    main, *others = limits
    for name, value in limits.items():
        if name == "millis":
            number(f"{agent}: {name}", value)
        else:
            whole(f"{agent}: {name}", value)
        if value > MOST:
            raise ValueError(f"{agent}: {name}={brief(value)} must be at most {MOST}")
    if limits[main] < 1:
        raise ValueError(f"{agent}: {main}={brief(limits[main])} must be at least 1")
    for name in others:
        if limits[name] < 0:
            raise ValueError(f"{agent}: {name}={brief(limits[name])} must be above 0, or left out")
